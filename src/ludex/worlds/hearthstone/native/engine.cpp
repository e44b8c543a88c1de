// Zones, characters, sequences of the player's actions, triggers and deaths.
#include "engine.hpp"

#include <algorithm>

namespace ludex::hearthstone {

namespace {

constexpr std::uint32_t bit(Event event) noexcept { return 1U << static_cast<unsigned>(event); }
constexpr std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

std::uint8_t capped(int value) noexcept {
    return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

}  // namespace

// Questions

bool Engine::here(Who one) const noexcept {
    if (is_hero(one.ref)) return true;
    return is_minion(one.ref) && minion(one.ref).card != kNoCard &&
           minion(one.ref).order == one.order;
}

bool Engine::alive(Ref ref) const noexcept {
    if (is_hero(ref)) return player(ref - kHero).health > 0;
    return minion(ref).health > 0 && (minion(ref).flags & kDoomed) == 0;
}

int Engine::seat_of(Ref ref) const noexcept {
    if (is_hero(ref)) return ref - kHero;
    if (is_minion(ref)) return minion(ref).side;
    if (ref >= kDead && ref < kDead + kMostDead) return dead(ref - kDead).side;
    return 0;
}

int Engine::attack_of(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const int seat = ref - kHero;
        const Player& p = player(seat);
        int total = p.hero_attack;
        if (seat == s_.active && p.weapon != kNoCard) total += p.weapon_attack + p.weapon_aura;
        return std::max(0, total);
    }
    const Minion& m = is_minion(ref) ? minion(ref) : dead(ref - kDead);
    if ((m.keywords & kAttackIsHealth) != 0) return std::max<int>(0, m.health);
    return std::max(0, m.attack + m.aura_attack);
}

int Engine::health_of(Ref ref) const noexcept {
    if (is_hero(ref)) return player(ref - kHero).health;
    return is_minion(ref) ? minion(ref).health : dead(ref - kDead).health;
}

std::uint32_t Engine::keywords_of(Ref ref) const noexcept {
    if (!is_minion(ref)) return 0;
    return minion(ref).keywords | minion(ref).aura_keywords;
}

bool Engine::frozen(Ref ref) const noexcept {
    if (is_hero(ref)) return (player(ref - kHero).flags & kHeroFrozen) != 0;
    return (minion(ref).flags & kFrozen) != 0;
}

bool Engine::immune(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const Player& p = player(ref - kHero);
        return (p.flags & kHeroImmune) != 0;
    }
    return (keywords_of(ref) & kImmune) != 0;
}

bool Engine::has(int seat, std::uint32_t keyword) const noexcept {
    const Player& p = player(seat);
    for (int i = 0; i < p.board_size; ++i) {
        if ((minion(p.board[at(i)]).keywords & keyword) != 0) return true;
    }
    return false;
}

int Engine::spell_damage(int seat) const noexcept {
    const Player& p = player(seat);
    int total = 0;
    for (int i = 0; i < p.board_size; ++i) total += minion(p.board[at(i)]).spell_damage;
    return total;
}

int Engine::attacks_allowed(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const Player& p = player(ref - kHero);
        return p.weapon != kNoCard && (card(p.weapon).keywords & kWindfury) != 0 ? 2 : 1;
    }
    const std::uint32_t keywords = keywords_of(ref);
    if ((keywords & kMega) != 0) return 4;
    return (keywords & kWindfury) != 0 ? 2 : 1;
}

bool Engine::can_attack(Ref ref) const noexcept {
    if (attack_of(ref) <= 0 || frozen(ref)) return false;
    if (is_hero(ref)) return player(ref - kHero).attacks < attacks_allowed(ref);
    const Minion& m = minion(ref);
    const std::uint32_t keywords = keywords_of(ref);
    if ((keywords & kCantAttack) != 0) return false;
    if ((m.flags & kSick) != 0 && (keywords & kCharge) == 0) return false;
    return m.attacks < attacks_allowed(ref);
}

bool Engine::must_face_taunt(int seat) const noexcept {
    const Player& enemy = player(1 - seat);
    for (int i = 0; i < enemy.board_size; ++i) {
        const std::uint32_t keywords = keywords_of(enemy.board[at(i)]);
        if ((keywords & kTaunt) != 0 && (keywords & (kStealth | kImmune)) == 0) return true;
    }
    return false;
}

bool Engine::legal_defender(int seat, Ref defender, bool taunt) const noexcept {
    if (seat_of(defender) == seat || immune(defender)) return false;
    const std::uint32_t keywords = keywords_of(defender);
    if ((keywords & kStealth) != 0) return false;
    return !taunt || (keywords & kTaunt) != 0;
}

int Engine::cost(int seat, const HandCard& held) const noexcept {
    const Card& what = card(held.card);
    const Player& p = player(seat);
    int total = what.cost + held.cost;
    if (what.cheaper >= 0) {
        Context context;
        context.me = seat;
        total -= look(set_.values[at(what.cheaper)], context);
    }
    const bool secret = (what.keywords & kSecret) != 0;
    const unsigned type = what.type == Type::minion   ? 1
                          : what.type == Type::spell  ? (secret ? 10U : 2U)
                          : what.type == Type::weapon ? 4U
                                                      : 0U;
    int least = 0;
    if ((s_.auras & 2) != 0) {
        for (int owner = 0; owner < kSeats; ++owner) {
            const Player& o = player(owner);
            for (int i = 0; i < o.board_size; ++i) {
                const Minion& m = minion(o.board[at(i)]);
                if ((m.flags & kHasAura) == 0) continue;
                const Card& source = card(m.card);
                for (int k = 0; k < source.auras; ++k) {
                    const Aura& aura = set_.auras[at(source.first_aura + k)];
                    if (aura.kind != AuraKind::cost || (aura.types & type) == 0) continue;
                    if ((aura.sides & (owner == seat ? 1 : 2)) == 0) continue;
                    if (aura.first != 0 && p.minions_played > 0) continue;
                    if (aura.least > 0) {
                        // A floor above 0 holds for this lowering only.
                        total = std::min(total, std::max<int>(aura.least, total + aura.attack));
                        continue;
                    }
                    total += aura.attack;
                }
            }
        }
    }
    if (what.type == Type::spell) {
        total -= p.cheaper_spell;
        if (secret && (p.flags & kNextSecretFree) != 0) total = 0;
        if ((p.flags & kSpellsFree) != 0) total = 0;
        if ((p.flags & kSpellsFreeNext) != 0 && seat != s_.active) total = 0;
    }
    return std::max(least, total);
}

int Engine::power_cost(int seat) const noexcept {
    return std::max<int>(0, card(player(seat).power).cost);
}

bool Engine::needs_met(const Card& what, const Context& context) const noexcept {
    for (int i = 0; i < what.needs; ++i) {
        const Need& need = set_.needs[at(what.first_need + i)];
        if (!compare(look(set_.values[at(need.value)], context), need.compare, need.number)) {
            return false;
        }
    }
    return true;
}

bool Engine::targetable(int seat, const Card& what, Ref ref, const Context& context,
                        bool by_spell) const noexcept {
    const std::uint32_t keywords = keywords_of(ref);
    if (seat_of(ref) != seat && ((keywords & kStealth) != 0 || immune(ref))) return false;
    if (by_spell && (keywords & kElusive) != 0) return false;
    return belongs(set_.groups[at(what.target)], context, ref);
}

int Engine::targets_of(int seat, const Card& what, bool by_spell,
                       std::array<Ref, 16>& out) const noexcept {
    if (what.aim == Aim::none) return -1;
    Context context;
    context.me = seat;
    context.combo = player(seat).played;
    if (what.aim_combo != 0 && context.combo == 0) return -1;
    if (what.aim_when.value >= 0 && !compare(look(set_.values[at(what.aim_when.value)], context),
                                             what.aim_when.compare, what.aim_when.number)) {
        return -1;
    }
    int found = 0;
    const auto consider = [&](Ref ref) {
        if (targetable(seat, what, ref, context, by_spell)) out[at(found++)] = ref;
    };
    consider(static_cast<Ref>(kHero + seat));
    consider(static_cast<Ref>(kHero + 1 - seat));
    for (const int side : {seat, 1 - seat}) {
        const Player& p = player(side);
        for (int i = 0; i < p.board_size; ++i) consider(p.board[at(i)]);
    }
    return found;
}

bool Engine::playable(int seat, const HandCard& held) const noexcept {
    const Player& p = player(seat);
    if (p.mana < cost(seat, held)) return false;
    const Card& what = card(held.card);
    switch (what.type) {
        case Type::minion:
            return p.board_size < options_.board_limit;
        case Type::weapon:
            return true;
        case Type::spell:
            break;
        default:
            return false;
    }
    if ((what.keywords & kSecret) != 0) {
        if (p.secret_count >= kSecrets) return false;
        for (int i = 0; i < p.secret_count; ++i) {
            if (p.secrets[at(i)].card == held.card) return false;
        }
    }
    Context context;
    context.me = seat;
    context.combo = p.played;
    return needs_met(what, context);
}

// Zones

void Engine::tell(News kind, int seat, CardId what) noexcept {
    if (s_.news_count < kNews) {
        s_.news[s_.news_count++] = {kind, static_cast<std::uint8_t>(seat), what};
    }
}

void Engine::cut_short(const Context& context) noexcept {
    if (cut_) return;
    cut_ = true;
    if (s_.news_count == kNews) --s_.news_count;  // worth more than the last of so many
    tell(News::cut, context.me, context.card);
}

void Engine::index_events() noexcept {
    std::uint32_t events = 0;
    // What auras gave may still have to be taken away, even when none is left.
    std::uint8_t auras = s_.auras != 0 ? 4 : 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Minion& m = minion(p.board[at(i)]);
            events |= m.events;
            if ((m.flags & kHasAura) != 0) auras |= 3;
        }
        if (p.weapon != kNoCard) {
            events |= card(p.weapon).events;
            if (card(p.weapon).auras > 0) auras |= 3;
        }
        for (int i = 0; i < p.secret_count; ++i) events |= card(p.secrets[at(i)].card).events;
    }
    s_.events = events;
    s_.auras = auras;
}

Ref Engine::enter(CardId what, int seat, int position) noexcept {
    Player& p = player(seat);
    if (p.board_size >= options_.board_limit) return kNobodyRef;
    Ref slot = 0;
    while (slot < kSlots && minion(slot).card != kNoCard) ++slot;
    if (slot == kSlots) return kNobodyRef;
    const Card& printed = card(what);
    Minion m;
    m.card = what;
    m.order = ++s_.next_order;
    m.base_attack = static_cast<std::int8_t>(printed.attack);
    m.base_health = static_cast<std::int8_t>(printed.health);
    m.attack = printed.attack;
    m.max_health = m.health = printed.health;
    m.keywords = printed.keywords;
    m.events = printed.events;
    m.spell_damage = printed.spell_damage;
    m.side = static_cast<std::uint8_t>(seat);
    m.flags = kSick;
    if (printed.auras > 0 || printed.enrage_attack != 0 || printed.enrage_keywords != 0) {
        m.flags |= kHasAura;
    }
    minion(slot) = m;
    if (position < 0 || position > p.board_size) position = p.board_size;
    for (int i = p.board_size; i > position; --i) p.board[at(i)] = p.board[at(i - 1)];
    p.board[at(position)] = slot;
    ++p.board_size;
    index_events();
    return slot;
}

int Engine::position_of(Ref ref) const noexcept {
    const Player& p = player(minion(ref).side);
    for (int i = 0; i < p.board_size; ++i) {
        if (p.board[at(i)] == ref) return i;
    }
    return -1;
}

void Engine::leave(Ref ref) noexcept {
    Player& p = player(minion(ref).side);
    const int position = position_of(ref);
    if (position >= 0) {
        for (int i = position; i + 1 < p.board_size; ++i) p.board[at(i)] = p.board[at(i + 1)];
        p.board[--p.board_size] = 0;
    }
    minion(ref) = Minion{};
    index_events();
}

void Engine::announce(Ref ref, bool played) noexcept {
    const Who one = who(ref);
    const Minion& m = minion(ref);
    const Card& printed = card(m.card);
    if ((printed.races & 64) != 0) player(m.side).totems = capped(player(m.side).totems + 1);
    if (!played) tell(News::summoned, m.side, m.card);
    fire(Event::summon, {m.side, one, {}, 0, m.card});
}

Ref Engine::summon(CardId what, int seat, int position, const Context* /*by*/) noexcept {
    const Ref ref = enter(what, seat, position);
    if (ref == kNobodyRef) return ref;
    const Who one = who(ref);
    refresh();
    announce(ref, false);
    if (here(one)) fire(Event::after_summon, {minion(ref).side, one, {}, 0, what});
    return here(one) ? ref : kNobodyRef;
}

bool Engine::give(int seat, CardId what, std::uint8_t flags, int cost) noexcept {
    Player& p = player(seat);
    if (p.hand_size >= options_.hand_limit) return false;
    HandCard held;
    held.card = what;
    held.flags = flags;
    held.cost = static_cast<std::int8_t>(cost);
    p.hand[p.hand_size++] = held;
    return true;
}

void Engine::remove_from_hand(int seat, int index) noexcept {
    Player& p = player(seat);
    for (int i = index; i + 1 < p.hand_size; ++i) p.hand[at(i)] = p.hand[at(i + 1)];
    p.hand[--p.hand_size] = HandCard{};
}

CardId Engine::take_from_deck(int seat, int index) noexcept {
    Player& p = player(seat);
    const CardId taken = p.deck[at(index)];
    for (int i = index; i + 1 < p.deck_size; ++i) p.deck[at(i)] = p.deck[at(i + 1)];
    p.deck[--p.deck_size] = kNoCard;
    return taken;
}

void Engine::shuffle_into_deck(int seat, CardId what) noexcept {
    Player& p = player(seat);
    if (p.deck_size >= kDeck) return;
    p.deck[p.deck_size++] = what;
    for (int i = p.deck_size - 1; i > 0; --i) {
        const auto other = static_cast<int>(rng_.below(static_cast<std::uint64_t>(i + 1)));
        std::swap(p.deck[at(i)], p.deck[at(other)]);
    }
}

void Engine::bury(int seat, CardId what) noexcept {
    Player& p = player(seat);
    const Type type = card(what).type;
    if (type == Type::minion) p.buried_minions = capped(p.buried_minions + 1);
    if (type == Type::spell) p.buried_spells = capped(p.buried_spells + 1);
    if (type == Type::weapon) p.buried_weapons = capped(p.buried_weapons + 1);
}

void Engine::draw(int seat, int count, int discount) noexcept {
    for (int i = 0; i < count && ++effects_ < kMostEffects; ++i) {
        Player& p = player(seat);
        if (p.deck_size == 0) {
            p.fatigue = capped(p.fatigue + 1);
            tell(News::fatigue, seat, kNoCard);
            Targets hero;
            hero.add({static_cast<Ref>(kHero + seat), 0});
            damage(hero, p.fatigue, {}, nullptr);
            continue;
        }
        const CardId drawn = p.deck[--p.deck_size];
        p.deck[p.deck_size] = kNoCard;
        last_cost_ = card(drawn).cost;
        if (!give(seat, drawn, 0, discount)) {
            tell(News::burned, seat, drawn);
            continue;
        }
        tell(News::drew, seat, drawn);
        fire(Event::drawn, {seat, {}, {}, 0, drawn});
    }
}

void Engine::discard(int seat, int index) noexcept {
    const CardId what = player(seat).hand[at(index)].card;
    remove_from_hand(seat, index);
    tell(News::discarded, seat, what);
    if (card(what).leaps == 1) summon(what, seat, -1, nullptr);
    fire(Event::discarded, {seat, {}, {}, 0, what});
}

void Engine::lose_weapon(int seat) noexcept {
    Player& p = player(seat);
    const CardId lost = p.weapon;
    if (lost == kNoCard) return;
    bury(seat, lost);
    const std::uint16_t order = p.weapon_order;
    p.weapon = kNoCard;
    p.weapon_attack = p.weapon_aura = p.durability = 0;
    p.weapon_order = 0;
    index_events();
    if (card(lost).deathrattle >= 0) {
        Context context;
        context.me = seat;
        context.card = lost;
        context.self = {kNobodyRef, order};
        run(card(lost).deathrattle, context);
    }
}

void Engine::equip(int seat, CardId what) noexcept {
    Player& p = player(seat);
    const CardId old = p.weapon;
    const Card& printed = card(what);
    p.weapon = what;
    p.weapon_order = ++s_.next_order;
    p.weapon_attack = static_cast<std::int8_t>(printed.attack);
    p.durability = static_cast<std::int8_t>(printed.health);
    p.weapon_aura = 0;
    index_events();
    refresh();
    if (old != kNoCard) {
        bury(seat, old);
        if (card(old).deathrattle >= 0) {
            Context context;
            context.me = seat;
            context.card = old;
            run(card(old).deathrattle, context);
        }
    }
}

void Engine::remove_secret(int seat, int index) noexcept {
    Player& p = player(seat);
    bury(seat, p.secrets[at(index)].card);
    for (int i = index; i + 1 < p.secret_count; ++i) p.secrets[at(i)] = p.secrets[at(i + 1)];
    p.secrets[--p.secret_count] = Secret{};
    index_events();
}

void Engine::add_armour(int seat, int amount) noexcept {
    player(seat).armour = static_cast<std::int16_t>(player(seat).armour + amount);
    if (amount > 0) fire(Event::armoured, {seat, {}, {}, amount, kNoCard});
}

void Engine::owe(int seat, int amount) noexcept {
    if (amount <= 0) return;
    player(seat).owed = capped(player(seat).owed + amount);
    fire(Event::overloaded, {seat, {}, {}, amount, kNoCard});
}

void Engine::change_side(Ref ref, int seat, bool for_turn) noexcept {
    Minion& m = minion(ref);
    if (m.side == seat) return;
    if (player(seat).board_size >= options_.board_limit) {
        if (!for_turn) m.flags |= kDoomed;
        return;
    }
    Player& from = player(m.side);
    const int position = position_of(ref);
    for (int i = position; i + 1 < from.board_size; ++i) from.board[at(i)] = from.board[at(i + 1)];
    from.board[--from.board_size] = 0;
    Player& to = player(seat);
    to.board[to.board_size++] = ref;
    m.side = static_cast<std::uint8_t>(seat);
    m.flags |= kSick;
    m.attacks = 0;
    if (for_turn) {
        Enchant until;
        until.until = static_cast<std::uint8_t>(static_cast<unsigned>(Until::returned) |
                                                (seat == 1 ? 128U : 0U));
        until.keywords = kCharge;
        enchant(ref, until);
    }
    index_events();
    refresh();
}

void Engine::bounce(Ref ref, int discount) noexcept {
    const Minion m = minion(ref);
    leave(ref);
    if (!give(m.side, m.card, kKnown | kForeign, discount)) {
        bury(m.side, m.card);
        return;
    }
    tell(News::received, m.side, m.card);
    refresh();
}

void Engine::transform(Ref ref, CardId what) noexcept {
    const Card& printed = card(what);
    Minion m;
    m.card = what;
    m.order = ++s_.next_order;
    m.base_attack = static_cast<std::int8_t>(printed.attack);
    m.base_health = static_cast<std::int8_t>(printed.health);
    m.attack = printed.attack;
    m.max_health = m.health = printed.health;
    m.keywords = printed.keywords;
    m.events = printed.events;
    m.spell_damage = printed.spell_damage;
    m.side = minion(ref).side;
    m.flags = kSick;
    if (printed.auras > 0 || printed.enrage_attack != 0 || printed.enrage_keywords != 0) {
        m.flags |= kHasAura;
    }
    minion(ref) = m;
    index_events();
    refresh();
}

// Gives a minion everything another one is, but its place, side and order of play.
void Engine::copy_onto(Ref to, const Minion& from) noexcept {
    Minion& m = minion(to);
    const Minion old = m;
    m = from;
    m.order = old.order;
    m.side = old.side;
    m.attacks = 0;
    m.flags = static_cast<std::uint8_t>((from.flags & ~(kDoomed | kUnborn)) | kSick);
    // Auras do not travel; the update applies those that hold here.
    if (m.aura_health > 0) {
        m.max_health = static_cast<std::int16_t>(m.max_health - m.aura_health);
        m.health = std::min(m.health, m.max_health);
    }
    m.aura_attack = m.aura_health = 0;
    m.aura_keywords = 0;
    index_events();
    refresh();
}

// Characters

void Engine::set_max_health(Minion& m, int health) noexcept {
    const int gained = health - m.max_health;
    m.max_health = static_cast<std::int16_t>(health);
    if (gained > 0) m.health = static_cast<std::int16_t>(m.health + gained);
    m.health = std::min(m.health, m.max_health);
}

// Printed values, then enchantments in the order they came; auras keep what they gave.
void Engine::recount(Ref ref) noexcept {
    Minion& m = minion(ref);
    const Card& printed = card(m.card);
    const bool silenced = (m.flags & kSilenced) != 0;
    int attack = m.base_attack;
    int health = m.base_health;
    std::uint32_t events = silenced ? 0 : printed.events;
    for (int i = 0; i < m.enchants; ++i) {
        const Enchant& e = m.enchant[at(i)];
        attack = (e.sets & 1) != 0 ? e.attack : attack + e.attack;
        health = (e.sets & 2) != 0 ? e.health : health + e.health;
        if (e.script != kNoCard) events |= card(e.script).events;
    }
    m.attack = static_cast<std::int16_t>(attack);
    m.events = events;
    set_max_health(m, health + m.aura_health);
}

void Engine::enchant(Ref ref, const Enchant& what) noexcept {
    Minion& m = minion(ref);
    m.keywords |= what.keywords;
    if (what.script != kNoCard) {
        m.spell_damage = capped(m.spell_damage + card(what.script).spell_damage);
    }
    bool merged = false;
    if (m.enchants > 0) {
        // Two plain additions are one.
        Enchant& last = m.enchant[at(m.enchants - 1)];
        if (what.sets == 0 && what.script == kNoCard && last.script == kNoCard &&
            last.until == what.until && (what.until == 0 || last.keywords == what.keywords)) {
            last.attack =
                static_cast<std::int8_t>(std::clamp<int>(last.attack + what.attack, -120, 120));
            last.health =
                static_cast<std::int8_t>(std::clamp<int>(last.health + what.health, -120, 120));
            last.keywords |= what.keywords;
            merged = true;
        }
    }
    if (!merged) {
        if (m.enchants == kEnchants) {
            // No room: the two oldest lasting numbers become one.
            for (int i = 0; i + 1 < kEnchants; ++i) {
                Enchant& one = m.enchant[at(i)];
                Enchant& two = m.enchant[at(i + 1)];
                if (i + 2 == kEnchants || (one.script == kNoCard && one.until == 0 &&
                                           two.script == kNoCard && two.until == 0)) {
                    two.attack = (two.sets & 1) != 0
                                     ? two.attack
                                     : static_cast<std::int8_t>(one.attack + two.attack);
                    two.health = (two.sets & 2) != 0
                                     ? two.health
                                     : static_cast<std::int8_t>(one.health + two.health);
                    two.sets |= one.sets;
                    two.keywords |= one.keywords;
                    for (int k = i; k + 1 < kEnchants; ++k) {
                        m.enchant[at(k)] = m.enchant[at(k + 1)];
                    }
                    --m.enchants;
                    break;
                }
            }
        }
        m.enchant[m.enchants++] = what;
    }
    recount(ref);
    if ((what.sets & 2) != 0) m.health = m.max_health;
    if (what.script != kNoCard) index_events();
}

void Engine::silence(Ref ref) noexcept {
    Minion& m = minion(ref);
    m.flags = static_cast<std::uint8_t>((m.flags & ~(kFrozen | kHasAura)) | kSilenced);
    m.keywords = 0;
    m.spell_damage = 0;
    m.enchants = 0;
    m.enchant = {};
    if (m.aura_health != 0) {
        const int lost = m.aura_health;
        m.aura_health = 0;
        (void)lost;
    }
    m.aura_attack = 0;
    m.aura_keywords = 0;
    recount(ref);
    index_events();
    s_.auras |= 4;
    refresh();
}

void Engine::freeze(Ref ref) noexcept {
    if (is_hero(ref)) {
        player(ref - kHero).flags |= kHeroFrozen;
    } else {
        minion(ref).flags |= kFrozen;
    }
}

int Engine::hit(Ref ref, int amount, Who source) noexcept {
    if (amount <= 0 || immune(ref)) return 0;
    const bool by_minion = is_minion(source.ref) && here(source);
    if (is_hero(ref)) {
        const int seat = ref - kHero;
        Player& p = player(seat);
        if ((s_.events & bit(Event::fatal)) != 0 && amount >= p.health + p.armour) {
            prevented_ = false;
            fire(Event::fatal, {seat, {ref, 0}, source, amount, kNoCard});
            if (prevented_) {
                prevented_ = false;
                return 0;
            }
        }
        const int absorbed = std::min<int>(p.armour, amount);
        p.armour = static_cast<std::int16_t>(p.armour - absorbed);
        p.health = static_cast<std::int16_t>(p.health - (amount - absorbed));
    } else {
        Minion& m = minion(ref);
        if (((m.keywords | m.aura_keywords) & kShield) != 0) {
            m.keywords &= ~static_cast<std::uint32_t>(kShield);
            return 0;
        }
        if ((player(m.side).flags & kMinionsSurvive) != 0) {
            amount = std::min<int>(amount, m.health - 1);
            if (amount <= 0) return 0;
        }
        m.health = static_cast<std::int16_t>(m.health - amount);
        if (by_minion && (keywords_of(source.ref) & kPoisonous) != 0) m.flags |= kDoomed;
    }
    if (by_minion) {
        const std::uint32_t keywords = keywords_of(source.ref);
        if ((keywords & kChilling) != 0) freeze(ref);
        if ((keywords & kLifesteal) != 0) {
            Targets hero;
            hero.add({static_cast<Ref>(kHero + seat_of(source.ref)), 0});
            heal(hero, amount, source, nullptr);
        }
    }
    return amount;
}

// All are hit before the first event is raised.
void Engine::damage(const Targets& targets, int amount, Who source, const Context* by) noexcept {
    (void)by;
    std::array<int, kMostTargets> dealt{};
    for (int i = 0; i < targets.count; ++i) {
        const Who one = targets.who[at(i)];
        dealt[at(i)] = here(one) ? hit(one.ref, amount, source) : 0;
    }
    if ((s_.events & bit(Event::damaged)) == 0) return;
    for (int i = 0; i < targets.count; ++i) {
        if (dealt[at(i)] <= 0) continue;
        const Who one = targets.who[at(i)];
        if (!here(one)) continue;
        fire(Event::damaged, {seat_of(one.ref), one, source, dealt[at(i)], kNoCard});
    }
}

void Engine::heal(const Targets& targets, int amount, Who source, const Context* by) noexcept {
    if (by != nullptr && (by->spell || by->power) && has(by->me, kDoubling)) amount *= 2;
    if (by != nullptr && has(by->me, kHealingHurts)) {
        damage(targets, amount, source, by);
        return;
    }
    std::array<int, kMostTargets> gained{};
    for (int i = 0; i < targets.count; ++i) {
        const Who one = targets.who[at(i)];
        if (!here(one)) continue;
        if (is_hero(one.ref)) {
            Player& p = player(one.ref - kHero);
            gained[at(i)] = std::min<int>(amount, p.max_health - p.health);
            if (gained[at(i)] > 0) {
                p.health = static_cast<std::int16_t>(p.health + gained[at(i)]);
            }
        } else {
            Minion& m = minion(one.ref);
            gained[at(i)] = std::min<int>(amount, m.max_health - m.health);
            if (gained[at(i)] > 0) {
                m.health = static_cast<std::int16_t>(m.health + gained[at(i)]);
            }
        }
    }
    if ((s_.events & bit(Event::healed)) == 0) return;
    for (int i = 0; i < targets.count; ++i) {
        if (gained[at(i)] <= 0) continue;
        const Who one = targets.who[at(i)];
        fire(Event::healed, {seat_of(one.ref), one, source, gained[at(i)], kNoCard});
    }
}

// Take away the enchantments that last until now.
void Engine::expire(Until until, int seat) noexcept {
    for (Ref ref = 0; ref < kSlots; ++ref) {
        Minion& m = minion(ref);
        if (m.card == kNoCard || m.enchants == 0) continue;
        bool changed = false;
        bool returns = false;
        std::uint32_t lost = 0;
        for (int i = 0; i < m.enchants;) {
            const Enchant& e = m.enchant[at(i)];
            const auto kind = static_cast<Until>(e.until & 127U);
            const int owner = (e.until & 128U) != 0 ? 1 : 0;
            const bool gone = (kind == until && (until != Until::own_turn || owner == seat)) ||
                              (until == Until::turn_end && kind == Until::returned);
            if (!gone) {
                ++i;
                continue;
            }
            if (kind == Until::returned) returns = true;
            lost |= e.keywords;
            for (int k = i; k + 1 < m.enchants; ++k) m.enchant[at(k)] = m.enchant[at(k + 1)];
            m.enchant[--m.enchants] = Enchant{};
            changed = true;
        }
        if (!changed) continue;
        // A keyword stays if the card or another enchantment gives it, too.
        std::uint32_t kept = (m.flags & kSilenced) != 0 ? 0 : card(m.card).keywords;
        for (int i = 0; i < m.enchants; ++i) kept |= m.enchant[at(i)].keywords;
        m.keywords &= ~(lost & ~kept);
        recount(ref);
        if (returns) {
            change_side(ref, 1 - m.side, false);
        }
        index_events();
    }
}

// Continuous effects: worked out anew from what is in play.
void Engine::refresh() noexcept {
    if (s_.auras == 0) return;
    std::array<int, kSlots> attack{};
    std::array<int, kSlots> health{};
    std::array<std::uint16_t, kSlots> keywords{};
    std::array<int, kSeats> weapon{};
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i <= p.board_size; ++i) {
            const bool of_weapon = i == p.board_size;
            if (of_weapon && p.weapon == kNoCard) break;
            const Ref ref = of_weapon ? kNobodyRef : p.board[at(i)];
            if (!of_weapon && (minion(ref).flags & kHasAura) == 0) continue;
            const Card& source = card(of_weapon ? p.weapon : minion(ref).card);
            if (!of_weapon && minion(ref).health < minion(ref).max_health) {
                attack[ref] += source.enrage_attack;
                keywords[ref] |= source.enrage_keywords;
            }
            if (source.auras == 0) continue;
            Context context;
            context.me = seat;
            context.self = of_weapon ? Who{} : who(ref);
            for (int k = 0; k < source.auras; ++k) {
                const Aura& aura = set_.auras[at(source.first_aura + k)];
                if (aura.value >= 0 && !compare(look(set_.values[at(aura.value)], context),
                                                aura.compare, aura.number)) {
                    continue;
                }
                const bool counted = aura.kind == AuraKind::minions && aura.first != 0;
                const int times = counted ? look(set_.values[at(aura.value)], context) : 1;
                if (aura.kind == AuraKind::weapon) {
                    if (p.weapon != kNoCard) weapon[at(seat)] += aura.attack;
                } else if (aura.kind == AuraKind::minions) {
                    const Group& group = set_.groups[at(aura.group)];
                    for (int side = 0; side < kSeats; ++side) {
                        const Player& o = player(side);
                        for (int n = 0; n < o.board_size; ++n) {
                            const Ref one = o.board[at(n)];
                            if (!belongs(group, context, one)) continue;
                            attack[one] += times * aura.attack;
                            health[one] += times * aura.health;
                            keywords[one] |= aura.keywords;
                        }
                    }
                }
            }
        }
    }
    bool any = false;
    for (int seat = 0; seat < kSeats; ++seat) {
        player(seat).weapon_aura = static_cast<std::int8_t>(weapon[at(seat)]);
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[at(i)];
            Minion& m = minion(ref);
            m.aura_attack = static_cast<std::int8_t>(attack[ref]);
            m.aura_keywords = keywords[ref];
            if (m.aura_health != health[ref]) {
                const int base = m.max_health - m.aura_health;
                m.aura_health = static_cast<std::int8_t>(health[ref]);
                set_max_health(m, base + health[ref]);
            }
            any = any || (m.flags & kHasAura) != 0 || m.aura_attack != 0 || m.aura_health != 0 ||
                  m.aura_keywords != 0;
        }
        any = any || (p.weapon != kNoCard && card(p.weapon).auras > 0) || p.weapon_aura != 0;
    }
    s_.auras = any ? 3 : 0;
}

// Order of things

bool Engine::matches(const Trigger& trigger, Context& context,
                     const Happening& what) const noexcept {
    if ((trigger.sides & (what.seat == context.me ? 1 : 2)) == 0) return false;
    if (trigger.types != 0) {
        const Card& played = card(what.card);
        const bool secret = (played.keywords & kSecret) != 0;
        const unsigned type = (played.type == Type::minion ? 1U : 0U) |
                              (played.type == Type::spell ? 2U : 0U) |
                              (played.type == Type::weapon ? 4U : 0U) | (secret ? 8U : 0U) |
                              (played.overload > 0 ? 16U : 0U);
        if ((trigger.types & type) == 0) return false;
        if (trigger.races != 0 && (trigger.races & played.races) == 0) return false;
    }
    if (trigger.others != 0 && what.subject.ref == context.self.ref &&
        what.subject.order == context.self.order && context.self.ref != kNobodyRef) {
        return false;
    }
    context.subject = what.subject;
    context.object = what.object;
    context.amount = what.amount;
    context.event_card = what.card;
    const auto fits = [&](int group, Who one) {
        if (group < 0) return true;
        if (one.ref == kNobodyRef) return false;
        if (is_minion(one.ref) && !here(one)) return false;
        return belongs(set_.groups[at(group)], context, one.ref);
    };
    if (!fits(trigger.subject, what.subject) || !fits(trigger.object, what.object)) return false;
    return trigger.value < 0 ||
           compare(look(set_.values[at(trigger.value)], context), trigger.compare, trigger.number);
}

void Engine::fire(Event event, const Happening& what) noexcept {
    if ((s_.events & bit(event)) == 0 || depth_ >= kDeepest) return;
    struct Waiting {
        std::uint16_t order;
        std::uint8_t kind;  // 0 minion, 1 weapon, 2 secret
        std::uint8_t seat;
        Ref ref;
        CardId source;
        std::uint16_t trigger;
        std::uint8_t owner;
    };
    std::array<Waiting, 48> queue;
    int size = 0;
    const auto consider = [&](CardId source, std::uint16_t order, int kind, int seat, Ref ref,
                              int owner) {
        const Card& c = card(source);
        if ((c.events & bit(event)) == 0) return;
        if (order < what.eldest || order > what.youngest) return;
        for (int i = 0; i < c.triggers && size < 48; ++i) {
            const int index = c.first_trigger + i;
            const Trigger& trigger = set_.triggers[at(index)];
            if (trigger.event != event) continue;
            Context context;
            context.me = owner;
            context.card = source;
            context.self = kind == 0 ? Who{ref, order} : Who{kNobodyRef, order};
            context.spell = kind == 2;
            if (!matches(trigger, context, what)) continue;
            queue[at(size++)] = {
                order,  static_cast<std::uint8_t>(kind),   static_cast<std::uint8_t>(seat), ref,
                source, static_cast<std::uint16_t>(index), static_cast<std::uint8_t>(owner)};
        }
    };
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[at(i)];
            const Minion& m = minion(ref);
            if ((m.events & bit(event)) == 0) continue;
            if ((m.flags & kSilenced) == 0) consider(m.card, m.order, 0, seat, ref, seat);
            for (int k = 0; k < m.enchants; ++k) {
                const Enchant& e = m.enchant[at(k)];
                if (e.script == kNoCard) continue;
                consider(e.script, m.order, 0, seat, ref, (e.until & 128U) != 0 ? 1 : 0);
            }
        }
        if (p.weapon != kNoCard) consider(p.weapon, p.weapon_order, 1, seat, kNobodyRef, seat);
        if (seat != s_.active) {
            for (int i = 0; i < p.secret_count; ++i) {
                consider(p.secrets[at(i)].card, p.secrets[at(i)].order, 2, seat, kNobodyRef, seat);
            }
        }
    }
    if (size == 0) return;
    std::stable_sort(queue.begin(), queue.begin() + size,
                     [](const Waiting& a, const Waiting& b) { return a.order < b.order; });
    ++depth_;
    for (int i = 0; i < size && effects_ < kMostEffects; ++i) {
        const Waiting& one = queue[at(i)];
        const Trigger& trigger = set_.triggers[one.trigger];
        Context context;
        context.me = one.owner;
        context.card = one.source;
        context.self = {one.kind == 0 ? one.ref : kNobodyRef, one.order};
        context.spell = one.kind == 2;
        if (one.kind == 0) {
            if (!here(context.self) || (minion(one.ref).events & bit(event)) == 0) continue;
        } else if (one.kind == 1) {
            if (player(one.seat).weapon != one.source ||
                player(one.seat).weapon_order != one.order) {
                continue;
            }
        }
        Happening now = what;
        if (event == Event::attack) {
            now.subject = fight_[0];
            now.object = fight_[1];
            // A secret does not bother with an attacker that is dying already.
            if (one.kind == 2 && (!here(fight_[0]) || health_of(fight_[0].ref) <= 0)) continue;
        }
        if (!matches(trigger, context, now)) continue;
        ++effects_;
        if (one.kind == 2) {
            const Player& p = player(one.seat);
            int index = 0;
            while (index < p.secret_count && p.secrets[at(index)].order != one.order) ++index;
            if (index == p.secret_count || countered_) continue;
            tell(News::secret, one.seat, one.source);
            remove_secret(one.seat, index);
            run(trigger.program, context);
            fire(Event::revealed, {one.seat, {}, {}, 0, one.source});
        } else {
            run(trigger.program, context);
        }
    }
    --depth_;
}

// The steps between phases: auras, then deaths, until nothing changes.
void Engine::settle() noexcept {
    if (settling_) return;
    settling_ = true;
    do {
        refresh();
    } while (bury_the_dead());
    settling_ = false;
    dead_count_ = 0;
}

bool Engine::bury_the_dead() noexcept {
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).health <= 0) player(seat).flags |= kHeroDying;
    }
    struct Gone {
        std::uint16_t order;
        Ref ref;
        std::int8_t place;
    };
    std::array<Gone, kSlots> gone;
    int count = 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[at(i)];
            if (!alive(ref)) {
                gone[at(count++)] = {minion(ref).order, ref, static_cast<std::int8_t>(i)};
            }
        }
    }
    bool weapons = false;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).weapon != kNoCard && player(seat).durability <= 0) weapons = true;
    }
    if (count == 0 && !weapons) return false;
    if (++effects_ > kMostEffects) return false;
    std::sort(gone.begin(), gone.begin() + count,
              [](const Gone& a, const Gone& b) { return a.order < b.order; });
    if (dead_count_ + count > kMostDead) dead_count_ = 0;
    const int first = dead_count_;
    for (int i = 0; i < count; ++i) {
        const Ref ref = gone[at(i)].ref;
        dead(dead_count_++) = minion(ref);
    }
    // Places as they will be once all have left.
    for (int i = 0; i < count; ++i) {
        int before = 0;
        for (int k = 0; k < count; ++k) {
            if (dead(first + k).side == dead(first + i).side &&
                gone[at(k)].place < gone[at(i)].place) {
                ++before;
            }
        }
        dead(first + i).unused = static_cast<std::uint16_t>(gone[at(i)].place - before);
    }
    for (int i = 0; i < count; ++i) leave(gone[at(i)].ref);
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).weapon != kNoCard && player(seat).durability <= 0) lose_weapon(seat);
    }
    refresh();
    for (int i = 0; i < count; ++i) {
        const auto ref = static_cast<Ref>(kDead + first + i);
        const Minion& m = dead(first + i);
        const Who one{ref, m.order};
        bury(m.side, m.card);
        tell(News::died, m.side, m.card);
        Context context;
        context.me = m.side;
        context.card = m.card;
        context.self = one;
        context.place = m.unused;
        // Deathrattles and what others do at this death are one queue; elder things go first. The
        // dying minion's own texts have its order, so they run between the two halves.
        const auto own = [&] {
            if ((m.flags & kSilenced) == 0 && card(m.card).deathrattle >= 0) {
                run(card(m.card).deathrattle, context);
            }
            for (int k = 0; k < m.enchants; ++k) {
                const Enchant& e = m.enchant[at(k)];
                if (e.script == kNoCard || card(e.script).deathrattle < 0) continue;
                Context granted = context;
                granted.card = e.script;
                run(card(e.script).deathrattle, granted);
            }
        };
        Happening death{m.side, one, {}, 0, m.card};
        death.youngest = m.order;
        fire(Event::dies, death);
        own();
        death.eldest = m.order;
        death.youngest = 0xFFFF;
        fire(Event::dies, death);
    }
    return true;
}

void Engine::end_if_decided() noexcept {
    const bool lost[2] = {(player(0).flags & kHeroDying) != 0 || player(0).health <= 0,
                          (player(1).flags & kHeroDying) != 0 || player(1).health <= 0};
    if (!lost[0] && !lost[1]) return;
    s_.phase = Phase::over;
    s_.winner = lost[0] && lost[1] ? 2 : lost[0] ? 1 : 0;
    s_.choice = Choice::none;
    s_.choices = 0;
    s_.choice_cards = {};
}

// Sequences

void Engine::start_game(int first) noexcept {
    s_.active = s_.first = static_cast<std::uint8_t>(first);
    draw(first, 3);
    draw(1 - first, 4);
}

void Engine::mulligan(int seat, unsigned mask) noexcept {
    Player& p = player(seat);
    std::array<CardId, kHand> back{};
    int count = 0;
    for (int i = 0; i < p.hand_size; ++i) {
        if ((mask >> i & 1U) == 0 || p.deck_size == 0) continue;
        back[at(count++)] = p.hand[at(i)].card;
        p.hand[at(i)].card = p.deck[--p.deck_size];
        p.deck[p.deck_size] = kNoCard;
    }
    for (int i = 0; i < count; ++i) p.deck[p.deck_size++] = back[at(i)];
    if (count > 0) {
        for (int i = p.deck_size - 1; i > 0; --i) {
            const auto other = static_cast<int>(rng_.below(static_cast<std::uint64_t>(i + 1)));
            std::swap(p.deck[at(i)], p.deck[at(other)]);
        }
    }
    tell(News::mulligan, seat, static_cast<CardId>(count));
    p.mulligan_done = 1;
}

void Engine::begin_turn(int seat) noexcept {
    Player& p = player(seat);
    s_.active = static_cast<std::uint8_t>(seat);
    ++s_.turn;
    tell(News::turn, seat, kNoCard);
    if (options_.turn_limit > 0 && s_.turn > options_.turn_limit) {
        s_.phase = Phase::over;
        s_.winner = 2;
        return;
    }
    if (p.crystals < options_.mana_limit) ++p.crystals;
    p.locked = p.owed;
    p.owed = 0;
    p.mana = capped(p.crystals - p.locked);
    p.attacks = 0;
    p.power_used = 0;
    p.played = 0;
    p.minions_played = 0;
    if ((p.flags & kSpellsFreeNext) != 0) {
        p.flags = static_cast<std::uint8_t>((p.flags & ~kSpellsFreeNext) | kSpellsFree);
    }
    for (int i = 0; i < p.board_size; ++i) {
        Minion& m = minion(p.board[at(i)]);
        m.flags = static_cast<std::uint8_t>(m.flags & ~kSick);
        m.attacks = 0;
    }
    expire(Until::own_turn, seat);
    if (p.returning != kNoCard) {
        give(seat, p.returning, kKnown | kForeign);
        p.returning = kNoCard;
    }
    fire(Event::turn_start, {seat, {}, {}, 0, kNoCard});
    settle();
    end_if_decided();
    if (s_.phase == Phase::over) return;
    draw(seat, 1);
    settle();
    end_if_decided();
}

void Engine::end_turn() noexcept {
    const int seat = s_.active;
    fire(Event::turn_end, {seat, {}, {}, 0, kNoCard});
    settle();
    end_if_decided();
    if (s_.phase == Phase::over) return;
    // Clean-up: what lasts this turn ends, and who could have attacked thaws.
    expire(Until::turn_end, seat);
    Player& p = player(seat);
    for (int i = 0; i < p.board_size; ++i) {
        Minion& m = minion(p.board[at(i)]);
        const bool sick = (m.flags & kSick) != 0 && (keywords_of(p.board[at(i)]) & kCharge) == 0;
        if (m.attacks == 0 && !sick) m.flags = static_cast<std::uint8_t>(m.flags & ~kFrozen);
        m.attacks = 0;
    }
    if (p.attacks == 0) p.flags = static_cast<std::uint8_t>(p.flags & ~kHeroFrozen);
    p.attacks = 0;
    for (int side = 0; side < kSeats; ++side) {
        Player& one = player(side);
        one.hero_attack = 0;
        one.flags = static_cast<std::uint8_t>(one.flags & ~(kHeroImmune | kMinionsSurvive));
    }
    p.flags = static_cast<std::uint8_t>(p.flags & ~(kSpellsFree | kNextSecretFree));
    p.cheaper_spell = 0;
    p.mana = capped(p.mana - p.temporary);
    p.temporary = 0;
    refresh();
    settle();
    begin_turn(1 - seat);
}

void Engine::play(int index, int option, Ref target, int position) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    const HandCard held = p.hand[at(index)];
    const Card& what = card(held.card);
    const int price = cost(seat, held);
    p.mana = capped(p.mana - price);
    remove_from_hand(seat, index);
    tell(News::played, seat, held.card);
    s_.combo = p.played;
    p.played = capped(p.played + 1);
    s_.source_card = option >= 0 ? what.options[at(option)] : held.card;
    const Who aimed = target == kNobodyRef ? Who{} : who(target);
    s_.target = aimed.ref;
    s_.target_order = aimed.order;
    s_.source = kNobodyRef;
    s_.source_order = 0;
    s_.repeats = 1;
    if (what.overload > 0) owe(seat, what.overload);
    if (what.type == Type::minion) {
        p.minions_played = capped(p.minions_played + 1);
        const Ref ref = enter(held.card, seat, position);
        if (ref == kNobodyRef) return;
        Minion& m = minion(ref);
        m.flags |= kUnborn;
        if (held.attack != 0 || held.health != 0) {
            Enchant buffed;
            buffed.attack = held.attack;
            buffed.health = held.health;
            enchant(ref, buffed);
        }
        s_.source = ref;
        s_.source_order = m.order;
        refresh();
        const Who one = who(ref);
        fire(Event::play, {seat, one, aimed, 0, held.card});
        if (here(one)) announce(ref, true);
        settle();
        if (has(seat, kTwice)) s_.repeats = 2;
    } else if (what.type == Type::weapon) {
        fire(Event::play, {seat, {}, aimed, 0, held.card});
        equip(seat, held.card);
        settle();
        if (has(seat, kTwice)) s_.repeats = 2;
    } else {
        if (p.cheaper_spell > 0) p.cheaper_spell = 0;
        const bool secret = (what.keywords & kSecret) != 0;
        if (secret) p.flags = static_cast<std::uint8_t>(p.flags & ~kNextSecretFree);
        countered_ = false;
        fire(Event::play, {seat, {}, aimed, 0, held.card});
        settle();
        const bool stopped = countered_;
        countered_ = false;
        if (stopped) {
            bury(seat, held.card);
            s_.repeats = 0;
            s_.source_card = kNoCard;
            finish_play();
            return;
        }
        if (secret) {
            Secret laid;
            laid.card = held.card;
            laid.order = ++s_.next_order;
            p.secrets[p.secret_count++] = laid;
            index_events();
            s_.repeats = 0;
        } else {
            bury(seat, held.card);
            if (aimed.ref != kNobodyRef && (s_.events & bit(Event::targeted)) != 0) {
                retarget_ = {};
                fire(Event::targeted, {seat, aimed, {}, 0, held.card});
                if (retarget_.ref != kNobodyRef) {
                    s_.target = retarget_.ref;
                    s_.target_order = retarget_.order;
                }
            }
        }
    }
    if (play_text()) finish_play();
}

// Runs the text of what is being played as often as it is due; false when a choice is open.
bool Engine::play_text() noexcept {
    while (s_.repeats > 0) {
        --s_.repeats;
        const Card& what = card(s_.source_card);
        if (what.program < 0) continue;
        const Who self{s_.source, s_.source_order};
        // A minion that left is still heard, but not one that became another or went over.
        if (self.ref != kNobodyRef && here(self) && minion(self.ref).side != s_.active) continue;
        if (what.type == Type::minion && self.ref != kNobodyRef &&
            minion(self.ref).card != kNoCard && !here(self)) {
            continue;
        }
        Context context;
        context.me = s_.active;
        context.card = s_.source_card;
        context.self = self;
        context.target = {s_.target, s_.target_order};
        if (context.target.ref != kNobodyRef && !here(context.target)) context.target = {};
        context.spell = what.type == Type::spell && s_.source == kNobodyRef;
        context.combo = s_.combo;
        context.chosen = true;
        held_.count = 0;
        if (!run(what.program, context)) return false;
    }
    return true;
}

void Engine::finish_play() noexcept {
    const int seat = s_.active;
    const Who one{s_.source, s_.source_order};
    const CardId played = s_.source_card;
    s_.source = s_.target = kNobodyRef;
    s_.source_order = s_.target_order = 0;
    s_.source_card = kNoCard;
    s_.combo = 0;
    s_.resume = 0;
    if (one.ref != kNobodyRef && here(one)) {
        minion(one.ref).flags = static_cast<std::uint8_t>(minion(one.ref).flags & ~kUnborn);
    }
    settle();
    if (one.ref != kNobodyRef && here(one)) {
        const CardId now = minion(one.ref).card;
        fire(Event::after_summon, {minion(one.ref).side, one, {}, 0, now});
        settle();
    }
    if (played != kNoCard) {
        const CardId now = one.ref != kNobodyRef && here(one) ? minion(one.ref).card : played;
        fire(Event::after_play, {seat, one, {}, 0, now});
        settle();
        if (set_.leapers && card(now).type == Type::minion) leap(seat, card(now).races);
    }
    end_if_decided();
}

// Cards that come out of the deck by themselves when one of their kind is played.
void Engine::leap(int seat, unsigned races) noexcept {
    const Player& p = player(seat);
    for (int i = 0; i < p.deck_size && p.board_size < options_.board_limit; ++i) {
        const Card& what = card(p.deck[at(i)]);
        if (what.leaps != 2 || (what.races & races) == 0) continue;
        summon(take_from_deck(seat, i), seat, -1, nullptr);
        settle();
        return;
    }
}

void Engine::use_power(Ref target) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    p.mana = capped(p.mana - power_cost(seat));
    p.power_used = 1;
    tell(News::power, seat, p.power);
    Context context;
    context.me = seat;
    context.card = p.power;
    context.self = {};
    if (target != kNobodyRef) context.target = who(target);
    context.power = true;
    run(card(p.power).program, context);
    fire(Event::power_used, {seat, {}, {}, 0, p.power});
    settle();
    end_if_decided();
}

void Engine::attack(Ref attacker, Ref defender) noexcept {
    const int seat = s_.active;
    const bool hero = is_hero(attacker);
    tell(News::attacked, seat, hero ? kNoCard : minion(attacker).card);
    if (hero) {
        player(seat).attacks = capped(player(seat).attacks + 1);
    } else {
        Minion& m = minion(attacker);
        m.attacks = capped(m.attacks + 1);
        m.keywords &= ~static_cast<std::uint32_t>(kStealth);
        for (int i = 0; i < m.enchants; ++i) {
            m.enchant[at(i)].keywords &= static_cast<std::uint16_t>(~kStealth & 0xFFFF);
        }
    }
    fight_[0] = who(attacker);
    fight_[1] = who(defender);
    const CardId weapon = hero ? player(seat).weapon : kNoCard;
    // A changed defender is a new pairing: secrets and texts look at it again.
    for (int round = 0; round < 6; ++round) {
        const Who before = fight_[1];
        fire(Event::attack, {seat, fight_[0], fight_[1], 0, kNoCard});
        if (fight_[1].ref == before.ref && fight_[1].order == before.order) break;
        if (s_.events == 0) break;
        // Only secrets that have not been used are left; texts of the attacker spoke once.
        bool secrets = false;
        const Player& other = player(1 - seat);
        for (int i = 0; i < other.secret_count; ++i) {
            secrets = secrets || (card(other.secrets[at(i)].card).events & bit(Event::attack)) != 0;
        }
        if (!secrets) break;
    }
    const Who a = fight_[0];
    const Who d = fight_[1];
    const bool on = here(a) && here(d) && alive(a.ref) && alive(d.ref);
    if (on) {
        const int out = attack_of(a.ref);
        const int back = is_hero(d.ref) ? 0 : attack_of(d.ref);
        const bool safe =
            hero && weapon != kNoCard && (card(weapon).keywords & kImmuneAttacking) != 0;
        const int dealt = hit(d.ref, out, a);
        const int taken = safe ? 0 : hit(a.ref, back, d);
        if (hero && weapon != kNoCard && player(seat).weapon == weapon) {
            Player& p = player(seat);
            if ((card(weapon).keywords & kUsesAttack) != 0 && is_minion(d.ref)) {
                p.weapon_attack = static_cast<std::int8_t>(p.weapon_attack - 1);
                if (p.weapon_attack <= 0) p.durability = 0;
            } else {
                p.durability = static_cast<std::int8_t>(p.durability - 1);
            }
        }
        if (dealt > 0) fire(Event::damaged, {seat_of(d.ref), d, a, dealt, kNoCard});
        if (taken > 0) fire(Event::damaged, {seat_of(a.ref), a, d, taken, kNoCard});
        fire(Event::after_attack, {seat, a, d, dealt, kNoCard});
    } else if (hero && weapon != kNoCard && player(seat).weapon == weapon && !here(d)) {
        // The attack is used up, the weapon is not.
    }
    fight_[0] = fight_[1] = {};
    settle();
    end_if_decided();
}

}  // namespace ludex::hearthstone

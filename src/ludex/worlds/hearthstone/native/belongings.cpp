// Hand, deck, weapon, secrets, armour and what is owed of one player.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

bool Engine::put_in_hand(int seat, CardId what, std::uint8_t flags, std::int8_t cost) noexcept {
    Player& p = player(seat);
    if (p.hand_size >= options_.hand_limit) return false;
    HandCard held;
    held.card = what;
    held.flags = flags;
    held.cost = cost;
    p.hand[p.hand_size++] = held;
    return true;
}

// Puts a card that was not drawn into a hand, and tells of it.
bool Engine::give(int seat, CardId what, std::uint8_t flags, std::int8_t cost) noexcept {
    if (!put_in_hand(seat, what, flags, cost)) return false;
    tell((flags & kKnown) != 0 ? ToldKind::received : ToldKind::given, seat, what);
    return true;
}

void Engine::remove_from_hand(int seat, int index) noexcept {
    Player& p = player(seat);
    for (int i = index; i + 1 < p.hand_size; ++i) p.hand[at(i)] = p.hand[at(i + 1)];
    p.hand[--p.hand_size] = HandCard{};
}

CardId Engine::remove_from_deck(int seat, int index) noexcept {
    Player& p = player(seat);
    const CardId taken = p.deck[at(index)];
    for (int i = index; i + 1 < p.deck_size; ++i) p.deck[at(i)] = p.deck[at(i + 1)];
    p.deck[--p.deck_size] = kNoCard;
    return taken;
}

// Takes a card out of a deck otherwise than by drawing, and tells of it.
CardId Engine::take_from_deck(int seat, int index) noexcept {
    const CardId taken = remove_from_deck(seat, index);
    tell(ToldKind::undecked, seat, taken);
    return taken;
}

void Engine::shuffle_into_deck(int seat, CardId what) noexcept {
    Player& p = player(seat);
    if (p.deck_size >= kDeck) return;
    p.deck[p.deck_size++] = what;
    tell(ToldKind::decked, seat, what);
    shuffle_deck(seat);
}

void Engine::shuffle_deck(int seat) noexcept {
    Player& p = player(seat);
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

void Engine::draw(int seat, int count, std::int8_t discount) noexcept {
    for (int i = 0; i < count && spend(); ++i) {
        Player& p = player(seat);
        if (p.deck_size == 0) {
            p.fatigue = capped(p.fatigue + 1);
            tell(ToldKind::fatigue, seat, kNoCard);
            last_cost_ = 0;  // no card, no cost
            Targets hero;
            hero.add({static_cast<Ref>(kHero + seat), 0});
            damage(hero, p.fatigue, {});
            continue;
        }
        const CardId drawn = p.deck[--p.deck_size];
        p.deck[p.deck_size] = kNoCard;
        last_cost_ = card(drawn).cost;
        if (!put_in_hand(seat, drawn, 0, discount)) {
            tell(ToldKind::burned, seat, drawn);
            continue;
        }
        tell(ToldKind::drew, seat, drawn);
        fire(Event::drawn, {seat, {}, {}, 0, drawn});
    }
}

void Engine::discard(int seat, int index) noexcept {
    const CardId what = player(seat).hand[at(index)].card;
    remove_from_hand(seat, index);
    tell(ToldKind::discarded, seat, what);
    if (card(what).leaps == 1) summon(what, seat, -1);
    fire(Event::discarded, {seat, {}, {}, 0, what});
}

// Takes a weapon away; its deathrattle is still to come.
CardId Engine::drop_weapon(int seat) noexcept {
    Player& p = player(seat);
    const CardId lost = p.weapon;
    if (lost == kNoCard) return lost;
    bury(seat, lost);
    tell(ToldKind::disarmed, seat, lost);
    p.weapon = kNoCard;
    p.weapon_attack = p.weapon_aura = p.durability = 0;
    p.weapon_order = 0;
    index_events();
    return lost;
}

// The deathrattle of a weapon that is gone.
void Engine::speak_last(int seat, CardId weapon) noexcept {
    if (weapon == kNoCard || card(weapon).deathrattle < 0) return;
    Context context;
    context.me = seat;
    context.card = weapon;
    run(card(weapon).deathrattle, context);
}

void Engine::equip(int seat, CardId what) noexcept {
    Player& p = player(seat);
    const CardId old = p.weapon;
    const Card& printed = card(what);
    if (old != kNoCard) tell(ToldKind::disarmed, seat, old);
    tell(ToldKind::armed, seat, what);
    p.weapon = what;
    p.weapon_order = next_order();
    p.weapon_attack = static_cast<std::int8_t>(printed.attack);
    p.durability = static_cast<std::int8_t>(printed.health);
    p.weapon_aura = 0;
    index_events();
    refresh();
    if (old == kNoCard) return;
    bury(seat, old);
    speak_last(seat, old);
}

// What the play of a secret set off may have filled the places, or laid the same one.
void Engine::lay_secret(int seat, CardId what) noexcept {
    Player& p = player(seat);
    if (!can_lay(seat, what)) return bury(seat, what);
    Secret laid;
    laid.card = what;
    laid.order = next_order();
    p.secrets[p.secret_count++] = laid;
    tell(ToldKind::laid, seat, what);
    index_events();
}

void Engine::remove_secret(int seat, int index) noexcept {
    Player& p = player(seat);
    bury(seat, p.secrets[at(index)].card);
    for (int i = index; i + 1 < p.secret_count; ++i) p.secrets[at(i)] = p.secrets[at(i + 1)];
    p.secrets[--p.secret_count] = Secret{};
    index_events();
}

void Engine::add_armour(int seat, int amount) noexcept {
    player(seat).armour = bounded(std::max(0, player(seat).armour + amount));
    if (amount > 0) fire(Event::armoured, {seat, {}, {}, amount, kNoCard});
}

void Engine::owe(int seat, int amount) noexcept {
    if (amount <= 0) return;
    player(seat).owed = capped(player(seat).owed + amount);
    fire(Event::overloaded, {seat, {}, {}, amount, kNoCard});
}

}  // namespace ludex::hearthstone

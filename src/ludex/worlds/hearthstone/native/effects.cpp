// Card programs: groups, values and instructions.
#include <algorithm>

#include "engine.hpp"

namespace ludex::hearthstone {

namespace {

constexpr std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }
constexpr std::uint8_t small(int value) noexcept {
    return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}
constexpr std::int8_t tiny(int value) noexcept {
    return static_cast<std::int8_t>(std::clamp(value, -120, 120));
}
constexpr int kBasicPowers = 9;

}  // namespace

bool Engine::compare(int left, int how, int right) const noexcept {
    switch (how) {
        case 1:
            return left <= right;
        case 2:
            return left >= right;
        case 3:
            return left == right;
        case 4:
            return left != right;
        default:
            return true;
    }
}

Who Engine::refer(int which, const Context& context) const noexcept {
    switch (which) {
        case 0:
            return context.self;
        case 1:
            return context.target;
        case 2:
            return context.subject;
        case 3:
            return context.object;
        case 4:
            return {static_cast<Ref>(kHero + context.me), 0};
        case 5:
            return {static_cast<Ref>(kHero + 1 - context.me), 0};
        case 6:
            return held_.count > 0 ? held_.who[0] : Who{};
        default:
            return {};
    }
}

// Whether a character is one of a group, leaving random choice aside.
bool Engine::belongs(const Group& group, const Context& context, Ref ref) const noexcept {
    const auto is = [ref](Who one) { return one.ref == ref; };
    switch (group.base) {
        case Base::area:
            break;
        case Base::target:
            if (!is(context.target)) return false;
            break;
        case Base::self:
            if (!is(context.self)) return false;
            break;
        case Base::subject:
            if (!is(context.subject)) return false;
            break;
        case Base::object:
            if (!is(context.object)) return false;
            break;
        case Base::held: {
            bool found = false;
            for (int i = 0; i < held_.count; ++i) found = found || is(held_.who[at(i)]);
            if (!found) return false;
            break;
        }
        default:
            break;
    }
    const int side = seat_of(ref);
    if ((group.sides & (side == context.me ? 1 : 2)) == 0) return false;
    const std::uint16_t filters = group.filters;
    if ((filters & kNotSelf) != 0 && is(context.self)) return false;
    if ((filters & kNotTarget) != 0 && is(context.target)) return false;
    if ((filters & kNotSubject) != 0 && is(context.subject)) return false;
    if ((filters & kNotObject) != 0 && is(context.object)) return false;
    if (is_hero(ref)) {
        if ((group.kinds & 2) == 0 || group.races != 0) return false;
        const Player& p = player(ref - kHero);
        if ((filters & kDamaged) != 0 && p.health >= p.max_health) return false;
        if ((filters & kUndamaged) != 0 && p.health < p.max_health) return false;
        if ((filters & kFrozenOnly) != 0 && (p.flags & kHeroFrozen) == 0) return false;
        if ((filters & (kTauntOnly | kShieldOnly | kSpellPowerOnly | kLegendaryOnly)) != 0) {
            return false;
        }
        if ((filters & kAliveOnly) != 0 && p.health <= 0) return false;
        return group.compare == 0 && (group.card == kNoCard || (group.card & kExcept) != 0);
    }
    if ((group.kinds & 1) == 0) return false;
    const bool buried = ref >= kDead;
    const Minion& m = buried ? dead(ref - kDead) : minion(ref);
    if (m.card == kNoCard) return false;
    const Card& printed = card(m.card);
    if (group.races != 0 && (group.races & printed.races) == 0) return false;
    if (group.card != kNoCard) {
        const bool same = (group.card & ~kExcept) == m.card;
        if (same == ((group.card & kExcept) != 0)) return false;
    }
    if (filters != 0) {
        if ((filters & kDamaged) != 0 && m.health >= m.max_health) return false;
        if ((filters & kUndamaged) != 0 && m.health < m.max_health) return false;
        if ((filters & kFrozenOnly) != 0 && (m.flags & kFrozen) == 0) return false;
        const std::uint32_t keywords = m.keywords | m.aura_keywords;
        if ((filters & kTauntOnly) != 0 && (keywords & kTaunt) == 0) return false;
        if ((filters & kShieldOnly) != 0 && (keywords & kShield) == 0) return false;
        if ((filters & kSpellPowerOnly) != 0 && m.spell_damage == 0) return false;
        if ((filters & kLegendaryOnly) != 0 && printed.rarity != 5) return false;
        if ((filters & kAliveOnly) != 0 && (m.health <= 0 || (m.flags & kDoomed) != 0)) {
            return false;
        }
        if ((filters & kNotHeld) != 0) {
            for (int i = 0; i < held_.count; ++i) {
                if (is(held_.who[at(i)])) return false;
            }
        }
        if ((filters & kSameAsSelf) != 0 && m.card != context.card) return false;
        if ((filters & (kBesideTarget | kBesideSelf)) != 0) {
            const Who middle = (filters & kBesideTarget) != 0 ? context.target : context.self;
            if (buried || !is_minion(middle.ref) || minion(middle.ref).card == kNoCard ||
                minion(middle.ref).side != m.side) {
                return false;
            }
            const int apart = position_of(ref) - position_of(middle.ref);
            if (apart != 1 && apart != -1) return false;
        }
    }
    if (group.compare != 0 && !compare(attack_of(ref), group.compare, group.attack)) return false;
    return true;
}

int Engine::count(const Group& group, const Context& context) const noexcept {
    int found = 0;
    if ((group.kinds & 2) != 0) {
        for (int seat = 0; seat < kSeats; ++seat) {
            if (belongs(group, context, static_cast<Ref>(kHero + seat))) ++found;
        }
    }
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            if (belongs(group, context, p.board[at(i)])) ++found;
        }
    }
    return found;
}

// Heroes first, then minions in order of play; random choices are among the living.
void Engine::gather(const Group& group, const Context& context, Targets& out) noexcept {
    out.count = 0;
    switch (group.base) {
        case Base::target:
        case Base::self:
        case Base::subject:
        case Base::object: {
            const Who one = refer(static_cast<int>(group.base == Base::target    ? 1
                                                   : group.base == Base::self    ? 0
                                                   : group.base == Base::subject ? 2
                                                                                 : 3),
                                  context);
            if (here(one) && belongs(group, context, one.ref)) out.add(one);
            return;
        }
        case Base::held:
            for (int i = 0; i < held_.count; ++i) {
                if (here(held_.who[at(i)]) && belongs(group, context, held_.who[at(i)].ref)) {
                    out.add(held_.who[at(i)]);
                }
            }
            return;
        default:
            break;
    }
    Group wanted = group;
    if (group.pick > 0) wanted.filters |= kAliveOnly;
    if ((group.kinds & 2) != 0) {
        for (const int seat : {context.me, 1 - context.me}) {
            const auto hero = static_cast<Ref>(kHero + seat);
            if (belongs(wanted, context, hero)) out.add({hero, 0});
        }
    }
    const int heroes = out.count;
    if ((group.kinds & 1) != 0) {
        for (const int seat : {context.me, 1 - context.me}) {
            if ((group.sides & (seat == context.me ? 1 : 2)) == 0) continue;
            const Player& p = player(seat);
            for (int i = 0; i < p.board_size; ++i) {
                const Ref ref = p.board[at(i)];
                if (belongs(wanted, context, ref)) out.add(who(ref));
            }
        }
    }
    if (group.pick == 0) {
        for (int i = heroes + 1; i < out.count; ++i) {  // by order of play
            const Who one = out.who[at(i)];
            int k = i;
            for (; k > heroes && out.who[at(k - 1)].order > one.order; --k) {
                out.who[at(k)] = out.who[at(k - 1)];
            }
            out.who[at(k)] = one;
        }
        return;
    }
    const int wants = std::min<int>(group.pick, out.count);
    for (int i = 0; i < wants; ++i) {
        const auto other =
            i + static_cast<int>(rng_.below(static_cast<std::uint64_t>(out.count - i)));
        std::swap(out.who[at(i)], out.who[at(other)]);
    }
    out.count = wants;
}

int Engine::look(const Value& value, const Context& context) const noexcept {
    const int side = value.a == 0 ? context.me : 1 - context.me;
    int base = 0;
    switch (value.kind) {
        case Amount::number:
            base = value.a;
            break;
        case Amount::attack_of: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef ? attack_of(one.ref) : 0;
            break;
        }
        case Amount::health_of: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef ? health_of(one.ref) : 0;
            break;
        }
        case Amount::max_health_of: {
            const Who one = refer(value.a, context);
            if (is_hero(one.ref)) base = player(one.ref - kHero).max_health;
            if (is_minion(one.ref)) base = minion(one.ref).max_health;
            break;
        }
        case Amount::count:
            base = count(set_.groups[at(value.a)], context);
            break;
        case Amount::at_least:
            base = count(set_.groups[at(value.a)], context) >= value.c ? 1 : 0;
            break;
        case Amount::hand:
            base = player(side).hand_size;
            break;
        case Amount::played:
            base = context.combo;
            break;
        case Amount::missing:
            base = player(side).max_health - player(side).health;
            break;
        case Amount::armour:
            base = player(side).armour;
            break;
        case Amount::weapon_attack:
            base = player(side).weapon == kNoCard
                       ? 0
                       : player(side).weapon_attack + player(side).weapon_aura;
            break;
        case Amount::event:
            base = context.amount;
            break;
        case Amount::hero_attack:
            base = attack_of(static_cast<Ref>(kHero + side));
            break;
        case Amount::last_cost:
            base = last_cost_;
            break;
        case Amount::secrets:
            base = player(side).secret_count;
            break;
        case Amount::deck:
            base = player(side).deck_size;
            break;
        case Amount::missiles:
            base = value.a + spell_damage(context.me);
            if (has(context.me, kDoubling)) base *= 2;
            break;
        case Amount::hero_health:
            base = player(side).health;
            break;
        case Amount::is_dead: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && (!here(one) || !alive(one.ref)) ? 1 : 0;
            break;
        }
        case Amount::is_present: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && here(one) ? 1 : 0;
            break;
        }
        case Amount::crystals:
            base = player(side).crystals;
            break;
        case Amount::room:
            base = options_.board_limit - player(side).board_size;
            break;
        case Amount::armed:
            base = player(side).weapon != kNoCard ? 1 : 0;
            break;
        case Amount::unique_deck: {
            base = 1;
            const Player& p = player(side);
            for (int i = 0; i < p.deck_size; ++i) {
                for (int k = i + 1; k < p.deck_size; ++k) {
                    if (p.deck[at(i)] == p.deck[at(k)]) base = 0;
                }
            }
            break;
        }
        case Amount::holding: {
            const Player& p = player(context.me);
            for (int i = 0; i < p.hand_size; ++i) {
                if ((card(p.hand[at(i)].card).races & value.a) != 0) ++base;
            }
            break;
        }
        case Amount::durability:
            base = player(side).durability;
            break;
        case Amount::spell_damage:
            base = spell_damage(side);
            break;
        case Amount::my_turn:
            base = s_.active == context.me ? 1 : 0;
            break;
        case Amount::golems:
            base = player(side).golems;
            break;
        case Amount::totems:
            base = player(side).totems;
            break;
        case Amount::result:
            base = result_;
            break;
        case Amount::is_race: {
            const Who one = refer(value.a, context);
            if (is_minion(one.ref)) base = (card(minion(one.ref).card).races & value.c) != 0;
            break;
        }
        case Amount::is_own: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && seat_of(one.ref) == context.me ? 1 : 0;
            break;
        }
        case Amount::is_frozen: {
            const Who one = refer(value.a, context);
            base = here(one) && frozen(one.ref) ? 1 : 0;
            break;
        }
        case Amount::is_damaged: {
            const Who one = refer(value.a, context);
            if (is_minion(one.ref)) base = minion(one.ref).health < minion(one.ref).max_health;
            break;
        }
        case Amount::lacking: {
            const Player& p = player(context.me);
            for (const CardId id : set_.pools[at(value.a)]) {
                bool have = false;
                for (int i = 0; i < p.board_size; ++i) {
                    have = have || minion(p.board[at(i)]).card == id;
                }
                base += have ? 0 : 1;
            }
            break;
        }
        case Amount::mana:
            base = player(side).mana;
            break;
        case Amount::same_card:
            base = context.event_card == context.card ? 1 : 0;
            break;
        case Amount::random:
            base = value.a;
            break;
    }
    return base * value.times + value.plus;
}

int Engine::value(int index, const Context& context) noexcept {
    const Value& what = set_.values[at(index)];
    if (what.kind == Amount::random) {
        const auto range = static_cast<std::uint64_t>(what.c - what.a + 1);
        return what.a + static_cast<int>(rng_.below(range));
    }
    return look(what, context);
}

// Spells add spell damage; spells and powers may count twice.
int Engine::amount_of_damage(int amount, const Context& context) const noexcept {
    if (context.spell) amount += spell_damage(context.me);
    if ((context.spell || context.power) && has(context.me, kDoubling)) amount *= 2;
    return amount;
}

CardId Engine::pick_pool(int pool, const Context& context) noexcept {
    const std::vector<CardId>& cards = set_.pools[at(pool)];
    (void)context;
    if (cards.empty()) return kNoCard;
    return cards[rng_.below(cards.size())];
}

// x: 0 beside the source or in the place of the dead, 1 at the right end, 2 left of the source.
void Engine::do_summon(const Instruction& i, Context& context, CardId what) noexcept {
    if (what == kNoCard) return;
    const int seat = i.c == 0 ? context.me : 1 - context.me;
    const int times = value(i.b, context);
    int place = -1;
    if (seat == context.me && i.x != 1) {
        if (context.place >= 0) {
            place = context.place;
        } else if (is_minion(context.self.ref) && here(context.self) &&
                   minion(context.self.ref).side == seat) {
            place = position_of(context.self.ref) + (i.x == 2 ? 0 : 1);
        }
    }
    Targets made;
    for (int n = 0; n < times && ++effects_ < kMostEffects; ++n) {
        const Ref ref = summon(what, seat, place, &context);
        if (ref == kNobodyRef) {
            if (player(seat).board_size >= options_.board_limit) break;
            continue;
        }
        if (i.d > 0) {  // an enchantment that comes with it
            const Grant& grant = set_.grants[at(i.d - 1)];
            Enchant given;
            given.keywords = grant.keywords;
            given.script = grant.script;
            given.until = static_cast<std::uint8_t>(static_cast<unsigned>(grant.until) |
                                                    (context.me == 1 ? 128U : 0U));
            enchant(ref, given);
        }
        made.add(who(ref));
        if (place >= 0) place = position_of(ref) + 1;
    }
    held_ = made;
}

void Engine::do_buff(const Instruction& i, Context& context) noexcept {
    Targets targets;
    gather(set_.groups[at(i.a)], context, targets);
    for (int n = 0; n < targets.count; ++n) {
        const Who one = targets.who[at(n)];
        const int attack = i.b >= 0 ? value(i.b, context) : 0;
        const int health = i.c >= 0 ? value(i.c, context) : 0;
        if (is_hero(one.ref)) {
            Player& p = player(one.ref - kHero);
            p.hero_attack = tiny(p.hero_attack + attack);
            if (i.d >= 0 && (set_.grants[at(i.d)].keywords & kImmune) != 0) {
                p.flags |= kHeroImmune;
            }
            continue;
        }
        Enchant given;
        given.attack = tiny(attack);
        given.health = tiny(health);
        given.until = context.me == 1 ? 128 : 0;
        if (i.d >= 0) {
            const Grant& grant = set_.grants[at(i.d)];
            given.keywords = grant.keywords;
            given.script = grant.script;
            given.until = static_cast<std::uint8_t>(
                (grant.until == Until::forever && grant.script == kNoCard)
                    ? 0U
                    : static_cast<unsigned>(grant.until) | (context.me == 1 ? 128U : 0U));
        } else {
            given.until = 0;
        }
        enchant(one.ref, given);
    }
    refresh();
}

void Engine::suspend(Choice choice, const Context& context, int next) noexcept {
    s_.phase = Phase::choice;
    s_.choice = choice;
    s_.resume = static_cast<std::int16_t>(next);
    s_.target = context.target.ref;
    s_.target_order = context.target.order;
}

void Engine::take_control(const Instruction& i, Context& context) noexcept {
    Targets targets;
    gather(set_.groups[at(i.a)], context, targets);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) {
            change_side(targets.who[at(n)].ref, context.me, i.x == 1);
        }
    }
}

// Whether an instruction acts on the chosen target.
bool Engine::aims(const Instruction& i) const noexcept {
    switch (i.op) {
        case Op::damage:
        case Op::heal:
        case Op::buff:
        case Op::set_attack:
        case Op::set_health:
        case Op::destroy:
        case Op::freeze:
        case Op::silence:
            return set_.groups[at(i.a)].base == Base::target;
        default:
            return false;
    }
}

// Runs a program; false when it stopped to ask for a choice.
bool Engine::run(int pc, Context& context) noexcept {
    if (depth_ >= kDeepest) {
        cut_short(context);
        return true;
    }
    ++depth_;
    struct Loop {
        int start;
        int left;
    };
    std::array<Loop, 4> loops;
    int loop = 0;
    bool finished = true;
    for (;; ++pc) {
        const Instruction& i = set_.program[at(pc)];
        if (i.op == Op::end) break;
        if (++effects_ > kMostEffects) {
            cut_short(context);
            break;
        }
        if (watcher_ != nullptr && depth_ == 1 && !watching_ && aims(i) && here(context.target)) {
            watching_ = true;
            watcher_->before(s_, context);
        }
        Targets targets;
        switch (i.op) {
            case Op::damage: {
                gather(set_.groups[at(i.a)], context, targets);
                if (targets.count == 0) break;
                if ((i.x & 2) != 0) {  // drawn anew for each
                    for (int n = 0; n < targets.count; ++n) {
                        Targets one;
                        one.add(targets.who[at(n)]);
                        int amount = value(i.b, context);
                        if ((i.x & 1) == 0) amount = amount_of_damage(amount, context);
                        damage(one, amount, context.self, &context);
                    }
                    break;
                }
                int amount = value(i.b, context);
                if ((i.x & 1) == 0) amount = amount_of_damage(amount, context);
                damage(targets, amount, context.self, &context);
                break;
            }
            case Op::heal:
                gather(set_.groups[at(i.a)], context, targets);
                if (targets.count > 0) {
                    if (i.x == 1) {  // to full health, each
                        for (int n = 0; n < targets.count; ++n) {
                            Targets one;
                            one.add(targets.who[at(n)]);
                            heal(one, 999, context.self, nullptr);
                        }
                    } else {
                        heal(targets, value(i.b, context), context.self, &context);
                    }
                }
                break;
            case Op::buff:
                do_buff(i, context);
                break;
            case Op::set_attack:
            case Op::set_health:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) {
                    const Ref ref = targets.who[at(n)].ref;
                    if (!is_minion(ref)) continue;
                    Enchant given;
                    if (i.op == Op::set_attack) {
                        given.sets = 1;
                        given.attack = tiny(value(i.b, context));
                    } else {
                        given.sets = 2;
                        given.health = tiny(value(i.b, context));
                    }
                    enchant(ref, given);
                }
                refresh();
                break;
            case Op::destroy:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) {
                    const Ref ref = targets.who[at(n)].ref;
                    if (is_minion(ref)) minion(ref).flags |= kDoomed;
                    if (is_hero(ref)) player(ref - kHero).health = 0;
                }
                break;
            case Op::freeze:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) freeze(targets.who[at(n)].ref);
                break;
            case Op::silence:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) {
                    if (is_minion(targets.who[at(n)].ref)) silence(targets.who[at(n)].ref);
                }
                break;
            case Op::bounce:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) {
                    if (is_minion(targets.who[at(n)].ref)) bounce(targets.who[at(n)].ref, i.b);
                }
                break;
            case Op::draw:
                if (i.a == 2) {  // both, one after the other
                    const int times = value(i.b, context);
                    for (int n = 0; n < times; ++n) {
                        draw(context.me, 1);
                        draw(1 - context.me, 1);
                    }
                } else {
                    draw(i.a == 0 ? context.me : 1 - context.me, value(i.b, context), i.c);
                }
                break;
            case Op::discard: {
                const int seat = i.a == 0 ? context.me : 1 - context.me;
                const int times = value(i.b, context);
                for (int n = 0; n < times && player(seat).hand_size > 0; ++n) {
                    discard(seat, static_cast<int>(rng_.below(player(seat).hand_size)));
                }
                break;
            }
            case Op::summon:
                do_summon(i, context, static_cast<CardId>(i.a));
                break;
            case Op::summon_pool: {
                const int times = value(i.b, context);
                Instruction one = i;
                for (int n = 0; n < times; ++n) {
                    CardId what = kNoCard;
                    if (i.x == 4) {  // one that this side does not have yet
                        std::array<CardId, 8> left{};
                        std::size_t size = 0;
                        const Player& p = player(context.me);
                        for (const CardId id : set_.pools[at(i.a)]) {
                            bool have = false;
                            for (int k = 0; k < p.board_size; ++k) {
                                have = have || minion(p.board[at(k)]).card == id;
                            }
                            if (!have && size < left.size()) left[size++] = id;
                        }
                        if (size > 0) what = left[rng_.below(size)];
                        one.x = 1;
                    } else {
                        what = pick_pool(i.a, context);
                    }
                    const int seat = i.c == 0 ? context.me : 1 - context.me;
                    if (what == kNoCard) break;
                    int place = -1;
                    if (seat == context.me && one.x != 1) {
                        if (context.place >= 0) {
                            place = context.place;
                        } else if (is_minion(context.self.ref) && here(context.self) &&
                                   minion(context.self.ref).side == seat) {
                            place = position_of(context.self.ref) + 1;
                        }
                    }
                    summon(what, seat, place, &context);
                }
                break;
            }
            case Op::equip:
                equip(i.c == 0 ? context.me : 1 - context.me, static_cast<CardId>(i.a));
                break;
            case Op::armour:
                add_armour(i.c == 0 ? context.me : 1 - context.me, value(i.b, context));
                break;
            case Op::mana: {
                const int seat = i.c == 0 ? context.me : 1 - context.me;
                Player& p = player(seat);
                const int amount = value(i.b, context);
                if (i.x == 0) {  // for this turn
                    const int before = p.mana;
                    p.mana = small(std::min<int>(options_.mana_limit, p.mana + amount));
                    p.temporary = small(p.temporary + p.mana - before);
                } else if (i.x == 3) {  // destroyed
                    const int before = p.crystals;
                    p.crystals = small(p.crystals - amount);
                    p.mana = small(std::min<int>(p.mana, p.mana - 0));
                    const int lost = before - p.crystals;
                    // A full crystal goes first only when no spent one is left.
                    const int spent = before - p.locked - p.mana;
                    if (spent < lost) p.mana = small(p.mana - (lost - std::max(0, spent)));
                } else {
                    for (int n = 0; n < amount; ++n) {
                        if (p.crystals < options_.mana_limit) {
                            ++p.crystals;
                            if (i.x == 1) p.mana = small(p.mana + 1);
                        } else if (i.d == 1 && set_.excess_mana != kNoCard) {
                            give(seat, set_.excess_mana, kKnown | kForeign);
                        }
                    }
                }
                break;
            }
            case Op::steal:
                take_control(i, context);
                break;
            case Op::transform:
            case Op::transform_pool:
                gather(set_.groups[at(i.a)], context, targets);
                for (int n = 0; n < targets.count; ++n) {
                    if (!is_minion(targets.who[at(n)].ref)) continue;
                    const Ref ref = targets.who[at(n)].ref;
                    const CardId what =
                        i.op == Op::transform ? static_cast<CardId>(i.b) : pick_pool(i.b, context);
                    if (what == kNoCard) continue;
                    const bool own = ref == context.self.ref;
                    transform(ref, what);
                    if (own) context.self = who(ref);
                    if (own && ref == s_.source) s_.source_order = minion(ref).order;
                }
                break;
            case Op::give: {
                const int seat = i.c == 0 ? context.me : 1 - context.me;
                const int times = value(i.b, context);
                for (int n = 0; n < times; ++n) {
                    if (give(seat, static_cast<CardId>(i.a), kKnown | kForeign)) {
                        tell(News::received, seat, static_cast<CardId>(i.a));
                    }
                }
                break;
            }
            case Op::give_pool: {
                const int seat = i.c == 0 ? context.me : 1 - context.me;
                const int times = value(i.b, context);
                for (int n = 0; n < times; ++n) {
                    const CardId what = pick_pool(i.a, context);
                    if (what != kNoCard) give(seat, what, kForeign);
                }
                break;
            }
            case Op::weapon: {
                Player& p = player(i.d == 0 ? context.me : 1 - context.me);
                if (p.weapon == kNoCard) break;
                if (i.b >= 0) p.weapon_attack = tiny(p.weapon_attack + value(i.b, context));
                if (i.c >= 0) p.durability = tiny(p.durability + value(i.c, context));
                break;
            }
            case Op::break_weapon:
                lose_weapon(i.c == 0 ? context.me : 1 - context.me);
                break;
            case Op::when:
                if (!compare(value(i.a, context), i.x, i.b)) pc = i.c - 1;
                break;
            case Op::jump:
                pc = i.c - 1;
                break;
            case Op::loop: {
                const int times = value(i.a, context);
                if (times <= 0 || loop == 4) {
                    pc = i.c;
                } else {
                    loops[at(loop++)] = {pc, times - 1};
                }
                break;
            }
            case Op::loop_end:
                if (loop > 0) {
                    if (loops[at(loop - 1)].left-- > 0) {
                        pc = loops[at(loop - 1)].start;
                    } else {
                        --loop;
                    }
                }
                break;
            case Op::hold:
                gather(set_.groups[at(i.a)], context, targets);
                held_ = targets;
                break;
            case Op::retarget:
                gather(set_.groups[at(i.a)], context, targets);
                if (targets.count > 0) {
                    retarget_ = targets.who[0];
                    if (fight_[0].ref != kNobodyRef) fight_[1] = targets.who[0];
                }
                break;
            case Op::counter:
                countered_ = true;
                break;
            case Op::prevent:
                prevented_ = true;
                break;
            default:
                if (!do_rare(i, context, pc + 1)) {
                    finished = false;
                    pc = -1;
                }
                break;
        }
        if (!finished) break;
        if (watching_ && depth_ == 1) {
            const Instruction& next = set_.program[at(pc + 1)];
            if (next.op != Op::freeze || !aims(next)) {
                watching_ = false;
                watcher_->after(s_, context);
                watcher_ = nullptr;
            }
        }
    }
    --depth_;
    return finished;
}

// Instructions of a few cards each; false when a choice is asked.
bool Engine::do_rare(const Instruction& i, Context& context, int next) noexcept {
    Targets targets;
    Player& mine = player(context.me);
    Player& theirs = player(1 - context.me);
    switch (i.op) {
        case Op::copy_hand:  // a random card of the other's hand
            if (theirs.hand_size > 0) {
                const HandCard& one = theirs.hand[rng_.below(theirs.hand_size)];
                give(context.me, one.card, kForeign);
            }
            break;
        case Op::copy_deck: {
            std::array<int, kDeck> places{};
            const int size = theirs.deck_size;
            for (int n = 0; n < size; ++n) places[at(n)] = n;
            const int wants = std::min(value(i.b, context), size);
            for (int n = 0; n < wants; ++n) {
                const auto other =
                    n + static_cast<int>(rng_.below(static_cast<std::uint64_t>(size - n)));
                std::swap(places[at(n)], places[at(other)]);
                give(context.me, theirs.deck[at(places[at(n)])], kForeign);
            }
            break;
        }
        case Op::summon_from_deck: {
            // A copy of a random minion: x bit 0 of the own deck, bit 1 the card itself moves;
            // a: races, 0 any; d: card to summon when there is none.
            const int seat = (i.x & 1) != 0 ? context.me : 1 - context.me;
            Player& p = player(seat);
            std::array<int, kDeck> places{};
            int size = 0;
            for (int n = 0; n < p.deck_size; ++n) {
                const Card& c = card(p.deck[at(n)]);
                if (c.type != Type::minion) continue;
                if (i.a != 0 && (c.races & i.a) == 0) continue;
                if (i.b != 0 && p.deck[at(n)] != static_cast<CardId>(i.b)) continue;
                places[at(size++)] = n;
            }
            CardId what = static_cast<CardId>(i.d);
            if (size > 0) {
                const int place = places[rng_.below(static_cast<std::uint64_t>(size))];
                what = p.deck[at(place)];
                if ((i.x & 2) != 0) {
                    if (mine.board_size >= options_.board_limit) break;
                    take_from_deck(seat, place);
                }
            }
            if (what == kNoCard) break;
            int place = -1;
            if (is_minion(context.self.ref) && here(context.self) && (i.x & 2) == 0) {
                place = position_of(context.self.ref) + 1;
            }
            const Ref ref = summon(what, context.me, place, &context);
            if (ref != kNobodyRef && i.c == 1) {  // as a 1/1
                Enchant small_one;
                small_one.sets = 3;
                small_one.attack = small_one.health = 1;
                enchant(ref, small_one);
            }
            break;
        }
        case Op::draw_race: {
            const int times = value(i.b, context);
            for (int n = 0; n < times; ++n) {
                std::array<int, kDeck> places{};
                int size = 0;
                for (int k = 0; k < mine.deck_size; ++k) {
                    if ((card(mine.deck[at(k)]).races & i.a) != 0) places[at(size++)] = k;
                }
                if (size == 0) {
                    if (i.d != 0) give(context.me, static_cast<CardId>(i.d), kForeign);
                    continue;
                }
                const int place = places[rng_.below(static_cast<std::uint64_t>(size))];
                const CardId what = take_from_deck(context.me, place);
                if (!give(context.me, what, 0)) {
                    bury(context.me, what);
                    tell(News::burned, context.me, what);
                }
            }
            break;
        }
        case Op::hero_health:
            gather(set_.groups[at(i.a)], context, targets);
            for (int n = 0; n < targets.count; ++n) {
                if (!is_hero(targets.who[at(n)].ref)) continue;
                Player& p = player(targets.who[at(n)].ref - kHero);
                const int amount = value(i.b, context);
                p.health = static_cast<std::int16_t>(amount);
                if (p.max_health < amount) p.max_health = static_cast<std::int16_t>(amount);
            }
            break;
        case Op::become_hero: {
            const Card& hero = card(static_cast<CardId>(i.a));
            if (is_minion(context.self.ref) && here(context.self)) {
                leave(context.self.ref);
                s_.source = kNobodyRef;
            }
            mine.hero = static_cast<CardId>(i.a);
            mine.health = mine.max_health = hero.health;
            mine.armour = 0;
            mine.power = hero.power;
            mine.power_used = 0;
            break;
        }
        case Op::set_power: {
            // x: 1 the second form where the first is there already
            CardId power = static_cast<CardId>(i.a);
            if (i.b != 0 && mine.power == power)
                power = static_cast<CardId>(i.b);
            else if (i.b != 0 && mine.power == static_cast<CardId>(i.b))
                power = mine.power;
            mine.power = power;
            mine.power_used = 0;
            break;
        }
        case Op::destroy_secrets:
            while (theirs.secret_count > 0) remove_secret(1 - context.me, 0);
            break;
        case Op::remove_keywords:
            gather(set_.groups[at(i.a)], context, targets);
            for (int n = 0; n < targets.count; ++n) {
                const Ref ref = targets.who[at(n)].ref;
                if (!is_minion(ref)) continue;
                Minion& m = minion(ref);
                const auto lost = static_cast<std::uint16_t>(i.b);
                m.keywords &= ~static_cast<std::uint32_t>(lost);
                for (int k = 0; k < m.enchants; ++k) {
                    m.enchant[at(k)].keywords &= static_cast<std::uint16_t>(~lost);
                }
            }
            break;
        case Op::track: {
            // The top cards; one is kept, the others are lost.
            const int shown = std::min<int>(3, mine.deck_size);
            if (shown == 0) break;
            s_.choices = small(shown);
            for (int n = 0; n < shown; ++n) {
                s_.choice_cards[at(n)] = mine.deck[at(mine.deck_size - shown + n)];
            }
            suspend(Choice::track, context, next);
            return false;
        }
        case Op::discover:
        case Op::discover_power: {
            const std::vector<CardId>& pool = set_.pools[at(i.a)];
            std::array<CardId, 64> left{};
            std::size_t size = 0;
            std::array<CardId, 3> drawn{};
            int found = 0;
            if (pool.size() > left.size()) {
                while (found < 3) {
                    const CardId one = pool[rng_.below(pool.size())];
                    bool again = false;
                    for (int n = 0; n < found; ++n) again = again || drawn[at(n)] == one;
                    if (!again) drawn[at(found++)] = one;
                }
            } else {
                for (const CardId one : pool) {
                    if (i.op == Op::discover_power && one == mine.power) continue;
                    left[size++] = one;
                }
                while (found < 3 && size > 0) {
                    const std::size_t place = rng_.below(size);
                    drawn[at(found++)] = left[place];
                    left[place] = left[--size];
                }
            }
            if (found == 0) break;
            s_.choices = small(found);
            for (int n = 0; n < found; ++n) s_.choice_cards[at(n)] = drawn[at(n)];
            suspend(i.op == Op::discover ? Choice::discover : Choice::power, context, next);
            return false;
        }
        case Op::swap_stats:
            gather(set_.groups[at(i.a)], context, targets);
            for (int n = 0; n < targets.count; ++n) {
                const Ref ref = targets.who[at(n)].ref;
                if (!is_minion(ref)) continue;
                const int attack = attack_of(ref);
                const int health = minion(ref).health;
                Enchant given;
                given.sets = 3;
                given.attack = tiny(health);
                given.health = tiny(attack);
                enchant(ref, given);
            }
            refresh();
            break;
        case Op::become_copy:
            gather(set_.groups[at(i.a)], context, targets);
            if (targets.count > 0 && is_minion(targets.who[0].ref) && is_minion(context.self.ref) &&
                here(context.self)) {
                const Minion from = minion(targets.who[0].ref);
                copy_onto(context.self.ref, from);
            }
            break;
        case Op::summon_copy:
            gather(set_.groups[at(i.a)], context, targets);
            for (int n = 0; n < targets.count; ++n) {
                if (!is_minion(targets.who[at(n)].ref)) continue;
                const Minion from = minion(targets.who[at(n)].ref);
                const Ref ref = enter(from.card, context.me, -1);
                if (ref == kNobodyRef) break;
                copy_onto(ref, from);
                const Who one = who(ref);
                announce(ref, false);
                if (here(one)) fire(Event::after_summon, {minion(ref).side, one, {}, 0, from.card});
            }
            break;
        case Op::resummon: {
            // The card of the dead subject (a = 2) or of the dying minion itself (a = 0).
            const Who one = refer(i.a, context);
            if (one.ref < kDead || one.ref == kNobodyRef) break;
            const Minion& from = dead(one.ref - kDead);
            const int seat = i.c == 0 ? context.me : from.side;
            const Ref ref = summon(from.card, seat, i.a == 0 ? context.place : -1, &context);
            if (ref != kNobodyRef && i.b > 0) minion(ref).health = i.b;
            refresh();
            break;
        }
        case Op::mark:
            switch (static_cast<Mark>(i.x)) {
                case Mark::next_spell_cheaper:
                    mine.cheaper_spell = small(mine.cheaper_spell + i.b);
                    break;
                case Mark::next_secret_free:
                    mine.flags |= kNextSecretFree;
                    break;
                case Mark::spells_free_next_turn:
                    theirs.flags |= kSpellsFreeNext;
                    break;
                case Mark::minions_survive:
                    mine.flags |= kMinionsSurvive;
                    break;
                case Mark::back_next_turn:
                    mine.returning = context.card;
                    break;
            }
            break;
        case Op::overload:
            owe(context.me, value(i.b, context));
            break;
        case Op::shuffle_in: {
            const int times = value(i.b, context);
            const int seat = i.c == 0 ? context.me : 1 - context.me;
            for (int n = 0; n < times; ++n) shuffle_into_deck(seat, static_cast<CardId>(i.a));
            break;
        }
        case Op::golem: {
            mine.golems = small(std::min(30, mine.golems + 1));
            int place = -1;
            if (context.place >= 0) {
                place = context.place;
            } else if (is_minion(context.self.ref) && here(context.self)) {
                place = position_of(context.self.ref) + 1;
            }
            const Ref ref = enter(set_.golem, context.me, place);
            if (ref == kNobodyRef) break;
            Minion& m = minion(ref);
            m.base_attack = m.base_health = tiny(mine.golems);
            recount(ref);
            const Who one = who(ref);
            refresh();
            announce(ref, false);
            if (here(one)) fire(Event::after_summon, {m.side, one, {}, 0, set_.golem});
            break;
        }
        case Op::swap_with_hand: {
            // Into the place of the source comes a random minion of the hand; it goes there.
            std::array<int, kHand> places{};
            int size = 0;
            for (int n = 0; n < mine.hand_size; ++n) {
                if (card(mine.hand[at(n)].card).type == Type::minion) places[at(size++)] = n;
            }
            if (size == 0 || !here(context.self)) break;
            const int place = places[rng_.below(static_cast<std::uint64_t>(size))];
            const CardId what = mine.hand[at(place)].card;
            const int position = position_of(context.self.ref);
            remove_from_hand(context.me, place);
            bounce(context.self.ref, 0);
            summon(what, context.me, position, &context);
            break;
        }
        case Op::summon_from_hand: {
            // c: 1 the other player summons from his hand.
            const int seat = i.c == 0 ? context.me : 1 - context.me;
            Player& p = player(seat);
            std::array<int, kHand> places{};
            int size = 0;
            for (int n = 0; n < p.hand_size; ++n) {
                if (card(p.hand[at(n)].card).type == Type::minion) places[at(size++)] = n;
            }
            if (size == 0 || p.board_size >= options_.board_limit) break;
            const int place = places[rng_.below(static_cast<std::uint64_t>(size))];
            const CardId what = p.hand[at(place)].card;
            remove_from_hand(seat, place);
            summon(what, seat, -1, &context);
            break;
        }
        case Op::joust: {
            std::array<int, kSeats> costs{-1, -1};
            for (int seat = 0; seat < kSeats; ++seat) {
                const Player& p = player(seat);
                std::array<int, kDeck> places{};
                int size = 0;
                for (int n = 0; n < p.deck_size; ++n) {
                    if (card(p.deck[at(n)]).type == Type::minion) places[at(size++)] = n;
                }
                if (size > 0) {
                    costs[at(seat)] =
                        card(p.deck[at(places[rng_.below(static_cast<std::uint64_t>(size))])]).cost;
                }
            }
            result_ = costs[at(context.me)] > costs[at(1 - context.me)] ? 1 : 0;
            break;
        }
        case Op::buff_hand: {
            // a: 0 all minions, 1 a random one, 2 random of any race mask d
            std::array<int, kHand> places{};
            int size = 0;
            for (int n = 0; n < mine.hand_size; ++n) {
                const Card& c = card(mine.hand[at(n)].card);
                if (c.type == Type::minion && (i.d == 0 || (c.races & i.d) != 0)) {
                    places[at(size++)] = n;
                }
            }
            if (size == 0) break;
            const int attack = value(i.b, context);
            const int health = value(i.c, context);
            const auto one =
                static_cast<int>(i.a == 1 ? rng_.below(static_cast<std::uint64_t>(size)) : 0);
            for (int n = 0; n < size; ++n) {
                if (i.a == 1 && n != one) continue;
                HandCard& held = mine.hand[at(places[at(n)])];
                held.attack = tiny(held.attack + attack);
                held.health = tiny(held.health + health);
            }
            break;
        }
        case Op::give_event_card: {
            const int seat = i.c == 0 ? context.me : 1 - context.me;
            give(seat, context.event_card, kKnown | kForeign);
            break;
        }
        case Op::take_attack_from: {
            // The source gains the attack and health of the group, which is destroyed.
            gather(set_.groups[at(i.a)], context, targets);
            int attack = 0;
            int health = 0;
            for (int n = 0; n < targets.count; ++n) {
                const Ref ref = targets.who[at(n)].ref;
                attack += attack_of(ref);
                health += std::max<int>(0, minion(ref).health);
                minion(ref).flags |= kDoomed;
            }
            if (here(context.self) && targets.count > 0) {
                Enchant given;
                given.attack = tiny(attack);
                given.health = tiny(health);
                enchant(context.self.ref, given);
            }
            break;
        }
        case Op::buff_weapon_or_equip:
            if (mine.weapon != kNoCard) {
                mine.weapon_attack = tiny(mine.weapon_attack + i.b);
                mine.durability = tiny(mine.durability + i.c);
            } else {
                equip(context.me, static_cast<CardId>(i.a));
            }
            break;
        case Op::draw_until:
            while (mine.hand_size < theirs.hand_size && ++effects_ < kMostEffects) {
                draw(context.me, 1);
            }
            break;
        case Op::strike: {
            gather(set_.groups[at(i.b)], context, targets);
            if (targets.count == 0) break;
            const Who source = targets.who[0];
            const int amount = attack_of(source.ref);
            Targets hurt;
            gather(set_.groups[at(i.a)], context, hurt);
            damage(hurt, amount, source, nullptr);
            break;
        }
        case Op::put_secret: {
            std::array<int, kDeck> places{};
            int size = 0;
            for (int n = 0; n < mine.deck_size; ++n) {
                if ((card(mine.deck[at(n)]).keywords & kSecret) == 0) continue;
                bool have = false;
                for (int k = 0; k < mine.secret_count; ++k) {
                    have = have || mine.secrets[at(k)].card == mine.deck[at(n)];
                }
                if (!have) places[at(size++)] = n;
            }
            if (size == 0 || mine.secret_count >= kSecrets) break;
            Secret laid;
            laid.card =
                take_from_deck(context.me, places[rng_.below(static_cast<std::uint64_t>(size))]);
            laid.order = ++s_.next_order;
            mine.secrets[mine.secret_count++] = laid;
            index_events();
            break;
        }
        case Op::bounce_copy:
            gather(set_.groups[at(i.a)], context, targets);
            for (int n = 0; n < targets.count; ++n) {
                if (is_minion(targets.who[at(n)].ref)) {
                    shuffle_into_deck(context.me, minion(targets.who[at(n)].ref).card);
                }
            }
            break;
        case Op::mana_all:
            mine.mana = 0;
            break;
        default:
            break;
    }
    return true;
}

// The answer to an open choice; then the play goes on where it stopped.
void Engine::choose(int index) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    const CardId chosen = s_.choice_cards[at(index)];
    const Choice kind = s_.choice;
    tell(News::chose, seat, chosen);
    if (kind == Choice::track) {
        const int shown = s_.choices;
        for (int n = 0; n < shown; ++n) {
            p.deck[--p.deck_size] = kNoCard;
        }
        for (int n = 0; n < shown; ++n) {
            if (n != index) bury(seat, s_.choice_cards[at(n)]);
        }
        if (!give(seat, chosen, 0)) bury(seat, chosen);
    } else if (kind == Choice::power) {
        p.power = chosen;
        p.power_used = 0;
    } else {
        give(seat, chosen, kForeign);
    }
    s_.phase = Phase::play;
    s_.choice = Choice::none;
    s_.choices = 0;
    s_.choice_cards = {};
    const int next = s_.resume;
    s_.resume = 0;
    Context context;
    context.me = seat;
    context.card = s_.source_card;
    context.self = {s_.source, s_.source_order};
    context.target = {s_.target, s_.target_order};
    context.spell = card(s_.source_card).type == Type::spell && s_.source == kNobodyRef;
    context.combo = s_.combo;
    context.chosen = true;
    if (!run(next, context)) return;
    if (play_text()) finish_play();
}

}  // namespace ludex::hearthstone

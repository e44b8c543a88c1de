// Who is meant by a group of a card program.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

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
        if ((group.kinds & 2) == 0) return false;
        const Player& p = player(ref - kHero);
        if (group.races != 0 && (group.races & card(p.hero).races) == 0) return false;
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

Targets Engine::members(int group, const Context& context) noexcept {
    Targets found;
    gather(set_.groups[at(group)], context, found);
    return found;
}

}  // namespace ludex::hearthstone

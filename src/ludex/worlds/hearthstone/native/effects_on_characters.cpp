// What card programs do to heroes and minions in play.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// x bit 0: a plain amount; bit 1: drawn anew for each.
void Engine::do_damage(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    if (targets.count == 0) return;
    const auto amount = [&] {
        const int plain = value(i.b, context);
        return (i.x & 1) == 0 ? amount_of_damage(plain, context) : plain;
    };
    if ((i.x & 2) == 0) return damage(targets, amount(), context.self);
    for (int n = 0; n < targets.count; ++n) {
        Targets one;
        one.add(targets.who[at(n)]);
        damage(one, amount(), context.self);
    }
}

// x: 1 to full health.
void Engine::do_heal(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    if (targets.count == 0) return;
    if (i.x != 1) return heal(targets, value(i.b, context), context.self, &context);
    for (int n = 0; n < targets.count; ++n) {
        Targets one;
        one.add(targets.who[at(n)]);
        heal(one, kMost, context.self, nullptr);
    }
}

void Engine::do_buff(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
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
        Enchant given = i.d >= 0 ? granted(i.d, context) : Enchant{};
        given.attack = tiny(attack);
        given.health = tiny(health);
        enchant(one.ref, given);
    }
    refresh();
}

// The enchantment of a grant; whose turns it counts matters only where it ends or speaks.
Enchant Engine::granted(int grant, const Context& context) const noexcept {
    const Grant& what = set_.grants[at(grant)];
    Enchant given;
    given.keywords = what.keywords;
    given.script = what.script;
    if (what.until != Until::forever || what.script != kNoCard) {
        given.until = static_cast<std::uint8_t>(static_cast<unsigned>(what.until) |
                                                (context.me == 1 ? 128U : 0U));
    }
    return given;
}

void Engine::do_set(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
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
}

void Engine::do_destroy(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        const Ref ref = targets.who[at(n)].ref;
        if (is_minion(ref)) minion(ref).flags |= kDoomed;
        if (is_hero(ref)) player(ref - kHero).health = 0;
    }
}

void Engine::do_freeze(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) freeze(targets.who[at(n)].ref);
}

void Engine::do_silence(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) silence(targets.who[at(n)].ref);
    }
}

void Engine::do_bounce(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) bounce(targets.who[at(n)].ref, tiny(i.b));
    }
}

// x: 1 for this turn.
void Engine::do_steal(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) {
            change_side(targets.who[at(n)].ref, context.me, i.x == 1);
        }
    }
}

void Engine::do_transform(const Instruction& i, Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        const Ref ref = targets.who[at(n)].ref;
        if (!is_minion(ref)) continue;
        const CardId what = i.op == Op::transform ? static_cast<CardId>(i.b) : pick_pool(i.b);
        if (what == kNoCard) continue;
        const bool own = ref == context.self.ref;
        transform(ref, what);
        if (own) context.self = who(ref);
        if (own && ref == s_.source) s_.source_order = minion(ref).order;
    }
}

void Engine::do_remove_keywords(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    const auto lost = static_cast<std::uint16_t>(i.b);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) lose_keywords(minion(targets.who[at(n)].ref), lost);
    }
}

void Engine::do_swap_stats(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        const Ref ref = targets.who[at(n)].ref;
        if (!is_minion(ref)) continue;
        Enchant given;
        given.sets = 3;
        given.attack = tiny(minion(ref).health);
        given.health = tiny(attack_of(ref));
        enchant(ref, given);
    }
    refresh();
}

void Engine::do_become_copy(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    if (targets.count == 0 || !is_minion(targets.who[0].ref)) return;
    if (!is_minion(context.self.ref) || !here(context.self)) return;
    const Minion from = minion(targets.who[0].ref);
    copy_onto(context.self.ref, from);
}

// The source gains the attack and health of the group, which is destroyed.
void Engine::do_absorb(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    int attack = 0;
    int health = 0;
    for (int n = 0; n < targets.count; ++n) {
        const Ref ref = targets.who[at(n)].ref;
        if (!is_minion(ref)) continue;
        attack += attack_of(ref);
        health += std::max<int>(0, minion(ref).health);
        minion(ref).flags |= kDoomed;
    }
    if (targets.count == 0 || !here(context.self)) return;
    Enchant given;
    given.attack = tiny(attack);
    given.health = tiny(health);
    enchant(context.self.ref, given);
}

// The first of group b deals its attack to group a.
void Engine::do_strike(const Instruction& i, const Context& context) noexcept {
    const Targets strikers = members(i.b, context);
    if (strikers.count == 0) return;
    const Who source = strikers.who[0];
    const int amount = attack_of(source.ref);
    damage(members(i.a, context), amount, source);
}

void Engine::do_retarget(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    if (targets.count == 0) return;
    retarget_ = targets.who[0];
    if (fight_[0].ref != kNobodyRef) fight_[1] = targets.who[0];
}

}  // namespace ludex::hearthstone

// What card programs do to a player: mana, weapon, hero, power, and marks for this turn.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// x: 0 mana of this turn, 1 full crystals, 2 empty ones, 3 crystals are destroyed; d: 1 a card
// for each crystal too many.
void Engine::do_mana(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.c, context);
    Player& p = player(seat);
    const int amount = value(i.b, context);
    if (i.x == 0) {
        const int before = p.mana;
        p.mana = capped(std::min<int>(options_.mana_limit, p.mana + amount));
        p.temporary = capped(p.temporary + p.mana - before);
        return;
    }
    if (i.x == 3) {
        const int before = p.crystals;
        p.crystals = capped(p.crystals - amount);
        const int lost = before - p.crystals;
        // A full crystal goes first only when no spent one is left.
        const int spent = before - p.locked - p.mana;
        if (spent < lost) p.mana = capped(p.mana - (lost - std::max(0, spent)));
        return;
    }
    for (int n = 0; n < amount && spend(); ++n) {
        if (p.crystals < options_.mana_limit) {
            ++p.crystals;
            if (i.x == 1) p.mana = capped(std::min(options_.mana_limit, p.mana + 1));
        } else if (i.d == 1 && set_.excess_mana != kNoCard) {
            give(seat, set_.excess_mana, kKnown | kForeign);
        }
    }
}

void Engine::do_weapon(const Instruction& i, const Context& context) noexcept {
    Player& p = player(side_of(i.d, context));
    if (p.weapon == kNoCard) return;
    if (i.b >= 0) p.weapon_attack = tiny(p.weapon_attack + value(i.b, context));
    if (i.c >= 0) p.durability = tiny(p.durability + value(i.c, context));
}

// The own weapon gets better, or there is one.
void Engine::do_arm(const Instruction& i, const Context& context) noexcept {
    Player& mine = player(context.me);
    if (mine.weapon == kNoCard) return equip(context.me, static_cast<CardId>(i.a));
    mine.weapon_attack = tiny(mine.weapon_attack + i.b);
    mine.durability = tiny(mine.durability + i.c);
}

void Engine::do_hero_health(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (!is_hero(targets.who[at(n)].ref)) continue;
        Player& p = player(targets.who[at(n)].ref - kHero);
        const int amount = value(i.b, context);
        p.health = bounded(amount);
        p.max_health = std::max(p.max_health, p.health);
    }
}

void Engine::do_become_hero(const Instruction& i, const Context& context) noexcept {
    if (is_minion(context.self.ref) && here(context.self)) {
        tell(ToldKind::left, minion(context.self.ref).side, minion(context.self.ref).card);
        leave(context.self.ref);
        s_.source = kNobodyRef;
    }
    Player& mine = player(context.me);
    const auto what = static_cast<CardId>(i.a);
    mine.hero = what;
    mine.health = mine.max_health = card(what).health;
    mine.armour = 0;
    mine.power = card(what).power;
    mine.power_used = 0;
}

// b: the second form, where the first is there already.
void Engine::do_set_power(const Instruction& i, const Context& context) noexcept {
    Player& mine = player(context.me);
    const auto first = static_cast<CardId>(i.a);
    const auto second = static_cast<CardId>(i.b);
    const bool grown = second != kNoCard && (mine.power == first || mine.power == second);
    mine.power = grown ? second : first;
    mine.power_used = 0;
}

void Engine::do_mark(const Instruction& i, const Context& context) noexcept {
    Player& mine = player(context.me);
    switch (static_cast<Mark>(i.x)) {
        case Mark::next_spell_cheaper:
            mine.cheaper_spell = capped(mine.cheaper_spell + i.b);
            break;
        case Mark::next_secret_free:
            mine.flags |= kNextSecretFree;
            break;
        case Mark::spells_free_next_turn:
            player(1 - context.me).flags |= kSpellsFreeNext;
            break;
        case Mark::minions_survive:
            mine.flags |= kMinionsSurvive;
            break;
        case Mark::back_next_turn:
            mine.returning = context.card;
            break;
    }
}

}  // namespace ludex::hearthstone

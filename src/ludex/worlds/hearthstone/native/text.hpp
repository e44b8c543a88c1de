// States as one line of text: `turn=3 active=1 p0 mana=3 hand=12,14:-1:1 ... p1 ...`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "state.hpp"

namespace ludex::hearthstone {

[[nodiscard]] std::string to_text(const State& state);
// Nothing when it is not a state; facts that follow from others are not checked here.
[[nodiscard]] std::optional<State> from_text(std::string_view text, std::size_t cards);

// Calls `each(name, reference)` for every number of a part.
template <class S, class Each>
void numbers(S& s, Each&& each)
    requires std::is_same_v<std::remove_const_t<S>, State>
{
    each("turn", s.turn);
    each("active", s.active);
    each("first", s.first);
    each("phase", s.phase);
    each("winner", s.winner);
    each("order", s.next_order);
    each("events", s.events);
    each("auras", s.auras);
    each("choice", s.choice);
    each("choices", s.choices);
    each("stage", s.stage);
    each("prefix", s.prefix);
    each("resume", s.resume);
    each("source", s.source);
    each("target", s.target);
    each("source_order", s.source_order);
    each("target_order", s.target_order);
    each("source_card", s.source_card);
    each("repeats", s.repeats);
    each("combo", s.combo);
}

template <class S, class Each>
void numbers(S& p, Each&& each)
    requires std::is_same_v<std::remove_const_t<S>, Player>
{
    each("hero", p.hero);
    each("power", p.power);
    each("health", p.health);
    each("max_health", p.max_health);
    each("armour", p.armour);
    each("hero_attack", p.hero_attack);
    each("weapon", p.weapon);
    each("weapon_order", p.weapon_order);
    each("returning", p.returning);
    each("weapon_attack", p.weapon_attack);
    each("weapon_aura", p.weapon_aura);
    each("durability", p.durability);
    each("flags", p.flags);
    each("attacks", p.attacks);
    each("power_used", p.power_used);
    each("mana", p.mana);
    each("crystals", p.crystals);
    each("owed", p.owed);
    each("locked", p.locked);
    each("fatigue", p.fatigue);
    each("played", p.played);
    each("minions_played", p.minions_played);
    each("cheaper_spell", p.cheaper_spell);
    each("golems", p.golems);
    each("totems", p.totems);
    each("buried_minions", p.buried_minions);
    each("buried_spells", p.buried_spells);
    each("buried_weapons", p.buried_weapons);
    each("mulligan_done", p.mulligan_done);
    each("temporary", p.temporary);
}

template <class S, class Each>
void numbers(S& m, Each&& each)
    requires std::is_same_v<std::remove_const_t<S>, Minion>
{
    each("card", m.card);
    each("order", m.order);
    each("attack", m.attack);
    each("max_health", m.max_health);
    each("health", m.health);
    each("base_attack", m.base_attack);
    each("base_health", m.base_health);
    each("aura_attack", m.aura_attack);
    each("aura_health", m.aura_health);
    each("aura_keywords", m.aura_keywords);
    each("keywords", m.keywords);
    each("events", m.events);
    each("flags", m.flags);
    each("attacks", m.attacks);
    each("side", m.side);
    each("spell_damage", m.spell_damage);
    each("marked", m.marked);
}

}  // namespace ludex::hearthstone

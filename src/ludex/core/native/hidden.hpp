// Worlds with hidden information: what a seat sees of a state, and states that agree with it.
#pragma once

#include <concepts>
#include <span>

#include "keys.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

// Free functions beside the rules. A glance is a value: it holds nothing that its seat may not see.
template <class R>
concept HidesFacts =
    WorldRules<R> && requires(const R& rules, const typename R::State& state,
                              const typename R::Glance& glance, int seat, Rng& rng, KeyHash& hash) {
        requires std::copyable<typename R::Glance>;
        // Whether these rules, with their options, hide anything at all.
        { hides_facts(rules) } noexcept -> std::same_as<bool>;
        { glance_at(rules, state, seat) } -> std::same_as<typename R::Glance>;
        // A complete state that looks like this, every deal of single cards being equally likely.
        // Draws as the model's `imagine` does. False, with `out` as it was, where there is none.
        {
            determinise(rules, glance, rng, std::declval<typename R::State&>())
        } -> std::same_as<bool>;
        // Equal for states that look the same to the seat.
        { add_view_key(rules, state, seat, hash) } noexcept -> std::same_as<void>;
    };

// Optional: rules whose states are beliefs. A belief is a value like any state: copied, stepped
// with an action and resolved with an outcome of its own chance (what the observer sees next), told
// apart by its key. `legal` lists what is possible, and this says how likely each of it is to be
// legal. belief_space.hpp makes such rules of any that hide facts.
template <class R>
concept WeighsLegality =
    WorldRules<R> && requires(const R& rules, const typename R::State& state, int seat,
                              std::span<const typename R::Action> legal, std::span<double> out) {
        { rules.legality(state, seat, legal, out) } noexcept -> std::same_as<void>;
    };

// The key of what a seat sees; in an open game of the whole state.
template <WorldRules R>
[[nodiscard]] Key view_key_of(const R& rules, const typename R::State& state,
                              [[maybe_unused]] int seat) noexcept {
    if constexpr (HidesFacts<R>) {
        if (hides_facts(rules)) {
            KeyHash hash;
            add_view_key(rules, state, seat, hash);
            return hash.key();
        }
    }
    return key_of(rules, state);
}

}  // namespace ludex

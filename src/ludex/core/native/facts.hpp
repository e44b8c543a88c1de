// What searches through states ask beside the rules: the facts that hold in a state, and how far it
// is from a win. Python's models say the same with `features` and `distance`.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "world.hpp"

namespace ludex {

// Optional, found beside the rules: appends the facts of a state as numbers, two of which are equal
// where the model's `features` are. A fact may come twice.
template <class R>
concept ListsFacts =
    requires(const R& rules, const typename R::State& state, std::vector<std::uint64_t>& facts) {
        { add_facts(rules, state, facts) } -> std::same_as<void>;
    };

// Optional, found beside the rules: a guess of the steps from a win.
template <class R>
concept KnowsDistance = requires(const R& rules, const typename R::State& state, int seat) {
    { distance_to_win(rules, state, seat) } noexcept -> std::same_as<double>;
};

// Whether there are facts of a state at all.
template <class R>
concept HasFacts = ListsFacts<R> || HasShortKey<R> || PlainState<typename R::State>;

// Where a world does not say its facts, each byte of its key with its place is one, as in
// core/features.py.
template <HasFacts R>
void put_facts(const R& rules, const typename R::State& state, std::vector<std::uint64_t>& facts) {
    facts.clear();
    if constexpr (ListsFacts<R>) {
        add_facts(rules, state, facts);
    } else if constexpr (HasShortKey<R>) {
        facts.push_back(rules.key(state));
    } else {
        const auto* const bytes = reinterpret_cast<const unsigned char*>(&state);
        for (std::size_t i = 0; i < meaningful_bytes<typename R::State>(); ++i) {
            facts.push_back(i << 8 | bytes[i]);
        }
    }
}

template <WorldRules R>
[[nodiscard]] double distance_of([[maybe_unused]] const R& rules,
                                 [[maybe_unused]] const typename R::State& state,
                                 [[maybe_unused]] int seat) noexcept {
    if constexpr (KnowsDistance<R>) {
        return distance_to_win(rules, state, seat);
    } else {
        return 0.0;
    }
}

}  // namespace ludex

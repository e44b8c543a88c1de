// What can be done with any rules that satisfy the concept: advance, settle, play sequences.
//
// These draw and count exactly as core/python_model.py and core/fallback.py do; tests compare
// the two draw for draw.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "meter.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

template <WorldRules R>
using LegalBuffer = std::array<typename R::Action, static_cast<std::size_t>(R::kMaxLegal)>;

template <WorldRules R>
using JointAction = std::array<typename R::Action, static_cast<std::size_t>(R::kMaxSeats)>;

template <WorldRules R>
[[nodiscard]] bool is_legal(const R& rules, const typename R::State& state, int seat,
                            typename R::Action action) noexcept {
    if constexpr (KnowsLegal<R>) {
        return rules.is_legal(state, seat, action);
    } else {
        LegalBuffer<R> legal;
        const int count = rules.legal(state, seat, legal);
        return std::binary_search(legal.begin(), legal.begin() + count, action);
    }
}

// The seat must be to act.
template <WorldRules R>
[[nodiscard]] typename R::Action default_action(const R& rules, const typename R::State& state,
                                                int seat) noexcept {
    if constexpr (KnowsDefault<R>) {
        return rules.default_action(state, seat);
    } else {
        LegalBuffer<R> legal;
        (void)rules.legal(state, seat, legal);
        return legal[0];
    }
}

// Draw all pending listed outcomes; `each` is told every one of them.
template <WorldRules R, class Each>
void settle(const R& rules, typename R::State& state, Rng& rng, Each&& each) noexcept {
    if constexpr (ListsChance<R>) {
        constexpr auto kMost = static_cast<std::size_t>(R::kMaxOutcomes);
        std::array<Chance<typename R::Outcome>, kMost> listed;
        std::array<double, kMost> weights;
        while (const int count = rules.chance(state, listed)) {
            const auto size = static_cast<std::size_t>(count);
            for (std::size_t i = 0; i < size; ++i) weights[i] = listed[i].probability;
            const std::size_t drawn = rng.weighted(std::span(weights.data(), size));
            rules.resolve(state, listed[drawn].outcome);
            each(listed[drawn].outcome);
        }
    } else {
        (void)rules, (void)state, (void)rng, (void)each;
    }
}

template <WorldRules R>
void settle(const R& rules, typename R::State& state, Rng& rng) noexcept {
    if constexpr (KnowsSettle<R>) {
        rules.settle(state, rng);
    } else {
        settle(rules, state, rng, [](auto) {});
    }
}

// One call: apply decisions in place, up to the next decision, chance or end. Returns false,
// having changed nothing, when the budget is spent. `given(place)` is the action handed in for
// the seat at that place of `to_act`, or nothing when it is no action at all.
template <WorldRules R, class Given>
[[nodiscard]] bool advance(const R& rules, typename R::State& state, Given&& given, Rng& rng,
                           Meter& meter) noexcept {
    if (!meter.spend()) return false;
    SeatSet seats = rules.to_act(state);
    if (seats == kNobody) {
        meter.count_ignored();
        return true;
    }
    JointAction<R> joint;
    std::size_t place = 0;
    for (; seats != kNobody; seats &= seats - 1, ++place) {
        const int seat = std::countr_zero(seats);
        const std::optional<typename R::Action> action = given(place);
        if (action && is_legal(rules, state, seat, *action)) {
            joint[place] = *action;
        } else {
            meter.count_replaced();
            joint[place] = default_action(rules, state, seat);
        }
    }
    rules.apply(state, std::span<const typename R::Action>(joint.data(), place), rng);
    return true;
}

// How a rollout ended. `refused`: the budget was spent before its first tick.
struct RolloutEnd {
    std::int64_t ticks = 0;
    bool cut = false;
    bool refused = false;
};

// Play `ticks` given joint actions; `given(tick, place)` as in `advance`.
template <WorldRules R, class Given>
RolloutEnd play(const R& rules, typename R::State& state, std::int64_t ticks, Given&& given,
                Rng& rng, Meter& meter) noexcept {
    RolloutEnd end;
    settle(rules, state, rng);
    while (end.ticks < ticks && rules.to_act(state) != kNobody) {
        const auto joint = [&](std::size_t place) { return given(end.ticks, place); };
        if (!advance(rules, state, joint, rng, meter)) {
            end.refused = end.ticks == 0;
            end.cut = !end.refused;
            break;
        }
        settle(rules, state, rng);
        ++end.ticks;
    }
    return end;
}

}  // namespace ludex

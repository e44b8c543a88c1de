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
#include <vector>

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
        if constexpr (KeepsNews<R>) rules.forget(state);
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

// Who may do what in a state, to see later whether that is still so.
template <WorldRules R>
class Choices {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    Choices(const R& rules, const State& state) : rules_(rules), seats_(rules.to_act(state)) {
        LegalBuffer<R> legal;
        for (SeatSet left = seats_; left != kNobody; left &= left - 1) {
            const int count = rules.legal(state, std::countr_zero(left), legal);
            actions_.insert(actions_.end(), legal.begin(), legal.begin() + count);
            ends_.push_back(actions_.size());
        }
    }

    // Never where nobody acts.
    [[nodiscard]] bool hold_in(const State& state) const noexcept {
        if (seats_ == kNobody || rules_.to_act(state) != seats_) return false;
        LegalBuffer<R> legal;
        std::size_t place = 0;
        for (SeatSet left = seats_; left != kNobody; left &= left - 1, ++place) {
            const int count = rules_.legal(state, std::countr_zero(left), legal);
            if (!std::ranges::equal(std::span(legal.data(), static_cast<std::size_t>(count)),
                                    of(place))) {
                return false;
            }
        }
        return true;
    }

    // Read what is given for each seat; false when it is not legal.
    template <class Given>
    [[nodiscard]] bool read(Given&& given, JointAction<R>& joint) const noexcept {
        for (std::size_t place = 0; place < ends_.size(); ++place) {
            const std::optional<Action> action = given(place);
            if (!action || !std::ranges::binary_search(of(place), *action)) return false;
            joint[place] = *action;
        }
        return true;
    }

    [[nodiscard]] std::size_t seats() const noexcept { return ends_.size(); }

private:
    // The actions of the seat at a place of `to_act`.
    [[nodiscard]] std::span<const Action> of(std::size_t place) const noexcept {
        const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
        return {actions_.data() + begin, ends_[place] - begin};
    }

    const R& rules_;
    SeatSet seats_;
    std::vector<Action> actions_;    // seat after seat
    std::vector<std::size_t> ends_;  // of each seat's
};

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

// Policies of rollouts that native code plays by itself.
//
// core/policy.py has the same ones as Python values; a policy there carries the form below, read
// once. Each draws exactly as its `__call__` does; tests compare the two draw for draw.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "kernels.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

struct Cell {
    int column = -1, row = -1;
    friend constexpr bool operator==(Cell, Cell) = default;
};

// Optional: worlds with avatars and other objects on a grid of cells. Free functions beside the
// rules, so that rules need not know of policies.
template <class R>
concept KnowsObjects =
    WorldRules<R> && requires(const R& rules, const typename R::State& state, int seat, int kind,
                              int id, typename R::Action action) {
        { grid_of(rules) } noexcept -> std::same_as<Cell>;  // columns and rows
        // Where the seat's avatar is; {-1, -1} when it has none.
        { avatar_cell(rules, state, seat) } noexcept -> std::same_as<Cell>;
        // By how many cells an action would move an avatar.
        { heading_of(rules, action) } noexcept -> std::same_as<Cell>;
        // From the seat's avatar to the nearest object of a kind that it may see, as a part of the
        // diagonal of the grid; not a number when there is none.
        { distance_to(rules, state, seat, kind) } noexcept -> std::same_as<double>;
        { cell_of(rules, state, kind, id) } noexcept -> std::same_as<std::optional<Cell>>;
    };

struct UniformPolicy {};

// One of the rules' own; see NamesPolicies.
struct NamedPolicy {
    int number = 0;
};

struct WeightedPolicy {
    std::vector<double> by_action;
    double other = 0.0;

    [[nodiscard]] double weight(std::size_t action) const noexcept {
        return action < by_action.size() ? by_action[action] : other;
    }
};

struct DistancePolicy {
    std::vector<int> kinds;
    std::vector<double> weights;  // of the kinds, action after action; none beyond the last

    [[nodiscard]] double weight(std::size_t action, std::size_t kind) const noexcept {
        const std::size_t place = action * kinds.size() + kind;
        return place < weights.size() ? weights[place] : 0.0;
    }
};

struct GreedyPolicy {
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    int columns = 0, rows = 0;
    std::vector<double> costs;  // row after row
    double epsilon = 0.0;
    bool has_target = false;
    int kind = 0, id = 0;  // of the target
    double near = 0.0;

    [[nodiscard]] bool holds(Cell cell) const noexcept {
        return cell.column >= 0 && cell.column < columns && cell.row >= 0 && cell.row < rows;
    }
    [[nodiscard]] double cost(Cell cell) const noexcept {
        if (!holds(cell)) return kNever;
        return costs[static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(cell.column)];
    }
};

template <WorldRules R>
[[nodiscard]] typename R::Action choose_for(const UniformPolicy& /*policy*/, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    const int count = rules.legal(state, seat, legal);
    return legal[rng.below(static_cast<std::uint64_t>(count))];
}

template <WorldRules R>
[[nodiscard]] typename R::Action choose_for(const WeightedPolicy& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    std::array<double, static_cast<std::size_t>(R::kMaxLegal)> weights;
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        weights[i] = policy.weight(legal[i]);
        any = any || weights[i] > 0.0;
    }
    if (!any) return legal[rng.below(count)];
    return legal[rng.weighted(std::span<const double>(weights.data(), count))];
}

template <KnowsObjects R>
[[nodiscard]] typename R::Action choose_for(const DistancePolicy& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    std::array<double, static_cast<std::size_t>(R::kMaxLegal)> sums{};
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    for (std::size_t k = 0; k < policy.kinds.size(); ++k) {
        const double distance = distance_to(rules, state, seat, policy.kinds[k]);
        if (std::isnan(distance)) continue;
        for (std::size_t i = 0; i < count; ++i) sums[i] += policy.weight(legal[i], k) * distance;
    }
    const double lowest =
        *std::min_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) sums[i] = std::exp(lowest - sums[i]);
    return legal[rng.weighted(std::span<const double>(sums.data(), count))];
}

template <KnowsObjects R>
[[nodiscard]] typename R::Action choose_for(const GreedyPolicy& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    std::array<Cell, static_cast<std::size_t>(R::kMaxLegal)> ahead;
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    const Cell here = avatar_cell(rules, state, seat);
    LegalBuffer<R> kept;  // what is drawn from
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Cell step = heading_of(rules, legal[i]);
        ahead[i] = {here.column + step.column, here.row + step.row};
        if (policy.holds(ahead[i])) kept[left++] = legal[i];
    }
    const auto draw = [&] { return left == 0 ? legal[rng.below(count)] : kept[rng.below(left)]; };
    if (rng.uniform() < policy.epsilon) return draw();
    std::optional<Cell> target;
    if (policy.has_target) {
        target = cell_of(rules, state, policy.kind, policy.id);
        if (!target) return draw();
    }
    const bool is_near = target && policy.cost(here) <= policy.near;
    double lowest = GreedyPolicy::kNever;
    left = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double price = policy.cost(ahead[i]);
        if (is_near && (price < GreedyPolicy::kNever || ahead[i] == *target)) {
            const double x = ahead[i].column - target->column;
            const double y = ahead[i].row - target->row;
            price = x * x + y * y;
        }
        if (price < lowest) {
            lowest = price;
            left = 0;
        }
        if (price == lowest) kept[left++] = legal[i];
    }
    return draw();
}

template <NamesPolicies R>
[[nodiscard]] typename R::Action choose_for(const NamedPolicy& policy, const R& rules,
                                            const typename R::State& state, int /*seat*/,
                                            Rng& rng) noexcept {
    return rules.choose(state, policy.number, rng);
}

// Choose for every seat to act, in ascending order.
template <class Policy, WorldRules R>
std::size_t choose_all(const Policy& policy, const R& rules, const typename R::State& state,
                       SeatSet seats, JointAction<R>& joint, Rng& rng) noexcept {
    std::size_t place = 0;
    for (; seats != kNobody; seats &= seats - 1, ++place) {
        joint[place] = choose_for(policy, rules, state, std::countr_zero(seats), rng);
    }
    return place;
}

// Watches nothing; the base of those that do.
struct Unwatched {
    template <class S, class A>
    void before_tick(const S& /*state*/, std::span<const A> /*joint*/) {}
    template <class S>
    void after_tick(const S& /*state*/) {}  // chance may be pending
    template <class S>
    void after_settling(const S& /*state*/) {}
};

// Act and settle; false, with nothing done, when the budget is spent.
template <WorldRules R, class Watcher>
[[nodiscard]] bool play_tick(const R& rules, typename R::State& state,
                             std::span<const typename R::Action> actions, Rng& rng, Meter& meter,
                             Watcher& watcher, RolloutEnd& end) {
    if (!meter.spend()) {
        end.refused = end.ticks == 0;
        end.cut = !end.refused;
        return false;
    }
    watcher.before_tick(state, actions);
    rules.apply(state, actions, rng);
    watcher.after_tick(state);
    settle(rules, state, rng);
    watcher.after_settling(state);
    ++end.ticks;
    return true;
}

// Settle, then act by the policy and settle until the end, the limit or the end of the budget.
// Goes on from where an opening ended.
template <class Policy, WorldRules R, class Watcher>
RolloutEnd rollout_by(const Policy& policy, const R& rules, typename R::State& state,
                      std::int64_t limit, Rng& rng, Meter& meter, Watcher& watcher,
                      RolloutEnd end = {}) {
    const std::int64_t last = end.ticks + limit;
    settle(rules, state, rng);
    JointAction<R> joint;
    while (end.ticks < last) {
        const SeatSet seats = rules.to_act(state);
        if (seats == kNobody) break;
        const std::size_t acting = choose_all(policy, rules, state, seats, joint, rng);
        const std::span<const typename R::Action> actions(joint.data(), acting);
        if (!play_tick(rules, state, actions, rng, meter, watcher, end)) break;
    }
    return end;
}

// Settle, then play what is given and settle, up to the first tick where what is legal is not what
// it was in the beginning, or where what is given is not legal. `given(tick, place)` as in `play`.
template <WorldRules R, class Given, class Watcher>
RolloutEnd play_opening(const R& rules, typename R::State& state, std::int64_t ticks, Given&& given,
                        Rng& rng, Meter& meter, Watcher& watcher) {
    RolloutEnd end;
    settle(rules, state, rng);
    const Choices<R> choices(rules, state);
    JointAction<R> joint;
    const std::span<const typename R::Action> actions(joint.data(), choices.seats());
    while (end.ticks < ticks && choices.hold_in(state)) {
        if (!choices.read([&](std::size_t place) { return given(end.ticks, place); }, joint)) break;
        if (!play_tick(rules, state, actions, rng, meter, watcher, end)) break;
    }
    return end;
}

template <WorldRules R>
RolloutEnd rollout(const R& rules, typename R::State& state, std::int64_t limit, Rng& rng,
                   Meter& meter) noexcept {
    Unwatched nobody;
    return rollout_by(UniformPolicy{}, rules, state, limit, rng, meter, nobody);
}

}  // namespace ludex

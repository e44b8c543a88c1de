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
#include <memory>
#include <optional>
#include <span>
#include <variant>
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

// What a policy draws in proportion to.
template <KnowsObjects R>
void weigh_distances(const DistancePolicy& policy, const R& rules, const typename R::State& state,
                     int seat, std::span<const typename R::Action> legal,
                     std::span<double> sums) noexcept {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < policy.kinds.size(); ++k) {
        const double distance = distance_to(rules, state, seat, policy.kinds[k]);
        if (std::isnan(distance)) continue;
        for (std::size_t i = 0; i < legal.size(); ++i) {
            sums[i] += policy.weight(legal[i], k) * distance;
        }
    }
    const double lowest = *std::min_element(sums.begin(), sums.end());
    for (double& sum : sums) sum = std::exp(lowest - sum);
}

template <KnowsObjects R>
[[nodiscard]] typename R::Action choose_for(const DistancePolicy& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    std::array<double, static_cast<std::size_t>(R::kMaxLegal)> weights;
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    const std::span<double> drawn(weights.data(), count);
    weigh_distances(policy, rules, state, seat, std::span(legal).first(count), drawn);
    return legal[rng.weighted(drawn)];
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

// A move that wins at once where there is one, else any (Teytaud and Teytaud 2010). Each try is a
// model call; with several seats to act at once there is no such move.
struct DecisivePolicy {};

// A type of action in proportion to its weight, then any action of it.
struct TypePolicy {
    std::vector<double> by_type;

    [[nodiscard]] double weight(int type) const noexcept {
        const auto place = static_cast<std::size_t>(type);
        return place < by_type.size() ? by_type[place] : 0.0;
    }
};

// The types of listed actions, in the order in which they come up, and how many actions each has.
template <class R>
    requires KnowsTypes<R>
struct ListedTypes {
    std::array<int, static_cast<std::size_t>(R::kMostTypes)> types;
    std::array<std::uint32_t, static_cast<std::size_t>(R::kMostTypes)> sizes{};
    std::size_t count = 0;

    explicit ListedTypes(std::span<const typename R::Action> listed) noexcept {
        for (const typename R::Action action : listed) ++sizes[place_of(R::type_of(action))];
    }
    // Where a type is, which is added if it is new.
    std::size_t place_of(int type) noexcept {
        std::size_t place = 0;
        while (place < count && types[place] != type) ++place;
        if (place == count) types[count++] = type;
        return place;
    }
    // The action at an index of those that have this type.
    [[nodiscard]] typename R::Action at(std::span<const typename R::Action> listed,
                                        std::size_t place, std::uint64_t index) const noexcept {
        for (const typename R::Action action : listed) {
            if (R::type_of(action) == types[place] && index-- == 0) return action;
        }
        return listed.front();  // not reached
    }
    // The weights of a policy; all as likely when none has one.
    void put_weights(const TypePolicy& policy, std::span<double> weights) const noexcept {
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) {
            weights[i] = policy.weight(types[i]);
            any = any || weights[i] > 0.0;
        }
        if (!any) std::fill_n(weights.begin(), count, 1.0);
    }
};

template <WorldRules R>
    requires KnowsTypes<R>
[[nodiscard]] typename R::Action choose_for(const TypePolicy& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    const int count = rules.legal(state, seat, legal);
    const auto listed =
        std::span<const typename R::Action>(legal).first(static_cast<std::size_t>(count));
    const ListedTypes<R> types(listed);
    std::array<double, static_cast<std::size_t>(R::kMostTypes)> weights;
    types.put_weights(policy, weights);
    const std::size_t drawn = rng.weighted(std::span<const double>(weights.data(), types.count));
    return types.at(listed, drawn, rng.below(types.sizes[drawn]));
}

// Any type of action that is legal, then any action of it, as core/fallback.py draws; for rules
// that know types but have no policy of that name.
struct TypeFirstPolicy {};

template <WorldRules R>
    requires KnowsTypes<R>
[[nodiscard]] typename R::Action choose_for(const TypeFirstPolicy& /*policy*/, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    LegalBuffer<R> legal;
    const int count = rules.legal(state, seat, legal);
    const auto listed =
        std::span<const typename R::Action>(legal).first(static_cast<std::size_t>(count));
    const ListedTypes<R> types(listed);
    const std::size_t drawn = types.count > 1 ? rng.below(types.count) : 0;
    const std::uint32_t size = types.sizes[drawn];
    return types.at(listed, drawn, size > 1 ? rng.below(size) : 0);
}

// A function of native code, of an agent for example: it returns a legal action. `context` is what
// it needs, and is kept alive with it.
template <class R>
struct FunctionPolicy {
    using Choose = typename R::Action (*)(const void* context, const R& rules,
                                          const typename R::State& state, int seat, Rng& rng);
    Choose choose = nullptr;
    std::shared_ptr<const void> context;
};

template <WorldRules R>
[[nodiscard]] typename R::Action choose_for(const FunctionPolicy<R>& policy, const R& rules,
                                            const typename R::State& state, int seat,
                                            Rng& rng) noexcept {
    return policy.choose(policy.context.get(), rules, state, seat, rng);
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

// The same by a policy of the rules' own, which play on by themselves from one look at the meter to
// the next.
template <NamesPolicies R>
RolloutEnd rollout_by(const NamedPolicy& policy, const R& rules, typename R::State& state,
                      std::int64_t limit, Rng& rng, Meter& meter, Unwatched& /*watcher*/,
                      RolloutEnd end = {}) {
    constexpr std::int64_t kStretch = 64;
    const std::int64_t last = end.ticks + limit;
    settle(rules, state, rng);
    while (end.ticks < last && rules.to_act(state) != kNobody) {
        const std::int64_t granted = meter.take(std::min(kStretch, last - end.ticks));
        if (granted == 0) {
            end.refused = end.ticks == 0;
            end.cut = !end.refused;
            break;
        }
        const std::int64_t played = rules.play_on(state, policy.number, granted, rng);
        meter.untake(granted - played);
        end.ticks += played;
    }
    return end;
}

// A winning move, any, or nothing when the budget ends in the search for it.
template <WorldRules R>
[[nodiscard]] std::optional<typename R::Action> choose_decisive(const R& rules,
                                                                const typename R::State& state,
                                                                int seat, Rng& rng, Meter& meter) {
    LegalBuffer<R> legal;
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    if (std::popcount(rules.to_act(state)) == 1) {
        typename R::State after;
        for (std::size_t i = 0; i < count; ++i) {
            after = state;
            meter.count_copy();
            if (!meter.spend()) return std::nullopt;
            rules.apply(after, std::span<const typename R::Action>(&legal[i], 1), rng);
            if (rules.over(after) && has_won(rules, after, seat)) return legal[i];
        }
    }
    return legal[rng.below(count)];
}

template <WorldRules R>
RolloutEnd rollout_by(const DecisivePolicy& /*policy*/, const R& rules, typename R::State& state,
                      std::int64_t limit, Rng& rng, Meter& meter, Unwatched& watcher,
                      RolloutEnd end = {}) {
    const std::int64_t last = end.ticks + limit;
    settle(rules, state, rng);
    JointAction<R> joint;
    while (end.ticks < last) {
        SeatSet seats = rules.to_act(state);
        if (seats == kNobody) break;
        std::size_t acting = 0;
        for (; seats != kNobody; seats &= seats - 1, ++acting) {
            const auto chosen = choose_decisive(rules, state, std::countr_zero(seats), rng, meter);
            if (!chosen) {
                end.cut = true;
                return end;
            }
            joint[acting] = *chosen;
        }
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

// Any policy that native code plays, told apart once in a rollout.
template <WorldRules R>
using AnyPolicy =
    std::variant<UniformPolicy, NamedPolicy, TypeFirstPolicy, TypePolicy, WeightedPolicy,
                 DistancePolicy, GreedyPolicy, DecisivePolicy, FunctionPolicy<R>>;

// Whether rules can play a policy at all.
template <class Policy, WorldRules R>
constexpr bool kPlays = [] {
    if constexpr (std::is_same_v<Policy, NamedPolicy>) {
        return NamesPolicies<R>;
    } else if constexpr (std::is_same_v<Policy, TypeFirstPolicy> ||
                         std::is_same_v<Policy, TypePolicy>) {
        return KnowsTypes<R>;
    } else if constexpr (std::is_same_v<Policy, DistancePolicy> ||
                         std::is_same_v<Policy, GreedyPolicy>) {
        return KnowsObjects<R>;
    } else {
        return true;
    }
}();

template <WorldRules R>
RolloutEnd rollout_by_any(const AnyPolicy<R>& policy, const R& rules, typename R::State& state,
                          std::int64_t limit, Rng& rng, Meter& meter) {
    return std::visit(
        [&](const auto& one) {
            Unwatched nobody;
            if constexpr (kPlays<std::decay_t<decltype(one)>, R>) {
                return rollout_by(one, rules, state, limit, rng, meter, nobody);
            } else {
                return RolloutEnd{};  // refused when it was read
            }
        },
        policy);
}

template <WorldRules R>
RolloutEnd rollout(const R& rules, typename R::State& state, std::int64_t limit, Rng& rng,
                   Meter& meter) noexcept {
    Unwatched nobody;
    return rollout_by(UniformPolicy{}, rules, state, limit, rng, meter, nobody);
}

}  // namespace ludex

// Rollouts for Python: which policy plays, what is watched, and what is returned.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind_actions.hpp"
#include "border.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "meter.hpp"
#include "policies.hpp"
#include "rng.hpp"
#include "rollout.hpp"
#include "unlock.hpp"
#include "world.hpp"

namespace ludex {

namespace nb = nanobind;

// Optional: worlds whose `events` can be asked after a rollout, from a state kept for that.
template <class R>
concept KeepsEvents = requires(const R& rules, const typename R::State& state) {
    // A state for which `events` answers as for this one; none when nothing happened.
    { events_of(rules, state) } -> std::same_as<std::optional<typename R::State>>;
};

// What can be traced without coming back to Python in every tick.
template <class R>
concept Traceable = KnowsObjects<R> && KeepsEvents<R>;

[[nodiscard]] inline bool is_uniform(PyObject* policy, PyObject* uniform_text) noexcept {
    return policy == uniform_text ||
           (PyUnicode_Check(policy) && PyUnicode_Compare(policy, uniform_text) == 0);
}

template <NamesPolicies R>
[[nodiscard]] std::optional<int> find_policy(const nb::object& policy) {
    if (!PyUnicode_Check(policy.ptr())) return std::nullopt;
    return R::find_policy(nb::cast<std::string>(policy));
}

template <WorldRules R>
Rollout make_rollout(const R& rules, typename R::State&& state, const RolloutEnd& end) {
    Rollout made;
    made.ticks = end.ticks;
    made.cut = end.cut;
    made.scores = PerSeat::from(rules.seats(), [&](int seat) { return rules.score(state, seat); });
    if (rules.over(state)) {
        made.returns =
            PerSeat::from(rules.seats(), [&](int seat) { return rules.return_of(state, seat); });
    }
    made.state = nb::cast(std::move(state));
    return made;
}

// Keeps what was asked for: the last tick, or facts about every one.
template <WorldRules R>
class Recorder {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    Recorder(const R& rules, bool traces, bool backtracks)
        : rules_(rules), traces_(traces), backtracks_(backtracks) {}

    void before_tick(const State& state, std::span<const Action> joint) {
        if (!backtracks_) return;
        before_ = state;
        last_.assign(joint.begin(), joint.end());
    }
    void after_tick([[maybe_unused]] const State& state) {
        if constexpr (Traceable<R>) {
            if (traces_) events_.push_back(events_of(rules_, state));
        }
    }
    void after_settling([[maybe_unused]] const State& state) {
        if constexpr (Traceable<R>) {
            if (!traces_) return;
            for (int seat = 0; seat < rules_.seats(); ++seat) {
                scores_.push_back(rules_.score(state, seat));
                avatars_.push_back(avatar_cell(rules_, state, seat));
            }
        }
    }

    void add_to(Rollout& made, nb::handle model, Meter& meter) {
        if (backtracks_) {
            meter.count_copy(made.ticks);
            if (made.ticks > 0) {
                made.before = nb::cast(std::move(before_));
                nb::list actions;
                for (const Action action : last_) actions.append(static_cast<long>(action));
                made.last = nb::tuple(actions);
            }
        }
        if (traces_) made.trace = trace(model);
    }

private:
    // The three lists of core.fallback.Trace.
    nb::object trace(nb::handle model) {
        nb::list scores, avatars, events;
        const auto seats = static_cast<std::size_t>(rules_.seats());
        const nb::object ask = model.attr("events");
        for (std::size_t tick = 0; tick < events_.size(); ++tick) {
            nb::list points, cells;
            for (std::size_t i = tick * seats; i < (tick + 1) * seats; ++i) {
                points.append(scores_[i]);
                cells.append(nb::make_tuple(avatars_[i].column, avatars_[i].row));
            }
            scores.append(nb::tuple(points));
            avatars.append(nb::tuple(cells));
            events.append(events_[tick] ? ask(nb::cast(std::move(*events_[tick]))) : nb::tuple());
        }
        return nb::module_::import_("ludex.core.fallback").attr("Trace")(scores, avatars, events);
    }

    const R& rules_;
    bool traces_, backtracks_;
    State before_{};
    std::vector<Action> last_;
    std::vector<double> scores_;
    std::vector<Cell> avatars_;
    std::vector<std::optional<State>> events_;
};

// The joint actions that a rollout begins with, read straight from Python's tuples, which nobody
// can change; the interpreter's lock is held while they are played.
template <WorldRules R>
class Opening {
public:
    // Those who act now are known, so the first joint action must be theirs.
    Opening(nb::handle joints, int seats, SeatSet acting)
        : joints_(as_tuple(joints, "an opening is a list of joint actions")) {
        for (std::int64_t tick = 0; tick < ticks(); ++tick) check_planned(joint(tick), seats);
        if (ticks() > 0) check_number(acting, static_cast<std::size_t>(PyTuple_GET_SIZE(joint(0))));
    }

    [[nodiscard]] std::int64_t ticks() const noexcept { return PyTuple_GET_SIZE(joints_.ptr()); }
    [[nodiscard]] std::optional<typename R::Action> at(std::int64_t tick,
                                                       std::size_t place) const noexcept {
        return actions_in<R>(joint(tick))(place);
    }

private:
    [[nodiscard]] PyObject* joint(std::int64_t tick) const noexcept {
        return PyTuple_GET_ITEM(joints_.ptr(), static_cast<Py_ssize_t>(tick));
    }

    nb::object joints_;
};

// What of a rollout goes on after its opening was played.
template <class M, class Policy, class Watcher>
RolloutEnd play_rollout(nb::pointer_and_handle<M> self, const Policy& policy,
                        typename M::Rules::State& state, std::int64_t limit, Rng& rng,
                        const Opening<typename M::Rules>& opening, Watcher& watcher) {
    using R = typename M::Rules;
    const R& rules = self.p->rules;
    Meter& meter = *self.p->meter;
    RolloutEnd end;
    if (opening.ticks() > 0) {
        const auto given = [&](std::int64_t tick, std::size_t place) {
            return opening.at(tick, place);
        };
        end = play_opening(rules, state, opening.ticks(), given, rng, meter, watcher);
        if (end.ticks < opening.ticks()) return end;
    }
    LongCall call(std::min(limit, R::kLongestGame) >= kLongCall, meter, limit);
    return rollout_by(policy, rules, state, limit, rng, call.meter(), watcher, end);
}

template <class M, class Policy>
nb::object run_rollout(nb::pointer_and_handle<M> self, const Policy& policy,
                       const typename M::Rules::State& state, std::int64_t limit, Rng& rng,
                       bool trace, bool backtrack, const Opening<typename M::Rules>& opening) {
    using R = typename M::Rules;
    const R& rules = self.p->rules;
    Meter& meter = *self.p->meter;
    typename R::State current = state;
    meter.count_copy();
    if (!trace && !backtrack) {
        Unwatched nobody;
        const RolloutEnd end = play_rollout(self, policy, current, limit, rng, opening, nobody);
        if (end.refused) raise_budget_spent();
        return nb::cast(make_rollout(rules, std::move(current), end));
    }
    Recorder<R> recorder(rules, trace, backtrack);
    const RolloutEnd end = play_rollout(self, policy, current, limit, rng, opening, recorder);
    if (end.refused) raise_budget_spent();
    Rollout made = make_rollout(rules, std::move(current), end);
    recorder.add_to(made, self.h, meter);
    return nb::cast(std::move(made));
}

inline void check_map(const GreedyPolicy& policy, Cell grid) {
    if (policy.columns == grid.column && policy.rows == grid.row) return;
    const auto size = [](int columns, int rows) {
        return std::to_string(rows) + " rows of " + std::to_string(columns) + " cells";
    };
    raise_bad_parameter("a cost map of " + size(policy.columns, policy.rows) +
                        " does not fit this level, which has " + size(grid.column, grid.row));
}

// Policies that are known here are played here; any other is called for every action.
template <class M>
nb::object bound_rollout(nb::pointer_and_handle<M> self,
                         const Given<typename M::Rules::State>& given, const nb::object& policy,
                         std::int64_t given_limit, Rng& rng, bool trace, bool backtrack,
                         const nb::object& opening) {
    using R = typename M::Rules;
    constexpr std::int64_t kMostTicks = std::int64_t{1} << 40;  // so that sums stay in range
    const std::int64_t limit = std::min(given_limit, kMostTicks);
    const typename R::State& state = own_state(self.p->rules, given);
    if (Traceable<R> || !trace) {
        const Opening<R> first(opening, self.p->rules.seats(), self.p->rules.to_act(state));
        const auto run = [&](const auto& known) {
            return run_rollout(self, known, state, limit, rng, trace, backtrack, first);
        };
        if (is_uniform(policy.ptr(), self.p->uniform_text.ptr())) return run(UniformPolicy{});
        if constexpr (NamesPolicies<R>) {
            if (const auto named = find_policy<R>(policy)) return run(NamedPolicy{*named});
        }
        const nb::object form = nb::getattr(policy, "native", nb::none());
        if (nb::isinstance<WeightedPolicy>(form)) return run(nb::cast<const WeightedPolicy&>(form));
        if (nb::isinstance<FunctionPolicy<R>>(form)) {
            return run(nb::cast<const FunctionPolicy<R>&>(form));
        }
        if constexpr (KnowsTypes<R>) {
            if (nb::isinstance<TypePolicy>(form)) return run(nb::cast<const TypePolicy&>(form));
        }
        if constexpr (KnowsObjects<R>) {
            if (nb::isinstance<DistancePolicy>(form)) {
                return run(nb::cast<const DistancePolicy&>(form));
            }
            if (nb::isinstance<GreedyPolicy>(form)) {
                const auto& greedy = nb::cast<const GreedyPolicy&>(form);
                check_map(greedy, grid_of(self.p->rules));
                return run(greedy);
            }
        }
    }
    // Python choosing or Python watching: the loop may as well be Python. It draws from the
    // caller's own stream, not from a copy of it.
    return nb::module_::import_("ludex.core.fallback")
        .attr("rollout")(self.h, nb::handle(given.object), policy, limit,
                         nb::cast(rng, nb::rv_policy::reference), trace, backtrack, opening);
}

}  // namespace ludex

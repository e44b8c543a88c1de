// Binds the hot half of the Model contract for any native rules.
//
// The world's Python class inherits from what this binds and adds the cold methods (traits,
// outcome, view, ...), so that no hot call passes through a Python frame.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "kernels.hpp"
#include "meter.hpp"
#include "rng.hpp"
#include "rollout.hpp"
#include "timing.hpp"
#include "world.hpp"

namespace ludex {

namespace nb = nanobind;

// Calls of fewer ticks than this keep the interpreter's lock: letting go of it costs more than
// other threads would win. Longer ones work on copies of states made before; the meter and the
// generator they use belong to one mind, and so to one thread at a time.
constexpr std::int64_t kLongCall = 512;

class MaybeRelease {
public:
    explicit MaybeRelease(bool release) {
        if (release) released_.emplace();
    }

private:
    std::optional<nb::gil_scoped_release> released_;
};

// Rules, the meter their calls are counted on, and ready-made answers of `to_act`.
template <WorldRules R>
struct Model {
    explicit Model(R the_rules = R{}) : Model(std::move(the_rules), nb::cast(Meter())) {}

    Model(R the_rules, nb::object the_meter)
        : rules(std::move(the_rules)), meter_object(std::move(the_meter)) {
        meter = &nb::cast<Meter&>(meter_object);
        const SeatSet sets = rules.seats() <= kFewSeats ? SeatSet{1} << rules.seats() : 1;
        for (SeatSet set = 0; set < sets; ++set) seat_tuples.push_back(seat_tuple(set));
    }

    static nb::object seat_tuple(SeatSet set) {
        PyObject* const tuple = PyTuple_New(std::popcount(set));
        for (Py_ssize_t place = 0; set != kNobody; set &= set - 1, ++place) {
            PyTuple_SET_ITEM(tuple, place, PyLong_FromLong(std::countr_zero(set)));
        }
        return nb::steal(tuple);
    }

    static constexpr int kFewSeats = 6;

    R rules;
    nb::object meter_object;
    Meter* meter = nullptr;
    std::vector<nb::object> seat_tuples;
    // Python keeps one copy of the words in a program, so mostly a pointer is compared.
    nb::object uniform_text = nb::steal(PyUnicode_InternFromString("uniform"));
};

[[nodiscard]] inline bool is_uniform(PyObject* policy, PyObject* uniform_text) noexcept {
    return policy == uniform_text ||
           (PyUnicode_Check(policy) && PyUnicode_Compare(policy, uniform_text) == 0);
}

// A number that is in range, or nothing: rubbish from outside is replaced, not refused.
template <SmallNumber N>
[[nodiscard]] std::optional<N> read_number(PyObject* item) noexcept {
    int overflow = 0;
    long long value = 0;
    if (PyLong_Check(item)) [[likely]] {
        value = PyLong_AsLongLongAndOverflow(item, &overflow);
    } else {
        PyObject* const index = PyIndex_Check(item) ? PyNumber_Index(item) : nullptr;  // numpy
        if (index == nullptr) {
            PyErr_Clear();
            return std::nullopt;
        }
        value = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DECREF(index);
    }
    if (overflow != 0 || value < 0 ||
        static_cast<unsigned long long>(value) > std::numeric_limits<N>::max()) {
        return std::nullopt;
    }
    return static_cast<N>(value);
}

// Reads actions straight from Python's tuple; a place that is missing is no action.
template <WorldRules R>
auto actions_in(const nb::tuple& actions) noexcept {
    PyObject* const tuple = actions.ptr();
    return [tuple](std::size_t place) -> std::optional<typename R::Action> {
        const auto index = static_cast<Py_ssize_t>(place);
        if (index >= PyTuple_GET_SIZE(tuple)) return std::nullopt;
        return read_number<typename R::Action>(PyTuple_GET_ITEM(tuple, index));
    };
}

template <WorldRules R>
void check_seat(const R& rules, int seat) {
    if (seat < 0 || seat >= rules.seats()) throw nb::index_error("there is no such seat");
}

template <WorldRules R>
nb::object make_rollout(const R& rules, typename R::State&& state, const RolloutEnd& end) {
    Rollout made;
    made.ticks = end.ticks;
    made.cut = end.cut;
    made.scores = PerSeat::from(rules.seats(), [&](int seat) { return rules.score(state, seat); });
    if (rules.over(state)) {
        made.returns =
            PerSeat::from(rules.seats(), [&](int seat) { return rules.return_of(state, seat); });
    }
    made.state = nb::cast(std::move(state));
    return nb::cast(std::move(made));
}

// Joint actions read from Python before the lock is let go: one row per tick.
template <WorldRules R>
struct Script {
    std::vector<std::optional<typename R::Action>> actions;
    std::vector<std::size_t> ends;  // of each row in `actions`

    void add(const nb::tuple& joint) {
        for (const nb::handle item : joint) {
            actions.push_back(read_number<typename R::Action>(item.ptr()));
        }
        ends.push_back(actions.size());
    }
    [[nodiscard]] std::optional<typename R::Action> at(std::size_t row,
                                                       std::size_t place) const noexcept {
        const std::size_t index = (row == 0 ? 0 : ends[row - 1]) + place;
        return index < ends[row] ? actions[index] : std::nullopt;
    }
};

template <WorldRules R>
nb::list play_all(Model<R>& model, const typename R::State& state, const nb::sequence& sequences,
                  const Rng& rng) {
    Script<R> script;
    std::vector<std::size_t> starts;  // the first row of each sequence, and the end of the last
    for (const nb::handle sequence : sequences) {
        starts.push_back(script.ends.size());
        for (const nb::handle joint : sequence) script.add(nb::cast<nb::tuple>(joint));
    }
    const std::size_t count = starts.size();
    starts.push_back(script.ends.size());

    struct Played {
        typename R::State state;
        RolloutEnd end;
    };
    std::vector<Played> played;
    played.reserve(count);
    const Rng streams = rng.fork("play");
    {
        const MaybeRelease lock(static_cast<std::int64_t>(script.ends.size()) >= kLongCall);
        for (std::size_t i = 0; i < count; ++i) {
            Rng stream = streams.fork(i);
            typename R::State current = state;
            model.meter->count_copy();
            const auto given = [&](std::int64_t tick, std::size_t place) {
                return script.at(starts[i] + static_cast<std::size_t>(tick), place);
            };
            const auto ticks = static_cast<std::int64_t>(starts[i + 1] - starts[i]);
            const RolloutEnd end = play(model.rules, current, ticks, given, stream, *model.meter);
            if (end.refused) break;
            played.push_back({current, end});
            if (end.cut) break;
        }
    }
    if (played.empty() && count > 0) raise_budget_spent();
    nb::list results;
    for (Played& one : played) {
        results.append(make_rollout(model.rules, std::move(one.state), one.end));
    }
    return results;
}

template <WorldRules R>
nb::list step_all(Model<R>& model, const nb::sequence& states, const nb::sequence& actions,
                  const Rng& rng) {
    std::vector<typename R::State> after;
    Script<R> script;
    for (const nb::handle state : states) {
        after.push_back(nb::cast<const typename R::State&>(state));
    }
    for (const nb::handle joint : actions) script.add(nb::cast<nb::tuple>(joint));
    if (after.size() != script.ends.size()) {
        throw nb::value_error("step_many needs as many joint actions as states");
    }
    const Rng streams = rng.fork("step");
    std::size_t reached = 0;
    {
        const MaybeRelease lock(static_cast<std::int64_t>(after.size()) >= kLongCall);
        for (; reached < after.size(); ++reached) {
            Rng stream = streams.fork(reached);
            model.meter->count_copy();
            const auto given = [&](std::size_t place) { return script.at(reached, place); };
            if (!advance(model.rules, after[reached], given, stream, *model.meter)) break;
            settle(model.rules, after[reached], stream);
        }
    }
    if (reached == 0 && !after.empty()) raise_budget_spent();
    nb::list results;
    for (std::size_t i = 0; i < reached; ++i) results.append(nb::cast(std::move(after[i])));
    return results;
}

template <NamesPolicies R>
[[nodiscard]] std::optional<int> find_policy(const nb::object& policy) {
    if (!PyUnicode_Check(policy.ptr())) return std::nullopt;
    return R::find_policy(nb::cast<std::string>(policy));
}

template <NamesPolicies R>
nb::object roll_out_named(Model<R>& model, const typename R::State& state, int policy,
                          std::int64_t limit, Rng& rng) {
    typename R::State current = state;
    model.meter->count_copy();
    RolloutEnd end;
    {
        const MaybeRelease lock(std::min(limit, R::kLongestGame) >= kLongCall);
        end = rollout(model.rules, current, limit, rng, *model.meter, policy);
    }
    if (end.refused) raise_budget_spent();
    return make_rollout(model.rules, std::move(current), end);
}

// `choose` and `bench_games`, for rules with policies of their own.
template <NamesPolicies R>
void bind_policies(nb::class_<Model<R>>& model) {
    using namespace nb::literals;
    using State = typename R::State;
    const auto known = [](const nb::object& policy) {
        const auto found = find_policy<R>(policy);
        if (!found) throw nb::value_error("this world has no policy of that name");
        return *found;
    };
    model
        .def(
            "choose",
            [known](const Model<R>& self, const State& state, const nb::object& policy, Rng& rng) {
                if (self.rules.to_act(state) == kNobody) {
                    throw nb::index_error("nobody is to act in this state");
                }
                return self.rules.choose(state, known(policy), rng);
            },
            nb::sig("def choose(self, state: State, policy: str, rng: ludex.core._native.Rng) -> "
                    "int"),
            "state"_a, "policy"_a, "rng"_a, "Draw an action as a rollout by this policy does.")
        .def(
            "bench_games",
            [known](const Model<R>& self, const nb::object& policy, double seconds) {
                const int found = known(policy);
                const nb::gil_scoped_release unlocked;
                return time_games(self.rules, found, seconds);
            },
            nb::sig("def bench_games(self, policy: str, seconds: float = 0.5) -> float"),
            "policy"_a, "seconds"_a = 0.5, "Measure whole games per CPU-second.");
}

template <WorldRules R>
void bind_chance(nb::class_<Model<R>>& model) {
    using namespace nb::literals;
    using State = typename R::State;
    model
        .def(
            "chance",
            [](const Model<R>& self, const State& state) {
                if constexpr (ListsChance<R>) {
                    std::array<Chance<typename R::Outcome>, R::kMaxOutcomes> listed;
                    const int count = self.rules.chance(state, listed);
                    PyObject* const tuple = PyTuple_New(count);
                    for (int i = 0; i < count; ++i) {
                        const auto& one = listed[static_cast<std::size_t>(i)];
                        nb::tuple pair = nb::make_tuple(one.outcome, one.probability);
                        PyTuple_SET_ITEM(tuple, i, pair.release().ptr());
                    }
                    return nb::steal<nb::tuple>(tuple);
                } else {
                    (void)self, (void)state;
                    return nb::make_tuple();
                }
            },
            nb::sig("def chance(self, state: State) -> tuple[tuple[int, float], ...]"), "state"_a)
        .def(
            "resolve",
            [](const Model<R>& self, const State& state, const nb::int_& outcome) {
                State after = state;
                if constexpr (ListsChance<R>) {
                    std::array<Chance<typename R::Outcome>, R::kMaxOutcomes> listed;
                    const int count = self.rules.chance(state, listed);
                    const auto number = read_number<typename R::Outcome>(outcome.ptr());
                    for (int i = 0; number && i < count; ++i) {
                        if (listed[static_cast<std::size_t>(i)].outcome != *number) continue;
                        self.meter->count_copy();
                        self.rules.resolve(after, *number);
                        return after;
                    }
                }
                (void)self;
                throw nb::value_error("no such outcome of chance is pending in this state");
                return after;  // not reached; gives the lambda its type
            },
            nb::sig("def resolve(self, state: State, outcome: typing.Any) -> State"), "state"_a,
            "outcome"_a)
        .def(
            "settle",
            [](const Model<R>& self, State& state, Rng& rng) {
                if constexpr (ListsChance<R>) {
                    nb::list drawn;
                    settle(self.rules, state, rng, [&](auto outcome) { drawn.append(outcome); });
                    return nb::tuple(drawn);
                } else {
                    (void)state, (void)rng;
                    return nb::borrow<nb::tuple>(self.seat_tuples[0]);  // the empty tuple
                }
            },
            nb::sig("def settle(self, state: State, rng: ludex.core._native.Rng) -> "
                    "tuple[int, ...]"),
            "state"_a, "rng"_a);
}

// Call after bind_state<State>. The world's bindings add `__init__` with its options.
template <WorldRules R>
nb::class_<Model<R>> bind_model(nb::module_& m, const char* doc) {
    using namespace nb::literals;
    using State = typename R::State;
    using M = Model<R>;
    nb::module_::import_("ludex.core._native");  // Rng, Meter and Rollout live there

    nb::class_<M> model(m, "Model", doc);
    model
        .def_prop_ro(
            "meter", [](const M& self) { return self.meter_object; },
            nb::sig("def meter(self) -> ludex.core._native.Meter"))
        .def(
            "metered",
            [](nb::pointer_and_handle<M> self, nb::object meter) {
                // A twin of the same Python class, with the same attributes.
                (void)nb::cast<Meter&>(meter);
                nb::object twin = nb::inst_alloc(self.h.type());
                new (nb::inst_ptr<M>(twin)) M(self.p->rules, std::move(meter));
                nb::inst_mark_ready(twin);
                if (nb::hasattr(self.h, "__dict__")) {
                    nb::cast<nb::dict>(twin.attr("__dict__"))
                        .update(nb::cast<nb::dict>(self.h.attr("__dict__")));
                }
                return twin;
            },
            nb::sig("def metered(self, meter: ludex.core._native.Meter) -> typing.Self"), "meter"_a)
        .def(
            "to_act",
            [](const M& self, const State& state) {
                const SeatSet seats = self.rules.to_act(state);
                return seats < self.seat_tuples.size() ? self.seat_tuples[seats]
                                                       : M::seat_tuple(seats);
            },
            nb::sig("def to_act(self, state: State) -> tuple[int, ...]"), "state"_a)
        .def(
            "legal",
            [](const M& self, const State& state, int seat) {
                LegalBuffer<R> legal;
                const bool seated = seat >= 0 && seat < self.rules.seats();
                const int count = seated ? self.rules.legal(state, seat, legal) : 0;
                PyObject* const tuple = PyTuple_New(count);
                for (int i = 0; i < count; ++i) {
                    const auto action = static_cast<long>(legal[static_cast<std::size_t>(i)]);
                    PyTuple_SET_ITEM(tuple, i, PyLong_FromLong(action));
                }
                return nb::steal<nb::tuple>(tuple);
            },
            nb::sig("def legal(self, state: State, seat: int) -> tuple[int, ...]"), "state"_a,
            "seat"_a)
        .def(
            "default_action",
            [](const M& self, const State& state, int seat) {
                check_seat(self.rules, seat);
                if ((self.rules.to_act(state) & only(seat)) == 0) {
                    throw nb::index_error("this seat is not to act, so it has no default action");
                }
                return default_action(self.rules, state, seat);
            },
            "state"_a, "seat"_a)
        .def(
            "step",
            [](const M& self, const State& state, const nb::tuple& actions, Rng& rng) {
                State after = state;
                self.meter->count_copy();
                if (!advance(self.rules, after, actions_in<R>(actions), rng, *self.meter)) {
                    raise_budget_spent();
                }
                return after;
            },
            nb::sig("def step(self, state: State, actions: tuple[typing.Any, ...], "
                    "rng: ludex.core._native.Rng) -> State"),
            "state"_a, "actions"_a, "rng"_a)
        .def(
            "advance",
            [](const M& self, State& state, const nb::tuple& actions, Rng& rng) {
                if (!advance(self.rules, state, actions_in<R>(actions), rng, *self.meter)) {
                    raise_budget_spent();
                }
            },
            nb::sig("def advance(self, state: State, actions: tuple[typing.Any, ...], "
                    "rng: ludex.core._native.Rng) -> None"),
            "state"_a, "actions"_a, "rng"_a)
        .def(
            "over", [](const M& self, const State& state) { return self.rules.over(state); },
            "state"_a)
        .def(
            "return_of",
            [](const M& self, const State& state, int seat) {
                check_seat(self.rules, seat);
                return self.rules.over(state) ? self.rules.return_of(state, seat)
                                              : std::numeric_limits<double>::quiet_NaN();
            },
            "state"_a, "seat"_a, "What the seat got; not a number while the game goes on.")
        .def(
            "score",
            [](const M& self, const State& state, int seat) {
                check_seat(self.rules, seat);
                return self.rules.score(state, seat);
            },
            "state"_a, "seat"_a);
    if constexpr (HasShortKey<R> || PlainState<State>) {
        model.def(
            "key",
            [](const M& self, const State& state, const nb::object&, const nb::object&) {
                if constexpr (HasShortKey<R>) {
                    return self.rules.key(state);
                } else {
                    (void)self;
                    return nb::bytes(reinterpret_cast<const char*>(&state),
                                     meaningful_bytes<State>());
                }
            },
            nb::sig("def key(self, state: State, seat: int | None = None, "
                    "ignore: tuple[str, ...] = ()) -> collections.abc.Hashable"),
            "state"_a, "seat"_a = nb::none(), "ignore"_a = nb::make_tuple());
    }
    model
        .def(
            "rollout",
            [](nb::pointer_and_handle<M> self, const State& state, const nb::object& policy,
               std::int64_t limit, Rng& rng, bool trace) -> nb::object {
                const bool uniform = is_uniform(policy.ptr(), self.p->uniform_text.ptr());
                if constexpr (NamesPolicies<R>) {
                    const auto named = uniform ? std::nullopt : find_policy<R>(policy);
                    if (named && !trace) {
                        return roll_out_named(*self.p, state, *named, limit, rng);
                    }
                }
                if (!uniform || trace) {
                    // Python choosing or Python watching: the loop may as well be Python. It
                    // draws from the caller's own stream, not from a copy of it.
                    return nb::module_::import_("ludex.core.fallback")
                        .attr("rollout")(self.h, state, policy, limit,
                                         nb::cast(rng, nb::rv_policy::reference), trace);
                }
                State current = state;
                self.p->meter->count_copy();
                RolloutEnd end;
                {
                    const MaybeRelease lock(std::min(limit, R::kLongestGame) >= kLongCall);
                    end = rollout(self.p->rules, current, limit, rng, *self.p->meter);
                }
                if (end.refused) raise_budget_spent();
                return make_rollout(self.p->rules, std::move(current), end);
            },
            nb::sig("def rollout(self, state: State, policy: typing.Any, limit: int, "
                    "rng: ludex.core._native.Rng, trace: bool = False) -> "
                    "ludex.core._native.Rollout"),
            "state"_a, "policy"_a, "limit"_a, "rng"_a, "trace"_a = false)
        .def("play", &play_all<R>,
             nb::sig("def play(self, state: State, sequences: "
                     "collections.abc.Sequence[collections.abc.Sequence[tuple[typing.Any, ...]]], "
                     "rng: ludex.core._native.Rng) -> list[ludex.core._native.Rollout]"),
             "state"_a, "sequences"_a, "rng"_a)
        .def("step_many", &step_all<R>,
             nb::sig("def step_many(self, states: collections.abc.Sequence[State], actions: "
                     "collections.abc.Sequence[tuple[typing.Any, ...]], "
                     "rng: ludex.core._native.Rng) -> list[State]"),
             "states"_a, "actions"_a, "rng"_a)
        .def(
            "bench",
            [](const M& self, const std::string& metric, double seconds) {
                if (!(seconds > 0.0 && seconds <= 60.0)) {
                    throw nb::value_error("bench runs for more than 0 and at most 60 seconds");
                }
                std::optional<double> rate;
                {
                    const nb::gil_scoped_release unlocked;
                    rate = time_metric(self.rules, metric, seconds);
                }
                if (!rate) {
                    throw nb::value_error("metrics are tick, copy_tick, copy and rollout_tick");
                }
                return *rate;
            },
            "metric"_a, "seconds"_a = 0.5,
            "Measure tick, copy_tick, copy or rollout_tick per CPU-second, in one native call.");
    bind_chance(model);
    if constexpr (NamesPolicies<R>) bind_policies<R>(model);
    return model;
}

}  // namespace ludex

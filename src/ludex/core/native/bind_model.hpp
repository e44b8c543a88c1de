// Binds the hot half of the Model contract for any native rules.
//
// The world's Python class inherits from what this binds and adds the cold methods (traits,
// outcome, view, ...), so that no hot call passes through a Python frame.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "bind_actions.hpp"
#include "bind_rollout.hpp"
#include "bind_search.hpp"
#include "border.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "meter.hpp"
#include "rng.hpp"
#include "rollout.hpp"
#include "timing.hpp"
#include "unlock.hpp"
#include "world.hpp"

namespace ludex {

namespace nb = nanobind;

// Tuples of actions, the same object for the same actions where they came up before: most lists
// of a game are alike, and searches keep them and compare them.
template <class Action>
class ActionTuples {
public:
    [[nodiscard]] nb::object get(std::span<const Action> actions) {
        for (const Known& known : known_) {
            if (std::equal(actions.begin(), actions.end(), known.actions.begin(),
                           known.actions.end())) {
                return known.tuple;
            }
        }
        PyObject* const made = PyTuple_New(static_cast<Py_ssize_t>(actions.size()));
        for (std::size_t i = 0; i < actions.size(); ++i) {
            PyTuple_SET_ITEM(made, static_cast<Py_ssize_t>(i),
                             PyLong_FromLong(static_cast<long>(actions[i])));
        }
        nb::object tuple = nb::steal(made);
        if (known_.size() < kMost) known_.push_back({{actions.begin(), actions.end()}, tuple});
        return tuple;
    }

private:
    static constexpr std::size_t kMost = 4;
    struct Known {
        std::vector<Action> actions;
        nb::object tuple;
    };
    std::vector<Known> known_;
};

// Rules, the meter their calls are counted on, and ready-made answers of `to_act`.
template <WorldRules R>
struct Model {
    using Rules = R;

    // The meter is made where all are made, so that its calls are in the tally of the process.
    explicit Model(R the_rules = R{})
        : Model(std::move(the_rules), nb::module_::import_("ludex.core._native").attr("Meter")()) {}

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
    // Memory of search trees, from one decision to the next.
    std::shared_ptr<search::Stock> stock = std::make_shared<search::Stock>();
    mutable ActionTuples<typename R::Action> legal_tuples;
    // Python keeps one copy of the words in a program, so mostly a pointer is compared.
    nb::object uniform_text = nb::steal(PyUnicode_InternFromString("uniform"));
};

// Joint actions read from Python before the lock is let go: one row per tick.
template <WorldRules R>
struct Script {
    std::vector<std::optional<typename R::Action>> actions;
    std::vector<std::size_t> ends;  // of each row in `actions`

    void add(nb::handle joint, int seats) {
        check_planned(joint, seats);
        read(joint);
    }
    // A tuple that was looked at.
    void read(nb::handle joint) {
        for (const nb::handle item : nb::borrow<nb::tuple>(joint)) {
            actions.push_back(read_number<typename R::Action>(item.ptr()));
        }
        ends.push_back(actions.size());
    }
    // `seats` actions of an array.
    void add(const std::int64_t* numbers, std::size_t seats) {
        for (std::size_t i = 0; i < seats; ++i) {
            const bool fits = std::in_range<typename R::Action>(numbers[i]);
            actions.push_back(fits ? std::optional(static_cast<typename R::Action>(numbers[i]))
                                   : std::nullopt);
        }
        ends.push_back(actions.size());
    }
    [[nodiscard]] std::optional<typename R::Action> at(std::size_t row,
                                                       std::size_t place) const noexcept {
        const std::size_t index = (row == 0 ? 0 : ends[row - 1]) + place;
        return index < ends[row] ? actions[index] : std::nullopt;
    }
};

// Read whole sequences; returns the first row of each, and the end of the last. Those who act now
// are known, so the first joint action must be theirs.
template <WorldRules R>
std::vector<std::size_t> read_sequences(const R& rules, nb::handle sequences, SeatSet acting,
                                        Script<R>& script) {
    std::vector<std::size_t> starts;
    if (nb::ndarray_check(sequences)) {
        const nb::object lists = nb::module_::import_("ludex.core.fallback")
                                     .attr("check_population")(sequences, rules.seats());
        const auto numbers =
            nb::cast<nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>>(
                lists);
        const std::size_t ticks = numbers.shape(1);
        const std::size_t seats = numbers.shape(2);
        for (std::size_t i = 0; i < numbers.shape(0); ++i) {
            starts.push_back(script.ends.size());
            for (std::size_t t = 0; t < ticks; ++t) {
                script.add(numbers.data() + (i * ticks + t) * seats, seats);
            }
        }
    } else {
        const nb::object all = as_tuple(sequences, "play needs a list of sequences of actions");
        for (const nb::handle sequence : nb::borrow<nb::tuple>(all)) {
            starts.push_back(script.ends.size());
            const nb::object joints = as_tuple(sequence, "a sequence is a list of actions");
            for (const nb::handle joint : nb::borrow<nb::tuple>(joints)) {
                const bool is_first = script.ends.size() == starts.back();
                script.add(joint, rules.seats());
                if (is_first) {
                    check_number(acting, static_cast<std::size_t>(PyTuple_GET_SIZE(joint.ptr())));
                }
            }
        }
    }
    starts.push_back(script.ends.size());
    return starts;
}

template <WorldRules R>
nb::list play_all(Model<R>& model, const Given<typename R::State>& given_state,
                  const nb::object& sequences, const Rng& rng) {
    // A copy: in a long call the state handed in may change.
    const typename R::State state = own_state(model.rules, given_state);
    Script<R> script;
    const std::vector<std::size_t> starts =
        read_sequences(model.rules, sequences, model.rules.to_act(state), script);
    const std::size_t count = starts.size() - 1;

    struct Played {
        typename R::State state;
        RolloutEnd end;
    };
    std::vector<Played> played;
    played.reserve(count);
    const Rng streams = rng.fork("play");
    {
        const auto rows = static_cast<std::int64_t>(script.ends.size());
        LongCall call(rows >= kLongCall, *model.meter, rows);
        Meter& meter = call.meter();
        for (std::size_t i = 0; i < count; ++i) {
            Rng stream = streams.fork(i);
            typename R::State current = state;
            meter.count_copy();
            const auto given = [&](std::int64_t tick, std::size_t place) {
                return script.at(starts[i] + static_cast<std::size_t>(tick), place);
            };
            const auto ticks = static_cast<std::int64_t>(starts[i + 1] - starts[i]);
            const RolloutEnd end = play(model.rules, current, ticks, given, stream, meter);
            if (end.refused) break;
            played.push_back({std::move(current), end});
            if (end.cut) break;
        }
    }
    if (played.empty() && count > 0) raise_budget_spent();
    nb::list results;
    for (Played& one : played) {
        results.append(nb::cast(make_rollout(model.rules, std::move(one.state), one.end)));
    }
    return results;
}

template <WorldRules R>
nb::list step_all(Model<R>& model, const nb::object& states, const nb::object& actions,
                  const Rng& rng, int threads) {
    constexpr int kMostThreads = 256;
    if (threads < 1 || threads > kMostThreads) {
        raise_bad_parameter("threads must be from 1 to " + std::to_string(kMostThreads) + ", got " +
                            std::to_string(threads));
    }
    const nb::object given_states = as_tuple(states, "step_many needs a list of states");
    const nb::object joints = as_tuple(actions, "step_many needs a list of joint actions");
    std::vector<typename R::State> after;
    after.reserve(nb::len(given_states));
    Script<R> script;
    for (const nb::handle state : nb::borrow<nb::tuple>(given_states)) {
        after.push_back(own_state(model.rules, nb::cast<Given<typename R::State>>(state)));
    }
    for (const nb::handle joint : nb::borrow<nb::tuple>(joints)) {
        check_joint(joint);
        const std::size_t row = script.ends.size();
        if (row < after.size()) {
            check_number(model.rules.to_act(after[row]),
                         static_cast<std::size_t>(PyTuple_GET_SIZE(joint.ptr())));
        }
        script.read(joint);
    }
    if (after.size() != script.ends.size()) {
        raise_bad_parameter("step_many needs as many joint actions as states, got " +
                            std::to_string(script.ends.size()) + " for " +
                            std::to_string(after.size()) + " states");
    }
    std::size_t reached = 0;
    {
        const auto wanted = static_cast<std::int64_t>(after.size());
        LongCall call(threads > 1 || wanted >= kLongCall, *model.meter, wanted);
        const auto given = [&](std::size_t i, std::size_t place) { return script.at(i, place); };
        reached = step_batch(model.rules, after, given, rng.fork("step"), call.meter(), threads);
    }
    if (reached == 0 && !after.empty()) raise_budget_spent();
    nb::list results;
    for (std::size_t i = 0; i < reached; ++i) results.append(nb::cast(std::move(after[i])));
    return results;
}

// One action for each seat that acts now.
template <WorldRules R>
void check_actions(const R& rules, const typename R::State& state, nb::handle actions) {
    check_joint(actions);
    check_number(rules.to_act(state), static_cast<std::size_t>(PyTuple_GET_SIZE(actions.ptr())));
}

// `choose` and `bench_games`, for rules with policies of their own.
template <NamesPolicies R>
void bind_policies(nb::class_<Model<R>>& model) {
    using namespace nb::literals;
    using State = typename R::State;
    const auto known = [](const nb::object& policy) {
        const auto found = find_policy<R>(policy);
        if (!found) raise_bad_parameter("this world has no policy named " + shown(policy));
        return *found;
    };
    model
        .def(
            "choose",
            [known](const Model<R>& self, const Given<State>& given, const nb::object& policy,
                    Rng& rng) {
                const State& state = own_state(self.rules, given);
                if (self.rules.to_act(state) == kNobody) {
                    raise_illegal_action("nobody is to act in this state, so nothing is chosen");
                }
                return self.rules.choose(state, known(policy), rng);
            },
            nb::sig("def choose(self, state: State, policy: str, rng: ludex.core._native.Rng) -> "
                    "int"),
            "state"_a, "policy"_a.none(), "rng"_a,
            "Draw an action as a rollout by this policy does.")
        .def(
            "probabilities",
            [known](const Model<R>& self, const Given<State>& given, const Seat& given_seat,
                    const nb::object& policy) {
                const State& state = own_state(self.rules, given);
                const int seat = own_seat(self.rules, given_seat);
                LegalBuffer<R> legal;
                const auto count = static_cast<std::size_t>(self.rules.legal(state, seat, legal));
                std::vector<double> out(count, 1.0);
                if constexpr (search::RatesActions<R>) {
                    const auto listed = std::span<const typename R::Action>(legal).first(count);
                    self.rules.rate(state, seat, known(policy), listed, out);
                } else {
                    (void)known(policy);
                }
                search::temper(out, 1.0);
                return out;
            },
            nb::sig("def probabilities(self, state: State, seat: int, policy: str) -> "
                    "list[float]"),
            "state"_a, "seat"_a, "policy"_a.none(),
            "How likely a policy is to take each of a seat's legal actions.")
        .def(
            "bench_games",
            [known](const Model<R>& self, const nb::object& policy, double seconds) {
                const int found = known(policy);
                const nb::gil_scoped_release unlocked;
                return time_games(self.rules, found, seconds);
            },
            nb::sig("def bench_games(self, policy: str, seconds: float = 0.5) -> float"),
            "policy"_a.none(), "seconds"_a = 0.5, "Measure whole games per CPU-second.");
}

template <WorldRules R>
void bind_chance(nb::class_<Model<R>>& model) {
    using namespace nb::literals;
    using State = typename R::State;
    model
        .def(
            "chance",
            [](const Model<R>& self, const Given<State>& given) {
                const State& state = own_state(self.rules, given);
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
                    (void)state;
                    return nb::make_tuple();
                }
            },
            nb::sig("def chance(self, state: State) -> tuple[tuple[int, float], ...]"), "state"_a)
        .def(
            "resolve",
            [](const Model<R>& self, const Given<State>& given, const nb::object& outcome) {
                const State& state = own_state(self.rules, given);
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
                raise_bad_parameter("the outcome " + shown(outcome) +
                                    " is not pending in this state; model.chance(state) lists "
                                    "those that are");
                return after;  // not reached; gives the lambda its type
            },
            nb::sig("def resolve(self, state: State, outcome: typing.Any) -> State"), "state"_a,
            "outcome"_a.none())
        .def(
            "settle",
            [](const Model<R>& self, const Given<State>& given, Rng& rng) {
                State& state = own_state(self.rules, given);
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

    nb::class_<FunctionPolicy<R>>(m, "FunctionPolicy", "A rollout policy of native code.");
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
            "check_state",
            [](const M& self, const Given<State>& state) { (void)own_state(self.rules, state); },
            "state"_a, "Raise ForeignState unless the state is one of this model's.")
        .def(
            "check_seat", [](const M& self, const Seat& seat) { (void)own_seat(self.rules, seat); },
            "seat"_a, "Raise NoSuchSeat unless there is this seat.")
        .def(
            "to_act",
            [](const M& self, const Given<State>& state) {
                const SeatSet seats = self.rules.to_act(own_state(self.rules, state));
                return seats < self.seat_tuples.size() ? self.seat_tuples[seats]
                                                       : M::seat_tuple(seats);
            },
            nb::sig("def to_act(self, state: State) -> tuple[int, ...]"), "state"_a)
        .def(
            "legal",
            [](const M& self, const Given<State>& given, const Seat& seat) {
                LegalBuffer<R> legal;
                const State& state = own_state(self.rules, given);
                const int count = self.rules.legal(state, own_seat(self.rules, seat), legal);
                return self.legal_tuples.get({legal.data(), static_cast<std::size_t>(count)});
            },
            nb::sig("def legal(self, state: State, seat: int) -> tuple[int, ...]"), "state"_a,
            "seat"_a)
        .def(
            "default_action",
            [](const M& self, const Given<State>& given, const Seat& given_seat) {
                const State& state = own_state(self.rules, given);
                const int seat = own_seat(self.rules, given_seat);
                if ((self.rules.to_act(state) & only(seat)) == 0) {
                    raise_illegal_action("seat " + std::to_string(seat) +
                                         " is not to act, so it has no default action");
                }
                return default_action(self.rules, state, seat);
            },
            "state"_a, "seat"_a)
        .def(
            "step",
            [](const M& self, const Given<State>& given, const nb::object& actions, Rng& rng) {
                const State& state = own_state(self.rules, given);
                check_actions(self.rules, state, actions);
                State after = state;
                self.meter->count_copy();
                if (!advance(self.rules, after, actions_in<R>(actions), rng, *self.meter)) {
                    raise_budget_spent();
                }
                return after;
            },
            nb::sig("def step(self, state: State, actions: tuple[typing.Any, ...], "
                    "rng: ludex.core._native.Rng) -> State"),
            "state"_a, "actions"_a.none(), "rng"_a)
        .def(
            "advance",
            [](const M& self, const Given<State>& given, const nb::object& actions, Rng& rng) {
                State& state = own_state(self.rules, given);
                check_actions(self.rules, state, actions);
                if (!advance(self.rules, state, actions_in<R>(actions), rng, *self.meter)) {
                    raise_budget_spent();
                }
            },
            nb::sig("def advance(self, state: State, actions: tuple[typing.Any, ...], "
                    "rng: ludex.core._native.Rng) -> None"),
            "state"_a, "actions"_a.none(), "rng"_a)
        .def(
            "over",
            [](const M& self, const Given<State>& state) {
                return self.rules.over(own_state(self.rules, state));
            },
            "state"_a)
        .def(
            "return_of",
            [](const M& self, const Given<State>& given, const Seat& given_seat) {
                const State& state = own_state(self.rules, given);
                const int seat = own_seat(self.rules, given_seat);
                return self.rules.over(state) ? self.rules.return_of(state, seat)
                                              : std::numeric_limits<double>::quiet_NaN();
            },
            "state"_a, "seat"_a, "What the seat got; not a number while the game goes on.")
        .def(
            "score",
            [](const M& self, const Given<State>& state, const Seat& seat) {
                return self.rules.score(own_state(self.rules, state), own_seat(self.rules, seat));
            },
            "state"_a, "seat"_a);
    if constexpr (HasShortKey<R> || PlainState<State>) {
        model.def(
            "key",
            [](const M& self, const Given<State>& given, const nb::object& seat,
               const nb::object&) {
                const State& state = own_state(self.rules, given);
                if (!seat.is_none()) (void)own_seat(self.rules, nb::cast<Seat>(seat));
                if constexpr (HasShortKey<R>) {
                    return self.rules.key(state);
                } else {
                    return nb::bytes(reinterpret_cast<const char*>(&state),
                                     meaningful_bytes<State>());
                }
            },
            nb::sig("def key(self, state: State, seat: int | None = None, "
                    "ignore: tuple[str, ...] = ()) -> collections.abc.Hashable"),
            "state"_a, "seat"_a = nb::none(), "ignore"_a = nb::make_tuple());
    }
    model
        .def("rollout", &bound_rollout<M>,
             nb::sig("def rollout(self, state: State, policy: typing.Any, limit: int, "
                     "rng: ludex.core._native.Rng, trace: bool = False, backtrack: bool = False, "
                     "opening: collections.abc.Sequence[tuple[typing.Any, ...]] = ()) "
                     "-> ludex.core._native.Rollout"),
             "state"_a, "policy"_a.none(), "limit"_a, "rng"_a, "trace"_a = false,
             "backtrack"_a = false, "opening"_a.none() = nb::make_tuple())
        .def("play", &play_all<R>,
             nb::sig("def play(self, state: State, sequences: typing.Any, "
                     "rng: ludex.core._native.Rng) -> list[ludex.core._native.Rollout]"),
             "state"_a, "sequences"_a.none(), "rng"_a)
        .def("step_many", &step_all<R>,
             nb::sig("def step_many(self, states: collections.abc.Sequence[State], actions: "
                     "collections.abc.Sequence[tuple[typing.Any, ...]], "
                     "rng: ludex.core._native.Rng, threads: int = 1) -> list[State]"),
             "states"_a.none(), "actions"_a.none(), "rng"_a, "threads"_a = 1)
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
    if constexpr (Packable<State> && (PlainState<State> || WritesKeys<R>)) {
        bind_prior_queue<R>(m);
        bind_searches(model);
    }
    return model;
}

}  // namespace ludex

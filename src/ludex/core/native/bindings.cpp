// Python's Rng, Meter, Rollout and Arms. The types are shared by the modules of all native worlds.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "arms.hpp"
#include "bind_objects.hpp"
#include "errors.hpp"
#include "meter.hpp"
#include "policies.hpp"
#include "rng.hpp"
#include "rollout.hpp"
#include "search/evolved.hpp"
#include "search/state_search.hpp"
#include "search/tree.hpp"
#include "siphash.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using ludex::Arm;
using ludex::Arms;
using ludex::DistancePolicy;
using ludex::GreedyPolicy;
using ludex::Meter;
using ludex::PerSeat;
using ludex::Rng;
using ludex::Rollout;
using ludex::SipHash;
using ludex::Tally;
using ludex::TypePolicy;
using ludex::WeightedPolicy;
namespace search = ludex::search;

namespace {

// Names are whole numbers or text; numbers of any size and sign are folded to 64 bits.
Rng fork(const Rng& rng, const nb::args& names) {
    Rng stream = rng;
    for (const nb::handle name : names) {
        if (PyLong_Check(name.ptr())) {
            stream = stream.fork(PyLong_AsUnsignedLongLongMask(name.ptr()));
        } else if (PyUnicode_Check(name.ptr())) {
            stream = stream.fork(nb::cast<std::string>(name));
        } else {
            throw nb::type_error("a stream is named by whole numbers and text");
        }
    }
    return stream;
}

// No two lists of names are written alike: each has its kind and its length before it.
void write_name(std::vector<std::uint8_t>& text, char kind, std::string_view name) {
    text.push_back(static_cast<std::uint8_t>(kind));
    for (std::size_t i = 0; i < 8; ++i) {
        text.push_back(static_cast<std::uint8_t>(std::uint64_t{name.size()} >> (8 * i)));
    }
    text.insert(text.end(), name.begin(), name.end());
}

Rng keyed(const nb::bytes& secret, const nb::args& names) {
    if (secret.size() != SipHash::kKeyBytes) throw nb::value_error("a secret has 16 bytes");
    std::vector<std::uint8_t> text;
    for (const nb::handle name : names) {
        if (PyLong_Check(name.ptr())) {
            write_name(text, 'n', nb::str(name).c_str());
        } else if (PyUnicode_Check(name.ptr())) {
            write_name(text, 't', nb::cast<std::string>(name));
        } else {
            throw nb::type_error("a stream is named by whole numbers and text");
        }
    }
    const auto* const bytes = static_cast<const std::uint8_t*>(secret.data());
    return Rng(SipHash(
        std::span<const std::uint8_t, SipHash::kKeyBytes>(bytes, SipHash::kKeyBytes))(text));
}

std::string text_of(const Rng& rng) {
    char digits[40];
    char* end = std::to_chars(digits, digits + 20, rng.key(), 16).ptr;
    *end++ = ':';
    end = std::to_chars(end, digits + sizeof digits, rng.position(), 10).ptr;
    return {digits, end};
}

Rng from_text(const std::string& text) {
    std::uint64_t key = 0;
    std::uint64_t position = 0;
    const char* const end = text.data() + text.size();
    const auto [colon, key_error] = std::from_chars(text.data(), end, key, 16);
    if (key_error == std::errc{} && colon != end && *colon == ':') {
        const auto [rest, error] = std::from_chars(colon + 1, end, position, 10);
        if (error == std::errc{} && rest == end) return Rng(key, position);
    }
    throw nb::value_error("a generator is written as KEY:POSITION, for example '9f3a01:12'");
}

std::size_t weighted(Rng& rng, const std::vector<double>& weights) {
    double total = 0.0;
    for (const double weight : weights) {
        if (!(weight >= 0.0)) throw nb::value_error("weights must be >= 0");
        total += weight;
    }
    if (!(total > 0.0) || !std::isfinite(total)) {
        throw nb::value_error("at least one weight must be > 0, and their sum finite");
    }
    return rng.weighted(weights);
}

void bind_rng(nb::module_& m) {
    nb::class_<Rng>(m, "Rng", "A random stream; its draws depend on its key and position alone.")
        .def(
            "__init__",
            [](Rng* self, const nb::int_& seed) {
                // Seeds are mixed, so that 1 and 2 are as unrelated as any two streams.
                new (self) Rng(Rng(0).fork(PyLong_AsUnsignedLongLongMask(seed.ptr())));
            },
            "seed"_a = 0)
        .def("bits", &Rng::next, "Draw 64 random bits.")
        .def(
            "below",
            [](Rng& rng, std::int64_t n) {
                if (n <= 0) throw nb::value_error("below(n) needs n >= 1");
                return rng.below(static_cast<std::uint64_t>(n));
            },
            "n"_a, "Draw a whole number from 0 to n - 1.")
        .def("uniform", &Rng::uniform, "Draw a number in [0, 1).")
        .def("weighted", &weighted, "weights"_a, "Draw an index in proportion to its weight.")
        .def(
            "choice",
            [](Rng& rng, const nb::sequence& items) {
                const std::size_t n = nb::len(items);
                if (n == 0) throw nb::value_error("choice() needs at least one item");
                return nb::object(items[rng.below(n)]);
            },
            nb::sig("def choice(self, items: collections.abc.Sequence[typing.Any]) -> typing.Any"),
            "items"_a, "Draw one item.")
        .def(
            "shuffle",
            [](Rng& rng, nb::list items) {
                for (std::size_t i = nb::len(items); i > 1; --i) {
                    const std::size_t j = rng.below(i);
                    const nb::object held = items[i - 1];
                    items[i - 1] = nb::object(items[j]);
                    items[j] = held;
                }
            },
            nb::sig("def shuffle(self, items: list[typing.Any]) -> None"), "items"_a,
            "Shuffle a list in place.")
        .def("fork", &fork, nb::sig("def fork(self, *names: int | str) -> Rng"),
             "Make the named stream below this one; draws made before do not matter.")
        .def_static(
            "keyed", &keyed, nb::sig("def keyed(secret: bytes, *names: int | str) -> Rng"),
            "Make the named stream of a secret of 16 bytes. Unlike streams that are forked, "
            "it tells nothing about the secret or its other streams (SipHash-2-4).")
        .def(
            "copy", [](const Rng& rng) { return rng; }, "Make a stream at the same position.")
        .def_prop_ro("key", &Rng::key)
        .def_prop_ro("position", &Rng::position)
        .def_prop_ro("text", &text_of, "The stream as KEY:POSITION, for records.")
        .def_static("from_text", &from_text, "text"_a, "Read what `text` wrote.")
        .def("__repr__", [](const Rng& rng) { return "Rng.from_text('" + text_of(rng) + "')"; })
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Rng& rng) {
                 return static_cast<Py_hash_t>(ludex::mix(rng.key()) + rng.position());
             })
        .def("__getstate__", [](const Rng& rng) { return std::tuple(rng.key(), rng.position()); })
        .def("__setstate__", [](Rng& rng, const std::tuple<std::uint64_t, std::uint64_t>& state) {
            new (&rng) Rng(std::get<0>(state), std::get<1>(state));
        });
}

// All meters of Python are made here, in one module, so that one tally knows them all. It is
// never destroyed: the interpreter may let go of meters after it would be.
Tally& tally() {
    static Tally* const made = new Tally;
    return *made;
}

void make_meter(Meter* meter, bool apart) {
    new (meter) Meter();
    meter->count_in(tally(), apart ? Tally::Kind::apart : Tally::Kind::open);
}

void bind_meter(nb::module_& m) {
    m.def(
        "calls_of_process",
        [](bool apart) { return tally().calls(apart ? Tally::Kind::apart : Tally::Kind::open); },
        "apart"_a = false,
        "Model calls on all meters that this process ever made, or on all that were made apart.");
    // Final: a class of Python's below it could count as it likes.
    nb::class_<Meter>(m, "Meter", nb::is_final(),
                      "Counts the model calls of one decision and ends its budget.")
        .def("__init__", &make_meter, "apart"_a = false,
             "Make a meter without a budget; apart: for a part's own calls, outside of budgets.")
        .def(
            "arm",
            [](Meter& meter, std::optional<std::int64_t> model_calls, std::optional<double> time_ms,
               bool wall) {
                constexpr double kLongestMs = 9e12;  // what fits in 64 bits of nanoseconds
                std::int64_t time_ns = Meter::kNoLimit;
                if (time_ms && !(*time_ms >= 0.0)) {
                    throw nb::value_error("time_ms must be a number >= 0");
                }
                if (time_ms && *time_ms < kLongestMs) {
                    time_ns = static_cast<std::int64_t>(*time_ms * 1e6);
                }
                meter.arm(model_calls.value_or(Meter::kNoLimit), time_ns,
                          wall ? Meter::Clock::wall : Meter::Clock::cpu);
            },
            "model_calls"_a = nb::none(), "time_ms"_a = nb::none(), "wall"_a = false,
            "Start a new decision with this many calls or milliseconds of this thread.")
        .def(
            "spend",
            [](Meter& meter) {
                if (!meter.spend()) ludex::raise_budget_spent();
            },
            "Count one model call; raise BudgetSpent when none is left.")
        // Worlds with a model in use may travel to a worker; what was counted stays here.
        .def("__getstate__", [](const Meter&) { return std::tuple<>(); })
        .def("__setstate__", [](Meter& meter, const std::tuple<>&) { make_meter(&meter, false); })
        .def("take", &Meter::take, "wanted"_a, "Count up to `wanted` calls; return how many.")
        .def("count_copy", &Meter::count_copy, "n"_a = 1)
        .def("count_replaced", &Meter::count_replaced, "n"_a = 1)
        .def("count_ignored", &Meter::count_ignored, "n"_a = 1)
        .def_prop_ro("spent", &Meter::spent, "Whether the next model call would be refused.")
        .def_prop_ro("calls", &Meter::calls)
        .def_prop_ro("calls_ever", &Meter::calls_ever,
                     "Calls of all decisions; arming again does not hide any.")
        .def_prop_ro("copies", &Meter::copies, "States copied by the model; free.")
        .def_prop_ro("replaced", &Meter::replaced, "Illegal actions replaced by the default one.")
        .def_prop_ro("ignored", &Meter::ignored, "Steps asked of states where nobody acts.")
        .def_prop_ro("cpu_ms", [](const Meter& meter) { return 1e-6 * double(meter.cpu_ns()); })
        .def_prop_ro("wall_ms", [](const Meter& meter) { return 1e-6 * double(meter.wall_ns()); });
}

// A property for what only some rollouts have.
auto kept(nb::object Rollout::* part) {
    return [part](const Rollout& self) {
        return (self.*part).is_valid() ? self.*part : nb::object(nb::none());
    };
}

void bind_rollout(nb::module_& m) {
    nb::class_<Rollout>(m, "Rollout", nb::pooled(), "Where a rollout ended.")
        .def(
            "__init__",
            [](Rollout* self, nb::object state, std::int64_t ticks, nb::object scores,
               nb::object returns, bool cut, nb::object trace, nb::object before, nb::object last) {
                new (self) Rollout{std::move(state),
                                   ticks,
                                   PerSeat(std::move(scores)),
                                   PerSeat(std::move(returns)),
                                   cut,
                                   std::move(trace),
                                   std::move(before),
                                   std::move(last)};
            },
            nb::sig("def __init__(self, state: typing.Any, ticks: int, scores: tuple[float, ...], "
                    "returns: tuple[float, ...] | None = None, cut: bool = False, "
                    "trace: typing.Any = None, before: typing.Any = None, "
                    "last: tuple[typing.Any, ...] | None = None) -> None"),
            "state"_a, "ticks"_a, "scores"_a, "returns"_a = nb::none(), "cut"_a = false,
            "trace"_a = nb::none(), "before"_a = nb::none(), "last"_a = nb::none())
        .def_ro("state", &Rollout::state, nb::sig("def state(self) -> typing.Any"),
                "The final state; the caller owns it.")
        .def_ro("ticks", &Rollout::ticks)
        .def_prop_ro(
            "scores", [](Rollout& self) { return self.scores.tuple(); },
            nb::sig("def scores(self) -> tuple[float, ...]"), "The score of each seat.")
        .def_prop_ro(
            "returns", [](Rollout& self) { return self.returns.tuple(); },
            nb::sig("def returns(self) -> tuple[float, ...] | None"),
            "The return of each seat; None when the game did not end.")
        .def_ro("cut", &Rollout::cut, "Whether the budget ended it.")
        .def_prop_ro("trace", kept(&Rollout::trace), nb::sig("def trace(self) -> typing.Any"),
                     "Scores, avatars and events of each tick, where they were asked for.")
        .def_prop_ro("before", kept(&Rollout::before), nb::sig("def before(self) -> typing.Any"),
                     "The state before the last tick, where it was asked for and there was one.")
        .def_prop_ro("last", kept(&Rollout::last),
                     nb::sig("def last(self) -> tuple[typing.Any, ...] | None"),
                     "The actions of the last tick; with `before`.");
}

Arm& arm_at(Arms& self, std::size_t place) {
    if (place >= self.arms.size()) throw nb::index_error("there is no such arm");
    return self.arms[place];
}

// A property that lists one number of every arm.
template <class Number>
auto each(Number Arm::* number) {
    return [number](const Arms& self) {
        std::vector<Number> all;
        all.reserve(self.arms.size());
        for (const Arm& arm : self.arms) all.push_back(arm.*number);
        return all;
    };
}

// A path is a sequence of (arms, place) pairs; every bandit on it gets the return of its seat.
void record_path(const nb::sequence& path, const nb::sequence& returns) {
    const nb::object fast = nb::steal(PySequence_Fast(returns.ptr(), "returns are a sequence"));
    if (!fast.is_valid()) nb::raise_python_error();
    const auto seats = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast.ptr()));
    for (const nb::handle item : path) {
        if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) != 2) {
            throw nb::type_error("a path holds pairs of a bandit and a place");
        }
        Arms& arms = nb::cast<Arms&>(nb::handle(PyTuple_GET_ITEM(item.ptr(), 0)));
        const auto place = nb::cast<std::size_t>(nb::handle(PyTuple_GET_ITEM(item.ptr(), 1)));
        const auto seat = static_cast<std::size_t>(arms.seat);
        if (place >= arms.arms.size() || seat >= seats) {
            throw nb::index_error("the path does not fit its bandits or the returns");
        }
        const double value =
            PyFloat_AsDouble(PySequence_Fast_GET_ITEM(fast.ptr(), static_cast<Py_ssize_t>(seat)));
        if (value == -1.0 && PyErr_Occurred() != nullptr) nb::raise_python_error();
        arms.record(place, value);
    }
}

void bind_arms(nb::module_& m) {
    nb::class_<Arms>(m, "Arms", "Visits and mean values of what was tried at a node.")
        .def(nb::init<int>(), "seat"_a = 0)
        .def_rw("seat", &Arms::seat, "Whose returns are recorded.")
        .def_rw("total", &Arms::total, "Visits of all arms.")
        .def_prop_ro("visits", each(&Arm::visits))
        .def_prop_ro("means", each(&Arm::mean), "Of the recorded values, as a new list.")
        .def_prop_ro("squares", each(&Arm::square), "Sums of squared values.")
        .def_prop_ro("spreads", each(&Arm::spread), "1 / sqrt(visits).")
        .def("__len__", [](const Arms& self) { return self.arms.size(); })
        .def("clear", &Arms::clear, "room"_a = 0, "Begin again with no arm.")
        .def(
            "grow",
            [](Arms& self) {
                self.arms.emplace_back();
                return self.arms.size() - 1;
            },
            "Add an arm without a visit and return its place.")
        .def(
            "shrink",
            [](Arms& self) {
                if (self.arms.empty()) throw nb::index_error("there is no arm to take back");
                self.total -= self.arms.back().visits;
                self.arms.pop_back();
            },
            "Take back the arm that was added last.")
        .def(
            "fill",
            [](Arms& self, const std::vector<std::int64_t>& visits,
               const std::vector<double>& means, const std::vector<double>& squares,
               const std::vector<double>& spreads) {
                const std::size_t count = visits.size();
                if (means.size() != count || squares.size() != count || spreads.size() != count) {
                    throw nb::value_error("fill needs as many of each number");
                }
                self.arms.clear();
                for (std::size_t i = 0; i < count; ++i) {
                    self.arms.push_back({means[i], spreads[i], squares[i], visits[i]});
                }
            },
            "visits"_a, "means"_a, "squares"_a, "spreads"_a, "Put these arms in place of all.")
        .def(
            "put",
            [](Arms& self, std::size_t place, std::int64_t visits, double mean, double square) {
                const double count = static_cast<double>(visits);
                arm_at(self, place) = {mean, 1.0 / std::sqrt(count), square, visits};
            },
            "place"_a, "visits"_a, "mean"_a, "square"_a,
            "Put these statistics in place of an arm's.")
        .def(
            "scale",
            [](Arms& self, std::size_t place, double mean, double factor) {
                Arm& arm = arm_at(self, place);
                arm.mean = mean;
                arm.spread *= factor;
            },
            "place"_a, "mean"_a, "factor"_a, "Put another mean, and multiply the bonus.")
        .def(
            "put_mean",
            [](Arms& self, std::size_t place, double mean) { arm_at(self, place).mean = mean; },
            "place"_a, "mean"_a, "Overrule what was recorded: the result is known.")
        .def(
            "replace",
            [](Arms& self, std::size_t place, double mean) {
                (void)arm_at(self, place);
                self.replace(place, mean);
            },
            "place"_a, "mean"_a, "Count a visit, and put this mean in place of the one before.")
        .def(
            "record",
            [](Arms& self, std::size_t place, double value) {
                (void)arm_at(self, place);
                self.record(place, value);
            },
            "place"_a, "value"_a, "Count a visit and average its value in.")
        .def(
            "highest_bound",
            [](const Arms& self, double width) {
                if (self.arms.empty()) throw nb::index_error("there is no arm to choose");
                return self.highest_bound(width);
            },
            "width"_a, "The place of the highest mean + width * sqrt(ln total / visits).")
        .def(
            "ucb1",
            [](const Arms& self, double exploration, double span, const nb::object& /*rng*/) {
                if (self.arms.empty()) throw nb::index_error("there is no arm to choose");
                return self.highest_bound(exploration * span);
            },
            nb::sig("def ucb1(self, exploration: float, span: float, rng: Rng) -> int"),
            "exploration"_a, "span"_a, "rng"_a,
            "`highest_bound` of width exploration * span, as a rule of planners/parts/selection.py;"
            " it draws nothing.");
    m.def("record_path", &record_path,
          nb::sig("def record_path(path: collections.abc.Sequence[tuple[Arms, int]], returns: "
                  "collections.abc.Sequence[float]) -> None"),
          "path"_a, "returns"_a, "Record for every bandit of a path the return of its seat.");
}

// Statistics as (seat, visits of all, [(action, visits, mean), ...], sum of squared values).
nb::tuple bandit_tuple(const search::BanditRecord& bandit) {
    nb::list actions;
    for (const search::ActionStatistics& one : bandit.actions) {
        actions.append(nb::make_tuple(one.action, one.visits, one.value));
    }
    return nb::make_tuple(bandit.seat, bandit.total, actions, bandit.squares);
}

nb::dict node_dict(const search::NodeRecord& node) {
    nb::dict out;
    out["kind"] = node.kind;
    out["visits"] = node.visits;
    out["values"] = node.values;
    out["returns"] = node.returns.empty() ? nb::object(nb::none()) : nb::cast(node.returns);
    nb::list bandits, children;
    for (const search::BanditRecord& one : node.bandits) bandits.append(bandit_tuple(one));
    for (const search::NodeRecord::Child& one : node.children) {
        children.append(nb::make_tuple(nb::tuple(nb::cast(one.way)), one.count, one.node));
    }
    out["bandits"] = bandits;
    out["children"] = children;
    return out;
}

void bind_search_tree(nb::module_& m) {
    using search::SearchTree;
    nb::class_<SearchTree>(m, "SearchTree", "A tree that a native search has grown.")
        .def_prop_ro(
            "size", [](const SearchTree& self) { return self.counters().size; }, "Nodes.")
        .def_prop_ro(
            "refused", [](const SearchTree& self) { return self.counters().refused; },
            "Nodes not added for want of room.")
        .def_prop_ro("iterations",
                     [](const SearchTree& self) { return self.counters().iterations; })
        .def_prop_ro("depth", [](const SearchTree& self) { return self.counters().depth; })
        .def_prop_ro(
            "low", [](const SearchTree& self) { return self.counters().range.low; },
            "The least value seen.")
        .def_prop_ro(
            "high", [](const SearchTree& self) { return self.counters().range.high; },
            "The largest value seen.")
        .def_prop_ro(
            "span", [](const SearchTree& self) { return self.counters().range.span; },
            "What bonuses are scaled by.")
        .def_prop_ro("bytes", &SearchTree::bytes, "Memory of the tree.")
        .def_prop_ro("provable", &SearchTree::provable, "Whether results can be proven in it.")
        .def_prop_ro("solved", &SearchTree::solved, "Whether the result of the root is proven.")
        .def(
            "root_bandits",
            [](const SearchTree& self, int seat) {
                nb::list out;
                for (const auto& one : self.root_bandits(seat)) out.append(bandit_tuple(one));
                return out;
            },
            nb::sig("def root_bandits(self, seat: int) -> list[tuple[int, int, list[tuple[int, "
                    "int, float]], float]]"),
            "seat"_a,
            "A seat at each root: seat, visits, (action, visits, mean) of each, sum of squares.")
        .def("proven_value", &SearchTree::proven_value, "seat"_a,
             "The proven result of the root for a seat, or None.")
        .def(
            "proven",
            [](const SearchTree& self, int seat) {
                nb::dict out;
                for (const search::ProvenAction& one : self.proven(seat)) {
                    out[nb::int_(one.action)] = one.value;
                }
                return out;
            },
            nb::sig("def proven(self, seat: int) -> dict[int, float]"), "seat"_a,
            "The proven results of the root's actions for a seat.")
        .def("best_line", &SearchTree::best_line, "first"_a, "longest"_a,
             "An action, then always the one tried most, as far as the tree goes.")
        .def(
            "nodes",
            [](const SearchTree& self, std::size_t most) {
                nb::list out;
                for (const search::NodeRecord& one : self.nodes(most)) out.append(node_dict(one));
                return out;
            },
            nb::sig("def nodes(self, most: int = 1000000) -> list[dict[str, typing.Any]]"),
            "most"_a = 1'000'000, "All nodes as plain records, numbered from the root on.");
}

nb::list genome_list(const std::vector<std::int64_t>& genes) {
    nb::list genome;
    for (const std::int64_t gene : genes) {
        genome.append(gene < 0 ? nb::object(nb::none()) : nb::object(nb::int_(gene)));
    }
    return genome;
}

void bind_evolved_sequences(nb::module_& m) {
    using search::EvolvedSequences;
    nb::class_<EvolvedSequences, search::SearchTree>(
        m, "EvolvedSequences", "Sequences of actions that a native search has evolved.")
        .def_prop_ro("rounds", &EvolvedSequences::rounds,
                     "How often all sides have made a generation.")
        .def_prop_ro(
            "landscape",
            [](const EvolvedSequences& self) {
                const Arm& all = self.landscape();
                return nb::make_tuple(all.visits, all.mean, all.square);
            },
            nb::sig("def landscape(self) -> tuple[int, float, float]"),
            "The values of the own seat: how many, their mean, the sum of their squares.")
        .def(
            "champion", [](const EvolvedSequences& self) { return genome_list(self.champion()); },
            nb::sig("def champion(self) -> list[int | None]"),
            "The best sequence; empty where none was played.")
        .def(
            "firsts",
            [](const EvolvedSequences& self) {
                nb::list out;
                for (const EvolvedSequences::First& one : self.firsts()) {
                    out.append(nb::make_tuple(one.action, one.visits, one.best));
                }
                return out;
            },
            nb::sig("def firsts(self) -> list[tuple[int, int, float]]"),
            "The first actions tried: action, visits, best value.")
        .def(
            "population",
            [](const EvolvedSequences& self, int seat) {
                nb::list out;
                for (const EvolvedSequences::Sequence& one : self.population(seat)) {
                    out.append(nb::make_tuple(genome_list(one.genes), one.value));
                }
                return out;
            },
            nb::sig("def population(self, seat: int) -> list[tuple[list[int | None], float]]"),
            "seat"_a, "The sequences of a seat with their values, best first.");
}

nb::bytes key_bytes(const ludex::Key& key) {
    return nb::bytes(reinterpret_cast<const char*>(&key), sizeof key);
}

void bind_state_search(nb::module_& m) {
    using search::StateSearch;
    nb::class_<StateSearch>(m, "StateSearch", "What a native search through states has found.")
        .def_prop_ro(
            "size", [](const StateSearch& self) { return self.counters().size; }, "States made.")
        .def_prop_ro("iterations",
                     [](const StateSearch& self) { return self.counters().iterations; })
        .def_prop_ro("depth", [](const StateSearch& self) { return self.counters().depth; })
        .def_prop_ro("memory", &StateSearch::bytes, "Bytes that the search takes.")
        .def_prop_ro("complete", &StateSearch::is_complete, "Whether nothing was left to look at.")
        .def_prop_ro("won", &StateSearch::is_won, "Whether the best path wins.")
        .def(
            "plan",
            [](const StateSearch& self) {
                nb::list out;
                for (const search::PlannedStep& one : self.plan()) {
                    out.append(nb::make_tuple(key_bytes(one.key), one.action));
                }
                return out;
            },
            nb::sig("def plan(self) -> list[tuple[bytes, int]]"),
            "The best path: actions, each with the key of the state it is meant for.")
        .def(
            "tried",
            [](const StateSearch& self) {
                nb::list out;
                for (const search::ActionStatistics& one : self.tried()) {
                    if (one.visits == 0) continue;  // the budget ended before it was kept
                    out.append(nb::make_tuple(one.action, one.visits, one.value));
                }
                return out;
            },
            nb::sig("def tried(self) -> list[tuple[int, int, float]]"),
            "Actions of the root: the states kept below each, and the highest gain of them.")
        .def(
            "kept",
            [](const StateSearch& self) {
                nb::list out;
                for (const search::ForwardRecord& one : self.kept()) {
                    out.append(nb::make_tuple(key_bytes(one.key), one.parent, one.action, one.depth,
                                              one.gain, one.hint, one.is_won));
                }
                return out;
            },
            nb::sig("def kept(self) -> list[tuple[bytes, int, int, int, float, float, bool]]"),
            "Of all states that were kept: key, place of the parent, action, depth, gain, guess, "
            "whether it is won.");
}

// Numbers are checked in core/policy.py.
void bind_policies(nb::module_& m) {
    nb::class_<WeightedPolicy>(m, "WeightedPolicy",
                               "What native code reads of core.policy.Weighted.")
        .def(
            "__init__",
            [](WeightedPolicy* self, std::vector<double> by_action, double other) {
                new (self) WeightedPolicy{std::move(by_action), other};
            },
            "by_action"_a, "other"_a);
    nb::class_<TypePolicy>(m, "TypePolicy", "What native code reads of core.policy.Types.")
        .def(
            "__init__",
            [](TypePolicy* self, std::vector<double> by_type) {
                new (self) TypePolicy{std::move(by_type)};
            },
            "by_type"_a);
    nb::class_<DistancePolicy>(m, "DistancePolicy",
                               "What native code reads of core.policy.Distances.")
        .def(
            "__init__",
            [](DistancePolicy* self, std::vector<int> kinds, std::vector<double> weights) {
                new (self) DistancePolicy{std::move(kinds), std::move(weights)};
            },
            "kinds"_a, "weights"_a);
    nb::class_<GreedyPolicy>(m, "GreedyPolicy", "What native code reads of core.policy.Greedy.")
        .def(
            "__init__",
            [](GreedyPolicy* self, int columns, std::vector<double> costs, double epsilon,
               std::optional<std::tuple<int, int>> target, double near) {
                const auto [kind, id] = target.value_or(std::tuple(0, 0));
                const int rows = static_cast<int>(costs.size()) / columns;
                new (self) GreedyPolicy{
                    columns, rows, std::move(costs), epsilon, target.has_value(), kind, id, near};
            },
            "columns"_a, "costs"_a, "epsilon"_a, "target"_a.none(), "near"_a);
}

}  // namespace

NB_MODULE(_native, m) {
    // Worlds are kept for the life of the process, so their models outlive the interpreter.
    nb::set_leak_warnings(false);
    m.doc() = "Random streams, budgets, rollouts and bandits, shared by all that is native.";
    bind_rollout(m);
    bind_rng(m);
    bind_meter(m);
    bind_arms(m);
    bind_search_tree(m);
    bind_evolved_sequences(m);
    bind_state_search(m);
    bind_policies(m);
    ludex::bind_objects(m);
}

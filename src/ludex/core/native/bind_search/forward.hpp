// Binds the twins of planners/parts/forward.py: breadth_first, best_first, a_star, beam and
// iterated_width.
#pragma once

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "../facts.hpp"
#include "../search/forward.hpp"
#include "common.hpp"

namespace ludex {

[[nodiscard]] inline bool is_forward(const std::string& twin) noexcept {
    return std::ranges::find(search::kPlannedNames, twin) != search::kPlannedNames.end();
}

// Names of other worlds mean nothing here.
template <WorldRules R>
[[nodiscard]] unsigned read_ignored(const R& rules, const nb::object& names) {
    unsigned bits = 0;
    for (const nb::handle name : nb::borrow<nb::tuple>(as_tuple(names, "ignore is a list"))) {
        bits |= ignored_bit(rules, nb::cast<std::string>(name));
    }
    return bits;
}

[[nodiscard]] inline search::OrderSettings read_order(const ReadPlanner& read) {
    constexpr std::array<std::string_view, 2> kTies{"shallowest", "any"};
    using search::Planned;
    search::OrderSettings made;
    made.planner = read.word<Planned>("twin", search::kPlannedNames);
    made.is_shallowest = read.word<int>("ties", kTies) == 0;
    if (made.planner == Planned::breadth_first) made.prune = read.flag("prune");
    if (made.planner == Planned::a_star) made.weight = read.number("weight");
    if (made.planner == Planned::iterated_width) made.least_width = read.whole("least_width");
    if (made.planner == Planned::beam || made.planner == Planned::iterated_width) {
        made.width = read.whole("width");
    }
    if (made.planner == Planned::beam) {
        made.max_depth = read.whole("max_depth");
        made.widen = read.flag("widen");
    }
    return made;
}

template <WorldRules R>
[[nodiscard]] search::ForwardSettings read_forward(const R& rules, nb::handle planner,
                                                   const nb::dict& parts) {
    const ReadPlanner read(planner);
    search::ForwardSettings made;
    made.order = read_order(read);
    if (made.order.planner == search::Planned::iterated_width) {
        const bool is_own = nb::cast<bool>(parts["own_features"]);
        if (!HasFacts<R> || (is_own && !ListsFacts<R>)) {
            throw Lacks{"the features of this world are written in Python"};
        }
        made.order.most_facts = nb::cast<std::size_t>(parts["most_facts"]);
    }
    if (made.order.guesses() && nb::cast<bool>(parts["own_distance"]) && !KnowsDistance<R>) {
        throw Lacks{"the distance of this world is written in Python"};
    }
    made.discount = read.number("discount");
    made.revisit_penalty = read.number("revisit_penalty");
    made.ignore = read_ignored(rules, read.object("ignore"));
    made.opponent = read.word<search::Opponent>("opponent", search::kOpponentNames);
    made.value = read.word<search::Value>("value", kValueNames);
    made.score_scale = read.number("score_scale");
    made.max_nodes = read.whole("max_nodes");
    return made;
}

[[nodiscard]] inline std::vector<search::Visited> read_visited(const nb::dict& given) {
    std::vector<search::Visited> visited;
    for (const auto [key, times] : given) {
        const nb::bytes bytes = nb::cast<nb::bytes>(key);
        if (bytes.size() != sizeof(Key)) raise_bad_parameter("keys are those of `native_key`");
        search::Visited one;
        std::memcpy(&one.key, bytes.c_str(), sizeof(Key));
        one.times = nb::cast<std::int64_t>(times);
        visited.push_back(one);
    }
    return visited;
}

template <class M>
void bind_forward(nb::class_<M>& model) {
    using namespace nb::literals;
    using R = typename M::Rules;
    using State = typename R::State;
    model
        .def(
            "native_forward",
            [](M& self, nb::handle planner, const Given<State>& given, const Seat& given_seat,
               std::int64_t iterations, Rng& rng, const nb::dict& visited,
               const nb::dict& parts) -> std::unique_ptr<search::StateSearch> {
                const int seat = own_seat(self.rules, given_seat);
                auto found = std::make_unique<search::ForwardSearch<R>>(
                    self.rules, own_state(self.rules, given), seat,
                    read_forward(self.rules, planner, parts), read_visited(visited), self.stock);
                run_search(self, *found, {iterations, 1}, rng);
                return found;
            },
            nb::sig("def native_forward(self, planner: typing.Any, state: State, seat: int, "
                    "iterations: int, rng: ludex.core._native.Rng, visited: dict[bytes, int], "
                    "parts: dict[str, typing.Any]) -> ludex.core._native.StateSearch"),
            "planner"_a, "state"_a, "seat"_a, "iterations"_a, "rng"_a, "visited"_a, "parts"_a,
            "Search through states by the order of a planner; `visited`: how often real states "
            "were met.")
        .def(
            "native_key",
            [](const M& self, const Given<State>& given, const nb::object& ignore) {
                const Key key = key_of(self.rules, own_state(self.rules, given),
                                       read_ignored(self.rules, ignore));
                return nb::bytes(reinterpret_cast<const char*>(&key), sizeof key);
            },
            nb::sig("def native_key(self, state: State, ignore: tuple[str, ...] = ()) -> bytes"),
            "state"_a, "ignore"_a = nb::make_tuple(),
            "A short key, equal for states that are the same but for `ignore`.");
}

}  // namespace ludex

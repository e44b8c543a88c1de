// Binds the twin of planners/olets.py.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "../search/olets.hpp"
#include "common.hpp"
#include "source.hpp"

namespace ludex {

[[nodiscard]] inline search::OletsSettings read_olets(nb::handle planner) {
    const ReadPlanner read(planner);
    search::OletsSettings made;
    made.select.exploration = read.number("exploration");
    made.select.epsilon = read.number("epsilon");
    made.taboo_penalty = read.number("taboo_penalty");
    made.opponent = read.word<search::Opponent>("opponent", search::kOpponentNames);
    made.value = read.word<search::Value>("value", kValueNames);
    made.score_scale = read.number("score_scale");
    made.max_nodes = read.whole("max_nodes");
    return made;
}

template <class M>
void bind_olets(nb::class_<M>& model) {
    using namespace nb::literals;
    using R = typename M::Rules;
    using Place = std::pair<std::uint64_t, std::uint64_t>;
    using Kept = std::pair<search::SearchTree*, std::vector<typename R::Action>>;
    model.def(
        "native_place",
        [](const M& self, const Given<typename R::State>& state, const Seat& seat) {
            const Key place = search::place_of(self.rules, own_state(self.rules, state),
                                               own_seat(self.rules, seat));
            return Place(place.low, place.high);
        },
        "state"_a, "seat"_a,
        "Where a seat is: its avatar's cell, or a hash of the state where there are no avatars.");
    model.def(
        "native_olets",
        [](M& self, nb::handle planner, const nb::object& source, const nb::object& legal,
           const Seat& seat, std::int64_t iterations, Rng& rng, const std::vector<Place>& taboo,
           const std::optional<Kept>& kept) {
            std::vector<Key> places;
            for (const auto& [low, high] : taboo) places.push_back({low, high});
            auto tree = std::make_unique<search::OletsTree<R>>(
                self.rules, read_source(self.rules, source), read_actions<R>(legal),
                own_seat(self.rules, seat), read_olets(planner), std::move(places), self.stock);
            if (kept) {
                auto* const last = dynamic_cast<search::OletsTree<R>*>(kept->first);
                if (last != nullptr) tree->take_over(*last, kept->second);
            }
            run_from_source(self, *tree, {iterations}, rng, source);
            return std::unique_ptr<search::SearchTree>(std::move(tree));
        },
        nb::sig("def native_olets(self, planner: typing.Any, source: typing.Any, legal: "
                "collections.abc.Sequence[int], seat: int, iterations: int, rng: "
                "ludex.core._native.Rng, taboo: collections.abc.Sequence[tuple[int, int]], kept: "
                "tuple[ludex.core._native.SearchTree, collections.abc.Sequence[int]] | None) -> "
                "ludex.core._native.SearchTree"),
        "planner"_a, "source"_a, "legal"_a, "seat"_a, "iterations"_a, "rng"_a, "taboo"_a,
        "kept"_a.none(),
        "Grow the tree of `olets`; `kept`: the last tree, which is left empty, and the actions "
        "played since.");
}

}  // namespace ludex

// Binds the twin of planners/ismcts.py.
#pragma once

#include "../search/ismcts.hpp"
#include "common.hpp"
#include "source.hpp"

namespace ludex {

constexpr std::array<std::string_view, 2> kObserverNames{"own", "each"};

template <WorldRules R>
[[nodiscard]] search::IsmctsSettings<R> read_ismcts(const R& rules, nb::handle planner,
                                                    const nb::dict& parts) {
    const ReadPlanner read(planner);
    search::IsmctsSettings<R> made;
    made.select.rule = read.word<search::Rule>("selection", search::kRuleNames);
    made.select.exploration = read.number("exploration");
    made.each_observes = read.word<int>("observer", kObserverNames) == 1;
    made.rollout = read_policy(rules, parts["policy"], "rollout");
    made.rollout_depth = nb::cast<std::int64_t>(parts["depth"]);
    made.value = read.word<search::Value>("value", kValueNames);
    made.score_scale = read.number("score_scale");
    made.max_nodes = read.whole("max_nodes");
    return made;
}

template <bool kShared, class M>
[[nodiscard]] std::unique_ptr<search::SearchTree> run_ismcts(
    M& model, nb::handle planner, const nb::object& given, const nb::object& legal, int seat,
    bool is_hidden, const search::Budget& budget, Rng& rng, const nb::dict& parts) {
    using R = typename M::Rules;
    search::IsmctsSettings<R> settings = read_ismcts(model.rules, planner, parts);
    settings.is_hidden = is_hidden;
    const auto actions = read_actions<R>(legal);
    auto tree = std::make_unique<search::IsmctsTree<R, kShared>>(
        model.rules, nb::cast<const M&>(parts["rollouts"]).rules, read_source(model.rules, given),
        actions, seat, std::move(settings), model.stock);
    run_from_source(model, *tree, budget, rng, given);
    return tree;
}

template <class M>
void bind_ismcts(nb::class_<M>& model) {
    using namespace nb::literals;
    model.def(
        "native_ismcts",
        [](M& self, nb::handle planner, const nb::object& source, const nb::object& legal,
           const Seat& given_seat, bool is_hidden, std::int64_t iterations, Rng& rng,
           const nb::dict& parts) {
            const int seat = own_seat(self.rules, given_seat);
            const search::Budget budget{iterations,
                                        static_cast<int>(ReadPlanner(planner).whole("threads"))};
            const auto run = budget.threads == 1 ? &run_ismcts<false, M> : &run_ismcts<true, M>;
            return run(self, planner, source, legal, seat, is_hidden, budget, rng, parts);
        },
        nb::sig("def native_ismcts(self, planner: typing.Any, source: typing.Any, legal: "
                "collections.abc.Sequence[int], seat: int, is_hidden: bool, iterations: int, "
                "rng: ludex.core._native.Rng, parts: dict[str, typing.Any]) -> "
                "ludex.core._native.SearchTree"),
        "planner"_a, "source"_a, "legal"_a, "seat"_a, "is_hidden"_a, "iterations"_a, "rng"_a,
        "parts"_a, "Grow the tree of `ismcts`.");
}

}  // namespace ludex

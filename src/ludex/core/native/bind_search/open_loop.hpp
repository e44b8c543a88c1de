// Binds the twin of planners/open_loop_mcts.py.
#pragma once

#include "../search/open_loop.hpp"
#include "common.hpp"
#include "source.hpp"

namespace ludex {

constexpr std::array<std::string_view, 2> kDepthNames{"leaf", "root"};

template <WorldRules R>
[[nodiscard]] search::OpenLoopSettings<R> read_open_loop(const R& rules, nb::handle planner,
                                                         const nb::dict& parts) {
    const ReadPlanner read(planner);
    search::OpenLoopSettings<R> made;
    made.select.rule = read.word<search::Rule>("selection", search::kRuleNames);
    made.select.exploration = read.number("exploration");
    made.rollout = read_policy(rules, parts["policy"], "rollout");
    made.rollout_depth = nb::cast<std::int64_t>(parts["depth"]);
    made.depth_from_root = read.word<int>("depth_from", kDepthNames) == 1;
    if (made.depth_from_root) made.deepest = read.whole("rollout_depth");
    made.value = read.word<search::Value>("value", kValueNames);
    made.score_scale = read.number("score_scale");
    made.max_nodes = read.whole("max_nodes");
    return made;
}

template <bool kShared, class M>
[[nodiscard]] std::unique_ptr<search::SearchTree> run_open_loop(
    M& model, nb::handle planner, const nb::object& given, const nb::object& legal, int seat,
    const search::Budget& budget, Rng& rng, const nb::dict& parts, const nb::object& kept) {
    using R = typename M::Rules;
    using Tree = search::OpenLoopTree<R, kShared>;
    const auto actions = read_actions<R>(legal);
    auto tree = std::make_unique<Tree>(model.rules, nb::cast<const M&>(parts["rollouts"]).rules,
                                       read_source(model.rules, given), actions, seat,
                                       read_open_loop(model.rules, planner, parts), model.stock);
    if (!kept.is_none()) {
        const nb::tuple pair = nb::cast<nb::tuple>(kept);
        const auto* const last =
            dynamic_cast<const Tree*>(&nb::cast<const search::SearchTree&>(pair[0]));
        if (last != nullptr) tree->take_over(*last, nb::cast<typename R::Action>(pair[1]));
    }
    run_from_source(model, *tree, budget, rng, given);
    return tree;
}

template <class M>
void bind_open_loop(nb::class_<M>& model) {
    using namespace nb::literals;
    model.def(
        "native_open_loop",
        [](M& self, nb::handle planner, const nb::object& source, const nb::object& legal,
           const Seat& given_seat, std::int64_t iterations, Rng& rng, const nb::dict& parts,
           const nb::object& kept) {
            const int seat = own_seat(self.rules, given_seat);
            const search::Budget budget{iterations,
                                        static_cast<int>(ReadPlanner(planner).whole("threads"))};
            const auto run =
                budget.threads == 1 ? &run_open_loop<false, M> : &run_open_loop<true, M>;
            return run(self, planner, source, legal, seat, budget, rng, parts, kept);
        },
        nb::sig("def native_open_loop(self, planner: typing.Any, source: typing.Any, legal: "
                "collections.abc.Sequence[int], seat: int, iterations: int, rng: "
                "ludex.core._native.Rng, parts: dict[str, typing.Any], kept: "
                "tuple[ludex.core._native.SearchTree, int] | None) -> "
                "ludex.core._native.SearchTree"),
        "planner"_a, "source"_a, "legal"_a, "seat"_a, "iterations"_a, "rng"_a, "parts"_a,
        "kept"_a.none(),
        "Grow the tree of `open_loop_mcts`; `kept`: the last tree, and the action played there.");
}

}  // namespace ludex

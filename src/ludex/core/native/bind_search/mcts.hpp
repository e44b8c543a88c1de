// Binds the twin of planners/mcts.py.
#pragma once

#include <nanobind/stl/vector.h>

#include <chrono>

#include "../search/mcts.hpp"
#include "../search/prior_queue.hpp"
#include "common.hpp"

namespace ludex {

constexpr std::array<std::string_view, 2> kBackupNames{"mean", "max"};
constexpr std::array<std::string_view, 2> kOutcomeNames{"balanced", "drawn"};

// What a thread of Python's answers; see planners/parts/prior_service.py.
template <WorldRules R>
struct BoundPriorQueue {
    std::shared_ptr<search::PriorQueue<R>> queue = std::make_shared<search::PriorQueue<R>>();
};

template <WorldRules R>
void bind_prior_queue(nb::module_& m) {
    using namespace nb::literals;
    using Bound = BoundPriorQueue<R>;
    nb::class_<Bound>(m, "PriorQueue", "Nodes of a native search that ask for their priors.")
        .def(nb::init<>())
        .def(
            "take",
            [](const Bound& self, std::size_t most, int longest_ms) {
                std::vector<typename search::PriorQueue<R>::Request> taken;
                {
                    const nb::gil_scoped_release unlocked;
                    taken = self.queue->take(most, std::chrono::milliseconds(longest_ms));
                }
                nb::list out;
                for (auto& one : taken) {
                    nb::list legal;
                    for (const auto action : one.legal) legal.append(static_cast<long>(action));
                    out.append(nb::make_tuple(one.number, nb::cast(std::move(one.state)), one.seat,
                                              nb::tuple(legal)));
                }
                return out;
            },
            nb::sig("def take(self, most: int, longest_ms: int) -> list[tuple[int, State, int, "
                    "tuple[int, ...]]]"),
            "most"_a, "longest_ms"_a, "Requests: number, state, seat, legal actions.")
        .def(
            "answer",
            [](const Bound& self, std::uint64_t number, std::vector<double> priors) {
                self.queue->answer(number, std::move(priors));
            },
            "number"_a, "priors"_a, "The priors of a request's legal actions, normalised.")
        .def(
            "close", [](const Bound& self) { self.queue->close(); }, "Ask for no more.")
        .def_prop_ro("closed", [](const Bound& self) { return self.queue->is_closed(); })
        .def_prop_ro(
            "asked", [](const Bound& self) { return self.queue->asked(); }, "Nodes that asked.");
}

template <WorldRules R>
[[nodiscard]] search::MctsSettings<R> read_mcts(const R& rules, nb::handle planner,
                                                const nb::dict& parts) {
    const ReadPlanner read(planner);
    search::MctsSettings<R> made;
    made.select.rule = read.word<search::Rule>("selection", search::kRuleNames);
    made.select.exploration = read.number("exploration");
    made.prior.temperature = read.number("temperature");
    if (search::uses_priors(made.select.rule)) {
        const nb::object prior = parts["prior"];
        if (nb::isinstance<BoundPriorQueue<R>>(prior)) {
            made.queue = nb::cast<const BoundPriorQueue<R>&>(prior).queue;
        } else {
            made.prior.policy = read_prior(rules, prior);
        }
    }
    made.rollout = read_policy(rules, parts["policy"], "rollout");
    made.rollout_depth = nb::cast<std::int64_t>(parts["depth"]);
    made.backup = read.word<search::Backup>("backup", kBackupNames);
    made.value = read.word<search::Value>("value", kValueNames);
    made.score_scale = read.number("score_scale");
    made.transpositions = read.flag("transpositions");
    made.afterstates = read.flag("afterstates");
    made.draws_outcomes = read.word<int>("outcomes", kOutcomeNames) == 1;
    made.look_ahead = read.flag("look_ahead");
    made.widening = read.number("widening");
    if (parts.contains("virtual_wins")) {
        constexpr std::int64_t kMostWins = 1'000'000;
        made.virtual_wins = nb::cast<std::vector<std::int64_t>>(parts["virtual_wins"]);
        for (std::int64_t& wins : made.virtual_wins)
            wins = std::clamp<std::int64_t>(wins, 0, kMostWins);
        made.beside = nb::cast<int>(parts["beside"]);
    }
    made.legality = read.flag("legality");
    made.max_depth = read.whole("max_depth");
    made.max_nodes = read.whole("max_nodes");
    return made;
}

template <bool kShared, class M>
[[nodiscard]] std::unique_ptr<search::SearchTree> run_mcts(
    M& model, const M& rollouts, const std::vector<typename M::Rules::State>& states,
    search::MctsSettings<typename M::Rules> settings, const search::Budget& budget, Rng& rng) {
    const auto queue = settings.queue;
    auto tree = std::make_unique<search::MctsTree<typename M::Rules, kShared>>(
        model.rules, rollouts.rules, states, std::move(settings), model.stock);
    run_search(model, *tree, budget, rng);
    if (queue) queue->close();
    return tree;
}

template <class M>
void bind_mcts(nb::class_<M>& model) {
    using namespace nb::literals;
    using R = typename M::Rules;
    model
        .def(
            "native_mcts",
            [](M& self, nb::handle planner, const nb::object& states, std::int64_t iterations,
               Rng& rng, const nb::dict& parts, std::int64_t even_turn, bool provable,
               bool samples_chance) {
                search::MctsSettings<R> settings = read_mcts(self.rules, planner, parts);
                settings.even_turn = even_turn;
                settings.provable = provable;
                settings.samples_chance = samples_chance;
                const auto& played = nb::cast<const M&>(parts["rollouts"]);
                const auto begun = read_states(self.rules, states);
                const search::Budget budget{
                    iterations, static_cast<int>(ReadPlanner(planner).whole("threads"))};
                return budget.threads == 1
                           ? run_mcts<false>(self, played, begun, std::move(settings), budget, rng)
                           : run_mcts<true>(self, played, begun, std::move(settings), budget, rng);
            },
            nb::sig("def native_mcts(self, planner: typing.Any, states: "
                    "collections.abc.Sequence[State], iterations: int, rng: "
                    "ludex.core._native.Rng, parts: dict[str, typing.Any], even_turn: int, "
                    "provable: bool, samples_chance: bool) -> ludex.core._native.SearchTree"),
            "planner"_a, "states"_a, "iterations"_a, "rng"_a, "parts"_a, "even_turn"_a,
            "provable"_a, "samples_chance"_a,
            "Grow the tree of `mcts`; `parts` are what the planner has resolved.")
        .def(
            "prior_queue", [](const M&) { return BoundPriorQueue<R>(); },
            "A queue for nodes of one search that ask a function for their priors.")
        .def(
            "native_after",
            [](const M&, const search::SearchTree& tree,
               std::int64_t action) -> std::optional<typename R::State> {
                if (const auto* const one = dynamic_cast<const search::MctsTree<R, false>*>(&tree))
                    return one->state_after(action);
                if (const auto* const one = dynamic_cast<const search::MctsTree<R, true>*>(&tree))
                    return one->state_after(action);
                return std::nullopt;
            },
            nb::sig("def native_after(self, tree: ludex.core._native.SearchTree, action: int) -> "
                    "State | None"),
            "tree"_a, "action"_a, "The state that an action of the root leads to, if it is one.")
        .def(
            "native_seeded",
            [](const M&, const search::SearchTree& tree) -> std::int64_t {
                if (const auto* const one = dynamic_cast<const search::MctsTree<R, false>*>(&tree))
                    return one->seeded();
                if (const auto* const one = dynamic_cast<const search::MctsTree<R, true>*>(&tree))
                    return one->seeded();
                return 0;
            },
            "tree"_a, "Nodes of a tree that have the priors they asked a function for.");
}

}  // namespace ludex

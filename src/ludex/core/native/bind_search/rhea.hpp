// Binds the twins of planners/rhea.py and planners/random_search.py.
#pragma once

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "../search/evolution.hpp"
#include "../search/random_search.hpp"
#include "../search/seeding.hpp"
#include "common.hpp"
#include "source.hpp"

namespace ludex {

[[nodiscard]] inline search::EvolutionSettings read_evolution(nb::handle planner) {
    const ReadPlanner read(planner);
    search::EvolutionSettings made;
    made.population = static_cast<std::size_t>(read.whole("population"));
    made.elite = static_cast<std::size_t>(read.whole("elite"));
    made.tournament = read.whole("tournament");
    made.crossover = read.word<search::Crossover>("crossover", search::kCrossoverNames);
    made.mutation = read.word<search::Mutation>("mutation", search::kMutationNames);
    made.mutation_rate = read.number("mutation_rate");
    made.seed_mutation = nb::cast<std::optional<double>>(read.object("seed_mutation"));
    made.statistical_tree = read.flag("statistical_tree");
    made.dynamic_length = read.flag("dynamic_length");
    made.opponent = read.word<search::Opponent>("opponent", search::kOpponentNames);
    (void)read.word<search::Seeding>("seeding", search::kSeedingNames);
    (void)read.word<search::Value>("value", kValueNames);
    return made;
}

// Of a stage in Python.
template <WorldRules R>
[[nodiscard]] search::Stage<R> read_stage(const R& rules, nb::handle stage) {
    const ReadPlanner read(stage);
    const nb::object given = read.object("valuation");
    const ReadPlanner valuation(given);
    return {rules,
            static_cast<std::size_t>(read.whole("length")),
            read.whole("limit"),
            {valuation.word<search::Value>("value", kValueNames), valuation.number("score_scale"),
             valuation.whole("rollouts"), valuation.whole("rollout_length")}};
}

// A part of a budget of iterations, or `most` where it is one of calls or of time.
[[nodiscard]] inline std::int64_t read_part(nb::handle budget, double of, std::int64_t most,
                                            search::Share& share) {
    const auto part = [&](const char* name) {
        const nb::object given = budget.attr(name);
        return given.is_none() ? 0.0 : nb::cast<double>(given) * of;
    };
    share = {part("model_calls"), part("planning_ms"), nb::cast<bool>(budget.attr("wall"))};
    const double iterations = part("iterations");
    return iterations > 0.0 ? static_cast<std::int64_t>(iterations) : most;
}

// What a first sequence is searched with.
template <class M>
struct SeedRequest {
    using R = typename M::Rules;
    nb::handle planner, stage;
    const nb::object& source;
    std::span<const typename R::Action> legal;
    int seat;
    nb::handle budget;
};

// A first sequence by open-loop MCTS, completed at random; takes its iterations from those left.
template <class M>
[[nodiscard]] std::vector<search::Gene> seed_by_mcts(
    M& model, const SeedRequest<M>& asked, const search::Stage<typename M::Rules>& stage,
    const search::Alphabets<typename M::Rules::Action>& alphabets, std::int64_t& left, Rng& rng) {
    using R = typename M::Rules;
    search::OpenLoopSettings<R> settings;
    settings.rollout_depth = static_cast<std::int64_t>(stage.length());
    settings.depth_from_root = true;
    settings.deepest = settings.rollout_depth;
    settings.value = stage.valuation().value;
    settings.score_scale = stage.valuation().score_scale;
    search::StateSource<R> source = read_source(model.rules, asked.source);
    search::OpenLoopTree<R, false> tree(model.rules, model.rules, std::move(source), asked.legal,
                                        asked.seat, settings, model.stock);
    search::Share share;
    const double of = ReadPlanner(asked.planner).number("seed_share");
    const std::int64_t part = read_part(asked.budget, of, left, share);
    search::SharedSearch<R> searched(tree, share);
    run_from_source(model, searched, {part, 1}, rng, asked.source);
    if (part < left) left -= part;
    std::vector<search::Gene> genome(stage.length());
    search::draw_genome(alphabets, rng, genome);
    const auto line = search::recommended(model.rules, tree, asked.seat);
    std::copy_n(line.begin(), std::min(line.size(), genome.size()), genome.begin());
    return genome;
}

template <class M>
[[nodiscard]] std::vector<search::Gene> make_seed(
    M& model, const SeedRequest<M>& asked, const search::Stage<typename M::Rules>& stage,
    const search::Alphabets<typename M::Rules::Action>& alphabets, std::int64_t& left, Rng& rng) {
    using R = typename M::Rules;
    using State = typename R::State;
    switch (ReadPlanner(asked.planner).word<search::Seeding>("seeding", search::kSeedingNames)) {
        case search::Seeding::random:
            break;
        case search::Seeding::one_step: {
            const nb::object first = asked.stage.attr("states").attr("first");
            const State root = own_state(model.rules, nb::cast<Given<State>>(first));
            search::GreedySeed<R> greedy(stage, alphabets, root, asked.seat);
            run_search(model, greedy, {1, 1}, rng);
            return greedy.genome();
        }
        case search::Seeding::mcts:
            return seed_by_mcts(model, asked, stage, alphabets, left, rng);
    }
    return {};
}

template <class M>
[[nodiscard]] std::unique_ptr<search::EvolvedSequences> run_rhea(
    M& model, nb::handle planner, nb::handle stage, const nb::object& given,
    const nb::object& seeds, const nb::object& legal, const Seat& given_seat, nb::handle budget,
    std::int64_t iterations, Rng& rng, const nb::object& kept) {
    using R = typename M::Rules;
    using Search = search::Evolution<R>;
    const int seat = own_seat(model.rules, given_seat);
    const auto actions = read_actions<R>(legal);
    auto made =
        std::make_unique<Search>(read_stage(model.rules, stage), read_source(model.rules, given),
                                 actions, seat, read_evolution(planner), model.stock);
    if (!kept.is_none()) {
        const auto [last, played, keeps_statistics] =
            nb::cast<std::tuple<const search::EvolvedSequences*, nb::tuple, bool>>(kept);
        std::vector<std::int64_t> actions_played;
        for (const nb::handle action : played) {
            actions_played.push_back(nb::cast<std::int64_t>(action));
        }
        const auto* const same = dynamic_cast<const Search*>(last);
        if (same != nullptr) made->take_over(*same, actions_played, keeps_statistics);
    }
    const SeedRequest<M> asked{planner, stage, seeds, actions, seat, budget};
    made->seed_with(make_seed(model, asked, made->stage(), made->alphabets(), iterations, rng));
    run_from_source(model, *made, {iterations, 1}, rng, given);
    made->finish();
    return made;
}

template <class M>
void bind_rhea(nb::class_<M>& model) {
    using namespace nb::literals;
    model.def("native_rhea", &run_rhea<M>,
              nb::sig("def native_rhea(self, planner: typing.Any, stage: typing.Any, source: "
                      "typing.Any, seeds: typing.Any, legal: collections.abc.Sequence[int], seat: "
                      "int, budget: typing.Any, iterations: int, rng: ludex.core._native.Rng, "
                      "kept: tuple[ludex.core._native.EvolvedSequences, tuple[int, ...], bool] | "
                      "None) "
                      "-> ludex.core._native.EvolvedSequences"),
              "planner"_a, "stage"_a, "source"_a, "seeds"_a, "legal"_a, "seat"_a, "budget"_a,
              "iterations"_a, "rng"_a, "kept"_a.none(),
              "Evolve the sequences of `rhea`; `kept`: those of the last decision, the actions "
              "played since, and whether their statistics still count.");
}

template <class M>
void bind_random_search(nb::class_<M>& model) {
    using namespace nb::literals;
    model.def(
        "native_random_search",
        [](M& self, nb::handle stage, const nb::object& source, const nb::object& legal,
           const Seat& given_seat, std::int64_t iterations, Rng& rng,
           std::optional<double> mutant_rate) -> std::unique_ptr<search::EvolvedSequences> {
            using R = typename M::Rules;
            auto made = std::make_unique<search::RandomSearch<R>>(
                read_stage(self.rules, stage), read_source(self.rules, source),
                read_actions<R>(legal), own_seat(self.rules, given_seat), mutant_rate);
            run_from_source(self, *made, {iterations, 1}, rng, source);
            return made;
        },
        nb::sig("def native_random_search(self, stage: typing.Any, source: "
                "typing.Any, legal: collections.abc.Sequence[int], seat: int, iterations: int, "
                "rng: ludex.core._native.Rng, mutant_rate: float | None) -> "
                "ludex.core._native.EvolvedSequences"),
        "stage"_a, "source"_a, "legal"_a, "seat"_a, "iterations"_a, "rng"_a, "mutant_rate"_a.none(),
        "Try the sequences of `random_search`, or mutants of a first one.");
}

}  // namespace ludex

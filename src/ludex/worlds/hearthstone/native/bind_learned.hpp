// Binds players that learned more than Nora, matches, and what they learn from; included by
// bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind_nora.hpp"
#include "learned.hpp"

namespace ludex::hearthstone {

inline Level level_named(const std::string& name) {
    const char* names[4] = {"whole", "play", "attack", "meta"};
    for (std::size_t i = 0; i < 4; ++i) {
        if (name == names[i]) return static_cast<Level>(i);
    }
    throw nb::value_error("a level is whole, play, attack or meta");
}

inline void check_chooser(const Rules& rules, const Chooser& player) {
    check_manner(rules, player.manner);
    if (player.nora) check_manner(rules, player.nora->manner);
    if (player.base) check_chooser(rules, *player.base);
}

inline void bind_learned(nb::module_& m, nb::class_<ludex::Model<Rules>>& model) {
    using namespace nb::literals;
    using M = ludex::Model<Rules>;
    using Who = Chooser::Kind;

    nb::class_<Chooser>(m, "Chooser", "Who chooses in native games.")
        .def_static(
            "random", [] { return Chooser{}; }, "Draws a card, an attacker or the power.")
        .def_static(
            "damped",
            [](std::shared_ptr<Nora> nora) {
                Chooser made;
                made.kind = Who::damped;
                made.nora = std::move(nora);
                return made;
            },
            "nora"_a = nb::none(), "The random player of samples; Nora aims for it, if given.")
        .def_static(
            "scripted",
            [](double explore, bool heal_sign_bug, bool group_mask_ignored) {
                Chooser made;
                made.kind = Who::scripted;
                made.explore = explore;
                made.faults = {heal_sign_bug, group_mask_ignored};
                return made;
            },
            "explore"_a = 0.0, "heal_sign_bug"_a = false, "group_mask_ignored"_a = true)
        .def_static(
            "nora",
            [](std::shared_ptr<Nora> nora) {
                Chooser made;
                made.kind = Who::nora;
                made.nora = std::move(nora);
                return made;
            },
            "nora"_a)
        .def_static(
            "valued",
            [](const M& rules, std::shared_ptr<Voters> forest, const std::vector<int>& numbers,
               double explore) {
                Chooser made;
                made.kind = Who::valued;
                made.manner = make_manner(rules.rules, numbers);
                check_forest(*forest, row_size(made.manner, Level::whole));
                made.forest = std::move(forest);
                made.explore = explore;
                return made;
            },
            "rules"_a, "forest"_a, "numbers"_a, "explore"_a = 0.0,
            "Takes the whole action of highest value.")
        .def_static(
            "corrected",
            [](const M& rules, std::shared_ptr<Chooser> base, std::shared_ptr<Voters> forest,
               const std::vector<int>& numbers, double threshold) {
                Chooser made;
                made.kind = Who::corrected;
                made.manner = make_manner(rules.rules, numbers);
                check_forest(*forest, comparison_size(made.manner));
                made.base = std::move(base);
                made.forest = std::move(forest);
                made.threshold = threshold;
                return made;
            },
            "rules"_a, "base"_a, "forest"_a, "numbers"_a, "threshold"_a,
            "Does what another does unless it is sure of something better.")
        .def_static(
            "two_level",
            [](std::shared_ptr<Nora> nora, std::shared_ptr<Voters> forest, double explore) {
                Chooser made;
                made.kind = Who::two_level;
                made.manner = nora->manner;
                check_forest(*forest, row_size(made.manner, Level::meta));
                made.nora = std::move(nora);
                made.forest = std::move(forest);
                made.explore = explore;
                return made;
            },
            "nora"_a, "forest"_a, "explore"_a = 0.0,
            "Chooses between playing, attacking and ending, then a card or attack, then a target.")
        .def_static(
            "simulated",
            [](std::shared_ptr<Chooser> base, int simulations) {
                if (base->kind == Who::simulated) {
                    throw nb::value_error("simulations are not played by simulations");
                }
                Chooser made;
                made.kind = Who::simulated;
                made.base = std::move(base);
                made.simulations = simulations;
                return made;
            },
            "base"_a, "simulations"_a,
            "Imagines so many games to their end, played on by another.");

    model
        .def(
            "chosen",
            [](const M& self, const Given<State>& state, const Chooser& player, ludex::Rng& rng) {
                check_chooser(self.rules, player);
                return move_of(self.rules, choosing(self.rules, state), player, rng);
            },
            "state"_a, "player"_a, "rng"_a)
        .def(
            "action_vector",
            [](const M& self, const Given<State>& given, Action action,
               const std::vector<int>& numbers) {
                const State& state = own_state(self.rules, given);
                check_flat(self.rules, state, action);
                const Manner manner = make_manner(self.rules, numbers);
                std::vector<std::int16_t> row;
                encode_action(self.rules, state, manner, action, row);
                return as_column(std::move(row));
            },
            "state"_a, "action"_a, "numbers"_a,
            nb::sig("def action_vector(self, state: State, action: int, numbers: "
                    "collections.abc.Sequence[int]) -> typing.Any"))
        .def(
            "matches",
            [](const M& self, const Chooser& one, const Chooser& two, std::uint64_t seed,
               std::int64_t first_game, std::int64_t games) {
                check_chooser(self.rules, one);
                check_chooser(self.rules, two);
                std::vector<int> outcomes;
                {
                    const nb::gil_scoped_release unlocked;
                    const ludex::Rng streams = ludex::Rng(seed).fork("matches");
                    for (std::int64_t game = first_game; game < first_game + games; ++game) {
                        ludex::Rng rng = streams.fork(static_cast<std::uint64_t>(game));
                        State state = self.rules.start(rng);
                        while (!self.rules.over(state)) {
                            const Chooser& player = self.rules.actor(state) == 0 ? one : two;
                            const Action action = move_of(self.rules, state, player, rng);
                            self.rules.apply_flat(state, action, rng);
                        }
                        outcomes.push_back(state.winner == 2 ? 2 : state.winner == 0 ? 1 : 0);
                    }
                }
                return outcomes;
            },
            "one"_a, "two"_a, "seed"_a, "first_game"_a, "games"_a,
            "Play games natively; 0 lost, 1 won, 2 drawn, for the first player.")
        .def(
            "transitions",
            [](const M& self, const Chooser& player, const std::string& level,
               const std::vector<int>& numbers, double win, std::uint64_t seed,
               std::int64_t first_game, std::int64_t games) {
                const Manner manner = make_manner(self.rules, numbers);
                const Level what = level_named(level);
                check_chooser(self.rules, player);
                Transitions made;
                {
                    const nb::gil_scoped_release unlocked;
                    make_transitions(self.rules, player, manner, what, win, seed, first_game, games,
                                     made);
                }
                const int columns = row_size(manner, what);
                return nb::make_tuple(
                    as_rows(std::move(made.rows), columns), as_column(std::move(made.rewards)),
                    as_rows(std::move(made.next_rows), columns), as_column(std::move(made.ends)));
            },
            "player"_a, "level"_a, "numbers"_a, "win"_a, "seed"_a, "first_game"_a, "games"_a,
            "Steps of games: rows, rewards, the rows of what could be done next, and where they "
            "end.",
            nb::sig("def transitions(self, player: Chooser, level: str, numbers: "
                    "collections.abc.Sequence[int], win: float, seed: int, first_game: int, games: "
                    "int) -> tuple[typing.Any, typing.Any, typing.Any, typing.Any]"))
        .def(
            "trials",
            [](const M& self, const Chooser& player, const std::vector<int>& numbers,
               std::uint64_t seed, std::int64_t first, std::int64_t count) {
                const Manner manner = make_manner(self.rules, numbers);
                check_chooser(self.rules, player);
                Trials made;
                {
                    const nb::gil_scoped_release unlocked;
                    make_trials(self.rules, player, manner, seed, first, count, made);
                }
                return nb::make_tuple(as_rows(std::move(made.rows), comparison_size(manner)),
                                      as_column(std::move(made.better)));
            },
            "player"_a, "numbers"_a, "seed"_a, "first"_a, "count"_a,
            "Decisions tried twice that made a difference, and whether the other choice was "
            "better.",
            nb::sig("def trials(self, player: Chooser, numbers: collections.abc.Sequence[int], "
                    "seed: int, first: int, count: int) -> tuple[typing.Any, typing.Any]"));
}

}  // namespace ludex::hearthstone

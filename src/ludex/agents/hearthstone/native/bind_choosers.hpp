// Binds choosers, and the games that they play and learn from; included by bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chooser.hpp"
#include "convert.hpp"
#include "experience.hpp"
#include "games.hpp"
#include "samples.hpp"

namespace ludex::hearthstone::agents {

inline Level level_named(const std::string& name) {
    const char* names[4] = {"whole", "play", "attack", "meta"};
    for (std::size_t i = 0; i < 4; ++i) {
        if (name == names[i]) return static_cast<Level>(i);
    }
    throw nb::value_error("a level is whole, play, attack or meta");
}

inline void check_chooser(const Rules& rules, const Chooser& player) {
    check_encoding(rules, player.encoding);
    if (player.nora) check_encoding(rules, player.nora->encoding);
    if (player.base) check_chooser(rules, *player.base);
}

inline void bind_choosers(nb::module_& m) {
    using namespace nb::literals;
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
            [](const NativeModel& model, std::shared_ptr<AveragingForest> forest,
               const std::vector<int>& numbers, double explore) {
                Chooser made;
                made.kind = Who::valued;
                made.encoding = make_encoding(model.rules, numbers);
                check_forest(*forest, row_size(made.encoding, Level::whole));
                made.forest = std::move(forest);
                made.explore = explore;
                return made;
            },
            "model"_a, "forest"_a, "numbers"_a, "explore"_a = 0.0,
            "Takes the whole action of highest value.")
        .def_static(
            "corrected",
            [](const NativeModel& model, std::shared_ptr<Chooser> base,
               std::shared_ptr<AveragingForest> forest, const std::vector<int>& numbers,
               double threshold) {
                Chooser made;
                made.kind = Who::corrected;
                made.encoding = make_encoding(model.rules, numbers);
                check_forest(*forest, comparison_size(made.encoding));
                made.base = std::move(base);
                made.forest = std::move(forest);
                made.threshold = threshold;
                return made;
            },
            "model"_a, "base"_a, "forest"_a, "numbers"_a, "threshold"_a,
            "Does what another does unless it is sure of something better.")
        .def_static(
            "two_level",
            [](std::shared_ptr<Nora> nora, std::shared_ptr<AveragingForest> forest,
               double explore) {
                Chooser made;
                made.kind = Who::two_level;
                made.encoding = nora->encoding;
                check_forest(*forest, row_size(made.encoding, Level::meta));
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
            "base"_a, "simulations"_a, "Imagines so many games to their end, played on by another.")
        .def(
            "as_policy",
            [](std::shared_ptr<Chooser> self, const NativeModel& model) {
                check_chooser(model.rules, *self);
                const auto choose = [](const void* player, const Rules& rules, const State& state,
                                       int, Rng& rng) {
                    return move_of(rules, state, *static_cast<const Chooser*>(player), rng);
                };
                return FunctionPolicy<Rules>{choose, std::move(self)};
            },
            "model"_a, "This chooser as a rollout policy of native searches.");

    m.def(
        "chosen",
        [](const NativeModel& model, const Given<State>& state, const Chooser& player, Rng& rng) {
            check_chooser(model.rules, player);
            return move_of(model.rules, choosing(model.rules, state), player, rng);
        },
        "model"_a, "state"_a, "player"_a, "rng"_a, "What a chooser does.");
}

// Games last, so that other Python threads run meanwhile.
inline void bind_games(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "matches",
        [](const NativeModel& model, const Chooser& one, const Chooser& two, std::uint64_t seed,
           std::int64_t first_game, std::int64_t games) {
            check_chooser(model.rules, one);
            check_chooser(model.rules, two);
            const nb::gil_scoped_release unlocked;
            return play_matches(model.rules, one, two, {seed, first_game, first_game + games});
        },
        "model"_a, "one"_a, "two"_a, "seed"_a, "first_game"_a, "games"_a,
        "Play games natively; 0 lost, 1 won, 2 drawn, for the first player.");
    m.def(
        "samples",
        [](const NativeModel& model, const std::vector<int>& numbers, std::uint64_t seed,
           std::int64_t first_game, std::int64_t games, std::int64_t quota, bool released,
           bool one_hot, bool silence_counts_as_enchanted, const Nora* chooser) {
            const Encoding encoding =
                make_encoding(model.rules, numbers, released, one_hot, silence_counts_as_enchanted);
            Samples samples;
            {
                const nb::gil_scoped_release unlocked;
                make_samples(model.rules, encoding, {seed, first_game, first_game + games}, quota,
                             chooser, samples);
            }
            nb::dict out;
            const char* names[3] = {"play", "target", "attack"};
            for (std::size_t g = 0; g < 3; ++g) {
                out[names[g]] = nb::make_tuple(
                    as_rows(std::move(samples.rows[g]), row_size(encoding, static_cast<Skill>(g))),
                    as_column(std::move(samples.rewards[g])), samples.seen[g], samples.zeros[g]);
            }
            out["games"] = samples.games;
            return out;
        },
        "model"_a, "numbers"_a, "seed"_a, "first_game"_a, "games"_a, "quota"_a, "released"_a = true,
        "one_hot"_a = false, "silence_counts_as_enchanted"_a = true, "chooser"_a = nb::none(),
        "Rows of random games and how they changed the score, by what is learned from them.",
        nb::sig("def samples(model: ludex.worlds.hearthstone._native.Model, "
                "numbers: collections.abc.Sequence[int], seed: int, first_game: int, games: int, "
                "quota: int, released: bool = True, one_hot: bool = False, "
                "silence_counts_as_enchanted: bool = True, chooser: Nora | None = None) "
                "-> dict[str, typing.Any]"));
    m.def(
        "transitions",
        [](const NativeModel& model, const Chooser& player, const std::string& level,
           const std::vector<int>& numbers, double win, std::uint64_t seed, std::int64_t first_game,
           std::int64_t games) {
            const Encoding encoding = make_encoding(model.rules, numbers);
            const Level what = level_named(level);
            check_chooser(model.rules, player);
            Transitions made;
            {
                const nb::gil_scoped_release unlocked;
                make_transitions(model.rules, player, encoding, what, win,
                                 {seed, first_game, first_game + games}, made);
            }
            const int columns = row_size(encoding, what);
            return nb::make_tuple(
                as_rows(std::move(made.rows), columns), as_column(std::move(made.rewards)),
                as_rows(std::move(made.next_rows), columns), as_column(std::move(made.ends)));
        },
        "model"_a, "player"_a, "level"_a, "numbers"_a, "win"_a, "seed"_a, "first_game"_a, "games"_a,
        "Steps of games: rows, rewards, the rows of what could be done next, and where they end.",
        nb::sig("def transitions(model: ludex.worlds.hearthstone._native.Model, player: Chooser, "
                "level: str, numbers: collections.abc.Sequence[int], win: float, seed: int, "
                "first_game: int, games: int) "
                "-> tuple[typing.Any, typing.Any, typing.Any, typing.Any]"));
    m.def(
        "trials",
        [](const NativeModel& model, const Chooser& player, const std::vector<int>& numbers,
           std::uint64_t seed, std::int64_t first, std::int64_t count) {
            const Encoding encoding = make_encoding(model.rules, numbers);
            check_chooser(model.rules, player);
            Trials made;
            {
                const nb::gil_scoped_release unlocked;
                make_trials(model.rules, player, encoding, {seed, first, first + count}, made);
            }
            return nb::make_tuple(as_rows(std::move(made.rows), comparison_size(encoding)),
                                  as_column(std::move(made.better)));
        },
        "model"_a, "player"_a, "numbers"_a, "seed"_a, "first"_a, "count"_a,
        "Decisions tried twice that made a difference, and whether the other choice was better.",
        nb::sig("def trials(model: ludex.worlds.hearthstone._native.Model, player: Chooser, "
                "numbers: collections.abc.Sequence[int], seed: int, first: int, count: int) "
                "-> tuple[typing.Any, typing.Any]"));
}

}  // namespace ludex::hearthstone::agents

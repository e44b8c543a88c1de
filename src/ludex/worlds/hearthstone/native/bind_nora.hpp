// Binds players, samples and forests; included by bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bind_forest.hpp"
#include "bind_model.hpp"
#include "border.hpp"
#include "errors.hpp"
#include "random_player.hpp"
#include "samples.hpp"
#include "score.hpp"
#include "scripted_player.hpp"

namespace ludex::hearthstone {

namespace nb = nanobind;

inline Manner make_manner(const Rules& rules, const std::vector<int>& numbers, bool released = true,
                          bool one_hot = false, bool silence_counts_as_enchanted = true) {
    constexpr int kMostNumbers = 10'000;
    Manner manner;
    int most = 0;
    if (numbers.size() > rules.cards().cards.size()) {
        raise_bad_parameter("there are numbers for " + std::to_string(numbers.size()) +
                            " cards, but " + std::to_string(rules.cards().cards.size()) +
                            " cards in this world");
    }
    for (const int number : numbers) {
        if (number < -1 || number > kMostNumbers) {
            raise_bad_parameter("cards are numbered from 0 to " + std::to_string(kMostNumbers) +
                                ", or -1 for none, got " + std::to_string(number));
        }
        manner.numbers.push_back(static_cast<std::int16_t>(number));
        most = std::max(most, number + 1);
    }
    manner.cards = most;
    manner.released = released;
    manner.one_hot = one_hot;
    manner.silence_counts_as_enchanted = silence_counts_as_enchanted;
    number_actions(rules, manner);
    return manner;
}

// Refuses what was made for a world with other cards.
inline void check_manner(const Rules& rules, const Manner& manner) {
    if (manner.numbers.size() > rules.cards().cards.size()) {
        raise_bad_parameter("this player was made for a world with other cards");
    }
}

// Rows that lie one after the other, as a table.
inline nb::object as_rows(Row&& rows, int columns) {
    const auto width = static_cast<std::size_t>(columns);
    const std::size_t count = rows.size() / width;
    return as_array(std::move(rows), {count, width});
}

template <class N>
nb::object as_column(std::vector<N>&& values) {
    const std::size_t count = values.size();
    return as_array(std::move(values), {count});
}

constexpr std::size_t kAnyWidth = 1U << 15U;

// Refuses a forest that would look beyond the end of a row.
inline void check_forest(const Voters& forest, int columns) {
    if (forest.widest() > columns) {
        throw nb::value_error("the rows are too short for this forest");
    }
}

// Whole actions, whatever the stages of the world are.
[[nodiscard]] inline std::vector<Action> flat_actions(const Rules& rules, const State& state) {
    std::vector<Action> actions(Rules::kMaxLegal);
    actions.resize(static_cast<std::size_t>(rules.flat_legal(state, actions)));
    return actions;
}

inline void check_flat(const Rules& rules, const State& state, Action action) {
    const std::vector<Action> legal = flat_actions(rules, state);
    if (std::binary_search(legal.begin(), legal.end(), action)) return;
    raise_illegal_action("the action " + std::to_string(action) + " is not legal here; " +
                         std::to_string(legal.size()) + " actions are");
}

// A state in which a player chooses: nobody does after the end.
[[nodiscard]] inline const State& choosing(const Rules& rules, const Given<State>& given) {
    const State& state = own_state(rules, given);
    if (rules.over(state)) {
        raise_illegal_action("the game is over, so there is nothing to choose");
    }
    return state;
}

inline nb::list told(const std::vector<Thought>& thoughts) {
    nb::list made;
    for (const Thought& one : thoughts) {
        made.append(nb::make_tuple(one.action, one.confidence, one.target));
    }
    return made;
}

inline void bind_nora(nb::module_& m, nb::class_<ludex::Model<Rules>>& model) {
    using namespace nb::literals;
    using M = ludex::Model<Rules>;

    nb::class_<Voters>(m, "Forest", "Trees that vote with probabilities.")
        .def(
            "__init__",
            [](Voters* self, const Array<std::int16_t, 1>& features,
               const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
               const Array<float, 1>& leaves, const Array<std::int32_t, 1>& roots) {
                Voters made;
                // How long rows will be is asked where they come from.
                made.trees = read_forest(features, cuts, rights, roots, kAnyWidth, leaves.shape(0));
                made.leaves.assign(leaves.data(), leaves.data() + leaves.shape(0));
                new (self) Voters(std::move(made));
            },
            "features"_a, "cuts"_a, "rights"_a, "leaves"_a, "roots"_a,
            nb::sig("def __init__(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, leaves: typing.Any, roots: typing.Any) -> None"))
        .def(
            "predict",
            [](const Voters& self, const Array<std::int16_t, 2>& rows) {
                check_forest(self, static_cast<int>(rows.shape(1)));
                std::vector<double> out(rows.shape(0));
                for (std::size_t i = 0; i < out.size(); ++i) {
                    out[i] = self.mean(rows.data() + i * rows.shape(1));
                }
                return as_column(std::move(out));
            },
            "rows"_a, nb::sig("def predict(self, rows: typing.Any) -> typing.Any"))
        .def(
            "leaves_of",
            [](const Voters& self, const Array<std::int16_t, 2>& rows) {
                check_forest(self, static_cast<int>(rows.shape(1)));
                const std::size_t trees = self.trees.trees();
                std::vector<std::int32_t> out;
                out.reserve(rows.shape(0) * trees);
                for (std::size_t i = 0; i < rows.shape(0); ++i) {
                    const std::int16_t* const row = rows.data() + i * rows.shape(1);
                    for (std::size_t tree = 0; tree < trees; ++tree) {
                        out.push_back(static_cast<std::int32_t>(self.trees.leaf(tree, row)));
                    }
                }
                return as_array(std::move(out), {rows.shape(0), trees});
            },
            "rows"_a, "The leaf that each row reaches in each tree.",
            nb::sig("def leaves_of(self, rows: typing.Any) -> typing.Any"))
        .def_prop_ro("bytes", [](const Voters& self) {
            return self.trees.nodes.size() * sizeof(ludex::Forest::Node) +
                   self.leaves.size() * sizeof(float);
        });

    nb::class_<Nora>(m, "Nora", "Three forests and how they are used.")
        .def(
            "__init__",
            [](Nora* self, const M& rules, std::shared_ptr<Voters> play,
               std::shared_ptr<Voters> target, std::shared_ptr<Voters> attack,
               const std::vector<int>& numbers, bool one_hot, double threshold,
               bool silence_counts_as_enchanted, bool target_state_bug, bool power_id_is_hero_id) {
                Nora nora;
                nora.forests = {std::move(play), std::move(target), std::move(attack)};
                nora.manner =
                    make_manner(rules.rules, numbers, true, one_hot, silence_counts_as_enchanted);
                nora.threshold = threshold;
                nora.target_state_bug = target_state_bug;
                nora.power_id_is_hero_id = power_id_is_hero_id;
                for (const Skill skill : {Skill::play, Skill::target, Skill::attack}) {
                    check_forest(nora.forest(skill), row_size(nora.manner, skill));
                }
                new (self) Nora(std::move(nora));
            },
            "rules"_a, "play"_a, "target"_a, "attack"_a, "numbers"_a, "one_hot"_a = false,
            "threshold"_a = 0.0, "silence_counts_as_enchanted"_a = true,
            "target_state_bug"_a = false, "power_id_is_hero_id"_a = false);

    model
        .def(
            "random_move",
            [](const M& self, const Given<State>& state, ludex::Rng& rng) {
                return random_move(self.rules, choosing(self.rules, state), rng);
            },
            "state"_a, "rng"_a)
        .def(
            "scripted_move",
            [](const M& self, const Given<State>& state, bool heal_sign_bug,
               bool group_mask_ignored) {
                return scripted_move(self.rules, choosing(self.rules, state),
                                     {heal_sign_bug, group_mask_ignored});
            },
            "state"_a, "heal_sign_bug"_a = false, "group_mask_ignored"_a = true)
        .def(
            "nora_move",
            [](const M& self, const Given<State>& given, const Nora& nora, ludex::Rng& rng) {
                const State& state = choosing(self.rules, given);
                check_manner(self.rules, nora.manner);
                std::vector<Thought> thoughts;
                const Action action = nora_move(self.rules, state, nora, rng, &thoughts);
                return nb::make_tuple(action, told(thoughts));
            },
            "state"_a, "nora"_a, "rng"_a,
            nb::sig("def nora_move(self, state: State, nora: Nora, rng: ludex.core._native.Rng) -> "
                    "tuple[int, list[tuple[int, float, bool]]]"))
        .def(
            "nora_aim",
            [](const M& self, const Given<State>& given, const Nora& nora, Action action,
               ludex::Rng& rng) {
                const State& state = choosing(self.rules, given);
                check_flat(self.rules, state, action);
                check_manner(self.rules, nora.manner);
                std::vector<Thought> thoughts;
                const Action best = aimed(self.rules, state, nora, action, rng, &thoughts);
                return nb::make_tuple(best, told(thoughts));
            },
            "state"_a, "nora"_a, "action"_a, "rng"_a,
            "The same card on the target that Nora thinks best.",
            nb::sig("def nora_aim(self, state: State, nora: Nora, action: int, rng: "
                    "ludex.core._native.Rng) -> tuple[int, list[tuple[int, float, bool]]]"))
        .def(
            "board_control",
            [](const M& self, const Given<State>& state, const Seat& seat, bool released) {
                return board_control(self.rules, own_state(self.rules, state),
                                     own_seat(self.rules, seat), released);
            },
            "state"_a, "seat"_a, "released"_a = true)
        .def(
            "trade",
            [](const M& self, const Given<State>& state, const Seat& seat, bool released) {
                return trade(self.rules, own_state(self.rules, state), own_seat(self.rules, seat),
                             released);
            },
            "state"_a, "seat"_a, "released"_a = true)
        .def(
            "aggro",
            [](const M& self, const Given<State>& state, const Seat& seat) {
                return aggro(self.rules, own_state(self.rules, state), own_seat(self.rules, seat));
            },
            "state"_a, "seat"_a)
        .def(
            "state_vector",
            [](const M& self, const Given<State>& given, const Seat& given_seat,
               const std::vector<int>& numbers, ludex::Rng& rng, bool silence_counts_as_enchanted) {
                const State& state = own_state(self.rules, given);
                const int seat = own_seat(self.rules, given_seat);
                const Manner manner =
                    make_manner(self.rules, numbers, true, false, silence_counts_as_enchanted);
                Row row;
                encode_state(self.rules, state, manner, seat, rng, row);
                return as_column(std::move(row));
            },
            "state"_a, "seat"_a, "numbers"_a, "rng"_a, "silence_counts_as_enchanted"_a = true,
            nb::sig("def state_vector(self, state: State, seat: int, numbers: "
                    "collections.abc.Sequence[int], rng: ludex.core._native.Rng, "
                    "silence_counts_as_enchanted: bool = True) -> typing.Any"))
        .def(
            "samples",
            [](const M& self, const std::vector<int>& numbers, std::uint64_t seed,
               std::int64_t first_game, std::int64_t games, std::int64_t quota, bool released,
               bool one_hot, bool silence_counts_as_enchanted, const Nora* chooser) {
                const Manner manner = make_manner(self.rules, numbers, released, one_hot,
                                                  silence_counts_as_enchanted);
                Samples samples;
                {
                    const nb::gil_scoped_release unlocked;
                    make_samples(self.rules, manner, seed, first_game, games, quota, chooser,
                                 samples);
                }
                nb::dict out;
                const char* names[3] = {"play", "target", "attack"};
                for (std::size_t g = 0; g < 3; ++g) {
                    out[names[g]] = nb::make_tuple(as_rows(std::move(samples.rows[g]),
                                                           row_size(manner, static_cast<Skill>(g))),
                                                   as_column(std::move(samples.rewards[g])),
                                                   samples.seen[g], samples.zeros[g]);
                }
                out["games"] = samples.games;
                return out;
            },
            "numbers"_a, "seed"_a, "first_game"_a, "games"_a, "quota"_a, "released"_a = true,
            "one_hot"_a = false, "silence_counts_as_enchanted"_a = true, "chooser"_a = nb::none(),
            nb::sig("def samples(self, numbers: collections.abc.Sequence[int], seed: int, "
                    "first_game: int, games: int, quota: int, released: bool = True, "
                    "one_hot: bool = False, silence_counts_as_enchanted: bool = True, "
                    "chooser: Nora | None = None) -> dict[str, typing.Any]"));
}

}  // namespace ludex::hearthstone

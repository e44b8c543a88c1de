// Binds forests, Nora, simple players, evaluators and rows; included by bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "choices.hpp"
#include "convert.hpp"
#include "evaluators.hpp"
#include "flat.hpp"
#include "nora.hpp"
#include "random_player.hpp"
#include "scripted_player.hpp"

namespace ludex::hearthstone::agents {

constexpr std::size_t kAnyWidth = 1U << 15U;

inline nb::list as_list(const std::vector<Estimate>& estimates) {
    nb::list made;
    for (const Estimate& one : estimates) {
        made.append(nb::make_tuple(one.action, one.confidence, one.target));
    }
    return made;
}

inline void bind_forest(nb::module_& m) {
    using namespace nb::literals;

    nb::class_<AveragingForest>(m, "Forest", "Trees that vote with probabilities.")
        .def(
            "__init__",
            [](AveragingForest* self, const Array<std::int16_t, 1>& features,
               const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
               const Array<float, 1>& leaves, const Array<std::int32_t, 1>& roots) {
                AveragingForest made;
                // How long rows will be is asked where they come from.
                made.trees = read_forest(features, cuts, rights, roots, kAnyWidth, leaves.shape(0));
                made.leaves.assign(leaves.data(), leaves.data() + leaves.shape(0));
                new (self) AveragingForest(std::move(made));
            },
            "features"_a, "cuts"_a, "rights"_a, "leaves"_a, "roots"_a,
            nb::sig("def __init__(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, leaves: typing.Any, roots: typing.Any) -> None"))
        .def(
            "predict",
            [](const AveragingForest& self, const Array<std::int16_t, 2>& rows) {
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
            [](const AveragingForest& self, const Array<std::int16_t, 2>& rows) {
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
        .def_prop_ro("bytes", [](const AveragingForest& self) {
            return self.trees.nodes.size() * sizeof(ludex::Forest::Node) +
                   self.leaves.size() * sizeof(float);
        });
}

inline void bind_nora(nb::module_& m) {
    using namespace nb::literals;

    nb::class_<Nora>(m, "Nora", "Three forests and how they are used.")
        .def(
            "__init__",
            [](Nora* self, const NativeModel& model, std::shared_ptr<AveragingForest> play,
               std::shared_ptr<AveragingForest> target, std::shared_ptr<AveragingForest> attack,
               const std::vector<int>& numbers, bool one_hot, double threshold,
               bool silence_counts_as_enchanted, bool target_state_bug, bool power_id_is_hero_id) {
                Nora nora;
                nora.forests = {std::move(play), std::move(target), std::move(attack)};
                nora.encoding =
                    make_encoding(model.rules, numbers, true, one_hot, silence_counts_as_enchanted);
                nora.threshold = threshold;
                nora.target_state_bug = target_state_bug;
                nora.power_id_is_hero_id = power_id_is_hero_id;
                for (const Skill skill : {Skill::play, Skill::target, Skill::attack}) {
                    check_forest(nora.forest(skill), row_size(nora.encoding, skill));
                }
                new (self) Nora(std::move(nora));
            },
            "model"_a, "play"_a, "target"_a, "attack"_a, "numbers"_a, "one_hot"_a = false,
            "threshold"_a = 0.0, "silence_counts_as_enchanted"_a = true,
            "target_state_bug"_a = false, "power_id_is_hero_id"_a = false);

    m.def(
        "nora_move",
        [](const NativeModel& model, const Given<State>& given, const Nora& nora, Rng& rng) {
            const State& state = choosing(model.rules, given);
            check_encoding(model.rules, nora.encoding);
            std::vector<Estimate> estimates;
            const Action action = nora_move(model.rules, state, nora, rng, &estimates);
            return nb::make_tuple(action, as_list(estimates));
        },
        "model"_a, "state"_a, "nora"_a, "rng"_a,
        "What Nora does, and how sure she is of each action and target that she looked at.",
        nb::sig("def nora_move(model: ludex.worlds.hearthstone._native.Model, "
                "state: ludex.worlds.hearthstone._native.State, nora: Nora, "
                "rng: ludex.core._native.Rng) -> tuple[int, list[tuple[int, float, bool]]]"));
    m.def(
        "nora_aim",
        [](const NativeModel& model, const Given<State>& given, const Nora& nora, Action action,
           Rng& rng) {
            const State& state = choosing(model.rules, given);
            check_flat(model.rules, state, action);
            check_encoding(model.rules, nora.encoding);
            std::vector<Estimate> estimates;
            const Action best = aimed(model.rules, state, nora, action, rng, &estimates);
            return nb::make_tuple(best, as_list(estimates));
        },
        "model"_a, "state"_a, "nora"_a, "action"_a, "rng"_a,
        "The same card on the target that Nora thinks best.",
        nb::sig("def nora_aim(model: ludex.worlds.hearthstone._native.Model, "
                "state: ludex.worlds.hearthstone._native.State, nora: Nora, action: int, "
                "rng: ludex.core._native.Rng) -> tuple[int, list[tuple[int, float, bool]]]"));
}

inline void bind_simple_players(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "random_move",
        [](const NativeModel& model, const Given<State>& state, Rng& rng) {
            return random_move(model.rules, choosing(model.rules, state), rng);
        },
        "model"_a, "state"_a, "rng"_a, "A card, an attacker or the power, then a target.");
    m.def(
        "scripted_move",
        [](const NativeModel& model, const Given<State>& state, bool heal_sign_bug,
           bool group_mask_ignored) {
            return scripted_move(model.rules, choosing(model.rules, state),
                                 {heal_sign_bug, group_mask_ignored});
        },
        "model"_a, "state"_a, "heal_sign_bug"_a = false, "group_mask_ignored"_a = true,
        "What the scripted player of the Nora study does.");
}

inline void bind_evaluators(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "board_control",
        [](const NativeModel& model, const Given<State>& state, const Seat& seat, bool released) {
            return board_control(model.rules, own_state(model.rules, state),
                                 own_seat(model.rules, seat), released);
        },
        "model"_a, "state"_a, "seat"_a, "released"_a = true,
        "The score of the Nora study, from -1 to 1.");
    m.def(
        "trade",
        [](const NativeModel& model, const Given<State>& state, const Seat& seat, bool released) {
            return trade(model.rules, own_state(model.rules, state), own_seat(model.rules, seat),
                         released);
        },
        "model"_a, "state"_a, "seat"_a, "released"_a = true,
        "What the best attacks of minions on minions would gain.");
    m.def(
        "aggro",
        [](const NativeModel& model, const Given<State>& state, const Seat& seat) {
            return aggro(model.rules, own_state(model.rules, state), own_seat(model.rules, seat));
        },
        "model"_a, "state"_a, "seat"_a,
        "How near the other hero is to its end; 0 while a taunt protects it.");
}

inline void bind_rows(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "state_vector",
        [](const NativeModel& model, const Given<State>& given, const Seat& given_seat,
           const std::vector<int>& numbers, Rng& rng, bool silence_counts_as_enchanted) {
            const State& state = own_state(model.rules, given);
            const int seat = own_seat(model.rules, given_seat);
            const Encoding encoding =
                make_encoding(model.rules, numbers, true, false, silence_counts_as_enchanted);
            Row row;
            encode_state(model.rules, state, encoding, seat, rng, row);
            return as_column(std::move(row));
        },
        "model"_a, "state"_a, "seat"_a, "numbers"_a, "rng"_a,
        "silence_counts_as_enchanted"_a = true,
        nb::sig("def state_vector(model: ludex.worlds.hearthstone._native.Model, "
                "state: ludex.worlds.hearthstone._native.State, seat: int, "
                "numbers: collections.abc.Sequence[int], rng: ludex.core._native.Rng, "
                "silence_counts_as_enchanted: bool = True) -> typing.Any"));
    m.def(
        "action_vector",
        [](const NativeModel& model, const Given<State>& given, Action action,
           const std::vector<int>& numbers) {
            const State& state = own_state(model.rules, given);
            check_flat(model.rules, state, action);
            const Encoding encoding = make_encoding(model.rules, numbers);
            Row row;
            encode_action(model.rules, state, encoding, action, row);
            return as_column(std::move(row));
        },
        "model"_a, "state"_a, "action"_a, "numbers"_a,
        nb::sig("def action_vector(model: ludex.worlds.hearthstone._native.Model, "
                "state: ludex.worlds.hearthstone._native.State, action: int, "
                "numbers: collections.abc.Sequence[int]) -> typing.Any"));
}

}  // namespace ludex::hearthstone::agents

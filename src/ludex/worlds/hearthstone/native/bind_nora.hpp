// Binds players, samples and forests; included by bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <utility>
#include <vector>

#include "bind_model.hpp"
#include "nora.hpp"

namespace ludex::hearthstone {

namespace nb = nanobind;

template <class T>
nb::object as_array(std::vector<T>&& values, std::size_t columns) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    if (columns == 0) {
        return nb::cast(
            nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
    }
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(
        kept->data(), {kept->size() / columns, columns}, owner));
}

inline Forest make_forest(nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig> features,
                          nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig> cuts,
                          nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig> rights,
                          nb::ndarray<const float, nb::ndim<1>, nb::c_contig> leaves,
                          nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig> roots) {
    Forest forest;
    const std::size_t size = features.shape(0);
    if (cuts.shape(0) != size || rights.shape(0) != size || roots.shape(0) == 0) {
        throw nb::value_error("the arrays of a forest belong together");
    }
    for (std::size_t i = 0; i < size; ++i) {
        const bool leaf = features(i) < 0;
        const auto limit = static_cast<std::int32_t>(leaf ? leaves.shape(0) : size);
        const auto right = rights(i);
        // Children come later, so that no walk goes in circles.
        if (right < 0 || right >= limit || (!leaf && (static_cast<std::size_t>(right) <= i + 1))) {
            throw nb::value_error("a node of the forest leads nowhere");
        }
        forest.nodes.push_back({features(i), cuts(i), right});
    }
    if (size == 0 || forest.nodes.back().feature >= 0) {
        throw nb::value_error("a forest ends with a leaf");
    }
    for (std::size_t i = 0; i < leaves.shape(0); ++i) forest.leaves.push_back(leaves(i));
    for (std::size_t i = 0; i < roots.shape(0); ++i) {
        if (roots(i) < 0 || static_cast<std::size_t>(roots(i)) >= size) {
            throw nb::value_error("a tree of the forest has no root");
        }
        forest.roots.push_back(roots(i));
    }
    return forest;
}

inline Manner make_manner(const Rules& rules, const std::vector<int>& numbers, bool released,
                          bool one_hot) {
    Manner manner;
    int most = 0;
    for (const int number : numbers) {
        manner.numbers.push_back(static_cast<std::int16_t>(number));
        most = std::max(most, number + 1);
    }
    manner.cards = most;
    manner.released = released;
    manner.one_hot = one_hot;
    number_actions(rules, manner);
    return manner;
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

    nb::class_<Forest>(m, "Forest", "Trees that vote with probabilities.")
        .def(
            "__init__",
            [](Forest* self, nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig> features,
               nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig> cuts,
               nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig> rights,
               nb::ndarray<const float, nb::ndim<1>, nb::c_contig> leaves,
               nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig> roots) {
                new (self) Forest(make_forest(features, cuts, rights, leaves, roots));
            },
            "features"_a, "cuts"_a, "rights"_a, "leaves"_a, "roots"_a,
            nb::sig("def __init__(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, leaves: typing.Any, roots: typing.Any) -> None"))
        .def(
            "predict",
            [](const Forest& self,
               nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig> rows) {
                const bool wide = rows.shape(1) >= static_cast<std::size_t>(self.widest());
                if (rows.shape(0) > 0 && !wide) {
                    throw nb::value_error("the rows are too short for this forest");
                }
                std::vector<double> out(rows.shape(0));
                for (std::size_t i = 0; i < out.size(); ++i) {
                    out[i] = self.probability(rows.data() + i * rows.shape(1));
                }
                return as_array(std::move(out), 0);
            },
            "rows"_a, nb::sig("def predict(self, rows: typing.Any) -> typing.Any"))
        .def(
            "leaves_of",
            [](const Forest& self,
               nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig> rows) {
                const bool wide = rows.shape(1) >= static_cast<std::size_t>(self.widest());
                if (rows.shape(0) > 0 && !wide) {
                    throw nb::value_error("the rows are too short for this forest");
                }
                std::vector<std::int32_t> out;
                out.reserve(rows.shape(0) * self.roots.size());
                for (std::size_t i = 0; i < rows.shape(0); ++i) {
                    for (const std::int32_t root : self.roots) {
                        out.push_back(self.leaf_of(root, rows.data() + i * rows.shape(1)));
                    }
                }
                return as_array(std::move(out), self.roots.size());
            },
            "rows"_a, "The leaf that each row reaches in each tree.",
            nb::sig("def leaves_of(self, rows: typing.Any) -> typing.Any"))
        .def_prop_ro("bytes", [](const Forest& self) {
            return self.nodes.size() * sizeof(Forest::Node) + self.leaves.size() * sizeof(float);
        });

    nb::class_<Nora>(m, "Nora", "Three forests and how they are used.")
        .def(
            "__init__",
            [](Nora* self, const M& rules, std::shared_ptr<Forest> play,
               std::shared_ptr<Forest> target, std::shared_ptr<Forest> attack,
               const std::vector<int>& numbers, bool one_hot, double threshold) {
                Nora nora;
                nora.forests = {std::move(play), std::move(target), std::move(attack)};
                nora.manner = make_manner(rules.rules, numbers, true, one_hot);
                nora.threshold = threshold;
                new (self) Nora(std::move(nora));
            },
            "rules"_a, "play"_a, "target"_a, "attack"_a, "numbers"_a, "one_hot"_a = false,
            "threshold"_a = 0.0);

    model
        .def(
            "random_move",
            [](const M& self, const State& state, ludex::Rng& rng) {
                return random_move(self.rules, state, rng);
            },
            "state"_a, "rng"_a)
        .def(
            "scripted_move",
            [](const M& self, const State& state) { return scripted_move(self.rules, state); },
            "state"_a)
        .def(
            "nora_move",
            [](const M& self, const State& state, const Nora& nora, ludex::Rng& rng) {
                std::vector<Thought> thoughts;
                const Action action = nora_move(self.rules, state, nora, rng, &thoughts);
                return nb::make_tuple(action, told(thoughts));
            },
            "state"_a, "nora"_a, "rng"_a,
            nb::sig("def nora_move(self, state: State, nora: Nora, rng: ludex.core._native.Rng) -> "
                    "tuple[int, list[tuple[int, float, bool]]]"))
        .def(
            "nora_aim",
            [](const M& self, const State& state, const Nora& nora, Action action,
               ludex::Rng& rng) {
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
            [](const M& self, const State& state, int seat, bool released) {
                ludex::check_seat(self.rules, seat);
                Manner manner;
                manner.released = released;
                return board_control(self.rules, state, manner, seat);
            },
            "state"_a, "seat"_a, "released"_a = true)
        .def(
            "trade",
            [](const M& self, const State& state, int seat, bool released) {
                ludex::check_seat(self.rules, seat);
                return trade(self.rules, state, seat, released);
            },
            "state"_a, "seat"_a, "released"_a = true)
        .def(
            "aggro",
            [](const M& self, const State& state, int seat) {
                ludex::check_seat(self.rules, seat);
                return aggro(self.rules, state, seat);
            },
            "state"_a, "seat"_a)
        .def(
            "state_vector",
            [](const M& self, const State& state, int seat, const std::vector<int>& numbers,
               ludex::Rng& rng) {
                ludex::check_seat(self.rules, seat);
                const Manner manner = make_manner(self.rules, numbers, true, false);
                std::vector<std::int16_t> row;
                encode_state(self.rules, state, manner, seat, rng, row);
                return as_array(std::move(row), 0);
            },
            "state"_a, "seat"_a, "numbers"_a, "rng"_a,
            nb::sig("def state_vector(self, state: State, seat: int, numbers: "
                    "collections.abc.Sequence[int], rng: ludex.core._native.Rng) -> typing.Any"))
        .def(
            "samples",
            [](const M& self, const std::vector<int>& numbers, std::uint64_t seed,
               std::int64_t first_game, std::int64_t games, std::int64_t quota, bool released,
               bool one_hot, const Nora* chooser) {
                const Manner manner = make_manner(self.rules, numbers, released, one_hot);
                Samples samples;
                {
                    const nb::gil_scoped_release unlocked;
                    make_samples(self.rules, manner, seed, first_game, games, quota, chooser,
                                 samples);
                }
                nb::dict out;
                const char* names[3] = {"play", "target", "attack"};
                for (std::size_t g = 0; g < 3; ++g) {
                    const auto columns =
                        static_cast<std::size_t>(row_size(manner, static_cast<Group3>(g)));
                    out[names[g]] = nb::make_tuple(as_array(std::move(samples.rows[g]), columns),
                                                   as_array(std::move(samples.rewards[g]), 0),
                                                   samples.seen[g], samples.zeros[g]);
                }
                out["games"] = samples.games;
                return out;
            },
            "numbers"_a, "seed"_a, "first_game"_a, "games"_a, "quota"_a, "released"_a = true,
            "one_hot"_a = false, "chooser"_a = nb::none(),
            nb::sig(
                "def samples(self, numbers: collections.abc.Sequence[int], seed: int, "
                "first_game: int, games: int, quota: int, released: bool = True, "
                "one_hot: bool = False, chooser: Nora | None = None) -> dict[str, typing.Any]"));
}

}  // namespace ludex::hearthstone

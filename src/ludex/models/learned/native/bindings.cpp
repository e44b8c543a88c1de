// Python bindings of learned tile models: states, memory, classifiers, reward model, model.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind_forest.hpp"
#include "bind_model.hpp"
#include "bind_state.hpp"
#include "border.hpp"
#include "rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludex::learned;
using ludex::Array;
using ludex::as_array;
using ludex::read_forest;

namespace {

Ending read_ending(int number) {
    if (number < 0 || number >= kEndings) throw nb::value_error("there is no such ending");
    return static_cast<Ending>(number);
}

void check_cell(const State& state, std::int32_t cell) {
    if (cell < kNowhere || cell >= static_cast<std::int32_t>(state.cells())) {
        throw nb::value_error("there is no such cell");
    }
}

constexpr std::size_t kMostCells = 32'000;
constexpr int kMostMargin = 100;

// Checks and builds the list of legal actions.
Choices make_choices(const std::vector<std::uint16_t>& actions,
                     const std::vector<std::uint16_t>& verbs,
                     const std::vector<std::int32_t>& cells) {
    Choices made;
    if (actions.size() != verbs.size() || actions.size() != cells.size()) {
        throw nb::value_error("actions, verbs and cells are not of one length");
    }
    if (actions.size() > static_cast<std::size_t>(Rules::kMaxLegal)) {
        throw nb::value_error("there are too many actions");
    }
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (i > 0 && actions[i] <= actions[i - 1]) {
            throw nb::value_error("actions must be ascending");
        }
        made.acts.push_back({actions[i], verbs[i], cells[i]});
    }
    return made;
}

void check_choices(const State& state, const Choices& choices) {
    for (const Act& act : choices.acts) check_cell(state, act.cell);
}

// Restores a state from the parts of a pickle, all of which are checked.
State restored(const nb::tuple& kept) {
    constexpr std::size_t kParts = 13;
    if (kept.size() != kParts) throw nb::value_error("a pickled state has 13 parts");
    State made;
    made.width = nb::cast<std::int32_t>(kept[0]);
    made.height = nb::cast<std::int32_t>(kept[1]);
    made.margin = nb::cast<std::int32_t>(kept[2]);
    constexpr auto kMostSide = static_cast<std::int32_t>(kMostCells);
    if (made.width < 0 || made.height < 0 || made.width > kMostSide || made.height > kMostSide ||
        made.cells() > kMostCells || made.margin < 0 || made.margin > kMostMargin) {
        throw nb::value_error("its sides are out of their range");
    }
    const auto bytes = nb::cast<nb::bytes>(kept[3]);
    const auto rows = static_cast<std::size_t>(made.height + 2 * made.margin);
    if (bytes.size() != made.stride() * rows * sizeof(Tile)) {
        throw nb::value_error("its grid is not of its size");
    }
    made.grid.resize(bytes.size() / sizeof(Tile));
    if (bytes.size() > 0) std::memcpy(made.grid.data(), bytes.c_str(), bytes.size());
    made.hash = nb::cast<std::uint64_t>(kept[4]);
    Choices choices = make_choices(nb::cast<std::vector<std::uint16_t>>(kept[5]),
                                   nb::cast<std::vector<std::uint16_t>>(kept[6]),
                                   nb::cast<std::vector<std::int32_t>>(kept[7]));
    check_choices(made, choices);
    made.choices = std::make_shared<Choices>(std::move(choices));
    made.score = nb::cast<double>(kept[8]);
    made.bonus = nb::cast<double>(kept[9]);
    made.confidence = nb::cast<double>(kept[10]);
    made.unseen = nb::cast<std::uint32_t>(kept[11]);
    made.ending = read_ending(nb::cast<int>(kept[12]));
    return made;
}

void check_pair(const State& before, const State& after) {
    if (before.width != after.width || before.height != after.height) {
        throw nb::value_error("the two grids are not of one size");
    }
}

void bind_state(nb::module_& m) {
    nb::class_<Choices>(m, "Choices",
                        "The legal actions of a seat, each with its verb and the cell it acts on.")
        .def(
            "__init__",
            [](Choices* self, const std::vector<std::uint16_t>& actions,
               const std::vector<std::uint16_t>& verbs, const std::vector<std::int32_t>& cells) {
                new (self) Choices(make_choices(actions, verbs, cells));
            },
            "actions"_a, "verbs"_a, "cells"_a);
    nb::class_<State>(m, "State", nb::pooled(1024),
                      "A state of a learned tile model: a grid of tiles, score and ending.")
        .def(
            "__init__",
            [](State* self, const Array<Tile, 2>& tiles, int margin,
               std::shared_ptr<Choices> choices, double score, int ending) {
                const std::size_t size = tiles.shape(0) * tiles.shape(1);
                if (size == 0 || size > kMostCells || margin < 0 || margin > kMostMargin) {
                    throw nb::value_error("a grid has 1 to 32000 cells");
                }
                if (!choices) throw nb::value_error("a state needs choices");
                for (std::size_t i = 0; i < size; ++i) {
                    if (tiles.data()[i] > kMostTiles) throw nb::value_error("a tile is too large");
                }
                for (const Act& act : choices->acts) {
                    if (act.cell < kNowhere || act.cell >= static_cast<std::int32_t>(size)) {
                        throw nb::value_error("an action is done to a cell that is not there");
                    }
                }
                new (self) State(make_state(
                    static_cast<int>(tiles.shape(1)), static_cast<int>(tiles.shape(0)), margin,
                    {tiles.data(), size}, std::move(choices), score, read_ending(ending)));
            },
            "tiles"_a, "margin"_a, "choices"_a, "score"_a = 0.0, "ending"_a = 0,
            nb::sig("def __init__(self, tiles: numpy.typing.NDArray[numpy.uint16], margin: int, "
                    "choices: Choices, score: float = 0.0, ending: int = 0) -> None"))
        .def("copy", [](const State& self) { return State(self); })
        .def("copy_from", &ludex::take_over<State>, "other"_a)
        .def(
            "__eq__", [](const State& self, const State& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const State& self) {
                 const auto hash = static_cast<Py_hash_t>(self.hash);
                 return hash == -1 ? -2 : hash;
             })
        .def("__str__",
             [](const State& self) {
                 std::string text;
                 for (std::size_t cell = 0; cell < self.cells(); ++cell) {
                     if (cell > 0) text += cell % static_cast<std::size_t>(self.width) ? ' ' : '/';
                     text += std::to_string(self.tile(cell));
                 }
                 return text + " score=" + std::to_string(self.score) +
                        " ending=" + std::to_string(static_cast<int>(self.ending));
             })
        .def(
            "__getstate__",
            [](const State& self) {
                std::vector<std::uint16_t> actions, verbs;
                std::vector<std::int32_t> cells;
                for (const Act& act : self.choices->acts) {
                    actions.push_back(act.action);
                    verbs.push_back(act.verb);
                    cells.push_back(act.cell);
                }
                const auto* const bytes = reinterpret_cast<const char*>(self.grid.data());
                return nb::make_tuple(self.width, self.height, self.margin,
                                      nb::bytes(bytes, self.grid.size() * sizeof(Tile)), self.hash,
                                      actions, verbs, cells, self.score, self.bonus,
                                      self.confidence, self.unseen, static_cast<int>(self.ending));
            },
            nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
        .def(
            "__setstate__",
            [](State& self, const nb::tuple& kept) {
                State made;
                try {
                    made = restored(kept);
                } catch (const nb::python_error&) {
                    throw;
                } catch (const std::exception& problem) {
                    ludex::raise_invalid_state(
                        std::string("these are not the parts of a pickled state: ") +
                        problem.what());
                }
                new (&self) State(std::move(made));
            },
            nb::sig("def __setstate__(self, kept: tuple[typing.Any, ...], /) -> None"))
        .def_prop_ro(
            "tiles",
            [](const State& self) {
                std::vector<Tile> tiles(self.cells());
                for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
                    tiles[cell] = self.tile(cell);
                }
                return as_array(std::move(tiles), {static_cast<std::size_t>(self.height),
                                                   static_cast<std::size_t>(self.width)});
            },
            nb::sig("def tiles(self) -> numpy.typing.NDArray[numpy.uint16]"), "[row, column]")
        .def_prop_ro(
            "grid_bytes",
            [](const State& self) {
                return nb::bytes(reinterpret_cast<const char*>(self.grid.data()),
                                 self.grid.size() * sizeof(Tile));
            },
            "The grid with its margin as bytes, for keys of tables.")
        .def_ro("score", &State::score, "The predicted score, without any bonus.")
        .def_ro("bonus", &State::bonus)
        .def_ro("confidence", &State::confidence)
        .def_ro("unseen", &State::unseen,
                "Cells of the last step whose neighbourhood was never seen in training.")
        .def_prop_ro("ending", [](const State& self) { return static_cast<int>(self.ending); })
        .def(
            "verb_of",
            [](const State& self, std::uint16_t action) {
                for (const Act& act : self.choices->acts) {
                    if (act.action == action) return static_cast<int>(act.verb);
                }
                return -1;
            },
            "action"_a, "The verb index of an action; -1 if it is not a legal action.")
        .def(
            "becoming",
            [](const State& self, const Array<Tile, 2>& tiles, double score, double bonus,
               double confidence, std::uint32_t unseen, int ending) {
                const std::size_t size = tiles.shape(0) * tiles.shape(1);
                if (tiles.shape(0) != static_cast<std::size_t>(self.height) ||
                    tiles.shape(1) != static_cast<std::size_t>(self.width)) {
                    throw nb::value_error("the two grids are not of one size");
                }
                State made = make_state(self.width, self.height, self.margin, {tiles.data(), size},
                                        self.choices, score, read_ending(ending));
                made.bonus = bonus;
                made.confidence = confidence;
                made.unseen = unseen;
                return made;
            },
            "tiles"_a, "score"_a, "bonus"_a, "confidence"_a, "unseen"_a, "ending"_a,
            nb::sig("def becoming(self, tiles: numpy.typing.NDArray[numpy.uint16], score: float, "
                    "bonus: float, confidence: float, unseen: int, ending: int) -> State"),
            "The successor state with the same legal actions; for models written in Python.")
        .def(
            "differs",
            [](const State& self, const State& other) {
                check_pair(self, other);
                return changes_between(self, other).size();
            },
            "other"_a, "The number of cells that differ.");
}

void bind_memory(nb::module_& m) {
    nb::class_<Neighbourhood>(m, "Neighbourhood", "The cells around a cell, as offsets.")
        .def(
            "__init__",
            [](Neighbourhood* self, const std::vector<int>& rows, const std::vector<int>& columns) {
                if (rows.empty() || rows.size() != columns.size()) {
                    throw nb::value_error("a neighbourhood has as many rows as columns");
                }
                int span = 0;
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    span = std::max({span, std::abs(rows[i]), std::abs(columns[i])});
                }
                new (self) Neighbourhood{span, rows, columns};
            },
            "rows"_a, "columns"_a)
        .def_ro("span", &Neighbourhood::span)
        .def_prop_ro("cells", &Neighbourhood::cells);
    nb::class_<TileMemory>(
        m, "TileMemory",
        "Training data of a local model: every row seen, with the tiles that followed and counts.")
        .def(nb::init<std::size_t>(), "width"_a)
        .def("copy", [](const TileMemory& self) { return TileMemory(self); })
        .def("__len__", &TileMemory::rows)
        .def(
            "watch",
            [](TileMemory& self, const Neighbourhood& around, const State& before, Tile verb,
               std::int32_t touched, const State& after) {
                check_pair(before, after);
                check_cell(before, touched);
                if (before.margin < around.span || self.width() != around.cells() + 1) {
                    throw nb::value_error("the grid or the memory is of another neighbourhood");
                }
                watch(self, around, before, verb, touched, after);
            },
            "around"_a, "before"_a, "verb"_a, "touched"_a, "after"_a,
            "Add the neighbourhood of every cell and the tile that followed it.")
        .def(
            "add",
            [](TileMemory& self, const Array<Tile, 2>& rows, const Array<Tile, 1>& after,
               const Array<std::uint32_t, 1>& times) {
                if (rows.shape(1) != self.width() || after.shape(0) != rows.shape(0) ||
                    times.shape(0) != rows.shape(0)) {
                    throw nb::value_error("rows, outcomes and counts do not belong together");
                }
                for (std::size_t i = 0; i < rows.shape(0); ++i) {
                    self.add(rows.data() + i * rows.shape(1), after(i), times(i));
                }
            },
            "rows"_a, "after"_a, "times"_a,
            nb::sig("def add(self, rows: numpy.typing.NDArray[numpy.uint16], after: "
                    "numpy.typing.NDArray[numpy.uint16], times: "
                    "numpy.typing.NDArray[numpy.uint32]) -> None"))
        .def(
            "table",
            [](const TileMemory& self) {
                std::vector<Tile> rows, after;
                std::vector<std::uint32_t> times;
                for (std::uint32_t number = 0; number < self.rows(); ++number) {
                    for (const TileCount& one : self.outcomes(number)) {
                        rows.insert(rows.end(), self.row(number), self.row(number) + self.width());
                        after.push_back(one.tile);
                        times.push_back(one.times);
                    }
                }
                const std::size_t count = after.size();
                return nb::make_tuple(as_array(std::move(rows), {count, self.width()}),
                                      as_array(std::move(after), {count}),
                                      as_array(std::move(times), {count}));
            },
            nb::sig("def table(self) -> tuple[numpy.typing.NDArray[numpy.uint16], "
                    "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint32]]"),
            "Rows, next tiles and counts: one line for each pair of a row and a next tile.")
        .def(
            "knows",
            [](const TileMemory& self, const Array<Tile, 2>& rows) {
                if (rows.shape(1) != self.width()) throw nb::value_error("the rows are too short");
                std::vector<std::uint8_t> known(rows.shape(0));
                for (std::size_t i = 0; i < known.size(); ++i) {
                    known[i] =
                        self.find(rows.data() + i * rows.shape(1)) != RowIndex::kEmpty ? 1 : 0;
                }
                const std::size_t count = known.size();
                return as_array(std::move(known), {count});
            },
            "rows"_a,
            nb::sig("def knows(self, rows: numpy.typing.NDArray[numpy.uint16]) -> "
                    "numpy.typing.NDArray[numpy.uint8]"));
}

// Calls a Python classifier on rows; an error in it is reported as unraisable.
BatchClassifier make_batch_classifier(nb::callable function, std::size_t width) {
    const std::shared_ptr<nb::callable> kept(new nb::callable(std::move(function)),
                                             [](nb::callable* p) {
                                                 const nb::gil_scoped_acquire locked;
                                                 delete p;
                                             });
    return [kept, width](std::span<const Tile> rows, std::span<Prediction> out) {
        const nb::gil_scoped_acquire locked;
        try {
            std::vector<Tile> asked(rows.begin(), rows.end());
            const nb::object answer = (*kept)(as_array(std::move(asked), {out.size(), width}));
            const auto tiles = nb::cast<Array<Tile, 1>>(answer[0]);
            const auto shares = nb::cast<Array<double, 1>>(answer[1]);
            if (tiles.shape(0) != out.size() || shares.shape(0) != out.size()) {
                throw nb::value_error("a classifier must answer every row");
            }
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i].tile = tiles(i);
                out[i].confidence = shares(i);
            }
        } catch (nb::python_error& error) {
            error.restore();
            PyErr_WriteUnraisable(kept->ptr());
        } catch (const std::exception& error) {
            PyErr_SetString(PyExc_RuntimeError, error.what());
            PyErr_WriteUnraisable(kept->ptr());
        }
    };
}

void bind_classifiers(nb::module_& m) {
    nb::class_<TreeClassifier>(m, "TreeClassifier",
                               "A tree or forest that predicts the next tile of a cell.")
        .def(
            "__init__",
            [](TreeClassifier* self, const Array<std::int16_t, 1>& features,
               const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
               const Array<std::int32_t, 1>& roots, const Array<Tile, 1>& classes,
               const Array<double, 2>& leaves, std::size_t width) {
                if (classes.shape(0) == 0 || leaves.shape(1) != classes.shape(0)) {
                    throw nb::value_error("every leaf needs a share for each class");
                }
                TreeClassifier made;
                made.forest = read_forest(features, cuts, rights, roots, width, leaves.shape(0));
                made.classes.assign(classes.data(), classes.data() + classes.shape(0));
                made.leaves.assign(leaves.data(), leaves.data() + leaves.size());
                new (self) TreeClassifier(std::move(made));
            },
            "features"_a, "cuts"_a, "rights"_a, "roots"_a, "classes"_a, "leaves"_a, "width"_a,
            nb::sig("def __init__(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, roots: typing.Any, classes: typing.Any, leaves: typing.Any, "
                    "width: int) -> None"))
        .def(
            "classify",
            [](const TreeClassifier& self, const Array<Tile, 2>& rows) {
                for (const ludex::Forest::Node& node : self.forest.nodes) {
                    if (node.feature >= static_cast<std::int64_t>(rows.shape(1))) {
                        throw nb::value_error("the rows are too short for these trees");
                    }
                }
                std::vector<Tile> tiles(rows.shape(0));
                std::vector<double> shares(rows.shape(0)), scratch;
                for (std::size_t i = 0; i < tiles.size(); ++i) {
                    const Prediction prediction =
                        self.classify(rows.data() + i * rows.shape(1), scratch);
                    tiles[i] = prediction.tile;
                    shares[i] = prediction.confidence;
                }
                const std::size_t count = tiles.size();
                return nb::make_tuple(as_array(std::move(tiles), {count}),
                                      as_array(std::move(shares), {count}));
            },
            "rows"_a,
            nb::sig("def classify(self, rows: numpy.typing.NDArray[numpy.uint16]) -> "
                    "tuple[numpy.typing.NDArray[numpy.uint16], "
                    "numpy.typing.NDArray[numpy.float64]]"));
    nb::class_<RewardModel>(
        m, "RewardModel",
        "Reward model: predicts the gain in score and the ending of a transition.")
        .def(
            "__init__",
            [](RewardModel* self, int features, std::size_t tiles,
               const std::vector<double>& returns) {
                if (features < 0 || features >= kFeatures || tiles > kMostTiles ||
                    returns.size() != static_cast<std::size_t>(kEndings)) {
                    throw nb::value_error("there are no such features, tiles or returns");
                }
                RewardModel made;
                made.features = static_cast<Features>(features);
                made.tiles = tiles;
                std::copy(returns.begin(), returns.end(), made.returns);
                new (self) RewardModel(std::move(made));
            },
            "features"_a, "tiles"_a, "returns"_a)
        .def_prop_ro("width", &RewardModel::width, "The number of features of a transition.")
        .def(
            "describe",
            [](const RewardModel& self, const State& before, const State& after) {
                check_pair(before, after);
                if (self.features == Features::objects) {
                    throw nb::value_error("features of objects cannot be read from a grid");
                }
                std::vector<std::int16_t> row;
                describe(self.features, self.tiles, after, changes_between(before, after), row);
                const std::size_t width = row.size();
                return as_array(std::move(row), {width});
            },
            "before"_a, "after"_a,
            nb::sig("def describe(self, before: State, after: State) -> "
                    "numpy.typing.NDArray[numpy.int16]"))
        .def(
            "score_by_weights",
            [](RewardModel& self, const std::vector<double>& weights) {
                if (weights.size() != self.width() + 1) {
                    throw nb::value_error("the weights are those of other features");
                }
                self.form = RewardModel::Form::linear;
                self.weights = weights;
            },
            "weights"_a)
        .def(
            "score_by_tree",
            [](RewardModel& self, const Array<std::int16_t, 1>& features,
               const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
               const Array<std::int32_t, 1>& roots, const std::vector<double>& leaves) {
                self.score_tree =
                    read_forest(features, cuts, rights, roots, self.width(), leaves.size());
                self.score_leaves = leaves;
                self.form = RewardModel::Form::tree;
            },
            "features"_a, "cuts"_a, "rights"_a, "roots"_a, "leaves"_a,
            nb::sig("def score_by_tree(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, roots: typing.Any, leaves: collections.abc.Sequence[float]) -> "
                    "None"))
        .def(
            "end_by_tree",
            [](RewardModel& self, const Array<std::int16_t, 1>& features,
               const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
               const Array<std::int32_t, 1>& roots, const std::vector<int>& leaves) {
                std::vector<Ending> endings;
                for (const int leaf : leaves) endings.push_back(read_ending(leaf));
                self.ending_tree =
                    read_forest(features, cuts, rights, roots, self.width(), leaves.size());
                self.ending_leaves = std::move(endings);
            },
            "features"_a, "cuts"_a, "rights"_a, "roots"_a, "leaves"_a,
            nb::sig("def end_by_tree(self, features: typing.Any, cuts: typing.Any, rights: "
                    "typing.Any, roots: typing.Any, leaves: collections.abc.Sequence[int]) -> "
                    "None"))
        .def(
            "add_rule",
            [](RewardModel& self,
               const std::vector<std::vector<std::pair<std::uint32_t, int>>>& terms,
               const std::vector<int>& lows, const std::vector<int>& highs, int verb, double gain,
               int ending) {
                if (lows.size() != terms.size() || highs.size() != terms.size()) {
                    throw nb::value_error("every fact of a rule needs two bounds");
                }
                RewardRule rule{{}, verb, gain, read_ending(ending)};
                for (std::size_t i = 0; i < terms.size(); ++i) {
                    Fact fact{{}, lows[i], highs[i]};
                    for (const auto& [index, weight] : terms[i]) {
                        if (index >= self.width()) {
                            throw nb::value_error("a rule is about other tiles");
                        }
                        fact.terms.push_back({index, weight});
                    }
                    rule.facts.push_back(std::move(fact));
                }
                auto& list = rule.ending == Ending::none ? self.gain_rules : self.ending_rules;
                list.push_back(std::move(rule));
            },
            "terms"_a, "lows"_a, "highs"_a, "verb"_a, "gain"_a, "ending"_a,
            "Append an association rule: for the ending, or for the gain if `ending` is 0.")
        .def(
            "predict",
            [](const RewardModel& self, const Array<std::int16_t, 1>& row, int verb) {
                if (row.shape(0) != self.width())
                    throw nb::value_error("the row is of other tiles");
                return nb::make_tuple(self.gain(row.data(), verb),
                                      static_cast<int>(self.ending(row.data(), verb)));
            },
            "row"_a, "verb"_a = RewardRule::kAnyVerb,
            nb::sig("def predict(self, row: numpy.typing.NDArray[numpy.int16], verb: int = -1) -> "
                    "tuple[float, int]"));
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Learned forward models of tile games: states, training data, classifiers, model.";
    m.attr("MOST_TILES") = kMostTiles;
    m.attr("TOUCHED") = kTouched;
    bind_state(m);
    bind_memory(m);
    bind_classifiers(m);
    ludex::bind_model<Rules>(
        m, "The native part of a learned tile model: stepping, rollouts, legal actions.")
        .def(
            "__init__",
            [](ludex::Model<Rules>* self, const Neighbourhood& around, int verbs,
               const TileMemory& memory, const nb::object& classifier,
               const RewardModel& reward_model, bool remembers, double novelty, bool caches,
               double curiosity, bool discounts, double trust, double boredom, bool samples) {
                auto predictor = std::make_shared<CellPredictor>();
                if (memory.width() != around.cells() + 1) {
                    throw nb::value_error("the memory is of another neighbourhood");
                }
                predictor->around = around;
                predictor->verbs = verbs;
                predictor->memory = std::make_shared<TileMemory>(memory);
                predictor->remembers = remembers;
                predictor->novelty = novelty;
                if (nb::isinstance<TreeClassifier>(classifier)) {
                    predictor->trees = nb::cast<const TreeClassifier&>(classifier);
                } else {
                    predictor->classifier =
                        make_batch_classifier(nb::cast<nb::callable>(classifier), memory.width());
                }
                const SearchSettings settings{curiosity, discounts, trust, boredom, samples};
                new (self) ludex::Model<Rules>(Rules(std::move(predictor),
                                                     std::make_shared<RewardModel>(reward_model),
                                                     settings, caches));
            },
            "around"_a, "verbs"_a, "memory"_a, "classifier"_a, "reward_model"_a, nb::kw_only(),
            "remembers"_a = true, "novelty"_a = 0.5, "caches"_a = true, "curiosity"_a = 0.0,
            "discounts"_a = false, "trust"_a = 0.0, "boredom"_a = 0.0, "samples"_a = false)
        .def(
            "visit",
            [](const ludex::Model<Rules>& self, const ludex::Given<State>& s) {
                self.rules.visit(ludex::own_state(self.rules, s));
            },
            "state"_a, "Count a visit of the real game to this state.")
        .def(
            "visits",
            [](const ludex::Model<Rules>& self, const ludex::Given<State>& s) {
                return self.rules.visits(ludex::own_state(self.rules, s));
            },
            "state"_a)
        .def(
            "work",
            [](const ludex::Model<Rules>& self) {
                const PredictionCache::Work work = self.rules.work();
                return nb::make_tuple(work.cells, work.gathered, work.asked);
            },
            nb::sig("def work(self) -> tuple[int, int, int]"),
            "Cells predicted, neighbourhoods read and predictions computed so far.");
}

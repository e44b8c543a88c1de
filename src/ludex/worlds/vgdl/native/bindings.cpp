// The engine for Python: levels, states, and the fast paths of the model.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bind_model.hpp"
#include "bind_observe.hpp"
#include "bind_state.hpp"
#include "border.hpp"
#include "engine.hpp"
#include "keys_of_states.hpp"
#include "level.hpp"
#include "policies_on_sprites.hpp"
#include "rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludex::vgdl;
using ludex::Given;
using ludex::own_seat;
using ludex::own_state;
using ludex::Seat;

namespace {

void make_level(Level* self, std::string_view game_text, std::string_view level_text) {
    GameDef game;
    LevelDef def;
    if (const auto error = read_game(game_text, game)) throw nb::value_error(error->c_str());
    if (const auto error = read_level(level_text, game, def)) throw nb::value_error(error->c_str());
    new (self) Level(std::move(game), std::move(def));
    if (self->problem.empty()) {
        self->name_owner(game_text, level_text);
        return;
    }
    const std::string problem = self->problem;
    self->~Level();
    throw nb::value_error(problem.c_str());
}

nb::tuple sprite_tuple(int type, const Sprite& s) {
    return nb::make_tuple(type, s.id, s.rect.x, s.rect.y, s.rect.w, s.rect.h, s.orientation.x,
                          s.orientation.y, s.speed, s.health, s.is(kDisabled));
}

nb::list sprites(const Level& level, const Given<State>& given) {
    const State& state = own_state(level, given);
    nb::list out;
    for_sprites(level, state,
                [&](int type, const Sprite& s) { out.append(sprite_tuple(type, s)); });
    return out;
}

// (type, x, y, orientation x, y, speed, health, maximum, disabled, resources) or None.
nb::object avatar(const Level& level, const Given<State>& given, const Seat& given_seat) {
    const State& state = own_state(level, given);
    const int seat = own_seat(level.game.players, given_seat);
    const Sprite* const s = avatar_of(level, state, seat);
    if (!s) return nb::none();
    nb::dict resources;
    for_resources(level, state, seat,
                  [&](int type, int held) { resources[nb::int_(type)] = nb::int_(held); });
    return nb::make_tuple(state.player(seat).type, s->rect.x, s->rect.y, s->orientation.x,
                          s->orientation.y, s->speed, s->health, s->max_health, s->is(kDisabled),
                          resources);
}

nb::list distances(const ludex::Model<Rules>& self, const Given<State>& given,
                   const Seat& given_seat, const std::vector<int>& kinds) {
    const State& state = own_state(self.rules, given);
    const int seat = own_seat(self.rules, given_seat);
    nb::list all;
    for (const int kind : kinds) {
        const double distance = distance_to(self.rules, state, seat, kind);
        if (std::isnan(distance)) {
            all.append(nb::none());
        } else {
            all.append(distance);
        }
    }
    return all;
}

// The cell of a sprite, or None when it is gone.
nb::object whereabouts(const ludex::Model<Rules>& self, const Given<State>& state, int kind,
                       int number) {
    const auto cell = cell_of(self.rules, own_state(self.rules, state), kind, number);
    if (!cell) return nb::none();
    return nb::make_tuple(cell->column, cell->row);
}

// (id, type, angle in radians) of every sprite that has one.
nb::list rotations(const Level& level, const Given<State>& given) {
    const State& state = own_state(level, given);
    nb::list out;
    for_sprites(level, state, [&](int type, const Sprite& s) {
        const int body = level.layout.types[slot(type)].body;
        if (body == 0) return;
        const auto* const held =
            reinterpret_cast<const Body*>(reinterpret_cast<const std::byte*>(&s) + body);
        out.append(nb::make_tuple(s.id, type, held->rotation));
    });
    return out;
}

// The column and row of every player's avatar; -1, -1 for one that is gone.
nb::object cells(const Level& level, const Given<State>& given) {
    const State& state = own_state(level, given);
    const auto cell = [&](int pixel) {
        return pixel >= 0 ? pixel / level.def.block : -1 - (-1 - pixel) / level.def.block;
    };
    PyObject* const out = PyTuple_New(level.game.players);
    for (int seat = 0; seat < level.game.players; ++seat) {
        int column = -1, row = -1;
        if (const Sprite* const s = avatar_of(level, state, seat)) {
            column = cell(s->rect.x);
            row = cell(s->rect.y);
        }
        PyTuple_SET_ITEM(out, seat, nb::make_tuple(column, row).release().ptr());
    }
    return nb::steal(out);
}

// The facts that hold in a state, as numbers, ascending.
nb::list facts(const Level& level, const Given<State>& given) {
    std::vector<std::uint64_t> found;
    add_facts(level, own_state(level, given), found);
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    nb::list out;
    for (const std::uint64_t fact : found) out.append(fact);
    return out;
}

// How many sprites of each type there are, those of its children not included.
nb::list counts(const Level& level, const Given<State>& given) {
    const State& state = own_state(level, given);
    std::vector<int> found(level.layout.types.size());
    for_sprites(level, state, [&](int type, const Sprite&) { ++found[slot(type)]; });
    nb::list out;
    for (const int count : found) out.append(count);
    return out;
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// The state as bytes with some facts blanked.
nb::bytes key_bytes(const Level& level, const Given<State>& given, unsigned ignore) {
    const State& state = own_state(level, given);
    if (ignore == 0) return bytes_of(state.to_bytes());
    State plain(state);
    blank(level, plain, ignore);
    return bytes_of(plain.to_bytes());
}

nb::list meetings(const State& state) {
    nb::list out;
    for (const Meeting& one : state.meetings) {
        out.append(nb::make_tuple(one.tick, one.from_avatar, one.passive_type, one.active_type,
                                  one.passive_id, one.active_id, one.x, one.y));
    }
    return out;
}

// The header, if there is one: what is kept of a tick for its events alone has none.
const Header& head(const State& state) {
    if (state.size() == 0) {
        ludex::raise_invalid_state("this state holds the events of a tick and nothing else");
    }
    return state.header();
}

// One line: what a reader wants to know, then all of the state as a code.
std::string text_of(const State& state) {
    std::string text = "t=" + std::to_string(head(state).tick) + " score=";
    for (int p = 0; p < head(state).players; ++p) {
        if (p > 0) text += ',';
        text += nb::cast<std::string>(nb::str(nb::float_(state.player(p).score)));
    }
    const nb::object encode = nb::module_::import_("base64").attr("urlsafe_b64encode");
    return text + ' ' +
           nb::cast<std::string>(encode(bytes_of(state.to_bytes())).attr("decode")("ascii"));
}

// The tag, then the bytes; meetings are of the last tick and do not travel.
nb::bytes pickled_state(const State& state) {
    std::string content(reinterpret_cast<const char*>(&state.owner), sizeof state.owner);
    return ludex::sealed(content + state.to_bytes());
}

State unpickled_state(const nb::bytes& bytes) {
    std::string_view content = ludex::unsealed(bytes);
    ludex::Owner owner = ludex::kNobodys;
    State state;
    bool is_good = content.size() >= sizeof owner;
    if (is_good) {
        std::memcpy(&owner, content.data(), sizeof owner);
        is_good = State::from_bytes(content.substr(sizeof owner), state);
    }
    if (!is_good) {
        ludex::raise_invalid_state("these " + std::to_string(bytes.size()) +
                                   " bytes are not a pickled state of a VGDL game; pickle the "
                                   "state again");
    }
    state.owner = ludex::claim_of(owner);
    return state;
}

void bind_vgdl_state(nb::module_& m) {
    nb::class_<State>(m, "State", nb::pooled(1024), "The sprites, scores and timers of a game.")
        .def("copy", [](const State& state) { return State(state); })
        .def("copy_from", &ludex::take_over<State>, "other"_a)
        .def(
            "__eq__", [](const State& state, const State& other) { return state == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const State& state) {
                 const auto hash = static_cast<Py_hash_t>(state.hash());
                 return hash == -1 ? -2 : hash;
             })
        .def("__str__", &text_of)
        .def("__repr__",
             [](const State& state) {
                 return "<vgdl state after " + std::to_string(head(state).tick) + " ticks>";
             })
        .def("to_bytes", [](const State& state) { return bytes_of(state.to_bytes()); })
        .def("__getstate__", &pickled_state)
        .def("__setstate__",
             [](State& state, const nb::bytes& bytes) {
                 new (&state) State(unpickled_state(bytes));
             })
        .def_prop_ro(
            "tick", [](const State& state) { return head(state).tick; }, "Ticks played.")
        .def_prop_ro("over", [](const State& state) { return head(state).over != 0; })
        .def_prop_ro(
            "ended_by", [](const State& state) { return int{head(state).ended_by}; },
            "The number of the termination that was met; below 0: something else.")
        .def_prop_ro(
            "messages", [](const State& state) { return head(state).messages; },
            "What the reference would have logged.")
        .def_prop_ro("bytes_used", &State::size)
        .def_prop_ro(
            "timers",
            [](const State& state) {
                nb::list out;
                for (const Timer& timer : state.timers)
                    out.append(nb::make_tuple(timer.due, timer.rule, timer.type));
                return out;
            },
            nb::sig("def timers(self) -> list[tuple[int, int, int]]"),
            "(due tick, rule, type or -1)")
        .def_prop_ro("scores",
                     [](const State& state) {
                         std::vector<double> out;
                         for (int p = 0; p < head(state).players; ++p)
                             out.push_back(state.player(p).score);
                         return out;
                     })
        .def_prop_ro(
            "winners",
            [](const State& state) {
                std::vector<int> out;
                for (int p = 0; p < head(state).players; ++p)
                    out.push_back(static_cast<int>(state.player(p).winner));
                return out;
            },
            "Per player 0: undecided, 1: has won, 2: has lost.")
        .def_prop_ro(
            "meetings", &meetings,
            nb::sig("def meetings(self) -> list[tuple[int, bool, int, int, int, int, int, int]]"),
            "Of the last tick: tick, by what an avatar made, types and ids (passive, active), x, "
            "y.")
        .def_prop_ro("counters", [](const State& state) {
            return std::vector<int>(state.counters(), state.counters() + head(state).counters);
        });
}

void bind_reference_dice(nb::module_& m) {
    nb::class_<JavaDice>(m, "ReferenceDice", "The generator of the Java framework.")
        .def(nb::init<std::int64_t>(), "seed"_a)
        .def("below", &JavaDice::below, "n"_a)
        .def("real", &JavaDice::real)
        .def("single", &JavaDice::single);
}

void bind_level(nb::module_& m) {
    nb::class_<Level>(m, "Level", "A game on a level; built once, shared by all models of it.")
        .def("__init__", &make_level, "game"_a, "level"_a,
             "Read both in the form that native_text.py writes; ValueError says what is wrong.")
        .def(
            "__getstate__",
            [](const Level& level) { return nb::make_tuple(level.game_text, level.level_text); },
            nb::sig("def __getstate__(self) -> tuple[str, str]"))
        .def("__setstate__",
             [](Level& level, const std::tuple<std::string, std::string>& source) {
                 make_level(&level, std::get<0>(source), std::get<1>(source));
             })
        .def("start", [](const Level& level) { return State(level.start); })
        .def_prop_ro(
            "block", [](const Level& level) { return level.def.block; }, "Pixels of a cell.")
        .def_prop_ro("width", [](const Level& level) { return level.def.width; })
        .def_prop_ro("height", [](const Level& level) { return level.def.height; })
        .def_prop_ro(
            "settled",
            [](const Level& level) {
                std::vector<int> out;
                for (std::size_t i = 0; i < level.layout.types.size(); ++i) {
                    if (level.layout.types[i].is_settled) out.push_back(static_cast<int>(i));
                }
                return out;
            },
            "Types whose sprites are not in the state, but for a bit each where they can die.")
        .def("sprites", &sprites, "state"_a,
             nb::sig("def sprites(self, state: State) -> list[tuple[int, int, int, int, int, int, "
                     "float, float, float, int, bool]]"),
             "(type, id, x, y, w, h, orientation x, y, speed, health, disabled) of every sprite.")
        .def("rotations", &rotations, "state"_a,
             nb::sig("def rotations(self, state: State) -> list[tuple[int, int, float]]"),
             "(id, type, angle in radians) of every sprite with an angle; few steer by it.")
        .def(
            "census",
            [](const Level& level, const Given<State>& given) {
                const State& state = own_state(level, given);
                nb::list out;
                for_sprites(level, state, [&](int type, const Sprite& s) {
                    out.append(nb::make_tuple(type, s.rect.x, s.rect.y, s.rect.w, s.rect.h,
                                              s.orientation.x, s.orientation.y, s.speed, s.health,
                                              s.is(kDisabled)));
                });
                return out;
            },
            "state"_a,
            nb::sig("def census(self, state: State) -> list[tuple[int, int, int, int, int, float, "
                    "float, float, int, bool]]"),
            "What traces tell of every sprite: all of `sprites` but the ids.")
        .def("avatar", &avatar, "state"_a, "seat"_a,
             nb::sig("def avatar(self, state: State, seat: int) -> tuple[int, int, int, float, "
                     "float, float, int, int, bool, dict[int, int]] | None"),
             "(type, x, y, orientation x, y, speed, health, most health, disabled, resources).")
        .def("cells", &cells, "state"_a,
             nb::sig("def cells(self, state: State) -> tuple[tuple[int, int], ...]"),
             "The column and row of every player's avatar; (-1, -1) for one that is gone.")
        .def("facts", &facts, "state"_a, nb::sig("def facts(self, state: State) -> list[int]"),
             "A number for each fact: a type in a cell, a settled sprite gone, what avatars hold.")
        .def("counts", &counts, "state"_a, nb::sig("def counts(self, state: State) -> list[int]"),
             "How many sprites of each type there are, without those of its children.")
        .def("key", &key_bytes, "state"_a, "ignore"_a = 0,
             "The state as bytes; bits leave out 1 scores, 2 tick, 4 orientation of avatars, 8 "
             "ids.");
}

void advance_reference(const ludex::Model<Rules>& self, const Given<State>& given,
                       const std::vector<std::uint8_t>& actions, JavaDice& dice) {
    State& state = own_state(self.rules, given);
    ludex::check_number(self.rules.to_act(state), actions.size());
    if (self.rules.over(state)) return;
    for (const std::uint8_t action : actions) {
        if (action >= kActions) {
            ludex::raise_illegal_action("actions are 0 to " + std::to_string(kActions - 1) +
                                        ", got " + std::to_string(action));
        }
    }
    self.rules.apply_reference(state, actions, dice);
}

int play_reference(const ludex::Model<Rules>& self, const Given<State>& given, JavaDice& dice,
                   ludex::Rng& rng, int limit) {
    State& state = own_state(self.rules, given);
    int ticks = 0;
    for (; ticks < limit && !self.rules.over(state); ++ticks) {
        std::array<std::uint8_t, Rules::kMaxSeats> actions{};
        for (int seat = 0; seat < self.rules.seats(); ++seat) {
            std::array<std::uint8_t, Rules::kMaxLegal> legal{};
            const int n = self.rules.legal(state, seat, legal);
            actions[slot(seat)] = legal[rng.below(static_cast<std::uint64_t>(n))];
        }
        self.rules.apply_reference(state, actions, dice);
    }
    return ticks;
}

State read_state(const ludex::Model<Rules>& self, const nb::bytes& bytes) {
    State state;
    if (!State::from_bytes({bytes.c_str(), bytes.size()}, state) || !self.rules.consistent(state)) {
        throw nb::value_error("these bytes are not a state of this level");
    }
    state.owner = self.rules.level().owner;
    return state;
}

void bind_rules(nb::module_& m) {
    ludex::bind_model<Rules>(m, "The hot half of the model; model.py adds the rest.")
        .def(
            "__init__",
            [](ludex::Model<Rules>* self, std::shared_ptr<const Level> level) {
                new (self) ludex::Model<Rules>(Rules(std::move(level)));
            },
            nb::sig("def __init__(self, level: Level) -> None"), "level"_a)
        .def("distances", &distances, "state"_a, "seat"_a, "kinds"_a,
             nb::sig("def distances(self, state: State, seat: int, kinds: Sequence[int]) -> "
                     "list[float | None]"),
             "From the seat's avatar to the nearest sprite of each type that it may see, between "
             "upper left corners, as a part of the level's diagonal; None where there is none.")
        .def("whereabouts", &whereabouts, "state"_a, "kind"_a, "number"_a,
             nb::sig("def whereabouts(self, state: State, kind: int, number: int) -> "
                     "tuple[int, int] | None"),
             "The cell of a sprite, by its type and id; None when it is gone.")
        .def("advance_reference", &advance_reference, "state"_a, "actions"_a, "dice"_a,
             "Play a tick with the reference's generator, draw for draw; not counted.")
        .def("play_reference", &play_reference, "state"_a, "dice"_a, "rng"_a, "limit"_a,
             "Play random actions in place, with the reference's generator for all else; returns "
             "the ticks.")
        .def("read", &read_state, "bytes"_a,
             "Read what `State.to_bytes` wrote; ValueError when it is not of this level.");
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The VGDL engine.";
    bind_vgdl_state(m);
    bind_reference_dice(m);
    bind_level(m);
    bind_observer(m);
    bind_batch(m);
    bind_rules(m);
}

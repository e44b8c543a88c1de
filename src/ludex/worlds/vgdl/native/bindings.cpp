// The engine for Python: levels, states, and the fast paths of the model.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine.hpp"
#include "level.hpp"
#include "meter.hpp"
#include "rollout.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using ludex::Meter;
using ludex::Rng;
using ludex::Rollout;
using namespace ludex::vgdl;

namespace {

std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

std::shared_ptr<Level> make_level(std::string_view game_text, std::string_view level_text) {
    GameDef game;
    LevelDef def;
    if (const auto error = read_game(game_text, game)) throw nb::value_error(error->c_str());
    if (const auto error = read_level(level_text, game, def)) throw nb::value_error(error->c_str());
    return std::make_shared<Level>(std::move(game), std::move(def));
}

// Visit every sprite: those of a type together, in the order they were created.
template <class Visit>
void for_sprites(const Level& level, const State& state, const Visit& visit) {
    for (const int type : level.layout.section_types) {
        const TypeLayout& layout = level.layout.types[at(type)];
        const Section& section = state.sections()[layout.section];
        if (!layout.is_settled) {
            for (int i = 0; i < section.count; ++i) visit(type, state.sprite(section, i));
            continue;
        }
        for (int i = 0; i < level.settled[at(layout.section)].section.count; ++i) {
            if (is_alive(layout, state, i)) visit(type, level.settled_sprite(type, i));
        }
    }
}

nb::tuple sprite_tuple(int type, const Sprite& s) {
    return nb::make_tuple(type, s.id, s.rect.x, s.rect.y, s.rect.w, s.rect.h, s.orientation.x,
                          s.orientation.y, s.speed, s.health, s.is(kDisabled));
}

nb::list sprites(const Level& level, const State& state) {
    nb::list out;
    for_sprites(level, state, [&](int type, const Sprite& s) { out.append(sprite_tuple(type, s)); });
    return out;
}

// (type, x, y, orientation x, y, speed, health, maximum, disabled, resources) or None.
nb::object avatar(const Level& level, const State& state, int seat) {
    const Player& player = state.player(seat);
    if (player.type < 0) return nb::none();
    const int section = level.layout.types[at(player.type)].section;
    const Sprite& s = state.sprite(state.sections()[section], player.index);
    nb::dict resources;
    const TypeLayout& layout = level.layout.types[at(player.type)];
    if (layout.bag) {
        const auto* const bag =
            reinterpret_cast<const std::int32_t*>(reinterpret_cast<const std::byte*>(&s) + layout.bag);
        for (std::size_t type = 0; type < level.layout.resource_slot.size(); ++type) {
            const int slot = level.layout.resource_slot[type];
            if (slot >= 0 && bag[slot] != kNotHeld) resources[nb::int_(type)] = bag[slot];
        }
    }
    return nb::make_tuple(player.type, s.rect.x, s.rect.y, s.orientation.x, s.orientation.y, s.speed,
                          s.health, s.max_health, s.is(kDisabled), resources);
}

void bind_state(nb::module_& m) {
    nb::class_<State>(m, "State", "A state of a VGDL game.")
        .def("copy", [](const State& state) { return State(state); })
        .def("copy_from", [](State& state, const State& other) { state = other; }, "other"_a)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const State& state) { return static_cast<Py_hash_t>(state.hash()); })
        .def("__getstate__",
             [](const State& state) {
                 const std::string bytes = state.to_bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("__setstate__",
             [](State& state, const nb::bytes& bytes) {
                 new (&state) State();
                 if (!State::from_bytes({bytes.c_str(), bytes.size()}, state)) {
                     throw nb::value_error("these bytes are not a state");
                 }
             })
        .def_prop_ro("tick", [](const State& state) { return state.header().tick; })
        .def_prop_ro("over", [](const State& state) { return state.header().over != 0; })
        .def_prop_ro("ended_by", [](const State& state) { return state.header().ended_by; })
        .def_prop_ro("bytes_used", &State::size)
        .def("score", [](const State& state, int seat) { return state.player(seat).score; }, "seat"_a)
        .def("winner", [](const State& state, int seat) { return static_cast<int>(state.player(seat).winner); },
             "seat"_a)
        .def_prop_ro("counters", [](const State& state) {
            return std::vector<int>(state.counters(), state.counters() + state.header().counters);
        });
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The VGDL engine.";
    nb::module_::import_("ludex.core._native");
    bind_state(m);
    nb::class_<JavaDice>(m, "ReferenceDice", "The generator of the Java framework.")
        .def(nb::init<std::int64_t>(), "seed"_a)
        .def("below", &JavaDice::below, "n"_a)
        .def("real", &JavaDice::real)
        .def("single", &JavaDice::single);
    nb::class_<Level>(m, "Level", "A game on a level.")
        .def(nb::new_(&make_level), "game"_a, "level"_a)
        .def("start", [](const Level& level) { return State(level.start); })
        .def("sprites", &sprites, "state"_a)
        .def("avatar", &avatar, "state"_a, "seat"_a)
        .def(
            "advance_reference",
            [](const Level& level, State& state, const std::vector<std::uint8_t>& actions, JavaDice& dice) {
                Workspace work;
                Engine<JavaDice>(level, state, work, dice, true).tick(actions);
            },
            "state"_a, "actions"_a, "dice"_a)
        .def(
            "bench",
            [](const Level& level, int ticks, std::uint64_t seed, bool copy) {
                Rng rng(seed);
                Dice dice(rng);
                Workspace work;
                State state(level.start);
                State other(level.start);
                std::vector<std::uint8_t> actions(at(level.game.players));
                int games = 0;
                for (int i = 0; i < ticks; ++i) {
                    for (std::size_t p = 0; p < actions.size(); ++p) {
                        const Player& player = state.player(static_cast<int>(p));
                        const int mask = player.type < 0 ? 1 : level.layout.types[at(player.type)].actions;
                        int k = static_cast<int>(rng.below(static_cast<std::uint64_t>(__builtin_popcount(unsigned(mask)))));
                        for (int a = 0; a < kActions; ++a) {
                            if ((mask >> a & 1) && k-- == 0) actions[p] = static_cast<std::uint8_t>(a);
                        }
                    }
                    if (copy) {
                        other = state;
                        std::swap(other, state);
                    }
                    Engine<Dice>(level, state, work, dice, false).tick(actions);
                    if (state.header().over) {
                        state = level.start;
                        ++games;
                    }
                }
                return games;
            },
            "ticks"_a, "seed"_a = 0, "copy"_a = false);
}

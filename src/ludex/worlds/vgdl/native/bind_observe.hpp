// Observers and batches for Python; included by bindings.cpp alone.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bind_state.hpp"
#include "border.hpp"
#include "errors.hpp"
#include "many_games.hpp"
#include "observe.hpp"

namespace ludex::vgdl {

namespace nb = nanobind;

// Memory of Python's that is filled here.
using Writable = nb::ndarray<nb::c_contig, nb::device::cpu>;
template <class T>
using Row = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Form form_named(const std::string& name) {
    static const std::map<std::string, Form> forms = {{"grid", Form::planes},
                                                      {"pixels", Form::pixels},
                                                      {"objects", Form::objects},
                                                      {"avatar", Form::avatar},
                                                      {"resources", Form::resources}};
    const auto found = forms.find(name);
    if (found == forms.end()) throw nb::value_error("there is no such form of observation");
    return found->second;
}

inline std::byte* checked(const Writable& array, std::size_t bytes) {
    if (array.nbytes() != bytes) throw nb::value_error("the array has not the size of its form");
    return static_cast<std::byte*>(array.data());
}

// A seat, or a spectator where that is allowed.
inline int watcher(const Level& level, int seat, bool spectators) {
    if (seat < (spectators ? Observer::kSpectator : 0) || seat >= level.game.players) {
        raise_no_such_seat(nb::int_(seat), level.game.players);
    }
    return seat;
}

inline void check_type(const Level& level, int type) {
    if (type < 0 || type >= static_cast<int>(level.game.types.size())) {
        raise_bad_parameter("types of this game are 0 to " +
                            std::to_string(level.game.types.size() - 1) + ", got " +
                            std::to_string(type));
    }
}

inline void bind_observer(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Observer>(m, "Observer", "What seats may see of the states of one level.")
        .def(
            "__init__",
            [](Observer* self, std::shared_ptr<const Level> level, std::vector<Colour> colours,
               int width, int height, int cell, int objects) {
                if (width > 10'000 || height > 10'000 || cell < 1 || cell > 256 || objects < 1 ||
                    objects > kMostSprites) {
                    throw nb::value_error("the size of an observation is out of range");
                }
                new (self)
                    Observer(std::move(level), std::move(colours), {width, height, cell, objects});
            },
            "level"_a, "colours"_a, "width"_a = 0, "height"_a = 0, "cell"_a = 10, "objects"_a = 512,
            "Colours are by type; planes and pixels have at least this width and height in cells.")
        .def_prop_ro("channels", &Observer::channels, "The type of each plane.")
        .def_prop_ro("width", [](const Observer& self) { return self.size().width; })
        .def_prop_ro("height", [](const Observer& self) { return self.size().height; })
        .def(
            "is_hidden",
            [](const Observer& self, int type, int seat) {
                check_type(self.level(), type);
                return self.is_hidden(type, watcher(self.level(), seat, true));
            },
            "type"_a, "seat"_a)
        .def(
            "is_drawn",
            [](const Observer& self, int type, int seat) {
                check_type(self.level(), type);
                return self.is_drawn(type, watcher(self.level(), seat, true));
            },
            "type"_a, "seat"_a,
            "Whether pictures for a seat show the type; seat -1 is a spectator.")
        .def(
            "sights",
            [](const Observer& self, const Given<State>& given, int seat) {
                const State& state = own_state(self.level(), given);
                const std::vector<Sight> found =
                    self.sights(state, watcher(self.level(), seat, true));
                return nb::bytes(reinterpret_cast<const char*>(found.data()),
                                 found.size() * sizeof(Sight));
            },
            "state"_a, "seat"_a,
            "Rows of seven int32: category, type, id, x, y, width, height of all the seat sees.")
        .def(
            "fill",
            [](const Observer& self, const std::string& form, const Given<State>& given, int seat,
               const Writable& out) {
                const State& state = own_state(self.level(), given);
                const Form known = form_named(form);
                // A spectator has a picture but no avatar, and no planes of its own.
                const int eye = seat == Observer::kSpectator && known != Form::pixels ? 0 : seat;
                self.fill(known, state, watcher(self.level(), eye, known == Form::pixels),
                          checked(out, self.bytes(known)));
            },
            nb::sig("def fill(self, form: str, state: State, seat: int, out: "
                    "numpy.typing.NDArray[typing.Any]) -> "
                    "None"),
            "form"_a, "state"_a, "seat"_a, "out"_a,
            "Fill an array with what the seat sees: grid, pixels, objects, avatar or resources.");
}

// A batch with the arrays it fills, which Python reads.
struct BoundBatch {
    Batch batch;
    Row<double> rewards;
    Row<std::uint8_t> standings;
    Row<std::uint8_t> replaced;
    Writable masks;
    std::map<std::string, Writable> observations;
    BatchResults results;
    bool is_stepping = false;  // looked at under the interpreter's lock alone

    void bind() {
        const auto games = static_cast<std::size_t>(batch.games());
        if (rewards.size() != games || standings.size() != games || replaced.size() != games) {
            throw nb::value_error("a batch needs one place for each game");
        }
        results.rewards = {rewards.data(), games};
        results.standings = {reinterpret_cast<Standing*>(standings.data()), games};
        results.replaced = {replaced.data(), games};
        const std::size_t cells = games * batch.actions();
        results.masks = {reinterpret_cast<std::int8_t*>(checked(masks, cells)), cells};
        for (const auto& [name, array] : observations) {
            const Form form = form_named(name);
            results.sheets.push_back({form, checked(array, games * batch.observer().bytes(form))});
        }
    }

    void check_game(int game) const {
        if (game < 0 || game >= batch.games()) throw nb::index_error("there is no such game");
        check_idle();
    }
    // A batch is as a state: two threads must not use one at once.
    void check_idle() const {
        if (is_stepping) {
            raise_bad_parameter(
                "another thread is stepping this batch; make a batch for each thread");
        }
    }
};

inline void make_batch(BoundBatch* self, std::shared_ptr<const Level> level,
                       std::shared_ptr<const Observer> observer, std::vector<std::uint8_t> actions,
                       int max_ticks, bool by_score, int threads, Row<double> rewards,
                       Row<std::uint8_t> standings, Row<std::uint8_t> replaced, Writable masks,
                       std::map<std::string, Writable> observations) {
    const auto games = static_cast<int>(rewards.size());
    if (level->game.players != 1) throw nb::value_error("a batch is for one player");
    if (games < 1 || threads < 1 || threads > 256) {
        throw nb::value_error("a batch needs a game and a thread at least");
    }
    if (observer->level().owner != level->owner) {
        throw nb::value_error("the observer is of another level");
    }
    for (const std::uint8_t action : actions) {
        if (action >= kActions) throw nb::value_error("there is no such action");
    }
    Batch batch(std::move(level), std::move(observer), games,
                {std::move(actions), max_ticks, by_score, threads});
    BoundBatch made{std::move(batch),
                    std::move(rewards),
                    std::move(standings),
                    std::move(replaced),
                    std::move(masks),
                    std::move(observations),
                    {},
                    false};
    made.bind();
    new (self) BoundBatch(std::move(made));
}

inline void bind_batch(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<BoundBatch>(m, "Batch", "Many games of one player, a tick in each with one call.")
        .def(
            "__init__", &make_batch,
            nb::sig("def __init__(self, level: Level, observer: Observer, actions: "
                    "collections.abc.Sequence[int], "
                    "max_ticks: int, by_score: bool, threads: int, "
                    "rewards: numpy.typing.NDArray[numpy.float64], standings: "
                    "numpy.typing.NDArray[numpy.uint8], "
                    "replaced: numpy.typing.NDArray[numpy.uint8], masks: "
                    "numpy.typing.NDArray[numpy.int8], "
                    "observations: collections.abc.Mapping[str, numpy.typing.NDArray[typing.Any]]) "
                    "-> None"),
            "level"_a, "observer"_a, "actions"_a, "max_ticks"_a, "by_score"_a, "threads"_a,
            "rewards"_a, "standings"_a, "replaced"_a, "masks"_a, "observations"_a,
            "The arrays have one row for each game, and are filled again by every step. Standings: "
            "0 goes on, 1 terminated, 2 truncated.")
        .def(
            "reset",
            [](BoundBatch& self, int game, const Rng& steps) {
                self.check_game(game);
                self.batch.reset(game, steps);
                self.batch.observe(game, self.results);
            },
            "game"_a, "steps"_a,
            nb::sig("def reset(self, game: int, steps: ludex.core._native.Rng) -> None"),
            "Begin a game anew and observe it; its tick n draws from `steps.fork(n)`.")
        .def(
            "step",
            [](BoundBatch& self, const Row<const std::int64_t>& actions,
               const Row<const std::uint8_t>& skipped) {
                const auto games = static_cast<std::size_t>(self.batch.games());
                if (actions.size() != games || skipped.size() != games) {
                    throw nb::value_error("a batch needs one action for each game");
                }
                self.check_idle();
                self.is_stepping = true;
                {
                    const nb::gil_scoped_release unlocked;
                    self.batch.step({actions.data(), games}, {skipped.data(), games}, self.results);
                }
                self.is_stepping = false;
            },
            nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.int64], "
                    "skipped: numpy.typing.NDArray[numpy.uint8]) -> None"),
            "actions"_a, "skipped"_a,
            "Play a tick in each game but those skipped and fill the arrays; the lock is let go.")
        .def(
            "state",
            [](const BoundBatch& self, int game) {
                self.check_game(game);
                return State(self.batch.state(game));
            },
            "game"_a, "A copy of a game's state.");
}

}  // namespace ludex::vgdl

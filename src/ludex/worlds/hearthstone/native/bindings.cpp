// Python's view of the rules: thin, and last. What every world shares is bound by the core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "belief.hpp"
#include "bind_model.hpp"
#include "bind_state.hpp"
#include "border.hpp"
#include "build.hpp"
#include "flat.hpp"
#include "rules.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludex::hearthstone;
using ludex::Given;
using ludex::own_seat;
using ludex::own_state;
using ludex::Seat;

namespace {

using Rows = std::vector<std::vector<int>>;
using NamedRows = std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>>>;

// A view as native code keeps it; it may come from anywhere.
[[nodiscard]] SeatGlance read_glance(const Rules& rules, const nb::bytes& seen,
                                     const std::vector<int>& hidden, int seat) {
    SeatGlance glance;
    if (seen.size() != kIdentity) throw nb::value_error("not a view of this world");
    std::memcpy(&glance.seen, seen.data(), kIdentity);
    Unseen& rest = glance.unseen;
    for (const int card : hidden) {
        if (rest.count == static_cast<int>(rest.cards.size()) || card < 0 ||
            card >= static_cast<int>(rules.cards().cards.size())) {
            throw nb::value_error("these are not the unseen cards of a view");
        }
        rest.cards[static_cast<std::size_t>(rest.count++)] = static_cast<CardId>(card);
    }
    if (seat < 0 || seat > 1 || !plausible(rules, glance.seen, rest, seat)) {
        throw nb::value_error("these are not the unseen cards of a view");
    }
    glance.seat = seat;
    return glance;
}

// Two states are the same when all but the events of the last step are.
void bind_own_state(nb::module_& m) {
    nb::class_<State> state(m, "State", nb::pooled(256), "Everything on the table.");
    state.def("copy", [](const State& self) { return self; })
        .def("copy_from", &ludex::take_over<State>, "other"_a)
        .def(
            "__eq__", [](const State& self, const State& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const State& self) {
                 std::uint64_t hash = kIdentity;
                 const auto* bytes = reinterpret_cast<const unsigned char*>(&self);
                 for (std::size_t i = 0; i + 8 <= kIdentity; i += 8) {
                     std::uint64_t word = 0;
                     std::memcpy(&word, bytes + i, 8);
                     hash = ludex::mix(hash ^ word) + word;
                 }
                 std::uint64_t rest = 0;
                 std::memcpy(&rest, bytes + kIdentity / 8 * 8, kIdentity % 8);
                 hash = ludex::mix(hash ^ rest) + rest;
                 const auto value = static_cast<Py_hash_t>(hash);
                 return value == -1 ? -2 : value;
             })
        .def("__getstate__", &ludex::pickled<State>)
        .def("__setstate__",
             [](State& self, const nb::bytes& bytes) {
                 new (&self) State(ludex::unpickled<State>(bytes));
             })
        .def("__str__", &to_text)
        .def("__repr__", [](const State& self) { return "<" + to_text(self) + ">"; })
        .def_prop_ro("active", [](const State& s) { return static_cast<int>(s.active); })
        .def_prop_ro("first", [](const State& s) { return static_cast<int>(s.first); })
        .def_prop_ro("turn", [](const State& s) { return static_cast<int>(s.turn); })
        .def_prop_ro("phase", [](const State& s) { return static_cast<int>(s.phase); })
        .def_prop_ro("winner", [](const State& s) { return static_cast<int>(s.winner); })
        .def_prop_ro("stage", [](const State& s) { return static_cast<int>(s.stage); })
        .def_prop_ro("prefix", [](const State& s) { return s.prefix; })
        .def_prop_ro(
            "told_events",
            [](const State& s) {
                nb::list out;
                for (int i = 0; i < s.told_count; ++i) {
                    const ToldEvent& one = s.told_events[static_cast<std::size_t>(i)];
                    out.append(nb::make_tuple(static_cast<int>(one.kind),
                                              static_cast<int>(one.seat),
                                              static_cast<int>(one.card)));
                }
                return nb::tuple(out);
            },
            nb::sig("def told_events(self) -> tuple[tuple[int, int, int], ...]"),
            "What the last step did: kind, seat and card.")
        .def_prop_ro(
            "told_lost", [](const State& s) { return s.told_lost != 0; },
            "Whether the last step did more than `told_events` has room for.")
        .def_prop_ro(
            "changed_sides",
            [](const State& s) {
                nb::list out;
                for (int seat = 0; seat < kSeats && s.has_told != 0; ++seat) {
                    const bool same = s.before[static_cast<std::size_t>(seat)] == s.standing(seat);
                    if (!same) out.append(seat);
                }
                return nb::tuple(out);
            },
            nb::sig("def changed_sides(self) -> tuple[int, ...]"),
            "Sides whose health, armour, mana or weapon the last step changed.")
        .def_prop_ro(
            "offered",
            [](const State& s) {
                nb::list out;
                for (int i = 0; i < s.choices; ++i) {
                    out.append(static_cast<int>(s.choice_cards[static_cast<std::size_t>(i)]));
                }
                return nb::tuple(out);
            },
            nb::sig("def offered(self) -> tuple[int, ...]"), "Cards of an open choice.")
        .def(
            "player",
            [](const State& s, const Seat& seat) {
                return describe_player(s, own_seat(kSeats, seat));
            },
            "seat"_a, nb::sig("def player(self, seat: int) -> dict[str, typing.Any]"),
            "The facts of one side, by name.");
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The rules of Hearthstone.";
    nb::module_::import_("ludex.core._native");
    bind_own_state(m);

    nb::class_<CardSet>(m, "CardSet", "Cards as tables of numbers.")
        .def(
            "__init__",
            [](CardSet* self, const NamedRows& cards, const Rows& groups, const Rows& values,
               const Rows& program, const Rows& grants, const Rows& triggers, const Rows& auras,
               const Rows& needs, const Rows& pools, const std::vector<int>& special) {
                new (self) CardSet(make_cards(cards, groups, values, program, grants, triggers,
                                              auras, needs, pools, special));
            },
            "cards"_a, "groups"_a, "values"_a, "program"_a, "grants"_a, "triggers"_a, "auras"_a,
            "needs"_a, "pools"_a, "special"_a)
        .def("__len__", [](const CardSet& self) { return self.cards.size(); });

    nb::class_<SeatGlance>(m, "Glance", "What one seat sees, as native searches keep it.");
    auto model = ludex::bind_model<Rules>(m, "The hot half of the model; model.py adds the rest.");
    using M = ludex::Model<Rules>;
    model
        .def(
            "__init__",
            [](M* self, std::shared_ptr<CardSet> set,
               const std::pair<std::vector<CardId>, std::vector<CardId>>& decks,
               const std::pair<CardId, CardId>& heroes, const std::vector<CardId>& pool,
               const nb::dict& how) {
                Setup setup;
                setup.decks = {decks.first, decks.second};
                setup.heroes = {heroes.first, heroes.second};
                setup.pool = pool;
                const auto flag = [&](const char* name, int usual) {
                    return how.contains(name) ? nb::cast<int>(how[name]) : usual;
                };
                setup.mulligan = flag("mulligan", 0) != 0;
                setup.staged = flag("staged", 0) != 0;
                setup.all_places = flag("all_places", 0) != 0;
                setup.first = flag("first", 2);
                Options options;
                options.turn_limit = flag("turn_limit", 89);
                options.frozen_hero_can_attack = flag("frozen_hero_can_attack", 0) != 0;
                new (self) M(Rules(std::move(set), std::move(setup), options));
            },
            "cards"_a, "decks"_a, "heroes"_a, "pool"_a, "how"_a,
            nb::sig("def __init__(self, cards: CardSet, decks: tuple[list[int], list[int]], "
                    "heroes: tuple[int, int], pool: list[int], how: dict[str, int]) -> None"))
        .def(
            "first_state", [](const M& self, ludex::Rng& rng) { return self.rules.start(rng); },
            "rng"_a)
        .def(
            "masked",
            [](const M& self, const Given<State>& state, const Seat& seat) {
                const State seen =
                    masked(self.rules, own_state(self.rules, state), own_seat(self.rules, seat));
                return nb::bytes(reinterpret_cast<const char*>(&seen), kIdentity);
            },
            "state"_a, "seat"_a)
        .def(
            "unseen",
            [](const M& self, const Given<State>& state, const Seat& seat) {
                const Unseen found =
                    unseen(self.rules, own_state(self.rules, state), own_seat(self.rules, seat));
                nb::list out;
                for (int i = 0; i < found.count; ++i) {
                    out.append(static_cast<int>(found.cards[static_cast<std::size_t>(i)]));
                }
                return nb::tuple(out);
            },
            nb::sig("def unseen(self, state: State, seat: int) -> tuple[int, ...]"), "state"_a,
            "seat"_a)
        .def(
            "seen_state",
            [](const M& self, const nb::bytes& seen, const Seat& seat) {
                State state;
                const int eye = own_seat(self.rules, seat);
                const bool is_whole = seen.size() == kIdentity;
                if (is_whole) std::memcpy(&state, seen.data(), kIdentity);
                if (!is_whole || !is_view(self.rules, state, eye)) {
                    ludex::raise_error("ForeignState",
                                       "this is not a view of these rules; views come from "
                                       "model.view(state, seat) of the same world");
                }
                state.owner = self.rules.owner();
                return state;
            },
            "seen"_a, "seat"_a,
            "What a view shows, as a state with gaps: for players that look no further.")
        .def_prop_ro(
            "owner", [](const M& self) { return self.rules.owner(); },
            "The tag of these rules: the same for the same cards, decks and options.")
        .def(
            "imagined",
            [](const M& self, const nb::bytes& seen, const std::vector<int>& hidden, int seat,
               ludex::Rng& rng) {
                State state;
                if (!determinise(self.rules, read_glance(self.rules, seen, hidden, seat), rng,
                                 state)) {
                    throw nb::value_error("these are not the unseen cards of a view");
                }
                return state;
            },
            "seen"_a, "unseen"_a, "seat"_a, "rng"_a)
        .def(
            "glance",
            [](const M& self, const nb::bytes& seen, const std::vector<int>& hidden, int seat) {
                return read_glance(self.rules, seen, hidden, seat);
            },
            "seen"_a, "unseen"_a, "seat"_a, "What a seat sees, for native searches.")
        .def(
            "view_key",
            [](const M& self, const Given<State>& given, const Seat& seat) {
                const SeatGlance glance =
                    glance_at(self.rules, own_state(self.rules, given), own_seat(self.rules, seat));
                std::string bytes(reinterpret_cast<const char*>(&glance.seen), kIdentity);
                bytes.append(reinterpret_cast<const char*>(glance.unseen.cards.data()),
                             static_cast<std::size_t>(glance.unseen.count) * sizeof(CardId));
                return nb::bytes(bytes.data(), bytes.size());
            },
            "state"_a, "seat"_a, "What a seat sees, as bytes.")
        .def(
            "parse",
            [](const M& self, std::string_view text) -> nb::object {
                auto state = from_text(text, self.rules.cards().cards.size());
                if (!state || !self.rules.is_possible(*state)) return nb::none();
                state->owner = self.rules.owner();
                return nb::cast(*state);
            },
            nb::sig("def parse(self, text: str) -> State | None"), "text"_a)
        .def(
            "consistent",
            [](const M& self, const Given<State>& state) {
                return self.rules.consistent(own_state(self.rules, state));
            },
            "state"_a)
        .def(
            "built",
            [](const M& self, const nb::dict& position) {
                return build_state(self.rules, position);
            },
            nb::sig("def built(self, position: dict[str, typing.Any]) -> State"), "position"_a,
            "A state from a described position.")
        .def(
            "described",
            [](const M& self, const Given<State>& state) {
                return describe(self.rules, own_state(self.rules, state));
            },
            nb::sig("def described(self, state: State) -> dict[str, typing.Any]"), "state"_a,
            "All that can be said of a state, with costs and who may attack.")
        .def(
            "flat_legal",
            [](const M& self, const Given<State>& state) {
                return flat_actions(self.rules, own_state(self.rules, state));
            },
            "state"_a)
        .def(
            "apply_flat",
            [](const M& self, const Given<State>& given, Action action, ludex::Rng& rng) {
                State& state = own_state(self.rules, given);
                check_flat(self.rules, state, action);
                self.rules.apply_flat(state, action, rng);
            },
            "state"_a, "action"_a, "rng"_a,
            "Apply a whole action in place, whatever the stages of this world are.");

    m.def(
        "pack",
        [](int kind, int source, int option, int target, int place) {
            return pack({static_cast<Kind>(kind), source, option, target, place});
        },
        "kind"_a, "source"_a = 0, "option"_a = 0, "target"_a = 0, "place"_a = 0);
    m.def(
        "unpack",
        [](Action action) {
            const Parts p = unpack(action);
            return nb::make_tuple(static_cast<int>(p.kind), p.source, p.option, p.target, p.place);
        },
        nb::sig("def unpack(action: int) -> tuple[int, int, int, int, int]"), "action"_a);
    m.def(
        "seen_state",
        [](const nb::bytes& seen) {
            State state;
            if (seen.size() != kIdentity) throw nb::value_error("not a view of this world");
            std::memcpy(&state, seen.data(), kIdentity);
            if (!is_sound(state)) throw nb::value_error("not a view of this world");
            return state;
        },
        "seen"_a, "What a view shows, as a state with gaps.");
}

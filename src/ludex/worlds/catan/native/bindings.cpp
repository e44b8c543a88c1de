// Python's view of the rules: thin, and last.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "bind_model.hpp"
#include "bind_state.hpp"
#include "border.hpp"
#include "offers.hpp"
#include "profile.hpp"
#include "rules.hpp"
#include "turns.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludex::catan;
using ludex::Given;
using ludex::own_seat;
using ludex::own_state;
using ludex::Rng;
using ludex::Seat;

namespace {

using Counts = std::tuple<int, int, int, int, int>;

[[nodiscard]] Counts counts_of(Hand hand) {
    return {count_of(hand, 0), count_of(hand, 1), count_of(hand, 2), count_of(hand, 3),
            count_of(hand, 4)};
}
[[nodiscard]] Counts counts_of(const std::array<std::uint8_t, kKinds>& counts) {
    return {counts[0], counts[1], counts[2], counts[3], counts[4]};
}

template <class Has>
[[nodiscard]] nb::tuple places(int count, const Has& has) {
    nb::list found;
    for (int place = 0; place < count; ++place) {
        if (has(place)) found.append(place);
    }
    return nb::tuple(found);
}
[[nodiscard]] nb::tuple nodes_in(NodeSet nodes) {
    return places(kNodes, [&](int node) { return (nodes >> node & 1) != 0; });
}
[[nodiscard]] nb::tuple edges_in(EdgeSet edges) {
    return places(kEdges, [&](int edge) { return edges.has(edge); });
}

[[nodiscard]] nb::object seat_or_none(int seat) {
    return seat >= kMaxSeats ? nb::object(nb::none()) : nb::object(nb::int_(seat));
}

[[nodiscard]] const char* phase_name(Phase phase) {
    constexpr std::array<const char*, 12> kNames{
        "setup_settlement", "setup_road", "before_roll", "dice", "discard",
        "robber",           "steal",      "main",        "draw", "free_road",
        "answer",           "over"};
    return kNames[static_cast<std::size_t>(phase)];
}

const Player& player_at(const State& state, const Seat& seat) {
    return state.player(own_seat(kMaxSeats, seat));
}

// Facts that a state and what a seat sees of one both have; hidden ones are zero in the latter.
template <class T, class Get>
void bind_facts(nb::class_<T>& cls, const Get& get) {
    const auto fact = [&](const char* name, auto read, const char* doc) {
        cls.def_prop_ro(name, [get, read](const T& self) { return read(get(self)); }, doc);
    };
    const auto of_seat = [&](const char* name, auto read, const char* doc) {
        cls.def(
            name,
            [get, read](const T& self, const Seat& seat) {
                return read(player_at(get(self), seat));
            },
            "seat"_a, doc);
    };
    fact("terrain", [](const State& s) { return s.terrain; }, "Of each hex; 5 is the desert.");
    fact("number", [](const State& s) { return s.number; }, "Of each hex; 0 on the desert.");
    fact("harbour", [](const State& s) { return s.harbour; }, "Kinds; 5 stands for 3:1.");
    fact("robber", [](const State& s) { return int(s.robber); }, "The hex it stands on.");
    fact("bank", [](const State& s) { return counts_of(s.bank); }, "Zeros where it is endless.");
    fact("endless", [](const State& s) { return s.endless != 0; }, "Whether the bank is.");
    fact("deck", [](const State& s) { return counts_of(s.deck); }, "Cards left, by kind.");
    fact("deck_size", [](const State& s) { return int(s.deck_size); }, "Cards left.");
    fact("turn", [](const State& s) { return int(s.turn); }, "Of all seats, from 0.");
    fact("current", [](const State& s) { return int(s.current); }, "Whose turn it is.");
    fact("acting", [](const State& s) { return int(s.acting); }, "Who decides.");
    fact("phase", [](const State& s) { return phase_name(s.phase); }, "What is being done.");
    fact("rolled", [](const State& s) { return s.rolled != 0; }, "In this turn.");
    fact("card_played", [](const State& s) { return s.card_played != 0; }, "In this turn.");
    fact("offers", [](const State& s) { return int(s.offers); }, "Made in this turn, if limited.");
    fact("free_roads", [](const State& s) { return int(s.free_roads); }, "Left to be placed.");
    fact("quota", [](const State& s) { return int(s.quota); }, "Cards still to be discarded.");
    fact("offer", [](const State& s) { return s.offer; }, "The action being answered, or 0.");
    fact("seats", [](const State& s) { return s.seats(); }, "How many play.");
    cls.def_prop_ro(
        "winner", [get](const T& self) { return seat_or_none(get(self).winner); },
        nb::sig("def winner(self) -> int | None"));
    cls.def_prop_ro(
        "victim", [get](const T& self) { return seat_or_none(get(self).victim); },
        nb::sig("def victim(self) -> int | None"));
    cls.def_prop_ro(
        "road_holder", [get](const T& self) { return seat_or_none(get(self).road_holder); },
        nb::sig("def road_holder(self) -> int | None"));
    cls.def_prop_ro(
        "army_holder", [get](const T& self) { return seat_or_none(get(self).army_holder); },
        nb::sig("def army_holder(self) -> int | None"));
    cls.def_prop_ro(
        "last_node",
        [get](const T& self) -> nb::object {
            const int node = get(self).last_node;
            return node == kNowhere ? nb::object(nb::none()) : nb::object(nb::int_(node));
        },
        nb::sig("def last_node(self) -> int | None"), "Where the road of the set-up must begin.");
    of_seat("hand", [](const Player& p) { return counts_of(p.hand); }, "Resource cards by kind.");
    of_seat("laid", [](const Player& p) { return counts_of(p.discarded); }, "Being discarded.");
    of_seat("laid_size", [](const Player& p) { return int(p.discarded_size); }, "Cards of it.");
    of_seat("size", [](const Player& p) { return int(p.size); }, "Resource cards.");
    of_seat("held", [](const Player& p) { return counts_of(p.held); }, "Cards of earlier turns.");
    of_seat("fresh", [](const Player& p) { return counts_of(p.fresh); }, "Bought this turn.");
    of_seat("played", [](const Player& p) { return counts_of(p.played); }, "Face up.");
    of_seat("held_size", [](const Player& p) { return int(p.held_size); }, "Cards of it.");
    of_seat("fresh_size", [](const Player& p) { return int(p.fresh_size); }, "Cards of it.");
    of_seat("roads_left", [](const Player& p) { return int(p.roads_left); }, "Pieces.");
    of_seat("settlements_left", [](const Player& p) { return int(p.settlements_left); }, "Pieces.");
    of_seat("cities_left", [](const Player& p) { return int(p.cities_left); }, "Pieces.");
    of_seat("longest", [](const Player& p) { return int(p.longest); }, "Length of its road.");
    of_seat("harbours", [](const Player& p) { return int(p.harbours); }, "Bits; 5 for 3:1.");
    const auto places_of = [&](const char* name, const auto& signature, auto read) {
        cls.def(
            name,
            [get, read](const T& self, const Seat& seat) {
                return read(player_at(get(self), seat));
            },
            signature, "seat"_a);
    };
    places_of("roads", nb::sig("def roads(self, seat: int) -> tuple[int, ...]"),
              [](const Player& p) { return edges_in(p.roads); });
    places_of("settlements", nb::sig("def settlements(self, seat: int) -> tuple[int, ...]"),
              [](const Player& p) { return nodes_in(p.settlements); });
    places_of("cities", nb::sig("def cities(self, seat: int) -> tuple[int, ...]"),
              [](const Player& p) { return nodes_in(p.cities); });
    of_seat(
        "rates", [](const Player& p) { return counts_of(bank_rates(p)); },
        "Cards of each kind that the bank takes for one.");
    cls.def(
        "visible_points",
        [get](const T& self, const Seat& seat) {
            return visible_points(get(self), own_seat(kMaxSeats, seat));
        },
        "seat"_a, "Points that all can see.");
    cls.def(
        "points",
        [get](const T& self, const Seat& seat) {
            return points_of(get(self), own_seat(kMaxSeats, seat));
        },
        "seat"_a, "With victory point cards as far as they are known.");
    cls.def(
        "road_sites",
        [get](const T& self, const Seat& seat) {
            return edges_in(road_sites(get(self), player_at(get(self), seat)));
        },
        nb::sig("def road_sites(self, seat: int) -> tuple[int, ...]"), "seat"_a,
        "Edges where the seat's network may go on.");
    cls.def(
        "longest_with",
        [get](const T& self, const Seat& seat, const std::vector<int>& edges) {
            Player player = player_at(get(self), seat);
            for (const int edge : edges) {
                if (edge < 0 || edge >= kEdges) throw nb::index_error("there is no such edge");
                player.roads |= EdgeSet::of(edge);
                for (const int node : kMap.ends[at(edge)]) player.reach |= node_bit(node);
            }
            return longest_road(get(self), player);
        },
        "seat"_a, "edges"_a, "The length of the seat's road if it had these edges, too.");
    cls.def(
        "free_nodes", [get](const T& self) { return nodes_in(kAllNodes & ~get(self).blocked); },
        nb::sig("def free_nodes(self) -> tuple[int, ...]"),
        "Nodes where the distance rule allows a settlement.");
}

// (kind, seat, other, value, action, offer, gains of each seat) of the last step.
[[nodiscard]] nb::tuple last_events_of(const State& state) {
    const StepEvents& events = state.last_events;
    nb::list gains;
    for (const Hand hand : events.gains) gains.append(counts_of(hand));
    return nb::make_tuple(int(events.kind), int(events.seat), int(events.other), int(events.value),
                          events.action, events.offer, nb::tuple(gains));
}

void make_model(ludex::Model<Rules>* self, int players, int points, bool finite_bank, int board,
                int numbers, int trades, int offers, int sight, bool any_card_early, int turns,
                bool exchanges, std::uint32_t owner) {
    if (players < 2 || players > kMaxSeats || board < 0 || board > 1 || numbers < 0 ||
        numbers > 2 || trades < 0 || trades > 4 || offers < 0 || offers > Rules::kNoLimit ||
        sight < 0 || sight > 2 || turns < 0 || turns > 65535) {
        ludex::raise_bad_parameter("an option of catan is out of its range");
    }
    Rules rules;
    rules.owner = owner | ludex::kTagBits;
    rules.players = players;
    rules.points = points;
    rules.finite_bank = finite_bank;
    rules.board = static_cast<Board>(board);
    rules.numbers = static_cast<Numbers>(numbers);
    rules.trades = static_cast<Trades>(trades);
    rules.offers = offers;
    rules.sight = static_cast<Sight>(sight);
    rules.any_card_early = any_card_early;
    rules.turns = turns;
    rules.exchanges = exchanges;
    new (self) ludex::Model<Rules>(rules);
}

[[nodiscard]] nb::dict profile_dict(const Profile& found) {
    nb::dict out;
    out["games"] = found.games;
    out["finished"] = found.finished;
    out["turns"] = found.turns;
    out["steps"] = found.steps;
    out["chances"] = found.chances;
    out["choices"] = found.choices;
    out["options"] = found.options;
    out["plain_options"] = found.plain_options;
    out["main_steps"] = found.main_steps;
    out["legal"] = nb::cast(found.legal);
    out["tokens"] = nb::cast(found.tokens);
    out["most"] = nb::cast(found.most);
    out["chosen"] = nb::cast(found.chosen);
    return out;
}

void bind_map(nb::module_& m) {
    m.attr("HEXES") = kHexes;
    m.attr("NODES") = kNodes;
    m.attr("EDGES") = kEdges;
    m.def("corners", [] { return kMap.corners; }, "The six nodes of each hex, clockwise.");
    m.def("ends", [] { return kMap.ends; }, "The two nodes of each edge.");
    m.def("harbour_edges", [] { return kMap.harbour_edges; }, "The edge of each harbour.");
    m.def(
        "node_places",
        [] {
            std::vector<std::tuple<int, int>> out;
            for (const Place place : kMap.node_places) out.emplace_back(place.x, place.y);
            return out;
        },
        "Places of the nodes on a lattice.");
    m.def(
        "hex_places",
        [] {
            std::vector<std::tuple<int, int>> out;
            for (const Place place : kMap.hex_places) out.emplace_back(place.x, place.y);
            return out;
        },
        "Places of the hexes on the same lattice.");
    m.def(
        "bundles",
        [] {
            std::vector<Counts> out;
            for (const Hand hand : kBundleTable.cards) out.push_back(counts_of(hand));
            return out;
        },
        "Sets of one to three cards; offers name them by place.");
    m.def(
        "trade_space", [](int trades) { return count_of_space(static_cast<Trades>(trades)); },
        "trades"_a, "How many unlike trades a space has with one partner.");
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The rules of Settlers of Catan.";
    m.attr("MAX_LEGAL") = Rules::kMaxLegal;
    bind_map(m);

    auto state = ludex::bind_state<State>(m, "A position, its board included.");
    state.def("__str__", &to_text)
        .def("compact", &to_compact_text, "The short text that hashes are made of.")
        .def("__repr__", [](const State& self) { return "<catan " + to_text(self) + ">"; })
        .def_prop_ro("last_events", &last_events_of,
                     nb::sig("def last_events(self) -> tuple[typing.Any, ...]"));
    bind_facts(state, [](const State& self) -> const State& { return self; });

    auto seen = ludex::bind_state<Glance>(m, "What one seat sees of a position.", "Seen");
    seen.def_prop_ro("seat", [](const Glance& self) { return int(self.seat); })
        .def("__str__", [](const Glance& self) { return to_text(self.seen); })
        .def("__repr__", [](const Glance& self) { return "<seen " + to_text(self.seen) + ">"; });
    bind_facts(seen, [](const Glance& self) -> const State& { return self.seen; });

    ludex::bind_model<Rules>(m, "The hot half of the model; model.py adds the rest.")
        .def("__init__", &make_model, "players"_a, "points"_a, "finite_bank"_a, "board"_a,
             "numbers"_a, "trades"_a, "offers"_a, "sight"_a, "any_card_early"_a, "turns"_a,
             "exchanges"_a, "owner"_a = ludex::kPlainOwner,
             "`owner` names the game whose states these rules play.")
        .def(
            "start",
            [](const ludex::Model<Rules>& self, Rng& rng) { return self.rules.start(rng); },
            nb::sig("def start(self, rng: ludex.core._native.Rng) -> State"), "rng"_a)
        .def(
            "parse",
            [](const ludex::Model<Rules>& self, std::string_view text) {
                State out;
                if (const Problem problem = parse(text, self.rules, out)) {
                    throw nb::value_error(problem->c_str());
                }
                return out;
            },
            "text"_a, "Read a state; ValueError says what is wrong with it.")
        .def(
            "contradiction",
            [](const ludex::Model<Rules>& self, const Given<State>& one) -> nb::object {
                if (const Problem problem = contradiction(self.rules, own_state(self.rules, one))) {
                    return nb::cast(*problem);
                }
                return nb::none();
            },
            nb::sig("def contradiction(self, state: State) -> str | None"), "state"_a,
            "What the rules forbid about a state, or None.")
        .def(
            "consistent",
            [](const ludex::Model<Rules>& self, const Given<State>& one) {
                return self.rules.consistent(own_state(self.rules, one));
            },
            "state"_a, "Whether the facts of a state agree with each other.")
        .def(
            "look",
            [](const ludex::Model<Rules>& self, const Given<State>& one, const Seat& seat) {
                return look(self.rules, own_state(self.rules, one), own_seat(self.rules, seat));
            },
            "state"_a, "seat"_a, "What a seat sees.")
        .def(
            "complete",
            [](const ludex::Model<Rules>& self, const Given<Glance>& given, Rng& rng) {
                Glance& glance = ludex::any_state(given);
                if (glance.seen.owner != self.rules.owner && !admit(self.rules, glance)) {
                    ludex::raise_foreign_state(given.object);
                }
                return imagine(self.rules, glance, rng);
            },
            nb::sig("def complete(self, seen: Seen, rng: ludex.core._native.Rng) -> State"),
            "seen"_a, "rng"_a, "A complete state that looks like this.")
        .def(
            "own_glance",
            [](const ludex::Model<Rules>& self, const Given<Glance>& given) {
                Glance& glance = ludex::any_state(given);
                if (glance.seen.owner != self.rules.owner && !admit(self.rules, glance)) {
                    ludex::raise_foreign_state(given.object);
                }
                return glance;
            },
            nb::sig("def own_glance(self, seen: Seen) -> Seen"), "seen"_a,
            "What was seen, if it was seen in a game of these rules; for native searches.")
        .def(
            "key_without",
            [](const ludex::Model<Rules>& self, const Given<State>& given,
               const std::vector<std::string>& names) {
                unsigned ignored = 0;
                for (const std::string& name : names) ignored |= ignorable(self.rules, name);
                const State plain = blanked(own_state(self.rules, given), ignored);
                return nb::bytes(reinterpret_cast<const char*>(&plain), State::kMeaningful);
            },
            "state"_a, "names"_a, "The bytes of a state without its turn or its offers.")
        .def(
            "is_legal",
            [](const ludex::Model<Rules>& self, const Given<State>& one, const Seat& seat,
               Action action) {
                return self.rules.is_legal(own_state(self.rules, one), own_seat(self.rules, seat),
                                           action);
            },
            "state"_a, "seat"_a, "action"_a)
        .def(
            "profile",
            [](const ludex::Model<Rules>& self, const std::string& policy, int games,
               bool as_source, const Rng& rng, bool one_board) {
                const auto found = Rules::find_policy(policy);
                if (!found) throw nb::value_error("this world has no policy of that name");
                Profile measured;
                {
                    const nb::gil_scoped_release unlocked;
                    measured = profile(self.rules, *found, games, as_source, one_board, rng);
                }
                return profile_dict(measured);
            },
            nb::sig("def profile(self, policy: str, games: int, as_source: bool, "
                    "rng: ludex.core._native.Rng, one_board: bool = False) "
                    "-> dict[str, typing.Any]"),
            "policy"_a, "games"_a, "as_source"_a, "rng"_a, "one_board"_a = false,
            "Play games and count steps, choices and legal types.");
}

// States as one line of text, and what is wrong with a line that is not one.
#include <charconv>
#include <vector>

#include "turns.hpp"

namespace ludex::catan {

namespace {

constexpr std::array<std::string_view, 6> kTerrainNames{"cl", "or", "sh", "wh", "wo", "de"};
constexpr std::array<std::string_view, 6> kHarbourNames{"cl", "or", "sh", "wh", "wo", "any"};
constexpr std::array<std::string_view, 12> kPhaseNames{
    "setup_settlement", "setup_road", "before_roll", "dice", "discard",
    "robber",           "steal",      "main",        "draw", "free_road",
    "answer",           "over"};

[[nodiscard]] std::string counts_text(Hand hand) {
    std::string text;
    for (int kind = 0; kind < kKinds; ++kind) {
        text += (kind > 0 ? "/" : "") + std::to_string(count_of(hand, kind));
    }
    return text;
}

[[nodiscard]] Hand as_hand(const std::array<std::uint8_t, kKinds>& counts) noexcept {
    Hand hand = 0;
    for (int kind = 0; kind < kKinds; ++kind) hand += cards(kind, counts[at(kind)]);
    return hand;
}

// Places joined by dots, or a dash for none.
template <class Has>
[[nodiscard]] std::string places_text(int count, const Has& has) {
    std::string text;
    for (int place = 0; place < count; ++place) {
        if (has(place)) text += (text.empty() ? "" : ".") + std::to_string(place);
    }
    return text.empty() ? "-" : text;
}

[[nodiscard]] std::string nodes_text(NodeSet nodes) {
    return places_text(kNodes, [&](int node) { return (nodes >> node & 1) != 0; });
}

[[nodiscard]] std::string seat_text(const Player& player) {
    return "roads:" + places_text(kEdges, [&](int edge) { return player.roads.has(edge); }) +
           ";settlements:" + nodes_text(player.settlements) +
           ";cities:" + nodes_text(player.cities) + ";hand:" + counts_text(player.hand) +
           ";held:" + counts_text(as_hand(player.held)) +
           ";fresh:" + counts_text(as_hand(player.fresh)) +
           ";played:" + counts_text(as_hand(player.played)) +
           (player.discarded != 0 ? ";laid:" + counts_text(player.discarded) : "");
}

[[nodiscard]] std::string offer_text(Action action) {
    const Offer offer = offer_of(action);
    return std::to_string(offer.to) + ";" + counts_text(offer.given()) + ";" +
           counts_text(offer.wanted());
}

// Reading. Each function says whether the text was what it should be.

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(mark);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

[[nodiscard]] bool read_number(std::string_view text, int most, int& out) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && out >= 0 && out <= most &&
           (text.size() == 1 || text[0] != '0');
}

template <class Small>
[[nodiscard]] bool read_small(std::string_view text, int most, Small& out) noexcept {
    int number = 0;
    if (!read_number(text, most, number)) return false;
    out = static_cast<Small>(number);
    return true;
}

template <std::size_t N>
[[nodiscard]] bool read_name(std::string_view text, const std::array<std::string_view, N>& names,
                             std::uint8_t& out) noexcept {
    for (std::size_t i = 0; i < N; ++i) {
        if (names[i] != text) continue;
        out = static_cast<std::uint8_t>(i);
        return true;
    }
    return false;
}

[[nodiscard]] bool read_counts(std::string_view text, Hand& out) {
    const auto parts = split(text, '/');
    if (parts.size() != kKinds) return false;
    out = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
        int count = 0;
        if (!read_number(parts[at(kind)], kMostOfKind, count)) return false;
        out += cards(kind, count);
    }
    return true;
}

[[nodiscard]] bool read_cards(std::string_view text, std::array<std::uint8_t, kKinds>& out) {
    Hand hand = 0;
    if (!read_counts(text, hand)) return false;
    for (int kind = 0; kind < kKinds; ++kind) {
        out[at(kind)] = static_cast<std::uint8_t>(count_of(hand, kind));
    }
    return true;
}

template <class Add>
[[nodiscard]] bool read_places(std::string_view text, int count, const Add& add) {
    if (text == "-") return true;
    int before = -1;
    for (const std::string_view part : split(text, '.')) {
        int place = 0;
        if (!read_number(part, count - 1, place) || place <= before) return false;
        add(place);
        before = place;
    }
    return true;
}

[[nodiscard]] bool read_hexes(std::string_view text, State& out) {
    const auto parts = split(text, ',');
    if (parts.size() != kHexes) return false;
    for (std::size_t hex = 0; hex < kHexes; ++hex) {
        const std::string_view part = parts[hex];
        if (!read_name(part.substr(0, 2), kTerrainNames, out.terrain[hex])) return false;
        out.number[hex] = 0;
        if (part.size() > 2 && !read_small(part.substr(2), 12, out.number[hex])) return false;
    }
    return true;
}

[[nodiscard]] bool read_harbours(std::string_view text, State& out) {
    const auto parts = split(text, ',');
    if (parts.size() != kHarbours) return false;
    for (std::size_t i = 0; i < kHarbours; ++i) {
        if (!read_name(parts[i], kHarbourNames, out.harbour[i])) return false;
    }
    return true;
}

[[nodiscard]] bool read_seat(std::string_view text, Player& player) {
    const auto parts = split(text, ';');
    constexpr std::array<std::string_view, 8> kNames{"roads", "settlements", "cities", "hand",
                                                     "held",  "fresh",       "played", "laid"};
    if (parts.size() < 7 || parts.size() > 8) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t colon = parts[i].find(':');
        if (colon == std::string_view::npos || parts[i].substr(0, colon) != kNames[i]) return false;
        const std::string_view value = parts[i].substr(colon + 1);
        bool good = false;
        switch (i) {
            case 0:
                good = read_places(value, kEdges,
                                   [&](int edge) { player.roads |= EdgeSet::of(edge); });
                break;
            case 1:
                good = read_places(value, kNodes,
                                   [&](int node) { player.settlements |= node_bit(node); });
                break;
            case 2:
                good =
                    read_places(value, kNodes, [&](int node) { player.cities |= node_bit(node); });
                break;
            case 3:
                good = read_counts(value, player.hand);
                break;
            case 4:
                good = read_cards(value, player.held);
                break;
            case 5:
                good = read_cards(value, player.fresh);
                break;
            case 6:
                good = read_cards(value, player.played);
                break;
            default:
                good = read_counts(value, player.discarded) && player.discarded != 0;
        }
        if (!good) return false;
    }
    return true;
}

[[nodiscard]] bool read_offer(std::string_view text, Action& out) {
    const auto parts = split(text, ';');
    int to = 0;
    Hand give = 0;
    Hand want = 0;
    if (parts.size() != 3 || !read_number(parts[0], kMaxSeats - 1, to) ||
        !read_counts(parts[1], give) || !read_counts(parts[2], want)) {
        return false;
    }
    int given = -1;
    int wanted = -1;
    for (int bundle = 0; bundle < kBundles; ++bundle) {
        if (kBundleTable.cards[at(bundle)] == give) given = bundle;
        if (kBundleTable.cards[at(bundle)] == want) wanted = bundle;
    }
    if (given < 0 || wanted < 0) return false;
    out = make(Type::offer, to << 12 | given << 6 | wanted);
    return true;
}

[[nodiscard]] bool read_part(std::string_view key, std::string_view value, const Rules& rules,
                             State& out) {
    constexpr int kSeatMost = kMaxSeats - 1;
    if (key == "hexes") return read_hexes(value, out);
    if (key == "harbours") return read_harbours(value, out);
    if (key == "robber") return read_small(value, kHexes - 1, out.robber);
    if (key == "bank") {
        return rules.finite_bank ? read_counts(value, out.bank) : value == "endless";
    }
    if (key == "deck") return read_cards(value, out.deck);
    if (key == "turn") return read_small(value, 65535, out.turn);
    if (key == "current") return read_small(value, kSeatMost, out.current);
    if (key == "phase") {
        std::uint8_t phase = 0;
        const bool good = read_name(value, kPhaseNames, phase);
        out.phase = static_cast<Phase>(phase);
        return good;
    }
    if (key == "acting") return read_small(value, kSeatMost, out.acting);
    if (key == "winner") return read_small(value, kSeatMost, out.winner);
    if (key == "road") return read_small(value, kSeatMost, out.road_holder);
    if (key == "army") return read_small(value, kSeatMost, out.army_holder);
    if (key == "rolled") return read_small(value, 1, out.rolled);
    if (key == "card") return read_small(value, 1, out.card_played);
    if (key == "offers") return read_small(value, 254, out.offers);
    if (key == "free") return read_small(value, 2, out.free_roads);
    if (key == "node") return read_small(value, kNodes - 1, out.last_node);
    if (key == "victim") return read_small(value, kSeatMost, out.victim);
    if (key == "discarders") return read_small(value, 15, out.discarders);
    if (key == "quota") return read_small(value, 250, out.quota);
    if (key == "offer") return read_offer(value, out.offer);
    for (int seat = 0; seat < rules.players; ++seat) {
        if (key == "seat" + std::to_string(seat)) return read_seat(value, out.player(seat));
    }
    return false;
}

// What the value of a part is, to end a sentence that begins "'robber=77' should be ".
struct Form {
    std::string_view key;
    std::string_view value;
};
constexpr std::array kForms{
    Form{"hexes", "19 lands with their numbers, as in wo11,cl12,de,..."},
    Form{"harbours", "nine of cl, or, sh, wh, wo and any"},
    Form{"robber", "a hex from 0 to 18"},
    Form{"bank", "five counts, as in 19/19/19/19/19, and 'endless' with bank=infinite alone"},
    Form{"deck", "five counts, as in 14/2/2/2/5"},
    Form{"turn", "a number from 0 to 65535"},
    Form{"current", "a seat from 0 to 3"},
    Form{"phase", "setup_settlement, before_roll, main or another phase"},
    Form{"acting", "a seat from 0 to 3"},
    Form{"winner", "a seat from 0 to 3"},
    Form{"road", "the seat that holds the longest road"},
    Form{"army", "the seat that holds the largest army"},
    Form{"rolled", "0 or 1"},
    Form{"card", "0 or 1"},
    Form{"offers", "a number from 0 to 254"},
    Form{"free", "0, 1 or 2"},
    Form{"node", "a node from 0 to 53"},
    Form{"victim", "a seat from 0 to 3"},
    Form{"discarders", "a number from 0 to 15"},
    Form{"quota", "a number from 0 to 250"},
    Form{"offer", "a seat and the counts given and wanted, as in 1;0/2/0/0/0;0/0/1/0/0"},
};

[[nodiscard]] std::string part_problem(std::string_view key, std::string_view part,
                                       const Rules& rules) {
    const std::string shown = "'" + std::string(part.substr(0, 60)) + "'";
    for (const Form& form : kForms) {
        if (form.key == key) return shown + " should be " + std::string(form.value);
    }
    for (int seat = 0; seat < rules.players; ++seat) {
        if (key == "seat" + std::to_string(seat)) {
            return shown + " should be roads:...;settlements:...;cities:...;hand:...;held:...;" +
                   "fresh:...;played:..., with places joined by dots in ascending order";
        }
    }
    return shown + " is not a part of this game's states";
}

// Works out every fact that follows from others.
void derive(const Rules& rules, State& state) noexcept {
    state.blocked = state.buildings = 0;
    state.taken = {};
    state.yields = {};
    state.deck_size = 0;
    index_numbers(state);
    for (const int left : state.deck) {
        state.deck_size = static_cast<std::uint8_t>(state.deck_size + left);
    }
    const auto sum = [](const auto& counts) {
        int all = 0;
        for (const int count : counts) all += count;
        return static_cast<std::uint8_t>(all);
    };
    int placed = 0;
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        Player& player = state.player(seat);
        const bool plays = seat < rules.players;
        const int settlements = count_bits(player.settlements);
        const int cities = count_bits(player.cities);
        const int roads = count_bits(player.roads.low) + count_bits(player.roads.high);
        placed += settlements;
        state.buildings |= player.buildings();
        state.taken |= player.roads;
        player.reach = 0;
        player.hexes = 0;
        player.harbours = 0;
        for (int edge = 0; edge < kEdges; ++edge) {
            if (!player.roads.has(edge)) continue;
            for (const int node : kMap.ends[at(edge)]) player.reach |= node_bit(node);
        }
        for (int node = 0; node < kNodes; ++node) {
            if ((player.buildings() >> node & 1) == 0) continue;
            const int weight = (player.cities >> node & 1) != 0 ? 2 : 1;
            state.blocked |= kMap.close[at(node)];
            player.hexes |= kMap.hexes_at[at(node)];
            for (int hex = 0; hex < kHexes; ++hex) {
                if ((kMap.hexes_at[at(node)] >> hex & 1) == 0) continue;
                state.yields[at(hex)] += static_cast<std::uint16_t>(weight << 4 * seat);
            }
            if (const int harbour = kMap.harbour_at[at(node)]; harbour != kNowhere) {
                player.harbours |= static_cast<std::uint8_t>(1 << state.harbour[at(harbour)]);
            }
        }
        player.size = static_cast<std::uint8_t>(total(player.hand));
        player.discarded_size = static_cast<std::uint8_t>(total(player.discarded));
        player.held_size = sum(player.held);
        player.fresh_size = sum(player.fresh);
        player.built = static_cast<std::uint8_t>(settlements + 2 * cities);
        player.roads_left = static_cast<std::uint8_t>(plays ? kRoadPieces - roads : 0);
        player.settlements_left =
            static_cast<std::uint8_t>(plays ? kSettlementPieces - settlements : 0);
        player.cities_left = static_cast<std::uint8_t>(plays ? kCityPieces - cities : 0);
    }
    const bool in_setup =
        state.phase == Phase::setup_settlement || state.phase == Phase::setup_road;
    state.placed = static_cast<std::uint8_t>(in_setup ? placed : 2 * rules.players);
    for (Player& player : state.players) {
        player.open = open_edges(state, player);
        player.longest = static_cast<std::uint8_t>(longest_road(state, player));
    }
}

[[nodiscard]] std::string seat_name(int seat) { return "seat " + std::to_string(seat); }

// Roads hang together from a building on.
[[nodiscard]] bool is_rooted(const Player& player) noexcept {
    NodeSet reached = player.buildings();
    EdgeSet left = player.roads;
    for (bool grown = true; grown;) {
        grown = false;
        for (int edge = 0; edge < kEdges; ++edge) {
            const NodeSet ends =
                node_bit(kMap.ends[at(edge)][0]) | node_bit(kMap.ends[at(edge)][1]);
            if (!left.has(edge) || (reached & ends) == 0) continue;
            reached |= ends;
            left = left.without(EdgeSet::of(edge));
            grown = true;
        }
    }
    return !left.any();
}

[[nodiscard]] Problem piece_problem(const Rules& rules, const State& state) {
    NodeSet nodes = 0;
    EdgeSet edges;
    for (int seat = 0; seat < rules.players; ++seat) {
        const Player& player = state.player(seat);
        if (count_bits(player.roads.low) + count_bits(player.roads.high) > kRoadPieces) {
            return seat_name(seat) + " has more than 15 roads";
        }
        if (count_bits(player.settlements) > kSettlementPieces) {
            return seat_name(seat) + " has more than 5 settlements";
        }
        if (count_bits(player.cities) > kCityPieces) {
            return seat_name(seat) + " has more than 4 cities";
        }
        if ((player.settlements & player.cities) != 0 || (nodes & player.buildings()) != 0) {
            return "two buildings stand on one node";
        }
        if ((edges & player.roads).any()) return "two roads lie on one edge";
        if (!is_rooted(player)) {
            return "a road of " + seat_name(seat) + " is not connected to a building of its own";
        }
        nodes |= player.buildings();
        edges |= player.roads;
    }
    for (int node = 0; node < kNodes; ++node) {
        if ((nodes >> node & 1) != 0 && (nodes & kMap.close[at(node)]) != node_bit(node)) {
            return "the building on node " + std::to_string(node) +
                   " is one edge from another, which the distance rule forbids";
        }
    }
    return std::nullopt;
}

[[nodiscard]] Problem card_problem(const Rules& rules, const State& state) {
    constexpr std::array<std::string_view, kKinds> kNames{"clay", "ore", "sheep", "wheat", "wood"};
    constexpr std::array<std::string_view, kKinds> kCards{"knight", "monopoly", "plenty", "roads",
                                                          "point"};
    for (int kind = 0; kind < kKinds; ++kind) {
        int resources = count_of(state.bank, kind);
        int dealt = state.deck[at(kind)];
        for (const Player& player : state.players) {
            resources += count_of(player.hand, kind) + count_of(player.discarded, kind);
            dealt += player.held[at(kind)] + player.fresh[at(kind)] + player.played[at(kind)];
        }
        if (rules.finite_bank && resources != kBankOfKind) {
            return "bank and hands have " + std::to_string(resources) + " cards of " +
                   std::string(kNames[at(kind)]) + ", not 19";
        }
        if (dealt != kDeck[at(kind)]) {
            return "pile and seats have " + std::to_string(dealt) + " cards " +
                   std::string(kCards[at(kind)]) + ", not " + std::to_string(kDeck[at(kind)]);
        }
    }
    for (int seat = 0; seat < rules.players; ++seat) {
        const Player& player = state.player(seat);
        if (player.played[kPoint] != 0) return "victory points are never played";
        if (player.fresh_size != 0 && seat != state.current) {
            return seat_name(seat) + " has bought a card, but it is not its turn";
        }
    }
    return std::nullopt;
}

[[nodiscard]] Problem award_problem(const Rules& rules, const State& state) {
    State fair = state;
    award_longest_road(fair);
    if (fair.road_holder != state.road_holder) {
        return fair.road_holder == kNoSeat
                   ? "nobody is due the longest road"
                   : "the longest road is due to " + seat_name(fair.road_holder);
    }
    int most = 0;
    for (const Player& player : state.players) most = std::max<int>(most, player.played[kKnight]);
    const bool held = state.army_holder != kNoSeat;
    if (held != (most >= kLeastArmy) ||
        (held && state.player(state.army_holder).played[kKnight] != most)) {
        return "the largest army goes to who first has most knights, three or more";
    }
    for (int seat = 0; seat < rules.players; ++seat) {
        const bool gained = seat != state.current && state.road_holder == seat;
        const int points = all_points(state, seat) - (gained ? 2 : 0);
        if (points >= rules.points && state.winner != seat) {
            return seat_name(seat) + " has " + std::to_string(points) +
                   " points and would have won";
        }
    }
    return std::nullopt;
}

[[nodiscard]] Problem phase_problem(const Rules& rules, const State& state) {
    const auto in = [&](auto... phases) { return ((state.phase == phases) || ...); };
    const bool in_setup = in(Phase::setup_settlement, Phase::setup_road);
    if (state.current >= rules.players || state.acting >= rules.players) {
        return "there are " + std::to_string(rules.players) + " seats";
    }
    if (state.turn > rules.turns ||
        (state.turn == rules.turns) != (in(Phase::over) && state.winner == kNoSeat)) {
        return "the game has " + std::to_string(rules.turns) + " turns and then is over";
    }
    if ((state.winner != kNoSeat) && (!in(Phase::over) || state.winner != state.current ||
                                      all_points(state, state.winner) < rules.points)) {
        return "a winner is the seat on turn, with " + std::to_string(rules.points) + " points";
    }
    if ((state.acting != state.current) && !in(Phase::discard, Phase::answer)) {
        return "another seat acts only to discard or to answer";
    }
    if ((state.offer != 0) != in(Phase::answer)) return "an offer stands exactly while answered";
    if (in(Phase::answer)) {
        const Offer offer = offer_of(state.offer);
        if (offer.to != state.acting || offer.to == state.current ||
            !holds(state.player(state.current).hand, offer.given())) {
            return "an offer is answered by the seat it names, and who made it holds what it gives";
        }
    }
    if ((state.victim != kNoSeat) != in(Phase::steal) ||
        (in(Phase::steal) && (state.victim >= rules.players || state.victim == state.current ||
                              state.player(state.victim).size == 0))) {
        return "a victim stands exactly while a card is stolen from it, and has one";
    }
    if ((state.last_node != kNowhere) != in(Phase::setup_road)) {
        return "a node stands exactly while the road of the set-up is placed";
    }
    if ((state.free_roads != 0) != in(Phase::free_road)) {
        return "free roads are left exactly while they are placed";
    }
    if (in(Phase::draw) && state.deck_size == 0) return "there is no card to draw";
    if (in(Phase::free_road) && !road_sites(state, state.player(state.current)).any()) {
        return "there is no edge for a free road";
    }
    const bool laid = std::any_of(state.players.begin(), state.players.end(),
                                  [](const Player& player) { return player.discarded_size != 0; });
    if (in(Phase::discard)) {
        const Player& player = state.player(state.acting);
        if ((state.discarders >> state.acting & 1) == 0 || state.discarders >> rules.players != 0 ||
            state.quota == 0 ||
            state.quota + player.discarded_size != (player.size + player.discarded_size) / 2 ||
            discardable(state) == 0) {
            return "who discards lays down half its cards, in the order of their kinds";
        }
    } else if (state.discarders != 0 || state.quota != 0 || laid) {
        return "cards are laid down in the phase discard alone";
    }
    const bool after = in(Phase::discard, Phase::robber, Phase::main, Phase::draw, Phase::answer);
    const bool before = in(Phase::before_roll, Phase::dice) || in_setup;
    if ((after && state.rolled == 0) || (before && state.rolled != 0)) {
        return "the dice were rolled or not, as the phase says";
    }
    if (state.offers != 0 && (rules.offers == Rules::kNoLimit || state.offers > rules.offers)) {
        return "more offers were made than the options allow";
    }
    if (in_setup) {
        const int due = state.placed - (in(Phase::setup_road) ? 1 : 0);
        if (due < 0 || due >= 2 * rules.players) return "the set-up places two settlements each";
        const int seats = rules.players;
        const int turn = due < seats ? due : 2 * seats - 1 - due;
        if (turn != state.current || state.turn != 0) {
            return "in the set-up it is the turn of " + seat_name(turn);
        }
        for (int seat = 0; seat < seats; ++seat) {
            const int had = (seat < due ? 1 : 0) + (2 * seats - 1 - seat < due ? 1 : 0);
            const bool has_more = in(Phase::setup_road) && seat == turn;
            const Player& player = state.player(seat);
            if (player.built != had + (has_more ? 1 : 0) || player.cities != 0 ||
                count_bits(player.roads.low) + count_bits(player.roads.high) != had) {
                return "in the set-up each seat in turn places a settlement and a road";
            }
        }
        if (in(Phase::setup_road) && (state.player(turn).settlements >> state.last_node & 1) == 0) {
            return "the road of the set-up begins at the last settlement";
        }
    }
    return std::nullopt;
}

}  // namespace

std::string to_text(const State& state) {
    std::string text = "hexes=";
    for (int hex = 0; hex < kHexes; ++hex) {
        text += (hex > 0 ? "," : "") + std::string(kTerrainNames[state.terrain[at(hex)]]);
        if (state.number[at(hex)] != 0) text += std::to_string(state.number[at(hex)]);
    }
    text += " harbours=";
    for (int i = 0; i < kHarbours; ++i) {
        text += (i > 0 ? "," : "") + std::string(kHarbourNames[state.harbour[at(i)]]);
    }
    const auto add = [&](const char* key, const std::string& value) {
        text += std::string(" ") + key + "=" + value;
    };
    // What says nothing is left out.
    const auto add_unless = [&](const char* key, int value, int nothing) {
        if (value != nothing) add(key, std::to_string(value));
    };
    add("robber", std::to_string(state.robber));
    add("bank", state.endless != 0 ? "endless" : counts_text(state.bank));
    add("deck", counts_text(as_hand(state.deck)));
    add("turn", std::to_string(state.turn));
    add("current", std::to_string(state.current));
    add("phase", std::string(kPhaseNames[static_cast<std::size_t>(state.phase)]));
    add_unless("acting", state.acting, state.current);
    add_unless("winner", state.winner, kNoSeat);
    add_unless("road", state.road_holder, kNoSeat);
    add_unless("army", state.army_holder, kNoSeat);
    add_unless("rolled", state.rolled, 0);
    add_unless("card", state.card_played, 0);
    add_unless("offers", state.offers, 0);
    add_unless("free", state.free_roads, 0);
    add_unless("node", state.last_node, kNowhere);
    add_unless("victim", state.victim, kNoSeat);
    add_unless("discarders", state.discarders, 0);
    add_unless("quota", state.quota, 0);
    if (state.offer != 0) add("offer", offer_text(state.offer));
    for (int seat = 0; seat < state.seats(); ++seat) {
        add(("seat" + std::to_string(seat)).c_str(), seat_text(state.player(seat)));
    }
    return text;
}

Problem parse(std::string_view text, const Rules& rules, State& out) {
    State state;
    state.endless = rules.finite_bank ? 0 : 1;
    std::vector<std::string_view> known;
    bool acting = false;
    for (const std::string_view part : split(text, ' ')) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) return "it is not a list of key=value";
        const std::string_view key = part.substr(0, equals);
        for (const std::string_view one : known) {
            if (one == key) return "'" + std::string(key) + "' stands there twice";
        }
        known.push_back(key);
        acting = acting || key == "acting";
        if (!read_part(key, part.substr(equals + 1), rules, state)) {
            return part_problem(key, part, rules);
        }
    }
    std::vector<std::string> needed{"hexes", "harbours", "robber",  "bank",
                                    "deck",  "turn",     "current", "phase"};
    for (int seat = 0; seat < rules.players; ++seat) {
        needed.push_back("seat" + std::to_string(seat));
    }
    for (const std::string& key : needed) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            return "'" + key + "' is missing";
        }
    }
    if (!acting) state.acting = state.current;
    if (const Problem problem = board_problem(state, rules.numbers)) return problem;
    if (const Problem problem = piece_problem(rules, state)) return problem;
    derive(rules, state);
    if (const Problem problem = contradiction(rules, state)) return problem;
    // Only what was written counts: leaving out a fact that is none, or its order, would make two
    // texts of one state.
    if (to_text(state) != text) return "its parts are not in their order";
    out = state;
    out.owner = rules.owner;
    return std::nullopt;
}

Problem contradiction(const Rules& rules, const State& state) {
    for (int seat = rules.players; seat < kMaxSeats; ++seat) {
        if (state.player(seat).buildings() != 0) return "a seat that nobody takes has pieces";
    }
    if (const Problem problem = board_problem(state, Numbers::any)) return problem;
    if (const Problem problem = piece_problem(rules, state)) return problem;
    if (const Problem problem = card_problem(rules, state)) return problem;
    if (const Problem problem = phase_problem(rules, state)) return problem;
    return award_problem(rules, state);
}

bool is_playable(const Rules& rules, const State& state) noexcept {
    State again = state;
    derive(rules, again);
    return again == state && !board_problem(state, Numbers::any) && !piece_problem(rules, state) &&
           !card_problem(rules, state) && !phase_problem(rules, state);
}

bool Rules::consistent(const State& state) const noexcept {
    State again = state;
    derive(*this, again);
    return again == state && !contradiction(*this, state);
}

}  // namespace ludex::catan

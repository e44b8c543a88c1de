// States as one line of text, and what is wrong with a line that is not one.
//
// There are two texts of a state. The notation has names and is for people. The compact text is
// what the notation was at first: hashes of states are made of it, so that old records keep
// theirs. Both are read.
#include <algorithm>
#include <charconv>
#include <vector>

#include "turns.hpp"

namespace ludex::catan {

namespace {

enum class Style : std::uint8_t { notation, compact };

using Names = std::array<std::string_view, 6>;
constexpr Names kTerrainNames{"clay", "ore", "sheep", "wheat", "wood", "desert"};
constexpr Names kHarbourNames{"clay", "ore", "sheep", "wheat", "wood", "any"};
constexpr Names kShortTerrainNames{"cl", "or", "sh", "wh", "wo", "de"};
constexpr Names kShortHarbourNames{"cl", "or", "sh", "wh", "wo", "any"};
using Kinds = std::array<std::string_view, kKinds>;
constexpr Kinds kResources{"clay", "ore", "sheep", "wheat", "wood"};
constexpr Kinds kCardNames{"knight", "monopoly", "plenty", "roads", "point"};
constexpr std::string_view kNothing = "nothing";
// What a seat has, in the order of the texts.
constexpr std::array<std::string_view, 8> kSeatParts{"roads", "settlements", "cities", "hand",
                                                     "cards", "bought",      "played", "laid"};
constexpr std::array<std::string_view, 8> kShortSeatParts{"roads", "settlements", "cities", "hand",
                                                          "held",  "fresh",       "played", "laid"};
constexpr std::array<std::string_view, 12> kPhaseNames{
    "setup_settlement", "setup_road", "before_roll", "dice", "discard",
    "robber",           "steal",      "main",        "draw", "free_road",
    "answer",           "over"};

void add_number(std::string& text, int number) {
    std::array<char, 8> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
}

// Counts by kind, as in 2wheat+1wood, or 0/0/0/2/1 in the compact text.
void add_counts(std::string& text, Hand hand, const Kinds& names, Style style) {
    const std::size_t begin = text.size();
    for (int kind = 0; kind < kKinds; ++kind) {
        const int count = count_of(hand, kind);
        if (style == Style::compact) {
            if (kind > 0) text += '/';
            add_number(text, count);
        } else if (count != 0) {
            if (text.size() > begin) text += '+';
            add_number(text, count);
            text += names[at(kind)];
        }
    }
    if (text.size() == begin) text += kNothing;
}

[[nodiscard]] Hand as_hand(const std::array<std::uint8_t, kKinds>& counts) noexcept {
    Hand hand = 0;
    for (int kind = 0; kind < kKinds; ++kind) hand += cards(kind, counts[at(kind)]);
    return hand;
}

// Places joined by commas, or by dots with a dash for none in the compact text.
template <class Has>
void add_places(std::string& text, int count, Style style, const Has& has) {
    const std::size_t begin = text.size();
    for (int place = 0; place < count; ++place) {
        if (!has(place)) continue;
        if (text.size() > begin) text += style == Style::compact ? '.' : ',';
        add_number(text, place);
    }
    if (text.size() == begin) text += '-';
}

void add_nodes(std::string& text, NodeSet nodes, Style style) {
    add_places(text, kNodes, style, [&](int node) { return (nodes >> node & 1) != 0; });
}

// What a seat has; what it has not is left out of the notation.
void add_player(std::string& text, const Player& player, Style style) {
    const bool is_short = style == Style::compact;
    const auto& names = is_short ? kShortSeatParts : kSeatParts;
    const std::size_t begin = text.size();
    const auto add = [&](std::size_t part, bool has_any, const auto& write) {
        if (!has_any && (!is_short || part + 1 == names.size())) return;
        if (text.size() > begin) text += ';';
        text += names[part];
        text += ':';
        write();
    };
    const auto add_kinds = [&](std::size_t part, Hand hand, const Kinds& kinds) {
        add(part, hand != 0, [&] { add_counts(text, hand, kinds, style); });
    };
    add(0, player.roads.any(),
        [&] { add_places(text, kEdges, style, [&](int edge) { return player.roads.has(edge); }); });
    add(1, player.settlements != 0, [&] { add_nodes(text, player.settlements, style); });
    add(2, player.cities != 0, [&] { add_nodes(text, player.cities, style); });
    add_kinds(3, player.hand, kResources);
    add_kinds(4, as_hand(player.held), kCardNames);
    add_kinds(5, as_hand(player.fresh), kCardNames);
    add_kinds(6, as_hand(player.played), kCardNames);
    add_kinds(7, player.discarded, kResources);
    if (text.size() == begin) text += kNothing;
}

void add_seat_name(std::string& text, int seat, Style style) {
    if (style != Style::compact) text += "seat";
    add_number(text, seat);
}

void add_seats(std::string& text, int seats, Style style) {
    if (style == Style::compact) {
        add_number(text, seats);
        return;
    }
    const std::size_t begin = text.size();
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        if ((seats >> seat & 1) == 0) continue;
        if (text.size() > begin) text += '+';
        add_seat_name(text, seat, style);
    }
}

void add_offer(std::string& text, Action action, Style style) {
    const Offer offer = offer_of(action);
    add_seat_name(text, offer.to, style);
    text += ';';
    add_counts(text, offer.given(), kResources, style);
    text += ';';
    add_counts(text, offer.wanted(), kResources, style);
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

// Counts by name, or all five in order.
[[nodiscard]] bool read_counts(std::string_view text, const Kinds& names, Hand& out) {
    out = 0;
    if (text == kNothing) return true;
    if (text.find('/') == std::string_view::npos) {
        for (const std::string_view part : split(text, '+')) {
            const std::size_t letters = part.find_first_not_of("0123456789");
            int count = 0;
            std::uint8_t kind = 0;
            if (letters == std::string_view::npos ||
                !read_number(part.substr(0, letters), kMostOfKind, count) ||
                !read_name(part.substr(letters), names, kind) || count_of(out, kind) != 0) {
                return false;
            }
            out += cards(kind, count);
        }
        return true;
    }
    const auto parts = split(text, '/');
    if (parts.size() != kKinds) return false;
    for (int kind = 0; kind < kKinds; ++kind) {
        int count = 0;
        if (!read_number(parts[at(kind)], kMostOfKind, count)) return false;
        out += cards(kind, count);
    }
    return true;
}

[[nodiscard]] bool read_cards(std::string_view text, std::array<std::uint8_t, kKinds>& out) {
    Hand hand = 0;
    if (!read_counts(text, kCardNames, hand)) return false;
    for (int kind = 0; kind < kKinds; ++kind) {
        out[at(kind)] = static_cast<std::uint8_t>(count_of(hand, kind));
    }
    return true;
}

template <class Seat>
[[nodiscard]] bool read_seat_number(std::string_view text, Seat& out) noexcept {
    if (text.starts_with("seat")) text.remove_prefix(4);
    return read_small(text, kMaxSeats - 1, out);
}

[[nodiscard]] bool read_seats(std::string_view text, std::uint8_t& out) {
    if (!text.starts_with("seat")) return read_small(text, 15, out);
    out = 0;
    for (const std::string_view part : split(text, '+')) {
        int seat = 0;
        if (!read_seat_number(part, seat)) return false;
        out = static_cast<std::uint8_t>(out | 1 << seat);
    }
    return true;
}

[[nodiscard]] bool read_flag(std::string_view text, std::uint8_t& out) noexcept {
    return read_small(text == "yes" ? "1" : text, 1, out);
}

template <class Add>
[[nodiscard]] bool read_places(std::string_view text, int count, const Add& add) {
    if (text == "-") return true;
    int before = -1;
    for (const std::string_view part :
         split(text, text.find('.') == std::string_view::npos ? ',' : '.')) {
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
        const std::size_t end = std::min(part.find_first_of("0123456789"), part.size());
        const std::string_view land = part.substr(0, end);
        if (!read_name(land, kTerrainNames, out.terrain[hex]) &&
            !read_name(land, kShortTerrainNames, out.terrain[hex])) {
            return false;
        }
        out.number[hex] = 0;
        if (end < part.size() && !read_small(part.substr(end), 12, out.number[hex])) return false;
    }
    return true;
}

[[nodiscard]] bool read_harbours(std::string_view text, State& out) {
    const auto parts = split(text, ',');
    if (parts.size() != kHarbours) return false;
    for (std::size_t i = 0; i < kHarbours; ++i) {
        if (!read_name(parts[i], kHarbourNames, out.harbour[i]) &&
            !read_name(parts[i], kShortHarbourNames, out.harbour[i])) {
            return false;
        }
    }
    return true;
}

[[nodiscard]] bool read_seat(std::string_view text, Player& player) {
    if (text == kNothing) return true;
    for (const std::string_view part : split(text, ';')) {
        const std::size_t colon = part.find(':');
        if (colon == std::string_view::npos) return false;
        const std::string_view value = part.substr(colon + 1);
        std::uint8_t i = 0;
        if (!read_name(part.substr(0, colon), kSeatParts, i) &&
            !read_name(part.substr(0, colon), kShortSeatParts, i)) {
            return false;
        }
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
                good = read_counts(value, kResources, player.hand);
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
                good = read_counts(value, kResources, player.discarded);
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
    if (parts.size() != 3 || !read_seat_number(parts[0], to) ||
        !read_counts(parts[1], kResources, give) || !read_counts(parts[2], kResources, want)) {
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
    if (key == "hexes") return read_hexes(value, out);
    if (key == "harbours") return read_harbours(value, out);
    if (key == "robber") return read_small(value, kHexes - 1, out.robber);
    if (key == "bank") {
        return rules.finite_bank ? read_counts(value, kResources, out.bank) : value == "endless";
    }
    if (key == "deck") return read_cards(value, out.deck);
    if (key == "turn") return read_small(value, 65535, out.turn);
    if (key == "current") return read_seat_number(value, out.current);
    if (key == "phase") {
        std::uint8_t phase = 0;
        const bool good = read_name(value, kPhaseNames, phase);
        out.phase = static_cast<Phase>(phase);
        return good;
    }
    if (key == "acting") return read_seat_number(value, out.acting);
    if (key == "winner") return read_seat_number(value, out.winner);
    if (key == "road") return read_seat_number(value, out.road_holder);
    if (key == "army") return read_seat_number(value, out.army_holder);
    if (key == "rolled") return read_flag(value, out.rolled);
    if (key == "card") return read_flag(value, out.card_played);
    if (key == "offers") return read_small(value, 254, out.offers);
    if (key == "free") return read_small(value, 2, out.free_roads);
    if (key == "node") return read_small(value, kNodes - 1, out.last_node);
    if (key == "victim") return read_seat_number(value, out.victim);
    if (key == "discarders") return read_seats(value, out.discarders);
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
    Form{"hexes", "19 lands with their numbers, as in wood11,clay12,desert,..."},
    Form{"harbours", "nine of clay, ore, sheep, wheat, wood and any"},
    Form{"robber", "a hex from 0 to 18"},
    Form{"bank", "counts as in 19clay+18ore+2wood, and 'endless' with bank=infinite alone"},
    Form{"deck", "counts as in 14knight+2monopoly+2plenty+2roads+5point"},
    Form{"turn", "a number from 0 to 65535"},
    Form{"current", "a seat from seat0 to seat3"},
    Form{"phase", "setup_settlement, before_roll, main or another phase"},
    Form{"acting", "a seat from seat0 to seat3"},
    Form{"winner", "a seat from seat0 to seat3"},
    Form{"road", "the seat that holds the longest road"},
    Form{"army", "the seat that holds the largest army"},
    Form{"rolled", "yes"},
    Form{"card", "yes"},
    Form{"offers", "a number from 0 to 254"},
    Form{"free", "0, 1 or 2"},
    Form{"node", "a node from 0 to 53"},
    Form{"victim", "a seat from seat0 to seat3"},
    Form{"discarders", "the seats that have to discard, as in seat0+seat2"},
    Form{"quota", "a number from 0 to 250"},
    Form{"offer", "a seat and the cards given and wanted, as in seat1;2ore;1sheep"},
};

[[nodiscard]] std::string part_problem(std::string_view key, std::string_view part,
                                       const Rules& rules) {
    const std::string shown = "'" + std::string(part.substr(0, 60)) + "'";
    for (const Form& form : kForms) {
        if (form.key == key) return shown + " should be " + std::string(form.value);
    }
    for (int seat = 0; seat < rules.players; ++seat) {
        if (key == "seat" + std::to_string(seat)) {
            return shown + " should be what the seat has, as in roads:24,43;settlements:40;" +
                   "hand:4ore+1wood;cards:1knight, in this order, places in ascending order";
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
    for (int kind = 0; kind < kKinds; ++kind) {
        int resources = count_of(state.bank, kind);
        int dealt = state.deck[at(kind)];
        for (const Player& player : state.players) {
            resources += count_of(player.hand, kind) + count_of(player.discarded, kind);
            dealt += player.held[at(kind)] + player.fresh[at(kind)] + player.played[at(kind)];
        }
        if (rules.finite_bank && resources != kBankOfKind) {
            return "bank and hands have " + std::to_string(resources) + " cards of " +
                   std::string(kResources[at(kind)]) + ", not 19";
        }
        if (dealt != kDeck[at(kind)]) {
            return "pile and seats have " + std::to_string(dealt) + " cards " +
                   std::string(kCardNames[at(kind)]) + ", not " + std::to_string(kDeck[at(kind)]);
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

namespace {

[[nodiscard]] std::string text_in(const State& state, Style style) {
    const bool is_short = style == Style::compact;
    const Names& lands = is_short ? kShortTerrainNames : kTerrainNames;
    const Names& harbours = is_short ? kShortHarbourNames : kHarbourNames;
    std::string text;
    text.reserve(1024);
    text += "hexes=";
    for (int hex = 0; hex < kHexes; ++hex) {
        if (hex > 0) text += ',';
        text += lands[state.terrain[at(hex)]];
        if (state.number[at(hex)] != 0) add_number(text, state.number[at(hex)]);
    }
    text += " harbours=";
    for (int i = 0; i < kHarbours; ++i) {
        if (i > 0) text += ',';
        text += harbours[state.harbour[at(i)]];
    }
    const auto key = [&](std::string_view name) {
        text += ' ';
        text += name;
        text += '=';
    };
    // What says nothing is left out.
    const auto add_unless = [&](std::string_view name, int value, int nothing) {
        if (value == nothing) return;
        key(name);
        add_number(text, value);
    };
    const auto add_seat = [&](std::string_view name, int seat, int nothing) {
        if (seat == nothing) return;
        key(name);
        add_seat_name(text, seat, style);
    };
    const auto add_flag = [&](std::string_view name, int flag) {
        if (flag == 0) return;
        key(name);
        text += is_short ? "1" : "yes";
    };
    key("robber");
    add_number(text, state.robber);
    key("bank");
    if (state.endless != 0) {
        text += "endless";
    } else {
        add_counts(text, state.bank, kResources, style);
    }
    key("deck");
    add_counts(text, as_hand(state.deck), kCardNames, style);
    key("turn");
    add_number(text, state.turn);
    add_seat("current", state.current, kNoSeat);
    key("phase");
    text += kPhaseNames[static_cast<std::size_t>(state.phase)];
    add_seat("acting", state.acting, state.current);
    add_seat("winner", state.winner, kNoSeat);
    add_seat("road", state.road_holder, kNoSeat);
    add_seat("army", state.army_holder, kNoSeat);
    add_flag("rolled", state.rolled);
    add_flag("card", state.card_played);
    add_unless("offers", state.offers, 0);
    add_unless("free", state.free_roads, 0);
    add_unless("node", state.last_node, kNowhere);
    add_seat("victim", state.victim, kNoSeat);
    if (state.discarders != 0) {
        key("discarders");
        add_seats(text, state.discarders, style);
    }
    add_unless("quota", state.quota, 0);
    if (state.offer != 0) {
        key("offer");
        add_offer(text, state.offer, style);
    }
    for (int seat = 0; seat < state.seats(); ++seat) {
        text += " seat";
        add_number(text, seat);
        text += '=';
        add_player(text, state.player(seat), style);
    }
    return text;
}

}  // namespace

std::string to_text(const State& state) { return text_in(state, Style::notation); }

std::string to_compact_text(const State& state) { return text_in(state, Style::compact); }

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
    if (to_text(state) != text && to_compact_text(state) != text) {
        return "its parts are not in their order";
    }
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

// The longest road: the longest trail over a seat's roads that uses no edge twice and passes
// through no other seat's building.
#pragma once

#include <algorithm>

#include "state.hpp"

namespace ludex::catan {

constexpr int kLeastLongest = 5;

// The longest trail that begins at `node` with the edges that are left.
inline int trail_from(int node, EdgeSet left, NodeSet hostile) noexcept {
    int best = 0;
    for (int slot = 0; slot < kMap.degree[at(node)]; ++slot) {
        const int edge = kMap.edge_to[at(node)][at(slot)];
        if (!left.has(edge)) continue;
        const int next = kMap.neighbour[at(node)][at(slot)];
        const bool stops = (hostile >> next & 1) != 0;
        const int rest = stops ? 0 : trail_from(next, left.without(EdgeSet::of(edge)), hostile);
        best = std::max(best, 1 + rest);
    }
    return best;
}

// The longest trail over one edge that is not in `left`: one arm, `length` long, grows from its
// one end and stands at `node`; the other arm may begin at `far`.
inline int trail_through(int node, int length, int far, EdgeSet left, NodeSet hostile) noexcept {
    int best = length;
    if ((hostile >> far & 1) == 0) best += trail_from(far, left, hostile);
    if ((hostile >> node & 1) != 0) return best;
    for (int slot = 0; slot < kMap.degree[at(node)]; ++slot) {
        const int edge = kMap.edge_to[at(node)][at(slot)];
        if (!left.has(edge)) continue;
        best = std::max(best, trail_through(kMap.neighbour[at(node)][at(slot)], length + 1, far,
                                            left.without(EdgeSet::of(edge)), hostile));
    }
    return best;
}

[[nodiscard]] inline NodeSet hostile_to(const State& state, const Player& player) noexcept {
    return state.buildings & ~player.buildings();
}

[[nodiscard]] inline int longest_road(const State& state, const Player& player) noexcept {
    const NodeSet hostile = hostile_to(state, player);
    int best = 0;
    for (NodeSet nodes = player.reach; nodes != 0; nodes &= nodes - 1) {
        best = std::max(best, trail_from(std::countr_zero(nodes), player.roads, hostile));
    }
    return best;
}

// Almanac, "Longest Road": the card stays while its holder is among the longest; else it goes to
// the only one who is, and with several or none of five it is set aside.
inline void award_longest_road(State& state) noexcept {
    int most = 0;
    std::uint8_t leader = kNoSeat;
    bool shared = false;
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        const int length = state.player(seat).longest;
        if (length > most) {
            most = length;
            leader = static_cast<std::uint8_t>(seat);
            shared = false;
        } else if (length == most) {
            shared = true;
        }
    }
    if (most < kLeastLongest) {
        state.road_holder = kNoSeat;
        return;
    }
    if (state.road_holder != kNoSeat && state.player(state.road_holder).longest == most) return;
    state.road_holder = shared ? kNoSeat : leader;
}

// Edges at the seat's roads and buildings where its network may go on.
[[nodiscard]] inline EdgeSet open_edges(const State& state, const Player& player) noexcept {
    EdgeSet open;
    NodeSet nodes = (player.reach & ~hostile_to(state, player)) | player.buildings();
    for (; nodes != 0; nodes &= nodes - 1) open |= kMap.edges_at[at(std::countr_zero(nodes))];
    return open;
}

inline void place_road(State& state, int seat, int edge) noexcept {
    Player& player = state.player(seat);
    const NodeSet hostile = hostile_to(state, player);
    const int a = kMap.ends[at(edge)][0];
    const int b = kMap.ends[at(edge)][1];
    const bool goes_on = (player.roads & kMap.edges_at[at(b)]).any();
    const int length = goes_on                   ? trail_through(a, 1, b, player.roads, hostile)
                       : (hostile >> a & 1) != 0 ? 1
                                                 : 1 + trail_from(a, player.roads, hostile);
    player.roads |= EdgeSet::of(edge);
    state.taken |= EdgeSet::of(edge);
    player.reach |= node_bit(a) | node_bit(b);
    if ((hostile >> a & 1) == 0) player.open |= kMap.edges_at[at(a)];
    if ((hostile >> b & 1) == 0) player.open |= kMap.edges_at[at(b)];
    --player.roads_left;
    if (length > player.longest) {
        player.longest = static_cast<std::uint8_t>(length);
        if (length >= kLeastLongest) award_longest_road(state);
    }
}

inline void place_settlement(State& state, int seat, int node) noexcept {
    Player& player = state.player(seat);
    player.settlements |= node_bit(node);
    player.hexes |= kMap.hexes_at[at(node)];
    player.open |= kMap.edges_at[at(node)];
    --player.settlements_left;
    ++player.built;
    state.buildings |= node_bit(node);
    state.blocked |= kMap.close[at(node)];
    for (HexSet hexes = kMap.hexes_at[at(node)]; hexes != 0; hexes &= hexes - 1) {
        state.yields[at(std::countr_zero(hexes))] += static_cast<std::uint16_t>(1 << 4 * seat);
    }
    if (const int harbour = kMap.harbour_at[at(node)]; harbour != kNowhere) {
        player.harbours |= static_cast<std::uint8_t>(1 << state.harbour[at(harbour)]);
    }
    // Others' roads end here now.
    bool cut = false;
    for (int other = 0; other < kMaxSeats; ++other) {
        Player& rival = state.player(other);
        if (other == seat || (rival.reach >> node & 1) == 0) continue;
        rival.open = open_edges(state, rival);
        const int length = longest_road(state, rival);
        cut = cut || length != rival.longest;
        rival.longest = static_cast<std::uint8_t>(length);
    }
    if (cut) award_longest_road(state);
}

inline void place_city(State& state, int seat, int node) noexcept {
    Player& player = state.player(seat);
    player.settlements &= ~node_bit(node);
    player.cities |= node_bit(node);
    ++player.settlements_left;
    --player.cities_left;
    ++player.built;
    for (HexSet hexes = kMap.hexes_at[at(node)]; hexes != 0; hexes &= hexes - 1) {
        state.yields[at(std::countr_zero(hexes))] += static_cast<std::uint16_t>(1 << 4 * seat);
    }
}

}  // namespace ludex::catan

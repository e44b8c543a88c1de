// The hexes, nodes and edges of the board and how they touch: the same for every game.
//
// Places are found on a lattice of whole numbers. A hex at axial (q, r) has its centre at
// (2q + r, 3r); its corners lie at (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1) from there,
// clockwise from the top. Hexes, nodes and edges are numbered from the top, each row from the left.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace ludex::catan {

constexpr int kHexes = 19;
constexpr int kNodes = 54;
constexpr int kEdges = 72;
constexpr int kHarbours = 9;
constexpr int kCorners = 6;
constexpr std::uint8_t kNowhere = 255;

using NodeSet = std::uint64_t;
using HexSet = std::uint32_t;
constexpr NodeSet kAllNodes = (NodeSet{1} << kNodes) - 1;
constexpr HexSet kAllHexes = (HexSet{1} << kHexes) - 1;
[[nodiscard]] constexpr NodeSet node_bit(int node) noexcept { return NodeSet{1} << node; }
[[nodiscard]] constexpr HexSet hex_bit(int hex) noexcept { return HexSet{1} << hex; }
[[nodiscard]] constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

// 72 edges in two words.
struct EdgeSet {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    [[nodiscard]] static constexpr EdgeSet of(int edge) noexcept {
        return edge < 64 ? EdgeSet{std::uint64_t{1} << edge, 0}
                         : EdgeSet{0, std::uint64_t{1} << (edge - 64)};
    }
    [[nodiscard]] constexpr bool has(int edge) const noexcept {
        return ((edge < 64 ? low >> edge : high >> (edge - 64)) & 1) != 0;
    }
    [[nodiscard]] constexpr bool any() const noexcept { return (low | high) != 0; }
    [[nodiscard]] constexpr EdgeSet without(EdgeSet other) const noexcept {
        return {low & ~other.low, high & ~other.high};
    }
    friend constexpr EdgeSet operator|(EdgeSet a, EdgeSet b) noexcept {
        return {a.low | b.low, a.high | b.high};
    }
    friend constexpr EdgeSet operator&(EdgeSet a, EdgeSet b) noexcept {
        return {a.low & b.low, a.high & b.high};
    }
    constexpr EdgeSet& operator|=(EdgeSet other) noexcept { return *this = *this | other; }
    friend constexpr bool operator==(const EdgeSet&, const EdgeSet&) noexcept = default;
};

struct Place {
    std::int8_t x = 0;
    std::int8_t y = 0;
    friend constexpr bool operator==(Place, Place) noexcept = default;
};

struct Topology {
    std::array<Place, kHexes> hex_places{};
    std::array<Place, kNodes> node_places{};
    std::array<std::array<std::uint8_t, kCorners>, kHexes> corners{};  // nodes, clockwise
    std::array<std::array<std::uint8_t, kCorners>, kHexes> sides{};    // edges, after each corner
    std::array<NodeSet, kHexes> hex_nodes{};
    std::array<std::array<std::uint8_t, 2>, kEdges> ends{};
    std::array<std::uint8_t, kNodes> degree{};
    std::array<std::array<std::uint8_t, 3>, kNodes> neighbour{};
    std::array<std::array<std::uint8_t, 3>, kNodes> edge_to{};  // beside `neighbour`
    std::array<NodeSet, kNodes> close{};  // the node and its neighbours: the distance rule
    std::array<EdgeSet, kNodes> edges_at{};
    std::array<HexSet, kNodes> hexes_at{};
    std::array<HexSet, kHexes> beside{};       // hexes that share a side
    std::array<std::uint8_t, kEdges> lands{};  // hexes at each edge: 1 on the coast, else 2
    std::array<std::uint8_t, kHarbours> harbour_edges{};
    std::array<std::uint8_t, kNodes> harbour_at{};  // which harbour a node has, or kNowhere
};

constexpr std::array<Place, kCorners> kCornerSteps{
    {{0, -2}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}}};

struct Spot {
    int q, r, side;
};
// Harbours lie on these sides of these coastal hexes (side i is the one after corner i). The
// printed frame has gaps of 3, 3 and 4 edges between them, three times round.
constexpr std::array<Spot, kHarbours> kHarbourSpots{{{0, -2, 5},
                                                     {1, -2, 0},
                                                     {2, -1, 0},
                                                     {2, 0, 1},
                                                     {1, 1, 2},
                                                     {-1, 2, 2},
                                                     {-2, 2, 3},
                                                     {-2, 1, 4},
                                                     {-1, -1, 4}}};

// A corner or the middle of a side of a hex; sorted, the spots of all hexes are row by row.
struct HexSpot {
    int y, x, hex, number;
    [[nodiscard]] constexpr bool is_same_spot(const HexSpot& other) const noexcept {
        return y == other.y && x == other.x;
    }
    friend constexpr auto operator<=>(const HexSpot&, const HexSpot&) = default;
};
using HexSpots = std::array<HexSpot, kHexes * kCorners>;

constexpr Topology make_topology() {
    Topology t;
    int hexes = 0;
    for (int r = -2; r <= 2; ++r) {
        for (int q = -2; q <= 2; ++q) {
            if (q + r < -2 || q + r > 2) continue;
            t.hex_places[at(hexes++)] = {static_cast<std::int8_t>(2 * q + r),
                                         static_cast<std::int8_t>(3 * r)};
        }
    }
    // Nodes row by row: every lattice point that is a corner of some hex.
    int nodes = -1;
    HexSpots corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const int hex = static_cast<int>(i) / kCorners, corner = static_cast<int>(i) % kCorners;
        const Place centre = t.hex_places[at(hex)], step = kCornerSteps[at(corner)];
        corners[i] = {centre.y + step.y, centre.x + step.x, hex, corner};
    }
    std::sort(corners.begin(), corners.end());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto& [y, x, hex, corner] = corners[i];
        if (i == 0 || !corners[i].is_same_spot(corners[i - 1])) {
            t.node_places[at(++nodes)] = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)};
        }
        t.corners[at(hex)][at(corner)] = static_cast<std::uint8_t>(nodes);
        t.hex_nodes[at(hex)] |= node_bit(nodes);
        t.hexes_at[at(nodes)] |= hex_bit(hex);
    }
    // Edges by the middle between their ends, in the same order; a coastal edge has one hex.
    int edges = -1;
    HexSpots sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const int hex = static_cast<int>(i) / kCorners, side = static_cast<int>(i) % kCorners;
        const Place from = t.node_places[t.corners[at(hex)][at(side)]];
        const Place to = t.node_places[t.corners[at(hex)][at((side + 1) % kCorners)]];
        sides[i] = {from.y + to.y, from.x + to.x, hex, side};
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto& [y, x, hex, side] = sides[i];
        if (i == 0 || !sides[i].is_same_spot(sides[i - 1])) ++edges;
        const std::uint8_t a = t.corners[at(hex)][at(side)];
        const std::uint8_t b = t.corners[at(hex)][at((side + 1) % kCorners)];
        t.sides[at(hex)][at(side)] = static_cast<std::uint8_t>(edges);
        t.ends[at(edges)] = {std::min(a, b), std::max(a, b)};
        ++t.lands[at(edges)];
    }
    for (int edge = 0; edge < kEdges; ++edge) {
        for (int end = 0; end < 2; ++end) {
            const int node = t.ends[at(edge)][at(end)];
            const int other = t.ends[at(edge)][at(1 - end)];
            const std::size_t slot = t.degree[at(node)]++;
            t.neighbour[at(node)][slot] = static_cast<std::uint8_t>(other);
            t.edge_to[at(node)][slot] = static_cast<std::uint8_t>(edge);
            t.close[at(node)] |= node_bit(node) | node_bit(other);
            t.edges_at[at(node)] |= EdgeSet::of(edge);
        }
    }
    for (int hex = 0; hex < kHexes; ++hex) {
        for (int other = 0; other < kHexes; ++other) {
            for (const int side : t.sides[at(hex)]) {
                for (const int back : t.sides[at(other)]) {
                    if (hex != other && side == back) t.beside[at(hex)] |= hex_bit(other);
                }
            }
        }
    }
    for (auto& harbour : t.harbour_at) harbour = kNowhere;
    for (int harbour = 0; harbour < kHarbours; ++harbour) {
        const Spot spot = kHarbourSpots[at(harbour)];
        for (int hex = 0; hex < kHexes; ++hex) {
            const Place place = t.hex_places[at(hex)];
            if (place.x != 2 * spot.q + spot.r || place.y != 3 * spot.r) continue;
            const std::uint8_t edge = t.sides[at(hex)][at(spot.side)];
            t.harbour_edges[at(harbour)] = edge;
            for (const int node : t.ends[edge]) {
                t.harbour_at[at(node)] = static_cast<std::uint8_t>(harbour);
            }
        }
    }
    return t;
}

inline constexpr Topology kMap = make_topology();

}  // namespace ludex::catan

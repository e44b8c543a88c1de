// Making boards, and saying what is wrong with one.
#include <algorithm>

#include "rules.hpp"

namespace ludex::catan {

namespace {

constexpr std::array<std::uint8_t, kHexes> kTerrains{
    kClay,  kClay,  kClay,  kOre,   kOre,  kOre,  kSheep, kSheep, kSheep, kSheep,
    kWheat, kWheat, kWheat, kWheat, kWood, kWood, kWood,  kWood,  kDesert};
// The letters A to R of the printed tokens.
constexpr std::array<std::uint8_t, kHexes - 1> kTokens{5, 2, 6,  3, 8, 10, 9, 12, 11,
                                                       4, 8, 10, 9, 4, 5,  6, 3,  11};
constexpr std::array<std::uint8_t, kHarbours> kHarbourKinds{
    kClay, kOre, kSheep, kWheat, kWood, kDesert, kDesert, kDesert, kDesert};

// The board of the first game in the almanac, from the top row down; harbours clockwise.
constexpr std::array<std::uint8_t, kHexes> kFirstTerrains{
    kOre,  kSheep, kWood, kWheat, kClay,  kSheep, kClay, kWheat, kWood, kDesert,
    kWood, kOre,   kWood, kOre,   kWheat, kSheep, kClay, kWheat, kSheep};
constexpr std::array<std::uint8_t, kHexes> kFirstNumbers{10, 2, 9, 12, 6, 4, 10, 9, 11, 0,
                                                         3,  8, 8, 3,  4, 5, 5,  6, 11};
constexpr std::array<std::uint8_t, kHarbours> kFirstHarbours{
    kDesert, kWheat, kOre, kDesert, kSheep, kDesert, kDesert, kClay, kWood};

// Hexes from a corner of the outer ring anticlockwise and inwards.
constexpr std::array<std::uint8_t, 12> kOuterRing{0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1};
constexpr std::array<std::uint8_t, 6> kInnerRing{4, 8, 13, 14, 10, 5};
constexpr std::uint8_t kCentre = 9;

[[nodiscard]] std::array<std::uint8_t, kHexes> spiral_from(int corner) noexcept {
    std::array<std::uint8_t, kHexes> path{};
    for (int i = 0; i < 12; ++i) path[at(i)] = kOuterRing[at((2 * corner + i) % 12)];
    for (int i = 0; i < 6; ++i) path[at(12 + i)] = kInnerRing[at((corner + i) % 6)];
    path[18] = kCentre;
    return path;
}

template <std::size_t N>
void shuffle(std::array<std::uint8_t, N>& items, Rng& rng) noexcept {
    for (std::size_t i = N; i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

// Lays tokens along a path over all hexes but the desert.
void lay_tokens(State& state, const std::array<std::uint8_t, kHexes>& path,
                const std::array<std::uint8_t, kHexes - 1>& tokens) noexcept {
    std::size_t next = 0;
    for (const int hex : path) {
        state.number[at(hex)] = state.terrain[at(hex)] == kDesert ? 0 : tokens[next++];
    }
}

void lay_numbers(State& state, Numbers numbers, Rng& rng) noexcept {
    if (numbers == Numbers::spiral) {
        lay_tokens(state, spiral_from(static_cast<int>(rng.below(6))), kTokens);
        return;
    }
    std::array<std::uint8_t, kHexes> path{};
    for (int hex = 0; hex < kHexes; ++hex) path[at(hex)] = static_cast<std::uint8_t>(hex);
    std::array<std::uint8_t, kHexes - 1> tokens = kTokens;
    do {
        shuffle(tokens, rng);
        lay_tokens(state, path, tokens);
    } while (numbers == Numbers::apart && reds_touch(state));
}

template <std::size_t N, std::size_t M>
[[nodiscard]] bool same_items(std::array<std::uint8_t, N> a, std::array<std::uint8_t, M> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

bool reds_touch(const State& state) noexcept {
    HexSet reds = 0;
    for (int hex = 0; hex < kHexes; ++hex) {
        if (state.number[at(hex)] == 6 || state.number[at(hex)] == 8) reds |= hex_bit(hex);
    }
    for (HexSet left = reds; left != 0; left &= left - 1) {
        if ((kMap.beside[at(std::countr_zero(left))] & reds) != 0) return true;
    }
    return false;
}

void index_numbers(State& state) noexcept {
    for (auto& hexes : state.hexes_of) hexes = {kNowhere, kNowhere};
    for (int hex = 0; hex < kHexes; ++hex) {
        const int number = state.number[at(hex)];
        if (number == 0) continue;
        auto& hexes = state.hexes_of[at(number)];
        hexes[hexes[0] == kNowhere ? 0 : 1] = static_cast<std::uint8_t>(hex);
    }
}

void lay_board(State& state, Board board, Numbers numbers, Rng& rng) noexcept {
    if (board == Board::fixed) {
        state.terrain = kFirstTerrains;
        state.number = kFirstNumbers;
        state.harbour = kFirstHarbours;
    } else {
        state.terrain = kTerrains;
        state.harbour = kHarbourKinds;
        shuffle(state.terrain, rng);
        shuffle(state.harbour, rng);
        lay_numbers(state, numbers, rng);
    }
    for (int hex = 0; hex < kHexes; ++hex) {
        if (state.terrain[at(hex)] == kDesert) state.robber = static_cast<std::uint8_t>(hex);
    }
    index_numbers(state);
}

Problem board_problem(const State& state, Numbers numbers) {
    if (!same_items(state.terrain, kTerrains)) {
        return "a board has 3 hexes of clay, 3 of ore, 4 of sheep, 4 of wheat, 4 of wood and a "
               "desert";
    }
    std::array<std::uint8_t, kHexes - 1> tokens{};
    std::size_t count = 0;
    for (int hex = 0; hex < kHexes; ++hex) {
        const bool is_desert = state.terrain[at(hex)] == kDesert;
        if (is_desert != (state.number[at(hex)] == 0)) {
            return "every hex but the desert has a number";
        }
        if (!is_desert) tokens[count++] = state.number[at(hex)];
    }
    if (!same_items(tokens, kTokens)) {
        return "the numbers are one 2, one 12 and two each of 3, 4, 5, 6, 8, 9, 10 and 11";
    }
    if (!same_items(state.harbour, kHarbourKinds)) {
        return "there are four 3:1 harbours and one of each kind";
    }
    if (numbers != Numbers::any && reds_touch(state)) {
        return "a 6 or 8 lies beside another, which only numbers=any allows";
    }
    return std::nullopt;
}

}  // namespace ludex::catan

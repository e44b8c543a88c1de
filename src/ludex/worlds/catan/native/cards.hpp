// Resource and development cards. A hand is one word with a count in each of five bytes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "topology.hpp"

namespace ludex::catan {

constexpr int kKinds = 5;
enum Resource : std::uint8_t { kClay, kOre, kSheep, kWheat, kWood, kDesert };
enum Card : std::uint8_t { kKnight, kMonopoly, kPlenty, kRoads, kPoint };
constexpr std::array<std::uint8_t, kKinds> kDeck{14, 2, 2, 2, 5};
constexpr int kDeckSize = 25;
constexpr int kBankOfKind = 19;

// Counts by kind, kind r in byte r. Every count stays below 128, so that subtracting byte by byte
// needs no carry; see `kMostOfKind`.
using Hand = std::uint64_t;
constexpr Hand kOnes = 0x01'01'01'01'01;
constexpr Hand kSigns = kOnes << 7;
// Where the bank never runs out, one seat holds at most so many cards of a kind, 250 in all.
constexpr int kMostOfKind = 50;

[[nodiscard]] constexpr Hand cards(int kind, int count = 1) noexcept {
    return static_cast<Hand>(count) << (8 * kind);
}
[[nodiscard]] constexpr int count_of(Hand hand, int kind) noexcept {
    return static_cast<int>(hand >> (8 * kind) & 255);
}
[[nodiscard]] constexpr int total(Hand hand) noexcept {
    return static_cast<int>(hand * kOnes >> 32 & 255);
}
[[nodiscard]] constexpr bool holds(Hand hand, Hand cost) noexcept {
    return (((hand | kSigns) - cost) & kSigns) == kSigns;
}
// The highest bit of each byte whose count is not 0.
[[nodiscard]] constexpr Hand signs_of(Hand hand) noexcept { return (hand + kOnes * 127) & kSigns; }
// Five bits, one per kind of which there are at least `n` (1 to 3).
[[nodiscard]] constexpr std::uint32_t kinds_with(Hand hand, int n) noexcept {
    const Hand signs = ((hand | kSigns) - kOnes * static_cast<Hand>(n)) & kSigns;
    return static_cast<std::uint32_t>((signs >> 7) * 0x1'02'04'08'10 >> 32 & 31);
}
// The kind of card number `place` when the cards lie sorted by kind.
[[nodiscard]] constexpr int kind_at(Hand hand, int place) noexcept {
    int kind = 0;
    int before = 0;
    for (int next = 0; next < kKinds - 1; ++next) {  // without branches: places are random
        before += count_of(hand, next);
        kind += place >= before ? 1 : 0;
    }
    return kind;
}

constexpr Hand kRoadCost = cards(kClay) + cards(kWood);
constexpr Hand kSettlementCost = cards(kClay) + cards(kWood) + cards(kSheep) + cards(kWheat);
constexpr Hand kCityCost = cards(kOre, 3) + cards(kWheat, 2);
constexpr Hand kCardCost = cards(kOre) + cards(kSheep) + cards(kWheat);

// std::popcount is a call into a library unless the build is for newer machines alone.
[[nodiscard]] constexpr int count_bits(std::uint64_t bits) noexcept {
    bits -= bits >> 1 & 0x5555'5555'5555'5555;
    bits = (bits & 0x3333'3333'3333'3333) + (bits >> 2 & 0x3333'3333'3333'3333);
    bits = (bits + (bits >> 4)) & 0x0F0F'0F0F'0F0F'0F0F;
    return static_cast<int>(bits * 0x0101'0101'0101'0101 >> 56);
}
// Of sets of few bits, as those of types and kinds are.
[[nodiscard]] constexpr int count_few(std::uint32_t bits) noexcept {
    int count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
}

// The lowest set bit but `place`.
template <class Bits>
[[nodiscard]] constexpr int bit_at(Bits bits, int place) noexcept {
    for (; place > 0; --place) bits &= bits - 1;
    return std::countr_zero(bits);
}

}  // namespace ludex::catan

// Actions as small numbers: the type in bits 20 and up, what it is done with below. Numbers
// ascend by type, so a sorted list of actions has those of a type together.
#pragma once

#include <array>
#include <cstdint>

#include "cards.hpp"
#include "state.hpp"

namespace ludex::catan {

using Action = std::uint32_t;
constexpr int kTypeShift = 20;

enum class Type : std::uint8_t {
    roll,
    end,
    settlement,  // node
    city,        // node
    road,        // edge
    buy,
    knight,    // victim << 5 | hex
    plenty,    // kind << 3 | kind, the second kNoKind when the bank has one card left
    monopoly,  // kind
    roads,
    trade,  // kind given << 6 | kind wanted << 3 | how many are given
    offer,  // seat << 12 | bundle given << 6 | bundle wanted
    accept,
    reject,
    discard,  // kind
    robber,   // victim << 5 | hex
};
constexpr int kTypes = 16;
constexpr int kNoKind = 7;

[[nodiscard]] constexpr Action make(Type type, int argument = 0) noexcept {
    return static_cast<Action>(type) << kTypeShift | static_cast<Action>(argument);
}
[[nodiscard]] constexpr Type type_of(Action action) noexcept {
    return static_cast<Type>(action >> kTypeShift);
}
[[nodiscard]] constexpr int argument_of(Action action) noexcept {
    return static_cast<int>(action & ((1U << kTypeShift) - 1));
}

// Sets of one to three cards, which a player trade gives and wants.
constexpr int kBundles = 5 + 15 + 35;
struct BundleTable {
    std::array<Hand, kBundles> cards{};
    std::array<std::uint8_t, kBundles> size{};
    std::array<std::uint8_t, kBundles> kinds{};                   // as bits
    std::array<std::array<std::uint8_t, kKinds>, kKinds> pair{};  // the bundle of two cards
};
constexpr BundleTable make_bundles() {
    BundleTable table;
    std::size_t count = 0;
    for (int size = 1; size <= 3; ++size) {
        for (int a = 0; a < kKinds; ++a) {
            for (int b = a; b < (size > 1 ? kKinds : a + 1); ++b) {
                for (int c = b; c < (size > 2 ? kKinds : b + 1); ++c) {
                    Hand hand = cards(a);
                    if (size > 1) hand += cards(b);
                    if (size > 2) hand += cards(c);
                    table.cards[count] = hand;
                    if (size == 2) {
                        table.pair[at(a)][at(b)] = table.pair[at(b)][at(a)] =
                            static_cast<std::uint8_t>(count);
                    }
                    table.size[count] = static_cast<std::uint8_t>(size);
                    table.kinds[count++] = static_cast<std::uint8_t>(1 << a | 1 << b | 1 << c);
                }
            }
        }
    }
    return table;
}
inline constexpr BundleTable kBundleTable = make_bundles();

struct Offer {
    int to, give, want;  // a seat and two bundles
    [[nodiscard]] Hand given() const noexcept { return kBundleTable.cards[at(give)]; }
    [[nodiscard]] Hand wanted() const noexcept { return kBundleTable.cards[at(want)]; }
};
[[nodiscard]] constexpr Offer offer_of(Action action) noexcept {
    const int bits = argument_of(action);
    return {bits >> 12, bits >> 6 & 63, bits & 63};
}

struct RobberMove {
    int hex, victim;
};
[[nodiscard]] constexpr RobberMove robber_move_of(Action action) noexcept {
    return {argument_of(action) & 31, argument_of(action) >> 5};
}

struct BankTrade {
    int give, want, rate;
};
[[nodiscard]] constexpr BankTrade bank_trade_of(Action action) noexcept {
    const int bits = argument_of(action);
    return {bits >> 6, bits >> 3 & 7, bits & 7};
}

}  // namespace ludex::catan

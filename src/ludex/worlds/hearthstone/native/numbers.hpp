// Whole numbers between the widths that states and tables keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ludex::hearthstone {

constexpr std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

// Numbers in play stay within these bounds: what goes beyond is lost, nothing wraps around. They
// are told in docs/worlds/hearthstone_cards.md.
constexpr int kMost = 9999;         // health, armour, attack, and what a value comes to
constexpr int kMostGiven = 120;     // what one buff, aura, weapon or card in hand adds or costs
constexpr int kMostCounted = 255;   // cards, attacks, fatigue, overload
constexpr int kMostOrders = 65000;  // things that enter play in one game

constexpr std::int16_t bounded(int value) noexcept {
    return static_cast<std::int16_t>(std::clamp(value, -kMost, kMost));
}

constexpr std::int8_t tiny(int value) noexcept {
    return static_cast<std::int8_t>(std::clamp(value, -kMostGiven, kMostGiven));
}

constexpr std::uint8_t capped(int value) noexcept {
    return static_cast<std::uint8_t>(std::clamp(value, 0, kMostCounted));
}

}  // namespace ludex::hearthstone

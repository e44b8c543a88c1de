// Whole numbers between the widths that states and tables keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ludex::hearthstone {

constexpr std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

constexpr std::uint8_t capped(int value) noexcept {
    return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

constexpr std::int8_t tiny(int value) noexcept {
    return static_cast<std::int8_t>(std::clamp(value, -120, 120));
}

}  // namespace ludex::hearthstone

// Where the sprites of a section are, packed so that eight of them are tested at a time against
// one rectangle. For levels all of whose sprites have one size: then two of them overlap where
// their corners are near each other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "geometry.hpp"

namespace ludex::vgdl {

class Crowd {
public:
    // In which tick it was packed; what is older is out of date.
    std::uint64_t tick = 0;

    // Make room for n sprites; those beyond them are far away from everybody.
    void resize(int n) {
        const std::size_t room = slot((n + kLanes - 1) / kLanes * kLanes);
        if (corners_.size() < 2 * room) corners_.resize(2 * room);
        for (std::size_t i = slot(n); i < room; ++i) put(static_cast<int>(i), kFar, kFar);
    }
    [[nodiscard]] bool has_room(int n) const noexcept { return 2 * slot(n) <= corners_.size(); }
    void put(int index, const Rect& rect) noexcept { put(index, packed(rect.x), packed(rect.y)); }

    // Visit the first n sprites in order, but for one, that may overlap a rectangle: all that do,
    // and some others far from the screen.
    template <class Visit>
    void for_near(const Rect& rect, int n, int but, const Visit& visit) const {
        const Eight left = all(packed(rect.x) - rect.w + 1), wide = all(2 * rect.w - 2);
        const Eight top = all(packed(rect.y) - rect.h + 1), high = all(2 * rect.h - 2);
        for (int first = 0; first < n; first += kLanes) {
            const std::uint16_t* const corners = corners_.data() + 2 * slot(first);
            // Numbers below the least one wrap around, so one comparison does for both ends.
            const Eight far = ((load(corners) - left) > wide) | ((load(corners + kLanes) - top) > high);
            unsigned near = ~lanes(far) & kAllLanes;
            for (; near != 0; near &= near - 1) {
                const int k = first + std::countr_zero(near) / kBitsPerLane;
                if (k != but && k < n) visit(k);
            }
        }
    }

private:
    static constexpr int kLanes = 8;
    using Eight = std::uint16_t __attribute__((vector_size(16)));
    static constexpr std::int32_t kFar = INT16_MAX;
    static std::int32_t packed(std::int32_t x) noexcept { return std::clamp(x, -kFar, kFar); }
    static Eight all(std::int32_t x) noexcept {
        const auto one = static_cast<std::uint16_t>(x);
        return Eight{one, one, one, one, one, one, one, one};
    }
    static Eight load(const std::uint16_t* from) noexcept {
        Eight numbers;
        std::memcpy(&numbers, from, sizeof numbers);
        return numbers;
    }
#ifdef __SSE2__
    static constexpr int kBitsPerLane = 2;
    static constexpr unsigned kAllLanes = 0b0101'0101'0101'0101;
    template <class Lanes>
    static unsigned lanes(Lanes compared) noexcept {
        return static_cast<unsigned>(_mm_movemask_epi8(reinterpret_cast<__m128i>(compared)));
    }
#else
    static constexpr int kBitsPerLane = 1;
    static constexpr unsigned kAllLanes = 0b1111'1111;
    template <class Lanes>
    static unsigned lanes(Lanes compared) noexcept {
        unsigned bits = 0;
        for (int i = 0; i < kLanes; ++i) bits |= (compared[i] != 0 ? 1U : 0U) << i;
        return bits;
    }
#endif
    // Eight left sides, their eight upper sides, and so on.
    void put(int index, std::int32_t x, std::int32_t y) noexcept {
        const std::size_t number = slot(index);
        const std::size_t place = number + number / kLanes * kLanes;
        corners_[place] = static_cast<std::uint16_t>(x);
        corners_[place + kLanes] = static_cast<std::uint16_t>(y);
    }

    std::vector<std::uint16_t> corners_;
};

}  // namespace ludex::vgdl

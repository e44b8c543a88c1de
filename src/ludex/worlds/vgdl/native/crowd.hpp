// Where the sprites of a section are, packed so that four of them are tested at a time against
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
        const std::size_t room = (slot(n) + kLanes - 1) / kLanes * kLanes;
        if (corners_.size() < room) corners_.resize(room);
        for (std::size_t i = slot(n); i < room; ++i) corners_[i] = kFarAway;
    }
    [[nodiscard]] bool has_room(int n) const noexcept { return slot(n) <= corners_.size(); }
    void put(int index, const Rect& rect) noexcept { corners_[slot(index)] = packed(rect); }

    // Visit the first n sprites in order, but for one, that may overlap a rectangle: all that do,
    // and some others far from the screen.
    template <class Visit>
    void for_near(const Rect& rect, int n, int but, const Visit& visit) const {
        const Eight least = least_near(rect), most = most_near(rect);
        for (std::size_t first = 0; first < slot(n); first += kLanes) {
            for (unsigned near = near_from(first, least, most); near != 0; near &= near - 1) {
                const int k = static_cast<int>(first) + std::countr_zero(near);
                if (k != but && k < n) visit(k);
            }
        }
    }

    // Whether any of them does, for a rectangle near the screen.
    [[nodiscard]] bool has_near(const Rect& rect, int n, int but) const noexcept {
        const Eight least = least_near(rect), most = most_near(rect);
        for (std::size_t first = 0; first < slot(n); first += kLanes) {
            unsigned near = near_from(first, least, most);
            if (slot(but) / kLanes == first / kLanes) near &= ~(1U << slot(but) % kLanes);
            if (near != 0) return true;
        }
        return false;
    }
    // How large sprites can be, and how far from the origin this is to be trusted, in pixels: so
    // that no sum exceeds 16 bits.
    static constexpr std::int32_t kLargest = 4'000;
    static constexpr std::int32_t kTrusted = 16'000;

private:
    static constexpr std::size_t kLanes = 4;
    static constexpr std::uint32_t kFarAway = 0x7FFF'7FFF;
    using Eight = std::uint16_t __attribute__((vector_size(16)));

    static constexpr std::uint32_t both(std::int32_t x, std::int32_t y) noexcept {
        return static_cast<std::uint32_t>(x & 0xFFFF) | static_cast<std::uint32_t>(y) << 16;
    }
    // Both sides in 16 bits; what does not fit is as far away as fits.
    static std::uint32_t packed(const Rect& rect) noexcept {
#ifdef __SSE2__
        const auto sides = reinterpret_cast<__m128i>(four(rect));
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_packs_epi32(sides, sides)));
#else
        constexpr std::int32_t kLeast = INT16_MIN, kMost = INT16_MAX;
        return both(std::clamp(rect.x, kLeast, kMost), std::clamp(rect.y, kLeast, kMost));
#endif
    }
    // The corners that are near a rectangle, and how much more than the least they can be.
    static Eight least_near(const Rect& rect) noexcept {
        return all(packed(rect)) - all(both(rect.w - 1, rect.h - 1));
    }
    static Eight most_near(const Rect& rect) noexcept {
        return all(both(2 * rect.w - 2, 2 * rect.h - 2));
    }
    // Which of four corners are near. Numbers below the least wrap around, so that one comparison
    // does for both ends.
    [[nodiscard]] unsigned near_from(std::size_t first, Eight least, Eight most) const noexcept {
        Eight corners;
        std::memcpy(&corners, corners_.data() + first, sizeof corners);
        const auto is_near = (corners - least) <= most;
        Four in_both;
        std::memcpy(&in_both, &is_near, sizeof in_both);
        return static_cast<unsigned>(truths(in_both == -1));
    }
    static Eight all(std::uint32_t corner) noexcept {
        const Four same = Four{} + static_cast<std::int32_t>(corner);
        Eight halves;
        std::memcpy(&halves, &same, sizeof halves);
        return halves;
    }

    std::vector<std::uint32_t> corners_;
};

}  // namespace ludex::vgdl

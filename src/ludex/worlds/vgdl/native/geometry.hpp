// Whole pixels, directions, and the conversions between numbers that the reference's Java makes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ludex::vgdl {

// A number of ours as an index into a container.
[[nodiscard]] constexpr std::size_t slot(int i) noexcept { return static_cast<std::size_t>(i); }

// Java's narrowing of a double: truncated towards zero, saturating, NaN is 0. Positions are
// kept within a billion pixels, so that no sum of two of them can overflow.
inline constexpr double kFarthest = 1e9;
[[nodiscard]] inline std::int32_t to_int(double v) noexcept {
    if (std::abs(v) <= kFarthest) [[likely]]
        return static_cast<std::int32_t>(v);
    if (!(v == v)) return 0;
    return static_cast<std::int32_t>(std::clamp(v, -kFarthest, kFarthest));
}
[[nodiscard]] inline std::int32_t add(std::int32_t a, std::int64_t b) noexcept {
    constexpr auto far = static_cast<std::int64_t>(kFarthest);
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(a + b, -far, far));
}
// The same for two numbers within the bounds, as `to_int` gives them: their sum cannot overflow.
[[nodiscard]] inline std::int32_t add_near(std::int32_t a, std::int32_t b) noexcept {
    constexpr auto far = static_cast<std::int32_t>(kFarthest);
    const std::int32_t sum = a + b;
    // One comparison for both ends: numbers below the least one wrap around.
    if (static_cast<std::uint32_t>(sum) + std::uint32_t{far} <= 2 * std::uint32_t{far}) [[likely]]
        return sum;
    return sum < 0 ? -far : far;
}

// How far apart two numbers within the bounds are; twice that still fits.
[[nodiscard]] inline std::uint32_t gap(std::int32_t a, std::int32_t b) noexcept {
    return static_cast<std::uint32_t>(std::max(a, b)) - static_cast<std::uint32_t>(std::min(a, b));
}

// Speeds are kept finite: not a number is no speed at all.
[[nodiscard]] inline double bounded(double v) noexcept {
    return v == v ? std::clamp(v, -kFarthest, kFarthest) : 0.0;
}

struct Vec {
    double x = 0.0;
    double y = 0.0;
    friend bool operator==(const Vec&, const Vec&) = default;
    [[nodiscard]] bool is_zero() const noexcept { return x == 0.0 && y == 0.0; }
    [[nodiscard]] double length() const noexcept { return std::sqrt(x * x + y * y); }
    [[nodiscard]] Vec normalised() const noexcept {
        const double size = length();
        return size == 0.0 ? *this : Vec{x / size, y / size};
    }
};

inline constexpr Vec kNone{0.0, 0.0};
inline constexpr Vec kNil{-1.0, -1.0};
inline constexpr Vec kUp{0.0, -1.0};
inline constexpr Vec kLeft{-1.0, 0.0};
inline constexpr Vec kDown{0.0, 1.0};
inline constexpr Vec kRight{1.0, 0.0};
// The order of every "for each direction" and of every random direction.
inline constexpr Vec kBase[4] = {kUp, kLeft, kDown, kRight};

// A way is an index into kBase, or none. Steps on the grid need no more than that.
inline constexpr int kUpWay = 0, kLeftWay = 1, kDownWay = 2, kRightWay = 3, kNoWay = 4;
inline constexpr Vec kWays[5] = {kUp, kLeft, kDown, kRight, kNone};
inline constexpr std::int32_t kStepX[5] = {0, -1, 0, 1, 0};
inline constexpr std::int32_t kStepY[5] = {-1, 0, 1, 0, 0};

struct Rect {
    std::int32_t x = 0, y = 0, w = 0, h = 0;
    friend bool operator==(const Rect&, const Rect&) = default;
    [[nodiscard]] double centre_x() const noexcept { return x + w / 2.0; }
    [[nodiscard]] double centre_y() const noexcept { return y + h / 2.0; }
};

// The direction from one place to another. Along an axis, where nearly all moves are, it needs
// neither root nor division, and is the same number.
[[nodiscard]] inline Vec direction_between(const Rect& from, const Rect& to) noexcept {
    const std::int64_t x = std::int64_t{to.x} - from.x, y = std::int64_t{to.y} - from.y;
    if (x == 0) return {0.0, static_cast<double>((y > 0) - (y < 0))};
    if (y == 0) return {x > 0 ? 1.0 : -1.0, 0.0};
    return Vec{static_cast<double>(x), static_cast<double>(y)}.normalised();
}

// The open interiors share area. Without branches: in a loop nearly all pairs do not, but which
// of the comparisons says so cannot be predicted.
[[nodiscard]] inline bool overlap(const Rect& a, const Rect& b) noexcept {
    return (a.w > 0) & (a.h > 0) & (b.w > 0) & (b.h > 0) & (a.x < b.x + b.w) & (b.x < a.x + a.w) &
           (a.y < b.y + b.h) & (b.y < a.y + a.h);
}

// Four numbers at a time.
using Four = std::int32_t __attribute__((vector_size(16)));
[[nodiscard]] inline Four four(const Rect& rect) noexcept {
    Four numbers;
    std::memcpy(&numbers, &rect, sizeof numbers);
    return numbers;
}
// Bit i is set where comparison i came out true.
[[nodiscard]] inline int truths(Four compared) noexcept {
#ifdef __SSE2__
    return _mm_movemask_ps(reinterpret_cast<__m128>(compared));
#else
    return -(compared[0] + 2 * compared[1] + 4 * compared[2] + 8 * compared[3]);
#endif
}

// A rectangle that many others are tested against.
class Probe {
public:
    explicit Probe(const Rect& rect) noexcept
        : limits_{rect.x + rect.w, rect.y + rect.h, rect.x + 1, rect.y + 1} {}
    // Whether a rectangle with an area overlaps this one; of others it may say anything.
    [[nodiscard]] bool may_overlap(const Rect& other) const noexcept {
        const Four numbers = four(other);
        const Four corner = __builtin_shufflevector(numbers, numbers, 0, 1, 0, 1);
        const Four size = __builtin_shufflevector(numbers, Four{}, 4, 5, 2, 3);
        // Begins left of its right end and above its lower end; does not end before its begin.
        return truths((corner + size) < limits_) == 0b0011;
    }

private:
    Four limits_;
};

// The place of a rectangle as one number, which no other place has. None has the number kNowhere.
inline constexpr std::uint64_t kNowhere = 0x8000'0000'8000'0000U;
[[nodiscard]] inline std::uint64_t spot_of(const Rect& rect) noexcept {
    std::uint64_t place = 0;
    std::memcpy(&place, &rect, sizeof place);
    return place;
}

[[nodiscard]] inline bool contains(const Rect& outer, const Rect& inner) noexcept {
    return (inner.w > 0) & (inner.h > 0) & (inner.x >= outer.x) & (inner.y >= outer.y) &
           (inner.x + inner.w <= outer.x + outer.w) & (inner.y + inner.h <= outer.y + outer.h);
}

}  // namespace ludex::vgdl

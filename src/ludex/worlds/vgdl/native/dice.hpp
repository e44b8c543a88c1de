// Where randomness comes from: our streams, or the reference's generator for conformance.
#pragma once

#include <cstdint>

#include "rng.hpp"

namespace ludex::vgdl {

// Our own generator, as the rules ask for it.
class Dice {
public:
    // Numbers that cannot matter need not be drawn.
    static constexpr bool kEveryDraw = false;
    explicit Dice(Rng& rng) noexcept : rng_(rng) {}
    std::int32_t below(std::int32_t n) noexcept {
        return static_cast<std::int32_t>(rng_.below(static_cast<std::uint64_t>(n)));
    }
    double real() noexcept { return rng_.uniform(); }
    double single() noexcept { return rng_.uniform(); }
    // What the reference draws from a generator nobody can seed.
    std::int32_t unseeded_below(std::int32_t n) noexcept { return below(n); }
    double unseeded_real() noexcept { return real(); }

private:
    Rng& rng_;
};

// java.util.Random, draw for draw.
class JavaDice {
public:
    static constexpr bool kEveryDraw = true;
    explicit JavaDice(std::int64_t seed) noexcept
        : state_((static_cast<std::uint64_t>(seed) ^ kFactor) & kMask),
          unseeded_(Rng(static_cast<std::uint64_t>(seed)).fork("unseeded")) {}

    std::int32_t below(std::int32_t n) noexcept {
        std::int32_t r = next(31);
        if ((n & (n - 1)) == 0) {
            return static_cast<std::int32_t>((static_cast<std::int64_t>(n) * r) >> 31);
        }
        while (true) {
            const std::int32_t v = r % n;
            if (static_cast<std::int64_t>(r) - v + (n - 1) <= INT32_MAX) return v;
            r = next(31);
        }
    }
    double real() noexcept {
        const std::int64_t high = static_cast<std::int64_t>(next(26)) << 27;
        return static_cast<double>(high + next(27)) * 0x1.0p-53;
    }
    double single() noexcept { return static_cast<double>(next(24)) * 0x1.0p-24; }
    std::int32_t unseeded_below(std::int32_t n) noexcept {
        return static_cast<std::int32_t>(unseeded_.below(static_cast<std::uint64_t>(n)));
    }
    double unseeded_real() noexcept { return unseeded_.uniform(); }

private:
    static constexpr std::uint64_t kFactor = 0x5DEECE66DULL;
    static constexpr std::uint64_t kMask = (1ULL << 48) - 1;

    std::int32_t next(int bits) noexcept {
        state_ = (state_ * kFactor + 0xB) & kMask;
        return static_cast<std::int32_t>(state_ >> (48 - bits));
    }

    std::uint64_t state_;
    Rng unseeded_;
};

}  // namespace ludex::vgdl

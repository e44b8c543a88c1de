// A counter-based random generator with named, splittable streams.
//
// A draw is a function of (key, position) alone, so a stream is 16 bytes of facts, can be
// written into a record as text, and forking it never disturbs it: `fork` depends on the key
// and the names, not on how many numbers were drawn before.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ludex {

// Stafford's variant 13 of the 64-bit finaliser: every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

class Rng {
public:
    explicit constexpr Rng(std::uint64_t key = 0, std::uint64_t position = 0) noexcept
        : key_(key),
          mask_(mix(key ^ kMaskSalt)),
          position_(position),
          ahead_(value_at(position + 1)) {}

    [[nodiscard]] constexpr std::uint64_t key() const noexcept { return key_; }
    [[nodiscard]] constexpr std::uint64_t position() const noexcept { return position_; }

    // The number is ready; what is worked out here is the one after it, so that nobody waits.
    constexpr std::uint64_t next() noexcept {
        const std::uint64_t drawn = ahead_;
        ahead_ = value_at(++position_ + 1);
        return drawn;
    }

    // Uniform in [0, n), without bias (Lemire's multiply and reject). n > 0.
    constexpr std::uint64_t below(std::uint64_t n) noexcept {
        Wide product = static_cast<Wide>(next()) * n;
        auto low = static_cast<std::uint64_t>(product);
        if (low < n) {
            const std::uint64_t floor = (0 - n) % n;
            while (low < floor) {
                product = static_cast<Wide>(next()) * n;
                low = static_cast<std::uint64_t>(product);
            }
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

    // Uniform in [0, 1) with 53 random bits.
    constexpr double uniform() noexcept { return uniform_of(uniform_bits()); }

    // The bits behind `uniform`, and what it makes of them.
    static constexpr int kUniformBits = 53;
    constexpr std::uint64_t uniform_bits() noexcept { return next() >> (64 - kUniformBits); }
    [[nodiscard]] static constexpr double uniform_of(std::uint64_t bits) noexcept {
        return static_cast<double>(bits) * 0x1.0p-53;
    }

    // An index drawn with probability proportional to its weight. The last positive weight
    // catches what rounding leaves over. Weights are >= 0 and not all 0.
    std::size_t weighted(std::span<const double> weights) noexcept {
        return weighted_of(uniform(), weights);
    }

    // What `weighted` makes of a number drawn by `uniform`.
    [[nodiscard]] static std::size_t weighted_of(double drawn,
                                                 std::span<const double> weights) noexcept {
        double total = 0.0;
        for (const double weight : weights) total += weight;
        double left = drawn * total;
        std::size_t last = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] <= 0.0) continue;
            last = i;
            left -= weights[i];
            if (left < 0.0) return i;
        }
        return last;
    }

    [[nodiscard]] constexpr Rng fork(std::uint64_t part) const noexcept {
        return Rng(mix(mix(key_ + kForkSalt) ^ mix(part + kGolden)));
    }
    [[nodiscard]] constexpr Rng fork(std::string_view name) const noexcept {
        std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a, then mixed by fork(part)
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
        return fork(mix(hash ^ kNameSalt));
    }

    friend constexpr bool operator==(const Rng& a, const Rng& b) noexcept {
        return a.key_ == b.key_ && a.position_ == b.position_;
    }

private:
    // Two keyed rounds: with one, all streams would be shifts of a single sequence.
    [[nodiscard]] constexpr std::uint64_t value_at(std::uint64_t position) const noexcept {
        return mix(mix(key_ + position * kGolden) ^ mask_);
    }

    __extension__ using Wide = unsigned __int128;
    static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
    static constexpr std::uint64_t kMaskSalt = 0xD6E8FEB86659FD93ULL;
    static constexpr std::uint64_t kForkSalt = 0xA0761D6478BD642FULL;
    static constexpr std::uint64_t kNameSalt = 0xE7037ED1A0B428DBULL;

    std::uint64_t key_;
    std::uint64_t mask_;
    std::uint64_t position_;
    std::uint64_t ahead_;
};

}  // namespace ludex

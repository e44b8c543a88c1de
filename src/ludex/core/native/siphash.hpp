// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed one-way function of short texts.
//
// Who knows any number of its values, but not the key, can neither work out the key nor
// foretell another value. Unlike `Rng::fork`, it may therefore be used to make streams for
// somebody who must not guess the others.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ludex {

class SipHash {
public:
    static constexpr std::size_t kKeyBytes = 16;

    explicit constexpr SipHash(std::span<const std::uint8_t, kKeyBytes> key) noexcept {
        const std::uint64_t low = word_at(key.first<8>());
        const std::uint64_t high = word_at(key.last<8>());
        state_ = {low ^ 0x736F6D6570736575ULL, high ^ 0x646F72616E646F6DULL,
                  low ^ 0x6C7967656E657261ULL, high ^ 0x7465646279746573ULL};
    }

    [[nodiscard]] constexpr std::uint64_t operator()(
        std::span<const std::uint8_t> text) const noexcept {
        State state = state_;
        std::span<const std::uint8_t> rest = text;
        for (; rest.size() >= 8; rest = rest.subspan(8)) take(state, word_at(rest.first<8>()));
        std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
        for (std::size_t i = 0; i < rest.size(); ++i) last |= std::uint64_t{rest[i]} << (8 * i);
        take(state, last);
        state[2] ^= 0xFF;
        for (int i = 0; i < 4; ++i) round(state);
        return state[0] ^ state[1] ^ state[2] ^ state[3];
    }

private:
    using State = std::array<std::uint64_t, 4>;

    [[nodiscard]] static constexpr std::uint64_t word_at(
        std::span<const std::uint8_t, 8> bytes) noexcept {
        std::uint64_t word = 0;  // little-endian on every machine
        for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
        return word;
    }

    static constexpr void take(State& state, std::uint64_t word) noexcept {
        state[3] ^= word;
        round(state);
        round(state);
        state[0] ^= word;
    }

    static constexpr void round(State& v) noexcept {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = std::rotl(v[1], 13) ^ v[0];
        v[3] = std::rotl(v[3], 16) ^ v[2];
        v[0] = std::rotl(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = std::rotl(v[1], 17) ^ v[2];
        v[3] = std::rotl(v[3], 21) ^ v[0];
        v[2] = std::rotl(v[2], 32);
    }

    State state_{};
};

}  // namespace ludex

// Short keys of states, for transposition tables and sets of states seen: hashes of 128 bits.
//
// Two of a million different states share a key with probability 10^-27, so a key stands for its
// state. Python's `model.key` is exact; a search that keeps either builds the same tree.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "rng.hpp"
#include "world.hpp"

namespace ludex {

struct Key {
    std::uint64_t low = 0, high = 0;
    friend constexpr bool operator==(const Key&, const Key&) = default;
    friend constexpr auto operator<=>(const Key&, const Key&) = default;
};

// Adds up what a key is made of.
class KeyHash {
public:
    KeyHash& add(std::uint64_t word) noexcept { return add(word, 0); }

    KeyHash& add(const void* data, std::size_t size) noexcept {
        const auto* bytes = static_cast<const unsigned char*>(data);
        std::size_t left = size;
        for (; left >= 16; left -= 16, bytes += 16) add(word_at(bytes), word_at(bytes + 8));
        std::uint64_t words[2] = {0, 0};
        if (left > 0) std::memcpy(words, bytes, left);  // there may be no bytes at all
        return add(words[0] ^ size << 56, words[1]);
    }

    [[nodiscard]] Key key() const noexcept { return {mix(low_), mix(high_)}; }

private:
    KeyHash& add(std::uint64_t first, std::uint64_t second) noexcept {
        low_ = folded(first ^ 0xA0761D6478BD642FULL, second ^ low_) + second;
        high_ = folded(second ^ 0xE7037ED1A0B428DBULL, first ^ high_) + first;
        return *this;
    }
    [[nodiscard]] static std::uint64_t word_at(const unsigned char* bytes) noexcept {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }
    // Both halves of a product, each of which depends on all bits of the factors.
    [[nodiscard]] static std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }

    std::uint64_t low_ = 0x8EBC6AF09C88C6E3ULL;
    std::uint64_t high_ = 0x589965CC75374CC3ULL;
};

// Optional, found beside the rules: worlds whose states are no plain bytes, or in which some facts
// can be ignored. A name that `ignorable` does not know is 0; the bits of all names are put
// together.
template <class R>
concept WritesKeys = requires(const R& rules, const typename R::State& state, KeyHash& hash,
                              std::string_view name, unsigned ignored) {
    { ignorable(rules, name) } noexcept -> std::same_as<unsigned>;
    { add_key(rules, state, ignored, hash) } noexcept -> std::same_as<void>;
};

template <WorldRules R>
[[nodiscard]] unsigned ignored_bit([[maybe_unused]] const R& rules,
                                   [[maybe_unused]] std::string_view name) noexcept {
    if constexpr (WritesKeys<R>) {
        return ignorable(rules, name);
    } else {
        return 0;
    }
}

// Equal for states that are the same but for what is ignored.
template <WorldRules R>
[[nodiscard]] Key key_of(const R& rules, const typename R::State& state,
                         [[maybe_unused]] unsigned ignored = 0) noexcept {
    KeyHash hash;
    if constexpr (WritesKeys<R>) {
        add_key(rules, state, ignored, hash);
    } else if constexpr (HasShortKey<R>) {
        hash.add(rules.key(state));
    } else {
        static_assert(PlainState<typename R::State>, "a world of other states writes its keys");
        hash.add(&state, meaningful_bytes<typename R::State>());
    }
    return hash.key();
}

}  // namespace ludex

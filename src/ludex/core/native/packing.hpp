// States as a search tree stores them: flat bytes, as few as there can be.
//
// States of one search differ little from its first state, so of a plain state only the words that
// differ are stored, and a bit for each word. Worlds of other states say how theirs are packed.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "world.hpp"

namespace ludex {

// Optional, found beside the state, for states that are not plain bytes.
template <class S>
concept PacksItself =
    requires(const S& state, S& changed, std::byte* out, const std::byte* packed) {
        { packed_size(state) } noexcept -> std::same_as<std::size_t>;
        { pack(state, out) } noexcept -> std::same_as<void>;
        { unpack(packed, changed) } -> std::same_as<void>;
    };

// Whether search trees can store the states of a world.
template <class S>
concept Packable = PlainState<S> || PacksItself<S>;

// Small ones are stored as they are.
template <class S>
class Packing {
public:
    // What of a plain state does not count (the events of its last step) is that of the base.
    explicit Packing(const S& base) : base_(base) {}

    // `room(size)` returns where to put so many bytes.
    template <class Room>
    [[nodiscard]] const std::byte* packed(const S& state, Room&& room) const {
        if constexpr (PacksItself<S>) {
            std::byte* const out = room(packed_size(state));
            pack(state, out);
            return out;
        } else if constexpr (kIsSmall) {
            std::byte* const out = room(kBytes);
            std::memcpy(out, &state, kBytes);
            return out;
        } else {
            return packed_words(state, room);
        }
    }

    void unpack_into(const std::byte* packed, S& state) const {
        if constexpr (PacksItself<S>) {
            unpack(packed, state);
        } else if constexpr (kIsSmall) {
            state = base_;
            std::memcpy(static_cast<void*>(&state), packed, kBytes);
        } else {
            unpack_words(packed, state);
        }
    }

private:
    static constexpr std::size_t kBytes = [] {
        if constexpr (PlainState<S>) {
            return meaningful_bytes<S>();
        } else {
            return sizeof(S);
        }
    }();
    static constexpr bool kIsSmall = kBytes <= 64;
    static constexpr std::size_t kWords = (kBytes + 7) / 8;
    static constexpr std::size_t kMasks = (kWords + 63) / 64;
    using Words = std::array<std::uint64_t, kWords>;

    [[nodiscard]] static Words words_of(const S& state) noexcept {
        Words words;
        words.back() = 0;  // its rest
        std::memcpy(words.data(), &state, kBytes);
        return words;
    }

    template <class Room>
    [[nodiscard]] const std::byte* packed_words(const S& state, Room&& room) const {
        static_assert(PlainState<S>, "a world of other states says how they are packed");
        const Words words = words_of(state), base = words_of(base_);
        std::array<std::uint64_t, kMasks> masks{};
        Words changed;
        std::size_t count = 0;
        for (std::size_t i = 0; i < kWords; ++i) {
            const bool is_changed = words[i] != base[i];
            changed[count] = words[i];
            count += is_changed ? 1 : 0;
            masks[i / 64] |= std::uint64_t{is_changed} << (i % 64);
        }
        std::byte* const out = room((kMasks + count) * sizeof(std::uint64_t));
        std::memcpy(out, masks.data(), sizeof masks);
        std::memcpy(out + sizeof masks, changed.data(), count * sizeof(std::uint64_t));
        return out;
    }

    void unpack_words(const std::byte* packed, S& state) const noexcept {
        Words words = words_of(base_);
        std::array<std::uint64_t, kMasks> masks;
        std::memcpy(masks.data(), packed, sizeof masks);
        packed += sizeof masks;
        for (std::size_t part = 0; part < kMasks; ++part) {
            for (std::uint64_t left = masks[part]; left != 0; left &= left - 1) {
                const auto word = part * 64 + static_cast<std::size_t>(std::countr_zero(left));
                std::memcpy(&words[word], packed, sizeof(std::uint64_t));
                packed += sizeof(std::uint64_t);
            }
        }
        state = base_;
        std::memcpy(static_cast<void*>(&state), words.data(), kBytes);
    }

    S base_;
};

}  // namespace ludex

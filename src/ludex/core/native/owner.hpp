// Whose a state is: a tag that a state carries and its rules compare at the border to Python.
//
// The tag is a hash of what the rules are (options, cards, game and level), so that rules made
// twice, or in another process, take each other's states. It is no part of what a state is: `==`,
// hash, key and notation do not see it. A state whose bytes came from outside carries only the
// claim of a tag, until its rules have looked at all of it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "rng.hpp"

namespace ludex {

// Odd: the state was made by rules of this tag. Even: its bytes claim so. 0: nobody's, and
// therefore no tag's claim: every tag has its two lowest bits set.
using Owner = std::uint32_t;
constexpr Owner kNobodys = 0;
constexpr Owner kTagBits = 3;
constexpr Owner kPlainOwner = kTagBits;  // of rules without options

[[nodiscard]] constexpr Owner claim_of(Owner owner) noexcept { return owner & ~Owner{1}; }

// Adds up what rules are.
class OwnerHash {
public:
    template <std::integral N>
    OwnerHash& add(N number) noexcept {
        value_ = mix(value_ ^ static_cast<std::uint64_t>(number)) + 1;
        return *this;
    }
    OwnerHash& add(std::string_view text) noexcept {
        add(text.size());
        while (!text.empty()) {
            std::uint64_t word = 0;
            const std::size_t part = text.size() < 8 ? text.size() : 8;
            std::memcpy(&word, text.data(), part);
            add(word);
            text.remove_prefix(part);
        }
        return *this;
    }
    template <class Items>
        requires(!std::convertible_to<const Items&, std::string_view>) &&
                requires(const Items& items) { items.size(), items.begin(); }
    OwnerHash& add(const Items& items) noexcept {
        add(items.size());
        for (const auto& item : items) add(item);
        return *this;
    }
    [[nodiscard]] Owner owner() const noexcept {
        return static_cast<Owner>(value_ >> 32) | kTagBits;
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0x10DE'C0DE'0000'0001;
};

// What damage to pickled bytes is found by; it protects from accidents, not from malice.
[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes) noexcept {
    return OwnerHash().add(bytes).value();
}

// Optional: rules whose states are not any other rules'. Both are asked at the border alone.
template <class R>
concept OwnsStates =
    requires(const R& rules, const typename R::State& state, typename R::State& changed) {
        // Quick, for every call: whether these rules made the state.
        { rules.owns(state) } noexcept -> std::same_as<bool>;
        // Whether a state that they do not own may become theirs: one read from bytes that claim
        // to be theirs, after all of it was looked at.
        { rules.admit(changed) } noexcept -> std::same_as<bool>;
    };

// Optional, found beside the state: its tag.
template <class S>
concept HasOwner = requires(S& state) {
    { owner_of(state) } noexcept -> std::same_as<Owner&>;
};

// Optional, found beside the state: whether bytes from outside can be a state at all, so that it
// can be copied, compared, written and drawn: every count, index and enumerator in its range.
template <class S>
concept ChecksBytes = requires(const S& state) {
    { is_sound(state) } noexcept -> std::same_as<bool>;
};

}  // namespace ludex

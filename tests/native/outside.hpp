// Damaged bytes that pass for a state must be harmless: what the rules admit they can play on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "check.hpp"
#include "owner.hpp"
#include "policies.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

template <class S>
[[nodiscard]] std::string bytes_of(const S& state) {
    if constexpr (PlainState<S>) {
        return {reinterpret_cast<const char*>(&state), sizeof(S)};
    } else {
        return state.to_bytes();
    }
}

// What a pickle is read by; false where it is refused.
template <class S>
[[nodiscard]] bool from_outside(const std::string& bytes, S& state) {
    if constexpr (PlainState<S>) {
        std::memcpy(&state, bytes.data(), sizeof(S));
        if constexpr (ChecksBytes<S>) return is_sound(state);
        return true;
    } else {
        return S::from_bytes(bytes, state);
    }
}

// Mostly one byte, sometimes several.
inline void damage(std::string& bytes, Rng& rng) {
    const std::uint64_t times = rng.below(3) == 0 ? 1 + rng.below(12) : 1;
    for (std::uint64_t i = 0; i < times; ++i) {
        char& byte = bytes[rng.below(bytes.size())];
        switch (rng.below(4)) {
            case 0:
                byte = static_cast<char>(rng.below(256));
                break;
            case 1:
                byte = static_cast<char>(byte ^ (1 << rng.below(8)));
                break;
            case 2:
                byte = static_cast<char>(byte + 1);
                break;
            default:
                byte = static_cast<char>(rng.below(2) == 0 ? 0 : 255);
        }
    }
}

// Returns how many of the damaged states were admitted. Each claims to be of these rules.
template <WorldRules R>
int check_damage(const R& rules, const typename R::State& state, Rng rng, int times) {
    int admitted = 0;
    if constexpr (OwnsStates<R> && HasOwner<typename R::State>) {
        typename R::State own = state;
        const Owner owner = owner_of(own);
        CHECK(rules.owns(state) && owner != kNobodys);
        for (int i = 0; i < times; ++i) {
            std::string bytes = bytes_of(state);
            if (i > 0) damage(bytes, rng);
            typename R::State read;
            if (!from_outside(bytes, read)) {
                CHECK(i > 0);
                continue;
            }
            owner_of(read) = claim_of(owner);
            CHECK(!rules.owns(read));
            if (!rules.admit(read)) {
                CHECK(i > 0);
                continue;
            }
            CHECK(rules.owns(read));
            ++admitted;
            Meter meter;
            (void)rollout(rules, read, 40, rng, meter);
            for (int seat = 0; seat < rules.seats(); ++seat) (void)rules.score(read, seat);
        }
        // Nobody's, and another's.
        for (const Owner other : {kNobodys, owner ^ 2U, claim_of(owner ^ 2U)}) {
            owner_of(own) = other;
            CHECK(!rules.owns(own) && !rules.admit(own));
        }
    }
    (void)rules, (void)state, (void)rng, (void)times;
    return admitted;
}

}  // namespace ludex

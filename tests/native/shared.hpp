// Several threads play by the same rules at once, and each gets what it would get alone. Under
// ThreadSanitizer this finds memory that they share.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "check.hpp"
#include "policies.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

template <WorldRules R>
void check_shared(const R& rules, const typename R::State& state, const Rng& rng,
                  std::int64_t ticks = 30, int threads = 3) {
    constexpr std::uint64_t kRollouts = 3;
    const auto played = [&](int thread) {
        std::vector<typename R::State> ends;
        for (std::uint64_t i = 0; i < kRollouts; ++i) {
            Rng stream = rng.fork(static_cast<std::uint64_t>(thread)).fork(i);
            Meter meter;
            typename R::State current = state;
            (void)rollout(rules, current, ticks, stream, meter);
            ends.push_back(current);
        }
        return ends;
    };
    std::vector<std::vector<typename R::State>> together(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> all;
        for (int thread = 0; thread < threads; ++thread) {
            all.emplace_back(
                [&, thread] { together[static_cast<std::size_t>(thread)] = played(thread); });
        }
    }
    for (int thread = 0; thread < threads; ++thread) {
        CHECK(together[static_cast<std::size_t>(thread)] == played(thread));
    }
}

}  // namespace ludex

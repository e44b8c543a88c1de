// How fast rules are: work per CPU-second of this thread, timed inside one native call.
#pragma once

#include <time.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "policies.hpp"

namespace ludex {

inline double cpu_seconds() noexcept {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Keeps the compiler from dropping work whose result nobody reads.
template <class T>
inline void keep(T& value) noexcept {
    asm volatile("" : : "r"(&value) : "memory");
}

// Repeat `block`, which returns how much it did, for about this long.
template <class Block>
double per_cpu_second(double seconds, Block&& block) noexcept {
    block();  // warm up
    const double start = cpu_seconds();
    std::int64_t done = 0;
    double used = 0.0;
    do {
        done += block();
        used = cpu_seconds() - start;
    } while (used < seconds);
    return static_cast<double>(done) / used;
}

// Not inlined: it happens seldom, and a tick should not pay for its many variables.
template <WorldRules R>
[[gnu::noinline]] void start_again(const R& rules, typename R::State& state, Rng& rng) noexcept {
    state = rules.start(rng);
    settle(rules, state, rng);
}

// One tick with uniformly drawn actions; a finished game starts again.
template <WorldRules R>
void random_tick(const R& rules, typename R::State& state, Rng& rng) noexcept {
    SeatSet seats = rules.to_act(state);
    if (seats == kNobody) [[unlikely]] {
        start_again(rules, state, rng);
        seats = rules.to_act(state);
    }
    JointAction<R> joint;
    const std::size_t acting = choose_all(UniformPolicy{}, rules, state, seats, joint, rng);
    rules.apply(state, std::span<const typename R::Action>(joint.data(), acting), rng);
    settle(rules, state, rng);
}

// `tick`: random moves in place. `copy_tick`: each on a fresh copy. `copy`: copies alone.
// `rollout_tick`: ticks of whole metered rollouts from the start. Nothing for other names.
template <WorldRules R>
std::optional<double> time_metric(const R& rules, std::string_view metric,
                                  double seconds) noexcept {
    constexpr std::int64_t kBlock = 2048;
    Rng rng(7);
    using State = typename R::State;
    State state = rules.start(rng);
    settle(rules, state, rng);
    if (metric == "tick") {
        return per_cpu_second(seconds, [&] {
            for (std::int64_t i = 0; i < kBlock; ++i) random_tick(rules, state, rng);
            keep(state);
            return kBlock;
        });
    }
    if (metric == "copy_tick") {
        std::array<State, 2> states{state, state};
        return per_cpu_second(seconds, [&] {
            for (std::int64_t i = 0; i < kBlock; ++i) {
                State& next = states[(i + 1) & 1];
                next = states[i & 1];
                keep(next);
                random_tick(rules, next, rng);
            }
            return kBlock;
        });
    }
    if (metric == "copy") {
        std::array<State, 8> states;
        for (State& one : states) {
            random_tick(rules, state, rng);
            one = state;
        }
        return per_cpu_second(seconds, [&] {
            for (std::int64_t i = 0; i < kBlock; ++i) {
                states[i & 7] = states[(i + 3) & 7];
                keep(states);
            }
            return kBlock;
        });
    }
    if (metric == "rollout_tick") {
        Meter meter;
        const State start = state;
        return per_cpu_second(seconds, [&] {
            std::int64_t ticks = 0;
            while (ticks < kBlock) {
                State current = start;
                const std::int64_t played =
                    rollout(rules, current, R::kLongestGame, rng, meter).ticks;
                keep(current);
                ticks += played > 0 ? played : 1;
            }
            return ticks;
        });
    }
    return std::nullopt;
}

// Whole games per CPU-second by a policy of the rules' own, each from a start of its own.
template <NamesPolicies R>
double time_games(const R& rules, int policy, double seconds) noexcept {
    Rng rng(7);
    return per_cpu_second(seconds, [&] {
        typename R::State state = rules.start(rng);
        settle(rules, state, rng);
        rules.play_on(state, policy, R::kLongestGame, rng);
        keep(state);
        return std::int64_t{1};
    });
}

}  // namespace ludex

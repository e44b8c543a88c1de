// A random walk through any native world, checking at each step what the concept promises.
// Run under sanitizers, it also finds reads outside buffers and undefined arithmetic.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "batch.hpp"
#include "check.hpp"
#include "kernels.hpp"
#include "outside.hpp"
#include "policies.hpp"
#include "shared.hpp"
#include "timing.hpp"
#include "world.hpp"

namespace ludex {

template <WorldRules R>
void check_legal(const R& rules, const typename R::State& state) {
    const SeatSet acting = rules.to_act(state);
    CHECK(acting >> rules.seats() == 0);
    CHECK(!(rules.over(state) && acting != kNobody));
    for (int seat = 0; seat < rules.seats(); ++seat) {
        LegalBuffer<R> legal;
        const int count = rules.legal(state, seat, legal);
        CHECK(count <= R::kMaxLegal);
        CHECK((count > 0) == ((acting & only(seat)) != 0));
        for (int i = 0; i < count; ++i) {
            const auto place = static_cast<std::size_t>(i);
            CHECK(i == 0 || legal[place - 1] < legal[place]);
            CHECK(is_legal(rules, state, seat, legal[place]));
        }
        if (count == 0) continue;
        const auto listed = std::span(legal).first(static_cast<std::size_t>(count));
        const auto fallback = default_action(rules, state, seat);
        CHECK(std::find(listed.begin(), listed.end(), fallback) != listed.end());
        // Numbers that are not listed are refused, also far outside the range.
        for (std::uint32_t number = 0; number < 300; ++number) {
            const auto action = static_cast<typename R::Action>(number);
            const bool found = std::find(listed.begin(), listed.end(), action) != listed.end();
            CHECK(is_legal(rules, state, seat, action) == found);
        }
    }
}

template <WorldRules R>
void check_chance(const R& rules, const typename R::State& state) {
    if constexpr (ListsChance<R>) {
        std::array<Chance<typename R::Outcome>, static_cast<std::size_t>(R::kMaxOutcomes)> listed;
        const int count = rules.chance(state, listed);
        CHECK(count <= R::kMaxOutcomes);
        if (count == 0) return;
        CHECK(rules.to_act(state) == kNobody && !rules.over(state));
        double total = 0.0;
        for (int i = 0; i < count; ++i) {
            total += listed[static_cast<std::size_t>(i)].probability;
            typename R::State after = state;
            rules.resolve(after, listed[static_cast<std::size_t>(i)].outcome);
        }
        CHECK(std::abs(total - 1.0) < 1e-9);
    } else {
        // Without listed chance somebody acts until the end.
        CHECK(rules.over(state) == (rules.to_act(state) == kNobody));
    }
}

template <WorldRules R>
void check_state(const R& rules, const typename R::State& state) {
    if constexpr (ChecksStates<R>) CHECK(rules.consistent(state));
    check_legal(rules, state);
    check_chance(rules, state);
    for (int seat = 0; seat < rules.seats(); ++seat) {
        CHECK(std::isfinite(rules.score(state, seat)));
        if (rules.over(state)) CHECK(std::isfinite(rules.return_of(state, seat)));
    }
}

// Rollouts from here with every small budget: the same draws, and calls counted exactly.
template <WorldRules R>
void check_budgets(const R& rules, const typename R::State& state, const Rng& rng) {
    Meter free;
    Rng whole_rng = rng;
    typename R::State whole = state;
    const RolloutEnd end = rollout(rules, whole, R::kLongestGame, whole_rng, free);
    CHECK(free.calls() == end.ticks && !end.cut && !end.refused);
    for (std::int64_t limit = 0; limit <= std::min<std::int64_t>(end.ticks + 1, 6); ++limit) {
        Meter meter;
        meter.arm(limit, Meter::kNoLimit, Meter::Clock::cpu);
        Rng stream = rng;
        typename R::State current = state;
        const RolloutEnd part = rollout(rules, current, R::kLongestGame, stream, meter);
        CHECK(part.ticks == std::min(limit, end.ticks));
        CHECK(meter.calls() == part.ticks);
        CHECK((part.cut || part.refused) == (limit < end.ticks));
        if (!part.cut && !part.refused) CHECK(current == whole && stream == whole_rng);
    }
}

// Many steps from here by three threads: what one thread does, and counted alike.
template <WorldRules R>
void check_threads(const R& rules, const typename R::State& state, const Rng& rng) {
    const auto given = [](std::size_t i, std::size_t place) {
        return std::optional(static_cast<typename R::Action>((i + place) % (R::kMaxLegal + 1)));
    };
    const std::vector<typename R::State> before(100, state);
    std::vector<typename R::State> one = before, several = before;
    Meter alone, shared;
    shared.arm(70, Meter::kNoLimit, Meter::Clock::cpu);
    CHECK(step_batch(rules, one, given, rng, alone, 1) == 100);
    CHECK(step_batch(rules, several, given, rng, shared, 3) == 70);
    CHECK(alone.calls() == 100 && shared.calls() == 70 && shared.copies() == 71);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(several[i] == (i < 70 ? one[i] : before[i]));
    }
}

// A tick with actions that are often illegal: the meter counts what was replaced.
template <WorldRules R>
void rough_tick(const R& rules, typename R::State& state, Rng& rng, Meter& meter) {
    const SeatSet acting = rules.to_act(state);
    const auto given = [&](std::size_t) -> std::optional<typename R::Action> {
        if (rng.below(4) == 0) return std::nullopt;
        return static_cast<typename R::Action>(rng.below(2 * R::kMaxLegal));
    };
    const std::int64_t ignored = meter.ignored();
    const typename R::State before = state;
    CHECK(advance(rules, state, given, rng, meter));
    if (acting == kNobody) CHECK(state == before && meter.ignored() == ignored + 1);
}

template <WorldRules R>
int walk(const R& rules, const char* name, int count, char** words) {
    const double seconds = count > 1 ? std::atof(words[1]) : 5.0;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(words[2]) : 1);
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::int64_t games = 0;
    std::int64_t ticks = 0;
    do {
        Rng rng = Rng(seed).fork("walk").fork(static_cast<std::uint64_t>(games));
        Meter meter;
        typename R::State state = rules.start(rng);
        check_state(rules, state);
        const bool rough = games % 2 == 1;
        std::int64_t played = 0;
        for (;; ++played) {
            settle(rules, state, rng);
            check_state(rules, state);
            if (rng.below(8) == 0) check_budgets(rules, state, rng.fork("budget"));
            if (rng.below(64) == 0) check_threads(rules, state, rng.fork("threads"));
            if (rng.below(64) == 0) check_shared(rules, state, rng.fork("shared"));
            if (rng.below(16) == 0) check_damage(rules, state, rng.fork("damage"), 20);
            if (rules.to_act(state) == kNobody) break;
            CHECK(played < R::kLongestGame);
            if (rough) {
                rough_tick(rules, state, rng, meter);
            } else {
                random_tick(rules, state, rng);
            }
        }
        CHECK(rules.over(state));
        rough_tick(rules, state, rng, meter);  // a finished game stays as it is
        ticks += played;
        ++games;
    } while (Clock::now() < end);
    for (const char* metric : {"tick", "copy_tick", "copy", "rollout_tick"}) {
        CHECK(time_metric(rules, metric, 0.01).value_or(0.0) > 0.0);
    }
    CHECK(!time_metric(rules, "nonsense", 0.01));
    std::printf("%s: %lld games, %lld ticks, seed %llu\n", name, static_cast<long long>(games),
                static_cast<long long>(ticks), static_cast<unsigned long long>(seed));
    return 0;
}

}  // namespace ludex

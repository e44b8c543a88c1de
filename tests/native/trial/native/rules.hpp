// A race that uses what connect four does not: three seats at once, listed and sampled chance,
// and none of the optional functions. It is only a test of the native contract.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rng.hpp"
#include "world.hpp"

namespace ludex::trial {

constexpr int kSeats = 3;
constexpr int kHome = 12;
constexpr int kRounds = 8;

struct State {
    std::array<std::uint8_t, kSeats> place{};
    std::array<std::uint8_t, kSeats> tired{};
    std::uint8_t round = 0;
    std::uint8_t weather_pending = 1;
    friend bool operator==(const State&, const State&) = default;
};

struct Rules {
    using State = trial::State;
    using Action = std::uint16_t;  // steps forward: 1 to 3, tired runners 1 to 2
    using Outcome = std::uint8_t;  // 0 fair, 1 headwind, 2 storm, after which it is drawn again
    static constexpr int kMaxSeats = kSeats;
    static constexpr int kMaxLegal = 3;
    static constexpr int kMaxOutcomes = 3;
    static constexpr std::int64_t kLongestGame = kRounds;

    [[nodiscard]] int seats() const noexcept { return kSeats; }
    [[nodiscard]] State start(Rng& rng) const noexcept;
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept;
    [[nodiscard]] int legal(const State& state, int seat, std::span<Action> out) const noexcept;
    void apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept;
    [[nodiscard]] int chance(const State& state, std::span<Chance<Outcome>> out) const noexcept;
    void resolve(State& state, Outcome outcome) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept;
    [[nodiscard]] double return_of(const State& state, int seat) const noexcept;
    [[nodiscard]] double score(const State& state, int seat) const noexcept;
};

}  // namespace ludex::trial

static_assert(ludex::ListsChance<ludex::trial::Rules>);

// Dice, stolen and drawn cards: what is listed, and drawing it without a list.
#pragma once

#include "turns.hpp"

namespace ludex::catan {

// Two dice; the place is the sum less 2.
inline constexpr std::array<double, 11> kDiceOdds{1 / 36., 2 / 36., 3 / 36., 4 / 36.,
                                                  5 / 36., 6 / 36., 5 / 36., 4 / 36.,
                                                  3 / 36., 2 / 36., 1 / 36.};

// The sum that `Rng::weighted` draws, by comparing the random bits with eleven bounds that were
// found by bisection: the same sums for the same bits, in a fifth of the time.
class Dice {
public:
    Dice() noexcept {
        for (std::size_t place = 0; place + 1 < kDiceOdds.size(); ++place) {
            std::uint64_t low = 0;
            std::uint64_t high = std::uint64_t{1} << Rng::kUniformBits;
            while (low < high) {
                const std::uint64_t middle = (low + high) / 2;
                const double drawn = Rng::uniform_of(middle);
                if (Rng::weighted_of(drawn, kDiceOdds) > place) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            bounds_[place] = low;
        }
    }
    [[nodiscard]] int roll(Rng& rng) const noexcept {
        const std::uint64_t bits = rng.uniform_bits();
        int sum = 2;
        for (const std::uint64_t bound : bounds_) sum += bits >= bound ? 1 : 0;
        return sum;
    }

private:
    std::array<std::uint64_t, 10> bounds_{};
};

inline const Dice kDicePair;

inline int list_chance(const State& state, std::span<Chance<Rules::Outcome>> out) noexcept {
    std::size_t count = 0;
    const auto add = [&](int outcome, double probability) {
        out[count++] = {static_cast<Rules::Outcome>(outcome), probability};
    };
    if (state.phase == Phase::dice) {
        for (int sum = 2; sum <= 12; ++sum) add(sum, kDiceOdds[at(sum - 2)]);
    } else if (state.phase == Phase::steal) {
        const Player& victim = state.player(state.victim);
        for (int kind = 0; kind < kKinds; ++kind) {
            const int cards_held = count_of(victim.hand, kind);
            if (cards_held > 0) add(kStealOutcome + kind, cards_held / double(victim.size));
        }
    } else if (state.phase == Phase::draw) {
        for (int card = 0; card < kKinds; ++card) {
            const int left = state.deck[at(card)];
            if (left > 0) add(kDrawOutcome + card, left / double(state.deck_size));
        }
    }
    return static_cast<int>(count);
}

inline void resolve_chance(const Rules& rules, State& state, int outcome) noexcept {
    if (state.phase == Phase::dice) {
        begin_events(state, kDice, state.current);
        state.last_events.value = static_cast<std::uint8_t>(outcome);
        roll(rules, state, outcome);
    } else if (state.phase == Phase::steal) {
        begin_events(state, kStolen, state.current);
        state.last_events.other = state.victim;
        state.last_events.value = static_cast<std::uint8_t>(outcome - kStealOutcome);
        steal(rules, state, outcome - kStealOutcome);
    } else {
        begin_events(state, kDrawn, state.current);
        state.last_events.value = static_cast<std::uint8_t>(outcome - kDrawOutcome);
        draw_card(rules, state, outcome - kDrawOutcome);
    }
}

// Draws as the listed outcomes would be drawn, number for number.
inline void settle_chance(const Rules& rules, State& state, Rng& rng) noexcept {
    if (state.phase == Phase::dice) {
        resolve_chance(rules, state, kDicePair.roll(rng));
        return;
    }
    if (state.phase != Phase::steal && state.phase != Phase::draw) return;
    std::array<Chance<Rules::Outcome>, Rules::kMaxOutcomes> listed;
    std::array<double, Rules::kMaxOutcomes> weights;
    const auto count = static_cast<std::size_t>(list_chance(state, listed));
    for (std::size_t i = 0; i < count; ++i) weights[i] = listed[i].probability;
    resolve_chance(rules, state, listed[rng.weighted(std::span(weights.data(), count))].outcome);
}

}  // namespace ludex::catan

// States and actions as rows of whole numbers, as the Nora study describes them.
//
// D. Taralla, "Learning Artificial Intelligence in Large-Scale Video Games", Liege 2015.
#pragma once

#include <cstdint>
#include <vector>

#include "rules.hpp"

namespace ludex::hearthstone::agents {

using Row = std::vector<std::int16_t>;

constexpr int kStateFeatures = 109;  // and one for each card number
constexpr int kPlayFeatures = 1;
constexpr int kTargetFeatures = 6;
constexpr int kAttackFeatures = 9;

// What is learned apart: playing a card or the power, choosing a target, attacking.
enum class Skill : std::uint8_t { play, target, attack };
constexpr std::size_t kSkills = 3;

// How rows are made, and the scores that go with them.
struct Encoding {
    std::vector<std::int16_t> numbers;  // by our card number; -1: not in the study
    std::vector<std::int16_t> actions;  // number of the targeted action of a card, from 1
    int action_count = 0;
    int cards = 67;
    bool released = true;  // the trade term as the released program computed it
    bool one_hot = false;  // targeted rows end with one column for each action
    bool silence_counts_as_enchanted = true;

    // The study's number of a card.
    [[nodiscard]] std::int16_t number_of(CardId card) const noexcept {
        return card < numbers.size() ? numbers[card] : std::int16_t{-1};
    }
};

// Each adds to the end of a row; the columns of minions are shifted at random.
void encode_state(const Rules& rules, const State& state, const Encoding& encoding, int seat,
                  Rng& rng, Row& out) noexcept;
void encode_play(const State& state, const Encoding& encoding, Action action, Row& out) noexcept;
void encode_attack(const Rules& rules, const State& state, const Encoding& encoding, Action action,
                   Row& out) noexcept;
void encode_target(const Rules& rules, const State& state, const Encoding& encoding, CardId source,
                   Ref target, int seat, Row& out) noexcept;

// Numbers the targeted actions in the order of the study's card numbers; 0 stands for attacks.
void number_actions(const Rules& rules, Encoding& encoding);
[[nodiscard]] int row_size(const Encoding& encoding, Skill skill) noexcept;

// Who attacks in an attack.
[[nodiscard]] Ref attacker_of(const State& state, const Parts& parts) noexcept;

}  // namespace ludex::hearthstone::agents

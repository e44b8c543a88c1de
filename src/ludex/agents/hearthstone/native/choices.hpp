// What a chooser chooses among at each level, and each choice as a row of numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "encoding.hpp"

namespace ludex::hearthstone::agents {

using Actions = std::array<Action, Rules::kMaxLegal>;

constexpr int kActionFeatures = 12;

// What a choice is about: whole actions, a card or power, an attack, or which of these to do.
enum class Level : std::uint8_t { whole, play, attack, meta };

[[nodiscard]] Level level_of(Kind kind) noexcept;

// The whole actions that are legal, as a part of `memory`.
[[nodiscard]] std::span<const Action> legal_actions(const Rules& rules, const State& state,
                                                    Actions& memory) noexcept;

// The actions among which a level chooses, one for each row; returns how many.
int choices(Level level, std::span<const Action> flat, Actions& out) noexcept;

// Each adds to the end of a row.
//
// An action as numbers: its kind, what is used, on whom, and what a fight would cost.
void encode_action(const Rules& rules, const State& state, const Encoding& encoding, Action action,
                   Row& out) noexcept;
void encode_choice(const Rules& rules, const State& state, const Encoding& encoding, Level level,
                   Action action, Row& out) noexcept;
// Another action beside the one that would be done.
void encode_comparison(const Rules& rules, const State& state, const Encoding& encoding,
                       Action other, Action usual, Row& out) noexcept;

[[nodiscard]] int row_size(const Encoding& encoding, Level level) noexcept;
[[nodiscard]] int comparison_size(const Encoding& encoding) noexcept;

}  // namespace ludex::hearthstone::agents

// Evaluators of positions: the board-control score of the Nora study, and aggression.
#pragma once

#include "rules.hpp"

namespace ludex::hearthstone::agents {

// From -1 to 1, for a seat; `released` says how the trade term is computed.
[[nodiscard]] double board_control(const Rules& rules, const State& state, int seat,
                                   bool released) noexcept;

// What the best attacks of minions on minions would gain: as the text has it, or truncated to
// whole numbers as the released program did.
[[nodiscard]] double trade(const Rules& rules, const State& state, int seat,
                           bool released) noexcept;

// How near the other hero is to its end; 0 while a taunt protects it.
[[nodiscard]] double aggro(const Rules& rules, const State& state, int seat) noexcept;

}  // namespace ludex::hearthstone::agents

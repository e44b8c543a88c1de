// The random player of the Nora study.
#pragma once

#include "rules.hpp"

namespace ludex::hearthstone::agents {

// A whole action: first what is used, then on whom; a turn is not ended while anything is left.
// Where samples are made (`damped`) the power, which is always there, is drawn more rarely.
[[nodiscard]] Action random_move(const Rules& rules, const State& state, Rng& rng,
                                 bool damped = false) noexcept;

}  // namespace ludex::hearthstone::agents

// The scripted player of the Nora study.
#pragma once

#include "rules.hpp"

namespace ludex::hearthstone::agents {

// Faults of the released program that can be had back.
struct ScriptFaults {
    bool heal_sign_bug = false;      // healing goes to the enemy that needs it most
    bool group_mask_ignored = true;  // area spells are valued as if they met heroes, too
};

[[nodiscard]] Action scripted_move(const Rules& rules, const State& state,
                                   const ScriptFaults& faults = {}) noexcept;

}  // namespace ludex::hearthstone::agents

// Whole actions at the border to Python, whatever the stages of the world are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "errors.hpp"
#include "rules.hpp"

namespace ludex::hearthstone {

// Ascending.
[[nodiscard]] inline std::vector<Action> flat_actions(const Rules& rules, const State& state) {
    std::vector<Action> actions(Rules::kMaxLegal);
    actions.resize(static_cast<std::size_t>(rules.flat_legal(state, actions)));
    return actions;
}

inline void check_flat(const Rules& rules, const State& state, Action action) {
    const std::vector<Action> legal = flat_actions(rules, state);
    if (std::binary_search(legal.begin(), legal.end(), action)) return;
    raise_illegal_action("the action " + std::to_string(action) + " is not legal here; " +
                         std::to_string(legal.size()) + " actions are");
}

}  // namespace ludex::hearthstone

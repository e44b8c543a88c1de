// The engine of a state that is asked and not changed.
#pragma once

#include "rules.hpp"

namespace ludex::hearthstone::agents {

class ReadOnlyEngine {
public:
    ReadOnlyEngine(const Rules& rules, const State& state) noexcept
        : engine_(rules.cards(), rules.options(), const_cast<State&>(state), unused_) {}
    const Engine* operator->() const noexcept { return &engine_; }
    const Engine& operator*() const noexcept { return engine_; }

private:
    Rng unused_{0};
    Engine engine_;
};

// Not frozen, not new, attacks left; whether there is anything to hit with does not matter.
[[nodiscard]] inline bool is_ready(const Engine& engine, const State& state, Ref ref) noexcept {
    const Minion& m = state.minions[ref];
    if ((m.flags & kFrozen) != 0) return false;
    if ((m.flags & kSick) != 0 && (engine.keywords_of(ref) & kCharge) == 0) return false;
    return m.attacks < engine.attacks_allowed(ref);
}

}  // namespace ludex::hearthstone::agents

// The learned player Nora.
//
// D. Taralla, "Learning Artificial Intelligence in Large-Scale Video Games", Liege 2015.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "vectors.hpp"
#include "voters.hpp"

namespace ludex::hearthstone {

struct Nora {
    std::array<std::shared_ptr<const Voters>, kSkills> forests;  // by skill
    Manner manner;
    double threshold = 0.0;
    // Faults of the released program that can be had back.
    bool target_state_bug = false;     // the row of target k holds feature k of the state, all over
    bool power_id_is_hero_id = false;  // the power is judged as if it were the hero's card

    [[nodiscard]] const Voters& forest(Skill skill) const noexcept {
        return *forests[static_cast<std::size_t>(skill)];
    }
};

struct Thought {
    Action action = 0;
    double confidence = 0.0;
    bool target = false;  // a choice of target, not of an action
};

[[nodiscard]] Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                               std::vector<Thought>* thoughts = nullptr) noexcept;

// The same card or power on the target that Nora thinks best; what has no target stays as it is.
[[nodiscard]] Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action,
                           Rng& rng, std::vector<Thought>* thoughts = nullptr) noexcept;

}  // namespace ludex::hearthstone

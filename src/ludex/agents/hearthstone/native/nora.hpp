// The learned player Nora.
//
// D. Taralla, "Learning Artificial Intelligence in Large-Scale Video Games", Liege 2015.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "averaging_forest.hpp"
#include "encoding.hpp"

namespace ludex::hearthstone::agents {

struct Nora {
    std::array<std::shared_ptr<const AveragingForest>, kSkills> forests;  // by skill
    Encoding encoding;
    double threshold = 0.0;
    // Faults of the released program that can be had back.
    bool target_state_bug = false;     // the row of target k holds feature k of the state, all over
    bool power_id_is_hero_id = false;  // the power is judged as if it were the hero's card

    [[nodiscard]] const AveragingForest& forest(Skill skill) const noexcept {
        return *forests[static_cast<std::size_t>(skill)];
    }
};

// How sure Nora is of an action or of its target.
struct Estimate {
    Action action = 0;
    double confidence = 0.0;
    bool target = false;  // a choice of target, not of an action
};

[[nodiscard]] Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                               std::vector<Estimate>* estimates = nullptr) noexcept;

// The same card or power on the target that Nora thinks best; what has no target stays as it is.
[[nodiscard]] Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action,
                           Rng& rng, std::vector<Estimate>* estimates = nullptr) noexcept;

}  // namespace ludex::hearthstone::agents

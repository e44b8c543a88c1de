#include "reward_model.hpp"

#include <cmath>

namespace ludex::learned {

namespace {

constexpr double kScoreSteps = 100.0;  // gains are rounded, so that equal scores are equal

}  // namespace

void describe(Features features, std::size_t tiles, const State& after,
              std::span<const Change> changes, std::vector<std::int16_t>& row) {
    row.assign(blocks(features) * tiles, 0);
    const bool counts = features != Features::changes;
    const bool stays = features == Features::companion;
    const std::size_t came = (stays ? 2U : counts ? 1U : 0U) * tiles;
    const std::size_t went = came + tiles;
    const auto add = [&](std::size_t index, int amount) {
        row[index] = static_cast<std::int16_t>(row[index] + amount);
    };
    if (counts) {
        for (std::size_t cell = 0; cell < after.cells(); ++cell) {
            if (after.tile(cell) < tiles) add(after.tile(cell), 1);
        }
    }
    for (const Change& one : changes) {
        if (one.after < tiles) add(came + one.after, 1);
        if (one.before < tiles) add(went + one.before, stays ? -1 : 1);
    }
    if (stays) {
        for (std::size_t i = 0; i < tiles; ++i) add(tiles + i, row[i] - row[came + i]);
    }
}

double RewardModel::gain(const std::int16_t* row, int verb) const noexcept {
    for (const RewardRule& rule : gain_rules) {
        if (rule.holds(row, verb)) return rule.gain;
    }
    double gain = 0.0;
    if (form == Form::linear) {
        gain = weights.back();
        for (std::size_t i = 0; i < width(); ++i) gain += weights[i] * row[i];
    } else if (form == Form::tree) {
        gain = score_leaves[score_tree.leaf(0, row)];
    }
    return std::round(gain * kScoreSteps) / kScoreSteps;
}

Ending RewardModel::ending(const std::int16_t* row, int verb) const noexcept {
    for (const RewardRule& rule : ending_rules) {
        if (rule.holds(row, verb)) return rule.ending;
    }
    if (ending_tree.nodes.empty()) return Ending::none;
    return ending_leaves[ending_tree.leaf(0, row)];
}

}  // namespace ludex::learned

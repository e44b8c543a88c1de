// The bandit rules of planners/parts/selection.py: which of the tried actions is taken next.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "../arms.hpp"
#include "../rng.hpp"

namespace ludex::search {

enum class Rule : std::uint8_t {
    ucb1,
    ucb1_tuned,
    epsilon_greedy,
    smooth,
    puct,
    puct_printed,
    progressive_bias
};
constexpr std::array<std::string_view, 7> kRuleNames{
    "ucb1", "ucb1_tuned", "epsilon_greedy", "smooth", "puct", "puct_printed", "progressive_bias"};

// Whether a rule asks for the prior probability of each action.
[[nodiscard]] constexpr bool uses_priors(Rule rule) noexcept {
    return rule == Rule::puct || rule == Rule::puct_printed || rule == Rule::progressive_bias;
}

// What a rule chooses from: arms with at least one visit each, and the visits of all.
struct Tried {
    std::span<const Arm> arms;
    std::int64_t total = 0;
    std::span<const double> priors;  // of the arms, where the rule asks for them
};

// The index of the highest bound, the first of equals.
template <class Bound>
[[nodiscard]] std::size_t highest(std::size_t count, const Bound& bound) noexcept {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double found = bound(i);
        if (found > best) {
            best = found;
            chosen = i;
        }
    }
    return chosen;
}

[[nodiscard]] inline std::size_t highest_bound(const Tried& tried, double width) noexcept {
    const double reach = width * std::sqrt(std::log(static_cast<double>(tried.total)));
    return highest(tried.arms.size(), [&](std::size_t i) {
        return tried.arms[i].mean + reach * tried.arms[i].spread;
    });
}

[[nodiscard]] inline std::size_t highest_tuned_bound(const Tried& tried, double exploration,
                                                     double span) noexcept {
    const double total = std::log(static_cast<double>(tried.total));
    const double scale = exploration * span;
    const double unit = span > 0.0 ? 1.0 / (span * span) : 0.0;
    return highest(tried.arms.size(), [&](std::size_t i) {
        const Arm& arm = tried.arms[i];
        const auto count = static_cast<double>(arm.visits);
        const double share = total / count;
        const double variance =
            std::max(0.0, arm.square / count - arm.mean * arm.mean) * unit + std::sqrt(2.0 * share);
        return arm.mean + scale * std::sqrt(share * std::min(0.25, variance));
    });
}

[[nodiscard]] inline std::size_t best_mean(std::span<const Arm> arms) noexcept {
    return highest(arms.size(), [&](std::size_t i) { return arms[i].mean; });
}

// Smooth UCT (Heinrich and Silver 2015): ucb1, or a draw in proportion to the visits.
[[nodiscard]] inline std::size_t smooth_choice(const Tried& tried, double exploration, double span,
                                               Rng& rng) noexcept {
    constexpr double kStart = 0.9, kLeast = 0.1, kDecay = 0.05;
    const double share = kStart / (1.0 + kDecay * std::sqrt(static_cast<double>(tried.total)));
    if (rng.uniform() < std::max(kLeast, share)) return highest_bound(tried, exploration * span);
    double total = 0.0;
    for (const Arm& arm : tried.arms) total += static_cast<double>(arm.visits);
    double left = rng.uniform() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < tried.arms.size(); ++i) {
        const auto weight = static_cast<double>(tried.arms[i].visits);
        if (weight <= 0.0) continue;
        last = i;
        left -= weight;
        if (left < 0.0) return i;
    }
    return last;
}

[[nodiscard]] inline std::size_t highest_puct(const Tried& tried, double exploration, double span,
                                              bool as_printed) noexcept {
    const double width = exploration * span;
    return highest(tried.arms.size(), [&](std::size_t i) {
        const auto visits = static_cast<double>(tried.arms[i].visits);
        const double others = static_cast<double>(tried.total) - visits;
        const double reach =
            as_printed ? std::sqrt(others / (1.0 + visits)) : std::sqrt(others) / (1.0 + visits);
        return tried.arms[i].mean + width * tried.priors[i] * reach;
    });
}

[[nodiscard]] inline std::size_t highest_biased_bound(const Tried& tried, double exploration,
                                                      double span) noexcept {
    const double reach = exploration * span * std::sqrt(std::log(static_cast<double>(tried.total)));
    return highest(tried.arms.size(), [&](std::size_t i) {
        const Arm& arm = tried.arms[i];
        return arm.mean + reach * arm.spread +
               span * tried.priors[i] / (static_cast<double>(arm.visits) + 1.0);
    });
}

// There is at least one arm.
[[nodiscard]] inline std::size_t select(Rule rule, const Tried& tried, double exploration,
                                        double span, Rng& rng) noexcept {
    switch (rule) {
        case Rule::ucb1:
            return highest_bound(tried, exploration * span);
        case Rule::ucb1_tuned:
            return highest_tuned_bound(tried, exploration, span);
        case Rule::epsilon_greedy:
            if (rng.uniform() < exploration) return rng.below(tried.arms.size());
            return best_mean(tried.arms);
        case Rule::smooth:
            return smooth_choice(tried, exploration, span, rng);
        case Rule::puct:
        case Rule::puct_printed:
            return highest_puct(tried, exploration, span, rule == Rule::puct_printed);
        case Rule::progressive_bias:
            return highest_biased_bound(tried, exploration, span);
    }
    return 0;
}

}  // namespace ludex::search

// Reward model: the gain in score and the ending, predicted from how a state changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest.hpp"
#include "grid.hpp"

namespace ludex::learned {

// Features of a transition: blocks with one count for every tile known when fitted.
enum class Features : std::uint8_t {
    source,     // how many there are afterwards, how many came, how many went
    companion,  // how many there are, how many stayed, how many came, how many went (below 0)
    changes,    // how many came, how many went
    objects,    // by kind of object: present, gone, new, met by the avatar, change in what it
                // carries; computed in Python
};
constexpr int kFeatures = 4;

void describe(Features features, std::size_t tiles, const State& after,
              std::span<const Change> changes, std::vector<std::int16_t>& row);
[[nodiscard]] constexpr std::size_t blocks(Features features) noexcept {
    constexpr std::size_t counts[kFeatures] = {3, 4, 2, 5};
    return counts[static_cast<std::size_t>(features)];
}

// A condition on a transition: a weighted sum of its features lies in an interval.
struct Fact {
    struct Term {
        std::uint32_t index = 0;
        std::int32_t weight = 1;
    };
    std::vector<Term> terms;
    std::int32_t low = 0, high = 0;

    [[nodiscard]] bool holds(const std::int16_t* row) const noexcept {
        std::int32_t sum = 0;
        for (const Term& term : terms) sum += term.weight * row[term.index];
        return low <= sum && sum <= high;
    }
};

// An association rule: the gain or ending if all facts hold.
struct RewardRule {
    static constexpr int kAnyVerb = -1;

    std::vector<Fact> facts;
    int verb = kAnyVerb;
    double gain = 0.0;
    Ending ending = Ending::none;

    [[nodiscard]] bool holds(const std::int16_t* row, int done) const noexcept {
        if (verb != kAnyVerb && verb != done) return false;
        for (const Fact& fact : facts) {
            if (!fact.holds(row)) return false;
        }
        return true;
    }
};

struct RewardModel {
    enum class Form : std::uint8_t { none, linear, tree };

    Features features = Features::source;
    std::size_t tiles = 0;
    Form form = Form::none;       // of the score
    std::vector<double> weights;  // linear: of the features, then the constant
    Forest score_tree;
    std::vector<double> score_leaves;
    Forest ending_tree;  // empty: no ending was ever seen
    std::vector<Ending> ending_leaves;
    std::vector<RewardRule> gain_rules, ending_rules;  // the first that holds decides
    double returns[kEndings] = {0.0, 1.0, -1.0, 0.0, 0.0};

    [[nodiscard]] bool is_empty() const noexcept {
        return form == Form::none && ending_tree.nodes.empty() && gain_rules.empty() &&
               ending_rules.empty();
    }
    [[nodiscard]] std::size_t width() const noexcept { return blocks(features) * tiles; }
    // `verb` is that of the action; rules may depend on it.
    [[nodiscard]] double gain(const std::int16_t* row, int verb) const noexcept;
    [[nodiscard]] Ending ending(const std::int16_t* row, int verb) const noexcept;
};

}  // namespace ludex::learned

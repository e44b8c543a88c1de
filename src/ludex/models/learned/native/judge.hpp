// What is known of score and end from how a grid changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest.hpp"
#include "grid.hpp"

namespace ludex::learned {

// A row has blocks with a number for every tile that was known at fitting time.
enum class Features : std::uint8_t {
    source,     // how many there are afterwards, how many came, how many went
    companion,  // how many there are, how many stayed, how many came, how many went (below 0)
    changes,    // how many came, how many went
    things,     // of kinds of things: how many there are, went and came, met the avatar, and how
                // many more it carries; such rows are made elsewhere
};
constexpr int kFeatures = 4;

void describe(Features features, std::size_t tiles, const State& after,
              std::span<const Change> changes, std::vector<std::int16_t>& row);
[[nodiscard]] constexpr std::size_t blocks(Features features) noexcept {
    constexpr std::size_t counts[kFeatures] = {3, 4, 2, 5};
    return counts[static_cast<std::size_t>(features)];
}

// Something that can be true of a change: a sum over its row lies between two numbers.
struct Fact {
    struct Term {
        std::uint32_t place = 0;
        std::int32_t weight = 1;
    };
    std::vector<Term> terms;
    std::int32_t low = 0, high = 0;

    [[nodiscard]] bool holds(const std::int16_t* row) const noexcept {
        std::int32_t sum = 0;
        for (const Term& term : terms) sum += term.weight * row[term.place];
        return low <= sum && sum <= high;
    }
};

// What follows where all facts hold: a gain, or an end.
struct Rule {
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

struct Judge {
    enum class Form : std::uint8_t { none, linear, tree };

    Features features = Features::source;
    std::size_t tiles = 0;
    Form form = Form::none;       // of the score
    std::vector<double> weights;  // linear: of the features, then the constant
    Forest score_tree;
    std::vector<double> score_leaves;
    Forest ending_tree;  // empty: no end was ever seen
    std::vector<Ending> ending_leaves;
    std::vector<Rule> gain_rules, ending_rules;  // the first that holds decides, before any tree
    double returns[kEndings] = {0.0, 1.0, -1.0, 0.0, 0.0};

    [[nodiscard]] bool is_blind() const noexcept {
        return form == Form::none && ending_tree.nodes.empty() && gain_rules.empty() &&
               ending_rules.empty();
    }
    [[nodiscard]] std::size_t width() const noexcept { return blocks(features) * tiles; }
    // `verb` is what was done; rules may ask for it.
    [[nodiscard]] double gain(const std::int16_t* row, int verb) const noexcept;
    [[nodiscard]] Ending ending(const std::int16_t* row, int verb) const noexcept;
};

}  // namespace ludex::learned

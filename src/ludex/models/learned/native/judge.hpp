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
};

void describe(Features features, std::size_t tiles, const State& after,
              std::span<const Change> changes, std::vector<std::int16_t>& row);
[[nodiscard]] constexpr std::size_t blocks(Features features) noexcept {
    return features == Features::source ? 3 : features == Features::companion ? 4 : 2;
}

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
    double returns[kEndings] = {0.0, 1.0, -1.0, 0.0, 0.0};

    [[nodiscard]] bool is_blind() const noexcept {
        return form == Form::none && ending_tree.nodes.empty();
    }
    [[nodiscard]] std::size_t width() const noexcept { return blocks(features) * tiles; }
    [[nodiscard]] double gain(const std::int16_t* row) const noexcept;
    [[nodiscard]] Ending ending(const std::int16_t* row) const noexcept {
        if (ending_tree.nodes.empty()) return Ending::none;
        return ending_leaves[ending_tree.leaf(0, row)];
    }
};

}  // namespace ludex::learned

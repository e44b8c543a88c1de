// A forest whose leaves hold probabilities, or other numbers; a row is given their mean.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "forest.hpp"

namespace ludex::hearthstone::agents {

struct AveragingForest {
    ludex::Forest trees;
    std::vector<float> leaves;

    [[nodiscard]] double mean(const std::int16_t* row) const noexcept {
        double total = 0.0;
        for (std::size_t tree = 0; tree < trees.trees(); ++tree) {
            total += static_cast<double>(leaves[trees.leaf(tree, row)]);
        }
        return total / static_cast<double>(trees.trees());
    }
    // Columns that a row must have.
    [[nodiscard]] int widest() const noexcept {
        int most = -1;
        for (const ludex::Forest::Node& node : trees.nodes) {
            most = std::max(most, static_cast<int>(node.feature));
        }
        return most + 1;
    }
};

}  // namespace ludex::hearthstone::agents

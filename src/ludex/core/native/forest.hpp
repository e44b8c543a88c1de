// Decision trees grown elsewhere and asked here.
//
// All nodes of all trees lie in one array. The left child of a node is the one after it, so a node
// needs only the place of its right one: eight bytes. Rows are whole numbers, so a cut between two
// of them can be rounded down without moving a row to the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ludex {

struct Forest {
    struct Node {
        std::int16_t feature = -1;  // -1: a leaf
        std::int16_t cut = 0;       // left is where the row's number is at most this
        std::int32_t right = 0;     // of a leaf: its number
    };
    std::vector<Node> nodes;
    std::vector<std::int32_t> roots;

    [[nodiscard]] std::size_t trees() const noexcept { return roots.size(); }

    // The number of the leaf that a row comes to in one tree.
    template <class Number>
    [[nodiscard]] std::size_t leaf(std::size_t tree, const Number* row) const noexcept {
        const Node* node = &nodes[static_cast<std::size_t>(roots[tree])];
        while (node->feature >= 0) {
            node = static_cast<int>(row[node->feature]) <= node->cut
                       ? node + 1
                       : &nodes[static_cast<std::size_t>(node->right)];
        }
        return static_cast<std::size_t>(node->right);
    }
};

// Why arrays from outside are no forest that can be walked; null when they are. `features` is the
// length of the rows that will be asked, `leaves` how many leaves there is something known about.
[[nodiscard]] inline const char* problem_of(const Forest& forest, std::size_t features,
                                            std::size_t leaves) noexcept {
    const std::size_t size = forest.nodes.size();
    if (forest.roots.empty()) return "a forest needs a tree";
    for (std::size_t i = 0; i < size; ++i) {
        const Forest::Node& node = forest.nodes[i];
        if (node.right < 0) return "a node leads nowhere";
        const auto right = static_cast<std::size_t>(node.right);
        if (node.feature < 0 ? right >= leaves : right >= size) return "a node leads nowhere";
        // Children come later, so that no walk goes in circles.
        if (node.feature >= 0 && right <= i + 1) return "a node leads back";
        if (node.feature >= 0 && static_cast<std::size_t>(node.feature) >= features) {
            return "a node asks for more than rows have";
        }
    }
    if (size == 0 || forest.nodes.back().feature >= 0) return "the last node is no leaf";
    for (const std::int32_t root : forest.roots) {
        if (root < 0 || static_cast<std::size_t>(root) >= size) return "a tree has no root";
    }
    return nullptr;
}

}  // namespace ludex

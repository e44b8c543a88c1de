// What Python sees of any native search tree; bound once, in the core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../arms.hpp"
#include "evaluator.hpp"

namespace ludex::search {

// An action of the root, or of any node: how often it was tried, and its mean value.
struct ActionStatistics {
    std::int64_t action = 0;
    std::int64_t visits = 0;
    double value = 0.0;
};

struct ProvenAction {
    std::int64_t action = 0;
    double value = 0.0;
};

// The statistics of one seat at a node.
struct BanditRecord {
    int seat = 0;
    std::int64_t total = 0;
    std::vector<ActionStatistics> actions;
    double squares = 0.0;  // the sum of all squared values
};

// A node as a plain record, for tests and for those who look inside. Nodes are numbered from the
// root on, in the order in which a walk first meets them.
struct NodeRecord {
    struct Child {
        std::vector<std::int64_t> way;  // actions, or an outcome
        std::int64_t count = 0;         // of outcomes and sightings
        std::int64_t node = 0;
    };
    std::string kind;
    std::int64_t visits = 0;
    std::vector<double> values;
    std::vector<double> returns;  // where they are known for certain
    std::vector<BanditRecord> bandits;
    std::vector<Child> children;
};

// What is counted while a tree grows (planners/parts/growth.py).
struct Counters {
    std::int64_t size = 1;
    std::int64_t refused = 0;  // nodes not added for want of room
    std::int64_t iterations = 0;
    std::int64_t depth = 0;
    Range range;
};

class SearchTree {
public:
    SearchTree() = default;
    SearchTree(const SearchTree&) = delete;
    SearchTree& operator=(const SearchTree&) = delete;
    virtual ~SearchTree() = default;

    [[nodiscard]] virtual Counters counters() const = 0;
    // The statistics of a seat at each root.
    [[nodiscard]] virtual std::vector<BanditRecord> root_bandits(int seat) const = 0;
    // The action that is played, then always the one tried most, as far as the tree goes.
    [[nodiscard]] virtual std::vector<std::int64_t> best_line(std::int64_t first,
                                                              std::size_t longest) const = 0;
    [[nodiscard]] virtual std::vector<NodeRecord> nodes(std::size_t most) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;

    // What only some searches know: results that are proven, of the root and of its actions.
    [[nodiscard]] virtual bool provable() const { return false; }
    [[nodiscard]] virtual bool solved() const { return false; }
    [[nodiscard]] virtual std::optional<double> proven_value(int /*seat*/) const {
        return std::nullopt;
    }
    [[nodiscard]] virtual std::vector<ProvenAction> proven(int /*seat*/) const { return {}; }
};

}  // namespace ludex::search

// What Python sees of any native search through states; bound once, in the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../keys.hpp"
#include "tree.hpp"

namespace ludex::search {

// An action, with the state that it is meant for.
struct PlannedStep {
    Key key;
    std::int64_t action = 0;
};

// A state that was kept, as a plain record for tests.
struct ForwardRecord {
    Key key;
    std::int64_t parent = -1;  // its place among all that were kept; -1: the root
    std::int64_t action = 0;
    std::int64_t depth = 0;
    double gain = 0.0;
    double hint = 0.0;
    bool is_won = false;
};

class StateSearch {
public:
    StateSearch() = default;
    StateSearch(const StateSearch&) = delete;
    StateSearch& operator=(const StateSearch&) = delete;
    virtual ~StateSearch() = default;

    [[nodiscard]] virtual Counters counters() const = 0;
    // Whether nothing was left to look at.
    [[nodiscard]] virtual bool is_complete() const = 0;
    // The best path, and whether it wins.
    [[nodiscard]] virtual std::vector<PlannedStep> plan() const = 0;
    [[nodiscard]] virtual bool is_won() const = 0;
    // Actions of the root that were tried: states kept below them, and the highest gain.
    [[nodiscard]] virtual std::vector<ActionStatistics> tried() const = 0;
    // All that were kept, in their order.
    [[nodiscard]] virtual std::vector<ForwardRecord> kept() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

}  // namespace ludex::search

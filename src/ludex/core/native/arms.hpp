// What was tried at one node of a search, as flat arrays.
//
// The trees of planners are Python; what every iteration does at every node of its path, choose
// and record, is here. planners/parts/bandit.py adds what the arms stand for.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ludex {

struct Arm {
    double mean = 0.0;    // of the values recorded
    double spread = 0.0;  // 1 / sqrt(visits)
    double square = 0.0;  // sum of squared values
    std::int64_t visits = 0;
};

class Arms {
public:
    explicit Arms(int the_seat = 0) noexcept : seat(the_seat) {}

    // Begin again with no arm, and room for some.
    void clear(std::size_t room) {
        arms.clear();
        arms.reserve(room);
        total = 0;
    }

    void record(std::size_t place, double value) noexcept {
        Arm& arm = arms[place];
        const auto count = static_cast<double>(++arm.visits);
        arm.mean += (value - arm.mean) / count;
        arm.square += value * value;
        arm.spread = 1.0 / std::sqrt(count);
        ++total;
    }

    // Count a visit whose mean the planner works out by itself.
    void replace(std::size_t place, double mean) noexcept {
        Arm& arm = arms[place];
        arm.spread = 1.0 / std::sqrt(static_cast<double>(++arm.visits));
        arm.mean = mean;
        ++total;
    }

    // The place of the highest mean + width * sqrt(ln total / visits), the first of equals.
    // There is at least one arm, and every arm has a visit.
    [[nodiscard]] std::size_t highest_bound(double width) const noexcept {
        const double reach = width * std::sqrt(std::log(static_cast<double>(total)));
        double best = -std::numeric_limits<double>::infinity();
        std::size_t chosen = 0;
        for (std::size_t place = 0; place < arms.size(); ++place) {
            const double bound = arms[place].mean + reach * arms[place].spread;
            if (bound > best) {
                best = bound;
                chosen = place;
            }
        }
        return chosen;
    }

    int seat;
    std::int64_t total = 0;  // visits of all arms, unless a planner counts something else here
    std::vector<Arm> arms;
};

}  // namespace ludex

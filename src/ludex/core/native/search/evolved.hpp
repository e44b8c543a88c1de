// What Python sees of any native search through sequences; bound once, in the core.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree.hpp"

namespace ludex::search {

class EvolvedSequences : public SearchTree {
public:
    // What is known of a first action.
    struct First {
        std::int64_t action = 0;
        std::int64_t visits = 0;
        double best = 0.0;
    };
    struct Sequence {
        std::vector<std::int64_t> genes;  // below 0 where none is drawn yet
        double value = 0.0;
    };

    // In the order they were tried in.
    [[nodiscard]] const std::vector<First>& firsts() const noexcept { return firsts_; }
    // All values of the own seat as those of one arm, where somebody asked for them.
    [[nodiscard]] const Arm& landscape() const noexcept { return landscape_; }
    [[nodiscard]] std::int64_t rounds() const noexcept { return rounds_; }
    // The best sequence of the own seat; empty where none was played.
    [[nodiscard]] virtual std::vector<std::int64_t> champion() const { return {}; }
    // The sequences of a seat, best first.
    [[nodiscard]] virtual std::vector<Sequence> population(int seat) const = 0;

protected:
    void note_first(std::int64_t action, double value) {
        if (action < 0) return;  // nobody could act
        for (First& one : firsts_) {
            if (one.action != action) continue;
            ++one.visits;
            one.best = one.best < value ? value : one.best;
            return;
        }
        firsts_.push_back({action, 1, value});
    }

    std::vector<First> firsts_;
    Arm landscape_;
    std::int64_t rounds_ = 0;  // in which all sides have made a generation
};

}  // namespace ludex::search

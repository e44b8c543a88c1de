// A learned game of tiles as the core's kernels use it: what becomes of every cell, of the score,
// and whether the game ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "forest.hpp"
#include "grid.hpp"
#include "judge.hpp"
#include "memory.hpp"
#include "patterns.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex::learned {

// What a search should make of what the model has not seen, and of where it has been.
struct Attitude {
    double curiosity = 0.0;  // added to the score for each guessed cell; below 0 for the careful
    bool discounts = false;  // gains count as much as the model is sure of them
    double trust = 0.0;      // below this confidence a state is the end of what is known
    double boredom = 0.0;    // taken off the score for each time a state was really visited
    bool samples = false;    // draw among all that was seen to follow, instead of the likeliest
};

class Rules {
public:
    using State = learned::State;
    using Action = std::uint16_t;
    static constexpr int kMaxSeats = 1;
    static constexpr int kMaxLegal = 1024;
    static constexpr std::int64_t kLongestGame = 1'000'000;

    // Where the game really was. One thread may note a visit while another searches.
    struct Visits {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, int> times;
    };

    Rules() = default;
    Rules(std::shared_ptr<const Knowledge> knowledge, std::shared_ptr<const Judge> judge,
          Attitude attitude, bool caches);

    [[nodiscard]] int seats() const noexcept { return 1; }
    [[nodiscard]] State start(Rng& /*rng*/) const noexcept { return {}; }
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept {
        return over(state) ? kNobody : only(0);
    }
    [[nodiscard]] int legal(const State& state, int seat, std::span<Action> out) const noexcept;
    [[nodiscard]] bool is_legal(const State& state, int seat, Action action) const noexcept;
    void apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept {
        return state.ending != Ending::none || !state.choices || state.choices->acts.empty();
    }
    [[nodiscard]] double return_of(const State& state, int /*seat*/) const noexcept {
        return judge_->returns[static_cast<std::size_t>(state.ending)];
    }
    [[nodiscard]] double score(const State& state, int /*seat*/) const noexcept {
        return state.score + state.bonus;
    }

    [[nodiscard]] const Knowledge& knowledge() const noexcept { return *knowledge_; }
    [[nodiscard]] Patterns::Work work() const {
        const std::scoped_lock lock(patterns_->mutex);
        return patterns_->work;
    }
    void visit(const State& state) const {
        const std::scoped_lock lock(visits_->mutex);
        ++visits_->times[state.hash];
    }
    // States belong to no model in particular: any grid will do whose margin is wide enough.
    [[nodiscard]] bool owns(const State& state) const noexcept {
        return state.margin >= knowledge_->around.span && !state.grid.empty();
    }
    [[nodiscard]] bool admit(const State& /*state*/) const noexcept { return false; }
    [[nodiscard]] int visits(const State& state) const;

private:
    struct Predicted {
        std::vector<Change> changes;
        double confidence = 1.0;
        std::uint32_t unseen = 0;
    };

    [[nodiscard]] Predicted predict(State& state, const Act& act, Rng& rng) const;
    [[nodiscard]] Predicted predict_cached(State& state, const Act& act, int verb, Rng& rng) const;
    [[nodiscard]] Predicted predict_afresh(const State& state, const Act& act, int verb,
                                           Rng& rng) const;
    void number_all(State& state) const;
    void renumber(State& state, std::span<const Change> changes) const;
    void judge_changes(State& state, std::span<const Change> changes, int verb) const;

    std::shared_ptr<const Knowledge> knowledge_ = std::make_shared<Knowledge>();
    std::shared_ptr<const Judge> judge_ = std::make_shared<Judge>();
    Attitude attitude_;
    bool caches_ = false;
    std::shared_ptr<Patterns> patterns_ = std::make_shared<Patterns>(*knowledge_);
    std::shared_ptr<Visits> visits_ = std::make_shared<Visits>();
};

}  // namespace ludex::learned

static_assert(ludex::WorldRules<ludex::learned::Rules>);

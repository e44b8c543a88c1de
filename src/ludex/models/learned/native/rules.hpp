// A learned local forward model as rules of a world for the search kernels of the core: it
// predicts every cell, the score and the ending.
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
#include "prediction_cache.hpp"
#include "reward_model.hpp"
#include "rng.hpp"
#include "tile_memory.hpp"
#include "world.hpp"

namespace ludex::learned {

// How a search values unseen predictions and visited states.
struct SearchSettings {
    double curiosity = 0.0;  // bonus for each unseen cell; negative to avoid them
    bool discounts = false;  // multiply gains by the confidence
    double trust = 0.0;      // states below this confidence are terminal
    double boredom = 0.0;    // penalty for each visit of the real game to a state
    bool samples = false;    // sample the next tile instead of taking the likeliest
};

class Rules {
public:
    using State = learned::State;
    using Action = std::uint16_t;
    static constexpr int kMaxSeats = 1;
    static constexpr int kMaxLegal = 1024;
    static constexpr std::int64_t kLongestGame = 1'000'000;

    // Visits of the real game. One thread may count a visit while another searches.
    struct Visits {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, int> times;
    };

    Rules() = default;
    Rules(std::shared_ptr<const CellPredictor> predictor,
          std::shared_ptr<const RewardModel> reward_model, SearchSettings settings, bool caches);

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
        return reward_model_->returns[static_cast<std::size_t>(state.ending)];
    }
    [[nodiscard]] double score(const State& state, int /*seat*/) const noexcept {
        return state.score + state.bonus;
    }

    [[nodiscard]] const CellPredictor& predictor() const noexcept { return *predictor_; }
    [[nodiscard]] PredictionCache::Work work() const {
        const std::scoped_lock lock(cache_->mutex);
        return cache_->work;
    }
    void visit(const State& state) const {
        const std::scoped_lock lock(visits_->mutex);
        ++visits_->times[state.hash];
    }
    // Any grid with a margin wide enough is a state of this model.
    [[nodiscard]] bool owns(const State& state) const noexcept {
        return state.margin >= predictor_->around.span && !state.grid.empty();
    }
    [[nodiscard]] bool admit(const State& /*state*/) const noexcept { return false; }
    [[nodiscard]] int visits(const State& state) const;

private:
    struct PredictedStep {
        std::vector<Change> changes;
        double confidence = 1.0;
        std::uint32_t unseen = 0;
    };

    [[nodiscard]] PredictedStep predict(State& state, const Act& act, Rng& rng) const;
    [[nodiscard]] PredictedStep predict_cached(State& state, const Act& act, int verb,
                                               Rng& rng) const;
    [[nodiscard]] PredictedStep predict_afresh(const State& state, const Act& act, int verb,
                                               Rng& rng) const;
    void number_all(State& state) const;
    void renumber(State& state, std::span<const Change> changes) const;
    void add_reward(State& state, std::span<const Change> changes, int verb) const;

    std::shared_ptr<const CellPredictor> predictor_ = std::make_shared<CellPredictor>();
    std::shared_ptr<const RewardModel> reward_model_ = std::make_shared<RewardModel>();
    SearchSettings settings_;
    bool caches_ = false;
    std::shared_ptr<PredictionCache> cache_ = std::make_shared<PredictionCache>(*predictor_);
    std::shared_ptr<Visits> visits_ = std::make_shared<Visits>();
};

}  // namespace ludex::learned

static_assert(ludex::WorldRules<ludex::learned::Rules>);

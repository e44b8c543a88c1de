#include "rules.hpp"

#include <algorithm>
#include <mutex>

namespace ludex::learned {

namespace {

const Act* act_of(const State& state, std::uint16_t action) noexcept {
    const std::vector<Act>& acts = state.choices->acts;
    const auto found = std::ranges::lower_bound(acts, action, {}, &Act::action);
    return found != acts.end() && found->action == action ? &*found : nullptr;
}

Tile drawn(const std::vector<TileProbability>& outcomes, Rng& rng) {
    double left = rng.uniform();
    for (const TileProbability& one : outcomes) {
        left -= one.probability;
        if (left < 0.0) return one.tile;
    }
    return outcomes.back().tile;
}

}  // namespace

Rules::Rules(std::shared_ptr<const CellPredictor> predictor,
             std::shared_ptr<const RewardModel> reward_model, SearchSettings settings, bool caches)
    : predictor_(std::move(predictor)),
      reward_model_(std::move(reward_model)),
      settings_(settings),
      caches_(caches),
      cache_(std::make_shared<PredictionCache>(*predictor_)) {}

int Rules::legal(const State& state, int seat, std::span<Action> out) const noexcept {
    if (seat != 0 || over(state)) return 0;
    const std::vector<Act>& acts = state.choices->acts;
    for (std::size_t i = 0; i < acts.size(); ++i) out[i] = acts[i].action;
    return static_cast<int>(acts.size());
}

bool Rules::is_legal(const State& state, int seat, Action action) const noexcept {
    return seat == 0 && !over(state) && act_of(state, action) != nullptr;
}

int Rules::visits(const State& state) const {
    const std::scoped_lock lock(visits_->mutex);
    const auto found = visits_->times.find(state.hash);
    return found == visits_->times.end() ? 0 : found->second;
}

void Rules::apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept {
    const Act& act = *act_of(state, actions[0]);
    const PredictedStep predicted = predict(state, act, rng);
    state.confidence *= predicted.confidence;
    state.unseen = predicted.unseen;
    add_reward(state, predicted.changes, act.verb);
    state.bonus += settings_.curiosity * predicted.unseen;
    if (settings_.boredom != 0.0) state.bonus -= settings_.boredom * visits(state);
    // Also a predicted win: searches are drawn to wins that exist only in the model.
    if (state.confidence < settings_.trust) state.ending = Ending::unknown;
}

Rules::PredictedStep Rules::predict(State& state, const Act& act, Rng& rng) const {
    // All verbs never seen in training share one index.
    const int verb = std::min<int>(act.verb, predictor_->verbs);
    if (caches_) {
        // If another thread holds the cache, predict without it: same result, slower.
        const std::unique_lock lock(cache_->mutex, std::try_to_lock);
        if (lock.owns_lock()) return predict_cached(state, act, verb, rng);
        state.generation = 0;
    }
    PredictedStep predicted = predict_afresh(state, act, verb, rng);
    change(state, predicted.changes);
    return predicted;
}

// Step 1. Number the neighbourhoods of the state, if its parent did not. Step 2. Predict those not
// in the cache. Step 3. Change the cells. Step 4. Renumber neighbourhoods with a changed cell.
Rules::PredictedStep Rules::predict_cached(State& state, const Act& act, int verb, Rng& rng) const {
    PredictionCache& known = *cache_;
    if (known.is_full()) known.forget();
    if (state.generation != known.generation()) number_all(state);
    const std::size_t cells = state.cells();
    known.work.cells += cells;

    thread_local std::vector<std::uint32_t> numbers, open;
    numbers.assign(state.patterns.begin(), state.patterns.end());
    if (act.cell != kNowhere) {
        thread_local std::vector<Tile> row;
        row.resize(predictor_->cells());
        const auto columns = state.width;
        const int touched_row = act.cell / columns, touched_column = act.cell % columns;
        const int span = predictor_->around.span;
        for (int y = std::max(0, touched_row - span);
             y <= std::min(state.height - 1, touched_row + span); ++y) {
            for (int x = std::max(0, touched_column - span);
                 x <= std::min(state.width - 1, touched_column + span); ++x) {
                const auto cell = static_cast<std::size_t>(y * columns + x);
                predictor_->around.gather(state, cell, act.cell, row.data());
                numbers[cell] = known.number(row.data());
            }
        }
    }
    open.clear();
    for (const std::uint32_t number : numbers) {
        if (known.entry(number, verb).known == 0) open.push_back(number);
    }
    if (!open.empty()) {
        std::ranges::sort(open);
        open.erase(std::ranges::unique(open).begin(), open.end());
        known.fill(*predictor_, open, verb);
    }

    PredictedStep predicted;
    std::size_t cell = 0;
    for (std::int32_t y = 0; y < state.height; ++y) {
        const Tile* const tiles = &state.grid[state.offset(cell)];
        for (std::int32_t x = 0; x < state.width; ++x, ++cell) {
            const PredictionCache::Entry& entry = known.entry(numbers[cell], verb);
            predicted.confidence *= entry.confidence;
            predicted.unseen += entry.seen == 0 ? 1U : 0U;
            const Tile after = settings_.samples && entry.outcomes >= 0
                                   ? drawn(known.outcomes(entry), rng)
                                   : entry.tile;
            if (after != tiles[x]) predicted.changes.push_back({cell, tiles[x], after});
        }
    }
    change(state, predicted.changes);
    renumber(state, predicted.changes);
    return predicted;
}

Rules::PredictedStep Rules::predict_afresh(const State& state, const Act& act, int verb,
                                           Rng& rng) const {
    const std::size_t cells = state.cells(), width = predictor_->cells() + 1;
    std::vector<Tile> rows(cells * width);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        predictor_->around.gather(state, cell, act.cell, &rows[cell * width]);
        rows[cell * width + width - 1] = static_cast<Tile>(verb);
    }
    std::vector<Prediction> predictions(cells);
    predictor_->predict(rows, predictions);
    PredictedStep predicted;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const Prediction& prediction = predictions[cell];
        predicted.confidence *= prediction.confidence;
        predicted.unseen += prediction.seen ? 0U : 1U;
        const Tile before = state.tile(cell);
        const Tile after = settings_.samples && !prediction.outcomes.empty()
                               ? drawn(prediction.outcomes, rng)
                               : prediction.tile;
        if (after != before) predicted.changes.push_back({cell, before, after});
    }
    return predicted;
}

void Rules::number_all(State& state) const {
    thread_local std::vector<Tile> row;
    const Neighbourhood& around = predictor_->around;
    row.resize(around.cells());
    state.patterns.resize(state.cells());
    for (std::size_t cell = 0; cell < state.cells(); ++cell) {
        around.gather(state, cell, kNowhere, row.data());
        state.patterns[cell] = cache_->number(row.data());
    }
    state.generation = cache_->generation();
}

void Rules::renumber(State& state, std::span<const Change> changes) const {
    thread_local std::vector<Tile> row;
    thread_local std::vector<std::uint8_t> stale;
    const Neighbourhood& around = predictor_->around;
    row.resize(around.cells());
    stale.assign(state.cells(), 0);
    for (const Change& changed : changes) {
        const int y = static_cast<int>(changed.cell) / state.width;
        const int x = static_cast<int>(changed.cell) % state.width;
        for (std::size_t i = 0; i < around.cells(); ++i) {
            const int seer_y = y - around.rows[i], seer_x = x - around.columns[i];
            if (seer_y < 0 || seer_y >= state.height || seer_x < 0 || seer_x >= state.width) {
                continue;
            }
            const auto cell = static_cast<std::size_t>(seer_y * state.width + seer_x);
            if (stale[cell] != 0) continue;
            stale[cell] = 1;
            around.gather(state, cell, kNowhere, row.data());
            state.patterns[cell] = cache_->number(row.data());
        }
    }
}

void Rules::add_reward(State& state, std::span<const Change> changes, int verb) const {
    if (reward_model_->is_empty()) return;
    thread_local std::vector<std::int16_t> row;
    describe(reward_model_->features, reward_model_->tiles, state, changes, row);
    const double gain = reward_model_->gain(row.data(), verb);
    state.score += settings_.discounts ? gain * state.confidence : gain;
    state.ending = reward_model_->ending(row.data(), verb);
}

}  // namespace ludex::learned

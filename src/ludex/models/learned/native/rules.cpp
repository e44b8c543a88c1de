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

Tile drawn(const std::vector<Share>& outcomes, Rng& rng) {
    double left = rng.uniform();
    for (const Share& one : outcomes) {
        left -= one.probability;
        if (left < 0.0) return one.tile;
    }
    return outcomes.back().tile;
}

}  // namespace

Rules::Rules(std::shared_ptr<const Knowledge> knowledge, std::shared_ptr<const Judge> judge,
             Attitude attitude, bool caches)
    : knowledge_(std::move(knowledge)),
      judge_(std::move(judge)),
      attitude_(attitude),
      caches_(caches),
      patterns_(std::make_shared<Patterns>(*knowledge_)) {}

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
    const Predicted predicted = predict(state, act, rng);
    state.confidence *= predicted.confidence;
    state.unseen = predicted.unseen;
    judge_changes(state, predicted.changes, act.verb);
    state.bonus += attitude_.curiosity * predicted.unseen;
    if (attitude_.boredom != 0.0) state.bonus -= attitude_.boredom * visits(state);
    // Also a win: a search finds the one that a wrong guess makes near.
    if (state.confidence < attitude_.trust) state.ending = Ending::unknown;
}

Rules::Predicted Rules::predict(State& state, const Act& act, Rng& rng) const {
    // A verb never seen is one like all others never seen.
    const int verb = std::min<int>(act.verb, knowledge_->verbs);
    if (caches_) {
        // Someone else may be at it, in another thread: then nothing is looked up, and all is the
        // same but for the time it takes.
        const std::unique_lock lock(patterns_->mutex, std::try_to_lock);
        if (lock.owns_lock()) return predict_cached(state, act, verb, rng);
        state.generation = 0;
    }
    Predicted predicted = predict_afresh(state, act, verb, rng);
    change(state, predicted.changes);
    return predicted;
}

// Step 1. Number the neighbourhoods of the state, if its parent did not. Step 2. Work out answers
// that are missing. Step 3. Change the cells. Step 4. Number anew what saw a change.
Rules::Predicted Rules::predict_cached(State& state, const Act& act, int verb, Rng& rng) const {
    Patterns& known = *patterns_;
    if (known.is_full()) known.forget();
    if (state.generation != known.generation()) number_all(state);
    const std::size_t cells = state.cells();
    known.work.cells += cells;

    thread_local std::vector<std::uint32_t> numbers, open;
    numbers.assign(state.patterns.begin(), state.patterns.end());
    if (act.cell != kNowhere) {
        thread_local std::vector<Tile> row;
        row.resize(knowledge_->cells());
        const auto columns = state.width;
        const int touched_row = act.cell / columns, touched_column = act.cell % columns;
        const int span = knowledge_->around.span;
        for (int y = std::max(0, touched_row - span);
             y <= std::min(state.height - 1, touched_row + span); ++y) {
            for (int x = std::max(0, touched_column - span);
                 x <= std::min(state.width - 1, touched_column + span); ++x) {
                const auto cell = static_cast<std::size_t>(y * columns + x);
                knowledge_->around.gather(state, cell, act.cell, row.data());
                numbers[cell] = known.number(row.data());
            }
        }
    }
    open.clear();
    for (const std::uint32_t number : numbers) {
        if (known.answer(number, verb).known == 0) open.push_back(number);
    }
    if (!open.empty()) {
        std::ranges::sort(open);
        open.erase(std::ranges::unique(open).begin(), open.end());
        known.learn(*knowledge_, open, verb);
    }

    Predicted predicted;
    std::size_t cell = 0;
    for (std::int32_t y = 0; y < state.height; ++y) {
        const Tile* const tiles = &state.grid[state.place(cell)];
        for (std::int32_t x = 0; x < state.width; ++x, ++cell) {
            const Patterns::Answer& answer = known.answer(numbers[cell], verb);
            predicted.confidence *= answer.confidence;
            predicted.unseen += answer.seen == 0 ? 1U : 0U;
            const Tile after = attitude_.samples && answer.outcomes >= 0
                                   ? drawn(known.outcomes(answer), rng)
                                   : answer.tile;
            if (after != tiles[x]) predicted.changes.push_back({cell, tiles[x], after});
        }
    }
    change(state, predicted.changes);
    renumber(state, predicted.changes);
    return predicted;
}

Rules::Predicted Rules::predict_afresh(const State& state, const Act& act, int verb,
                                       Rng& rng) const {
    const std::size_t cells = state.cells(), width = knowledge_->cells() + 1;
    std::vector<Tile> rows(cells * width);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        knowledge_->around.gather(state, cell, act.cell, &rows[cell * width]);
        rows[cell * width + width - 1] = static_cast<Tile>(verb);
    }
    std::vector<Guess> guesses(cells);
    knowledge_->ask(rows, guesses);
    Predicted predicted;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const Guess& guess = guesses[cell];
        predicted.confidence *= guess.confidence;
        predicted.unseen += guess.seen ? 0U : 1U;
        const Tile before = state.tile(cell);
        const Tile after =
            attitude_.samples && !guess.outcomes.empty() ? drawn(guess.outcomes, rng) : guess.tile;
        if (after != before) predicted.changes.push_back({cell, before, after});
    }
    return predicted;
}

void Rules::number_all(State& state) const {
    thread_local std::vector<Tile> row;
    const Neighbourhood& around = knowledge_->around;
    row.resize(around.cells());
    state.patterns.resize(state.cells());
    for (std::size_t cell = 0; cell < state.cells(); ++cell) {
        around.gather(state, cell, kNowhere, row.data());
        state.patterns[cell] = patterns_->number(row.data());
    }
    state.generation = patterns_->generation();
}

void Rules::renumber(State& state, std::span<const Change> changes) const {
    thread_local std::vector<Tile> row;
    thread_local std::vector<std::uint8_t> stale;
    const Neighbourhood& around = knowledge_->around;
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
            state.patterns[cell] = patterns_->number(row.data());
        }
    }
}

void Rules::judge_changes(State& state, std::span<const Change> changes, int verb) const {
    if (judge_->is_blind()) return;
    thread_local std::vector<std::int16_t> row;
    describe(judge_->features, judge_->tiles, state, changes, row);
    const double gain = judge_->gain(row.data(), verb);
    state.score += attitude_.discounts ? gain * state.confidence : gain;
    state.ending = judge_->ending(row.data(), verb);
}

}  // namespace ludex::learned

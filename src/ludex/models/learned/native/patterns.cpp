#include "patterns.hpp"

#include <algorithm>
#include <atomic>

namespace ludex::learned {

namespace {

// No two caches ever have a generation in common, so a state never takes one for another.
std::uint64_t next_generation() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

Guess remembered(const Memory& memory, std::uint32_t number) {
    if (memory.is_certain(number)) return {memory.first(number).tile, 1.0, true, {}};
    const std::vector<Seen> outcomes = memory.outcomes(number);
    double total = 0.0;
    const Seen* most = &outcomes[0];
    for (const Seen& one : outcomes) {
        total += one.times;
        if (one.times > most->times || (one.times == most->times && one.tile < most->tile)) {
            most = &one;
        }
    }
    Guess guess{most->tile, most->times / total, true, {}};
    if (outcomes.size() > 1) {
        for (const Seen& one : outcomes) guess.outcomes.push_back({one.tile, one.times / total});
    }
    return guess;
}

}  // namespace

Guess Voters::ask(const Tile* row, std::vector<double>& scratch) const {
    scratch.assign(classes.size(), 0.0);
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
        const double* const shares = &leaves[forest.leaf(tree, row) * classes.size()];
        for (std::size_t i = 0; i < classes.size(); ++i) scratch[i] += shares[i];
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(scratch) - scratch.begin());
    const auto trees = static_cast<double>(forest.trees());
    Guess guess{classes[best], scratch[best] / trees, false, {}};
    if (guess.confidence < 1.0) {
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (scratch[i] > 0.0) guess.outcomes.push_back({classes[i], scratch[i] / trees});
        }
    }
    return guess;
}

void Knowledge::ask(std::span<const Tile> rows_asked, std::span<Guess> out) const {
    const std::size_t width = cells() + 1;
    std::vector<std::size_t> open;  // rows that the memory does not answer
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t found = memory->find(&rows_asked[i * width]);
        out[i].seen = found != RowIndex::kEmpty;
        if (out[i].seen && remembers) {
            out[i] = remembered(*memory, found);
        } else {
            open.push_back(i);
        }
    }
    if (open.empty()) return;
    std::vector<Guess> guesses(open.size());
    if (oracle) {
        std::vector<Tile> rows_open;
        for (const std::size_t i : open) {
            rows_open.insert(rows_open.end(), &rows_asked[i * width],
                             &rows_asked[i * width] + width);
        }
        oracle(rows_open, guesses);
    } else {
        std::vector<double> scratch;
        for (std::size_t i = 0; i < open.size(); ++i) {
            guesses[i] = voters.ask(&rows_asked[open[i] * width], scratch);
        }
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        guesses[i].seen = out[open[i]].seen;
        if (!guesses[i].seen) guesses[i].confidence *= novelty;
        out[open[i]] = std::move(guesses[i]);
    }
}

Patterns::Patterns(const Knowledge& knowledge)
    : index_(knowledge.cells()),
      verbs_(static_cast<std::size_t>(knowledge.verbs) + 1),  // and one for verbs never seen
      generation_(next_generation()) {}

void Patterns::forget() {
    index_.clear();
    answers_.clear();
    pool_.clear();
    generation_ = next_generation();
}

std::uint32_t Patterns::number(const Tile* neighbourhood) {
    ++work.gathered;
    const std::uint32_t number = index_.add(neighbourhood);
    if (index_.size() * verbs_ > answers_.size()) answers_.resize(index_.size() * verbs_);
    return number;
}

void Patterns::learn(const Knowledge& knowledge, std::span<const std::uint32_t> numbers, int verb) {
    const std::size_t cells = knowledge.cells();
    std::vector<Tile> rows;
    rows.reserve(numbers.size() * (cells + 1));
    for (const std::uint32_t number : numbers) {
        const Tile* const row = index_.row(number);
        rows.insert(rows.end(), row, row + cells);
        rows.push_back(static_cast<Tile>(verb));
    }
    std::vector<Guess> guesses(numbers.size());
    knowledge.ask(rows, guesses);
    work.asked += numbers.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        Answer& answer = answers_[numbers[i] * verbs_ + static_cast<std::size_t>(verb)];
        answer = {guesses[i].tile, 1, static_cast<std::uint8_t>(guesses[i].seen), -1,
                  guesses[i].confidence};
        if (!guesses[i].outcomes.empty()) {
            answer.outcomes = static_cast<std::int32_t>(pool_.size());
            pool_.push_back(std::move(guesses[i].outcomes));
        }
    }
}

}  // namespace ludex::learned

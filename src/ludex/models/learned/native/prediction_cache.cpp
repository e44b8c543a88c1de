#include "prediction_cache.hpp"

#include <algorithm>
#include <atomic>

namespace ludex::learned {

namespace {

// Generations are unique over all caches, so a state never mistakes one cache for another.
std::uint64_t next_generation() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

Prediction remembered(const TileMemory& memory, std::uint32_t number) {
    if (memory.is_certain(number)) return {memory.first(number).tile, 1.0, true, {}};
    const std::vector<TileCount> outcomes = memory.outcomes(number);
    double total = 0.0;
    const TileCount* most = &outcomes[0];
    for (const TileCount& one : outcomes) {
        total += one.times;
        if (one.times > most->times || (one.times == most->times && one.tile < most->tile)) {
            most = &one;
        }
    }
    Prediction prediction{most->tile, most->times / total, true, {}};
    if (outcomes.size() > 1) {
        for (const TileCount& one : outcomes)
            prediction.outcomes.push_back({one.tile, one.times / total});
    }
    return prediction;
}

}  // namespace

Prediction TreeClassifier::classify(const Tile* row, std::vector<double>& scratch) const {
    scratch.assign(classes.size(), 0.0);
    for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
        const double* const shares = &leaves[forest.leaf(tree, row) * classes.size()];
        for (std::size_t i = 0; i < classes.size(); ++i) scratch[i] += shares[i];
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(scratch) - scratch.begin());
    const auto trees = static_cast<double>(forest.trees());
    Prediction prediction{classes[best], scratch[best] / trees, false, {}};
    if (prediction.confidence < 1.0) {
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (scratch[i] > 0.0) prediction.outcomes.push_back({classes[i], scratch[i] / trees});
        }
    }
    return prediction;
}

void CellPredictor::predict(std::span<const Tile> rows_asked, std::span<Prediction> out) const {
    const std::size_t width = cells() + 1;
    std::vector<std::size_t> open;  // rows to classify
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
    std::vector<Prediction> predictions(open.size());
    if (classifier) {
        std::vector<Tile> rows_open;
        for (const std::size_t i : open) {
            rows_open.insert(rows_open.end(), &rows_asked[i * width],
                             &rows_asked[i * width] + width);
        }
        classifier(rows_open, predictions);
    } else {
        std::vector<double> scratch;
        for (std::size_t i = 0; i < open.size(); ++i) {
            predictions[i] = trees.classify(&rows_asked[open[i] * width], scratch);
        }
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        predictions[i].seen = out[open[i]].seen;
        if (!predictions[i].seen) predictions[i].confidence *= novelty;
        out[open[i]] = std::move(predictions[i]);
    }
}

PredictionCache::PredictionCache(const CellPredictor& predictor)
    : index_(predictor.cells()),
      verbs_(static_cast<std::size_t>(predictor.verbs) + 1),  // plus one for verbs never seen
      generation_(next_generation()) {}

void PredictionCache::forget() {
    index_.clear();
    entries_.clear();
    pool_.clear();
    generation_ = next_generation();
}

std::uint32_t PredictionCache::number(const Tile* neighbourhood) {
    ++work.gathered;
    const std::uint32_t number = index_.add(neighbourhood);
    if (index_.size() * verbs_ > entries_.size()) entries_.resize(index_.size() * verbs_);
    return number;
}

void PredictionCache::fill(const CellPredictor& predictor, std::span<const std::uint32_t> numbers,
                           int verb) {
    const std::size_t cells = predictor.cells();
    std::vector<Tile> rows;
    rows.reserve(numbers.size() * (cells + 1));
    for (const std::uint32_t number : numbers) {
        const Tile* const row = index_.row(number);
        rows.insert(rows.end(), row, row + cells);
        rows.push_back(static_cast<Tile>(verb));
    }
    std::vector<Prediction> predictions(numbers.size());
    predictor.predict(rows, predictions);
    work.asked += numbers.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        Entry& entry = entries_[numbers[i] * verbs_ + static_cast<std::size_t>(verb)];
        entry = {predictions[i].tile, 1, static_cast<std::uint8_t>(predictions[i].seen), -1,
                 predictions[i].confidence};
        if (!predictions[i].outcomes.empty()) {
            entry.outcomes = static_cast<std::int32_t>(pool_.size());
            pool_.push_back(std::move(predictions[i].outcomes));
        }
    }
}

}  // namespace ludex::learned

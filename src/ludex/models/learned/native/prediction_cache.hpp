// Prediction of the next tile of a cell, looked up in memory or classified, and a cache of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "forest.hpp"
#include "grid.hpp"
#include "tile_memory.hpp"

namespace ludex::learned {

struct TileProbability {
    Tile tile = kBorder;
    double probability = 0.0;
};

// The predicted next tile in the middle of a row.
struct Prediction {
    Tile tile = kBorder;
    double confidence = 0.0;
    bool seen = false;                      // the row occurred in training
    std::vector<TileProbability> outcomes;  // the distribution, if there is more than one tile
};

// A tree or forest that averages class probabilities, as in scikit-learn.
struct TreeClassifier {
    Forest forest;
    std::vector<Tile> classes;
    std::vector<double> leaves;  // of each leaf, the share of each class

    [[nodiscard]] Prediction classify(const Tile* row, std::vector<double>& scratch) const;
};

// A classifier of many rows at once, for classifiers that are not trees.
using BatchClassifier = std::function<void(std::span<const Tile> rows, std::span<Prediction> out)>;

// Predicts the next tile from a neighbourhood and a verb; immutable.
struct CellPredictor {
    Neighbourhood around;
    int verbs = 0;  // verbs 0 to verbs - 1 were seen
    std::shared_ptr<const TileMemory> memory = std::make_shared<TileMemory>(1);
    bool remembers = true;  // look seen rows up before asking the classifier
    double novelty = 0.5;   // factor on the confidence in rows never seen
    TreeClassifier trees;
    BatchClassifier classifier;  // used instead of the trees if set

    [[nodiscard]] std::size_t cells() const noexcept { return around.cells(); }
    // Predict many rows of `cells() + 1` values, the verb last.
    void predict(std::span<const Tile> rows_asked, std::span<Prediction> out) const;
};

// A cache of predictions by neighbourhood and verb. Predictions are those of `CellPredictor`, so
// the cache changes speed only.
class PredictionCache {
public:
    explicit PredictionCache(const CellPredictor& predictor);

    static constexpr std::size_t kMost = 200'000;

    struct Entry {
        Tile tile = kBorder;
        std::uint8_t known = 0;  // 0: not predicted yet
        std::uint8_t seen = 0;
        std::int32_t outcomes = -1;  // in the pool of outcomes
        double confidence = 0.0;
    };
    struct Work {
        std::uint64_t cells = 0;     // predicted
        std::uint64_t gathered = 0;  // neighbourhoods that were read from a grid
        std::uint64_t asked = 0;     // predictions that were computed
    };

    std::mutex mutex;
    Work work;

    // Indices given before the last `forget` are invalid.
    [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
    [[nodiscard]] bool is_full() const noexcept { return index_.size() >= kMost; }
    void forget();

    [[nodiscard]] std::uint32_t number(const Tile* neighbourhood);
    [[nodiscard]] const Entry& entry(std::uint32_t number, int verb) const noexcept {
        return entries_[number * verbs_ + static_cast<std::size_t>(verb)];
    }
    [[nodiscard]] const std::vector<TileProbability>& outcomes(const Entry& entry) const noexcept {
        return pool_[static_cast<std::size_t>(entry.outcomes)];
    }
    // Predict these neighbourhoods in one batch.
    void fill(const CellPredictor& predictor, std::span<const std::uint32_t> numbers, int verb);

private:
    RowIndex index_;
    std::size_t verbs_;
    std::uint64_t generation_;
    std::vector<Entry> entries_;
    std::vector<std::vector<TileProbability>> pool_;
};

}  // namespace ludex::learned

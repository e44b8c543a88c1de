// What follows each neighbourhood: remembered where it was seen, guessed where it was not.
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
#include "memory.hpp"

namespace ludex::learned {

struct Share {
    Tile tile = kBorder;
    double probability = 0.0;
};

// An answer about the tile in the middle of a row.
struct Guess {
    Tile tile = kBorder;
    double confidence = 0.0;
    bool seen = false;            // the very row came up in training
    std::vector<Share> outcomes;  // all that may follow, where there is more than one
};

// Trees that vote with probabilities, as scikit-learn's do.
struct Voters {
    Forest forest;
    std::vector<Tile> classes;
    std::vector<double> leaves;  // of each leaf, the share of each class

    [[nodiscard]] Guess ask(const Tile* row, std::vector<double>& scratch) const;
};

// Answers rows one after the other, for classifiers that are not trees.
using Oracle = std::function<void(std::span<const Tile> rows, std::span<Guess> out)>;

// All that is known about neighbourhoods; it never changes.
struct Knowledge {
    Neighbourhood around;
    int verbs = 0;  // verbs 0 to verbs - 1 were seen
    std::shared_ptr<const Memory> memory = std::make_shared<Memory>(1);
    bool remembers = true;  // what was seen is looked up before the classifier is asked
    double novelty = 0.5;   // a guess about a row never seen is trusted so much less
    Voters voters;
    Oracle oracle;  // asked instead of the voters where there is one

    [[nodiscard]] std::size_t cells() const noexcept { return around.cells(); }
    // Answers for many rows of `cells() + 1` numbers, the verb last.
    void ask(std::span<const Tile> rows_asked, std::span<Guess> out) const;
};

// Neighbourhoods that have come up in states, each with a number, and the answers about them that
// were needed so far. Answers are those of `Knowledge`, so nothing but time depends on it.
class Patterns {
public:
    explicit Patterns(const Knowledge& knowledge);

    static constexpr std::size_t kMost = 200'000;

    struct Answer {
        Tile tile = kBorder;
        std::uint8_t known = 0;  // 0: not asked yet
        std::uint8_t seen = 0;
        std::int32_t outcomes = -1;  // in the pool of outcomes
        double confidence = 0.0;
    };
    struct Work {
        std::uint64_t cells = 0;     // predicted
        std::uint64_t gathered = 0;  // neighbourhoods that were read from a grid
        std::uint64_t asked = 0;     // answers that had to be worked out
    };

    std::mutex mutex;
    Work work;

    // Numbers given before the last `forget` mean nothing any more.
    [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
    [[nodiscard]] bool is_full() const noexcept { return index_.size() >= kMost; }
    void forget();

    [[nodiscard]] std::uint32_t number(const Tile* neighbourhood);
    [[nodiscard]] const Answer& answer(std::uint32_t number, int verb) const noexcept {
        return answers_[number * verbs_ + static_cast<std::size_t>(verb)];
    }
    [[nodiscard]] const std::vector<Share>& outcomes(const Answer& answer) const noexcept {
        return pool_[static_cast<std::size_t>(answer.outcomes)];
    }
    // Work out what is not known yet of these neighbourhoods, all at once.
    void learn(const Knowledge& knowledge, std::span<const std::uint32_t> numbers, int verb);

private:
    RowIndex index_;
    std::size_t verbs_;
    std::uint64_t generation_;
    std::vector<Answer> answers_;
    std::vector<std::vector<Share>> pool_;
};

}  // namespace ludex::learned

// Crossover and mutation of sequences: planners/parts/breeding.py and gene_bandits.py.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "../rng.hpp"
#include "bandit.hpp"
#include "evaluator.hpp"
#include "genomes.hpp"
#include "selection.hpp"
#include "slabs.hpp"

namespace ludex::search {

enum class Crossover : std::uint8_t { uniform, one_point, none };
constexpr std::array<std::string_view, 3> kCrossoverNames{"uniform", "one_point", "none"};

enum class Mutation : std::uint8_t { one, each, bandit };
constexpr std::array<std::string_view, 3> kMutationNames{"one", "each", "bandit"};

inline void cross(Crossover how, std::span<const Gene> first, std::span<const Gene> second,
                  Rng& rng, Genome child) noexcept {
    constexpr std::size_t kCoins = 64;  // tossed with one draw
    std::ranges::copy(first, child.begin());
    if (how == Crossover::none) return;
    if (how == Crossover::one_point) {
        const auto point = static_cast<std::ptrdiff_t>(rng.below(first.size()));
        std::copy(second.begin() + point, second.end(), child.begin() + point);
        return;
    }
    std::uint64_t coins = 0;
    for (std::size_t place = 0; place < child.size(); ++place) {
        if (place % kCoins == 0) coins = rng.next();
        child[place] = (coins & 1) != 0 ? second[place] : first[place];
        coins >>= 1;
    }
}

// Draw the place of a parent: the best of `size` individuals, which are sorted.
[[nodiscard]] inline std::size_t tournament(std::size_t individuals, std::int64_t size,
                                            Rng& rng) noexcept {
    std::size_t best = individuals;
    for (std::int64_t i = 0; i < size; ++i) {
        best = std::min<std::size_t>(best, rng.below(individuals));
    }
    return best;
}

// Redraw one gene.
template <class Action>
void mutate_one(Genome genome, const Alphabets<Action>& alphabets, Rng& rng) noexcept {
    const std::size_t place = rng.below(genome.size());
    genome[place] = alphabets[place].draw(rng);
}

// Redraw each gene with this probability.
template <class Action>
void mutate_each(Genome genome, const Alphabets<Action>& alphabets, double rate,
                 Rng& rng) noexcept {
    for (std::size_t place = 0; place < genome.size(); ++place) {
        if (rng.uniform() < rate) genome[place] = alphabets[place].draw(rng);
    }
}

// Two levels of ucb1: an outer bandit over the places, and one in each place over its genes. What a
// change is rewarded with is the value of the sequence that it made.
template <class Action>
class GeneBandits {
public:
    struct Change {
        std::size_t arm = 0;  // of the place,
        std::size_t gene_arm = 0;
        std::size_t place = 0;
        Gene gene = kUndrawn;
    };

    GeneBandits(std::size_t length, std::shared_ptr<Stock> stock)
        : slabs_(std::move(stock)), genes_(length), known_(length, 0) {
        std::vector<Gene> places(length);
        std::iota(places.begin(), places.end(), Gene{0});
        places_.open(0, places, slabs_);
    }

    [[nodiscard]] Change choose(const Alphabets<Action>& alphabets, Rng& rng) {
        Change change;
        change.arm = pull(places_, rng);
        change.place = static_cast<std::size_t>(places_.actions[change.arm]);
        Bandit<Gene>& bandit = genes_[change.place];
        const std::span<const Gene> listed = alphabets[change.place].genes();
        for (const Gene gene : listed.subspan(known_[change.place])) {
            bandit.untried.push_back(gene, slabs_);
        }
        known_[change.place] = listed.size();
        if (bandit.untried.empty() && bandit.actions.empty()) {
            bandit.untried.push_back(kUndrawn, slabs_);  // nobody has been there
        }
        change.gene_arm = pull(bandit, rng);
        change.gene = bandit.actions[change.gene_arm];
        return change;
    }

    void learn(const Change& change, double value) {
        places_.record(change.arm, value);
        genes_[change.place].record(change.gene_arm, value);
        range_.widen(std::span(&value, 1));
    }

    [[nodiscard]] std::size_t bytes() const noexcept { return slabs_.taken(); }

private:
    [[nodiscard]] std::size_t pull(Bandit<Gene>& bandit, Rng& rng) {
        if (!bandit.untried.empty()) return bandit.try_one(rng, slabs_);
        return select(Rule::ucb1, bandit.tried(), std::sqrt(2.0), range_.span, rng);
    }

    Slabs slabs_;
    Bandit<Gene> places_;
    std::vector<Bandit<Gene>> genes_;
    std::vector<std::size_t> known_;  // genes of each place that its bandit was told of
    Range range_;
};

}  // namespace ludex::search

// Action sequences of one seat, played and valued: planners/parts/sequences.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../kernels.hpp"
#include "../meter.hpp"
#include "../policies.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "evaluator.hpp"
#include "slabs.hpp"

namespace ludex::search {

// An action, or none that anybody has drawn yet: one is drawn when play gets there.
using Gene = std::int64_t;
constexpr Gene kUndrawn = -1;

using Genome = std::span<Gene>;

// The genes known at one place of a seat's sequences, in the order they were found in.
template <class Action>
class Alphabet {
public:
    // Legal actions ascend.
    void learn(std::span<const Action> legal) {
        if (std::ranges::equal(legal, last_)) return;
        last_.assign(legal.begin(), legal.end());
        auto next = sorted_.begin();
        for (const Action action : legal) {
            const auto gene = static_cast<Gene>(action);
            next = std::lower_bound(next, sorted_.end(), gene);
            if (next != sorted_.end() && *next == gene) continue;
            next = sorted_.insert(next, gene);
            genes_.push_back(gene);
        }
    }
    [[nodiscard]] bool knows(Gene gene) const noexcept {
        return std::ranges::binary_search(sorted_, gene);
    }
    // None where none is known yet.
    [[nodiscard]] Gene draw(Rng& rng) const noexcept {
        return genes_.empty() ? kUndrawn : genes_[rng.below(genes_.size())];
    }
    [[nodiscard]] std::span<const Gene> genes() const noexcept { return genes_; }

private:
    std::vector<Gene> genes_;
    std::vector<Gene> sorted_;
    std::vector<Action> last_;  // that were legal here when somebody looked last
};

template <class Action>
using Alphabets = std::vector<Alphabet<Action>>;

template <class Action>
void draw_genome(const Alphabets<Action>& alphabets, Rng& rng, Genome out) noexcept {
    for (std::size_t place = 0; place < out.size(); ++place)
        out[place] = alphabets[place].draw(rng);
}

// Memory of genomes of one length; what is given back is taken again.
class GenomePool {
public:
    GenomePool(std::size_t length, std::shared_ptr<Stock> stock)
        : length_(length), slabs_(std::move(stock)) {}

    [[nodiscard]] Genome take() {
        if (spare_.empty()) return {slabs_.room<Gene>(length_), length_};
        const Genome found = spare_.back();
        spare_.pop_back();
        return found;
    }
    [[nodiscard]] Genome copy_of(Genome genome) {
        const Genome made = take();
        std::ranges::copy(genome, made.begin());
        return made;
    }
    void give_back(Genome genome) { spare_.push_back(genome); }
    [[nodiscard]] std::size_t bytes() const noexcept { return slabs_.taken(); }

private:
    std::size_t length_;
    Slabs slabs_;
    std::vector<Genome> spare_;
};

// How the end of a sequence is valued.
struct Valuation {
    Value value = Value::returns;
    double score_scale = 10.0;
    std::int64_t rollouts = 0;  // random plays from there; 0: the state itself is valued
    std::int64_t rollout_length = 1;
};

// Plays sequences in place on a state. A gene that is not legal where it is reached is replaced in
// the sequence by a legal one. Other seats follow their sequences if they have one, else they play
// uniformly.
template <WorldRules R>
class Stage {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    // By seat; empty where a seat has none.
    using Lines = std::array<std::span<const Gene>, static_cast<std::size_t>(R::kMaxSeats)>;

    Stage(const R& rules, std::size_t length, std::int64_t limit, Valuation valuation)
        : rules_(&rules), length_(length), limit_(limit), valuation_(valuation) {}

    [[nodiscard]] const R& rules() const noexcept { return *rules_; }
    [[nodiscard]] std::size_t length() const noexcept { return length_; }
    [[nodiscard]] const Valuation& valuation() const noexcept { return valuation_; }
    [[nodiscard]] std::int64_t deepest() const noexcept { return deepest_; }

    [[nodiscard]] Evaluator<R> evaluator_beside(const State& state) const noexcept {
        return Evaluator<R>(*rules_, state, valuation_.value, valuation_.score_scale);
    }

    // What is known before the first play: who plays alone will often have the same actions.
    [[nodiscard]] Alphabets<Action> alphabets_of(int seat, int own,
                                                 std::span<const Action> legal) const {
        Alphabets<Action> made(length_);
        const bool is_alone = rules_->seats() == 1;
        for (std::size_t place = 0; place < length_; ++place) {
            if (place == 0 ? seat == own : is_alone) made[place].learn(legal);
        }
        return made;
    }

    // What the end of a seat's genome is worth to every seat. False when the budget is spent.
    [[nodiscard]] bool play(State& state, const Evaluator<R>& evaluator, int seat, Genome genome,
                            Alphabets<Action>& alphabets, const Lines& others, Rng& rng,
                            Meter& meter, PerSeat<R>& values) {
        std::int64_t ticks = 0;
        if (!follow(state, seat, genome, alphabets, others, rng, meter, ticks)) return false;
        if (!value_of(state, evaluator, ticks, rng, meter, values)) return false;
        deepest_ = std::max(deepest_, ticks);
        return true;
    }

private:
    [[nodiscard]] bool follow(State& state, int own, Genome genome, Alphabets<Action>& alphabets,
                              const Lines& others, Rng& rng, Meter& meter, std::int64_t& ticks) {
        const R& rules = *rules_;
        std::array<std::uint32_t, static_cast<std::size_t>(R::kMaxSeats)> reached{};
        JointAction<R> joint;
        LegalBuffer<R> buffer;
        for (; ticks < limit_; ++ticks) {
            SeatSet seats = rules.to_act(state);
            if (seats == kNobody) break;
            std::size_t acting = 0;
            for (; seats != kNobody; seats &= seats - 1, ++acting) {
                const int seat = std::countr_zero(seats);
                const std::size_t place = reached[static_cast<std::size_t>(seat)]++;
                const auto count = static_cast<std::size_t>(rules.legal(state, seat, buffer));
                const auto legal = std::span<const Action>(buffer).first(count);
                if (seat != own) {
                    const auto line = others[static_cast<std::size_t>(seat)];
                    joint[acting] =
                        legal_gene(place < line.size() ? line[place] : kUndrawn, legal, rng);
                } else if (place < genome.size()) {
                    joint[acting] = legal_gene(genome[place], legal, rng);
                    genome[place] = static_cast<Gene>(joint[acting]);
                    alphabets[place].learn(legal);
                } else {
                    joint[acting] = legal_gene(kUndrawn, legal, rng);
                }
            }
            if (!meter.spend()) return false;
            rules.apply(state, std::span<const Action>(joint.data(), acting), rng);
            settle(rules, state, rng);
        }
        return true;
    }

    // The gene if it is legal, else a legal one.
    [[nodiscard]] static Action legal_gene(Gene gene, std::span<const Action> legal,
                                           Rng& rng) noexcept {
        const auto as_gene = [](Action action) { return static_cast<Gene>(action); };
        if (gene != kUndrawn && std::ranges::binary_search(legal, gene, {}, as_gene)) {
            return static_cast<Action>(gene);
        }
        return legal[rng.below(legal.size())];
    }

    // By itself, or by playing on from it.
    [[nodiscard]] bool value_of(const State& state, const Evaluator<R>& evaluator,
                                std::int64_t ticks, Rng& rng, Meter& meter, PerSeat<R>& values) {
        const R& rules = *rules_;
        if (valuation_.rollouts == 0 || rules.over(state)) {
            evaluator.value_of(rules, state, ticks, values);
            return true;
        }
        const auto seats = static_cast<std::size_t>(rules.seats());
        PerSeat<R> one;
        std::fill_n(values.begin(), seats, 0.0);
        Unwatched nobody;
        for (std::int64_t play = 0; play < valuation_.rollouts; ++play) {
            after_ = state;
            meter.count_copy();
            const RolloutEnd end = rollout_by(UniformPolicy{}, rules, after_,
                                              valuation_.rollout_length, rng, meter, nobody);
            if (end.cut || end.refused) return false;
            evaluator.value_of(rules, after_, end.ticks, one);
            for (std::size_t seat = 0; seat < seats; ++seat) values[seat] += one[seat];
        }
        const auto plays = static_cast<double>(valuation_.rollouts);
        for (std::size_t seat = 0; seat < seats; ++seat) values[seat] /= plays;
        return true;
    }

    const R* rules_;
    std::size_t length_;
    std::int64_t limit_;  // ticks of one play
    Valuation valuation_;
    std::int64_t deepest_ = 0;
    State after_;
};

}  // namespace ludex::search

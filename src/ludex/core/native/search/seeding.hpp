// First sequences of an evolution that are better than random: planners/parts/seeding.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../kernels.hpp"
#include "../meter.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "evaluator.hpp"
#include "genomes.hpp"
#include "open_loop.hpp"
#include "opponents.hpp"

namespace ludex::search {

enum class Seeding : std::uint8_t { random, one_step, mcts };
constexpr std::array<std::string_view, 3> kSeedingNames{"random", "one_step", "mcts"};

// Takes the best next state again and again; the rest is random where the game ends first. A search
// of one iteration.
template <WorldRules R>
class GreedySeed {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    GreedySeed(const Stage<R>& stage, const Alphabets<Action>& alphabets, const State& root,
               int seat)
        : stage_(stage), alphabets_(alphabets), root_(root), seat_(seat) {}

    struct Worker {
        GreedySeed& search;
        Meter& meter;
        Rng& rng;
        [[nodiscard]] bool iterate(std::int64_t /*number*/) { return search.plan(rng, meter); }
        [[nodiscard]] bool done() const noexcept { return false; }
    };
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        return {*this, meter, rng};
    }
    [[nodiscard]] const std::vector<Gene>& genome() const noexcept { return genome_; }

private:
    // False when the budget ends on the way; the sequence is good up to there.
    [[nodiscard]] bool plan(Rng& rng, Meter& meter) {
        const R& rules = stage_.rules();
        genome_.resize(stage_.length());
        draw_genome(alphabets_, rng, genome_);
        State state = root_;
        for (Gene& gene : genome_) {
            LegalBuffer<R> buffer;
            const auto count = static_cast<std::size_t>(rules.legal(state, seat_, buffer));
            const auto actions = std::span<Action>(buffer).first(count);
            if (actions.empty()) return true;
            shuffle(actions, rng);  // equals have no favourite
            if (!take_best(state, actions, gene, rng, meter)) return false;
        }
        return true;
    }

    [[nodiscard]] bool take_best(State& state, std::span<const Action> actions, Gene& gene,
                                 Rng& rng, Meter& meter) {
        const R& rules = stage_.rules();
        const Evaluator<R> evaluator = stage_.evaluator_beside(root_);
        PerSeat<R> values;
        double highest = 0.0;
        std::size_t best = actions.size();
        for (std::size_t i = 0; i < actions.size(); ++i) {
            after_ = state;
            meter.count_copy();
            if (!act(after_, actions[i], rng, meter)) return false;
            evaluator.value_of(rules, after_, 0, values);
            const double value = values[static_cast<std::size_t>(seat_)];
            if (best < actions.size() && value <= highest) continue;
            highest = value;
            best = i;
            std::swap(best_, after_);
        }
        gene = static_cast<Gene>(actions[best]);
        std::swap(state, best_);
        return true;
    }

    // Play an action in place, and let the others play until this seat acts again.
    [[nodiscard]] bool act(State& state, Action action, Rng& rng, Meter& meter) {
        const R& rules = stage_.rules();
        JointAction<R> joint;
        LegalBuffer<R> legal;
        for (int tick = 0; tick < kLongestWait; ++tick) {
            std::size_t acting = 0;
            for (SeatSet seats = rules.to_act(state); seats != kNobody;
                 seats &= seats - 1, ++acting) {
                const int seat = std::countr_zero(seats);
                if (seat == seat_) {
                    joint[acting] = action;
                    continue;
                }
                const int count = rules.legal(state, seat, legal);
                joint[acting] = legal[rng.below(static_cast<std::uint64_t>(count))];
            }
            if (!meter.spend()) return false;
            rules.apply(state, std::span<const Action>(joint.data(), acting), rng);
            settle(rules, state, rng);
            const SeatSet next = rules.to_act(state);
            if (next == kNobody || (next & only(seat_)) != 0) return true;
        }
        return true;
    }

    const Stage<R>& stage_;
    const Alphabets<Action>& alphabets_;
    const State& root_;
    int seat_;
    std::vector<Gene> genome_;
    State after_, best_;
};

// The part of a budget that mcts gets.
struct Share {
    double calls = 0.0;  // 0: they are not limited
    double ms = 0.0;
    bool wall = false;  // clock
};

// A search that ends when its share is spent.
template <WorldRules R>
class SharedSearch {
public:
    using Tree = OpenLoopTree<R, false>;

    SharedSearch(Tree& tree, Share share) : tree_(tree), share_(share) {}

    class Worker {
    public:
        Worker(SharedSearch& search, Meter& meter, Rng& rng)
            : search_(search), meter_(meter), inner_(search.tree_.worker(meter, rng, 0)) {}
        [[nodiscard]] bool iterate(std::int64_t number) {
            const std::int64_t before = meter_.calls();
            const bool made = inner_.iterate(number);
            search_.calls_ += meter_.calls() - before;
            return made;
        }
        [[nodiscard]] bool done() const noexcept { return search_.is_spent(meter_); }

    private:
        SharedSearch& search_;
        Meter& meter_;
        typename Tree::Worker inner_;
    };
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        return Worker(*this, meter, rng);
    }
    [[nodiscard]] StateSource<R>& source() noexcept { return tree_.source(); }

private:
    [[nodiscard]] bool is_spent(const Meter& meter) const noexcept {
        if (share_.calls > 0.0) return static_cast<double>(calls_) >= share_.calls;
        if (share_.ms <= 0.0) return false;
        const auto spent = static_cast<double>(share_.wall ? meter.wall_ns() : meter.cpu_ns());
        return spent / 1e6 >= share_.ms;
    }

    Tree& tree_;
    Share share_;
    std::int64_t calls_ = 0;
};

// The most visited first action; where one seat plays alone, also what follows it.
template <WorldRules R>
[[nodiscard]] std::vector<std::int64_t> recommended(const R& rules,
                                                    const OpenLoopTree<R, false>& tree, int seat) {
    constexpr std::size_t kLongestLine = 100;  // core/notes.py
    std::int64_t first = 0, most = 0;
    const std::vector<BanditRecord> roots = tree.root_bandits(seat);
    for (const ActionStatistics& one : roots[0].actions) {
        if (one.visits > most) {
            first = one.action;
            most = one.visits;
        }
    }
    if (most == 0) return {};
    if (rules.seats() > 1) return {first};
    return tree.best_line(first, kLongestLine);
}

}  // namespace ludex::search

// Rolling-horizon evolution: sequences of actions are bred, and the best one's first is played. The
// twin of planners/rhea.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../meter.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "breeding.hpp"
#include "evaluator.hpp"
#include "evolved.hpp"
#include "genomes.hpp"
#include "opponents.hpp"
#include "sequence_tree.hpp"
#include "slabs.hpp"
#include "source.hpp"

namespace ludex::search {

// The parameters of the planner, under their names.
struct EvolutionSettings {
    std::size_t population = 10;
    std::size_t elite = 1;
    std::int64_t tournament = 2;
    Crossover crossover = Crossover::uniform;
    Mutation mutation = Mutation::one;
    double mutation_rate = 0.1;
    std::optional<double> seed_mutation;  // none: as children are mutated
    bool statistical_tree = false;
    bool dynamic_length = false;
    Opponent opponent = Opponent::random;
};

// One decision. Each seat that plans has a side. They take turns: one breeds a whole generation
// against the best sequences of the others, then the next. All sides begin with a first generation
// that has no parents.
template <WorldRules R>
class Evolution final : public EvolvedSequences {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    Evolution(Stage<R> stage, StateSource<R> source, std::span<const Action> legal, int seat,
              EvolutionSettings settings, const std::shared_ptr<Stock>& stock)
        : stage_(std::move(stage)),
          source_(std::move(source)),
          settings_(settings),
          pool_(stage_.length(), stock) {
        // Among several, one is always left to be bred.
        elite_ = settings.population > 1 ? std::min(settings.elite, settings.population - 1) : 1;
        children_ = settings.population > 1 ? settings.population - elite_ : 1;
        sides_.emplace_back(seat, stage_.alphabets_of(seat, seat, legal));
        for (int other = 0; other < stage_.rules().seats(); ++other) {
            if (settings.opponent == Opponent::random || other == seat) continue;
            sides_.emplace_back(other, stage_.alphabets_of(other, seat, legal));
        }
        if (settings.mutation == Mutation::bandit) bandits_.emplace(stage_.length(), stock);
        if (settings.statistical_tree) tree_.emplace(stock);
        if (source_.is_known()) evaluator_.emplace(stage_.evaluator_beside(*source_.known));
    }

    // Begin with the sequences of the last decision, without the actions played since. That search
    // must stay until this one is finished.
    void take_over(const Evolution& last, std::span<const std::int64_t> played,
                   bool keeps_statistics) {
        remembered_ = last.sides_[0].population;
        played_ = played.size();
        if (keeps_statistics && tree_ && last.tree_) tree_->take_over(*last.tree_, played);
    }

    // The first sequence of the first generation, of which others are mutants.
    void seed_with(std::vector<Gene> genome) { seeded_ = std::move(genome); }

    [[nodiscard]] const Alphabets<Action>& alphabets() const noexcept {
        return sides_[0].alphabets;
    }
    [[nodiscard]] const Stage<R>& stage() const noexcept { return stage_; }
    [[nodiscard]] StateSource<R>& source() noexcept { return source_; }

    class Worker {
    public:
        Worker(Evolution& evolution, Meter& meter, Rng& rng)
            : evolution_(evolution), meter_(meter), rng_(rng) {}
        [[nodiscard]] bool iterate(std::int64_t number) {
            return evolution_.step(number, rng_, meter_);
        }
        [[nodiscard]] bool done() const noexcept { return false; }

    private:
        Evolution& evolution_;
        Meter& meter_;
        Rng& rng_;
    };
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        return Worker(*this, meter, rng);
    }

    // The budget is spent: what was to be replaced stays beside what there is of the next
    // generation.
    void finish() {
        for (Side& side : sides_) {
            std::vector<Individual> all = side.population;
            all.insert(all.end(), side.fresh.begin(), side.fresh.end());
            keep(side, std::move(all));
        }
        remembered_.clear();
    }

    [[nodiscard]] Counters counters() const override {
        Counters found;
        found.size = tree_ ? tree_->size() : 0;
        found.iterations = evaluated_;
        found.depth = stage_.deepest();
        found.range = range_;
        return found;
    }
    // Of the statistical tree.
    [[nodiscard]] std::vector<BanditRecord> root_bandits(int /*seat*/) const override {
        if (!tree_) return {};
        return {tree_->firsts()};
    }
    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const override {
        return tree_ ? tree_->nodes(most) : std::vector<NodeRecord>{};
    }
    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t /*first*/,
                                                      std::size_t longest) const override {
        std::vector<std::int64_t> line = champion();
        std::erase(line, kUndrawn);
        line.resize(std::min(line.size(), longest));
        return line;
    }
    [[nodiscard]] std::size_t bytes() const override {
        return pool_.bytes() + (tree_ ? tree_->bytes() : 0) + (bandits_ ? bandits_->bytes() : 0);
    }
    [[nodiscard]] std::vector<std::int64_t> champion() const override {
        if (sides_[0].population.empty()) return {};
        const Genome best = sides_[0].population[0].genome;
        return {best.begin(), best.end()};
    }
    [[nodiscard]] std::vector<Sequence> population(int seat) const override {
        std::vector<Sequence> found;
        for (const Side& side : sides_) {
            if (side.seat != seat) continue;
            for (const Individual& one : side.population) {
                found.push_back({{one.genome.begin(), one.genome.end()}, one.value});
            }
        }
        return found;
    }

private:
    // A sequence that was played, and its value for the aim of its seat.
    struct Individual {
        Genome genome;
        double value = 0.0;
    };
    struct Side {
        Side(int the_seat, Alphabets<Action> the_alphabets)
            : seat(the_seat), alphabets(std::move(the_alphabets)) {}
        int seat;
        Alphabets<Action> alphabets;
        std::vector<Individual> population;  // best first
        std::vector<Individual> fresh;       // the next generation, as far as it is valued
    };

    [[nodiscard]] bool has_others() const noexcept { return sides_.size() > 1; }

    // Play one more sequence of the side whose turn it is. False, with nothing changed but what was
    // drawn, when the budget is spent.
    [[nodiscard]] bool step(std::int64_t number, Rng& rng, Meter& meter) {
        source_.put(stage_.rules(), number, source_.stream, state_);
        meter.count_copy();
        if (!source_.is_known()) evaluator_.emplace(stage_.evaluator_beside(state_));
        Side& side = sides_[turn_];
        const std::size_t place = side.fresh.size();
        bool played = false;
        if (side.population.empty()) {
            played = try_out(side, first_genome(side, place, rng), rng, meter);
        } else if (has_others() && place < elite_) {
            // The others have changed since the elite was valued.
            played = try_out(side, pool_.copy_of(side.population[place].genome), rng, meter);
        } else if (turn_ == 0 && bandits_) {
            played = try_change(side, rng, meter);
        } else {
            played = try_out(side, child(side, rng), rng, meter);
        }
        if (played) end_generation(side);
        return played;
    }

    // Let the next generation take the place of the last one, once it is complete.
    void end_generation(Side& side) {
        const std::size_t again = has_others() ? elite_ : 0;
        const std::size_t wanted =
            side.population.empty() ? settings_.population : children_ + again;
        if (side.fresh.size() < wanted) return;
        const std::size_t kept = again > 0 ? 0 : std::min(elite_, side.population.size());
        for (std::size_t i = kept; i < side.population.size(); ++i) {
            pool_.give_back(side.population[i].genome);
        }
        side.population.resize(kept);
        side.population.insert(side.population.end(), side.fresh.begin(), side.fresh.end());
        keep(side, std::move(side.population));
        turn_ = (turn_ + 1) % sides_.size();
        if (turn_ == 0) ++rounds_;
    }

    // Keep the best; among equals those that come first.
    void keep(Side& side, std::vector<Individual> individuals) {
        std::ranges::stable_sort(individuals, std::greater<>{}, &Individual::value);
        while (individuals.size() > settings_.population) {
            pool_.give_back(individuals.back().genome);
            individuals.pop_back();
        }
        side.population = std::move(individuals);
        side.fresh.clear();
    }

    // Where sequences come from

    // A sequence of the first generation: seeded, remembered, or random.
    [[nodiscard]] Genome first_genome(const Side& side, std::size_t place, Rng& rng) {
        const Genome made = pool_.take();
        if (turn_ == 0) {
            const std::size_t seeds = seeded_.empty() ? 0 : 1;
            if (place < seeds + remembered_.size()) {
                if (place < seeds) {
                    fit(seeded_, rng, made);
                } else {
                    const Genome genome = remembered_[place - seeds].genome;
                    fit(genome.subspan(std::min(played_, genome.size())), rng, made);
                }
                return made;
            }
            if (seeds > 0) {
                std::ranges::copy(seeded_, made.begin());
                if (settings_.seed_mutation) {
                    mutate_each(made, side.alphabets, *settings_.seed_mutation, rng);
                } else {
                    mutate(made, side, rng);
                }
                return made;
            }
        }
        draw_genome(side.alphabets, rng, made);
        return made;
    }

    // A sequence with a first gene that is legal, padded or cut to the length of now.
    void fit(std::span<const Gene> genome, Rng& rng, Genome out) const {
        const Alphabets<Action>& known = alphabets();
        for (std::size_t place = 0; place < out.size(); ++place) {
            out[place] = place < genome.size() ? genome[place] : known[place].draw(rng);
        }
        if (!known[0].knows(out[0])) out[0] = known[0].draw(rng);
    }

    [[nodiscard]] Genome child(const Side& side, Rng& rng) {
        const Genome made = crossed(side, rng);
        mutate(made, side, rng);
        return made;
    }

    // A child of two parents, each the winner of a tournament; an only one is copied.
    [[nodiscard]] Genome crossed(const Side& side, Rng& rng) {
        const std::vector<Individual>& population = side.population;
        if (population.size() == 1) return pool_.copy_of(population[0].genome);
        const std::size_t first = tournament(population.size(), settings_.tournament, rng);
        const std::size_t second = tournament(population.size(), settings_.tournament, rng);
        const Genome made = pool_.take();
        cross(settings_.crossover, population[first].genome, population[second].genome, rng, made);
        return made;
    }

    void mutate(Genome genome, const Side& side, Rng& rng) const {
        if (settings_.mutation == Mutation::each) {
            mutate_each(genome, side.alphabets, settings_.mutation_rate, rng);
        } else {
            mutate_one(genome, side.alphabets, rng);
        }
    }

    // What they are worth

    // Play a sequence for the next generation.
    [[nodiscard]] bool try_out(Side& side, Genome genome, Rng& rng, Meter& meter) {
        const auto value = evaluate(side, genome, rng, meter);
        if (value) side.fresh.push_back({genome, *value});
        return value.has_value();
    }

    // Change a child where the bandits say; a change for the worse is taken back. What a child of
    // two parents is worth without the change must be known first.
    [[nodiscard]] bool try_change(Side& side, Rng& rng, Meter& meter) {
        if (!before_ && side.population.size() > 1) {
            const Genome made = crossed(side, rng);
            const auto value = evaluate(side, made, rng, meter);
            if (value) before_ = Individual{made, *value};
            return value.has_value();
        }
        // Else there is one parent alone, valued again where others have changed.
        const std::vector<Individual>& parents = side.fresh.empty() ? side.population : side.fresh;
        const Individual before = before_ ? *before_ : parents[0];
        const auto change = bandits_->choose(side.alphabets, rng);
        const Genome made = pool_.copy_of(before.genome);
        made[change.place] = change.gene;
        const auto value = evaluate(side, made, rng, meter);
        if (!value) return false;
        bandits_->learn(change, *value);
        if (*value >= before.value) {
            side.fresh.push_back({made, *value});
            if (before_) pool_.give_back(before.genome);
        } else {
            pool_.give_back(made);
            // The parent stays where it is, too.
            side.fresh.push_back(
                {before_ ? before.genome : pool_.copy_of(before.genome), before.value});
        }
        before_.reset();
        return true;
    }

    // Play and value a sequence, against the best ones of the other sides. None when the budget is
    // spent.
    [[nodiscard]] std::optional<double> evaluate(Side& side, Genome genome, Rng& rng,
                                                 Meter& meter) {
        typename Stage<R>::Lines others;
        for (const Side& one : sides_) {
            if (one.population.empty()) continue;
            others[static_cast<std::size_t>(one.seat)] = one.population[0].genome;
        }
        PerSeat<R> values;
        if (!stage_.play(state_, *evaluator_, side.seat, genome, side.alphabets, others, rng, meter,
                         values)) {
            pool_.give_back(genome);
            return std::nullopt;
        }
        ++evaluated_;
        const double value = values[static_cast<std::size_t>(side.seat)];
        if (&side == sides_.data()) {
            note(genome, value);
            return value;
        }
        if (settings_.opponent != Opponent::pessimistic) return value;
        return -values[static_cast<std::size_t>(sides_[0].seat)];
    }

    // Keep what a sequence tells about its first action.
    void note(std::span<const Gene> genome, double value) {
        note_first(genome[0], value);
        if (tree_) tree_->insert(genome, value);
        if (!settings_.dynamic_length) return;
        const auto count = static_cast<double>(++landscape_.visits);
        landscape_.mean += (value - landscape_.mean) / count;
        landscape_.square += value * value;
        range_.widen(std::span(&value, 1));
    }

    Stage<R> stage_;
    StateSource<R> source_;
    EvolutionSettings settings_;
    std::vector<Individual> remembered_;  // in the memory of the last decision
    std::size_t played_ = 0;              // genes of theirs
    std::vector<Gene> seeded_;
    GenomePool pool_;
    std::size_t elite_ = 1;
    std::size_t children_ = 1;
    std::vector<Side> sides_;  // the own one first
    std::size_t turn_ = 0;     // of which side
    std::int64_t evaluated_ = 0;
    std::optional<GeneBandits<Action>> bandits_;
    std::optional<Individual> before_;  // a child that bandits have still to change
    std::optional<StatisticalTree> tree_;
    Range range_;  // of all values, where the length follows them
    std::optional<Evaluator<R>> evaluator_;
    State state_;
};

}  // namespace ludex::search

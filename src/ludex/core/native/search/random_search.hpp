// Random action sequences, or mutants of one. The twin of planners/random_search.py and
// planners/rhea_reference.py.
#pragma once

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
#include "evolved.hpp"
#include "genomes.hpp"
#include "source.hpp"

namespace ludex::search {

template <WorldRules R>
class RandomSearch final : public EvolvedSequences {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    // `mutant_rate`: how often genes of a first sequence are redrawn; without it each sequence is
    // a new one.
    RandomSearch(Stage<R> stage, StateSource<R> source, std::span<const Action> legal, int seat,
                 std::optional<double> mutant_rate)
        : stage_(std::move(stage)),
          source_(std::move(source)),
          seat_(seat),
          mutant_rate_(mutant_rate),
          alphabets_(stage_.alphabets_of(seat, seat, legal)),
          genome_(stage_.length()) {
        if (source_.is_known()) evaluator_.emplace(stage_.evaluator_beside(*source_.known));
    }

    [[nodiscard]] StateSource<R>& source() noexcept { return source_; }

    class Worker {
    public:
        Worker(RandomSearch& search, Meter& meter, Rng& rng)
            : search_(search), meter_(meter), rng_(rng) {}
        [[nodiscard]] bool iterate(std::int64_t number) {
            return search_.step(number, rng_, meter_);
        }
        [[nodiscard]] bool done() const noexcept { return false; }

    private:
        RandomSearch& search_;
        Meter& meter_;
        Rng& rng_;
    };
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        if (mutant_rate_ && parent_.empty()) {
            parent_.resize(stage_.length());
            draw_genome(alphabets_, rng, parent_);
        }
        return Worker(*this, meter, rng);
    }

    [[nodiscard]] Counters counters() const override {
        Counters found;
        found.size = 0;
        found.iterations = tried_;
        found.depth = stage_.deepest();
        return found;
    }
    [[nodiscard]] std::vector<BanditRecord> root_bandits(int /*seat*/) const override { return {}; }
    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t /*most*/) const override { return {}; }
    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t /*first*/,
                                                      std::size_t /*longest*/) const override {
        return {};
    }
    [[nodiscard]] std::size_t bytes() const override { return 0; }
    [[nodiscard]] std::vector<Sequence> population(int /*seat*/) const override { return {}; }

private:
    // Try one more sequence. False when the budget is spent.
    [[nodiscard]] bool step(std::int64_t number, Rng& rng, Meter& meter) {
        draw(rng);
        source_.put(stage_.rules(), number, source_.stream, state_);
        meter.count_copy();
        if (!source_.is_known()) evaluator_.emplace(stage_.evaluator_beside(state_));
        PerSeat<R> values;
        if (!stage_.play(state_, *evaluator_, seat_, genome_, alphabets_, {}, rng, meter, values)) {
            return false;
        }
        ++tried_;
        note_first(genome_[0], values[static_cast<std::size_t>(seat_)]);
        return true;
    }

    void draw(Rng& rng) {
        if (!mutant_rate_) {
            draw_genome(alphabets_, rng, genome_);
            return;
        }
        genome_ = parent_;
        mutate_one(Genome(genome_), alphabets_, rng);
        mutate_each(Genome(genome_), alphabets_, *mutant_rate_, rng);
    }

    Stage<R> stage_;
    StateSource<R> source_;
    int seat_;
    std::optional<double> mutant_rate_;
    Alphabets<Action> alphabets_;
    std::vector<Gene> genome_;
    std::vector<Gene> parent_;
    std::optional<Evaluator<R>> evaluator_;
    State state_;
    std::int64_t tried_ = 0;
};

}  // namespace ludex::search

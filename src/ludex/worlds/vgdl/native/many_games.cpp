#include "many_games.hpp"

#include <algorithm>
#include <thread>

namespace ludex::vgdl {
namespace {

// Starting a thread costs about as much as this many ticks with their observations.
constexpr std::size_t kGamesPerThread = 32;

}  // namespace

Batch::Batch(std::shared_ptr<const Level> level, std::shared_ptr<const Observer> observer,
             int games, BatchOptions options)
    : rules_(std::move(level)),
      observer_(std::move(observer)),
      options_(std::move(options)),
      works_(slot(std::max(1, options_.threads))),
      slots_(slot(games)) {
    for (int game = 0; game < games; ++game) reset(game, Rng());
}

void Batch::reset(int game, const Rng& steps) {
    Slot& entry = slots_[slot(game)];
    entry.state = rules_.level().start;
    entry.steps = steps;
    entry.ticks = 0;
    entry.standing = Standing::goes_on;
}

void Batch::step(std::span<const std::int64_t> choices, std::span<const std::uint8_t> skipped,
                 const BatchResults& results) {
    const std::size_t count = slots_.size();
    const std::size_t parts = std::clamp<std::size_t>(count / kGamesPerThread, 1, works_.size());
    std::vector<std::jthread> others;
    for (std::size_t part = 1; part < parts; ++part) {
        others.emplace_back([&, part] {
            step_some(works_[part], count * part / parts, count * (part + 1) / parts, choices,
                      skipped, results);
        });
    }
    step_some(works_[0], 0, count / parts, choices, skipped, results);
}

void Batch::step_some(Workspace& work, std::size_t first, std::size_t end,
                      std::span<const std::int64_t> choices, std::span<const std::uint8_t> skipped,
                      const BatchResults& results) {
    const Rules& rules = rules_;
    for (std::size_t game = first; game < end; ++game) {
        Slot& entry = slots_[game];
        double reward = 0.0;
        bool is_replaced = false;
        if (!skipped[game] && entry.standing == Standing::goes_on) {
            const auto number = static_cast<std::uint64_t>(choices[game]);
            std::uint8_t action = kNilAction;
            is_replaced = number >= options_.actions.size() ||
                          !rules.is_legal(entry.state, 0, options_.actions[number]);
            if (!is_replaced) action = options_.actions[number];
            const double before = rules.score(entry.state, 0);
            Rng stream = entry.steps.fork(static_cast<std::uint64_t>(entry.ticks));
            rules.apply(entry.state, {&action, 1}, stream, work);
            ++entry.ticks;
            if (rules.over(entry.state)) {
                entry.standing =
                    entry.state.header().ended_by < 0 ? Standing::truncated : Standing::terminated;
            } else if (entry.ticks >= options_.max_ticks) {
                entry.standing = Standing::truncated;
            }
            if (options_.by_score) {
                reward = rules.score(entry.state, 0) - before;
            } else if (rules.over(entry.state)) {
                reward = rules.return_of(entry.state, 0);
            }
        }
        results.rewards[game] = reward;
        results.standings[game] = entry.standing;
        results.replaced[game] = is_replaced ? 1 : 0;
        observe(static_cast<int>(game), results);
    }
}

void Batch::observe(int game, const BatchResults& results) const {
    const Slot& entry = slots_[slot(game)];
    const unsigned legal = entry.standing == Standing::goes_on ? rules_.actions(entry.state, 0) : 0;
    for (std::size_t i = 0; i < options_.actions.size(); ++i) {
        results.masks[slot(game) * options_.actions.size() + i] =
            static_cast<std::int8_t>(legal >> options_.actions[i] & 1U);
    }
    for (const Sheet& sheet : results.sheets) {
        const std::size_t bytes = observer_->bytes(sheet.form);
        observer_->fill(sheet.form, entry.state, 0, sheet.rows + slot(game) * bytes);
    }
}

}  // namespace ludex::vgdl

// Many games of one player at once: one call plays a tick in each and fills the observations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "observe.hpp"
#include "rng.hpp"
#include "rules.hpp"

namespace ludex::vgdl {

// How a game of a batch stands.
enum class Standing : std::uint8_t { goes_on, terminated, truncated };

// Where results go: one row for each game.
struct Sheet {
    Form form = Form::planes;
    std::byte* rows = nullptr;
};
struct BatchResults {
    std::span<double> rewards;
    std::span<Standing> standings;
    std::span<std::uint8_t>
        replaced;                  // 1 where the action was not legal and waiting took its place
    std::span<std::int8_t> masks;  // [game][action]: 1 where legal
    std::vector<Sheet> sheets;
};

struct BatchOptions {
    std::vector<std::uint8_t> actions;  // the action that each number stands for
    int max_ticks = kTicks;             // then a game is truncated
    bool by_score = true;               // rewards are differences of score, or what the end gives
    int threads = 1;
};

class Batch {
public:
    Batch(std::shared_ptr<const Level> level, std::shared_ptr<const Observer> observer, int games,
          BatchOptions options);

    [[nodiscard]] int games() const noexcept { return static_cast<int>(slots_.size()); }
    [[nodiscard]] std::size_t actions() const noexcept { return options_.actions.size(); }
    [[nodiscard]] const Observer& observer() const noexcept { return *observer_; }
    [[nodiscard]] const State& state(int game) const noexcept {
        return slots_[static_cast<std::size_t>(game)].state;
    }

    // Begin a game anew; tick n will draw from `steps.fork(n)`.
    void reset(int game, const Rng& steps);
    // Play a tick in all games but those marked, then fill in how every game stands.
    void step(std::span<const std::int64_t> choices, std::span<const std::uint8_t> skipped,
              const BatchResults& results);
    // Fill in the masks and observations of one game.
    void observe(int game, const BatchResults& results) const;

private:
    struct Slot {
        State state;
        Rng steps;
        int ticks = 0;
        Standing standing = Standing::goes_on;
    };

    void step_some(Workspace& work, std::size_t first, std::size_t end,
                   std::span<const std::int64_t> choices, std::span<const std::uint8_t> skipped,
                   const BatchResults& results);

    Rules rules_;
    std::shared_ptr<const Observer> observer_;
    BatchOptions options_;
    std::vector<Workspace> works_;  // one for each thread
    std::vector<Slot> slots_;
};

}  // namespace ludex::vgdl

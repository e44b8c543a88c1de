#include "chooser.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "belief.hpp"
#include "choices.hpp"
#include "random_player.hpp"

namespace ludex::hearthstone::agents {

namespace {

constexpr double kDiscount = 0.99;    // a win of the next turn, beside one of this turn
constexpr double kExploration = 0.5;  // weight of rarely tried actions, for results of 0 to 1

// The choice of a level with the highest value; the first of equals.
Action best_choice(const Rules& rules, const State& state, const Encoding& encoding, Level level,
                   const AveragingForest& forest, std::span<const Action> flat, Rng& rng) noexcept {
    Actions possible;
    const int count = choices(level, flat, possible);
    Row row;
    encode_state(rules, state, encoding, state.active, rng, row);
    const std::size_t own = row.size();
    Action best = possible[0];
    double top = 0.0;
    for (int i = 0; i < count; ++i) {
        row.resize(own);
        encode_choice(rules, state, encoding, level, possible[at(i)], row);
        const double value = forest.mean(row.data());
        if (i == 0 || value > top) {
            top = value;
            best = possible[at(i)];
        }
    }
    return best;
}

Action two_level_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const Nora& nora = *player.nora;
    Action chosen = 0;
    if (player.explore > 0.0 && rng.uniform() < player.explore) {
        Actions metas;
        const int count = choices(Level::meta, flat, metas);
        chosen = metas[rng.below(static_cast<std::uint64_t>(count))];
    } else {
        chosen = best_choice(rules, state, player.encoding, Level::meta, *player.forest, flat, rng);
    }
    const Level level = level_of(unpack(chosen).kind);
    if (level == Level::meta) return chosen;  // the turn ends
    const AveragingForest& concrete =
        nora.forest(level == Level::play ? Skill::play : Skill::attack);
    chosen = best_choice(rules, state, player.encoding, level, concrete, flat, rng);
    return aimed(rules, state, nora, chosen, rng);
}

Action corrected_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const Action usual = move_of(rules, state, *player.base, rng);
    Row row;
    encode_state(rules, state, player.encoding, state.active, rng, row);
    const std::size_t own = row.size();
    Action best = usual;
    double top = player.threshold;
    for (const Action other : flat) {
        if (other == usual) continue;
        row.resize(own);
        encode_comparison(rules, state, player.encoding, other, usual, row);
        const double sure = player.forest->mean(row.data());
        if (sure > top) {
            top = sure;
            best = other;
        }
    }
    return best;
}

// What came of the simulations of each action.
struct Tried {
    double gain = 0.0;
    int visits = 0;

    [[nodiscard]] double mean() const noexcept { return gain / visits; }
};

// The next action to try, by UCB1; each is tried once first.
std::size_t next_to_try(std::span<const Tried> tried, int done) noexcept {
    std::size_t chosen = 0;
    double top = -1.0;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (tried[i].visits == 0) return i;
        const double bonus = std::sqrt(kExploration * std::log(done) / tried[i].visits);
        if (tried[i].mean() + bonus > top) {
            top = tried[i].mean() + bonus;
            chosen = i;
        }
    }
    return chosen;
}

// The one that did best, of those that were tried often.
std::size_t best_tried(std::span<const Tried> tried) noexcept {
    int most = 0;
    for (const Tried& one : tried) most = std::max(most, one.visits);
    std::size_t best = 0;
    double top = -1.0;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (2 * tried[i].visits < most || tried[i].mean() <= top) continue;
        top = tried[i].mean();
        best = i;
    }
    return best;
}

// Tries actions in games imagined to their end, more often the better they do.
Action simulated_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const int seat = state.active;
    const State seen = masked(rules, state, seat);
    const Unseen hidden = unseen(rules, state, seat);
    std::vector<Tried> tried(flat.size());
    for (int done = 0; done < player.simulations; ++done) {
        const std::size_t chosen = next_to_try(tried, done);
        State trial = imagine(rules, seen, hidden, seat, rng);
        rules.apply_flat(trial, flat[chosen], rng);
        while (!rules.over(trial)) {
            rules.apply_flat(trial, move_of(rules, trial, *player.base, rng), rng);
        }
        const double discount = std::pow(kDiscount, trial.turn - state.turn);
        tried[chosen].gain += (1.0 + discount * rules.return_of(trial, seat)) / 2.0;
        ++tried[chosen].visits;
    }
    return flat[best_tried(tried)];
}

}  // namespace

Action move_of(const Rules& rules, const State& state, const Chooser& player, Rng& rng) noexcept {
    using Who = Chooser::Kind;
    if (player.kind == Who::random) return random_move(rules, state, rng);
    if (player.kind == Who::scripted && player.explore == 0.0) {
        return scripted_move(rules, state, player.faults);
    }
    if (player.kind == Who::nora) return nora_move(rules, state, *player.nora, rng);
    Actions all;
    const std::span<const Action> flat = legal_actions(rules, state, all);
    if (state.phase != Phase::play || flat.size() == 1) return flat[0];
    if (player.kind == Who::simulated) return simulated_move(rules, state, player, flat, rng);
    if (player.kind == Who::two_level) return two_level_move(rules, state, player, flat, rng);
    const bool drawn = player.explore > 0.0 && rng.uniform() < player.explore;
    if (drawn || player.kind == Who::damped) {
        const Action action = random_move(rules, state, rng, true);
        return player.nora ? aimed(rules, state, *player.nora, action, rng) : action;
    }
    if (player.kind == Who::scripted) return scripted_move(rules, state, player.faults);
    if (player.kind == Who::corrected) return corrected_move(rules, state, player, flat, rng);
    return best_choice(rules, state, player.encoding, Level::whole, *player.forest, flat, rng);
}

}  // namespace ludex::hearthstone::agents

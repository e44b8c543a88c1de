// When the game ends, and who has won.
#include <algorithm>
#include <array>
#include <span>

#include "engine.hpp"

namespace ludex::vgdl {

constexpr std::size_t kMostPlayers = 16;

template <class Draws>
void Engine<Draws>::check_endings() {
    Header& header = state_.header();
    for (std::size_t i = 0; i < game_.endings.size() && !header.over; ++i) {
        const EndingDef& ending = game_.endings[i];
        if (ending.condition == Termination::StopCounter) {
            const int n = live_of_three(ending);
            header.can_end = ending.min ? n <= ending.limit : n != ending.limit;
        } else if (is_met(ending)) {
            header.over = 1;
            header.ended_by = static_cast<std::int16_t>(i);
            if (ending.condition == Termination::Timeout && ending.use_counter) {
                finish_by_counters(ending);
            } else {
                finish(ending, ending.win);
            }
        }
    }
    if (header.messages > kMostMessages) {
        header.messages = 0;
        if (game_.has(kMessageLimit) && !header.over) end(kMessages);
    }
    if (current_tick() >= kTicks && !header.over) {
        end(kTickLimit);
        for (int i = 0; i < game_.players; ++i) {
            if (state_.player(i).winner != Winner::win) state_.player(i).winner = Winner::lose;
        }
    }
}

// The live sprites of the up to three types of a condition.
template <class Draws>
int Engine<Draws>::live_of_three(const EndingDef& ending) const noexcept {
    int n = 0;
    for (const int type : {ending.stype1, ending.stype2, ending.stype3}) {
        if (type != kNoType) n += live(type);
    }
    return n;
}

template <class Draws>
bool Engine<Draws>::is_met(const EndingDef& ending) const noexcept {
    if (ending.condition == Termination::Timeout) return current_tick() >= ending.limit;
    if (!state_.header().can_end) return false;
    switch (ending.condition) {
        case Termination::SpriteCounter:
            return live(ending.stype) <= ending.limit;
        case Termination::SpriteCounterMore:
            return live(ending.stype) >= ending.limit;
        case Termination::MultiSpriteCounter: {
            const int n = live_of_three(ending);
            return n == ending.limit || (ending.min && n > ending.limit);
        }
        case Termination::MultiSpriteCounterSubTypes:
            return live(ending.stype1) == ending.limit &&
                   live_subtypes(ending.stype1) == ending.subTypesNum;
        default:
            return false;
    }
}

// Whether each player wins, by the list or by the best score.
template <class Draws>
void Engine<Draws>::finish(const EndingDef& ending, std::span<const std::int32_t> wins) noexcept {
    if (ending.count_score) {
        finish_by_score();
        return;
    }
    for (int i = 0; i < game_.players; ++i) {
        const bool has_won = slot(i) < wins.size() && wins[slot(i)] != 0;
        state_.player(i).winner = has_won ? Winner::win : Winner::lose;
    }
}

template <class Draws>
void Engine<Draws>::finish_by_score() noexcept {
    double best = state_.player(0).score;
    bool all_zero = best == 0.0;
    for (int i = 1; i < game_.players; ++i) {
        const double score = state_.player(i).score;
        all_zero = all_zero && score == 0.0;
        const bool left_out = score == 0.0 && game_.has(kNegativeBeatsZero);
        if (score > best && !left_out) best = score;
    }
    for (int i = 0; i < game_.players; ++i) {
        const bool has_won = !all_zero && state_.player(i).score == best;
        state_.player(i).winner = has_won ? Winner::win : Winner::lose;
    }
}

// A timeout that compares counters, with each other or with a limit for each player.
template <class Draws>
void Engine<Draws>::finish_by_counters(const EndingDef& ending) noexcept {
    std::array<std::int32_t, kMostPlayers> wins{};
    std::size_t known = 0;
    const std::int32_t* const counters = state_.counters();
    if (ending.compare) {
        bool equal = true;
        for (int c = 1; c < game_.counters; ++c) equal = equal && counters[c] == counters[0];
        for (int p = 0; p < game_.players; ++p) wins[known++] = (p == 0) != equal;
    } else if (game_.players == game_.counters) {
        for (int p = 0; p < game_.players; ++p) {
            const int wanted = slot(p) < ending.limits.size() ? ending.limits[slot(p)] : 0;
            if (game_.has(kOneCounterLimit)) known = 0;
            wins[known++] = counters[p] == wanted;
        }
    }
    finish(ending, std::span(wins).first(known));
}

template void Engine<Dice>::check_endings();
template void Engine<JavaDice>::check_endings();

}  // namespace ludex::vgdl

// When the game ends, and who has won.
#include <array>
#include <span>

#include "engine.hpp"

namespace ludex::vgdl {

constexpr std::size_t kMostPlayers = 16;

template <class Draws>
void Engine<Draws>::check_endings() {
    Header& header = state_.header();
    const int players = game_.players;
    // Whether each player wins, by the `win` list or by the best score.
    const auto finish = [&](const EndingDef& ending, std::size_t number,
                            std::span<const std::int32_t> wins) {
        header.over = 1;
        header.ended_by = static_cast<std::int16_t>(number);
        if (ending.count_score) {
            double best = state_.player(0).score;
            bool all_zero = best == 0.0;
            for (int i = 1; i < players; ++i) {
                const double score = state_.player(i).score;
                all_zero = all_zero && score == 0.0;
                const bool left_out = score == 0.0 && game_.has(kNegativeBeatsZero);
                if (score > best && !left_out) best = score;
            }
            for (int i = 0; i < players; ++i) {
                const bool wins_it = !all_zero && state_.player(i).score == best;
                state_.player(i).winner = wins_it ? Winner::win : Winner::lose;
            }
            return;
        }
        for (int i = 0; i < players; ++i) {
            const auto place = static_cast<std::size_t>(i);
            const bool wins_it = place < wins.size() && wins[place] != 0;
            state_.player(i).winner = wins_it ? Winner::win : Winner::lose;
        }
    };
    const auto sum = [&](const EndingDef& ending) {
        int n = 0;
        for (const int type : {ending.stype1, ending.stype2, ending.stype3}) {
            if (type != kNoType) n += live(type);
        }
        return n;
    };
    for (std::size_t i = 0; i < game_.endings.size() && !header.over; ++i) {
        const EndingDef& ending = game_.endings[i];
        bool met = false;
        switch (ending.condition) {
            case Termination::SpriteCounter:
                met = header.can_end && live(ending.stype) <= ending.limit;
                break;
            case Termination::SpriteCounterMore:
                met = header.can_end && live(ending.stype) >= ending.limit;
                break;
            case Termination::MultiSpriteCounter: {
                if (!header.can_end) break;
                const int n = sum(ending);
                met = n == ending.limit || (ending.min && n > ending.limit);
                break;
            }
            case Termination::MultiSpriteCounterSubTypes:
                met = header.can_end && live(ending.stype1) == ending.limit &&
                      live_subtypes(ending.stype1) == ending.subTypesNum;
                break;
            case Termination::StopCounter:
                header.can_end =
                    ending.min ? sum(ending) <= ending.limit : sum(ending) != ending.limit;
                break;
            case Termination::Timeout: {
                if (current_tick() < ending.limit) break;
                if (!ending.use_counter) {
                    met = true;
                    break;
                }
                std::array<std::int32_t, kMostPlayers> wins{};
                std::size_t known = 0;
                const std::int32_t* counters = state_.counters();
                if (ending.compare) {
                    bool equal = true;
                    for (int c = 1; c < game_.counters; ++c)
                        equal = equal && counters[c] == counters[0];
                    for (int p = 0; p < players; ++p) wins[known++] = (p == 0) != equal;
                } else if (players == game_.counters) {
                    for (int p = 0; p < players; ++p) {
                        const auto place = static_cast<std::size_t>(p);
                        const int wanted = place < ending.limits.size() ? ending.limits[place] : 0;
                        if (game_.has(kOneCounterLimit)) known = 0;
                        wins[known++] = counters[p] == wanted;
                    }
                }
                finish(ending, i, std::span(wins).first(known));
                break;
            }
        }
        if (met) finish(ending, i, ending.win);
    }
    if (header.messages > kMostMessages) {
        header.messages = 0;
        if (game_.has(kMessageLimit) && !header.over) end(kMessages);
    }
    if (current_tick() >= kTicks && !header.over) {
        end(kTickLimit);
        for (int i = 0; i < players; ++i) {
            if (state_.player(i).winner != Winner::win) state_.player(i).winner = Winner::lose;
        }
    }
}

template void Engine<Dice>::check_endings();
template void Engine<JavaDice>::check_endings();

}  // namespace ludex::vgdl

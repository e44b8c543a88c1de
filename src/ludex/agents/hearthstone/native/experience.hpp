// Games that players learn from: the steps of games, and decisions that were tried twice.
#pragma once

#include <cstdint>
#include <vector>

#include "choices.hpp"
#include "chooser.hpp"
#include "games.hpp"

namespace ludex::hearthstone::agents {

// Steps of one player from one decision of a level to the next: what was done, the change of the
// score, and what could be done then. A step after which the game was over has no next rows.
struct Transitions {
    Row rows;
    std::vector<float> rewards;
    Row next_rows;
    std::vector<std::int64_t> ends;  // where the next rows of a step end
};

// Games of a player against itself. The last step of each side is also worth `win`, or as much
// less when it has lost.
void make_transitions(const Rules& rules, const Chooser& player, const Encoding& encoding,
                      Level level, double win, const Games& games,
                      Transitions& transitions) noexcept;

// Decisions that were tried twice, with a player's choice and with another, and made a difference.
struct Trials {
    Row rows;
    std::vector<std::uint8_t> better;  // whether the other choice won more often
};

// One decision of each game.
void make_trials(const Rules& rules, const Chooser& player, const Encoding& encoding,
                 const Games& games, Trials& trials) noexcept;

}  // namespace ludex::hearthstone::agents

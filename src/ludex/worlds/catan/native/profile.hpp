// How large the game is under a way of playing: lengths, choices, and which types are legal.
#pragma once

#include "rules.hpp"

namespace ludex::catan {

struct Profile {
    std::int64_t games = 0;
    std::int64_t finished = 0;  // by a winner
    std::int64_t turns = 0;
    std::int64_t steps = 0;                     // decisions, each card of a discard one
    std::int64_t chances = 0;                   // dice, stolen and drawn cards
    std::int64_t choices = 0;                   // decisions and chances with more than one option
    std::int64_t options = 0;                   // of all choices together
    std::int64_t plain_options = 0;             // of all decisions together
    std::int64_t main_steps = 0;                // decisions after the roll
    std::array<std::int64_t, kTypes> legal{};   // of those, with the type legal
    std::array<std::int64_t, kTypes> tokens{};  // actions of the type in them
    std::array<std::int64_t, kTypes> most{};
    std::array<std::int64_t, kTypes> chosen{};  // over all decisions
};

// `as_source`: trades with two unlike cards on a side count twice, and a discard is one step of
// cards drawn at random, as in the program that the published numbers come from; `one_board`: all
// games are played on the same board.
[[nodiscard]] Profile profile(const Rules& rules, int policy, int games, bool as_source,
                              bool one_board, Rng rng);

}  // namespace ludex::catan

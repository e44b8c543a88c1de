// Players that learn from more than the next score, and what they learn from.
//
// A `valued` player takes the whole action of highest value; a `corrected` one does what another
// player does unless it is sure of something better; a `two_level` one chooses between playing,
// attacking and ending first, then the card or the attack, then the target. A `simulated` one
// imagines so many games to their end, dealing anew what it cannot see.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nora.hpp"
#include "scripted_player.hpp"

namespace ludex::hearthstone {

constexpr int kActionFeatures = 12;

// What a choice is about: whole actions, a card or power, an attack, or which of these to do.
enum class Level : std::uint8_t { whole, play, attack, meta };

struct Chooser {
    enum class Kind : std::uint8_t {
        random,
        damped,
        scripted,
        nora,
        valued,
        corrected,
        two_level,
        simulated
    };
    Kind kind = Kind::random;
    std::shared_ptr<const Nora> nora;      // of nora and two_level; aims for damped, if given
    std::shared_ptr<const Voters> forest;  // of valued and corrected; of the choice of two_level
    std::shared_ptr<const Chooser> base;   // whom a corrected player follows
    Manner manner;
    ScriptFaults faults;     // of scripted
    double threshold = 0.0;  // how sure a corrected player must be
    int simulations = 0;     // games that a simulated player imagines for each decision
    double explore = 0.0;    // share of choices that are drawn: whole actions, or the first level
};

[[nodiscard]] Action move_of(const Rules& rules, const State& state, const Chooser& player,
                             Rng& rng) noexcept;

// An action as numbers: its kind, what is used, on whom, and what a fight would cost.
void encode_action(const Rules& rules, const State& state, const Manner& manner, Action action,
                   std::vector<std::int16_t>& out) noexcept;
[[nodiscard]] int row_size(const Manner& manner, Level level) noexcept;
[[nodiscard]] int comparison_size(const Manner& manner) noexcept;

// Steps of one player from one decision of a level to the next: what was done, the change of the
// score, and what could be done then. A step after which the game was over has no next rows.
struct Transitions {
    std::vector<std::int16_t> rows;
    std::vector<float> rewards;
    std::vector<std::int16_t> next_rows;
    std::vector<std::int64_t> ends;  // where the next rows of a step end
};

// Games of a player against itself; game i depends on (seed, i) alone. The last step of each side
// is also worth `win`, or as much less when it has lost.
void make_transitions(const Rules& rules, const Chooser& player, const Manner& manner, Level level,
                      double win, std::uint64_t seed, std::int64_t first_game, std::int64_t games,
                      Transitions& transitions) noexcept;

// Decisions that were tried twice, with a player's choice and with another, and made a difference.
struct Trials {
    std::vector<std::int16_t> rows;
    std::vector<std::uint8_t> better;  // whether the other choice won more often
};

void make_trials(const Rules& rules, const Chooser& player, const Manner& manner,
                 std::uint64_t seed, std::int64_t first, std::int64_t count,
                 Trials& trials) noexcept;

}  // namespace ludex::hearthstone

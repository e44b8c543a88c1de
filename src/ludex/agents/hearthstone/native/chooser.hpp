// Who chooses in native games: random, scripted and learned players, and simulations by them.
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

namespace ludex::hearthstone::agents {

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
    std::shared_ptr<const Nora> nora;  // of nora and two_level; aims for damped, if given
    std::shared_ptr<const AveragingForest>
        forest;                           // of valued and corrected; of the choice of two_level
    std::shared_ptr<const Chooser> base;  // whom a corrected player follows
    Encoding encoding;
    ScriptFaults faults;     // of scripted
    double threshold = 0.0;  // how sure a corrected player must be
    int simulations = 0;     // games that a simulated player imagines for each decision
    double explore = 0.0;    // share of choices that are drawn: whole actions, or the first level
};

[[nodiscard]] Action move_of(const Rules& rules, const State& state, const Chooser& player,
                             Rng& rng) noexcept;

}  // namespace ludex::hearthstone::agents

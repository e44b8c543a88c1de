// What a tick has to look at besides who meets whom: worked out once for a level.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis.hpp"
#include "gamedef.hpp"
#include "plan.hpp"

namespace ludex::vgdl {

// A rule for the sprites of one type that are not wholly on the screen.
struct EdgeStep {
    std::int32_t rule = 0;
    std::int32_t type = 0;
    std::int32_t section = 0;
    bool asks_ground = false;  // rules ask in any case what these sprites stand on
};

struct Schedule {
    std::vector<EdgeStep> edges;  // in order
    // Before this tick the game can end only after sprites came or went.
    std::int32_t first_timeout = 0;
};

[[nodiscard]] Schedule make_schedule(const GameDef& game, const Layout& layout, const Plan& plan,
                                     int last_tick);

}  // namespace ludex::vgdl

#include "schedule.hpp"

#include <algorithm>

namespace ludex::vgdl {

Schedule make_schedule(const GameDef& game, const Layout& layout, int last_tick) {
    Schedule schedule;
    for (const int edge : game.edges) {
        for (const int number : game.edge_rules[slot(edge)]) {
            if (!game.rules[slot(number)].enabled) continue;
            for (const int type : layout.subtypes[slot(edge)]) {
                const TypeLayout& one = layout.types[slot(type)];
                if (one.is_settled) continue;  // these are inside the screen
                schedule.edges.push_back({number, type, one.section});
            }
        }
    }
    schedule.first_timeout = last_tick;
    for (const EndingDef& ending : game.endings) {
        if (ending.condition == Termination::Timeout)
            schedule.first_timeout = std::min(schedule.first_timeout, ending.limit);
        // This one tells those before it what they may do in the next tick.
        if (ending.condition == Termination::StopCounter) schedule.first_timeout = 0;
    }
    return schedule;
}

}  // namespace ludex::vgdl

#include "schedule.hpp"

#include <algorithm>

namespace ludex::vgdl {

namespace {

bool meets_resting(const Plan& plan, int section) {
    for (const PairPlan& pair : plan.pairs) {
        for (const Match& match : pair.matches) {
            if (match.kind == Match::Kind::second_rests && match.first_section == section)
                return true;
            if (match.kind == Match::Kind::first_rests && match.second_section == section)
                return true;
        }
    }
    return false;
}

}  // namespace

Schedule make_schedule(const GameDef& game, const Layout& layout, const Plan& plan, int last_tick) {
    Schedule schedule;
    for (const int edge : game.edges) {
        for (const int number : game.edge_rules[slot(edge)]) {
            if (!game.rules[slot(number)].enabled) continue;
            for (const int type : layout.subtypes[slot(edge)]) {
                const TypeLayout& one = layout.types[slot(type)];
                if (one.is_settled) continue;  // these are inside the screen
                schedule.edges.push_back(
                    {number, type, one.section, meets_resting(plan, one.section)});
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

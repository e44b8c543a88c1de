// Keeping what is known of the resting sprites true.
#include "fixtures.hpp"

#include <algorithm>

#include "engine.hpp"

namespace ludex::vgdl {

// Look where they are.
template <class Draws>
void Engine<Draws>::list_fixtures() {
    Fixtures& fixtures = work_.fixtures;
    const Plan& plan = level_.plan;
    fixtures.begin(plan.settled_in, plan.settled, plan.exact, level_.def.width);
    fixtures.rename(state_.header().fixtures);
    for (const Mortals& mortals : plan.mortals) {
        const TypeLayout& layout = lay(mortals.type);
        const std::uint64_t bit = plan.bits[slot(mortals.section)];
        const bool fill = !mortals.cells.empty();
        for (int i = 0, n = extent(mortals.type); i < n; ++i) {
            if (!is_alive(layout, state_, i)) continue;
            if (fill) {
                fixtures.add(mortals.cells[slot(i)], bit);
            } else {
                fixtures.add(level_.cells_of(level_.settled_sprite(mortals.type, i).rect), bit);
            }
        }
    }
    for (const int type : plan.resting) {
        for (int i = 0, n = count(type); i < n; ++i) list_fixture({type, i});
    }
}

template <class Draws>
void Engine<Draws>::list_fixture(Ref ref) {
    const int section = lay(ref.type).section;
    const std::uint64_t bit = level_.plan.bits[slot(section)];
    if (bit == 0) return;  // it meets nobody
    const Rect& rect = sp(ref).rect;
    const CellRange cells = level_.cells_of(rect);
    spend(cells.size());
    work_.fixtures.add(section, ref.index, bit, cells, level_.fills_cell(rect));
}

// A resting sprite was made. What was looked up must stay true: movers must find it.
template <class Draws>
void Engine<Draws>::fixed(Ref ref) {
    Header& header = state_.header();
    const bool is_known = work_.fixtures.name() == header.fixtures && header.fixtures != 0;
    header.fixtures = new_fixtures();
    if (!is_known) return;
    list_fixture(ref);
    work_.fixtures.rename(header.fixtures);
    if (colliding_) replace_all();
}

// A settled sprite was removed, at the end of a tick.
template <class Draws>
void Engine<Draws>::unfixed(Ref ref) {
    Header& header = state_.header();
    const bool is_known = work_.fixtures.name() == header.fixtures && header.fixtures != 0;
    header.fixtures = new_fixtures();
    if (!is_known) return;
    const auto mortals = std::find_if(level_.plan.mortals.begin(), level_.plan.mortals.end(),
                                      [&](const Mortals& one) { return one.type == ref.type; });
    if (mortals != level_.plan.mortals.end()) {
        const std::uint64_t bit = level_.plan.bits[slot(mortals->section)];
        if ((level_.plan.shared & bit) != 0) return;  // others may be in its cells
        if ((level_.plan.exact & bit) != 0) {
            work_.fixtures.remove(mortals->cells[slot(ref.index)], bit);
        } else {
            uncover(ref, bit);
        }
    }
    work_.fixtures.rename(header.fixtures);
}

// A settled sprite was removed that may have shared its cells with others of its type.
template <class Draws>
void Engine<Draws>::uncover(Ref ref, std::uint64_t bit) {
    const TypeLayout& layout = lay(ref.type);
    const SettledType& group = settled(ref.type);
    const CellRange range = level_.cells_of(sp(ref).rect);
    for (int y = range.top; y <= range.bottom; ++y) {
        for (int x = range.left; x <= range.right; ++x) {
            const int cell = y * level_.def.width + x;
            int e = group.heads[slot(cell)];
            while (e >= 0 && !is_alive(layout, state_, group.entries[slot(e)].index))
                e = group.entries[slot(e)].next;
            if (e < 0) work_.fixtures.remove(cell, bit);
        }
    }
}

#define INSTANTIATE(Draws)                        \
    template void Engine<Draws>::list_fixtures(); \
    template void Engine<Draws>::fixed(Ref);      \
    template void Engine<Draws>::unfixed(Ref);
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

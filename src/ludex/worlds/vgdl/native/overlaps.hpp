// Whom a rectangle overlaps. Here and not in collisions.cpp because barriers ask for it, too.
#pragma once

#include "engine.hpp"

namespace ludex::vgdl {

// To list a sprite costs about as much as this many tests of one sprite against another.
inline constexpr std::int64_t kBruteForce = 8;

// Visit the sprites of a section, from one up to another, that overlap a rectangle.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::for_overlapping(int section, int from, int to, const Rect& rect,
                                           const Visit& visit) const noexcept {
    const Records others = records(section);
    if (level_.one_size) {
        const ProbeOfOneSize probe(rect);
        for (int k = from; k < to; ++k) {
            if (probe.overlaps(others[k].rect)) [[unlikely]]
                visit(k);
        }
        return;
    }
    const Probe probe(rect);
    for (int k = from; k < to; ++k) {
        if (probe.may_overlap(others[k].rect) && overlap(rect, others[k].rect)) [[unlikely]]
            visit(k);
    }
}

// Visit the resting sprites of a type that overlap a rectangle, all of whose cells are in a range;
// perhaps several times.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::for_resting_at(int type, const Rect& rect, const CellRange& cells,
                                          const Visit& visit) const noexcept {
    const TypeLayout& layout = lay(type);
    if (layout.is_settled) {
        level_.for_settled(type, rect, cells, [&](int index) {
            if (spend(1) && is_alive(layout, state_, index)) visit(index);
        });
        return;
    }
    const Records others = records(layout.section);
    work_.fixtures.for_listed(cells, layout.section, [&](int index) {
        if (spend(1) && overlap(rect, others[index].rect)) visit(index);
    });
}

}  // namespace ludex::vgdl

// Rules that only make sprites step back, by far the most common ones: walls, and whatever else
// bars the way.
//
// Nothing of what such a rule does can be seen but where the first sprite is: it goes back to where
// it was before the tick, however many others it overlaps. So one that has not moved, or has
// stepped back already, need not be looked at, and of the others it is enough to find one that
// they overlap. Where avatars are concerned there is more to see, for they are told whom they
// met; these pairs are no barriers (see plan.cpp).
#include <algorithm>

#include "overlaps.hpp"

namespace ludex::vgdl {

template <class Draws>
void Engine<Draws>::hold_back(const PairPlan& pair) {
    const int section = pair.barrier_section;
    const int n = sections_[section].count;
    if (n == 0 || !spend(n)) return;
    const int type = layout_.section_types[slot(section)];
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    const bool meets_movers = pair.moving < static_cast<int>(pair.matches.size());
    const Workspace::Ground& here = ground(section);
    if (!meets_movers && (here.resting & pair.barrier_bits) == 0) return;
    const auto has_moved = [&](int i) {
        return !(sprites[i].rect == last[i]) && !sprites[i].is(kKilled);
    };
    bool lists = false;
    if (meets_movers && n > kBruteForce) {
        int movers = 0;
        for (int i = 0; i < n; ++i) movers += has_moved(i);
        if (movers == 0) return;
        lists = movers > kBruteForce;
    }
    for (int i = 0; i < n; ++i) {
        if (!meets_movers && (here.footings[slot(i)].resting & pair.barrier_bits) == 0) continue;
        if (!has_moved(i) || !is_blocked(pair, i, sprites[i].rect, lists)) continue;
        sprites[i].rect = last[i];
        placed({type, i}, false);
        if (is_spent()) return;
    }
}

// Whether a first sprite overlaps any second one.
template <class Draws>
inline bool Engine<Draws>::is_blocked(const PairPlan& pair, int index, const Rect& rect,
                                      bool lists) {
    const Workspace::Footing here = ground(pair.barrier_section).footings[slot(index)];
    const std::uint64_t bits = here.resting & pair.barrier_bits;
    bool found = false;
    const auto note = [&](int) { found = true; };
    if (bits != 0) {
        if ((bits & work_.fixtures.exact()) != 0 && contains(level_.screen, rect)) return true;
        for (int i = 0; i < pair.moving && !found; ++i) {
            const Match& match = pair.matches[slot(i)];
            if ((bits & match.second_bit) == 0) continue;
            for_resting_at(match.second_type, rect, here.cells, note);
        }
    }
    for (std::size_t i = slot(pair.moving); i < pair.matches.size() && !found; ++i) {
        const Match& match = pair.matches[i];
        const int other = match.second_section;
        const int m = sections_[other].count;
        const bool is_own = other == pair.barrier_section;
        if (lists && m > kBruteForce) {
            list(other);
            if (match.first_bit == match.second_bit) list(pair.barrier_section);
            const Records others = records(other);
            work_.neighbours.for_near(here.cells, match.first_bit, other, match.second_bit,
                                      [&](int k) {
                                          spend(1);
                                          if (is_own && k == index) return;
                                          found = found || overlap(rect, others[k].rect);
                                      });
        } else {
            if (!spend(m)) return false;
            for_overlapping(other, 0, is_own ? index : m, rect, note);
            if (is_own) for_overlapping(other, index + 1, m, rect, note);
        }
    }
    return found;
}

template void Engine<Dice>::hold_back(const PairPlan&);
template void Engine<JavaDice>::hold_back(const PairPlan&);

}  // namespace ludex::vgdl

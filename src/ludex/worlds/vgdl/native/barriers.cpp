// Rules that only make sprites step back, by far the most common ones: walls, and whatever else
// bars the way.
//
// Nothing of what such a rule does can be seen but where the first sprite is: it goes back to where
// it was before the tick, however many others it overlaps. So one that has not moved, or has
// stepped back already, need not be looked at, and of the others it is enough to find one that
// they overlap. Where avatars are concerned there is more to see, for they are told whom they
// met; these pairs are no barriers (see plan.cpp).
#include <iterator>
#include <ranges>

#include "overlaps.hpp"

namespace ludex::vgdl {

template <class Draws>
void Engine<Draws>::hold_back(const PairPlan& pair) {
    const int section = pair.barrier_section;
    if (sections_[section].count == 0) return;
    const bool meets_movers = pair.moving < static_cast<int>(pair.matches.size());
    const std::uint64_t bits = work_.fixtures.present() & pair.barrier_bits;
    if (!meets_movers && bits == 0) return;
    const int n = sections_[section].count;
    if (!spend(n)) return;
    const bool fill_cells = level_.one_size && !meets_movers &&
                            work_.listed[slot(section)] != work_.tick &&
                            (bits & ~work_.fixtures.exact()) == 0;
    const int type = layout_.section_types[slot(section)];
    if (fill_cells && def(type).cooldown <= 1) {  // they move all the time
        hold_back_at_cells(pair, std::views::iota(0, n));
        return;
    }
    const std::span<const std::int32_t> movers = find_movers(section);
    if (movers.empty()) return;
    if (fill_cells) {
        hold_back_at_cells(pair, movers);
        return;
    }
    const bool lists = meets_movers && std::ssize(movers) > kBruteForce && list_others(pair);
    const bool is_listed = work_.listed[slot(section)] == work_.tick;
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    Workspace::Ground& here = renew(section);
    Crowd& crowd = work_.crowds[slot(section)];
    for (const std::int32_t i : movers) {
        Rect& rect = sprites[i].rect;
        const bool is_back =
            (bits != 0 && is_blocked_by_resting(pair, rect, stand(here, i, rect))) ||
            (meets_movers && (lists ? is_blocked_near(pair, i, rect, here.footings[slot(i)].cells)
                                    : is_blocked_by_moving(pair, i, rect)));
        if (is_spent()) return;
        if (!is_back) continue;
        rect = last[i];
        if (is_listed) {
            placed({type, i}, false);
        } else {
            here.tick = 0;  // whoever asks must look again
            if (crowd.tick == work_.tick) crowd.put(i, rect);
        }
    }
}

// The sprites of a section that are not where they were before the tick, and not dead. Without
// branches, as in what follows: who has moved, and who stands in whose way, cannot be foretold.
template <class Draws>
inline std::span<const std::int32_t> Engine<Draws>::find_movers(int section) {
    const int n = sections_[section].count;
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    if (work_.movers.size() < slot(n)) work_.movers.resize(slot(n));
    std::int32_t* const movers = work_.movers.data();
    std::size_t found = 0;
    for (int i = 0; i < n; ++i) {
        movers[found] = i;
        const bool stands = truths(four(sprites[i].rect) == four(last[i])) == 0b1111;
        found += static_cast<std::size_t>(!stands & !sprites[i].is(kKilled));
    }
    return {movers, found};
}

// The same where all that bars the way fills cells.
template <class Draws>
template <class Movers>
inline void Engine<Draws>::hold_back_at_cells(const PairPlan& pair, const Movers& movers) {
    const int section = pair.barrier_section;
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    const Floor floor(level_, work_.fixtures);
    bool any = false;
    for (const std::int32_t i : movers) {
        Rect& rect = sprites[i].rect;
        if (!floor.has(rect)) [[unlikely]] {
            if (sprites[i].is(kKilled) || !is_blocked_by_resting(pair, rect, footing(rect, 0)))
                continue;
            rect = last[i];
            any = true;
            continue;
        }
        const bool is_back =
            ((floor(rect).resting & pair.barrier_bits) != 0) & !sprites[i].is(kKilled);
        const Rect* const then = is_back ? &last[i] : &rect;
        rect = Rect(*then);
        any |= is_back;
    }
    if (!any) return;
    work_.grounds[slot(section)].tick = 0;  // whoever asks must look again
    work_.crowds[slot(section)].tick = 0;
}

template <class Draws>
inline bool Engine<Draws>::is_blocked_by_resting(const PairPlan& pair, const Rect& rect,
                                                 const Workspace::Footing& here) const {
    const std::uint64_t bits = here.resting & pair.barrier_bits;
    if (bits == 0) return false;
    if ((bits & work_.fixtures.exact()) != 0 && (here.resting & kOutside) == 0) return true;
    bool found = false;
    for (int i = 0; i < pair.moving && !found; ++i) {
        const Match& match = pair.matches[slot(i)];
        if ((bits & match.second_bit) == 0) continue;
        for_resting_at(match.second_type, rect, here.cells, [&](int) { found = true; });
    }
    return found;
}

template <class Draws>
inline bool Engine<Draws>::is_blocked_by_moving(const PairPlan& pair, int index, const Rect& rect) {
    bool found = false;
    const auto note = [&](int) { found = true; };
    const bool is_near_screen = level_.is_near_screen(rect);
    for (std::size_t i = slot(pair.moving); i < pair.matches.size() && !found; ++i) {
        const int other = pair.matches[i].second_section;
        const int m = sections_[other].count;
        const int but = other == pair.barrier_section ? index : -1;
        if (!spend(m)) return false;
        if (level_.one_size && is_near_screen && m > kFew) {
            found = crowd(other).has_near(rect, m, but);
        } else {
            for_overlapping(other, m, but, rect, note);
        }
    }
    return found;
}

// List whom the sprites of a barrier meet, if there are enough of them; returns whether it was
// done.
template <class Draws>
bool Engine<Draws>::list_others(const PairPlan& pair) {
    std::int64_t all = 0;
    for (std::size_t i = slot(pair.moving); i < pair.matches.size(); ++i)
        all += sections_[pair.matches[i].second_section].count;
    if (all <= kBruteForce) return false;
    list(pair.barrier_section);
    for (std::size_t i = slot(pair.moving); i < pair.matches.size(); ++i)
        list(pair.matches[i].second_section);
    return true;
}

// The same by their lists.
template <class Draws>
inline bool Engine<Draws>::is_blocked_near(const PairPlan& pair, int index, const Rect& rect,
                                           const CellRange& cells) const {
    bool found = false;
    for (std::size_t i = slot(pair.moving); i < pair.matches.size() && !found; ++i) {
        const Match& match = pair.matches[i];
        const bool is_own = match.second_section == pair.barrier_section;
        const Records others = records(match.second_section);
        const auto test = [&](int k) {
            spend(1);
            if (!is_own || k != index) found = found || overlap(rect, others[k].rect);
        };
        work_.neighbours.for_near(cells, match.first_bit, match.second_section, match.second_bit,
                                  test);
    }
    return found;
}

template void Engine<Dice>::hold_back(const PairPlan&);
template void Engine<JavaDice>::hold_back(const PairPlan&);

}  // namespace ludex::vgdl

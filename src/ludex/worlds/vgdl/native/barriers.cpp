// Rules that only make sprites step back, by far the most common ones: walls, and whatever else
// bars the way.
//
// Nothing of what such a rule does can be seen but where the first sprite is: it goes back to where
// it was before the tick, however many others it overlaps. So one that has not moved, or has
// stepped back already, need not be looked at, and of the others it is enough to find one that
// they overlap. Where avatars are concerned there is more to see, for they are told whom they
// met; these pairs are no barriers (see plan.cpp).
#include "overlaps.hpp"

namespace ludex::vgdl {

template <class Draws>
void Engine<Draws>::hold_back(const PairPlan& pair) {
    const int section = pair.barrier_section;
    const int n = sections_[section].count;
    if (n == 0 || !spend(n)) return;
    const bool meets_movers = pair.moving < static_cast<int>(pair.matches.size());
    const bool looks_down = pair.barrier_bits != 0;
    if (!meets_movers && (work_.fixtures.present() & pair.barrier_bits) == 0) return;
    const bool is_listed = work_.listed[slot(section)] == work_.tick;
    const bool fill_cells = (work_.fixtures.present() & pair.barrier_bits &
                             ~work_.fixtures.exact()) == 0;
    if (level_.one_size && fill_cells && !meets_movers && !is_listed) {
        hold_back_at_cells(pair);
        return;
    }
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    const auto has_moved = [&](int i) {
        const Rect& rect = sprites[i].rect;
        const bool stands = spot_of(rect) == spot_of(last[i]) &&
                            (level_.one_size || (rect.w == last[i].w && rect.h == last[i].h));
        return !stands && !sprites[i].is(kKilled);
    };
    bool lists = false;
    if (meets_movers && n > 2 * kBruteForce) {
        int movers = 0;
        for (int i = 0; i < n; ++i) movers += has_moved(i);
        if (movers == 0) return;
        lists = movers > kBruteForce && list_others(pair);
    }
    // Of those that stand where they were nobody needs to know what is there.
    Workspace::Ground& here = renew(section);
    Crowd& crowd = work_.crowds[slot(section)];
    for (int i = 0; i < n; ++i) {
        if (!has_moved(i)) continue;
        Rect& rect = sprites[i].rect;
        const bool is_back =
            (looks_down && is_blocked_by_resting(pair, rect, stand(here, i, rect, 0))) ||
            (meets_movers && (lists ? is_blocked_near(pair, i, rect, here.footings[slot(i)].cells)
                                    : is_blocked_by_moving(pair, i, rect)));
        if (is_spent()) return;
        if (!is_back) continue;
        rect = last[i];
        if (is_listed) {
            placed({layout_.section_types[slot(section)], i}, false);
        } else {
            here.tick = 0;  // whoever asks must look again
            if (crowd.tick == work_.tick) crowd.put(i, rect);
        }
    }
}

// The same where all that bars the way fills cells. Without branches: who has moved, and who is in
// the way of whom, cannot be foretold.
template <class Draws>
void Engine<Draws>::hold_back_at_cells(const PairPlan& pair) {
    const int section = pair.barrier_section;
    const Records sprites = records(section);
    const Rect* const last = work_.last[slot(section)].data();
    std::uint64_t any = 0;
    for (int i = 0, n = sections_[section].count; i < n; ++i) {
        Rect& rect = sprites[i].rect;
        const std::uint64_t resting = footing(rect, 0).resting;
        const bool stays = (resting & pair.barrier_bits) == 0 || (resting & kOutside) != 0 ||
                           sprites[i].is(kKilled);
        const std::uint64_t here = spot_of(rect), before = spot_of(last[i]);
        const std::uint64_t then = stays ? here : before;
        any |= here ^ then;
        std::memcpy(static_cast<void*>(&rect), &then, sizeof then);
    }
    if (any == 0) return;
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
inline bool Engine<Draws>::is_blocked_by_moving(const PairPlan& pair, int index,
                                                const Rect& rect) {
    bool found = false;
    const auto note = [&](int) { found = true; };
    for (std::size_t i = slot(pair.moving); i < pair.matches.size() && !found; ++i) {
        const int other = pair.matches[i].second_section;
        const int m = sections_[other].count;
        if (!spend(m)) return false;
        for_overlapping(other, m, other == pair.barrier_section ? index : -1, rect, note);
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

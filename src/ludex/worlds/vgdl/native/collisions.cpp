// Who meets whom. The reference tests all pairs of sprites for every rule; here the pairs that
// overlap are found first and then treated in the reference's order. Where a rule can move
// sprites that it has not come to yet, the pairs are found again after it was applied.
//
// Three ways to find them, by what they cost: resting sprites by their cells, looked up once a
// tick for each sprite that moves; a few sprites against others one by one; large crowds through
// the lists of cells (neighbours.hpp). Rules that only make sprites step back are in barriers.cpp.
#include <algorithm>
#include <iterator>

#include "overlaps.hpp"
#include "physics.hpp"

namespace ludex::vgdl {
namespace {

// A hit is one number, so that sorting gives the order of treatment:
// 12 bits place of the first type, 20 its index, 12 place of the second type, 20 its index.
constexpr int kIndexBits = 20;
constexpr int kPlaceBits = 12;
constexpr int kSecond = kIndexBits + kPlaceBits;
constexpr std::uint64_t make_key(std::size_t place, int index) noexcept {
    return (static_cast<std::uint64_t>(place) << kIndexBits) | static_cast<std::uint64_t>(index);
}
constexpr std::uint64_t first_of(std::uint64_t hit) noexcept { return hit >> kSecond; }
constexpr std::uint64_t second_of(std::uint64_t hit) noexcept {
    return hit & ((std::uint64_t{1} << kSecond) - 1);
}
constexpr std::size_t place_of(std::uint64_t key) noexcept {
    return static_cast<std::size_t>(key >> kIndexBits) & ((1U << kPlaceBits) - 1);
}
constexpr int index_of(std::uint64_t key) noexcept {
    return static_cast<int>(key & ((1U << kIndexBits) - 1));
}

// In order, each once.
void sort_hits(std::vector<std::uint64_t>& hits) {
    const auto is_in_order = [](std::uint64_t a, std::uint64_t b) { return a >= b; };
    if (std::adjacent_find(hits.begin(), hits.end(), is_in_order) == hits.end()) return;
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
}

}  // namespace

template <class Draws>
void Engine<Draws>::run_collisions() {
    colliding_ = true;
    if (!spend(std::ssize(level_.plan.pairs))) return;
    for (const PairPlan& pair : level_.plan.pairs) {
        if (pair.barrier_section >= 0) {
            hold_back(pair);
            continue;
        }
        if (pair.watched_section >= 0 &&
            ((work_.fixtures.present() & pair.watched_bits) == 0 ||
             (ground(pair.watched_section).resting & pair.watched_bits) == 0)) {
            continue;
        }
        if (pair.matches.size() == 1 && pair.meetings.empty() && is_nobody_there(pair.matches[0]))
            continue;
        bool quiet = false;  // a rule found nobody, so the next one will not either
        for (const RulePlan& one : pair.rules) {
            if (!spend(1)) return;
            if (quiet) break;
            if (!work_.shields.empty()) {
                if (!spend(std::ssize(work_.shields))) return;
                if (is_shielded(pair, one.effect)) continue;
            }
            if (pair.tests_ground) {
                collide_on_ground(pair, one);
                continue;
            }
            work_.hits.clear();
            find_hits(pair, one);
            quiet = work_.hits.empty() && pair.meetings.empty();
            if (!work_.hits.empty()) collide(pair, one);
        }
    }
}

template <class Draws>
bool Engine<Draws>::is_shielded(const PairPlan& pair, Effect effect) const noexcept {
    return std::any_of(work_.shields.begin(), work_.shields.end(),
                       [&](const Workspace::Shield& shield) {
                           return shield.first == pair.first && shield.second == pair.second &&
                                  shield.effect == static_cast<std::int32_t>(effect);
                       });
}

// With clean semantics the dead and the disabled meet nobody.
template <class Draws>
bool Engine<Draws>::may_meet(Ref ref, bool second) const noexcept {
    if (all_meet_) return true;
    if (!game_.has(kKilledActs) && second && is_killed(ref)) return false;
    return game_.has(kDisabledActs) || !sp(ref).is(kDisabled);
}

// Treat all hits of a rule.
template <class Draws>
void Engine<Draws>::collide(const PairPlan& pair, const RulePlan& one) {
    std::vector<std::uint64_t>& hits = work_.hits;
    const std::vector<int>& firsts = subtypes(pair.first);
    const bool looks_again =
        one.moves == Moves::any || (one.moves == Moves::first && pair.shares_types);
    if (looks_again) count_sides(pair);
    std::size_t next = 0;
    while (next < hits.size()) {
        const std::uint64_t first = first_of(hits[next]);
        const Ref a{firsts[place_of(first)], index_of(first)};
        const Rect before = sp(a).rect;
        const bool done =
            one.is_batch ? treat_batch(pair, one, a, next) : treat(pair, one, a, next);
        if (is_spent()) return;
        if (!done || one.moves == Moves::nothing) continue;
        if (one.moves == Moves::any) {
            replace_all();
            find_hits_after(pair, one, first + 1);
            next = 0;
        } else if (!(sp(a).rect == before)) {
            placed(a, false);
            if (!pair.shares_types) continue;
            if (!spend(std::ssize(hits) / 8)) return;
            hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(next));
            next = 0;
            find_new_hits(pair, a, first);
        }
    }
}

// Treat the hits of one first sprite, from hit `next` on; returns whether there was any left.
template <class Draws>
bool Engine<Draws>::treat(const PairPlan& pair, const RulePlan& one, Ref a, std::size_t& next) {
    const std::vector<std::uint64_t>& hits = work_.hits;
    const std::vector<int>& seconds = subtypes(pair.second);
    const std::uint64_t first = first_of(hits[next]);
    const TypeLayout& layout = lay(a.type);
    bool done = false;
    for (; next < hits.size() && first_of(hits[next]) == first; ++next) {
        if (is_killed(a)) continue;
        const std::uint64_t second = second_of(hits[next]);
        const Ref b{seconds[place_of(second)], index_of(second)};
        if (layout.tests_ground) test_ground(a, b);
        // Either may have been moved away.
        Sprite& sprite = sp(a);
        if (!overlap(sprite.rect, sp(b).rect) || !may_meet(b, true)) continue;
        done = true;
        if (one.only_steps_back && spend(1)) {
            if (!layout.is_settled) sprite.rect = last(a);
            if (layout.tells_meetings || lay(b.type).tells_meetings) meet(a, b);
        } else {
            execute(one.number, a, b);
        }
    }
    return done;
}

// The same for rules that treat all second sprites at once.
template <class Draws>
bool Engine<Draws>::treat_batch(const PairPlan& pair, const RulePlan& one, Ref a,
                                std::size_t& next) {
    const std::vector<std::uint64_t>& hits = work_.hits;
    const std::vector<int>& seconds = subtypes(pair.second);
    const std::uint64_t first = first_of(hits[next]);
    std::vector<Ref>& candidates = work_.candidates;
    candidates.clear();
    for (; next < hits.size() && first_of(hits[next]) == first; ++next) {
        const std::uint64_t second = second_of(hits[next]);
        const Ref b{seconds[place_of(second)], index_of(second)};
        if (overlap(sp(a).rect, sp(b).rect)) candidates.push_back(b);
    }
    if (candidates.empty() || !spend(std::ssize(candidates))) return false;
    if (!game_.has(kKilledActs) && is_killed(a)) return false;
    execute_batch(one.number, a, candidates);
    return true;
}

// Sprites created from here on take no part.
template <class Draws>
void Engine<Draws>::count_sides(const PairPlan& pair) {
    const auto note = [&](const std::vector<int>& types, std::vector<std::int32_t>& counts) {
        if (counts.size() < types.size()) counts.resize(types.size());
        for (std::size_t i = 0; i < types.size(); ++i) counts[i] = extent(types[i]);
    };
    note(subtypes(pair.first), work_.first_counts);
    note(subtypes(pair.second), work_.second_counts);
}

// Find all pairs that overlap, in order.
template <class Draws>
void Engine<Draws>::find_hits(const PairPlan& pair, const RulePlan& one) {
    std::vector<std::uint64_t>& hits = work_.hits;
    if (!pair.meetings.empty() && !one.is_idle_on_settled) find_settled_meetings(pair);
    for (const Match& match : pair.matches) {
        const int n = sections_[match.first_section].count;
        const int m = sections_[match.second_section].count;
        if (n == 0 || m == 0) continue;
        switch (match.kind) {
            case Match::Kind::second_rests:
                find_resting(match.first_section, n, match.second_type, match.second_bit,
                             [&](int i, int k) { note_hit(match, i, k); });
                break;
            case Match::Kind::first_rests:
                find_resting(match.second_section, m, match.first_type, match.first_bit,
                             [&](int k, int i) { note_hit(match, i, k); });
                break;
            case Match::Kind::moving:
                find_moving(match, n, m);
                break;
        }
        if (is_spent()) break;
    }
    if (hits.empty()) return;
    if (!spend(4 * std::ssize(hits))) hits.clear();  // sorting is what costs most
    sort_hits(hits);
}

template <class Draws>
void Engine<Draws>::find_settled_meetings(const PairPlan& pair) {
    if (!spend(std::ssize(pair.meetings))) return;
    for (const SettledMeeting& meeting : pair.meetings) {
        const Ref a{meeting.first_type, meeting.first_index};
        const Ref b{meeting.second_type, meeting.second_index};
        if (!exists(a) || !exists(b) || !may_meet(b, true)) continue;
        work_.hits.push_back((make_key(slot(meeting.first), a.index) << kSecond) |
                             make_key(slot(meeting.second), b.index));
    }
}

// The same after sprites were moved, among those that took part from the beginning, beginning
// with the first sprite `after`.
template <class Draws>
void Engine<Draws>::find_hits_after(const PairPlan& pair, const RulePlan& one,
                                    std::uint64_t after) {
    work_.hits.clear();
    find_hits(pair, one);
    std::erase_if(work_.hits, [&](std::uint64_t hit) {
        const std::uint64_t first = first_of(hit), second = second_of(hit);
        return first < after || index_of(first) >= work_.first_counts[place_of(first)] ||
               index_of(second) >= work_.second_counts[place_of(second)];
    });
}

// After the first sprite of a pair was moved: whom it now meets as the second one.
template <class Draws>
void Engine<Draws>::find_new_hits(const PairPlan& pair, Ref moved, std::uint64_t first) {
    std::vector<std::uint64_t>& hits = work_.hits;
    const Rect rect = sp(moved).rect;
    for (const Match& match : pair.matches) {
        if (match.second_type != moved.type) continue;
        const std::uint64_t second = make_key(slot(match.second), moved.index);
        const auto note = [&](int index) {
            const std::uint64_t key = make_key(slot(match.first), index);
            if (key <= first || index >= work_.first_counts[slot(match.first)]) return;
            if (!may_meet({match.first_type, index}, false)) return;
            const std::uint64_t hit = (key << kSecond) | second;
            const auto place = std::lower_bound(hits.begin(), hits.end(), hit);
            if (!spend(std::ssize(hits) / 8)) return;
            if (place == hits.end() || *place != hit) hits.insert(place, hit);
        };
        if (match.kind == Match::Kind::first_rests) {
            for_resting_at(match.first_type, rect, level_.cells_of(rect), note);
            continue;
        }
        const bool is_listed = work_.listed[slot(match.first_section)] == work_.tick &&
                               work_.listed[slot(match.second_section)] == work_.tick;
        if (is_listed) {
            work_.neighbours.for_near(
                ground(match.second_section).footings[slot(moved.index)].cells, match.second_bit,
                match.first_section, match.first_bit, [&](int i) {
                    if (overlap(rect, sp({match.first_type, i}).rect)) note(i);
                });
            continue;
        }
        const int n = work_.first_counts[slot(match.first)];
        if (!spend(n)) return;
        for_overlapping(match.first_section, n, -1, rect, note);
    }
}

template <class Draws>
inline void Engine<Draws>::note_hit(const Match& match, int i, int k) {
    const Ref a{match.first_type, i}, b{match.second_type, k};
    if (a == b || !may_meet(a, false) || !may_meet(b, true)) return;
    work_.hits.push_back((make_key(slot(match.first), i) << kSecond) |
                         make_key(slot(match.second), k));
}

// Resting sprites

template <class Draws>
const Workspace::Ground& Engine<Draws>::look_around(int section) {
    // Resting sprites need not be looked for again while they are the same.
    const bool rests = lay(layout_.section_types[slot(section)]).rests;
    if (rests && work_.grounds[slot(section)].fixtures == work_.fixtures.name())
        return work_.grounds[slot(section)];
    Workspace::Ground& ground = renew(section);
    ground.tick = work_.tick;
    const int below = level_.plan.below[slot(section)];
    const Records sprites = records(section);
    const Floor floor(level_, work_.fixtures);
    const bool is_plain = level_.one_size && below == 0;
    std::uint64_t* const places = ground.places.data();
    Workspace::Footing* const footings = ground.footings.data();
    std::uint64_t resting = 0;
    for (int i = 0, n = sections_[section].count; i < n; ++i) {
        const Rect& rect = sprites[i].rect;
        if (places[i] != spot_of(rect)) {
            places[i] = spot_of(rect);
            footings[i] = is_plain && floor.has(rect) ? floor(rect) : footing(rect, below);
        }
        resting |= footings[i].resting;
    }
    ground.resting = resting;
    return ground;
}

// Visit the sprites of a section with the resting sprites of a type that they overlap.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::find_resting(int section, int n, int type, std::uint64_t bit,
                                        const Visit& visit) {
    const Workspace::Ground& here = ground(section);
    if ((here.resting & bit) == 0) return;
    if (!spend(n)) return;
    const Records sprites = records(section);
    const Workspace::Footing* const footings = here.footings.data();
    for (int i = 0; i < n; ++i) {
        if ((footings[i].resting & bit) == 0) continue;
        for_resting_at(type, sprites[i].rect, footings[i].cells, [&](int k) { visit(i, k); });
    }
}

// Sprites that move

// Add the overlapping sprites of two types, n and m of which exist.
template <class Draws>
void Engine<Draws>::find_moving(const Match& match, int n, int m) {
    if (std::int64_t{n} * m > kBruteForce * (n + m)) {
        find_crowded(match, n, m);
        return;
    }
    if (!spend(std::int64_t{n} * m)) return;
    const Records firsts = records(match.first_section), seconds = records(match.second_section);
    if (match.first_section == match.second_section) {
        for (int i = 0; i < n; ++i) {
            for_overlapping(match.second_section, m, i, firsts[i].rect,
                            [&](int k) { note_hit(match, i, k); });
        }
    } else if (n <= m) {
        for (int i = 0; i < n; ++i) {
            for_overlapping(match.second_section, m, -1, firsts[i].rect,
                            [&](int k) { note_hit(match, i, k); });
        }
    } else {
        for (int k = 0; k < m; ++k) {
            for_overlapping(match.first_section, n, -1, seconds[k].rect,
                            [&](int i) { note_hit(match, i, k); });
        }
    }
}

// Of two crowds only those listed in one cell are looked at.
template <class Draws>
void Engine<Draws>::find_crowded(const Match& match, int n, int m) {
    list(match.first_section);
    list(match.second_section);
    if (is_spent() || !work_.neighbours.may_meet(match.first_bit, match.second_bit)) return;
    const Records firsts = records(match.first_section), seconds = records(match.second_section);
    if (!spend(std::min(n, m))) return;
    if (n <= m) {
        const Workspace::Ground& here = ground(match.first_section);
        for (int i = 0; i < n; ++i) {
            work_.neighbours.for_near(here.footings[slot(i)].cells, match.first_bit,
                                      match.second_section, match.second_bit, [&](int k) {
                                          if (spend(1) && overlap(firsts[i].rect, seconds[k].rect))
                                              note_hit(match, i, k);
                                      });
        }
    } else {
        const Workspace::Ground& here = ground(match.second_section);
        for (int k = 0; k < m; ++k) {
            work_.neighbours.for_near(here.footings[slot(k)].cells, match.second_bit,
                                      match.first_section, match.first_bit, [&](int i) {
                                          if (spend(1) && overlap(firsts[i].rect, seconds[k].rect))
                                              note_hit(match, i, k);
                                      });
        }
    }
}

// List all sprites of a section in their cells, once in a tick.
template <class Draws>
void Engine<Draws>::list(int section) {
    if (work_.neighbours_tick != work_.tick) {
        work_.neighbours_tick = work_.tick;
        work_.neighbours.begin(level_.def.width, level_.def.height);
    }
    if (work_.listed[slot(section)] == work_.tick) return;
    work_.listed[slot(section)] = work_.tick;
    const std::uint64_t bit = level_.plan.bits[slot(section)];
    const Workspace::Ground& here = ground(section);
    for (int i = 0, n = sections_[section].count; i < n; ++i) {
        const CellRange& cells = here.footings[slot(i)].cells;
        if (!spend(cells.size())) return;
        work_.neighbours.add(section, i, bit, cells);
    }
}

// A sprite was made or came to another place: what was looked up must stay true.
template <class Draws>
void Engine<Draws>::placed(Ref ref, bool is_new) {
    const int section = lay(ref.type).section;
    Crowd& crowd = work_.crowds[slot(section)];
    if (crowd.tick == work_.tick) {
        if (!crowd.has_room(ref.index + 1)) crowd.resize(ref.index + 1);
        crowd.put(ref.index, sp(ref).rect);
    }
    Workspace::Ground& here = work_.grounds[slot(section)];
    if (here.tick != work_.tick) return;  // then nothing was
    if (here.footings.size() <= slot(ref.index)) {
        here.footings.resize(slot(ref.index) + 1);
        here.places.resize(slot(ref.index) + 1, kNowhere);
    }
    Workspace::Footing& footing_of = here.footings[slot(ref.index)];
    const CellRange before = is_new ? CellRange{} : footing_of.cells;
    const Workspace::Footing now = footing(sp(ref).rect, level_.plan.below[slot(section)]);
    footing_of = now;
    here.places[slot(ref.index)] = spot_of(sp(ref).rect);
    here.resting |= now.resting;
    if (work_.listed[slot(section)] != work_.tick) return;
    if (!spend(now.cells.size())) return;
    work_.neighbours.move(section, ref.index, level_.plan.bits[slot(section)], before, now.cells);
}

// Whether the sprites of two types can be near each other, as far as one look can tell.
template <class Draws>
inline bool Engine<Draws>::may_be_near(const Match& match) {
    if (is_nobody_there(match)) return false;
    if (match.kind != Match::Kind::second_rests || lay(match.first_type).is_settled) return true;
    return (work_.fixtures.present() & match.second_bit) != 0 &&
           (ground(match.first_section).resting & match.second_bit) != 0;
}

// Sprites that notice the ground by being tested against it: one first sprite after the other.
template <class Draws>
void Engine<Draws>::collide_on_ground(const PairPlan& pair, const RulePlan& one) {
    const std::vector<int>& firsts = subtypes(pair.first);
    bool is_counted = false;  // only where somebody is near, who could make more
    auto from = pair.matches.begin();
    for (std::size_t place = 0; place < firsts.size(); ++place) {
        const int type = firsts[place];
        const auto to = std::find_if(from, pair.matches.end(), [&](const Match& match) {
            return slot(match.first) != place;
        });
        const std::span<const Match> matches(from, to);
        from = to;
        if (pair.meetings.empty() &&
            std::none_of(matches.begin(), matches.end(),
                         [&](const Match& match) { return may_be_near(match); })) {
            continue;
        }
        if (!is_counted) count_sides(pair);
        is_counted = true;
        for (int i = 0; i < work_.first_counts[place]; ++i) {
            const Ref a{type, i};
            if (!spend(1)) return;
            if (!exists(a) || !may_meet(a, false)) continue;
            if (lay(type).tests_ground) notice_ground(matches, a);
            work_.hits.clear();
            find_hits_of(matches, a);
            if (!pair.meetings.empty()) find_settled_meetings_of(pair, place, a);
            if (work_.hits.empty()) continue;
            const Rect before = sp(a).rect;
            std::size_t next = 0;
            const bool done =
                one.is_batch ? treat_batch(pair, one, a, next) : treat(pair, one, a, next);
            if (is_spent()) return;
            if (!done || one.moves == Moves::nothing) continue;
            if (one.moves == Moves::any) {
                replace_all();
            } else if (!(sp(a).rect == before)) {
                placed(a, false);
            }
        }
    }
}

// Find whom one first sprite overlaps.
template <class Draws>
void Engine<Draws>::find_hits_of(std::span<const Match> matches, Ref a) {
    const Rect rect = sp(a).rect;
    for (const Match& match : matches) {
        const int m = work_.second_counts[slot(match.second)];
        if (m == 0) continue;
        if (match.kind == Match::Kind::second_rests) {
            const Workspace::Footing& here = ground(match.first_section).footings[slot(a.index)];
            if ((here.resting & match.second_bit) == 0) continue;
            for_resting_at(match.second_type, rect, here.cells, [&](int k) {
                if (k < m) note_hit(match, a.index, k);
            });
        } else {
            if (!spend(m)) return;
            for_overlapping(match.second_section, m, -1, rect,
                            [&](int k) { note_hit(match, a.index, k); });
        }
    }
    if (work_.hits.size() > 1) sort_hits(work_.hits);
}

template <class Draws>
void Engine<Draws>::find_settled_meetings_of(const PairPlan& pair, std::size_t place, Ref a) {
    for (const SettledMeeting& meeting : pair.meetings) {
        if (slot(meeting.first) != place || meeting.first_index != a.index) continue;
        const Ref b{meeting.second_type, meeting.second_index};
        if (!exists(b) || !may_meet(b, true)) continue;
        work_.hits.push_back((make_key(place, a.index) << kSecond) |
                             make_key(slot(meeting.second), b.index));
    }
    sort_hits(work_.hits);
}

// A walker that comes down feels what is solid a little below its feet.
template <class Draws>
void Engine<Draws>::notice_ground(std::span<const Match> matches, Ref a) {
    const Sprite& sprite = sp(a);
    if (sprite.is(kOnGround) || sprite.rect.y <= last(a).y) return;
    Rect below = sprite.rect;
    below.y = add(below.y, kGroundBelow);
    for (const Match& match : matches) {
        if (!match.second_is_solid) continue;
        const int m = work_.second_counts[slot(match.second)];
        const auto test = [&](int k) {
            const Ref b{match.second_type, k};
            if (k < m && !(a == b)) test_ground(a, b);
        };
        if (match.kind == Match::Kind::second_rests) {
            const Workspace::Footing& here = ground(match.first_section).footings[slot(a.index)];
            if ((here.resting & match.second_bit) != 0)
                for_resting_at(match.second_type, below, here.cells, test);
        } else {
            if (!spend(m)) return;
            for_overlapping(match.second_section, m, -1, below, test);
        }
    }
}

template void Engine<Dice>::run_collisions();
template void Engine<JavaDice>::run_collisions();
template void Engine<Dice>::placed(Ref, bool);
template void Engine<JavaDice>::placed(Ref, bool);
template void Engine<Dice>::list(int);
template void Engine<JavaDice>::list(int);
template const Workspace::Ground& Engine<Dice>::look_around(int);
template const Workspace::Ground& Engine<JavaDice>::look_around(int);

}  // namespace ludex::vgdl

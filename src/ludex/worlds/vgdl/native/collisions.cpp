// Who meets whom. The reference tests all pairs of sprites for every rule; here the pairs that
// overlap are found first, through the cells of settled sprites and through buckets of large
// groups, and then treated in the reference's order. Where a rule can move sprites that it has
// not come to yet, the pairs are found again after every time it was applied.
#include <algorithm>
#include <iterator>

#include "engine.hpp"

namespace ludex::vgdl {
namespace {

std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

// A hit is one number, so that sorting gives the order of treatment:
// 12 bits place of the first type, 20 its index, 12 place of the second type, 20 its index.
constexpr int kIndexBits = 20;
constexpr int kPlaceBits = 12;
constexpr int kSecond = kIndexBits + kPlaceBits;
constexpr std::uint64_t make_key(std::size_t place, int index) noexcept {
    return (static_cast<std::uint64_t>(place) << kIndexBits) | static_cast<std::uint64_t>(index);
}
constexpr std::uint64_t first_of(std::uint64_t hit) noexcept { return hit >> kSecond; }
constexpr std::size_t place_of(std::uint64_t key) noexcept {
    return static_cast<std::size_t>(key >> kIndexBits) & ((1U << kPlaceBits) - 1);
}
constexpr int index_of(std::uint64_t key) noexcept {
    return static_cast<int>(key & ((1U << kIndexBits) - 1));
}

constexpr std::int64_t kBruteForce = 512;  // pairs tested one by one before buckets pay

int floor_div(int a, int b) noexcept { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

template <class Draws>
void Engine<Draws>::run_collisions() {
    for (std::size_t pair = 0; pair < game_.pairs.size(); ++pair) {
        const PairDef& both = game_.pairs[pair];
        for (const int number : both.rules) {
            if (!rule(number).enabled) continue;
            if (!spend(1)) return;
            if (!work_.shields.empty()) {
                if (!spend(std::ssize(work_.shields))) return;
                const auto effect = static_cast<std::int32_t>(rule(number).effect);
                const bool shielded = std::any_of(work_.shields.begin(), work_.shields.end(),
                                                  [&](const Workspace::Shield& shield) {
                                                      return shield.first == both.first &&
                                                             shield.second == both.second &&
                                                             shield.effect == effect;
                                                  });
                if (shielded) continue;
            }
            collide(pair, number);
        }
    }
}

// With clean semantics the dead and the disabled meet nobody.
template <class Draws>
bool Engine<Draws>::may_meet(Ref ref, bool second) const noexcept {
    if (all_meet_) return true;
    if (!game_.has(kKilledActs) && second && is_killed(ref)) return false;
    return game_.has(kDisabledActs) || !sp(ref).is(kDisabled);
}

template <class Draws>
void Engine<Draws>::collide(std::size_t pair, int number) {
    const PairPlan& plan = level_.plans[pair];
    const RuleDef& one = rule(number);
    std::vector<std::uint64_t>& hits = work_.hits;
    hits.clear();
    if (!spend(std::ssize(plan.matches))) return;
    if (!plan.tests_ground) {
        find_hits(plan, one);
        if (hits.empty()) return;
    }
    const PairDef& both = game_.pairs[pair];
    const std::vector<int>& firsts = subtypes(both.first);
    const std::vector<int>& seconds = subtypes(both.second);
    // Sprites created from here on take no part.
    work_.first_counts.clear();
    work_.second_counts.clear();
    for (const int type : firsts) work_.first_counts.push_back(extent(type));
    for (const int type : seconds) work_.second_counts.push_back(extent(type));
    if (!spend(std::ssize(firsts) + std::ssize(seconds))) return;
    if (plan.tests_ground) {
        collide_all(both, number);
        return;
    }
    const Moves moves = moves_of(one.effect);
    const bool batch = is_batch(one.effect);
    std::size_t next = 0;
    while (next < hits.size()) {
        const std::uint64_t first = first_of(hits[next]);
        const Ref a{firsts[place_of(first)], index_of(first)};
        const Rect before = sp(a).rect;
        std::vector<Ref>& candidates = work_.candidates;
        candidates.clear();
        for (; next < hits.size() && first_of(hits[next]) == first; ++next) {
            candidates.push_back({seconds[place_of(hits[next])], index_of(hits[next])});
        }
        if (!spend(std::ssize(candidates))) return;
        bool done = false;
        if (batch) {
            // Only those that overlap now: others may have been moved away.
            std::erase_if(candidates, [&](Ref b) { return !overlap(before, sp(b).rect); });
            if (!candidates.empty() && (game_.has(kKilledActs) || !is_killed(a))) {
                execute_batch(number, a, candidates);
                done = true;
            }
        } else {
            for (const Ref b : candidates) {
                if (is_killed(a)) break;
                if (!overlap(sp(a).rect, sp(b).rect) || !may_meet(b, true)) continue;
                execute(number, a, b);
                done = true;
            }
        }
        if (!done || moves == Moves::nothing) continue;
        if (moves == Moves::any) {
            find_hits_after(plan, one, first + 1);
            next = 0;
        } else if (plan.shares_types && !(sp(a).rect == before)) {
            if (!spend(std::ssize(hits) / 8)) return;
            hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(next));
            next = 0;
            find_new_hits(plan, a, first);
        }
    }
}

// Find all pairs that overlap, in order.
template <class Draws>
void Engine<Draws>::find_hits(const PairPlan& plan, const RuleDef& one) {
    std::vector<std::uint64_t>& hits = work_.hits;
    if (!plan.meetings.empty() && !is_idle_on_settled(one)) {
        if (!spend(std::ssize(plan.meetings))) return;
        for (const SettledMeeting& meeting : plan.meetings) {
            const Ref a{meeting.first_type, meeting.first_index};
            const Ref b{meeting.second_type, meeting.second_index};
            if (!exists(a) || !exists(b) || !may_meet(b, true)) continue;
            hits.push_back((make_key(at(meeting.first), a.index) << kSecond) |
                           make_key(at(meeting.second), b.index));
        }
    }
    const Section* const sections = state_.sections();
    for (const Match& match : plan.matches) {
        const int n = sections[match.first_section].count;
        const int m = sections[match.second_section].count;
        if (n == 0 || m == 0) continue;
        if (!spend(n + m)) break;
        find_match(match, n, m);
    }
    if (!spend(4 * std::ssize(hits))) hits.clear();  // sorting is what costs most
    if (hits.size() > 1) std::sort(hits.begin(), hits.end());
}

// The same after sprites were moved, among those that took part from the beginning, beginning
// with the first sprite `after`.
template <class Draws>
void Engine<Draws>::find_hits_after(const PairPlan& plan, const RuleDef& one, std::uint64_t after) {
    work_.hits.clear();
    find_hits(plan, one);
    std::erase_if(work_.hits, [&](std::uint64_t hit) {
        const std::uint64_t second = hit & ((std::uint64_t{1} << kSecond) - 1);
        return first_of(hit) < after ||
               index_of(first_of(hit)) >= work_.first_counts[place_of(first_of(hit))] ||
               index_of(second) >= work_.second_counts[place_of(second)];
    });
}

// After the first sprite of a pair was moved: whom it now meets as the second one.
template <class Draws>
void Engine<Draws>::find_new_hits(const PairPlan& plan, Ref moved, std::uint64_t first) {
    std::vector<std::uint64_t>& hits = work_.hits;
    const Rect rect = sp(moved).rect;
    for (const Match& match : plan.matches) {
        if (match.second_type != moved.type) continue;
        const std::uint64_t second = make_key(at(match.second), moved.index);
        const auto note = [&](int index) {
            const std::uint64_t key = make_key(at(match.first), index);
            if (key <= first || !may_meet({match.first_type, index}, false)) return;
            const std::uint64_t hit = (key << kSecond) | second;
            const auto place = std::lower_bound(hits.begin(), hits.end(), hit);
            if (!spend(std::ssize(hits) / 8)) return;
            if (place == hits.end() || *place != hit) hits.insert(place, hit);
        };
        if (match.kind == Match::Kind::first_settled) {
            for_settled_at(match.first_type, rect, note);
            continue;
        }
        const int n = work_.first_counts[at(match.first)];
        if (!spend(n)) return;
        const bool from_here = at(match.first) == place_of(first);
        for (int i = from_here ? index_of(first) + 1 : 0; i < n; ++i) {
            if (overlap(sp({match.first_type, i}).rect, rect)) note(i);
        }
    }
}

// Visit the settled sprites of a type that overlap a rectangle.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::for_settled_at(int type, const Rect& rect,
                                          const Visit& visit) const noexcept {
    const SettledType& group = settled(type);
    const auto look = [&](int index) {
        const Ref ref{type, index};
        if (exists(ref) && overlap(rect, sp(ref).rect)) visit(index);
    };
    if (group.cells.empty()) {
        if (!spend(group.section.count)) return;
        for (int i = 0; i < group.section.count; ++i) look(i);
        return;
    }
    if (rect.w <= 0 || rect.h <= 0) return;
    const int width = level_.def.width;
    int left = 0, right = 0, top = 0, bottom = 0;
    if (rect.x >= 0 && rect.y >= 0 && rect.x + rect.w <= level_.screen.w &&
        rect.y + rect.h <= level_.screen.h) [[likely]] {
        left = level_.columns[at(rect.x)];
        right = level_.columns[at(rect.x + rect.w - 1)];
        top = level_.rows[at(rect.y)];
        bottom = level_.rows[at(rect.y + rect.h - 1)];
    } else {
        const int size = level_.def.block;
        left = std::max(0, floor_div(rect.x, size));
        right = std::min(width - 1, floor_div(rect.x + rect.w - 1, size));
        top = std::max(0, floor_div(rect.y, size));
        bottom = std::min(level_.def.height - 1, floor_div(rect.y + rect.h - 1, size));
    }
    if (!spend(std::int64_t{bottom - top + 1} * (right - left + 1))) return;
    for (int y = top; y <= bottom; ++y) {
        const std::int32_t* const row = group.cells.data() + at(y) * at(width);
        for (int x = left; x <= right; ++x) {
            if (row[x] >= 0) look(row[x]);
        }
    }
}

// Add the overlapping sprites of two types, n and m of which exist.
template <class Draws>
void Engine<Draws>::find_match(const Match& match, int n, int m) {
    std::vector<std::uint64_t>& hits = work_.hits;
    const std::uint64_t first = make_key(at(match.first), 0);
    const std::uint64_t second = make_key(at(match.second), 0);
    const auto note = [&](int i, int k) {
        if (!may_meet({match.first_type, i}, false) || !may_meet({match.second_type, k}, true))
            return;
        hits.push_back(((first | static_cast<std::uint64_t>(i)) << kSecond) | second |
                       static_cast<std::uint64_t>(k));
    };
    const Section* const sections = state_.sections();
    const auto rect_at = [&](int section, int index) -> const Rect& {
        return state_.sprite(sections[section], index).rect;
    };
    switch (match.kind) {
        case Match::Kind::second_settled:
            for (int i = 0; i < n; ++i) {
                for_settled_at(match.second_type, rect_at(match.first_section, i),
                               [&](int k) { note(i, k); });
            }
            break;
        case Match::Kind::first_settled:
            for (int k = 0; k < m; ++k) {
                for_settled_at(match.first_type, rect_at(match.second_section, k),
                               [&](int i) { note(i, k); });
            }
            break;
        case Match::Kind::moving:
            if (std::int64_t{n} * m > kBruteForce) {
                find_in_buckets(match, n, m);
                break;
            }
            for (int i = 0; i < n; ++i) {
                const Rect& rect = rect_at(match.first_section, i);
                for (int k = 0; k < m; ++k) {
                    if (!overlap(rect, rect_at(match.second_section, k))) continue;
                    if (i != k || match.first_type != match.second_type) note(i, k);
                }
            }
            break;
    }
}

// Put the larger group into buckets by cell, and look there for each sprite of the smaller one.
template <class Draws>
void Engine<Draws>::find_in_buckets(const Match& match, int n, int m) {
    const bool many_first = n > m;
    const int many = many_first ? match.first_type : match.second_type;
    const int few = many_first ? match.second_type : match.first_type;
    const int size = level_.def.block, width = level_.def.width, height = level_.def.height;
    const auto column = [&](int x) { return std::clamp(floor_div(x, size), 0, width - 1); };
    const auto row = [&](int y) { return std::clamp(floor_div(y, size), 0, height - 1); };
    const std::size_t cells = at(width) * at(height);
    if (work_.heads.size() < cells) {
        work_.heads.resize(cells);
        work_.stamps.assign(cells, 0);
        work_.stamp = 0;
    }
    if (++work_.stamp == 0) {
        std::fill(work_.stamps.begin(), work_.stamps.end(), 0U);
        work_.stamp = 1;
    }
    const int more = std::max(n, m), less = std::min(n, m);
    work_.links.resize(at(more));
    int widest = 1, highest = 1;
    for (int i = 0; i < more; ++i) {
        const Rect& rect = sp({many, i}).rect;
        widest = std::max(widest, rect.w);
        highest = std::max(highest, rect.h);
        const std::size_t cell = at(row(rect.y) * width + column(rect.x));
        work_.links[at(i)] = work_.stamps[cell] == work_.stamp ? work_.heads[cell] : -1;
        work_.stamps[cell] = work_.stamp;
        work_.heads[cell] = i;
    }
    for (int k = 0; k < less; ++k) {
        const Ref ref{few, k};
        const Rect rect = sp(ref).rect;
        if (rect.w <= 0 || rect.h <= 0) continue;
        const int left = column(add(rect.x, 1 - std::int64_t{widest}));
        const int right = column(add(rect.x, std::int64_t{rect.w} - 1));
        const int top = row(add(rect.y, 1 - std::int64_t{highest}));
        const int bottom = row(add(rect.y, std::int64_t{rect.h} - 1));
        if (!spend(std::int64_t{bottom - top + 1} * (right - left + 1))) return;
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) {
                const std::size_t cell = at(y * width + x);
                if (work_.stamps[cell] != work_.stamp) continue;
                for (int i = work_.heads[cell]; i >= 0; i = work_.links[at(i)]) {
                    const Ref other{many, i};
                    if (!spend(1)) return;
                    if (other == ref || !overlap(rect, sp(other).rect)) continue;
                    const Ref a{match.first_type, many_first ? i : k};
                    const Ref b{match.second_type, many_first ? k : i};
                    if (!may_meet(a, false) || !may_meet(b, true)) continue;
                    work_.hits.push_back((make_key(at(match.first), a.index) << kSecond) |
                                         make_key(at(match.second), b.index));
                }
            }
        }
    }
}

// Every pair, one by one: for sprites that notice the ground by being tested against it.
template <class Draws>
void Engine<Draws>::collide_all(const PairDef& pair, int number) {
    const std::vector<int>& firsts = subtypes(pair.first);
    const std::vector<int>& seconds = subtypes(pair.second);
    const bool batch = is_batch(rule(number).effect);
    for (std::size_t f = 0; f < firsts.size(); ++f) {
        for (int i = 0; i < work_.first_counts[f]; ++i) {
            const Ref a{firsts[f], i};
            if (!exists(a) || !may_meet(a, false)) continue;
            for (const std::int32_t n : work_.second_counts) spend(n + 1);
            if (work_.left < 0) return;
            const bool ground = lay(a.type).tests_ground;
            const Rect rect = sp(a).rect;
            std::vector<Ref>& candidates = work_.candidates;
            candidates.clear();
            for (std::size_t s = 0; s < seconds.size(); ++s) {
                for (int k = 0; k < work_.second_counts[s]; ++k) {
                    const Ref b{seconds[s], k};
                    if (b == a || !exists(b)) continue;
                    if (ground) test_ground(a, b);
                    if (overlap(rect, sp(b).rect) && may_meet(b, true)) candidates.push_back(b);
                }
            }
            if (candidates.empty()) continue;
            if (batch) {
                if (game_.has(kKilledActs) || !is_killed(a)) execute_batch(number, a, candidates);
                continue;
            }
            for (const Ref b : candidates) {
                if (is_killed(a)) break;
                if (ground) test_ground(a, b);
                if (overlap(sp(a).rect, sp(b).rect) && may_meet(b, true)) execute(number, a, b);
            }
        }
    }
}

template void Engine<Dice>::run_collisions();
template void Engine<JavaDice>::run_collisions();

}  // namespace ludex::vgdl

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
        const PairDef& def = game_.pairs[pair];
        for (const int number : def.rules) {
            if (!rule(number).enabled) continue;
            const std::size_t looked_at = subtypes(def.first).size() + subtypes(def.second).size();
            if (!spend(static_cast<std::int64_t>(looked_at + work_.shields.size()) + 1)) return;
            const auto effect = static_cast<std::int32_t>(rule(number).effect);
            const bool shielded = std::any_of(
                work_.shields.begin(), work_.shields.end(), [&](const Workspace::Shield& shield) {
                    return shield.first == def.first && shield.second == def.second &&
                           shield.effect == effect;
                });
            if (!shielded) collide(pair, number);
        }
    }
}

// With clean semantics the dead and the disabled meet nobody.
template <class Draws>
bool Engine<Draws>::may_meet(Ref ref, bool second) const noexcept {
    if (!game_.has(kKilledActs) && second && is_killed(ref)) return false;
    return game_.has(kDisabledActs) || !sp(ref).is(kDisabled);
}

template <class Draws>
void Engine<Draws>::collide(std::size_t pair, int number) {
    const PairDef& def = game_.pairs[pair];
    const RuleDef& one = rule(number);
    const std::vector<int>& firsts = subtypes(def.first);
    const std::vector<int>& seconds = subtypes(def.second);
    // Sprites created from here on take no part.
    std::vector<std::int32_t>& first_counts = work_.first_counts;
    std::vector<std::int32_t>& second_counts = work_.second_counts;
    first_counts.clear();
    second_counts.clear();
    bool any = false;
    bool ground = false;
    for (const int type : firsts) {
        any = any || count(type) > 0;
        ground = ground || lay(type).tests_ground;
        first_counts.push_back(extent(type));
    }
    if (!any) return;
    any = false;
    for (const int type : seconds) {
        any = any || count(type) > 0;
        second_counts.push_back(extent(type));
    }
    if (!any) return;
    if (ground) {
        collide_all(def, number);
        return;
    }
    std::vector<std::uint64_t>& hits = work_.hits;
    find_hits(pair, one, 0);
    if (hits.empty()) return;
    bool again = moves_of(one.effect) == Moves::any;
    if (moves_of(one.effect) == Moves::first) {
        for (const int type : firsts) {
            again = again || std::find(seconds.begin(), seconds.end(), type) != seconds.end();
        }
    }
    const bool batch = is_batch(one.effect);
    std::size_t next = 0;
    while (next < hits.size()) {
        const std::uint64_t first = first_of(hits[next]);
        const Ref a{firsts[place_of(first)], index_of(first)};
        std::vector<Ref>& candidates = work_.candidates;
        candidates.clear();
        for (; next < hits.size() && first_of(hits[next]) == first; ++next) {
            candidates.push_back({seconds[place_of(hits[next])], index_of(hits[next])});
        }
        if (!spend(std::ssize(candidates))) return;
        bool done = false;
        if (batch) {
            if (game_.has(kKilledActs) || !is_killed(a)) {
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
        if (done && again) {
            find_hits(pair, one, first + 1);
            next = 0;
        }
    }
}

// Find all pairs that overlap, beginning with the first sprite `after`, in order.
template <class Draws>
void Engine<Draws>::find_hits(std::size_t pair, const RuleDef& one, std::uint64_t after) {
    const PairDef& def = game_.pairs[pair];
    const std::vector<int>& firsts = subtypes(def.first);
    const std::vector<int>& seconds = subtypes(def.second);
    std::vector<std::uint64_t>& hits = work_.hits;
    hits.clear();
    const auto note = [&](std::uint64_t a, std::uint64_t b) {
        if (a >= after) hits.push_back((a << kSecond) | b);
    };
    if (!is_idle_on_settled(one)) {
        if (!spend(std::ssize(level_.meetings[pair]))) return;
        for (const SettledMeeting& meeting : level_.meetings[pair]) {
            const Ref a{firsts[at(meeting.first)], meeting.first_index};
            const Ref b{seconds[at(meeting.second)], meeting.second_index};
            if (!exists(a) || !exists(b) || !may_meet(b, true)) continue;
            note(make_key(at(meeting.first), a.index), make_key(at(meeting.second), b.index));
        }
    }
    for (std::size_t f = 0; f < firsts.size(); ++f) {
        const int first = firsts[f];
        const int n = work_.first_counts[f];
        if (n == 0) continue;
        for (std::size_t s = 0; s < seconds.size(); ++s) {
            const int second = seconds[s];
            const int m = work_.second_counts[s];
            if (m == 0 || (lay(first).is_settled && lay(second).is_settled)) continue;
            if (!spend(n + m)) break;
            if (lay(second).is_settled) {
                for (int i = 0; i < n; ++i) {
                    const Ref a{first, i};
                    if (!may_meet(a, false)) continue;
                    find_in_settled(second, sp(a).rect,
                                    (make_key(f, i) << kSecond) | make_key(s, 0), 0, after);
                }
            } else if (lay(first).is_settled) {
                for (int k = 0; k < m; ++k) {
                    const Ref b{second, k};
                    if (!may_meet(b, true)) continue;
                    find_in_settled(first, sp(b).rect, (make_key(f, 0) << kSecond) | make_key(s, k),
                                    kSecond, after);
                }
            } else if (std::int64_t{n} * m > kBruteForce) {
                const std::uint64_t key = (make_key(f, 0) << kSecond) | make_key(s, 0);
                if (n > m) {
                    find_in_buckets(key, {first, 0}, n, {second, 0}, m, true, after);
                } else {
                    find_in_buckets(key, {second, 0}, m, {first, 0}, n, false, after);
                }
            } else {
                for (int i = 0; i < n; ++i) {
                    const Ref a{first, i};
                    const Rect rect = sp(a).rect;
                    for (int k = 0; k < m; ++k) {
                        const Ref b{second, k};
                        if (!overlap(rect, sp(b).rect) || a == b) continue;
                        if (may_meet(a, false) && may_meet(b, true))
                            note(make_key(f, i), make_key(s, k));
                    }
                }
            }
        }
    }
    if (!spend(4 * std::ssize(hits))) hits.clear();
    std::sort(hits.begin(), hits.end());
}

// Add the settled sprites of a type that overlap a rectangle; their index goes to `key` at `shift`.
template <class Draws>
void Engine<Draws>::find_in_settled(int type, const Rect& rect, std::uint64_t key, int shift,
                                    std::uint64_t after) {
    const SettledType& group = settled(type);
    const auto look = [&](int index) {
        const Ref ref{type, index};
        if (!exists(ref) || !overlap(rect, sp(ref).rect) || !may_meet(ref, shift == 0)) return;
        const std::uint64_t hit = key | (static_cast<std::uint64_t>(index) << shift);
        if (first_of(hit) >= after) work_.hits.push_back(hit);
    };
    if (group.cells.empty()) {
        if (!spend(group.section.count)) return;
        for (int i = 0; i < group.section.count; ++i) look(i);
        return;
    }
    if (rect.w <= 0 || rect.h <= 0) return;
    const int size = level_.def.block, width = level_.def.width, height = level_.def.height;
    const int left = std::max(0, floor_div(rect.x, size));
    const int right = std::min(width - 1, floor_div(rect.x + rect.w - 1, size));
    const int top = std::max(0, floor_div(rect.y, size));
    const int bottom = std::min(height - 1, floor_div(rect.y + rect.h - 1, size));
    if (!spend(std::int64_t{bottom - top + 1} * (right - left + 1))) return;
    for (int y = top; y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) {
            const std::int32_t index = group.cells[at(y * width + x)];
            if (index >= 0) look(index);
        }
    }
}

// Put the larger group into buckets by cell, and look there for each sprite of the smaller one.
template <class Draws>
void Engine<Draws>::find_in_buckets(std::uint64_t key, Ref many, int n, Ref few, int m,
                                    bool many_first, std::uint64_t after) {
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
    work_.links.resize(at(n));
    int widest = 1, highest = 1;
    for (int i = 0; i < n; ++i) {
        const Rect& rect = sp({many.type, i}).rect;
        widest = std::max(widest, rect.w);
        highest = std::max(highest, rect.h);
        const std::size_t cell = at(row(rect.y) * width + column(rect.x));
        work_.links[at(i)] = work_.stamps[cell] == work_.stamp ? work_.heads[cell] : -1;
        work_.stamps[cell] = work_.stamp;
        work_.heads[cell] = i;
    }
    for (int k = 0; k < m; ++k) {
        const Ref ref{few.type, k};
        if (!may_meet(ref, many_first)) continue;
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
                    const Ref other{many.type, i};
                    if (!spend(1)) return;
                    if (other == ref || !overlap(rect, sp(other).rect) ||
                        !may_meet(other, !many_first))
                        continue;
                    const int a = many_first ? i : k, b = many_first ? k : i;
                    const std::uint64_t hit = key | (static_cast<std::uint64_t>(a) << kSecond) |
                                              static_cast<std::uint64_t>(b);
                    if (first_of(hit) >= after) work_.hits.push_back(hit);
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

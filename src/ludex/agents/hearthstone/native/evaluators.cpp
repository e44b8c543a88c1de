#include "evaluators.hpp"

#include <algorithm>
#include <cmath>

#include "read_only_engine.hpp"

namespace ludex::hearthstone::agents {

namespace {

constexpr int kTough = 5;  // survives four damage

struct Fighter {
    int attack = 0;
    int health = 0;
    bool taunt = false;

    [[nodiscard]] int value() const noexcept { return attack + health; }
};

struct Fighters {
    std::array<Fighter, kBoard> fighters;
    int count = 0;

    void add(const Fighter& fighter) noexcept { fighters[at(count++)] = fighter; }
    void remove(int index) noexcept {
        for (int i = index; i + 1 < count; ++i) fighters[at(i)] = fighters[at(i + 1)];
        --count;
    }
    [[nodiscard]] Fighter& operator[](int index) noexcept { return fighters[at(index)]; }
    [[nodiscard]] const Fighter& operator[](int index) const noexcept {
        return fighters[at(index)];
    }
    // Equal ones stay in order. There are few, so that inserting is quickest.
    template <class Before>
    void sort(Before&& before) noexcept {
        for (int i = 1; i < count; ++i) {
            const Fighter moved = fighters[at(i)];
            int index = i;
            for (; index > 0 && before(moved, fighters[at(index - 1)]); --index) {
                fighters[at(index)] = fighters[at(index - 1)];
            }
            fighters[at(index)] = moved;
        }
    }
};

// A side's minions of this health or more.
int count_minions(const State& state, int seat, int least_health) noexcept {
    const Player& p = state.players[at(seat)];
    int count = 0;
    for (int i = 0; i < p.board_size; ++i) {
        count += state.minions[p.board[at(i)]].health >= least_health ? 1 : 0;
    }
    return count;
}

// The weakest go first; of equal ones the one that hits harder. `all`: those that have attacked
// this turn, too.
Fighters attackers_of(const Engine& engine, const State& state, int seat, bool all) noexcept {
    const Player& p = state.players[at(seat)];
    Fighters found;
    for (int i = 0; i < p.board_size; ++i) {
        const Ref ref = p.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0 || (m.flags & kFrozen) != 0) continue;
        if (!all && !is_ready(engine, state, ref)) continue;
        found.add({engine.attack_of(ref), m.health, false});
    }
    found.sort([](const Fighter& a, const Fighter& b) {
        if (a.value() != b.value()) return a.value() < b.value();
        return a.attack > b.attack;
    });
    return found;
}

// Taunts must fall first; the strongest stand at the front of each part.
Fighters defenders_of(const Engine& engine, const State& state, int seat, bool taunts) noexcept {
    const Player& p = state.players[at(seat)];
    Fighters found;
    for (int i = 0; i < p.board_size; ++i) {
        const Ref ref = p.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0) continue;
        const bool taunt = taunts && (engine.keywords_of(ref) & kTaunt) != 0;
        found.add({engine.attack_of(ref), m.health, taunt});
    }
    found.sort([](const Fighter& a, const Fighter& b) {
        if (a.taunt != b.taunt) return a.taunt;
        return a.value() > b.value();
    });
    return found;
}

struct Exchange {
    int score = -1000000;
    int left_over = 0;  // value of the attackers that were not needed, less that of who stands
};

// All attackers strike one after the other, the first at defender `aim`; `shield` taunts stand.
Exchange exchange(const Fighters& attackers, Fighters standing, int shield, int aim) noexcept {
    Exchange result{0, 0};
    int used = 0;
    while (used < attackers.count && standing.count > 0) {
        const Fighter& a = attackers[used++];
        Fighter& t = standing[aim];
        result.score += t.health <= a.attack ? t.value() : a.attack;
        result.score -= a.health <= t.attack ? a.value() : t.attack;
        t.health -= a.attack;
        if (t.health > 0 || used == attackers.count) continue;
        standing.remove(aim);
        if (shield > 0 && --shield == 0) {
            aim = 0;
        } else {
            const int reach = shield > 0 ? shield : standing.count;
            if (aim >= reach) aim = std::max(0, reach - 1);
        }
    }
    for (int i = used; i < attackers.count; ++i) result.left_over += attackers[i].value();
    for (int i = 0; i < standing.count; ++i) result.left_over -= standing[i].value();
    return result;
}

double best_trade(const Rules& rules, const State& state, int seat, bool all,
                  bool released) noexcept {
    const ReadOnlyEngine engine(rules, state);
    const Fighters attackers = attackers_of(*engine, state, seat, all);
    const Fighters defenders = defenders_of(*engine, state, 1 - seat, !released);
    const auto result = [&](double value) { return released ? std::trunc(value) : value; };
    const bool is_empty = count_minions(state, seat, 1) == 0;
    if (defenders.count == 0) return result(is_empty ? 0.0 : attackers.count > 0 ? 0.5 : 0.25);
    if (is_empty) return result(-0.5);
    int taunts = 0;
    while (taunts < defenders.count && defenders[taunts].taunt) ++taunts;
    const int targets = taunts > 0 ? taunts : defenders.count;
    Exchange best;
    for (int first = 0; first < targets; ++first) {
        const Exchange found = exchange(attackers, defenders, taunts, first);
        if (found.score > best.score) best = found;
    }
    return released ? std::trunc(best.left_over / 20.0) : best.score / 20.0;
}

}  // namespace

double trade(const Rules& rules, const State& state, int seat, bool released) noexcept {
    const double mine = best_trade(rules, state, seat, false, released);
    const double value = mine > 0.0 ? mine : -best_trade(rules, state, 1 - seat, true, released);
    return std::clamp(value, -1.0, 1.0);
}

double board_control(const Rules& rules, const State& state, int seat, bool released) noexcept {
    const int m = count_minions(state, seat, 1);
    const int e = count_minions(state, 1 - seat, 1);
    const double minions = m + e == 0 ? 0.0 : static_cast<double>(m - e) / (m + e);
    const int tougher = count_minions(state, seat, kTough) - count_minions(state, 1 - seat, kTough);
    const double strong = std::clamp(tougher, -3, 3) / 3.0;
    const int cards = state.players[at(seat)].hand_size - state.players[at(1 - seat)].hand_size;
    const double hand = std::clamp(cards, -2, 2) / 2.0;
    const double swap = trade(rules, state, seat, released);
    return (1.75 * minions + 2.5 * strong + hand + 3.75 * swap) / 9.0;
}

double aggro(const Rules& rules, const State& state, int seat) noexcept {
    const Player& enemy = state.players[at(1 - seat)];
    if (enemy.health <= 0) return 1.0;
    const ReadOnlyEngine engine(rules, state);
    for (int i = 0; i < enemy.board_size; ++i) {
        if ((engine->keywords_of(enemy.board[at(i)]) & kTaunt) != 0) return 0.0;
    }
    return 1.0 - enemy.health / 30.0;
}

}  // namespace ludex::hearthstone::agents

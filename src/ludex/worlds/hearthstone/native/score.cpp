#include "score.hpp"

#include <algorithm>
#include <cmath>

#include "asking.hpp"

namespace ludex::hearthstone {

namespace {

constexpr int kTough = 5;  // survives four damage

struct Fighter {
    int attack;
    int health;
    bool taunt;
};

double best_trade(const Rules& rules, const State& state, int seat, bool all,
                  bool released) noexcept {
    const Asking engine(rules, state);
    const Player& mine = state.players[at(seat)];
    const Player& theirs = state.players[at(1 - seat)];
    std::array<Fighter, kBoard> attackers;
    std::array<Fighter, kBoard> defenders;
    int strikers = 0;
    int living = 0;
    for (int i = 0; i < mine.board_size; ++i) {
        const Ref ref = mine.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0) continue;
        ++living;
        if ((m.flags & kFrozen) != 0) continue;
        if (!all && !able(*engine, state, ref)) continue;
        attackers[at(strikers++)] = {engine->attack_of(ref), m.health, false};
    }
    int count = 0;
    for (int i = 0; i < theirs.board_size; ++i) {
        const Ref ref = theirs.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0) continue;
        const bool taunt = !released && (engine->keywords_of(ref) & kTaunt) != 0;
        defenders[at(count++)] = {engine->attack_of(ref), m.health, taunt};
    }
    const auto result = [&](double value) { return released ? std::trunc(value) : value; };
    if (count == 0) return result(living == 0 ? 0.0 : strikers > 0 ? 0.5 : 0.25);
    if (living == 0) return result(-0.5);
    const auto worth = [](const Fighter& f) { return f.attack + f.health; };
    // The weakest attackers go first; of equal ones the one that hits harder.
    std::stable_sort(attackers.begin(), attackers.begin() + strikers,
                     [&](const Fighter& a, const Fighter& b) {
                         if (worth(a) != worth(b)) return worth(a) < worth(b);
                         return a.attack > b.attack;
                     });
    // Taunts must fall first; the strongest stand at the front of each part.
    std::stable_sort(defenders.begin(), defenders.begin() + count,
                     [&](const Fighter& a, const Fighter& b) {
                         if (a.taunt != b.taunt) return a.taunt;
                         return worth(a) > worth(b);
                     });
    int front = 0;
    while (front < count && defenders[at(front)].taunt) ++front;
    const int starts = front > 0 ? front : count;
    int best = -1000000;
    int left_over = 0;
    for (int start = 0; start < starts; ++start) {
        std::array<Fighter, kBoard> standing = defenders;
        int standing_count = count;
        int shield = front;  // taunts that stand
        int aim = start;
        int score = 0;
        int used = 0;
        while (used < strikers && standing_count > 0) {
            const Fighter& a = attackers[at(used++)];
            Fighter& t = standing[at(aim)];
            score += t.health <= a.attack ? worth(t) : a.attack;
            score -= a.health <= t.attack ? worth(a) : t.attack;
            t.health -= a.attack;
            if (t.health > 0 || used == strikers) continue;
            for (int i = aim; i + 1 < standing_count; ++i) standing[at(i)] = standing[at(i + 1)];
            --standing_count;
            if (shield > 0 && --shield == 0) {
                aim = 0;
            } else {
                const int reach = shield > 0 ? shield : standing_count;
                if (aim >= reach) aim = std::max(0, reach - 1);
            }
        }
        if (score > best) {
            best = score;
            left_over = 0;
            for (int i = used; i < strikers; ++i) left_over += worth(attackers[at(i)]);
            for (int i = 0; i < standing_count; ++i) left_over -= worth(standing[at(i)]);
        }
    }
    return released ? std::trunc(left_over / 20.0) : best / 20.0;
}

}  // namespace

double trade(const Rules& rules, const State& state, int seat, bool released) noexcept {
    const double mine = best_trade(rules, state, seat, false, released);
    const double value = mine > 0.0 ? mine : -best_trade(rules, state, 1 - seat, true, released);
    return std::clamp(value, -1.0, 1.0);
}

double board_control(const Rules& rules, const State& state, int seat, bool released) noexcept {
    std::array<int, 2> living{};
    std::array<int, 2> tough{};
    for (int side = 0; side < kSeats; ++side) {
        const Player& p = state.players[at(side)];
        for (int i = 0; i < p.board_size; ++i) {
            const int health = state.minions[p.board[at(i)]].health;
            living[at(side)] += health > 0 ? 1 : 0;
            tough[at(side)] += health >= kTough ? 1 : 0;
        }
    }
    const int m = living[at(seat)];
    const int e = living[at(1 - seat)];
    const double minions = m + e == 0 ? 0.0 : static_cast<double>(m - e) / (m + e);
    const double strong = std::clamp(tough[at(seat)] - tough[at(1 - seat)], -3, 3) / 3.0;
    const double hand =
        std::clamp(state.players[at(seat)].hand_size - state.players[at(1 - seat)].hand_size, -2,
                   2) /
        2.0;
    const double swap = trade(rules, state, seat, released);
    return (1.75 * minions + 2.5 * strong + hand + 3.75 * swap) / 9.0;
}

double aggro(const Rules& rules, const State& state, int seat) noexcept {
    const Player& enemy = state.players[at(1 - seat)];
    if (enemy.health <= 0) return 1.0;
    const Asking engine(rules, state);
    for (int i = 0; i < enemy.board_size; ++i) {
        if ((engine->keywords_of(enemy.board[at(i)]) & kTaunt) != 0) return 0.0;
    }
    return 1.0 - enemy.health / 30.0;
}

}  // namespace ludex::hearthstone

// Beliefs as states, in a game small enough to be worked out by hand, and the native MCTS on them.
//
// Seat 1 has drawn a coin, gold (1) with probability 1/4 or lead (0), which seat 0 does not see.
// Seat 1 shows gold (only if it has it) or passes; then seat 0 takes the coin or leaves it. Taken
// gold is worth 3 to seat 0 and -3 to seat 1, taken lead -1 and 1; a coin left is worth nothing.
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "belief_space.hpp"
#include "check.hpp"
#include "search/mcts.hpp"

using namespace ludex;

namespace {

namespace coins {

enum Step : std::uint8_t { draw, show, take, end };
struct State {
    std::uint8_t step = draw;
    std::uint8_t gold = 0;
    std::uint8_t shown = 0;
    std::uint8_t taken = 0;
    friend bool operator==(const State&, const State&) = default;
};
struct Glance {
    State seen;
    int seat = 0;
};

struct Rules {
    using State = coins::State;
    using Glance = coins::Glance;
    using Action = std::uint8_t;  // 0 pass or leave, 1 show or take
    using Outcome = std::uint8_t;
    static constexpr int kMaxSeats = 2;
    static constexpr int kMaxLegal = 2;
    static constexpr int kMaxOutcomes = 2;
    static constexpr std::int64_t kLongestGame = 2;

    [[nodiscard]] int seats() const noexcept { return 2; }
    [[nodiscard]] State start(Rng&) const noexcept { return {}; }
    [[nodiscard]] SeatSet to_act(const State& s) const noexcept {
        return s.step == show ? only(1) : s.step == take ? only(0) : kNobody;
    }
    [[nodiscard]] int legal(const State& s, int seat, std::span<Action> out) const noexcept {
        if ((to_act(s) & only(seat)) == 0) return 0;
        out[0] = 0;
        out[1] = 1;
        return s.step == show && s.gold == 0 ? 1 : 2;
    }
    void apply(State& s, std::span<const Action> actions, Rng&) const noexcept {
        if (s.step == show) {
            s.shown = actions[0];
            s.step = take;
        } else {
            s.taken = actions[0];
            s.step = end;
        }
    }
    [[nodiscard]] int chance(const State& s, std::span<Chance<Outcome>> out) const noexcept {
        if (s.step != draw) return 0;
        out[0] = {0, 0.75};
        out[1] = {1, 0.25};
        return 2;
    }
    void resolve(State& s, Outcome outcome) const noexcept {
        s.gold = outcome;
        s.step = show;
    }
    [[nodiscard]] bool over(const State& s) const noexcept { return s.step == end; }
    [[nodiscard]] double return_of(const State& s, int seat) const noexcept {
        const double value = s.taken == 0 ? 0.0 : s.gold != 0 ? 3.0 : -1.0;
        return seat == 0 ? value : -value;
    }
    [[nodiscard]] double score(const State&, int) const noexcept { return 0.0; }
};

[[nodiscard]] bool hides_facts(const Rules&) noexcept { return true; }
[[nodiscard]] Glance glance_at(const Rules&, const State& state, int seat) {
    State seen = state;
    if (seat == 0 && state.shown == 0 && state.step != end) seen.gold = 0;
    return {seen, seat};
}
[[nodiscard]] bool determinise(const Rules&, const Glance& glance, Rng& rng, State& out) {
    out = glance.seen;
    if (glance.seat == 0 && out.shown == 0 && out.step == show) {
        out.gold = rng.below(4) == 0 ? 1 : 0;
    }
    return true;
}
void add_view_key(const Rules& rules, const State& state, int seat, KeyHash& hash) noexcept {
    const State seen = glance_at(rules, state, seat).seen;
    hash.add(&seen, sizeof seen);
}

}  // namespace coins

static_assert(HidesFacts<coins::Rules>);
using Beliefs = BeliefRules<coins::Rules>;
static_assert(ListsChance<Beliefs> && WeighsLegality<Beliefs> && WritesKeys<Beliefs>);
static_assert(PacksItself<Beliefs::State>);

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-12; }

// Seat 0 has seen nothing: gold with probability 1/4.
Beliefs::State first_belief() {
    Beliefs::State belief;
    belief.possible = {{{coins::show, 0, 0, 0}, 0.75}, {{coins::show, 1, 0, 0}, 0.25}};
    return belief;
}

void check_steps() {
    const Beliefs rules(coins::Rules{}, 0);
    Rng rng(1);
    Beliefs::State belief = first_belief();
    CHECK(rules.to_act(belief) == only(1));
    std::array<std::uint8_t, 2> legal{};
    CHECK(rules.legal(belief, 1, legal) == 2);
    std::array<double, 2> chances{};
    rules.legality(belief, 1, legal, chances);
    CHECK(is_near(chances[0], 1.0) && is_near(chances[1], 0.25));

    // Showing rules lead out, and is seen: one belief with gold alone.
    Beliefs::State shown = belief;
    const std::array<std::uint8_t, 1> yes{1}, no{0};
    rules.apply(shown, yes, rng);
    CHECK(shown.pending.empty() && shown.possible.size() == 1);
    CHECK(shown.possible[0].state.gold == 1 && is_near(shown.possible[0].probability, 1.0));

    // Passing rules nothing out, as it is legal with either coin.
    Beliefs::State passed = belief;
    rules.apply(passed, no, rng);
    CHECK(passed.pending.empty() && passed.possible.size() == 2);
    CHECK(key_of(rules, passed) != key_of(rules, shown));

    // Taking shows the coin: chance of the belief's own.
    rules.apply(passed, yes, rng);
    CHECK(rules.to_act(passed) == kNobody && !rules.over(passed));
    std::array<Chance<std::uint8_t>, 255> listed;
    CHECK(rules.chance(passed, listed) == 2);
    CHECK(is_near(listed[0].probability, 0.75) && is_near(listed[1].probability, 0.25));
    rules.resolve(passed, 1);
    CHECK(rules.over(passed) && is_near(rules.return_of(passed, 0), 3.0));

    // What is packed is unpacked.
    std::vector<std::byte> bytes(packed_size(belief));
    pack(belief, bytes.data());
    Beliefs::State back;
    unpack(bytes.data(), back);
    CHECK(back == belief);
}

// After a pass the coin is worth 3/4 * -1 + 1/4 * 3 = 0 if taken; after a show 3.
void check_search() {
    const Beliefs rules(coins::Rules{}, 0);
    const auto stock = std::make_shared<search::Stock>();
    for (const bool shows : {false, true}) {
        Rng rng(2);
        Beliefs::State belief = first_belief();
        const std::array<std::uint8_t, 1> action{static_cast<std::uint8_t>(shows ? 1 : 0)};
        rules.apply(belief, action, rng);
        search::MctsSettings<Beliefs> settings;
        settings.rollout = UniformPolicy{};
        settings.even_turn = 2;
        search::MctsTree<Beliefs, false> tree(rules, rules, {belief}, settings, stock);
        Meter meter;
        std::atomic<bool> stop{false};
        std::int64_t next = 0;
        CHECK(run_alone(tree, {4001, 1}, next, meter, rng, stop) == search::Ending::spent);
        const auto found = tree.root_bandits(0);
        CHECK(found.size() == 1 && found[0].actions.size() == 2);
        for (const search::ActionStatistics& one : found[0].actions) {
            const double expected = one.action == 0 ? 0.0 : shows ? 3.0 : 0.0;
            CHECK(std::fabs(one.value - expected) < 0.02);
        }
    }
}

// The seat that holds the coin shows it, in what seat 0 believes, a quarter as eagerly.
void check_legality() {
    const Beliefs rules(coins::Rules{}, 0);
    const auto stock = std::make_shared<search::Stock>();
    std::array<std::int64_t, 2> shown{};
    for (const bool weighs : {false, true}) {
        Rng rng(3);
        search::MctsSettings<Beliefs> settings;
        settings.rollout = UniformPolicy{};
        settings.even_turn = std::int64_t{1} << 60;
        settings.legality = weighs;
        search::MctsTree<Beliefs, false> tree(rules, rules, {first_belief()}, settings, stock);
        Meter meter;
        std::atomic<bool> stop{false};
        std::int64_t next = 0;
        (void)run_alone(tree, {2000, 1}, next, meter, rng, stop);
        const auto found = tree.root_bandits(1);
        for (const search::ActionStatistics& one : found[0].actions) {
            if (one.action == 1) shown[weighs ? 1 : 0] = one.visits;
        }
    }
    CHECK(shown[1] < shown[0]);
}

}  // namespace

int main() {
    check_steps();
    check_search();
    check_legality();
    return 0;
}

// Learned games of tiles: a cache changes nothing, and no row is mistaken for another.
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "rules.hpp"
#include "shared.hpp"

using namespace ludex::learned;
using ludex::Rng;

namespace {

constexpr int kWidth = 7, kHeight = 5, kSpan = 2;
constexpr Tile kTiles = 4;

Neighbourhood square() {
    Neighbourhood around;
    around.span = kSpan;
    for (int row = -kSpan; row <= kSpan; ++row) {
        for (int column = -kSpan; column <= kSpan; ++column) {
            around.rows.push_back(row);
            around.columns.push_back(column);
        }
    }
    return around;
}

std::shared_ptr<const Choices> choices() {
    Choices made;
    made.acts = {{0, 0, kNowhere}, {1, 1, kNowhere}, {2, 1, 0}, {3, 7, kWidth * kHeight - 1}};
    return std::make_shared<Choices>(made);
}

State random_state(Rng& rng) {
    std::vector<Tile> tiles;
    for (int i = 0; i < kWidth * kHeight; ++i) {
        tiles.push_back(static_cast<Tile>(1 + rng.below(kTiles - 1)));
    }
    return make_state(kWidth, kHeight, kSpan, tiles, choices(), 0.0, Ending::none);
}

// A tree that asks for the tile on the left, and for the middle.
TreeClassifier tree() {
    TreeClassifier made;
    made.forest.nodes = {{11, 1, 2}, {-1, 0, 0}, {12, 2, 4}, {-1, 0, 1}, {-1, 0, 2}};
    made.forest.roots = {0};
    made.classes = {1, 2, 3};
    made.leaves = {1.0, 0.0, 0.0, 0.25, 0.5, 0.25, 0.0, 0.0, 1.0};
    CHECK(problem_of(made.forest, 26, 3) == nullptr);
    return made;
}

Rules rules(bool caches, bool samples) {
    auto known = std::make_shared<CellPredictor>();
    known->around = square();
    known->verbs = 2;
    auto memory = std::make_shared<TileMemory>(known->cells() + 1);
    Rng rng(3);
    for (int i = 0; i < 20; ++i) {
        const State before = random_state(rng), after = random_state(rng);
        watch(*memory, known->around, before, static_cast<Tile>(i % 2), kNowhere, after);
    }
    known->memory = memory;
    known->trees = tree();
    auto reward_model = std::make_shared<RewardModel>();
    reward_model->tiles = kTiles;
    reward_model->form = RewardModel::Form::linear;
    reward_model->weights.assign(reward_model->width() + 1, 0.25);
    return {known, reward_model, SearchSettings{0.5, true, 0.0, 0.1, samples}, caches};
}

void test_a_cache_changes_nothing(bool samples) {
    const Rules quick = rules(true, samples), slow = rules(false, samples);
    Rng rng(5);
    for (int game = 0; game < 20; ++game) {
        State one = random_state(rng);
        State other = one;
        for (int tick = 0; tick < 30; ++tick) {
            const std::uint16_t action[] = {static_cast<std::uint16_t>(rng.below(4))};
            Rng first = rng.fork(static_cast<std::uint64_t>(tick)), second = first;
            quick.apply(one, action, first);
            slow.apply(other, action, second);
            CHECK(one == other && first == second);
            CHECK(one.confidence == other.confidence && one.unseen == other.unseen);
            CHECK(one.bonus == other.bonus);
        }
        quick.visit(one);
        slow.visit(other);
    }
    CHECK(quick.work().asked < quick.work().cells);
}

void test_rows_are_told_apart_however_many() {
    TileMemory memory(3);
    for (Tile a = 0; a < 60; ++a) {
        for (Tile b = 0; b < 60; ++b) {
            const Tile row[] = {a, b, 1};
            memory.add(row, a);
            memory.add(row, b);
            memory.add(row, a);
        }
    }
    CHECK(memory.rows() == 3600);
    for (Tile a = 0; a < 60; ++a) {
        const Tile row[] = {a, 7, 1};
        const std::vector<TileCount> seen = memory.outcomes(memory.find(row));
        CHECK(seen[0].tile == a && seen[0].times == (a == 7 ? 3 : 2));
        CHECK(seen.size() == (a == 7 ? 1U : 2U));
        const Tile strange[] = {a, 7, 2};
        CHECK(memory.find(strange) == RowIndex::kEmpty);
    }
}

void test_numbers_of_a_forgotten_cache_mean_nothing() {
    const Rules quick = rules(true, false), twin = rules(true, false);
    Rng rng(8);
    State state = random_state(rng);
    const std::uint16_t action[] = {0};
    Rng dice(1);
    quick.apply(state, action, dice);
    State other = state;
    quick.apply(state, action, dice);
    twin.apply(other, action, dice);  // it has never seen these numbers
    CHECK(state == other);
}

// One model searches in several threads while a mind notes where the game is.
void test_threads_share_a_model(bool samples) {
    const Rules shared = rules(true, samples);
    Rng rng(9);
    const State state = random_state(rng);
    ludex::check_shared(shared, state, rng);
    const std::jthread visitor([&] {
        for (int i = 0; i < 50; ++i) shared.visit(state);
    });
    ludex::Meter meter;
    State current = state;
    (void)ludex::rollout(shared, current, 50, rng, meter);
}

}  // namespace

int main() {
    test_threads_share_a_model(false);
    test_threads_share_a_model(true);
    test_a_cache_changes_nothing(false);
    test_a_cache_changes_nothing(true);
    test_rows_are_told_apart_however_many();
    test_numbers_of_a_forgotten_cache_mean_nothing();
}

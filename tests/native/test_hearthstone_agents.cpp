// Native agents under sanitizers: every chooser plays legal actions to the end, and what is learned
// from games is the same however the games are divided.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "check.hpp"
#include "chooser.hpp"
#include "evaluators.hpp"
#include "experience.hpp"
#include "games.hpp"
#include "samples.hpp"

using namespace ludex::hearthstone;
using namespace ludex::hearthstone::agents;

namespace {

// One tree with one question; rows answer 0.25 or 0.75.
std::shared_ptr<const AveragingForest> stump(std::int16_t feature) {
    auto made = std::make_shared<AveragingForest>();
    made->trees.nodes = {{feature, 2, 2}, {-1, 0, 0}, {-1, 0, 1}};
    made->trees.roots = {0};
    made->leaves = {0.25F, 0.75F};
    return made;
}

Encoding encoding_of(const Rules& rules) {
    Encoding made;
    made.cards = static_cast<int>(rules.cards().cards.size());
    for (int card = 0; card < made.cards; ++card) {
        made.numbers.push_back(static_cast<std::int16_t>(card));
    }
    number_actions(rules, made);
    return made;
}

std::vector<Chooser> all_choosers(const Encoding& encoding) {
    using Who = Chooser::Kind;
    const auto forest = stump(9);  // the own health
    auto nora = std::make_shared<Nora>();
    nora->forests = {forest, forest, forest};
    nora->encoding = encoding;
    auto script = std::make_shared<Chooser>();
    script->kind = Who::scripted;
    std::vector<Chooser> made;
    for (const Who who : {Who::random, Who::damped, Who::scripted, Who::nora, Who::valued,
                          Who::corrected, Who::two_level, Who::simulated}) {
        Chooser& one = made.emplace_back();
        one.kind = who;
        one.nora = nora;
        one.forest = forest;
        one.base = script;
        one.encoding = encoding;
        one.simulations = 4;
        one.explore = 0.2;
    }
    return made;
}

void check_game(const Rules& rules, const Chooser& player, ludex::Rng rng) {
    State state = rules.start(rng);
    Actions memory;
    while (!rules.over(state)) {
        const Action action = move_of(rules, state, player, rng);
        const std::span<const Action> legal = legal_actions(rules, state, memory);
        CHECK(std::binary_search(legal.begin(), legal.end(), action));
        for (int seat = 0; seat < kSeats; ++seat) {
            for (const bool released : {false, true}) {
                const double score = board_control(rules, state, seat, released);
                CHECK(score >= -1.0 && score <= 1.0);
            }
        }
        rules.apply_flat(state, action, rng);
    }
}

// Calls `make` for all games at once and for two halves, which give the same rows.
template <class Found, class Make>
void check_halves(Make&& make) {
    Found whole;
    Found halves;
    make(Games{3, 0, 8}, whole);
    make(Games{3, 0, 4}, halves);
    make(Games{3, 4, 8}, halves);
    CHECK(whole.rows == halves.rows);
}

}  // namespace

int main() {
    const Rules rules;
    const Encoding encoding = encoding_of(rules);
    const std::vector<Chooser> choosers = all_choosers(encoding);
    for (const Chooser& player : choosers) {
        for (std::uint64_t game = 0; game < 5; ++game) check_game(rules, player, ludex::Rng(game));
        CHECK(play_matches(rules, player, choosers[0], {1, 0, 3}).size() == 3);
    }
    const Chooser& script = choosers[2];
    for (const Level level : {Level::whole, Level::play, Level::attack, Level::meta}) {
        check_halves<Transitions>([&](const Games& games, Transitions& out) {
            make_transitions(rules, script, encoding, level, 1.0, games, out);
        });
    }
    check_halves<Trials>(
        [&](const Games& games, Trials& out) { make_trials(rules, script, encoding, games, out); });
    check_halves<Samples>([&](const Games& games, Samples& out) {
        make_samples(rules, encoding, games, 1000, choosers[3].nora.get(), out);
    });
    std::printf("%zu choosers played\n", choosers.size());
    return 0;
}

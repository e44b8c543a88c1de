// Without words: the reference's generator and a game that tries the limits. With words: plays
// each level file (the engine's own text form: game, a line of dashes, level) at random.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "check.hpp"
#include "rules.hpp"
#include "timing.hpp"

using namespace ludex::vgdl;

namespace {

// The first numbers of java.util.Random(42), as its documentation's algorithm gives them.
void check_reference_dice() {
    JavaDice dice(42);
    CHECK(dice.below(10) == 0);
    CHECK(dice.below(10) == 3);
    JavaDice reals(42);
    CHECK(reals.real() > 0.7275 && reals.real() < 0.6833);
}

int play_file(const char* path) {
    std::ifstream file(path);
    std::stringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const std::size_t split = text.find("\n---\n");
    CHECK(split != std::string::npos);
    GameDef game;
    LevelDef level;
    const auto game_error = read_game(std::string_view(text).substr(0, split), game);
    CHECK(!game_error);
    const auto level_error = read_level(std::string_view(text).substr(split + 5), game, level);
    CHECK(!level_error);
    const Rules rules(std::make_shared<Level>(std::move(game), std::move(level)));
    ludex::Rng rng(1);
    State state = rules.start(rng);
    CHECK(rules.consistent(state));
    constexpr int kTicksToPlay = 2000;
    for (int tick = 0; tick < kTicksToPlay; ++tick) {
        ludex::random_tick(rules, state, rng);
        if (tick % 100 == 0) CHECK(rules.consistent(state));
    }
    State copy(state);
    State back;
    CHECK(State::from_bytes(state.to_bytes(), back));
    CHECK(copy == state && back == state && back.hash() == state.hash());
    return kTicksToPlay;
}

}  // namespace

int main(int count, char** words) {
    check_reference_dice();
    long ticks = 0;
    for (int i = 1; i < count; ++i) ticks += play_file(words[i]);
    std::printf("vgdl: %d levels, %ld ticks\n", count - 1, ticks);
    return 0;
}

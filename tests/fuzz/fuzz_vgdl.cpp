// libFuzzer target: a text in the engine's own form (game, a line of dashes, level) is read and,
// where it is a game, played with both generators. Built and run by `make fuzz`.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "rules.hpp"
#include "timing.hpp"

using namespace ludex::vgdl;

namespace {

constexpr int kTicksToPlay = 40;
constexpr int kMostCells = 400;  // larger levels cost time and find nothing new
constexpr std::size_t kMostThings = 300;

void demand(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t split = text.find("\n---\n");
    if (split == std::string_view::npos) return 0;
    GameDef game;
    LevelDef def;
    if (read_game(text.substr(0, split), game)) return 0;
    if (read_level(text.substr(split + 5), game, def)) return 0;
    if (def.width * def.height > kMostCells || def.places.size() > kMostThings) return 0;
    const auto level = std::make_shared<Level>(std::move(game), std::move(def));
    if (!level->problem.empty()) return 0;
    const Rules rules(level);
    ludex::Rng rng = ludex::Rng(size).fork(data[0]);
    State state = rules.start(rng);
    State other = state;
    JavaDice dice(static_cast<std::int64_t>(size));
    demand(rules.consistent(state));
    const auto is_small = [](const State& one) {
        return one.header().sprites < static_cast<int>(kMostThings) && one.header().sprites > -1000;
    };
    for (int tick = 0; tick < kTicksToPlay && is_small(state) && is_small(other); ++tick) {
        std::uint8_t actions[Rules::kMaxSeats];
        for (std::uint8_t& action : actions) action = static_cast<std::uint8_t>(rng.below(7));
        rules.apply_reference(other, actions, dice);
        ludex::random_tick(rules, state, rng);
    }
    for (const State* one : {&state, &other}) {
        demand(rules.consistent(*one));
        const State copy(*one);
        State back;
        demand(State::from_bytes(one->to_bytes(), back));
        demand(copy == *one && back == *one && back.hash() == one->hash());
    }
    return 0;
}

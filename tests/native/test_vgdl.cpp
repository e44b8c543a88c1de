// Without words: the reference's generator. With words, [--ticks N] [--seconds S] LIST...: plays
// every level that the lists name (a path a line, each in the engine's own text form: game, a
// line of dashes, level) at random, starting anew when a game ends, and says how far it came.
// Level files whose name begins with "bad" may be refused; all others must load.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "check.hpp"
#include "observe.hpp"
#include "rules.hpp"
#include "shared.hpp"
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

struct Totals {
    long levels = 0, refused = 0, ticks = 0, games = 0, stopped = 0, damaged = 0;
};

std::shared_ptr<const Level> load(const std::string& path, std::string& problem) {
    std::ifstream file(path);
    CHECK(file.good());
    std::stringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const std::size_t split = text.find("\n---\n");
    CHECK(split != std::string::npos);
    GameDef game;
    LevelDef def;
    std::optional<std::string> error = read_game(std::string_view(text).substr(0, split), game);
    if (!error) error = read_level(std::string_view(text).substr(split + 5), game, def);
    if (error) {
        problem = *error;
        return nullptr;
    }
    auto level = std::make_shared<Level>(std::move(game), std::move(def));
    problem = level->problem;
    return problem.empty() ? level : nullptr;
}

// Every form of observation can be filled, for every seat, and holds nothing that is hidden.
void check_observations(const Observer& observer, const State& state) {
    std::vector<std::byte> out;
    for (int seat = 0; seat < observer.level().game.players; ++seat) {
        for (const Form form :
             {Form::planes, Form::pixels, Form::objects, Form::avatar, Form::resources}) {
            out.resize(observer.bytes(form));
            observer.fill(form, state, seat, out.data());
        }
        for (const Sight& sight : observer.sights(state, seat)) {
            CHECK(!observer.is_hidden(sight.type, seat));
        }
    }
}

void check_round_trip(const Rules& rules, const Observer& observer, const State& state) {
    check_observations(observer, state);
    CHECK(rules.consistent(state));
    const State copy(state);
    State back;
    CHECK(State::from_bytes(state.to_bytes(), back));
    CHECK(copy == state && back == state && back.hash() == state.hash());
}

// Bytes from outside that pass for a state of this level can be played.
void check_damage(const Rules& rules, const Observer& observer, const State& state, ludex::Rng& rng,
                  std::chrono::steady_clock::time_point until, Totals& totals) {
    const std::string bytes = state.to_bytes();
    constexpr int kAttempts = 40, kTicksToPlay = 4;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (std::chrono::steady_clock::now() > until) return;
        std::string damaged = bytes;
        for (std::uint64_t n = 1 + rng.below(4); n > 0; --n) {
            damaged[rng.below(damaged.size())] = static_cast<char>(rng.below(256));
        }
        State other;
        if (!State::from_bytes(damaged, other) || !rules.consistent(other)) continue;
        ++totals.damaged;
        for (int tick = 0; tick < kTicksToPlay && !rules.over(other); ++tick) {
            ludex::random_tick(rules, other, rng);
        }
        check_round_trip(rules, observer, other);
    }
}

// Until the ticks are played or the time is up; a level always gets its first tick.
void play(const std::shared_ptr<const Level>& level, int ticks,
          std::chrono::steady_clock::time_point until, Totals& totals) {
    const Rules rules(level);
    // Few rows and pixels: what does not fit matters more than what does.
    const Observer observer(level, {}, {.width = 0, .height = 0, .cell = 3, .objects = 7});
    ludex::Rng rng(1);
    State state = rules.start(rng);
    check_round_trip(rules, observer, state);
    ludex::check_shared(rules, state, rng.fork("shared"), 8);
    for (int tick = 0; tick < ticks; ++tick) {
        if (rules.over(state)) {
            check_round_trip(rules, observer, state);
            totals.stopped += state.header().ended_by == kTooMuch;
            ++totals.games;
            state = rules.start(rng);
        }
        ludex::random_tick(rules, state, rng);
        ++totals.ticks;
        if (tick % 100 == 0) CHECK(rules.consistent(state));
        if (tick % 4 == 0 && std::chrono::steady_clock::now() > until) break;
    }
    check_round_trip(rules, observer, state);
    check_damage(rules, observer, state, rng, until, totals);
}

}  // namespace

int main(int count, char** words) {
    check_reference_dice();
    using Clock = std::chrono::steady_clock;
    int ticks = 2000;
    double seconds = 5.0;  // for one level
    Totals totals;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--ticks" && i + 1 < count) {
            ticks = std::atoi(words[++i]);
            continue;
        }
        if (word == "--seconds" && i + 1 < count) {
            seconds = std::atof(words[++i]);
            continue;
        }
        std::ifstream list(words[i]);
        CHECK(list.good());
        for (std::string path; std::getline(list, path);) {
            ++totals.levels;
            std::string problem;
            const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(seconds));
            const auto level = load(path, problem);
            if (level) {
                play(level, ticks, until, totals);
                continue;
            }
            ++totals.refused;
            const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
            if (name.starts_with("bad")) continue;
            std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.c_str());
            return 1;
        }
    }
    std::printf("vgdl: %ld levels (%ld refused), %ld ticks, %ld games ended (%ld at a limit)",
                totals.levels, totals.refused, totals.ticks, totals.games, totals.stopped);
    std::printf(", %ld damaged states played\n", totals.damaged);
    return 0;
}

// After a warm-up a tick asks for no memory. Without words: the walk's own small game. With words,
// LIST...: every level that the lists name, in the form of test_vgdl.cpp.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "check.hpp"
#include "rules.hpp"
#include "timing.hpp"

namespace {

long allocations = 0;

void* allocate(std::size_t size) {
    ++allocations;
    void* const memory = std::malloc(size);
    if (!memory) std::abort();
    return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace ludex::vgdl;

// Play the same games twice, into the same state: the second time all memory is there already.
void check(const Rules& rules, const char* name) {
    constexpr int kTicksToPlay = 2000;
    ludex::Rng unused(1);
    const State start = rules.start(unused);
    State state = start;
    long found = 0;
    for (int round = 0; round < 2; ++round) {
        ludex::Rng rng(7);
        state = start;
        const long before = allocations;
        for (int tick = 0; tick < kTicksToPlay; ++tick) {
            if (rules.over(state)) state = start;
            ludex::random_tick(rules, state, rng);
        }
        found = allocations - before;
    }
    if (found != 0)
        std::fprintf(stderr, "%s: %ld allocations in %d ticks\n", name, found, kTicksToPlay);
    CHECK(found == 0);
}

std::shared_ptr<const Level> load(const std::string& path) {
    std::ifstream file(path);
    std::stringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const std::size_t split = text.find("\n---\n");
    CHECK(split != std::string::npos);
    GameDef game;
    LevelDef def;
    CHECK(!read_game(std::string_view(text).substr(0, split), game));
    CHECK(!read_level(std::string_view(text).substr(split + 5), game, def));
    return std::make_shared<Level>(std::move(game), std::move(def));
}

}  // namespace

int main(int count, char** words) {
    check(Rules(), "the game of the walk");
    int levels = 1;
    for (int i = 1; i < count; ++i) {
        std::ifstream list(words[i]);
        CHECK(list.good());
        for (std::string path; std::getline(list, path); ++levels) {
            check(Rules(load(path)), path.c_str());
        }
    }
    std::printf("vgdl: no allocation in a tick on %d levels\n", levels);
    return 0;
}

// Connect four without Python: counts of move sequences, and parsing under sanitizers.
#include <array>
#include <cstdint>
#include <string>

#include "check.hpp"
#include "rules.hpp"

using namespace ludex::connect_four;

static std::int64_t perft(const Rules& rules, const State& state, int depth) {
    if (depth == 0) return 1;
    std::array<Column, kColumns> legal;
    const int count = rules.legal(state, state.turn(), legal);
    std::int64_t total = 0;
    ludex::Rng rng;
    for (int i = 0; i < count; ++i) {
        State after = state;
        rules.apply(after, std::span<const Column>(&legal[static_cast<std::size_t>(i)], 1), rng);
        total += perft(rules, after, depth - 1);
    }
    return total;
}

static void test_sequences_of_moves_are_counted() {
    const std::array<std::int64_t, 8> known{1, 7, 49, 343, 2401, 16807, 117649, 823536};
    for (int depth = 0; depth < 8; ++depth) {
        CHECK(perft(Rules{}, State{}, depth) == known[static_cast<std::size_t>(depth)]);
    }
}

static void test_text_is_read_back_or_refused() {
    ludex::Rng rng(9);
    const std::string marks = "xo./abcdefg ";
    for (int i = 0; i < 200'000; ++i) {
        // A true board or true moves with a few marks changed, lost or doubled.
        std::string text = i % 2 == 0 ? to_text(State{}) : "ddddddcc";
        for (std::uint64_t change = rng.below(4); change > 0; --change) {
            const std::size_t place = rng.below(text.size());
            const char mark = marks[rng.below(marks.size())];
            switch (rng.below(3)) {
                case 0:
                    text[place] = mark;
                    break;
                case 1:
                    text.insert(place, 1, mark);
                    break;
                default:
                    text.erase(place, 1);
                    break;
            }
            if (text.empty()) break;
        }
        State state;
        if (!parse(text, state)) {
            CHECK(Rules{}.consistent(state));
            State again;
            CHECK(!parse(to_text(state), again) && again == state);
        }
    }
}

int main() {
    test_sequences_of_moves_are_counted();
    test_text_is_read_back_or_refused();
}

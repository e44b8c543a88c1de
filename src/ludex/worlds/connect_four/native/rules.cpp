#include "rules.hpp"

#include <bit>
#include <cassert>

namespace ludex::connect_four {

namespace {

constexpr Board kBottom =
    cell(0, 0) | cell(1, 0) | cell(2, 0) | cell(3, 0) | cell(4, 0) | cell(5, 0) | cell(6, 0);
constexpr Board kTop = kBottom << (kRows - 1);
constexpr Board kAll = kBottom * ((Board{1} << kRows) - 1);

// Steps between neighbours: up, right, and the two diagonals.
constexpr std::array<int, 4> kDirections{1, kStride, kStride - 1, kStride + 1};

void drop(State& state, int column) noexcept {
    const auto seat = static_cast<std::size_t>(state.turn());
    // Adding the bottom cell carries up through the column to its lowest empty cell, and no
    // further; the mask drops what was occupied before.
    const Board occupied = state.occupied();
    state.discs[seat] |= (occupied + cell(column, 0)) & ~occupied;
    ++state.moves;
    if (has_four(state.discs[seat])) state.winner = static_cast<std::uint8_t>(seat);
}

// Whether the winner's last disc can have made every four: some disc on top of its column, taken
// away, leaves none.
bool won_with_last_disc(const State& state, std::size_t seat) noexcept {
    for (int column = 0; column < kColumns; ++column) {
        const int height =
            std::popcount(state.occupied() >> (column * kStride) & ((Board{1} << kRows) - 1));
        if (height == 0) continue;
        const Board top = cell(column, height - 1);
        if ((state.discs[seat] & top) != 0 && !has_four(state.discs[seat] & ~top)) return true;
    }
    return false;
}

std::optional<ParseError> parse_moves(std::string_view text, State& out) {
    const Rules rules;
    State state;
    for (const char letter : text) {
        const int column = letter - 'a';
        if (rules.over(state)) return ParseError{"there are moves after the end of the game"};
        if (!rules.is_legal(state, state.turn(), static_cast<Column>(column))) {
            return ParseError{std::string("column ") + letter + " is full"};
        }
        drop(state, column);
    }
    out = state;
    return std::nullopt;
}

std::optional<ParseError> parse_rows(std::string_view text, State& out) {
    State state;
    if (text.size() != kRows * (kColumns + 1) - 1) {
        return ParseError{"a board has 6 rows of 7 cells split by slashes"};
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char mark = text[i];
        const int column = static_cast<int>(i) % (kColumns + 1);
        const int row = kRows - 1 - static_cast<int>(i) / (kColumns + 1);
        if (column == kColumns ? mark != '/' : (mark != '.' && mark != 'x' && mark != 'o')) {
            return ParseError{"a board has 6 rows of x, o and dots split by slashes"};
        }
        if (mark == 'x') state.discs[0] |= cell(column, row);
        if (mark == 'o') state.discs[1] |= cell(column, row);
    }
    const int first = std::popcount(state.discs[0]);
    const int second = std::popcount(state.discs[1]);
    if (first != second && first != second + 1) {
        return ParseError{"x begins, so there are as many x as o or one more; here are " +
                          std::to_string(first) + " x and " + std::to_string(second) + " o"};
    }
    // A disc with nothing below: its cell, moved down by one, is on the board and empty.
    const Board occupied = state.occupied();
    if ((((occupied & ~kBottom) >> 1) & ~occupied) != 0) {
        return ParseError{"a disc has an empty cell below it"};
    }
    state.moves = static_cast<std::uint32_t>(first + second);
    const std::size_t last = first > second ? 0 : 1;
    if (has_four(state.discs[1 - last])) {
        return ParseError{has_four(state.discs[last]) ? "both have four in a row"
                                                      : "a move was made after four in a row"};
    }
    if (has_four(state.discs[last])) {
        if (!won_with_last_disc(state, last)) {
            return ParseError{"no single disc can have made these fours"};
        }
        state.winner = static_cast<std::uint8_t>(last);
    }
    out = state;
    return std::nullopt;
}

}  // namespace

State Rules::start(Rng& /*rng*/) const noexcept { return {}; }

SeatSet Rules::to_act(const State& state) const noexcept {
    return over(state) ? kNobody : only(state.turn());
}

int Rules::legal(const State& state, int seat, std::span<Column> out) const noexcept {
    if (over(state) || seat != state.turn()) return 0;
    const Board occupied = state.occupied();
    // Written without a branch: every column is stored, and the place moves on if it is open.
    std::size_t count = 0;
    for (int column = 0; column < kColumns; ++column) {
        out[count] = static_cast<Column>(column);
        count += (occupied & cell(column, kRows - 1)) == 0 ? 1 : 0;
    }
    return static_cast<int>(count);
}

bool Rules::is_legal(const State& state, int seat, Column column) const noexcept {
    return column < kColumns && !over(state) && seat == state.turn() &&
           (state.occupied() & cell(column, kRows - 1)) == 0;
}

void Rules::apply(State& state, std::span<const Column> actions, Rng& /*rng*/) const noexcept {
    assert(actions.size() == 1 && is_legal(state, state.turn(), actions[0]));
    drop(state, actions[0]);
}

bool Rules::over(const State& state) const noexcept {
    return state.winner != kNoWinner || state.moves == kCells;
}

double Rules::return_of(const State& state, int seat) const noexcept {
    if (state.winner == kNoWinner) return 0.0;
    return state.winner == seat ? 1.0 : -1.0;
}

// The score of an unfinished game is even; connect four has no points.
double Rules::score(const State& state, int seat) const noexcept { return return_of(state, seat); }

// The open column nearest to the middle, the left one of two.
Column Rules::default_action(const State& state, int /*seat*/) const noexcept {
    constexpr std::array<Column, kColumns> kNearestFirst{3, 2, 4, 1, 5, 0, 6};
    for (const Column column : kNearestFirst) {
        if ((state.occupied() & cell(column, kRows - 1)) == 0) return column;
    }
    return 0;
}

// Seat 0's discs with a marker on the first empty cell of every column: the marker tells where
// the column ends, so every bit below it that is not seat 0's is seat 1's. Exact in 49 bits.
std::uint64_t Rules::key(const State& state) const noexcept {
    return state.discs[0] + state.occupied() + kBottom;
}

bool Rules::consistent(const State& state) const noexcept {
    const Board occupied = state.occupied();
    const int first = std::popcount(state.discs[0]);
    const int second = std::popcount(state.discs[1]);
    const bool first_won = has_four(state.discs[0]);
    const bool second_won = has_four(state.discs[1]);
    const std::uint8_t winner = first_won ? 0 : second_won ? 1 : kNoWinner;
    return (state.discs[0] & state.discs[1]) == 0 && (occupied & ~kAll) == 0 &&
           (((occupied & ~kBottom) >> 1) & ~occupied) == 0 && first - second == state.turn() &&
           state.moves == static_cast<std::uint32_t>(first + second) &&
           !(first_won && second_won) && state.winner == winner &&
           state.unused == std::array<std::uint8_t, 3>{};
}

bool is_sound(const State& state) noexcept { return Rules{}.consistent(state); }

// Discs that have a like neighbour, then such pairs two steps apart: four in a row.
bool has_four(Board discs) noexcept {
    for (const int step : kDirections) {
        const Board pairs = discs & (discs >> step);
        if ((pairs & (pairs >> (2 * step))) != 0) return true;
    }
    return false;
}

Board fours(Board discs) noexcept {
    Board found = 0;
    for (const int step : kDirections) {
        const Board pairs = discs & (discs >> step);
        const Board firsts = pairs & (pairs >> (2 * step));
        for (int i = 0; i < 4; ++i) found |= firsts << (i * step);
    }
    return found;
}

std::string to_text(const State& state) {
    std::string text;
    for (int row = kRows - 1; row >= 0; --row) {
        for (int column = 0; column < kColumns; ++column) {
            const Board here = cell(column, row);
            text += (state.discs[0] & here) != 0 ? 'x' : (state.discs[1] & here) != 0 ? 'o' : '.';
        }
        if (row > 0) text += '/';
    }
    return text;
}

std::optional<ParseError> parse(std::string_view text, State& out) {
    const bool is_moves = text.find_first_not_of("abcdefg") == std::string_view::npos;
    return is_moves && !text.empty() ? parse_moves(text, out) : parse_rows(text, out);
}

}  // namespace ludex::connect_four

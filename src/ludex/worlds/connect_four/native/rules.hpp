// The rules of connect four, and the example of a native world.
//
// `ludex new world NAME --native` writes a smaller one to start from. Rules are plain C++20 that
// knows nothing of Python, agents or budgets; core/native/world.hpp says what they must offer, and
// the static_assert below checks it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rng.hpp"
#include "world.hpp"

namespace ludex::connect_four {

constexpr int kColumns = 7;
constexpr int kRows = 6;
constexpr int kCells = kColumns * kRows;
constexpr std::uint8_t kNoWinner = 255;

// One bit per cell, columns beside each other, each with a spare bit on top that stays empty so
// that lines cannot run over the edge:
//
//      6 13 20 27 34 41 48    <- spare
//      5 12 19 26 33 40 47    <- top row
//      ...
//      0  7 14 21 28 35 42    <- bottom row
//
//      a  b  c  d  e  f  g
using Board = std::uint64_t;
constexpr int kStride = kRows + 1;
[[nodiscard]] constexpr Board cell(int column, int row) noexcept {
    return Board{1} << (column * kStride + row);
}

// Plain data: a copy is one memcpy, equality and hash look at the bytes. `moves` and `winner`
// follow from the discs; they are kept because every tick asks for them.
struct State {
    std::array<Board, 2> discs{};  // by seat; seat 0 begins
    std::uint32_t moves = 0;
    std::uint8_t winner = kNoWinner;
    std::array<std::uint8_t, 3> unused{};  // named, because padding has no defined bytes

    [[nodiscard]] constexpr int turn() const noexcept { return static_cast<int>(moves & 1); }
    [[nodiscard]] constexpr Board occupied() const noexcept { return discs[0] | discs[1]; }
    friend bool operator==(const State&, const State&) = default;
};

// Whether bytes from outside, a pickle's, can be a board at all. A world with options has more to
// do, since a state must not meet other rules: see core/native/owner.hpp, and catan.
[[nodiscard]] bool is_sound(const State& state) noexcept;

// A column, 0 to 6 from the left.
using Column = std::uint8_t;

// Options of the game would be members here; connect four has none.
struct Rules {
    using State = connect_four::State;
    using Action = Column;
    static constexpr int kMaxSeats = 2;
    static constexpr int kMaxLegal = kColumns;
    static constexpr std::int64_t kLongestGame = kCells;
    static constexpr int kMostTypes = 1;  // all actions are moves
    [[nodiscard]] static constexpr int type_of(Action /*action*/) noexcept { return 0; }

    [[nodiscard]] constexpr int seats() const noexcept { return 2; }
    // A world that begins with chance draws it here, or lists it (see ListsChance).
    [[nodiscard]] State start(Rng& rng) const noexcept;
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept;
    [[nodiscard]] int legal(const State& state, int seat, std::span<Column> out) const noexcept;
    void apply(State& state, std::span<const Column> actions, Rng& rng) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept;
    [[nodiscard]] double return_of(const State& state, int seat) const noexcept;
    [[nodiscard]] double score(const State& state, int seat) const noexcept;

    // What follows is optional; without it the kernels use `legal` and the bytes of the state.
    [[nodiscard]] bool is_legal(const State& state, int seat, Column column) const noexcept;
    [[nodiscard]] Column default_action(const State& state, int seat) const noexcept;
    [[nodiscard]] std::uint64_t key(const State& state) const noexcept;
    [[nodiscard]] bool consistent(const State& state) const noexcept;
};

[[nodiscard]] bool has_four(Board discs) noexcept;
// Every cell that is part of four or more in a row; drawings mark them.
[[nodiscard]] Board fours(Board discs) noexcept;

// Rows from the top, split by slashes: x is seat 0, o is seat 1, a dot is empty.
[[nodiscard]] std::string to_text(const State& state);

struct ParseError {
    std::string problem;  // ends a sentence that begins "cannot read ...: "
};
// Reads what `to_text` writes, or a list of moves such as "ddce" from the start.
[[nodiscard]] std::optional<ParseError> parse(std::string_view text, State& out);

}  // namespace ludex::connect_four

static_assert(ludex::WorldRules<ludex::connect_four::Rules>);

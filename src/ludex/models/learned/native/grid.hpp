// Grids of tiles, and what a cell sees around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory.hpp"

namespace ludex::learned {

enum class Ending : std::uint8_t { none, won, lost, drawn, unknown };
constexpr int kEndings = 5;

constexpr std::int32_t kNowhere = -1;

// What a choice is to the grid: something done, to one cell or to none of its own.
struct Act {
    std::uint16_t action = 0;
    std::uint16_t verb = 0;
    std::int32_t cell = kNowhere;
    friend bool operator==(const Act&, const Act&) = default;
};

// The choices of a seat, ascending; shared by all states in which they are the same.
struct Choices {
    std::vector<Act> acts;
    friend bool operator==(const Choices&, const Choices&) = default;
};

// A grid with a margin as wide as neighbourhoods reach, so that no cell needs a check of its own.
struct State {
    std::int32_t width = 0, height = 0, margin = 0;
    std::vector<Tile> grid;               // with its margin
    std::vector<std::uint32_t> patterns;  // of every cell, where `generation` is the cache's
    std::uint64_t generation = 0;
    std::uint64_t hash = 0;  // of the cells
    std::shared_ptr<const Choices> choices = std::make_shared<Choices>();
    double score = 0.0;
    double bonus = 0.0;        // for what is new, against what is old
    double confidence = 1.0;   // of having got here
    std::uint32_t unseen = 0;  // cells of the last step that were guessed
    Ending ending = Ending::none;

    [[nodiscard]] std::size_t stride() const noexcept {
        return static_cast<std::size_t>(width + 2 * margin);
    }
    [[nodiscard]] std::size_t cells() const noexcept {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
    // Where a cell lies in the grid.
    [[nodiscard]] std::size_t place(std::size_t cell) const noexcept {
        const auto columns = static_cast<std::size_t>(width);
        const auto edge = static_cast<std::size_t>(margin);
        return (cell / columns + edge) * stride() + cell % columns + edge;
    }
    [[nodiscard]] Tile tile(std::size_t cell) const noexcept { return grid[place(cell)]; }
    // How sure the model is, and what it makes of novelty, is not part of what a state is.
    friend bool operator==(const State& a, const State& b) noexcept {
        return a.hash == b.hash && a.width == b.width && a.height == b.height &&
               a.score == b.score && a.ending == b.ending && a.grid == b.grid &&
               (a.choices == b.choices || *a.choices == *b.choices);
    }
};

[[nodiscard]] State make_state(int width, int height, int margin, std::span<const Tile> tiles,
                               std::shared_ptr<const Choices> choices, double score, Ending ending);

// The cells around one, the one itself among them, relative to it.
struct Neighbourhood {
    int span = 0;
    std::vector<int> rows, columns;

    [[nodiscard]] std::size_t cells() const noexcept { return rows.size(); }
    // Read what a cell sees; `touched` is the cell that something is done to.
    void gather(const State& state, std::size_t cell, std::int32_t touched,
                Tile* out) const noexcept;
};

// A tile that something is done to is another tile to those who see it.
constexpr Tile kTouched = 0x4000;
constexpr Tile kMostTiles = kTouched - 1;

struct Change {
    std::size_t cell = 0;
    Tile before = kBorder, after = kBorder;
};

// What differs between two grids of one size.
[[nodiscard]] std::vector<Change> changes_between(const State& before, const State& after);
// Put changes into effect.
void change(State& state, std::span<const Change> changes) noexcept;
// Add what every cell saw before and became after to what is remembered.
void watch(Memory& memory, const Neighbourhood& around, const State& before, Tile verb,
           std::int32_t touched, const State& after);

}  // namespace ludex::learned

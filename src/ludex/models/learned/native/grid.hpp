// Tile grids, neighbourhoods of cells and changes between grids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tile_memory.hpp"

namespace ludex::learned {

enum class Ending : std::uint8_t { none, won, lost, drawn, unknown };
constexpr int kEndings = 5;

constexpr std::int32_t kNowhere = -1;

// An action as the model sees it: a verb, and the cell it acts on if there is one.
struct Act {
    std::uint16_t action = 0;
    std::uint16_t verb = 0;
    std::int32_t cell = kNowhere;
    friend bool operator==(const Act&, const Act&) = default;
};

// The legal actions of a seat, ascending; shared by states with the same actions.
struct Choices {
    std::vector<Act> acts;
    friend bool operator==(const Choices&, const Choices&) = default;
};

// A grid with a margin as wide as the neighbourhood, so that reading needs no bounds checks.
struct State {
    std::int32_t width = 0, height = 0, margin = 0;
    std::vector<Tile> grid;               // with its margin
    std::vector<std::uint32_t> patterns;  // of every cell, valid if `generation` is the cache's
    std::uint64_t generation = 0;
    std::uint64_t hash = 0;  // of the cells
    std::shared_ptr<const Choices> choices = std::make_shared<Choices>();
    double score = 0.0;
    double bonus = 0.0;        // curiosity and boredom
    double confidence = 1.0;   // product of the confidences of all steps to this state
    std::uint32_t unseen = 0;  // cells of the last step with an unseen neighbourhood
    Ending ending = Ending::none;

    [[nodiscard]] std::size_t stride() const noexcept {
        return static_cast<std::size_t>(width + 2 * margin);
    }
    [[nodiscard]] std::size_t cells() const noexcept {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
    // The offset of a cell in the grid with its margin.
    [[nodiscard]] std::size_t offset(std::size_t cell) const noexcept {
        const auto columns = static_cast<std::size_t>(width);
        const auto edge = static_cast<std::size_t>(margin);
        return (cell / columns + edge) * stride() + cell % columns + edge;
    }
    [[nodiscard]] Tile tile(std::size_t cell) const noexcept { return grid[offset(cell)]; }
    // Confidence and bonus do not count for equality.
    friend bool operator==(const State& a, const State& b) noexcept {
        return a.hash == b.hash && a.width == b.width && a.height == b.height &&
               a.score == b.score && a.ending == b.ending && a.grid == b.grid &&
               (a.choices == b.choices || *a.choices == *b.choices);
    }
};

[[nodiscard]] State make_state(int width, int height, int margin, std::span<const Tile> tiles,
                               std::shared_ptr<const Choices> choices, double score, Ending ending);

// Offsets of the cells around a cell, the cell itself included.
struct Neighbourhood {
    int span = 0;
    std::vector<int> rows, columns;

    [[nodiscard]] std::size_t cells() const noexcept { return rows.size(); }
    // Read the neighbourhood of a cell; `touched` is the cell that the action acts on.
    void gather(const State& state, std::size_t cell, std::int32_t touched,
                Tile* out) const noexcept;
};

// Flag of a tile that the action acts on: a different input value for its neighbours.
constexpr Tile kTouched = 0x4000;
constexpr Tile kMostTiles = kTouched - 1;

struct Change {
    std::size_t cell = 0;
    Tile before = kBorder, after = kBorder;
};

// The cells that differ between two grids of one size.
[[nodiscard]] std::vector<Change> changes_between(const State& before, const State& after);
// Apply changes to a state.
void change(State& state, std::span<const Change> changes) noexcept;
// Add the neighbourhood of every cell before and its tile after to the training data.
void watch(TileMemory& memory, const Neighbourhood& around, const State& before, Tile verb,
           std::int32_t touched, const State& after);

}  // namespace ludex::learned

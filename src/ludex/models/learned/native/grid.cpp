#include "grid.hpp"

#include "rng.hpp"

namespace ludex::learned {

namespace {

std::uint64_t cell_hash(std::size_t cell, Tile tile) noexcept {
    return mix((static_cast<std::uint64_t>(cell) << 16 | tile) + 0x9E3779B97F4A7C15ULL);
}

}  // namespace

State make_state(int width, int height, int margin, std::span<const Tile> tiles,
                 std::shared_ptr<const Choices> choices, double score, Ending ending) {
    State state;
    state.width = width;
    state.height = height;
    state.margin = margin;
    state.grid.assign(state.stride() * static_cast<std::size_t>(height + 2 * margin), kBorder);
    for (std::size_t cell = 0; cell < state.cells(); ++cell) {
        state.grid[state.offset(cell)] = tiles[cell];
        state.hash ^= cell_hash(cell, tiles[cell]);
    }
    state.choices = std::move(choices);
    state.score = score;
    state.ending = ending;
    return state;
}

void Neighbourhood::gather(const State& state, std::size_t cell, std::int32_t touched,
                           Tile* out) const noexcept {
    const auto stride = static_cast<std::ptrdiff_t>(state.stride());
    const Tile* const middle = &state.grid[state.offset(cell)];
    for (std::size_t i = 0; i < cells(); ++i) {
        out[i] = middle[rows[i] * stride + columns[i]];
    }
    if (touched == kNowhere) return;
    const int here = static_cast<int>(cell);
    const int down = touched / state.width - here / state.width;
    const int right = touched % state.width - here % state.width;
    for (std::size_t i = 0; i < cells(); ++i) {
        if (rows[i] == down && columns[i] == right) out[i] |= kTouched;
    }
}

std::vector<Change> changes_between(const State& before, const State& after) {
    std::vector<Change> changes;
    for (std::size_t cell = 0; cell < before.cells(); ++cell) {
        if (before.tile(cell) != after.tile(cell)) {
            changes.push_back({cell, before.tile(cell), after.tile(cell)});
        }
    }
    return changes;
}

void change(State& state, std::span<const Change> changes) noexcept {
    for (const Change& one : changes) {
        state.grid[state.offset(one.cell)] = one.after;
        state.hash ^= cell_hash(one.cell, one.before) ^ cell_hash(one.cell, one.after);
    }
}

void watch(TileMemory& memory, const Neighbourhood& around, const State& before, Tile verb,
           std::int32_t touched, const State& after) {
    std::vector<Tile> row(around.cells() + 1);
    row.back() = verb;
    for (std::size_t cell = 0; cell < before.cells(); ++cell) {
        around.gather(before, cell, touched, row.data());
        memory.add(row.data(), after.tile(cell));
    }
}

}  // namespace ludex::learned

// Which types are near which, within one tick: a coarse answer that is never wrong about "no".
//
// Sprites note the bit of their type in the cells they touch. Two that overlap share a cell, so
// types whose sprites share none cannot meet, and of the others only sprites with the right bit
// in one of their cells need a closer look. Types beyond the 64th share bits; marks of sprites
// that moved on stay: both only cost time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "geometry.hpp"

namespace ludex::vgdl {

// Columns and rows, both ends included.
struct CellRange {
    std::int32_t left = 0, top = 0, right = 0, bottom = 0;
    [[nodiscard]] std::int64_t size() const noexcept {
        return std::int64_t{right - left + 1} * (bottom - top + 1);
    }
    [[nodiscard]] bool has(int x, int y) const noexcept {
        return x >= left && x <= right && y >= top && y <= bottom;
    }
};

class Neighbours {
public:
    // Forget the last tick; only the cells it used are touched.
    void begin(int width, int height) {
        width_ = width;
        const std::size_t cells = slot(width) * slot(height);
        if (cells_.size() < cells) cells_.resize(cells);
        for (const std::int32_t cell : used_) cells_[slot(cell)] = Cell{};
        used_.clear();
        near_.fill(0);
        all_ = everywhere_ = 0;
    }

    void mark(const CellRange& range, std::uint64_t bit) {
        mark_but(range, CellRange{0, 0, -1, -1}, bit);
    }

    // The same for a sprite that had marked other cells before.
    void mark_but(const CellRange& range, const CellRange& before, std::uint64_t bit) {
        std::uint64_t found = everywhere_;
        if (range.size() > kLarge) {
            found = all_;
            everywhere_ |= bit;
        } else {
            for (int y = range.top; y <= range.bottom; ++y) {
                for (int x = range.left; x <= range.right; ++x) {
                    if (!before.has(x, y)) found |= mark_cell(y * width_ + x, bit);
                }
            }
        }
        all_ |= bit;
        std::uint64_t& mine = near_[index(bit)];
        for (std::uint64_t fresh = found & ~mine; fresh != 0; fresh &= fresh - 1) {
            near_[static_cast<std::size_t>(std::countr_zero(fresh))] |= bit;
        }
        mine |= found;
    }

    // Whether sprites of the two types may overlap; both must have been marked.
    [[nodiscard]] bool may_meet(std::uint64_t bit, std::uint64_t other) const noexcept {
        return (near_[index(bit)] & other) != 0;
    }
    // Whether a sprite in these cells, with a mark of its own, may overlap one of another type.
    [[nodiscard]] bool may_meet(const CellRange& range, std::uint64_t bit,
                                std::uint64_t other) const noexcept {
        if (range.size() > kLarge || (everywhere_ & other) != 0) return true;
        std::uint64_t once = 0, twice = 0;
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                const Cell& cell = cells_[slot(y * width_ + x)];
                once |= cell.once;
                twice |= cell.twice;
            }
        }
        return ((bit == other ? twice : once) & other) != 0;
    }

private:
    struct Cell {
        std::uint64_t once = 0, twice = 0;  // types with at least one mark, with at least two
    };
    static constexpr std::int64_t kLarge = 64;  // sprites that touch more cells are "everywhere"

    static std::size_t index(std::uint64_t bit) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bit));
    }
    std::uint64_t mark_cell(std::int32_t number, std::uint64_t bit) {
        Cell& cell = cells_[slot(number)];
        const std::uint64_t found = cell.once;
        if (found == 0) used_.push_back(number);
        cell.twice |= found & bit;
        cell.once = found | bit;
        return found;
    }

    int width_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::int32_t> used_;
    std::array<std::uint64_t, 64> near_{};
    std::uint64_t all_ = 0, everywhere_ = 0;
};

}  // namespace ludex::vgdl

// Which sprites are near which, within one tick, for types with many of them.
//
// Sprites are listed in the cells they touch, and each cell knows the types in it as bits. Two
// sprites that overlap share a cell, so types that share none cannot meet, and of the others
// only the lists of cells with the right bit are read. Types beyond the 64th share bits, and
// what is listed of sprites that moved on stays: both only cost time, since whoever reads a
// list looks at the sprites themselves. A sprite can be listed in several cells of a range.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "geometry.hpp"

namespace ludex::vgdl {

// Columns and rows, both ends included.
struct CellRange {
    std::uint16_t left = 1, right = 0, top = 1, bottom = 0;  // no cells
    [[nodiscard]] std::int64_t size() const noexcept {
        return std::int64_t{right - left + 1} * (bottom - top + 1);
    }
    [[nodiscard]] bool has(int x, int y) const noexcept {
        return x >= left && x <= right && y >= top && y <= bottom;
    }
    [[nodiscard]] bool has(const CellRange& other) const noexcept {
        return other.left >= left && other.right <= right && other.top >= top &&
               other.bottom <= bottom;
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
        entries_.clear();
        near_.fill(0);
    }

    void add(int section, int index, std::uint64_t bit, const CellRange& range) {
        std::uint64_t found = 0;
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                found |= list(y * width_ + x, section, index, bit);
            }
        }
        note(found, bit);
    }
    // The same for a sprite that is listed in other cells already.
    void move(int section, int index, std::uint64_t bit, const CellRange& from,
              const CellRange& to) {
        std::uint64_t found = 0;
        for (int y = to.top; y <= to.bottom; ++y) {
            for (int x = to.left; x <= to.right; ++x) {
                if (!from.has(x, y)) found |= list(y * width_ + x, section, index, bit);
            }
        }
        note(found, bit);
    }

    // Whether sprites of the two types may overlap; both must be listed.
    [[nodiscard]] bool may_meet(std::uint64_t bit, std::uint64_t other) const noexcept {
        return (near_[number(bit)] & other) != 0;
    }
    // Visit the sprites of a section that a listed one may overlap; some of them twice.
    template <class Visit>
    void for_near(const CellRange& range, std::uint64_t bit, int section, std::uint64_t other,
                  const Visit& visit) const {
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                const Cell& cell = cells_[slot(y * width_ + x)];
                if (((bit == other ? cell.twice : cell.once) & other) == 0) continue;
                for (int e = cell.head; e >= 0; e = entries_[slot(e)].next) {
                    if (entries_[slot(e)].section == section) visit(entries_[slot(e)].index);
                }
            }
        }
    }

private:
    struct Cell {
        std::uint64_t once = 0, twice = 0;  // types listed at least once, at least twice
        std::int32_t head = -1;             // the last entry of the list
    };
    struct Entry {
        std::int32_t section, index, next;
    };

    static std::size_t number(std::uint64_t bit) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bit));
    }
    // Returns the types that were there before.
    std::uint64_t list(std::int32_t place, int section, int index, std::uint64_t bit) {
        Cell& cell = cells_[slot(place)];
        const std::uint64_t found = cell.once;
        if (found == 0) used_.push_back(place);
        cell.twice |= found & bit;
        cell.once = found | bit;
        entries_.push_back({section, index, cell.head});
        cell.head = static_cast<std::int32_t>(entries_.size()) - 1;
        return found;
    }
    void note(std::uint64_t found, std::uint64_t bit) noexcept {
        std::uint64_t& mine = near_[number(bit)];
        for (std::uint64_t fresh = found & ~mine; fresh != 0; fresh &= fresh - 1) {
            near_[static_cast<std::size_t>(std::countr_zero(fresh))] |= bit;
        }
        mine |= found;
    }

    int width_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::int32_t> used_;
    std::vector<Entry> entries_;
    std::array<std::uint64_t, 64>
        near_{};  // by bit: the types some sprite of it shares a cell with
};

}  // namespace ludex::vgdl

// Where the sprites are that never move: settled ones that are alive, and those in the state.
//
// Each cell knows the types in it as bits, so that one look at the cells of a mover tells which
// of them it can meet. This outlives a tick: a state carries the name of its set of resting
// sprites (see Header), and what is known under that name need not be looked up again.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry.hpp"
#include "neighbours.hpp"

namespace ludex::vgdl {

class Fixtures {
public:
    [[nodiscard]] std::uint64_t name() const noexcept { return name_; }
    void rename(std::uint64_t name) noexcept { name_ = name; }

    // Begin with the settled sprites that are never removed, as bits by cell, and all of these.
    // `exact` are the types each of whose sprites fills one cell, alone of its type. Of a level
    // that is known only the cells are touched that had others.
    void begin(const std::vector<std::uint64_t>& settled_in, std::uint64_t settled,
               std::uint64_t exact, int width) {
        if (types_.size() != settled_in.size()) {
            types_.assign(settled_in.begin(), settled_in.end());
            heads_.assign(settled_in.size(), -1);
        }
        for (const std::int32_t cell : changed_) {
            types_[slot(cell)] = settled_in[slot(cell)];
            heads_[slot(cell)] = -1;
        }
        changed_.clear();
        entries_.clear();
        exact_ = exact;
        present_ = settled;
        width_ = width;
    }
    // A settled sprite in one cell or several; these are listed with the level.
    void add(std::int32_t cell, std::uint64_t bit) {
        present_ |= bit;
        if ((types_[slot(cell)] & bit) == 0) changed_.push_back(cell);
        types_[slot(cell)] |= bit;
    }
    void add(const CellRange& range, std::uint64_t bit) {
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) add(y * width_ + x, bit);
        }
    }
    void remove(std::int32_t cell, std::uint64_t bit) noexcept { types_[slot(cell)] &= ~bit; }
    // One in the state, which may or may not fill a cell.
    void add(int section, int index, std::uint64_t bit, const CellRange& range, bool fills_cell) {
        if (!fills_cell) exact_ &= ~bit;
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                const std::int32_t cell = y * width_ + x;
                add(cell, bit);
                entries_.push_back({section, index, heads_[slot(cell)]});
                heads_[slot(cell)] = static_cast<std::int32_t>(entries_.size()) - 1;
            }
        }
    }

    // By cell, the types in it.
    [[nodiscard]] const std::uint64_t* types() const noexcept { return types_.data(); }
    // All types in the level, and perhaps some that were there.
    [[nodiscard]] std::uint64_t present() const noexcept { return present_; }
    // The types whose bit in a cell means that a sprite fills it.
    [[nodiscard]] std::uint64_t exact() const noexcept { return exact_; }
    // Visit the sprites of a section listed in some cells, perhaps several times.
    template <class Visit>
    void for_listed(const CellRange& range, int section, const Visit& visit) const {
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                for (int e = heads_[slot(y * width_ + x)]; e >= 0; e = entries_[slot(e)].next) {
                    if (entries_[slot(e)].section == section) visit(entries_[slot(e)].index);
                }
            }
        }
    }

private:
    struct Entry {
        std::int32_t section, index, next;
    };
    std::uint64_t name_ = 0;  // 0: nothing is known
    std::uint64_t exact_ = 0, present_ = 0;
    int width_ = 0;
    std::vector<std::uint64_t> types_;
    std::vector<std::int32_t> heads_;  // by cell: the last entry of the list, or -1
    std::vector<Entry> entries_;
    std::vector<std::int32_t> changed_;  // cells that had others than at the beginning
};

}  // namespace ludex::vgdl

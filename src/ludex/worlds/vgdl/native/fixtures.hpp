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

    // Begin with the settled sprites that are never removed, as bits by cell. `exact` are the
    // types each of whose sprites fills one cell, alone of its type.
    void begin(const std::vector<std::uint64_t>& settled_in, std::uint64_t exact, int width) {
        types_.assign(settled_in.begin(), settled_in.end());
        heads_.assign(settled_in.size(), -1);
        entries_.clear();
        exact_ = exact;
        present_ = 0;
        for (const std::uint64_t types : types_) present_ |= types;
        width_ = width;
    }
    // A settled sprite; these are listed with the level.
    void add(const CellRange& range, std::uint64_t bit) noexcept {
        present_ |= bit;
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) types_[slot(y * width_ + x)] |= bit;
        }
    }
    void add(std::int32_t cell, std::uint64_t bit) noexcept {
        present_ |= bit;
        types_[slot(cell)] |= bit;
    }
    void remove(std::int32_t cell, std::uint64_t bit) noexcept { types_[slot(cell)] &= ~bit; }
    // One in the state, which may or may not fill a cell.
    void add(int section, int index, std::uint64_t bit, const CellRange& range, bool fills_cell) {
        present_ |= bit;
        if (!fills_cell) exact_ &= ~bit;
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                const std::size_t cell = slot(y * width_ + x);
                types_[cell] |= bit;
                entries_.push_back({section, index, heads_[cell]});
                heads_[cell] = static_cast<std::int32_t>(entries_.size()) - 1;
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
};

}  // namespace ludex::vgdl

// Training data of a local model: every row seen, the tiles that followed it, and counts.
//
// A row is a neighbourhood and a verb; its target is the middle tile one tick later. Classifiers
// are fitted to it, and rows that were seen are looked up in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace ludex::learned {

using Tile = std::uint16_t;
constexpr Tile kBorder = 0;  // beyond the edge of the grid

// A hash table from rows of equal width to their indices: open addressing, exact comparison.
class RowIndex {
public:
    explicit RowIndex(std::size_t width) : width_(width), slots_(kFirstSlots, kEmpty) {}

    static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t width() const noexcept { return width_; }
    [[nodiscard]] const Tile* row(std::uint32_t number) const noexcept {
        return &rows_[number * width_];
    }
    [[nodiscard]] std::uint32_t find(const Tile* row) const noexcept;
    // The index of a row, which is added if it is new.
    std::uint32_t add(const Tile* row);
    void clear();

private:
    static constexpr std::size_t kFirstSlots = 8192;  // a power of two; growing rehashes all rows

    [[nodiscard]] std::size_t slot(const Tile* row) const noexcept;
    void grow();

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<Tile> rows_;
    std::vector<std::uint32_t> slots_;
};

struct TileCount {
    Tile tile = kBorder;
    std::uint32_t times = 0;
};

class TileMemory {
public:
    // `width`: the cells of a neighbourhood and one for the verb.
    explicit TileMemory(std::size_t width) : index_(width) {}

    void add(const Tile* row, Tile after, std::uint32_t times = 1);
    [[nodiscard]] std::size_t rows() const noexcept { return index_.size(); }
    [[nodiscard]] std::size_t width() const noexcept { return index_.width(); }
    [[nodiscard]] const Tile* row(std::uint32_t number) const noexcept {
        return index_.row(number);
    }
    [[nodiscard]] std::uint32_t find(const Tile* row) const noexcept { return index_.find(row); }
    // The tile that first followed a row, and whether no other ever did.
    [[nodiscard]] const TileCount& first(std::uint32_t number) const noexcept {
        return first_[number];
    }
    [[nodiscard]] bool is_certain(std::uint32_t number) const {
        return more_.empty() || !more_.contains(number);
    }
    // The tiles that followed a row, in the order they were first seen.
    [[nodiscard]] std::vector<TileCount> outcomes(std::uint32_t number) const;

private:
    RowIndex index_;
    std::vector<TileCount> first_;  // by row
    std::unordered_map<std::uint32_t, std::vector<TileCount>>
        more_;  // rows with several next tiles
};

}  // namespace ludex::learned

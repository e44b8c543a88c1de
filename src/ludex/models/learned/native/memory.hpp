// Every row that was seen, exactly, with what followed it and how often.
//
// A row is a neighbourhood and the verb that was done; what follows is the tile in its middle one
// tick later. It is at once the data that classifiers are fitted to, and a table of all answers
// that are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace ludex::learned {

using Tile = std::uint16_t;
constexpr Tile kBorder = 0;  // beyond the edge of the grid

// Where a row lies among equal-sized ones: open addressing, and an exact comparison.
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
    // The number of a row, which is added when it is new.
    std::uint32_t add(const Tile* row);
    void clear();

private:
    static constexpr std::size_t kFirstSlots = 8192;  // a power of two; to grow is to hash anew

    [[nodiscard]] std::size_t slot(const Tile* row) const noexcept;
    void grow();

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<Tile> rows_;
    std::vector<std::uint32_t> slots_;
};

struct Seen {
    Tile tile = kBorder;
    std::uint32_t times = 0;
};

class Memory {
public:
    // `width`: the cells of a neighbourhood and one for the verb.
    explicit Memory(std::size_t width) : index_(width) {}

    void add(const Tile* row, Tile after, std::uint32_t times = 1);
    [[nodiscard]] std::size_t rows() const noexcept { return index_.size(); }
    [[nodiscard]] std::size_t width() const noexcept { return index_.width(); }
    [[nodiscard]] const Tile* row(std::uint32_t number) const noexcept {
        return index_.row(number);
    }
    [[nodiscard]] std::uint32_t find(const Tile* row) const noexcept { return index_.find(row); }
    // What first followed a row, and whether nothing else ever did.
    [[nodiscard]] const Seen& first(std::uint32_t number) const noexcept { return first_[number]; }
    [[nodiscard]] bool is_certain(std::uint32_t number) const {
        return more_.empty() || !more_.contains(number);
    }
    // What followed a row, in order of first sight.
    [[nodiscard]] std::vector<Seen> outcomes(std::uint32_t number) const;

private:
    RowIndex index_;
    std::vector<Seen> first_;                                    // by row
    std::unordered_map<std::uint32_t, std::vector<Seen>> more_;  // where several things followed
};

}  // namespace ludex::learned

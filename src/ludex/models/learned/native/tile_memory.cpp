#include "tile_memory.hpp"

#include <algorithm>
#include <cstring>

#include "rng.hpp"

namespace ludex::learned {

namespace {

constexpr std::size_t kWord = 4;  // tiles in eight bytes

std::uint64_t stirred(std::uint64_t hash, const Tile* tiles) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, tiles, sizeof word);
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
    return hash ^ hash >> 29;
}

// Reads the row eight bytes at a time, in two independent chains.
std::uint64_t hash_of(const Tile* row, std::size_t width) noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL, other = 0xD6E8FEB86659FD93ULL;
    std::size_t i = 0;
    for (; i + 2 * kWord <= width; i += 2 * kWord) {
        hash = stirred(hash, row + i);
        other = stirred(other, row + i + kWord);
    }
    if (i + kWord <= width) {
        hash = stirred(hash, row + i);
        i += kWord;
    }
    for (; i < width; ++i) other = (other ^ row[i]) * 0x94D049BB133111EBULL;
    return mix(hash ^ mix(other));
}

}  // namespace

std::size_t RowIndex::slot(const Tile* row) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot_index = hash_of(row, width_) & mask;
    while (slots_[slot_index] != kEmpty &&
           std::memcmp(this->row(slots_[slot_index]), row, width_ * sizeof(Tile)) != 0) {
        slot_index = (slot_index + 1) & mask;
    }
    return slot_index;
}

std::uint32_t RowIndex::find(const Tile* row) const noexcept { return slots_[slot(row)]; }

std::uint32_t RowIndex::add(const Tile* row) {
    const std::size_t slot_index = slot(row);
    if (slots_[slot_index] != kEmpty) return slots_[slot_index];
    const auto number = static_cast<std::uint32_t>(size_++);
    slots_[slot_index] = number;
    rows_.insert(rows_.end(), row, row + width_);
    if (2 * size_ > slots_.size()) grow();
    return number;
}

void RowIndex::grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::size_t i = 0; i < size_; ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        slots_[slot(row(number))] = number;
    }
}

void RowIndex::clear() {
    size_ = 0;
    rows_.clear();
    std::ranges::fill(slots_, kEmpty);
}

void TileMemory::add(const Tile* row, Tile after, std::uint32_t times) {
    const std::uint32_t number = index_.add(row);
    if (number == first_.size()) {
        first_.push_back({after, times});
        return;
    }
    if (first_[number].tile == after) {
        first_[number].times += times;
        return;
    }
    std::vector<TileCount>& others = more_[number];
    for (TileCount& one : others) {
        if (one.tile == after) {
            one.times += times;
            return;
        }
    }
    others.push_back({after, times});
}

std::vector<TileCount> TileMemory::outcomes(std::uint32_t number) const {
    std::vector<TileCount> all{first_[number]};
    if (const auto found = more_.find(number); found != more_.end()) {
        all.insert(all.end(), found->second.begin(), found->second.end());
    }
    return all;
}

}  // namespace ludex::learned

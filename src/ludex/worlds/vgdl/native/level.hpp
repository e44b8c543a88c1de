// A game on a level: rules, layout, the sprites that never change, paths, and the first state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis.hpp"
#include "crowd.hpp"
#include "gamedef.hpp"
#include "neighbours.hpp"
#include "plan.hpp"
#include "schedule.hpp"
#include "state.hpp"

namespace ludex::vgdl {

inline constexpr int kTicks = 2000;
inline constexpr int kMostSprites = 10'000;
inline constexpr int kMostMessages = 25;

// First steps of shortest paths between all cells, computed once from the first state.
class Paths {
public:
    static constexpr std::uint8_t kNoPath = 255;
    void build(int width, int height, const std::vector<std::uint8_t>& blocked, bool sideways_only);
    // The place in kBase of the first step; kNoPath also when both are one cell.
    [[nodiscard]] std::uint8_t step(int from_x, int from_y, int to_x, int to_y) const noexcept {
        if (from_x < 0 || to_x < 0 || from_x >= width_ || to_x >= width_ || from_y < 0 ||
            to_y < 0 || from_y >= height_ || to_y >= height_) {
            return kNoPath;
        }
        const auto area = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
        return steps_[static_cast<std::size_t>(from_y * width_ + from_x) * area +
                      static_cast<std::size_t>(to_y * width_ + to_x)];
    }

private:
    int width_ = 0;
    int height_ = 0;
    std::vector<std::uint8_t> steps_;
};

// Where the settled sprites of one type are.
struct SettledType {
    struct Entry {
        std::int32_t index, next;
    };
    Section section;                  // of the records kept with the level
    std::vector<std::int32_t> heads;  // by cell: the first entry of a list, or -1
    std::vector<Entry> entries;       // the sprites that touch a cell, in order
};

struct Level {
    using State = vgdl::State;

    GameDef game;
    LevelDef def;
    Layout layout;
    Rect screen;
    bool one_size = false;             // all sprites, whatever happens to them
    std::vector<std::byte> records;    // of the settled sprites
    std::vector<SettledType> settled;  // by section
    Plan plan;
    Schedule schedule;
    // The column or row of a pixel of the screen: dividing is slow.
    std::vector<std::uint16_t> columns, rows;
    // The columns or rows of a sprite of the one size that begins at a pixel and ends on the
    // screen.
    struct Ends {
        std::uint16_t first, last;
    };
    std::vector<Ends> across, down;
    Paths paths;
    State start;
    ludex::Owner owner = ludex::kPlainOwner;  // of the states of this level; see `name_owner`
    std::string problem;                      // why this level cannot be played; empty when it can
    // What it was read from, for pickles.
    std::string game_text, level_text;

    Level(GameDef game_def, LevelDef level_def);

    // Keep what it was read from. The states of levels that were read from the same are alike.
    void name_owner(std::string_view game_source, std::string_view level_source) {
        game_text = game_source;
        level_text = level_source;
        owner = ludex::OwnerHash().add(game_source).add(level_source).owner();
        start.owner = owner;
    }

    // Whether a state is of this level, and whether one read from outside may become so.
    [[nodiscard]] bool owns(const State& state) const noexcept { return state.owner == owner; }
    [[nodiscard]] bool admit(State& state) const noexcept;
    // Whether every number of a state is in its range for this level.
    [[nodiscard]] bool is_consistent(const State& state) const noexcept;

    [[nodiscard]] const Sprite& settled_sprite(int type, int index) const noexcept {
        const Section& section =
            settled[static_cast<std::size_t>(layout.types[static_cast<std::size_t>(type)].section)]
                .section;
        return *reinterpret_cast<const Sprite*>(records.data() + section.offset +
                                                static_cast<std::size_t>(index) *
                                                    static_cast<std::size_t>(section.stride));
    }

    // The cells a rectangle touches; outside the screen, those nearest to it. So
    // rectangles that overlap share a cell, wherever they are.
    [[nodiscard]] CellRange cells_of(const Rect& rect) const noexcept {
        bool is_inside = false;
        return cells_of(rect, is_inside);
    }
    // `is_inside` says whether all of the rectangle is on the screen.
    [[nodiscard]] CellRange cells_of(const Rect& rect, bool& is_inside) const noexcept {
        int left = rect.x, top = rect.y, right = rect.x + rect.w - 1, bottom = rect.y + rect.h - 1;
        // One comparison for all four sides: only a negative number has the sign bit.
        const int beyond = left | top | (screen.w - 1 - right) | (screen.h - 1 - bottom);
        is_inside = (beyond | (rect.w - 1) | (rect.h - 1)) >= 0;
        if (!is_inside) [[unlikely]] {
            if (rect.w <= 0 || rect.h <= 0) return {};
            left = std::clamp(left, 0, screen.w - 1);
            right = std::clamp(right, 0, screen.w - 1);
            top = std::clamp(top, 0, screen.h - 1);
            bottom = std::clamp(bottom, 0, screen.h - 1);
        }
        return {columns[slot(left)], columns[slot(right)], rows[slot(top)], rows[slot(bottom)]};
    }
    [[nodiscard]] static bool is_near_screen(const Rect& rect) noexcept {
        return std::abs(rect.x) < Crowd::kTrusted && std::abs(rect.y) < Crowd::kTrusted;
    }
    [[nodiscard]] bool fills_cell(const Rect& rect) const noexcept {
        return contains(screen, rect) && rect.w == def.block && rect.h == def.block &&
               rect.x % def.block == 0 && rect.y % def.block == 0;
    }

    // Visit the settled sprites of a type, dead or alive, that overlap a rectangle, all of whose
    // cells are in a range.
    template <class Visit>
    void for_settled(int type, const Rect& rect, const CellRange& range,
                     const Visit& visit) const noexcept {
        const SettledType& group = settled[slot(layout.types[slot(type)].section)];
        const std::byte* const first = records.data() + group.section.offset;
        for (int y = range.top; y <= range.bottom; ++y) {
            const std::int32_t* const heads = group.heads.data() + slot(y * def.width);
            for (int x = range.left; x <= range.right; ++x) {
                for (int e = heads[x]; e >= 0; e = group.entries[slot(e)].next) {
                    const int index = group.entries[slot(e)].index;
                    const Rect& other = reinterpret_cast<const Sprite*>(
                                            first + slot(index) * slot(group.section.stride))
                                            ->rect;
                    if (!overlap(rect, other)) continue;
                    // One that touches several of these cells is visited in the first of them.
                    const bool is_first = x == std::max(range.left, columns[slot(other.x)]) &&
                                          y == std::max(range.top, rows[slot(other.y)]);
                    if (is_first) visit(index);
                }
            }
        }
    }

private:
    void settle();
    void index(SettledType& group) const;
};

// Whether a settled sprite has not been removed.
[[nodiscard]] inline bool is_alive(const TypeLayout& type, const State& state, int index) noexcept {
    return type.alive < 0 || (state.flags()[type.alive + (index >> 3)] >> (index & 7) & 1) != 0;
}

}  // namespace ludex::vgdl

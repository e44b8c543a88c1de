// A game on a level: rules, layout, the sprites that never change, paths, and the first state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "gamedef.hpp"
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
    Section section;                  // of the records kept with the level
    std::vector<std::int32_t> cells;  // the sprite in each cell, or -1; empty: look at them all
};

// Two settled sprites that lie on each other, as places in the lists of a pair's subtypes.
struct SettledMeeting {
    std::int32_t first, first_type, first_index, second, second_type, second_index;
};

// How the sprites of two types that have rules are brought together.
struct Match {
    enum class Kind : std::uint8_t { moving, first_settled, second_settled };
    Kind kind = Kind::moving;
    std::int32_t first = 0, second = 0;  // places in the lists of subtypes
    std::int32_t first_type = 0, second_type = 0;
    std::int32_t first_section = 0, second_section = 0;
};

struct PairPlan {
    std::vector<Match> matches;            // of subtypes, in order, but for two settled ones
    std::vector<SettledMeeting> meetings;  // of two settled ones
    bool tests_ground = false;
    bool shares_types = false;  // a moving type is on both sides
};

struct Level {
    GameDef game;
    LevelDef def;
    Layout layout;
    Rect screen;
    std::vector<std::byte> records;    // of the settled sprites
    std::vector<SettledType> settled;  // by section
    std::vector<PairPlan> plans;       // by pair
    // The column or row of a pixel of the screen: dividing is slow.
    std::vector<std::uint16_t> columns, rows;
    Paths paths;
    State start;
    std::string problem;  // why this level cannot be played; empty when it can
    // What it was read from, for pickles.
    std::string game_text, level_text;

    Level(GameDef game_def, LevelDef level_def);

    [[nodiscard]] const Sprite& settled_sprite(int type, int index) const noexcept {
        const Section& section =
            settled[static_cast<std::size_t>(layout.types[static_cast<std::size_t>(type)].section)]
                .section;
        return *reinterpret_cast<const Sprite*>(records.data() + section.offset +
                                                static_cast<std::size_t>(index) *
                                                    static_cast<std::size_t>(section.stride));
    }

private:
    void settle();
    [[nodiscard]] std::string plan();
};

// Whether a settled sprite has not been removed.
[[nodiscard]] inline bool is_alive(const TypeLayout& type, const State& state, int index) noexcept {
    return type.alive < 0 || (state.flags()[type.alive + (index >> 3)] >> (index & 7) & 1) != 0;
}

}  // namespace ludex::vgdl

// Who can meet whom, and how to find out: worked out once for a level, followed in every tick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "gamedef.hpp"

namespace ludex::vgdl {

struct Level;

inline constexpr int kGroundBelow = 3;  // pixels below its feet in which a walker feels ground

// Two settled sprites that lie on each other, as places in the lists of a pair's subtypes.
struct SettledMeeting {
    std::int32_t first, first_type, first_index, second, second_type, second_index;
};

// How the sprites of two types that have rules are brought together: where one side rests, by the
// cells of the other.
struct Match {
    enum class Kind : std::uint8_t { moving, first_rests, second_rests };
    Kind kind = Kind::moving;
    bool second_is_solid = false;
    std::int32_t first = 0, second = 0;  // places in the lists of subtypes
    std::int32_t first_type = 0, second_type = 0;
    std::int32_t first_section = 0, second_section = 0;
    std::uint64_t first_bit = 0, second_bit = 0;
};

struct RulePlan {
    std::int32_t number = 0;
    Effect effect = Effect::killSprite;
    Moves moves = Moves::nothing;
    bool is_batch = false;
    bool is_idle_on_settled = false;
    bool only_steps_back = false;  // the most common rule by far, without score or counters
};

struct PairPlan {
    std::int32_t first = 0, second = 0;
    std::vector<RulePlan> rules;           // those that are enabled
    std::vector<Match> matches;            // of subtypes, in order, but for two settled ones
    std::vector<SettledMeeting> meetings;  // of two settled ones
    bool tests_ground = false;
    bool shares_types = false;  // a moving type is on both sides
    // Where the sprites of one section meet resting ones and no others: these, so that one look
    // at what the section stands on is enough for most ticks. -1: not such a pair.
    std::int32_t watched_section = -1;
    std::uint64_t watched_bits = 0;
    // All that happens is that sprites of this section step back, and nobody is told. -1: more
    // does. Then several pairs may be in one plan (barriers.hpp).
    std::int32_t barrier_section = -1;
    std::uint64_t barrier_bits = 0;  // the resting types among the second ones
    std::int32_t moving = 0;         // from which match on the second type moves
};

// Settled sprites that can be removed.
struct Mortals {
    std::int32_t type = 0, section = 0;
    std::vector<std::int32_t> cells;  // of each sprite; none where they do not fill one each
};

// What a sprite stands on is known as bits of types, and whether it is on the screen in full.
inline constexpr int kTypeBits = 63;
inline constexpr std::uint64_t kOutside = std::uint64_t{1} << kTypeBits;

struct Plan {
    std::vector<PairPlan> pairs;
    std::vector<std::uint64_t> bits;        // by section: one bit a type, shared beyond the 63rd
    std::vector<std::int32_t> below;        // by section: pixels below its feet that a sprite feels
    std::vector<std::uint64_t> settled_in;  // by cell: bits of the types there that never die
    std::uint64_t settled = 0;              // all of these
    std::vector<Mortals> mortals;
    std::vector<std::int32_t> resting;  // types in the state that nothing ever moves
    // The resting types that have their bit for themselves and, if settled, of which each sprite
    // fills one cell, alone of its type.
    std::uint64_t exact = 0;
    std::uint64_t shared = 0;  // bits of several types
};

// Returns why this level cannot be played, or nothing.
[[nodiscard]] std::string make_plan(const Level& level, Plan& plan);

}  // namespace ludex::vgdl

// What can be known of a game on a level before it is played, and the layout that follows.
//
// Types whose sprites can only stand and be killed leave the state but for one bit a sprite. All
// others get a section in the state, with records that hold only what their class can use.
#pragma once

#include <cstdint>
#include <vector>

#include "gamedef.hpp"

namespace ludex::vgdl {

// Where the rectangle is that a sprite had before the tick.
enum class LastIn : std::uint8_t {
    rect,       // where it is now: it never moves
    made,       // the same, unless it was made in this tick: then it is in the workspace
    record,     // it outlives a tick, so it is part of the state
    workspace,  // noted when the sprite is updated, forgotten after the tick
};

struct alignas(64) TypeLayout {  // one cache line: it is asked for all the time
    int section = -1;            // -1: no sprite of this type can ever exist
    // Settled sprites stand where the level put them until they are killed, if they ever are:
    // their records are kept once, with the level; the state has one bit for each.
    bool is_settled = false;
    int alive = -1;  // place of these bits among the flags of the state; -1: they are never killed
    bool is_updated = false;  // in the order list
    bool rests = false;       // nothing ever moves or turns its sprites: no update is needed
    bool is_avatar = false;
    bool tests_ground = false;
    bool tells_meetings = false;  // its sprites can be avatars or what avatars made
    LastIn last_in = LastIn::workspace;
    int stride = 0;
    // Places in a record; 0: this type has no such part.
    int body = 0, spawner = 0, follower = 0, products = 0, last = 0, life = 0, bag = 0;
    int width = 0, height = 0;
    std::uint8_t actions = 0;
};

struct Layout {
    std::vector<TypeLayout> types;
    std::vector<int> section_types;          // type of each section
    std::vector<int> updated;                // types to update, in the order of the walk
    std::vector<int> resting;                // types that need no update, but are in the state
    std::vector<int> moving;                 // sections with records in the state
    std::vector<std::vector<int>> subtypes;  // types that can have sprites, by type
    std::vector<int> resource_slot;          // by type; -1: never held
    int resources = 0;
    std::vector<int> flag_of_rule;  // place of a rule's flags in the state; -1: constant
    int flags = 0;
    int first_message_flag = 0;
    std::vector<int> message_types;  // types whose first sprite logs messages
    bool has_followers = false;
};

// What a rule can do to the places of sprites while it is applied to all that meet.
enum class Moves : std::uint8_t { nothing, first, any };
[[nodiscard]] Moves moves_of(Effect effect) noexcept;

// Whether a rule does nothing at all to two sprites that are settled.
[[nodiscard]] bool is_idle_on_settled(const RuleDef& rule) noexcept;

[[nodiscard]] Layout analyse(const GameDef& game, const LevelDef& level);

}  // namespace ludex::vgdl

// What can be known of a game on a level before it is played, and the layout that follows.
//
// Types that can never change leave the state: their sprites are kept once, with the level. All
// others get a section in the state, with records that hold only what their class can use.
#pragma once

#include <cstdint>
#include <vector>

#include "gamedef.hpp"

namespace ludex::vgdl {

struct TypeLayout {
    int section = -1;  // -1: no sprite of this type can ever exist
    bool is_fixed = false;  // its sprites never change; they are not in the state
    bool is_updated = false;  // in the order list
    bool keeps_last = false;  // its last rectangle outlives a tick
    bool is_avatar = false;
    bool tests_ground = false;
    int stride = 0;
    // Places in a record; 0: this type has no such part.
    int body = 0, spawner = 0, follower = 0, products = 0, last = 0, life = 0, bag = 0;
    int width = 0, height = 0;
    std::uint8_t actions = 0;
};

struct Layout {
    std::vector<TypeLayout> types;
    std::vector<int> section_types;             // type of each section
    std::vector<int> updated;                   // types to update, in the order of the walk
    std::vector<std::vector<int>> subtypes;     // types that can have sprites, by type
    std::vector<int> resource_slot;             // by type; -1: never held
    int resources = 0;
    std::vector<int> flag_of_rule;              // place of a rule's flags in the state; -1: constant
    int flags = 0;
    std::vector<int> message_types;             // types whose first sprite logs messages
    bool has_followers = false;
};

[[nodiscard]] Layout analyse(const GameDef& game, const LevelDef& level);

}  // namespace ludex::vgdl

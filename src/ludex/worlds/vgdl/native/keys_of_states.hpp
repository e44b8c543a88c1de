// What keys of states leave out; rules.hpp declares the keys themselves.
#pragma once

#include "level.hpp"
#include "state.hpp"

namespace ludex::vgdl {

// What a key can leave out. Scores are all players', orientations the avatars'.
enum Ignore : unsigned {
    kIgnoreScore = 1,
    kIgnoreTick = 2,
    kIgnoreOrientation = 4,
    kIgnoreIds = 8
};

// Blank what is ignored; the state is then good for comparing alone.
void blank(const Level& level, State& state, unsigned ignore) noexcept;

}  // namespace ludex::vgdl

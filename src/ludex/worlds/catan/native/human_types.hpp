// How often people chose which type of action, given which types were legal.
#pragma once

#include <array>
#include <cstdint>

#include "actions.hpp"

namespace ludex::catan {

// Fills a probability for each type of the set `types` (bits of enum Type), as counted in
// decisions after the roll. `conditioned`: by exactly this set of legal types, where it was seen.
void human_weights(std::uint32_t types, bool conditioned,
                   std::array<double, kTypes>& weights) noexcept;

}  // namespace ludex::catan

// Games that are played one after the other in native code.
#pragma once

#include <cstdint>
#include <vector>

#include "chooser.hpp"

namespace ludex::hearthstone::agents {

// The games from number `first` to before `end`; each depends on the seed and its number alone, so
// that the work can be divided.
struct Games {
    std::uint64_t seed = 0;
    std::int64_t first = 0;
    std::int64_t end = 0;
};

// One against another, the beginner drawn by lot; the results of the first: 0 lost, 1 won, 2 drawn.
[[nodiscard]] std::vector<int> play_matches(const Rules& rules, const Chooser& one,
                                            const Chooser& two, const Games& games) noexcept;

}  // namespace ludex::hearthstone::agents

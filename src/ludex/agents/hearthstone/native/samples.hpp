// Samples of random games, for Nora to learn from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games.hpp"
#include "nora.hpp"

namespace ludex::hearthstone::agents {

struct Samples {
    std::array<Row, kSkills> rows;  // one after the other
    std::array<std::vector<float>, kSkills> rewards;
    std::array<std::int64_t, kSkills> seen{};
    std::array<std::int64_t, kSkills> zeros{};
    std::array<std::array<std::int64_t, 2>, kSkills> kept{};  // negative, positive
    std::int64_t games = 0;
};

// Random games between random decks or those of the rules, until each class of each skill has
// `quota` rows or all are played. With a forest for targets these are chosen by it, as in two-step
// training.
void make_samples(const Rules& rules, const Encoding& encoding, const Games& games,
                  std::int64_t quota, const Nora* chooser, Samples& samples) noexcept;

}  // namespace ludex::hearthstone::agents

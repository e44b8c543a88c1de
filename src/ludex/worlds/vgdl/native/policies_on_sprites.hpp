// What the policies of rollouts and traces ask of a VGDL game: see KnowsObjects and KeepsEvents.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "engine.hpp"
#include "level.hpp"
#include "observe.hpp"
#include "policies.hpp"
#include "rules.hpp"

namespace ludex::vgdl {

[[nodiscard]] inline Cell cell_at(const Level& level, const Rect& rect) noexcept {
    const int block = level.def.block;
    const auto divided = [block](int pixel) {  // rounded down, also left of and above the screen
        return pixel >= 0 ? pixel / block : -((block - 1 - pixel) / block);
    };
    return {divided(rect.x), divided(rect.y)};
}

[[nodiscard]] inline Cell grid_of(const Rules& rules) noexcept {
    return {rules.level().def.width, rules.level().def.height};
}

[[nodiscard]] inline Cell avatar_cell(const Rules& rules, const State& state, int seat) noexcept {
    const Sprite* const avatar = avatar_of(rules.level(), state, seat);
    return avatar ? cell_at(rules.level(), avatar->rect) : Cell{-1, -1};
}

[[nodiscard]] inline Cell heading_of(const Rules& /*rules*/, Rules::Action action) noexcept {
    constexpr Cell kHeadings[kActions] = {{0, 0}, {0, -1}, {-1, 0}, {0, 1}, {1, 0}, {0, 0}};
    return kHeadings[action];
}

[[nodiscard]] inline double distance_to(const Rules& rules, const State& state, int seat,
                                        int kind) noexcept {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Level& level = rules.level();
    const Sprite* const avatar = avatar_of(rules.level(), state, seat);
    if (!avatar || kind < 0 || kind >= static_cast<int>(level.game.types.size())) return kNone;
    const auto& hidden = level.game.types[static_cast<std::size_t>(kind)].hidden;
    if (!hidden.empty() && hidden[std::min(static_cast<std::size_t>(seat), hidden.size() - 1)] != 0)
        return kNone;
    std::int64_t nearest = -1;
    for_sprites_of(level, state, kind, [&](const Sprite& sprite) {
        const std::int64_t x = std::int64_t{sprite.rect.x} - avatar->rect.x;
        const std::int64_t y = std::int64_t{sprite.rect.y} - avatar->rect.y;
        const std::int64_t square = x * x + y * y;
        if (nearest < 0 || square < nearest) nearest = square;
    });
    if (nearest < 0) return kNone;
    const auto columns = static_cast<double>(level.def.width);
    const auto rows = static_cast<double>(level.def.height);
    const double diagonal = level.def.block * std::sqrt(columns * columns + rows * rows);
    return std::sqrt(static_cast<double>(nearest)) / diagonal;
}

[[nodiscard]] inline std::optional<Cell> cell_of(const Rules& rules, const State& state, int kind,
                                                 int id) noexcept {
    const Level& level = rules.level();
    std::optional<Cell> found;
    if (kind < 0 || kind >= static_cast<int>(level.game.types.size())) return found;
    for_sprites_of(level, state, kind, [&](const Sprite& sprite) {
        if (sprite.id == id) found = cell_at(level, sprite.rect);
    });
    return found;
}

// Events are read from the meetings of the last tick alone.
[[nodiscard]] inline std::optional<State> events_of(const Rules& /*rules*/, const State& state) {
    if (state.meetings.empty()) return std::nullopt;
    State bare;
    bare.meetings = state.meetings;
    bare.owner = state.owner;
    return bare;
}

}  // namespace ludex::vgdl

static_assert(ludex::KnowsObjects<ludex::vgdl::Rules>);

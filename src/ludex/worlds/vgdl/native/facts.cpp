// What searches through states ask of a game: its facts as numbers, and how far it is from a win.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "observe.hpp"
#include "rules.hpp"

namespace ludex::vgdl {

namespace {

// A type in a cell, or a settled sprite that is gone.
void add_places(const Level& level, const State& state, std::vector<std::uint64_t>& facts) {
    const int width = level.def.width, height = level.def.height;
    const auto cells = slot(width) * slot(height);
    const auto add = [&](int type, const Sprite& s, int gone) {
        const int x = std::clamp(s.rect.x, 0, level.screen.w - 1);
        const int y = std::clamp(s.rect.y, 0, level.screen.h - 1);
        const auto cell = slot(level.rows[slot(y)]) * slot(width) + level.columns[slot(x)];
        facts.push_back((slot(type) * cells + cell) * 2 + slot(gone));
    };
    for (const int type : level.layout.section_types) {
        const TypeLayout& layout = level.layout.types[slot(type)];
        if (!layout.is_settled) {
            const Section& section = state.sections()[layout.section];
            for (int i = 0; i < section.count; ++i) add(type, state.sprite(section, i), 0);
        } else if (layout.alive >= 0) {
            for (int i = 0; i < level.settled[slot(layout.section)].section.count; ++i) {
                add(type, level.settled_sprite(type, i), is_alive(layout, state, i) ? 0 : 1);
            }
        }
    }
}

// The way each avatar faces, and what it holds.
void add_avatars(const Level& level, const State& state, std::vector<std::uint64_t>& facts) {
    constexpr std::size_t kWays = 9, kMostHeld = 1024;
    const auto types = level.layout.types.size();
    const auto ways = types * slot(level.def.width) * slot(level.def.height) * 2;
    const auto held = ways + kWays * slot(level.game.players);
    const auto sign = [](double x) { return x > 0 ? 2U : x < 0 ? 0U : 1U; };
    for (int seat = 0; seat < level.game.players; ++seat) {
        const Sprite* const avatar = avatar_of(level, state, seat);
        if (avatar == nullptr) continue;
        const Vec way = avatar->orientation;
        facts.push_back(ways + kWays * slot(seat) + sign(way.x) * 3 + sign(way.y));
        for_resources(level, state, seat, [&](int type, int amount) {
            const auto some = slot(std::clamp(amount, 0, static_cast<int>(kMostHeld) - 1));
            facts.push_back(held + (slot(seat) * types + slot(type)) * kMostHeld + some);
        });
    }
}

// The sprites of a type and its children.
[[nodiscard]] int count_of(const Level& level, const State& state, int type) noexcept {
    int count = 0;
    for (const int sub : level.layout.subtypes[slot(type)]) {
        const TypeLayout& layout = level.layout.types[slot(sub)];
        if (layout.section < 0) continue;
        if (!layout.is_settled) {
            count += state.sections()[layout.section].count;
            continue;
        }
        const int all = level.settled[slot(layout.section)].section.count;
        for (int i = 0; i < all; ++i) count += is_alive(layout, state, i) ? 1 : 0;
    }
    return count;
}

// How many sprites are too many or missing for a condition; -1 for one that counts none.
[[nodiscard]] int missing(const Level& level, const State& state,
                          const EndingDef& ending) noexcept {
    int surplus = -ending.limit;
    for (const int type : {ending.stype, ending.stype1, ending.stype2, ending.stype3}) {
        if (type != kNoType) surplus += count_of(level, state, type);
    }
    switch (ending.condition) {
        case Termination::SpriteCounter:
            return std::max(0, surplus);
        case Termination::SpriteCounterMore:
            return std::max(0, -surplus);
        case Termination::MultiSpriteCounter:
            return std::abs(surplus);
        default:
            return -1;
    }
}

}  // namespace

void add_facts(const Level& level, const State& state, std::vector<std::uint64_t>& facts) {
    add_places(level, state, facts);
    add_avatars(level, state, facts);
}

void add_facts(const Rules& rules, const State& state, std::vector<std::uint64_t>& facts) {
    add_facts(rules.level(), state, facts);
}

double distance_to_win(const Rules& rules, const State& state, int seat) noexcept {
    const Level& level = rules.level();
    int least = -1;
    for (const EndingDef& ending : level.game.endings) {
        const Numbers& wins = ending.win;
        if (wins.empty() || wins[std::min(slot(seat), wins.size() - 1)] == 0) continue;
        const int distance = missing(level, state, ending);
        if (distance >= 0 && (least < 0 || distance < least)) least = distance;
    }
    return std::max(0, least);
}

}  // namespace ludex::vgdl

#include "keys_of_states.hpp"

#include <algorithm>
#include <cstring>

#include "engine.hpp"
#include "rules.hpp"

namespace ludex::vgdl {

namespace {

// Forget what the next tick writes before anything reads it: where an avatar was a tick ago, and
// for how long a sprite has rested once it may move. The disabled are not updated.
void forget_the_past(const Level& level, State& state) noexcept {
    const Layout& layout = level.layout;
    const auto rest_enough = [&](Sprite& sprite, int type) {
        sprite.lastmove = std::min(sprite.lastmove, level.game.types[slot(type)].cooldown - 1);
    };
    for (int p = 0; p < state.header().players; ++p) {
        const Player& player = state.player(p);
        if (player.type < 0) continue;
        const TypeLayout& type = layout.types[slot(player.type)];
        Sprite& avatar = state.sprite(state.sections()[type.section], player.index);
        if (avatar.is(kDisabled)) continue;
        rest_enough(avatar, player.type);
        std::memset(reinterpret_cast<std::byte*>(&avatar) + type.last, 0, sizeof(Rect));
    }
    for (const int type : layout.updated) {
        const Section& section = state.sections()[layout.types[slot(type)].section];
        for (int i = 0; i < section.count; ++i) {
            Sprite& sprite = state.sprite(section, i);
            if (!sprite.is(kDisabled)) rest_enough(sprite, type);
        }
    }
}

}  // namespace

void blank(const Level& level, State& state, unsigned ignore) noexcept {
    Header& header = state.header();
    if ((ignore & kIgnoreTick) != 0) {
        for (Timer& timer : state.timers) timer.due -= header.tick;
        header.tick = 0;
        forget_the_past(level, state);
    }
    if ((ignore & kIgnoreIds) != 0) header.next_id = 0;
    for (int p = 0; p < header.players; ++p) {
        if ((ignore & kIgnoreScore) != 0) state.player(p).score = 0.0;
    }
    for (int s = 0; s < header.sections; ++s) {
        const TypeLayout& type = level.layout.types[slot(level.layout.section_types[slot(s)])];
        if (type.is_settled) continue;
        const Section& section = state.sections()[s];
        for (int i = 0; i < section.count; ++i) {
            Sprite& sprite = state.sprite(section, i);
            if ((ignore & kIgnoreIds) != 0) sprite.id = 0;
            if ((ignore & kIgnoreOrientation) != 0 && type.is_avatar) sprite.orientation = {};
        }
    }
}

unsigned ignorable(const Rules& /*rules*/, std::string_view name) noexcept {
    if (name == "score") return kIgnoreScore;
    if (name == "tick") return kIgnoreTick;
    if (name == "orientation") return kIgnoreOrientation;
    return name == "ids" ? unsigned{kIgnoreIds} : 0U;
}

void add_key(const Rules& rules, const State& state, unsigned ignored, KeyHash& hash) noexcept {
    const State* content = &state;
    if (ignored != 0) {
        State& plain = rules.blanked();
        plain = state;
        blank(rules.level(), plain, ignored);
        content = &plain;
    }
    content->for_content([&](const std::byte* bytes, std::size_t size) { hash.add(bytes, size); });
}

}  // namespace ludex::vgdl

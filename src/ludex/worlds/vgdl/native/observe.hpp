// What a seat may see of a state: lists of sprites, planes, pixels and numbers.
//
// All that reads a state here goes through the few functions at the top, so that the layout of
// states can change without the rest. An Observer only fills memory of the caller's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine.hpp"
#include "level.hpp"

namespace ludex::vgdl {

// Visit the sprites of one type, in the order they were created.
template <class Visit>
void for_sprites_of(const Level& level, const State& state, int type, const Visit& visit) {
    const TypeLayout& layout = level.layout.types[static_cast<std::size_t>(type)];
    if (layout.section < 0) return;
    if (!layout.is_settled) {
        const Section& section = state.sections()[layout.section];
        for (int i = 0; i < section.count; ++i) visit(state.sprite(section, i));
        return;
    }
    const auto& settled = level.settled[static_cast<std::size_t>(layout.section)];
    for (int i = 0; i < settled.section.count; ++i) {
        if (is_alive(layout, state, i)) visit(level.settled_sprite(type, i));
    }
}

// Visit every sprite: those of a type together, types ascending.
template <class Visit>
void for_sprites(const Level& level, const State& state, const Visit& visit) {
    for (const int type : level.layout.section_types) {
        for_sprites_of(level, state, type, [&](const Sprite& sprite) { visit(type, sprite); });
    }
}

// The avatar of a player; null when there is none.
[[nodiscard]] inline const Sprite* avatar_of(const Level& level, const State& state,
                                             int seat) noexcept {
    const Player& player = state.player(seat);
    if (player.type < 0) return nullptr;
    const int section = level.layout.types[static_cast<std::size_t>(player.type)].section;
    return &state.sprite(state.sections()[section], player.index);
}

// Visit what a player's avatar holds: (type of the resource, amount), types ascending.
template <class Visit>
void for_resources(const Level& level, const State& state, int seat, const Visit& visit) {
    const Sprite* const avatar = avatar_of(level, state, seat);
    if (!avatar) return;
    const TypeLayout& layout =
        level.layout.types[static_cast<std::size_t>(state.player(seat).type)];
    if (!layout.bag) return;
    const auto* const bag = reinterpret_cast<const std::int32_t*>(
        reinterpret_cast<const std::byte*>(avatar) + layout.bag);
    for (std::size_t type = 0; type < level.layout.resource_slot.size(); ++type) {
        const int slot = level.layout.resource_slot[type];
        if (slot >= 0 && bag[slot] != kNotHeld) visit(static_cast<int>(type), bag[slot]);
    }
}

// What a sprite is to an agent, with the reference's numbers.
enum class Category : std::int32_t {
    avatar,
    resource,
    portal,
    npc,
    immovable,
    from_avatar,
    movable
};

// One sprite as a seat sees it: a row of seven numbers.
struct Sight {
    std::int32_t category = -1, type = -1, id = -1, x = -1, y = -1, width = -1, height = -1;
};

using Colour = std::array<std::uint8_t, 3>;

// The forms in which a state can be seen, each an array of one kind of number.
//   planes     uint8 [channel][row][column]: 1 where a sprite of the channel's type is
//   pixels     uint8 [y][x][red, green, blue]
//   objects    int32 [place][7]: sights; rows of -1 fill the rest
//   avatar     float32 [12]: score, tick, x, y, orientation x, y, speed, health, most health,
//              limit of health, alive, type
//   resources  int32 [type]: what the avatar holds
enum class Form : std::uint8_t { planes, pixels, objects, avatar, resources };
inline constexpr std::size_t kAvatarFacts = 12;

class Observer {
public:
    static constexpr int kSpectator = -1;  // sees hidden sprites, too

    struct Size {
        int width = 0, height = 0;  // of planes and pixels in cells; at least those of the level
        int cell = 10;              // pixels of a cell
        int objects = 512;          // rows; when there are more, the avatar's nearest are kept
    };

    // Colours are by type.
    Observer(std::shared_ptr<const Level> level, std::vector<Colour> colours, Size size);

    [[nodiscard]] const Level& level() const noexcept { return *level_; }
    [[nodiscard]] const Size& size() const noexcept { return size_; }
    // The type of each plane, ascending: all types of the game that a seat can ever see.
    [[nodiscard]] const std::vector<int>& channels() const noexcept { return channels_; }
    [[nodiscard]] bool is_hidden(int type, int seat) const noexcept;
    [[nodiscard]] bool is_drawn(int type, int seat) const noexcept;

    // Everything the seat may see: by category, type, and order of creation.
    [[nodiscard]] std::vector<Sight> sights(const State& state, int seat) const;
    // Bytes of a form, and filling as many.
    [[nodiscard]] std::size_t bytes(Form form) const noexcept;
    void fill(Form form, const State& state, int seat, std::byte* out) const;

private:
    [[nodiscard]] Category category(int type, const Sprite& sprite) const noexcept;
    void fill_planes(const State& state, int seat, std::uint8_t* out) const;
    void mark(const Sprite& sprite, std::uint8_t* plane) const noexcept;
    void fill_pixels(const State& state, int seat, std::uint8_t* out) const;
    void fill_objects(const State& state, int seat, Sight* out) const;
    void fill_avatar(const State& state, int seat, float* out) const noexcept;
    void fill_resources(const State& state, int seat, std::int32_t* out) const noexcept;

    std::shared_ptr<const Level> level_;
    std::vector<Colour> colours_;
    Size size_;
    std::vector<int> channels_;
    std::vector<int> channel_of_;                  // by type; -1: none
    std::vector<int> drawing_;                     // types with sprites, the lowest first
    std::vector<std::vector<std::uint8_t>> base_;  // by seat: planes of what is never killed
};

}  // namespace ludex::vgdl

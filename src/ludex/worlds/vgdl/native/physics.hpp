// How sprites move. Here and not in physics.cpp because it is what a tick does most.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine.hpp"

namespace ludex::vgdl {

template <class Draws>
inline bool Engine<Draws>::try_move(Sprite& sprite, const TypeDef& type, Vec direction,
                                    int pixels) noexcept {
    if (pixels == 0) pixels = to_int(sprite.speed);
    if (pixels == 0 || type.cooldown > sprite.lastmove || direction.is_zero()) return false;
    sprite.rect.x = add(sprite.rect.x, to_int(direction.x * pixels));
    sprite.rect.y = add(sprite.rect.y, to_int(direction.y * pixels));
    sprite.lastmove = 0;
    return true;
}

// How a sprite goes on by itself on the grid.
template <class Draws>
inline void Engine<Draws>::passive_on_grid(Sprite& sprite, const TypeDef& type) noexcept {
    if (sprite.is(kFirstTick)) {
        sprite.put(kFirstTick, false);
        return;
    }
    const double speed = sprite.speed == -1.0 ? 1.0 : sprite.speed;
    if (speed == 0.0 || !sprite.is(kOriented)) return;
    try_move(sprite, type, sprite.orientation, to_int(speed * block()));
}

template <class Draws>
inline void Engine<Draws>::passive(Ref ref, Sprite& sprite, const TypeDef& type) noexcept {
    if (type.is_static || type.only_active) return;
    if (type.physicstype == 0) {
        passive_on_grid(sprite, type);
    } else {
        passive_in_space(ref, sprite, type);
    }
}

// What a sprite does, or what is done to it, in a direction.
template <class Draws>
inline Moved Engine<Draws>::active(Sprite& sprite, const TypeDef& type, Vec direction,
                                   double speed) noexcept {
    if (type.physicstype != 0) return active_in_space(sprite, type, direction, speed);
    if (type.stationary) return Moved::still;
    if (speed == 0.0) speed = sprite.speed <= 0.0 ? 1.0 : sprite.speed;
    if (speed == 0.0 || direction == kNone) return Moved::still;
    if (type.rotateInPlace && sprite.is(kOriented) && !(sprite.orientation == direction)) {
        sprite.orientation = direction;
        return Moved::rotated;
    }
    const bool moved = try_move(sprite, type, direction, to_int(speed * block()));
    return moved ? Moved::moved : Moved::still;
}

// The distance that chasers measure, as a number to compare. In space it is a root: the bits of
// doubles that are not negative have the order of their values.
template <class Draws>
inline std::int64_t Engine<Draws>::measure(bool in_space, std::int64_t dx,
                                           std::int64_t dy) noexcept {
    if (!in_space) return std::abs(dx) + std::abs(dy);
    const auto x = static_cast<double>(dx), y = static_cast<double>(dy);
    return std::bit_cast<std::int64_t>(std::sqrt(x * x + y * y));
}

}  // namespace ludex::vgdl

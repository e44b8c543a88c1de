// How sprites move. Here and not in physics.cpp because it is what a tick does most.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine.hpp"

namespace ludex::vgdl {

template <class Draws>
inline bool Engine<Draws>::try_move(Sprite& sprite, int cooldown, Vec direction,
                                    int pixels) noexcept {
    if (pixels == 0) pixels = to_int(sprite.speed);
    if (pixels == 0 || cooldown > sprite.lastmove || direction.is_zero()) return false;
    sprite.rect.x = add_near(sprite.rect.x, to_int(direction.x * pixels));
    sprite.rect.y = add_near(sprite.rect.y, to_int(direction.y * pixels));
    sprite.lastmove = 0;
    return true;
}

// How a sprite goes on by itself on the grid.
template <class Draws>
inline void Engine<Draws>::go_on(Sprite& sprite, int cooldown) noexcept {
    if (sprite.is(kFirstTick)) {
        sprite.put(kFirstTick, false);
        return;
    }
    if (cooldown > sprite.lastmove || !sprite.is(kOriented)) return;
    const double speed = sprite.speed == -1.0 ? 1.0 : sprite.speed;
    if (speed == 0.0) return;
    try_move(sprite, cooldown, sprite.orientation, to_int(speed * block()));
}

// A push changes the velocity, which is kept as a direction and a speed.
template <class Draws>
inline Moved Engine<Draws>::active_in_space(Sprite& sprite, const TypeDef& type, Vec direction,
                                            double speed) noexcept {
    if (speed == 0.0 || speed == -1.0) speed = sprite.speed;
    const double mass = static_cast<float>(type.mass);
    const Vec push = mass == 1.0 ? direction : Vec{direction.x / mass, direction.y / mass};
    const Vec velocity{bounded(push.x + sprite.orientation.x * speed),
                       bounded(push.y + sprite.orientation.y * speed)};
    const double length = velocity.length();
    sprite.speed = type.max_speed != -1.0 && length > type.max_speed ? type.max_speed : length;
    sprite.orientation = length == 0.0 ? velocity : Vec{velocity.x / length, velocity.y / length};
    return direction == kNone ? Moved::still : Moved::moved;
}

template <class Draws>
inline void Engine<Draws>::passive_in_space(Ref ref, Sprite& sprite, const TypeDef& type) noexcept {
    if (sprite.is(kFirstTick)) {
        sprite.put(kFirstTick, false);
        return;
    }
    if (sprite.speed == 0.0) return;
    try_move(sprite, type.cooldown, sprite.orientation, to_int(sprite.speed));
    const int body = lay(ref.type).body;
    const double gravity = body != 0 ? part<Body>(sprite, body).gravity : type.gravity;
    if (gravity > 0.0 && type.mass > 0.0 && !sprite.is(kOnGround)) {
        active_in_space(sprite, type, {0.0, gravity * type.mass}, 0.0);
    }
    sprite.speed = bounded(sprite.speed * (1.0 - type.friction));
}

template <class Draws>
inline void Engine<Draws>::passive(Ref ref, Sprite& sprite, const TypeDef& type) noexcept {
    if (type.is_static || type.only_active) return;
    if (type.physicstype == 0) {
        go_on(sprite, type.cooldown);
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
    if (type.cooldown > sprite.lastmove && !type.rotateInPlace) return Moved::still;
    if (speed == 0.0) speed = sprite.speed <= 0.0 ? 1.0 : sprite.speed;
    if (speed == 0.0 || direction == kNone) return Moved::still;
    if (type.rotateInPlace && sprite.is(kOriented) && !(sprite.orientation == direction)) {
        sprite.orientation = direction;
        return Moved::rotated;
    }
    const bool moved = try_move(sprite, type.cooldown, direction, to_int(speed * block()));
    return moved ? Moved::moved : Moved::still;
}

// A step that a sprite or its player has chosen: what `active` does, in whole numbers on the grid.
template <class Draws>
inline Moved Engine<Draws>::step(Sprite& sprite, const TypeDef& type, int way) noexcept {
    if (type.physicstype != 0) return active_in_space(sprite, type, kWays[way], sprite.speed);
    if (type.stationary || way == kNoWay) return Moved::still;
    if (type.rotateInPlace && sprite.is(kOriented) && !(sprite.orientation == kWays[way])) {
        sprite.orientation = kWays[way];
        return Moved::rotated;
    }
    if (type.cooldown > sprite.lastmove) return Moved::still;
    int pixels = to_int((sprite.speed == 0.0 ? 1.0 : sprite.speed) * block());
    if (pixels == 0) pixels = to_int(sprite.speed);
    if (pixels == 0) return Moved::still;
    sprite.rect.x = add_near(sprite.rect.x, kStepX[way] * pixels);
    sprite.rect.y = add_near(sprite.rect.y, kStepY[way] * pixels);
    sprite.lastmove = 0;
    return Moved::moved;
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

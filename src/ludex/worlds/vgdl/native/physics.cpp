// How sprites move, and how they meet.
#include <cmath>

#include "engine.hpp"

namespace ludex::vgdl {

template <class Draws>
void Engine<Draws>::passive(Ref ref) {
    const TypeDef& type = def(ref.type);
    if (type.is_static || type.only_active) return;
    Sprite& sprite = sp(ref);
    if (sprite.is(kFirstTick)) {
        sprite.put(kFirstTick, false);
        return;
    }
    if (type.physicstype == 0) {
        const double speed = sprite.speed == -1.0 ? 1.0 : sprite.speed;
        if (speed == 0.0 || !sprite.is(kOriented)) return;
        try_move(sprite, type, sprite.orientation, to_int(speed * block()));
        return;
    }
    if (sprite.speed == 0.0) return;
    try_move(sprite, type, sprite.orientation, to_int(sprite.speed));
    const int body = lay(ref.type).body;
    const double gravity = body != 0 ? part<Body>(sprite, body).gravity : type.gravity;
    if (gravity > 0.0 && type.mass > 0.0 && !sprite.is(kOnGround)) {
        active(ref, {0.0, gravity * type.mass}, 0.0);
    }
    sprite.speed = bounded(sprite.speed * (1.0 - type.friction));
}

template <class Draws>
Moved Engine<Draws>::active(Ref ref, Vec direction, double speed) {
    const TypeDef& type = def(ref.type);
    Sprite& sprite = sp(ref);
    if (type.physicstype == 0) {
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
    if (speed == 0.0 || speed == -1.0) speed = sprite.speed;
    const double mass = static_cast<float>(type.mass);
    const Vec velocity{bounded(direction.x / mass + sprite.orientation.x * speed),
                       bounded(direction.y / mass + sprite.orientation.y * speed)};
    sprite.speed = velocity.length();
    if (type.max_speed != -1.0 && sprite.speed > type.max_speed) sprite.speed = type.max_speed;
    sprite.orientation = velocity.normalised();
    return direction == kNone ? Moved::still : Moved::moved;
}

template <class Draws>
bool Engine<Draws>::try_move(Sprite& sprite, const TypeDef& type, Vec direction,
                             int pixels) noexcept {
    if (pixels == 0) pixels = to_int(sprite.speed);
    if (pixels == 0 || type.cooldown > sprite.lastmove || direction.is_zero()) return false;
    sprite.rect.x = add(sprite.rect.x, to_int(direction.x * pixels));
    sprite.rect.y = add(sprite.rect.y, to_int(direction.y * pixels));
    sprite.lastmove = 0;
    return true;
}

template <class Draws>
double Engine<Draws>::distance(int type, const Rect& a, const Rect& b) const noexcept {
    const double dx = static_cast<double>(a.x) - b.x;
    const double dy = static_cast<double>(a.y) - b.y;
    return is_cont(type) ? std::sqrt(dx * dx + dy * dy) : std::abs(dx) + std::abs(dy);
}

// Where `a` touches `b` after a straight move; its last rectangle after any other.
template <class Draws>
Rect Engine<Draws>::pixel_perfect(Ref a, Ref b) const noexcept {
    const Rect before = last(a);
    Rect rect = sp(a).rect;
    const Rect& other = sp(b).rect;
    const Vec way =
        Vec{rect.centre_x() - before.centre_x(), rect.centre_y() - before.centre_y()}.normalised();
    if (way == kDown) {
        rect.y = add(other.y, -std::int64_t{rect.h});
    } else if (way == kRight) {
        rect.x = add(other.x, -std::int64_t{rect.w});
    } else if (way == kUp) {
        rect.y = add(other.y, other.h);
    } else if (way == kLeft) {
        rect.x = add(other.x, other.w);
    } else {
        return before;
    }
    return rect;
}

// Walkers and jumpers notice the ground when they are tested against something solid.
template <class Draws>
void Engine<Draws>::test_ground(Ref a, Ref b) noexcept {
    Sprite& sprite = sp(a);
    if (sprite.is(kOnGround) || !def(b.type).solid) return;
    Rect below = sprite.rect;
    below.y = add(below.y, 3);
    const Rect& before = last(a);
    const bool grounded = overlap(below, sp(b).rect) && last(b).y > before.y + sprite.rect.h / 2 &&
                          sprite.rect.y > before.y;
    sprite.put(kOnGround, grounded);
}

#define INSTANTIATE(Draws)                                                                 \
    template void Engine<Draws>::passive(Ref);                                             \
    template Moved Engine<Draws>::active(Ref, Vec, double);                                \
    template bool Engine<Draws>::try_move(Sprite&, const TypeDef&, Vec, int) noexcept;     \
    template double Engine<Draws>::distance(int, const Rect&, const Rect&) const noexcept; \
    template Rect Engine<Draws>::pixel_perfect(Ref, Ref) const noexcept;                   \
    template void Engine<Draws>::test_ground(Ref, Ref) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

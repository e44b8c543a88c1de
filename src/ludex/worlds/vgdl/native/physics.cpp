// How sprites move, and how they meet.
#include "physics.hpp"

namespace ludex::vgdl {

template <class Draws>
void Engine<Draws>::passive_in_space(Ref ref, Sprite& sprite, const TypeDef& type) noexcept {
    if (sprite.is(kFirstTick)) {
        sprite.put(kFirstTick, false);
        return;
    }
    if (sprite.speed == 0.0) return;
    try_move(sprite, type, sprite.orientation, to_int(sprite.speed));
    const int body = lay(ref.type).body;
    const double gravity = body != 0 ? part<Body>(sprite, body).gravity : type.gravity;
    if (gravity > 0.0 && type.mass > 0.0 && !sprite.is(kOnGround)) {
        active_in_space(sprite, type, {0.0, gravity * type.mass}, 0.0);
    }
    sprite.speed = bounded(sprite.speed * (1.0 - type.friction));
}

template <class Draws>
Moved Engine<Draws>::active_in_space(Sprite& sprite, const TypeDef& type, Vec direction,
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
    below.y = add(below.y, kGroundBelow);
    const Rect& before = last(a);
    const bool grounded = overlap(below, sp(b).rect) && last(b).y > before.y + sprite.rect.h / 2 &&
                          sprite.rect.y > before.y;
    sprite.put(kOnGround, grounded);
}

#define INSTANTIATE(Draws)                                                                        \
    template void Engine<Draws>::passive_in_space(Ref, Sprite&, const TypeDef&) noexcept;         \
    template Moved Engine<Draws>::active_in_space(Sprite&, const TypeDef&, Vec, double) noexcept; \
    template Rect Engine<Draws>::pixel_perfect(Ref, Ref) const noexcept;                          \
    template void Engine<Draws>::test_ground(Ref, Ref) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

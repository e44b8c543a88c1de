// How sprites move, and how they meet.
#include "physics.hpp"

namespace ludex::vgdl {

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

#define INSTANTIATE(Draws)                                               \
    template Rect Engine<Draws>::pixel_perfect(Ref, Ref) const noexcept; \
    template void Engine<Draws>::test_ground(Ref, Ref) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

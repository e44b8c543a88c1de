// How sprites stop at what they met and bounce off it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {

// The gravity that acts on a sprite: its own, or that of its type.
template <class Draws>
inline double Engine<Draws>::gravity_of(Ref ref) const noexcept {
    const int body = lay(ref.type).body;
    return body != 0 ? part<Body>(sp(ref), body).gravity : def(ref.type).gravity;
}

// Go on along what is left of the direction, at the speed that is left of it.
template <class Draws>
inline void Engine<Draws>::slow_down(Ref ref, Vec way) noexcept {
    Sprite& sprite = sp(ref);
    sprite.orientation = way.normalised();
    sprite.speed = std::max(bounded(way.length() * sprite.speed), gravity_of(ref));
}

template <class Draws>
void Engine<Draws>::wall_stop(EffectCall& call) {
    const Rect rect = pixel_perfect(call.a, call.b);
    Sprite& sprite = sp(call.a);
    sprite.rect = rect;
    const Rect& other = sp(call.b).rect;
    const double dx = std::abs(rect.centre_x() - other.centre_x());
    const double dy = std::abs(rect.centre_y() - other.centre_y());
    const Vec way = dx > dy ? Vec{0.0, sprite.orientation.y} : Vec{sprite.orientation.x, 0.0};
    slow_down(call.a, way);
}

template <class Draws>
void Engine<Draws>::wall_bounce(EffectCall& call) {
    const std::array<Ref, 1> only{call.b};
    bounce_off(call.a, only, false);
}

template <class Draws>
void Engine<Draws>::wall_reverse(EffectCall& call) {
    const std::array<Ref, 1> only{call.b};
    bounce_off(call.a, only, true);
}

// The wall that a sprite bounces off: two in line are one wall, of others the nearest counts.
template <class Draws>
typename Engine<Draws>::Wall Engine<Draws>::find_wall(Ref a,
                                                      std::span<const Ref> candidates) const {
    Rect wall = sp(candidates[0]).rect;
    if (candidates.size() == 1) return {wall, 1};
    if (candidates.size() == 2) {
        const Rect other = sp(candidates[1]).rect;
        if (wall.centre_x() == other.centre_x()) {
            wall.y = std::min(wall.y, other.y);
            wall.x = wall.y == other.y ? other.x : wall.x;
            wall.h *= 2;
            return {wall, 2};
        }
        if (wall.centre_y() == other.centre_y()) {
            wall.x = std::min(wall.x, other.x);
            wall.y = wall.x == other.x ? other.y : wall.y;
            wall.w *= 2;
            return {wall, 2};
        }
    }
    const Rect& before = last(a);
    double least = -1.0;
    for (const Ref b : candidates) {
        const Rect& rect = last(b);
        const double far =
            Vec{rect.centre_x() - before.centre_x(), rect.centre_y() - before.centre_y()}.length();
        if (least >= 0.0 && far >= least) continue;
        least = far;
        wall = sp(b).rect;
    }
    return {wall, 1};
}

// The side of a wall that a sprite hit: the one it overlaps fully, else the one it came to first.
template <class Draws>
typename Engine<Draws>::Side Engine<Draws>::side_hit(const Sprite& sprite, const Rect& before,
                                                     const Rect& wall) noexcept {
    const Rect& rect = sprite.rect;
    const std::int32_t overlap_w =
        std::min(rect.x + rect.w, wall.x + wall.w) - std::max(rect.x, wall.x);
    const std::int32_t overlap_h =
        std::min(rect.y + rect.h, wall.y + wall.h) - std::max(rect.y, wall.y);
    const Side side{rect.h == overlap_h, rect.w == overlap_w};
    if (side.horizontal || side.vertical) return side;
    const Vec v{sprite.orientation.x * sprite.speed, sprite.orientation.y * sprite.speed};
    const auto apart = [](double speed, std::int32_t from, std::int32_t size,
                          std::int32_t wall_from, std::int32_t wall_size) {
        if (speed == 0.0) return std::abs(double(from) - wall_from);
        if (speed > 0.0) return std::abs((double(from) + size) - wall_from);
        return std::abs((double(wall_from) + wall_size) - from);
    };
    const double tx = std::abs(apart(v.x, before.x, rect.w, wall.x, wall.w) / v.x);
    const double ty = std::abs(apart(v.y, before.y, rect.h, wall.y, wall.h) / v.y);
    return {tx < ty, ty < tx};
}

template <class Draws>
int Engine<Draws>::bounce_off(Ref a, std::span<const Ref> candidates, bool reverse) {
    Sprite& sprite = sp(a);
    const Rect before = last(a);
    const auto [wall, times] = find_wall(a, candidates);
    const auto [horizontal, vertical] = side_hit(sprite, before, wall);
    Vec& way = sprite.orientation;
    if (reverse) {
        slow_down(a, {vertical ? way.x : -way.x, 0.0});
    } else if (vertical) {
        way.y = -way.y;
    } else if (horizontal) {
        way.x = -way.x;
    } else {
        way = {-way.x, -way.y};
    }
    sprite.rect = before;
    for (const Ref b : candidates) {
        if (!lay(b.type).is_settled) sp(b).rect = last(b);
    }
    return times;
}

template <class Draws>
void Engine<Draws>::bounce_direction(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    const Rect& before = last(call.a);
    const Rect& rect = sprite.rect;
    const Rect& other = sp(call.b).rect;
    const Vec v{sprite.orientation.x * sprite.speed, sprite.orientation.y * sprite.speed};
    const auto apart = [](double from, double size, double wall, double wall_size) {
        return std::min(std::abs(from - (wall + wall_size)), std::abs((from + size) - wall));
    };
    const double tx = std::abs(apart(before.x, rect.w, other.x, other.w) / v.x);
    const double ty = std::abs(apart(before.y, rect.h, other.y, other.h) / v.y);
    const bool vertical = ty < tx;
    double pad = 0.0, off = 0.0, side = 1.0;
    if (vertical) {
        pad = other.w;
        off = rect.centre_x() - other.centre_x();
        side = rect.centre_y() < other.centre_y() ? 1.0 : -1.0;
    } else if (tx < ty) {
        pad = other.h;
        off = other.centre_y() - rect.centre_y();
        side = rect.centre_x() > other.centre_x() ? 1.0 : -1.0;
    } else {
        sprite.orientation.x = -sprite.orientation.x;
        return;
    }
    const double hit = std::clamp(off / (pad / 2.0), -1.0, 1.0);
    const double angle = hit * (call.rule.maxBounceAngleDeg * std::numbers::pi / 180.0);
    const Vec way = vertical ? Vec{std::sin(angle), -std::cos(angle) * side}
                             : Vec{std::cos(angle) * side, -std::sin(angle)};
    sprite.orientation = way.normalised();
}

#define INSTANTIATE(Draws)                                      \
    template void Engine<Draws>::wall_stop(EffectCall&);        \
    template void Engine<Draws>::wall_bounce(EffectCall&);      \
    template void Engine<Draws>::wall_reverse(EffectCall&);     \
    template void Engine<Draws>::bounce_direction(EffectCall&); \
    template int Engine<Draws>::bounce_off(Ref, std::span<const Ref>, bool);
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

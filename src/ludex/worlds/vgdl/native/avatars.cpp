// What players can do with their avatars, class by class.
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {
namespace {

// By action.
constexpr int kWanted[kActions] = {kNoWay, kUpWay, kLeftWay, kDownWay, kRightWay, kNoWay};

// What a wizard remembers of the way it faces.
constexpr std::uint8_t kFacesLeft = 1 + kLeftWay, kFacesRight = 1 + kRightWay;

Vec unit(double angle) noexcept { return {std::cos(angle), std::sin(angle)}; }

Vec rotated(Vec v, double angle) noexcept {
    const double c = std::cos(angle), s = std::sin(angle);
    return {v.x * c - v.y * s, v.x * s + v.y * c};
}

// Whether avatars of a class begin by going where the player wants.
constexpr bool moves_at_once(Class cls) noexcept {
    switch (cls) {
        case Class::MovingAvatar:
        case Class::HorizontalAvatar:
        case Class::VerticalAvatar:
        case Class::NullAvatar:
        case Class::FlakAvatar:
        case Class::OrientedAvatar:
        case Class::ShootAvatar:
        case Class::AimedAvatar:
        case Class::BirdAvatar:
            return true;
        default:
            return false;
    }
}

// Whether those then face the way they went.
constexpr bool faces_its_way(Class cls) noexcept {
    return cls == Class::OrientedAvatar || cls == Class::ShootAvatar || cls == Class::AimedAvatar ||
           cls == Class::BirdAvatar;
}

}  // namespace

template <class Draws>
void Engine<Draws>::update_avatar(Ref ref, Sprite& sprite, int action) {
    const TypeDef& type = def(ref.type);
    const int wanted = kWanted[action];
    const bool use = action == kUseAction;
    Moved moved = Moved::still;
    if (moves_at_once(*type.cls)) {
        if (is_cont(ref.type)) passive(ref, sprite, type);
        moved = step(sprite, type, wanted);
        if (moved == Moved::moved && faces_its_way(*type.cls) && !is_cont(ref.type))
            sprite.orientation = way_gone(ref);
    }
    switch (*type.cls) {
        case Class::FlakAvatar:
            if (use && moved == Moved::still) shoot_flak(ref);
            break;
        case Class::ShootAvatar:
            if (use && moved == Moved::still) shoot_forward(ref);
            break;
        case Class::ShootOnlyAvatar:
            update_shoot_only(ref, action);
            break;
        case Class::OngoingAvatar:
            update_ongoing(ref, sprite, kWays[wanted]);
            break;
        case Class::OngoingShootAvatar:
            update_ongoing(ref, sprite, kWays[wanted]);
            if (use) shoot_forward(ref);
            break;
        case Class::OngoingTurningAvatar:
            update_ongoing_turning(ref, sprite, kWays[wanted]);
            break;
        case Class::MissileAvatar:
            passive(ref);
            break;
        case Class::AimedAvatar:
            if (use && moved == Moved::still) shoot_forward(ref);
            if (use) shoot_forward(ref);
            aim(ref, action);
            break;
        case Class::BirdAvatar:
            update_bird(ref, sprite, use);
            break;
        case Class::LanderAvatar:
            update_lander(ref, sprite, action);
            break;
        case Class::SpaceshipAvatar:
            update_spaceship(ref, sprite, action);
            break;
        case Class::CarAvatar:
            update_car(ref, sprite, action);
            break;
        case Class::PlatformerAvatar:
            update_platformer(ref, kWays[wanted], use);
            break;
        case Class::WizardAvatar:
            update_platformer(ref, kWays[wanted], use);
            make_blocks(ref, sprite, action);
            break;
        default:
            break;
    }
}

template <class Draws>
inline Body& Engine<Draws>::body_of(Ref ref) const noexcept {
    return part<Body>(sp(ref), lay(ref.type).body);
}

template <class Draws>
void Engine<Draws>::update_shoot_only(Ref ref, int action) {
    if (is_cont(ref.type)) passive(ref);
    constexpr int kWeapon[kActions] = {-1, 1, 0, 3, 2, 4};  // LEFT UP RIGHT DOWN USE
    const int weapon = kWeapon[action];
    const int weapons = static_cast<int>(def(ref.type).stype.size());
    if (weapon >= 0 && weapon < weapons && has_ammo(ref, weapon)) {
        fire(ref, weapon, sp(ref).orientation.normalised());
    }
}

template <class Draws>
void Engine<Draws>::update_ongoing(Ref ref, Sprite& sprite, Vec direction) {
    if (!(direction == kNone) && sprite.is(kOriented)) sprite.orientation = direction;
    passive(ref);
}

template <class Draws>
void Engine<Draws>::update_ongoing_turning(Ref ref, Sprite& sprite, Vec direction) {
    const Vec facing = sprite.orientation;
    const bool orthogonal = facing.x * direction.x + facing.y * direction.y == 0.0;
    update_ongoing(ref, sprite, orthogonal ? direction : kNone);
    const Rect before = last(ref);
    if (!overlap(sp(ref).rect, before)) {
        const Numbers& trail = def(ref.type).spawnBehind;
        create(trail.empty() ? 0 : trail[0], before.x, before.y);
    }
}

// Push a sprite along its rotation, or away from it.
template <class Draws>
void Engine<Draws>::thrust(Ref ref, bool away) noexcept {
    // Not the negated direction: the reference adds pi to the angle, and the last digits differ.
    const double rotation = body_of(ref).rotation;
    active(ref, unit(away ? rotation + std::numbers::pi : rotation), sp(ref).speed);
}

template <class Draws>
void Engine<Draws>::aim(Ref ref, int action) {
    Vec& way = sp(ref).orientation;
    const double angle_diff = def(ref.type).angle_diff;
    if (action == kUpAction) way = rotated(way, -angle_diff);
    if (action == kDownAction) way = rotated(way, angle_diff);
    body_of(ref).rotation = angle_of(way);
    if (action == kUpAction || action == kDownAction) thrust(ref, action == kDownAction);
}

template <class Draws>
void Engine<Draws>::update_bird(Ref ref, Sprite& sprite, bool use) {
    const TypeDef& type = def(ref.type);
    const bool slow = std::abs(sprite.orientation.x) < 0.5;
    if (use) {
        sprite.orientation.y = 0.0;
        active(sprite, type, {0.0, -type.jump_strength}, sprite.speed);
    }
    active(sprite, type, slow ? kRight : kNone, sprite.speed);
    body_of(ref).rotation = angle_of(sprite.orientation);
}

template <class Draws>
void Engine<Draws>::turn(Ref ref, int action) noexcept {
    if (action == kLeftAction) body_of(ref).rotation -= def(ref.type).angle_diff;
    if (action == kRightAction) body_of(ref).rotation += def(ref.type).angle_diff;
}

template <class Draws>
void Engine<Draws>::update_lander(Ref ref, Sprite& sprite, int action) {
    passive(ref, sprite, def(ref.type));
    turn(ref, action);
    if (action == kUpAction) thrust(ref, false);
}

// A lander that shoots, twice as the reference does, and brakes.
template <class Draws>
void Engine<Draws>::update_spaceship(Ref ref, Sprite& sprite, int action) {
    update_lander(ref, sprite, action);
    if (action == kDownAction) thrust(ref, true);
    if (action != kUseAction) return;
    const Vec way = unit(body_of(ref).rotation);
    for (int i = 0; i < 2; ++i) shoot(ref, way);
}

template <class Draws>
void Engine<Draws>::update_car(Ref ref, Sprite& sprite, int action) {
    const TypeDef& type = def(ref.type);
    passive(ref, sprite, type);
    turn(ref, action);
    if (action == kUpAction) sprite.previous = 0;
    if (action == kDownAction) sprite.previous = 1;
    const double rotation = body_of(ref).rotation + sprite.previous * std::numbers::pi;
    active(sprite, type, unit(rotation), 5.0);
}

template <class Draws>
void Engine<Draws>::make_blocks(Ref ref, Sprite& sprite, int action) {
    if (action == kLeftAction) sprite.previous = kFacesLeft;
    if (action == kRightAction) sprite.previous = kFacesRight;
    constexpr int kPause = 5;
    if (action != kUpAction || current_tick() - sprite.count < kPause) return;
    active(ref, kDown, -1.0);
    const Vec facing = sprite.previous == kFacesLeft ? kLeft : kRight;
    const Rect at = sprite.rect;
    for (const int product : def(ref.type).stype) {
        create(product, to_int(at.x + facing.x * at.w * 1.2), to_int(at.y + facing.y * at.h));
    }
    sp(ref).count = current_tick();
}

// The angle of a direction. Many avatars keep theirs for a while, so the last one is remembered.
template <class Draws>
double Engine<Draws>::angle_of(const Vec& way) noexcept {
    Workspace::Angle& known = work_.angle;
    if (std::memcmp(&known.way, &way, sizeof way) != 0) {
        known = {way, std::atan2(way.y, way.x)};
    }
    return known.angle;
}

template <class Draws>
void Engine<Draws>::shoot_flak(Ref ref) {
    const TypeDef& type = def(ref.type);
    const int ammo = type.ammo.empty() ? kNoType : type.ammo[0];
    if (ammo != kNoType) {
        if (!holds(ref, ammo)) return;
        const int enough = type.minAmmo > -1 ? type.minAmmo : 0;
        if (amount(ref, ammo) <= enough) return;
    }
    const Rect at = sp(ref).rect;
    const Ref made = create(type.product(), at.x, at.y);
    if (!made) return;
    if (ammo != kNoType)
        set_amount(ref, ammo, add(amount(ref, ammo), -std::int64_t{type.ammoCost}));
    sp(made).put(kFromAvatar, true);
}

template <class Draws>
bool Engine<Draws>::has_ammo(Ref ref, int weapon) const noexcept {
    const Numbers& ammo = def(ref.type).ammo;
    if (weapon >= static_cast<int>(ammo.size())) return true;
    const int resource = ammo[static_cast<std::size_t>(weapon)];
    return holds(ref, resource) && amount(ref, resource) > 0;
}

// Fire the first weapon that has ammunition.
template <class Draws>
void Engine<Draws>::shoot(Ref ref, Vec direction) {
    const int weapons = static_cast<int>(def(ref.type).stype.size());
    for (int weapon = 0; weapon < weapons; ++weapon) {
        if (!has_ammo(ref, weapon)) continue;
        fire(ref, weapon, direction);
        return;
    }
}

template <class Draws>
void Engine<Draws>::shoot_forward(Ref ref) {
    shoot(ref, sp(ref).orientation.normalised());
}

template <class Draws>
void Engine<Draws>::fire(Ref ref, int weapon, Vec direction) {
    const TypeDef& type = def(ref.type);
    const Rect at = sp(ref).rect;
    const Rect before = last(ref);
    const Ref made =
        create(type.stype[static_cast<std::size_t>(weapon)], to_int(at.x + direction.x * before.w),
               to_int(at.y + direction.y * before.h));
    if (!made) return;
    Sprite& child = sp(made);
    if (child.is(kOriented)) child.orientation = direction;
    child.put(kFromAvatar, true);
    if (weapon < static_cast<int>(type.ammo.size())) {
        const int resource = type.ammo[static_cast<std::size_t>(weapon)];
        if (holds(ref, resource)) set_amount(ref, resource, add(amount(ref, resource), -1));
    }
}

// Straight up, and off the ground at once.
template <class Draws>
void Engine<Draws>::jump(Ref ref) {
    const TypeDef& type = def(ref.type);
    Sprite& sprite = sp(ref);
    sprite.orientation.y = 0.0;
    active(ref, {0.0, -type.jump_strength}, sprite.speed);
    sprite.lastmove = type.cooldown;
    constexpr int kHop = 5;
    try_move(sprite, type.cooldown, kUp, kHop);
}

template <class Draws>
void Engine<Draws>::update_platformer(Ref ref, Vec direction, bool use) {
    const TypeDef& type = def(ref.type);
    Sprite& sprite = sp(ref);
    if (is_cont(ref.type)) passive(ref);
    if (!direction.is_zero()) {
        const bool grounded = sprite.is(kOnGround);
        const double factor =
            grounded ? type.ground_speedup_factor : 1.0 / type.air_slowdown_factor;
        const double x = grounded ? direction.x * factor : direction.x / type.air_slowdown_factor;
        active(ref, {x, direction.y}, sprite.speed);
    }
    if (use && sprite.is(kOnGround)) jump(ref);
    sprite.put(kOnGround, false);
}

#define INSTANTIATE(Draws)                                         \
    template void Engine<Draws>::update_avatar(Ref, Sprite&, int); \
    template void Engine<Draws>::jump(Ref);
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

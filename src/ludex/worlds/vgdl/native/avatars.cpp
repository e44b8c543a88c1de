// What players can do with their avatars, class by class.
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {
namespace {

Vec direction_of(int action) noexcept {
    switch (action) {
        case kUpAction:
            return kUp;
        case kLeftAction:
            return kLeft;
        case kDownAction:
            return kDown;
        case kRightAction:
            return kRight;
        default:
            return kNone;
    }
}

Vec unit(double angle) noexcept { return {std::cos(angle), std::sin(angle)}; }

Vec rotated(Vec v, double angle) noexcept {
    const double c = std::cos(angle), s = std::sin(angle);
    return {v.x * c - v.y * s, v.x * s + v.y * c};
}

}  // namespace

template <class Draws>
void Engine<Draws>::update_avatar(Ref ref, int action) {
    const TypeDef& type = def(ref.type);
    const TypeLayout& layout = lay(ref.type);
    const Vec direction = direction_of(action);
    const bool use = action == kUseAction;
    switch (*type.cls) {
        case Class::NullAvatar:
            move_avatar(ref, kNone);
            break;
        case Class::FlakAvatar:
            if (move_avatar(ref, direction) == Moved::still && use) shoot_flak(ref);
            break;
        case Class::OrientedAvatar:
            move_oriented(ref, direction);
            break;
        case Class::ShootAvatar:
            if (move_oriented(ref, direction) == Moved::still && use) shoot_forward(ref);
            break;
        case Class::ShootOnlyAvatar: {
            if (is_cont(ref.type)) passive(ref);
            constexpr int kWeapon[kActions] = {-1, 1, 0, 3, 2, 4};  // LEFT UP RIGHT DOWN USE
            const int weapon = kWeapon[action];
            if (weapon >= 0 && weapon < static_cast<int>(type.stype.size()) &&
                has_ammo(ref, weapon)) {
                fire(ref, weapon, sp(ref).orientation.normalised());
            }
            break;
        }
        case Class::OngoingAvatar:
        case Class::OngoingShootAvatar:
            if (!(direction == kNone) && sp(ref).is(kOriented)) sp(ref).orientation = direction;
            passive(ref);
            if (*type.cls == Class::OngoingShootAvatar && use) shoot_forward(ref);
            break;
        case Class::OngoingTurningAvatar: {
            Sprite& sprite = sp(ref);
            const Vec facing = sprite.orientation;
            const bool orthogonal = facing.x * direction.x + facing.y * direction.y == 0.0;
            if (!(direction == kNone) && orthogonal && sprite.is(kOriented))
                sprite.orientation = direction;
            passive(ref);
            const Rect before = last(ref);
            if (!overlap(sp(ref).rect, before)) {
                create(type.spawnBehind.empty() ? 0 : type.spawnBehind[0], before.x, before.y);
            }
            break;
        }
        case Class::MissileAvatar:
            passive(ref);
            break;
        case Class::AimedAvatar: {
            if (move_oriented(ref, direction) == Moved::still && use) shoot_forward(ref);
            if (use) shoot_forward(ref);
            Sprite& sprite = sp(ref);
            Body& body = part<Body>(sprite, layout.body);
            if (action == kUpAction)
                sprite.orientation = rotated(sprite.orientation, -type.angle_diff);
            if (action == kDownAction)
                sprite.orientation = rotated(sprite.orientation, type.angle_diff);
            body.rotation = std::atan2(sprite.orientation.y, sprite.orientation.x);
            const Vec way = unit(body.rotation);
            if (action == kUpAction) active(ref, way, sprite.speed);
            if (action == kDownAction) active(ref, {-way.x, -way.y}, sprite.speed);
            break;
        }
        case Class::BirdAvatar: {
            move_oriented(ref, direction);
            Sprite& sprite = sp(ref);
            const bool slow = std::abs(sprite.orientation.x) < 0.5;
            if (use) {
                sprite.orientation.y = 0.0;
                active(ref, {0.0, -type.jump_strength}, sprite.speed);
            }
            active(ref, slow ? kRight : kNone, sprite.speed);
            part<Body>(sprite, layout.body).rotation =
                std::atan2(sprite.orientation.y, sprite.orientation.x);
            break;
        }
        case Class::LanderAvatar:
        case Class::SpaceshipAvatar: {
            passive(ref);
            const bool is_ship = *type.cls == Class::SpaceshipAvatar;
            const bool looks = action == kUpAction || (is_ship && (use || action == kDownAction));
            const Vec way = looks ? unit(part<Body>(sp(ref), layout.body).rotation) : kNone;
            if (is_ship && use) {
                for (int i = 0; i < 2; ++i) {
                    for (int weapon = 0; weapon < static_cast<int>(type.stype.size()); ++weapon) {
                        if (!has_ammo(ref, weapon)) continue;
                        fire(ref, weapon, way);
                        break;
                    }
                }
            }
            Sprite& sprite = sp(ref);
            Body& body = part<Body>(sprite, layout.body);
            if (action == kLeftAction) body.rotation -= type.angle_diff;
            if (action == kRightAction) body.rotation += type.angle_diff;
            if (action == kUpAction) active(ref, way, sprite.speed);
            if (action == kDownAction && is_ship) {
                active(ref, {-way.x, -way.y}, sprite.speed);
            }
            break;
        }
        case Class::CarAvatar: {
            passive(ref);
            Sprite& sprite = sp(ref);
            Body& body = part<Body>(sprite, layout.body);
            if (action == kLeftAction) body.rotation -= type.angle_diff;
            if (action == kRightAction) body.rotation += type.angle_diff;
            if (action == kUpAction) sprite.previous = 0;
            if (action == kDownAction) sprite.previous = 1;
            active(ref, unit(body.rotation + sprite.previous * std::numbers::pi), 5.0);
            break;
        }
        case Class::PlatformerAvatar:
            update_platformer(ref, direction, use);
            break;
        case Class::WizardAvatar: {
            update_platformer(ref, direction, use);
            Sprite& sprite = sp(ref);
            if (action == kLeftAction) sprite.previous = 2;
            if (action == kRightAction) sprite.previous = 4;
            constexpr int kPause = 5;
            if (action == kUpAction && current_tick() - sprite.count >= kPause) {
                active(ref, kDown, -1.0);
                const Vec facing = sprite.previous == 2 ? kLeft : kRight;
                const Rect at = sprite.rect;
                for (const int product : type.stype) {
                    create(product, to_int(at.x + facing.x * at.w * 1.2),
                           to_int(at.y + facing.y * at.h));
                }
                sp(ref).count = current_tick();
            }
            break;
        }
        default:
            move_avatar(ref, direction);
    }
}

template <class Draws>
Moved Engine<Draws>::move_avatar(Ref ref, Vec direction) {
    if (is_cont(ref.type)) passive(ref);
    return active(ref, direction, sp(ref).speed);
}

template <class Draws>
Moved Engine<Draws>::move_oriented(Ref ref, Vec direction) {
    const Moved moved = move_avatar(ref, direction);
    if (moved == Moved::moved && !is_cont(ref.type)) {
        sp(ref).orientation = displacement(ref).normalised();
    }
    return moved;
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

template <class Draws>
void Engine<Draws>::shoot_forward(Ref ref) {
    const TypeDef& type = def(ref.type);
    for (int weapon = 0; weapon < static_cast<int>(type.stype.size()); ++weapon) {
        if (!has_ammo(ref, weapon)) continue;
        fire(ref, weapon, sp(ref).orientation.normalised());
        return;
    }
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
    try_move(sprite, type, kUp, kHop);
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

#define INSTANTIATE(Draws)                                \
    template void Engine<Draws>::update_avatar(Ref, int); \
    template void Engine<Draws>::jump(Ref);
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

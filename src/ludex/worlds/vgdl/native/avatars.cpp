// What players can do with their avatars, class by class.
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {
namespace {

// By action.
constexpr int kWanted[kActions] = {kNoWay, 0, 1, 2, 3, kNoWay};

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
    const TypeLayout& layout = lay(ref.type);
    const int wanted = kWanted[action];
    const Vec& direction = kWays[wanted];
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
            if (!(direction == kNone) && sprite.is(kOriented)) sprite.orientation = direction;
            passive(ref);
            if (*type.cls == Class::OngoingShootAvatar && use) shoot_forward(ref);
            break;
        case Class::OngoingTurningAvatar: {
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
            if (use && moved == Moved::still) shoot_forward(ref);
            if (use) shoot_forward(ref);
            Sprite& shooter = sp(ref);
            Body& body = part<Body>(shooter, layout.body);
            if (action == kUpAction)
                shooter.orientation = rotated(shooter.orientation, -type.angle_diff);
            if (action == kDownAction)
                shooter.orientation = rotated(shooter.orientation, type.angle_diff);
            body.rotation = angle_of(shooter.orientation);
            if (action != kUpAction && action != kDownAction) break;
            const Vec way = unit(body.rotation);
            active(ref, action == kUpAction ? way : Vec{-way.x, -way.y}, shooter.speed);
            break;
        }
        case Class::BirdAvatar: {
            const bool slow = std::abs(sprite.orientation.x) < 0.5;
            if (use) {
                sprite.orientation.y = 0.0;
                active(sprite, type, {0.0, -type.jump_strength}, sprite.speed);
            }
            active(sprite, type, slow ? kRight : kNone, sprite.speed);
            part<Body>(sprite, layout.body).rotation = angle_of(sprite.orientation);
            break;
        }
        case Class::LanderAvatar:
        case Class::SpaceshipAvatar: {
            passive(ref, sprite, type);
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
            Sprite& ship = sp(ref);
            Body& body = part<Body>(ship, layout.body);
            if (action == kLeftAction) body.rotation -= type.angle_diff;
            if (action == kRightAction) body.rotation += type.angle_diff;
            if (action == kUpAction) active(ship, type, way, ship.speed);
            if (action == kDownAction && is_ship) {
                active(ship, type, {-way.x, -way.y}, ship.speed);
            }
            break;
        }
        case Class::CarAvatar: {
            passive(ref, sprite, type);
            Body& body = part<Body>(sprite, layout.body);
            if (action == kLeftAction) body.rotation -= type.angle_diff;
            if (action == kRightAction) body.rotation += type.angle_diff;
            if (action == kUpAction) sprite.previous = 0;
            if (action == kDownAction) sprite.previous = 1;
            active(sprite, type, unit(body.rotation + sprite.previous * std::numbers::pi), 5.0);
            break;
        }
        case Class::PlatformerAvatar:
            update_platformer(ref, direction, use);
            break;
        case Class::WizardAvatar: {
            update_platformer(ref, direction, use);
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
            break;
    }
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

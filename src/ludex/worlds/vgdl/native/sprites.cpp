// What sprites do by themselves, class by class.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "physics.hpp"

namespace ludex::vgdl {

// Let n sprites of a type act that create nothing, and note where they were before.
template <class Draws>
template <class Act>
inline void Engine<Draws>::for_active(int type, int n, const Act& act) {
    const int section = lay(type).section;
    const Records sprites = records(section);
    Rect* const before = room_for_last(section, n).data();
    for (int i = 0; i < n; ++i) {
        Sprite& sprite = sprites[i];
        before[i] = sprite.rect;
        if (sprite.is(kDisabled)) continue;
        ++sprite.lastmove;
        act(Ref{type, i}, sprite);
        if (is_spent()) return;
    }
}

// The same for sprites that may create others, also of their own type.
template <class Draws>
template <class Act>
inline void Engine<Draws>::for_creating(int type, int n, const Act& act) {
    const int section = lay(type).section;
    std::vector<Rect>& before = room_for_last(section, n);  // it may grow, too
    for (int i = 0; i < n; ++i) {
        Sprite& sprite = records(section)[i];
        before[slot(i)] = sprite.rect;
        if (sprite.is(kDisabled)) continue;
        ++sprite.lastmove;
        act(Ref{type, i}, sprite);
        if (is_spent()) return;
        if (sections_[section].count != n && game_.has(kSelfSpawnAborts)) {
            end(kAborted);
            return;
        }
    }
}

template <class Draws>
void Engine<Draws>::update(int number, int n) {
    const TypeDef& type = def(number);
    const TypeLayout& layout = lay(number);
    switch (*type.cls) {
        case Class::Flicker:
        case Class::OrientedFlicker:
        case Class::Spreader:
            for_creating(number, n, [&](Ref ref, Sprite& sprite) { age(ref, sprite, type); });
            break;
        case Class::RandomMissile:
            for_active(number, n, [&](Ref ref, Sprite& sprite) {
                if (sprite.orientation == kNil) sprite.orientation = random_direction();
                passive(ref, sprite, type);
            });
            break;
        case Class::RandomBomber:
        case Class::BomberRandomMissile:
        case Class::SpawnPoint:
        case Class::Bomber:
        case Class::SpawnPointMultiSprite:
            for_creating(number, n, [&](Ref ref, Sprite& sprite) {
                if (*type.cls == Class::RandomBomber) step(sprite, type, random_way());
                if (*type.cls == Class::BomberRandomMissile) choose_product(sprite, type, layout);
                update_spawner(ref, sprite, type);
            });
            break;
        case Class::RandomNPC:
        case Class::RandomInertial:
            for_active(number, n, [&](Ref ref, Sprite& sprite) {
                passive(ref, sprite, type);
                if (need_not_choose(sprite, type)) return;
                step(sprite, type, random_move(sprite, type));
            });
            break;
        case Class::Chaser:
        case Class::Fleeing:
        case Class::LOSChaser:
            update_chasers(number, n);
            break;
        case Class::RandomAltChaser:
        case Class::RandomPathAltChaser:
            for_active(number, n, [&](Ref ref, Sprite& sprite) {
                if (dice_.real() < type.epsilon) {
                    passive(ref, sprite, type);
                    step(sprite, type, random_way());
                } else if (*type.cls == Class::RandomAltChaser) {
                    chase_alternating(ref);
                } else {
                    follow_path_alternating(ref);
                }
            });
            break;
        case Class::AlternateChaser:
            for_active(number, n, [&](Ref ref, Sprite&) { chase_alternating(ref); });
            break;
        case Class::PathChaser:
            for_active(number, n, [&](Ref ref, Sprite&) { follow_path(ref); });
            break;
        case Class::PathAltChaser:
            for_active(number, n, [&](Ref ref, Sprite&) { follow_path_alternating(ref); });
            break;
        case Class::Walker:
            for_active(number, n, [&](Ref ref, Sprite&) { walk(ref); });
            break;
        case Class::WalkerJumper:
            for_active(number, n, [&](Ref ref, Sprite&) { walk_and_jump(ref); });
            break;
        default:
            update_plain(number, n);
    }
}

template <class Draws>
inline void Engine<Draws>::update_chasers(int number, int n) {
    const TypeDef& type = def(number);
    const bool is_plain = *type.cls != Class::LOSChaser && type.physicstype == 0 &&
                          type.maxDistance == -1.0 && game_.has(kDisabledActs);
    for_active(number, n, [&](Ref ref, Sprite& sprite) {
        passive(ref, sprite, type);
        if (need_not_choose(sprite, type)) return;
        int way = kNoWay;
        if (is_plain) {
            way = chase_on_grid(sprite, type);
        } else {
            nearest(ref, type.product(), false);
            way = towards(ref, type.fleeing, type.maxDistance, true);
        }
        step(sprite, type, way);
    });
}

// Sprites that do nothing but go on by themselves.
template <class Draws>
inline void Engine<Draws>::update_plain(int number, int n) {
    const TypeDef& type = def(number);
    if (lay(number).life != 0) {
        for_active(number, n, [&](Ref ref, Sprite& sprite) { default_update(ref, sprite, type); });
    } else if (type.is_static || type.only_active) {
        for_active(number, n, [](Ref, Sprite&) {});
    } else if (type.physicstype == 0) {
        const int cooldown = type.cooldown;
        for_active(number, n, [&](Ref, Sprite& sprite) { go_on(sprite, cooldown); });
    } else {
        for_active(number, n,
                   [&](Ref ref, Sprite& sprite) { passive_in_space(ref, sprite, type); });
    }
}

// Flickers and spreaders live for a number of ticks.
template <class Draws>
inline void Engine<Draws>::age(Ref ref, Sprite& sprite, const TypeDef& type) {
    default_update(ref, sprite, type);
    if (sprite.count > type.limit) kill(ref);
    ++sprite.count;
    if (*type.cls == Class::Spreader && sprite.count == 2) spread(ref);
}

template <class Draws>
inline void Engine<Draws>::default_update(Ref ref, Sprite& sprite, const TypeDef& type) {
    passive(ref, sprite, type);
    const int life = lay(ref.type).life;
    if (life == 0) return;
    auto& left = part<std::int32_t>(sprite, life);
    if (left > 0) {
        --left;
    } else if (left == 0) {
        kill(ref);
    }
}

template <class Draws>
void Engine<Draws>::spread(Ref ref) {
    const TypeDef& type = def(ref.type);
    const int product = type.product() == kNoType ? ref.type : type.product();
    for (const Vec& direction : kBase) {
        if (!happens(type.spreadprob)) continue;
        const Rect from = last(ref);
        create(product, add(from.x, to_int(direction.x * from.w)),
               add(from.y, to_int(direction.y * from.h)));
    }
}

template <class Draws>
void Engine<Draws>::spawn_one(Ref ref, int product) {
    const Rect at = sp(ref).rect;
    const Ref made = create(product, at.x, at.y);
    if (!made) return;
    Sprite& sprite = sp(ref);
    ++sprite.count;
    Sprite& child = sp(made);
    const Vec given = def(ref.type).spawnorientation;
    if (!(given == kNone)) {
        child.orientation = given;
    } else if (child.orientation == kNone) {
        child.orientation = sprite.orientation;
    }
}

template <class Draws>
void Engine<Draws>::choose_product(Sprite& sprite, const TypeDef& type,
                                   const TypeLayout& layout) noexcept {
    const auto choices = static_cast<std::int32_t>(type.stypeMissile.size());
    if (choices == 0) return;
    const auto* const products = &part<std::int32_t>(sprite, layout.products);
    part<Spawner>(sprite, layout.spawner).product = products[dice_.below(choices)];
}

template <class Draws>
inline void Engine<Draws>::update_spawner(Ref ref, Sprite& before, const TypeDef& type) {
    Sprite* sprite = &before;
    Spawner& spawner = part<Spawner>(before, lay(ref.type).spawner);
    if (!before.is(kStarted)) {
        spawner.start = current_tick();
        before.put(kStarted, true);
    }
    const auto is_time = [&] {
        return type.cooldown == 1 || (spawner.start + current_tick()) % type.cooldown == 0;
    };
    bool fires = false;
    if constexpr (Draws::kEveryDraw) {
        const double draw = dice_.single();
        fires = draw < type.prob && is_time();
    } else {
        fires = is_time() && (type.prob >= 1.0 || dice_.single() < type.prob);
    }
    if (fires) {
        if (*type.cls == Class::SpawnPointMultiSprite) {
            for (const int product : type.stypes) spawn_one(ref, product);
        } else if (spawner.product != kNoType) {
            spawn_one(ref, spawner.product);
        }
        sprite = &sp(ref);  // the state may have grown
    }
    default_update(ref, *sprite, type);
    if (type.total > 0 && sprite->count >= type.total) kill(ref);
}

// Whether a sprite must wait before it moves again, so that where to does not matter. One with
// cons or that sees what it faces remembers its choices, one that turns on the spot shows them.
template <class Draws>
inline bool Engine<Draws>::need_not_choose(const Sprite& sprite,
                                           const TypeDef& type) const noexcept {
    if constexpr (Draws::kEveryDraw) return false;
    return type.cooldown > sprite.lastmove && type.cons == 0 && type.physicstype == 0 &&
           !type.rotateInPlace && *type.cls != Class::LOSChaser;
}

// A sprite with cons=k keeps each direction for k + 1 moves, and stands for its first k.
template <class Draws>
inline int Engine<Draws>::random_move(Sprite& sprite, const TypeDef& type) noexcept {
    if (sprite.count < type.cons) {
        ++sprite.count;
    } else {
        sprite.previous = static_cast<std::uint8_t>(1 + dice_.below(4));
        sprite.count = 0;
    }
    return sprite.previous == 0 ? kNoWay : sprite.previous - 1;
}

// Collect the targets at the least distance, in order. `twice` also lists exact types twice.
template <class Draws>
void Engine<Draws>::nearest(Ref ref, int type, bool twice) {
    std::vector<Ref>& targets = work_.targets;
    targets.clear();
    if (type == kNoType) return;
    if (!spend(number_of(type))) return;
    const bool in_line = def(ref.type).cls == Class::LOSChaser;
    const bool in_space = is_cont(ref.type);
    const Sprite& sprite = sp(ref);
    std::int64_t least = -1;
    const auto consider = [&](Ref target) {
        const Sprite& other = sp(target);
        if (!game_.has(kDisabledActs) && other.is(kDisabled)) return;
        const Rect& rect = other.rect;
        if (in_line) {
            bool seen = false;
            switch (sprite.previous) {
                case 1:
                    seen = rect.x == sprite.rect.x && rect.y <= sprite.rect.y;
                    break;
                case 2:
                    seen = rect.y == sprite.rect.y && rect.x <= sprite.rect.x;
                    break;
                case 3:
                    seen = rect.x == sprite.rect.x && rect.y >= sprite.rect.y;
                    break;
                case 4:
                    seen = rect.y == sprite.rect.y && rect.x >= sprite.rect.x;
                    break;
                default:
                    break;
            }
            if (!seen) return;
        }
        const std::int64_t far = measure(in_space, std::int64_t{sprite.rect.x} - rect.x,
                                         std::int64_t{sprite.rect.y} - rect.y);
        if (least < 0 || far < least) {
            least = far;
            targets.clear();
        }
        if (far == least) targets.push_back(target);
    };
    if (twice || count(type) > 0) for_exact(type, consider);
    if (twice || count(type) == 0) for_all(type, consider);
}

// What `nearest` and `towards` do together for most chasers: all targets count, as far as they are,
// and a distance is the sum of two gaps, which fits in 32 bits.
template <class Draws>
inline int Engine<Draws>::chase_on_grid(Sprite& sprite, const TypeDef& type) {
    const int target = type.product();
    const int all = target == kNoType ? 0 : number_of(target);
    if (!spend(all)) return kNoWay;
    if (work_.choices.size() < 4 * slot(all)) work_.choices.resize(4 * slot(all));
    std::uint8_t* const choices = work_.choices.data();
    const Rect from = sprite.rect;
    std::uint32_t least = UINT32_MAX;
    int n = 0;
    const auto look_at = [&](int sub) {
        const TypeLayout& layout = lay(sub);
        const bool some_are_dead = layout.alive >= 0;
        const Records others = layout.is_settled ? settled_records(sub) : records(layout.section);
        for (int i = 0, end = extent(sub); i < end; ++i) {
            const Rect& rect = others[i].rect;
            const std::uint32_t far = gap(from.x, rect.x) + gap(from.y, rect.y);
            if (far > least || (some_are_dead && !is_alive(layout, state_, i))) continue;
            if (far < least) n = 0;
            least = far;
            n += ways_to(from, rect, false, type.fleeing, choices + n);
        }
    };
    if (all > 0 && count(target) > 0) {
        look_at(target);
    } else if (all > 0) {
        for (const int sub : subtypes(target)) look_at(sub);
    }
    return n == 0 ? random_move(sprite, type) : choices[slot(one_of(n))];
}

// A way that brings the sprite nearer to one of `targets`, or further; else a random one.
template <class Draws>
int Engine<Draws>::towards(Ref ref, bool fleeing, double max_distance, bool cons) {
    const std::vector<Ref>& targets = work_.targets;
    if (!spend(std::ssize(targets))) return kNoWay;
    std::uint8_t few[4];  // most chase one
    std::uint8_t* choices = few;
    if (targets.size() > 1) {
        if (work_.choices.size() < 4 * targets.size()) work_.choices.resize(4 * targets.size());
        choices = work_.choices.data();
    }
    const Rect rect = sp(ref).rect;
    const bool in_space = is_cont(ref.type);
    std::int32_t n = 0;
    for (const Ref target : targets) {
        const Rect& other = sp(target).rect;
        if (max_distance != -1.0) {
            const std::int64_t far =
                measure(in_space, std::int64_t{rect.x} - other.x, std::int64_t{rect.y} - other.y);
            const double exact = in_space ? std::bit_cast<double>(far) : static_cast<double>(far);
            if (exact > max_distance) continue;
        }
        n += ways_to(rect, other, in_space, fleeing, choices + n);
    }
    if (n == 0) return cons ? random_move(sp(ref), def(ref.type)) : random_way();
    return choices[slot(one_of(n))];
}

// The directions that one pixel brings nearer, or further, as places in kBase; returns how many.
template <class Draws>
int Engine<Draws>::ways_to(const Rect& from, const Rect& to, bool in_space, bool fleeing,
                           std::uint8_t* ways) const noexcept {
    int n = 0;
    const auto consider = [&](std::uint8_t way, bool is_good) {
        ways[n] = way;
        n += is_good;
    };
    if (in_space) {
        const std::int64_t dx = std::int64_t{from.x} - to.x, dy = std::int64_t{from.y} - to.y;
        const std::int64_t far = measure(true, dx, dy);
        const auto compare = [&](std::uint8_t way, std::int64_t x, std::int64_t y) {
            const std::int64_t then = measure(true, x, y);
            consider(way, fleeing ? then > far : then < far);
        };
        compare(0, dx, add(from.y, -1) - std::int64_t{to.y});
        compare(1, add(from.x, -1) - std::int64_t{to.x}, dy);
        compare(2, dx, add(from.y, 1) - std::int64_t{to.y});
        compare(3, add(from.x, 1) - std::int64_t{to.x}, dy);
    } else if (fleeing) {  // nothing leads further at the end of the world
        constexpr auto far = static_cast<std::int32_t>(kFarthest);
        consider(0, from.y <= to.y && from.y > -far);
        consider(1, from.x <= to.x && from.x > -far);
        consider(2, from.y >= to.y && from.y < far);
        consider(3, from.x >= to.x && from.x < far);
    } else {
        consider(0, from.y > to.y);
        consider(1, from.x > to.x);
        consider(2, from.y < to.y);
        consider(3, from.x < to.x);
    }
    return n;
}

// The reference fills both of its lists from `stype1`, so it chases whenever one of these is
// there, and never flees.
template <class Draws>
int Engine<Draws>::alternating_target(Ref ref) {
    const TypeDef& type = def(ref.type);
    int first = 0;
    for (const int one : type.stype1) first += number_of(one);
    if (first == 0) return kNoType;
    const auto n = static_cast<std::int32_t>(type.stype1.size());
    return type.stype1[static_cast<std::size_t>(n == 1 ? 0 : dice_.unseeded_below(n))];
}

template <class Draws>
void Engine<Draws>::chase_alternating(Ref ref) {
    passive(ref);
    const TypeDef& type = def(ref.type);
    bool fleeing = type.fleeing;
    int target = kNoType;
    if (game_.has(kAlternateNeverFlees)) {
        target = alternating_target(ref);
    } else {
        int chased = 0, feared = 0;
        for (const int one : type.stype1) chased += number_of(one);
        for (const int one : type.stype2) feared += number_of(one);
        const Numbers& from = chased > feared ? type.stype1 : type.stype2;
        fleeing = chased <= feared;
        if (chased + feared > 0 && !from.empty()) {
            target =
                from[static_cast<std::size_t>(dice_.below(static_cast<std::int32_t>(from.size())))];
        }
    }
    nearest(ref, target, true);
    step(sp(ref), type, towards(ref, fleeing, -1.0, false));
}

// The first step of the shortest path, if there is one.
template <class Draws>
int Engine<Draws>::path_step(const Rect& from, std::int32_t x, std::int32_t y) const noexcept {
    const int size = level_.def.block;
    const std::uint8_t first = level_.paths.step(from.x / size, from.y / size, x / size, y / size);
    return first == Paths::kNoPath ? kNoWay : first;
}

template <class Draws>
void Engine<Draws>::follow_path(Ref ref) {
    const TypeDef& type = def(ref.type);
    passive(ref);
    nearest(ref, type.product(), false);
    Sprite& sprite = sp(ref);
    int way = kNoWay;
    if (work_.targets.empty()) {
        way = random_move(sprite, type);
    } else {
        sprite.count = type.cons;
        const Rect& target = sp(work_.targets.front()).rect;
        way = path_step(sprite.rect, target.x, target.y);
    }
    step(sprite, type, way);
}

template <class Draws>
void Engine<Draws>::follow_path_alternating(Ref ref) {
    passive(ref);
    const TypeDef& type = def(ref.type);
    const int place = lay(ref.type).follower;
    Sprite& sprite = sp(ref);
    Follower& follower = part<Follower>(sprite, place);
    // Where the last target is now, or was when it was removed.
    Ref target = kNobody;
    if (follower.target >= 0) {
        for (const int one : type.stype1) {
            if (!spend(number_of(one))) return;
            for_all(one, [&](Ref other) {
                if (sp(other).id == follower.target) target = other;
            });
        }
        if (target) follower.last = sp(target).rect;
    }
    bool has_target = follower.target >= 0;
    std::vector<Ref>& targets = work_.targets;
    targets.clear();  // of the sprite before
    if (!has_target || contains(sprite.rect, follower.last)) {
        const int wanted = alternating_target(ref);
        if (type.randomTarget && wanted != kNoType) {
            targets.clear();
            for_exact(wanted, [&](Ref other) { targets.push_back(other); });
            for_all(wanted, [&](Ref other) { targets.push_back(other); });
        } else {
            nearest(ref, wanted, true);
        }
        has_target = !targets.empty();
        if (has_target) {
            const auto n = static_cast<std::int32_t>(targets.size());
            const Ref chosen =
                targets[type.randomTarget ? static_cast<std::size_t>(dice_.below(n)) : 0];
            if (!type.fleeing) {  // one that flees looks around anew in every tick
                follower.target = sp(chosen).id;
                follower.last = sp(chosen).rect;
            }
        }
    }
    int way = kNoWay;
    if (has_target && !type.fleeing) {
        const Rect goal = follower.last;
        way = path_step(sprite.rect, goal.x, goal.y);
        if (way == kNoWay && follower.knows != 0) {
            way = path_step(sprite.rect, follower.known_x, follower.known_y);
        } else {
            follower.known_x = goal.x;
            follower.known_y = goal.y;
            follower.knows = 1;
        }
    } else {
        way = towards(ref, type.fleeing, -1.0, false);
    }
    step(sprite, type, way);
}

template <class Draws>
void Engine<Draws>::walk(Ref ref) {
    const TypeDef& type = def(ref.type);
    passive(ref);
    Sprite& sprite = sp(ref);
    if (type.airsteering || sprite.rect.x == last(ref).x) {
        double way = 0.0;
        if (sprite.orientation.x > 0) {
            way = 1.0;
        } else if (sprite.orientation.x < 0) {
            way = -1.0;
        } else {
            way = dice_.below(2) == 0 ? -1.0 : 1.0;
        }
        sprite.orientation = {way, 0.0};
        active(ref, {way, 0.0}, type.max_speed);
    }
    sprite.speed = type.max_speed;
    sprite.put(kOnGround, false);
}

template <class Draws>
void Engine<Draws>::walk_and_jump(Ref ref) {
    passive(ref);
    Sprite& sprite = sp(ref);
    if (sprite.is(kOnGround) && dice_.unseeded_real() < def(ref.type).probability) {
        jump(ref);
    } else {
        active(ref, sprite.orientation, sprite.speed);
    }
    sprite.put(kOnGround, false);
}

template void Engine<Dice>::update(int, int);
template void Engine<JavaDice>::update(int, int);

}  // namespace ludex::vgdl

// What happens when sprites meet, effect by effect. `a` is the first sprite, `b` the second.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {
namespace {

constexpr int kMostTimers = 10'000;

// A list shorter than the players uses its first number for the others.
int for_player(const Numbers& numbers, int player) noexcept {
    if (numbers.empty()) return 0;
    return slot(player) < numbers.size() ? numbers[slot(player)] : numbers[0];
}

bool is_for_all(Effect effect) noexcept {
    switch (effect) {
        case Effect::killAll:
        case Effect::undoAll:
        case Effect::increaseSpeedToAll:
        case Effect::decreaseSpeedToAll:
        case Effect::setSpeedForAll:
        case Effect::spawnIfCounterSubTypes:
        case Effect::transformToAll:
        case Effect::transformToSingleton:
        case Effect::transformIfCount:
        case Effect::transformToRandomChild:
        case Effect::subtractHealthPoints:
        case Effect::removeScore:
        case Effect::updateSpawnType:
            return true;
        default:
            return false;
    }
}

}  // namespace

// Scores, counters and meetings around an effect

template <class Draws>
bool Engine<Draws>::flag(int number, int bit) const noexcept {
    const int place = layout_.flag_of_rule[slot(number)];
    if (place >= 0) return (state_.flags()[place] & bit) != 0;
    const RuleDef& one = rule(number);
    return bit == kApplyScore ? one.applyScore : bit == kCount ? one.count : one.countElse;
}

template <class Draws>
void Engine<Draws>::set_flag(int number, int bit, bool on) noexcept {
    const int place = layout_.flag_of_rule[slot(number)];
    if (place < 0) return;
    std::uint8_t& flags = state_.flags()[place];
    flags = static_cast<std::uint8_t>(on ? flags | bit : flags & ~bit);
}

template <class Draws>
void Engine<Draws>::settle_scores(int number, int times, bool if_killed) {
    const RuleDef& one = rule(number);
    if (!one.scores || !flag(number, kApplyScore)) return;
    const Numbers& change = if_killed ? one.scoreChangeIfKilled : one.scoreChange;
    for (int i = 0; i < game_.players; ++i) {
        state_.player(i).score += static_cast<double>(for_player(change, i)) * times;
    }
}

template <class Draws>
void Engine<Draws>::meet(Ref a, Ref b) {
    if (!keep_meetings_) return;
    const Sprite& one = sp(a);
    const Sprite& two = sp(b);
    const auto note = [&](bool from_avatar, Ref active, const Sprite& actor, Ref passive,
                          const Sprite& other) {
        state_.meetings.push_back({current_tick(), from_avatar, active.type, passive.type, actor.id,
                                   other.id, actor.rect.x, actor.rect.y});
    };
    if (lay(a.type).is_avatar) {
        note(false, a, one, b, two);
    } else if (one.is(kFromAvatar)) {
        note(true, a, one, b, two);
    } else if (lay(b.type).is_avatar || two.is(kFromAvatar)) {
        note(!lay(b.type).is_avatar, b, two, a, one);
    }
}

template <class Draws>
void Engine<Draws>::execute(int number, Ref a, Ref b) {
    const RuleDef& one = rule(number);
    if (!spend(1)) return;
    bool killed = false;
    if (!b && needs_second(one.effect)) {
        message();
    } else {
        run(number, a, b, killed);
    }
    settle_scores(number, 1, killed);
    if (b && (lay(a.type).tells_meetings || lay(b.type).tells_meetings)) meet(a, b);
    if (!one.counts) return;
    std::int32_t* counters = state_.counters();
    for (int i = 0; i < game_.counters; ++i) {
        if (flag(number, kCount)) counters[i] = add(counters[i], for_player(one.counter, i));
        if (flag(number, kCountElse))
            counters[i] = add(counters[i], for_player(one.counterElse, i));
    }
}

template <class Draws>
void Engine<Draws>::execute_batch(int number, Ref a, std::span<const Ref> candidates) {
    const RuleDef& one = rule(number);
    const int times = wall_bounce(a, candidates, one.effect == Effect::wallReverse);
    settle_scores(number, times, false);
    for (const Ref b : candidates) meet(a, b);
    if (!one.counts) return;
    std::int32_t* counters = state_.counters();
    for (int i = 0; i < game_.counters; ++i) {
        const std::int64_t n = times;
        if (flag(number, kCount)) counters[i] = add(counters[i], n * for_player(one.counter, i));
        if (flag(number, kCountElse))
            counters[i] = add(counters[i], n * for_player(one.counterElse, i));
    }
}

// Resources

template <class Draws>
std::int32_t* Engine<Draws>::bag(Ref ref) const noexcept {
    const int place = lay(ref.type).bag;
    return place != 0 ? &part<std::int32_t>(sp(ref), place) : nullptr;
}

template <class Draws>
bool Engine<Draws>::holds(Ref ref, int resource) const noexcept {
    const int place = layout_.resource_slot[slot(resource)];
    const std::int32_t* const held = bag(ref);
    return place >= 0 && held && held[place] != kNotHeld;
}

template <class Draws>
int Engine<Draws>::amount(Ref ref, int resource) const noexcept {
    return holds(ref, resource) ? bag(ref)[layout_.resource_slot[slot(resource)]] : 0;
}

template <class Draws>
void Engine<Draws>::set_amount(Ref ref, int resource, int amount) noexcept {
    const int place = layout_.resource_slot[slot(resource)];
    std::int32_t* const held = bag(ref);
    if (place >= 0 && held) held[place] = amount;
}

template <class Draws>
int Engine<Draws>::resource_limit(int resource) const noexcept {
    const TypeDef& type = def(resource);
    return type.cls == Class::Resource ? type.limit : 0;
}

// The effects

// What it costs to look at every sprite that an effect may change.
template <class Draws>
std::int64_t Engine<Draws>::cost_for_all(const RuleDef& one) const noexcept {
    std::int64_t cost = 0;
    if (one.effect == Effect::undoAll) {
        for (const int type : game_.order) cost += 1 + extent(type);
        return cost;
    }
    for (const int type : {one.stype, one.stypeCount, one.spawnPoint}) {
        if (type == kNoType) continue;
        for (const int sub : subtypes(type)) cost += 1 + extent(sub);
    }
    return cost;
}

template <class Draws>
void Engine<Draws>::run(int number, Ref a, Ref b, bool& killed_target) {
    const RuleDef& one = rule(number);
    const auto value = static_cast<int>(one.value);
    // Rules bound to no sprite can only do what needs none.
    if (!a) {
        switch (one.effect) {
            case Effect::killAll:
            case Effect::undoAll:
            case Effect::transformToAll:
            case Effect::increaseSpeedToAll:
            case Effect::decreaseSpeedToAll:
            case Effect::setSpeedForAll:
                break;
            case Effect::subtractHealthPoints:
            case Effect::removeScore:
                if (one.stype != kNoType) break;
                message();
                return;
            default:
                message();
                return;
        }
    }
    if (is_for_all(one.effect) && !spend(cost_for_all(one))) return;
    const auto score_if = [&](bool done) { set_flag(number, kApplyScore, done); };
    // The reference counts the score of these whether they kill or not.
    const auto kill_if = [&](bool condition) {
        if (condition) kill(a);
        if (!game_.has(kScoreAnyway)) score_if(condition);
    };
    const auto create_at = [&](int type, Ref ref, bool force = false) {
        const Rect rect = sp(ref).rect;
        return create(type, rect.x, rect.y, force);
    };
    switch (one.effect) {
        case Effect::killSprite:
            kill(a);
            break;
        case Effect::killBoth:
            kill(a);
            kill(b);
            break;
        case Effect::killAll:
            for_exact(one.stype, [&](Ref ref) { kill(ref); });
            break;
        case Effect::killIfHasLess:
        case Effect::killIfHasMore: {
            const int held = amount(a, one.resource);
            const bool done =
                one.effect == Effect::killIfHasLess ? held <= one.limit : held >= one.limit;
            if (done) kill(a);
            score_if(done);
            break;
        }
        case Effect::killIfOtherHasMore: {
            const bool done = amount(b, one.resource) >= one.limit;
            if (done) {
                kill(a);
                if (one.subtract) {
                    set_amount(b, one.resource,
                               std::max(0, add(amount(b, one.resource), -std::int64_t{one.limit})));
                }
            }
            score_if(done);
            break;
        }
        case Effect::killIfFromAbove: {
            const bool done = last(a).y > last(b).y + sp(b).rect.h / 2 && sp(b).rect.y > last(b).y;
            if (done) kill(a);
            score_if(done);
            break;
        }
        case Effect::killIfFrontal:
        case Effect::killIfNotFrontal: {
            const Vec u = way_gone(a);
            const Vec v = way_gone(b);
            const bool opposite = Vec{u.x + v.x, u.y + v.y}.is_zero();
            const bool done =
                u.is_zero() || (one.effect == Effect::killIfFrontal ? opposite : !opposite);
            if (done) kill(a);
            score_if(done);
            break;
        }
        case Effect::killIfAlive:
            kill_if(!is_killed(b));
            break;
        case Effect::killIfFast:
            kill_if(relative_speed(a, b) > one.limspeed);
            break;
        case Effect::killIfSlow:
            kill_if(relative_speed(a, b) < one.limspeed);
            break;
        case Effect::killIfNotUpright: {
            const int body = lay(a.type).body;
            const double rotation =
                body != 0 ? part<Body>(sp(a), body).rotation : def(a.type).rotation;
            constexpr double kTurn = 2.0 * std::numbers::pi;
            const double angle = std::fmod(rotation + kTurn, kTurn);
            kill_if(!(angle > 4.4 && angle < 5.0));
            break;
        }
        case Effect::stepBack:
            if (lay(a.type).is_settled) break;
            sp(a).rect = one.pixelPerfect && b ? pixel_perfect(a, b) : last(a);
            break;
        case Effect::undoAll:
            for (const int type : game_.order) {
                if (std::find(one.notStype.begin(), one.notStype.end(), type) != one.notStype.end())
                    continue;
                if (lay(type).is_settled) continue;
                for_exact(type, [&](Ref ref) { sp(ref).rect = last(ref); });
            }
            break;
        case Effect::wrapAround: {
            Sprite& sprite = sp(a);
            const Vec way = sprite.orientation;
            Rect& rect = sprite.rect;
            if (way.x > 0) {
                rect.x = to_int(one.offset * rect.w);
            } else if (way.x < 0) {
                rect.x = to_int(level_.screen.w - rect.w * (1 + one.offset));
            } else if (way.y > 0) {
                rect.y = to_int(one.offset * rect.h);
            } else if (way.y < 0) {
                rect.y = to_int(level_.screen.h - rect.h * (1 + one.offset));
            }
            sprite.lastmove = 0;
            break;
        }
        case Effect::turnAround:
            turn_around(a);
            break;
        case Effect::bounceForward:
            bounce_forward(a, b);
            break;
        case Effect::pullWithIt:
            pull(number, a, b);
            break;
        case Effect::teleportToExit:
            teleport(a, b);
            break;
        case Effect::align: {
            Sprite& sprite = sp(a);
            sprite.rect.x = sp(b).rect.x;
            sprite.rect.y = sp(b).rect.y;
            if (one.orient) sprite.orientation = sp(b).orientation;
            break;
        }
        case Effect::attractGaze: {
            Sprite& sprite = sp(a);
            if (!sprite.is(kOriented) || !sp(b).is(kOriented)) break;
            if (!happens(one.prob)) break;
            sprite.orientation = sp(b).orientation;
            if (!one.align) break;
            if (sprite.orientation == kLeft || sprite.orientation == kRight) {
                sprite.rect.y = sp(b).rect.y;
            } else {
                sprite.rect.x = sp(b).rect.x;
            }
            break;
        }
        case Effect::reverseDirection: {
            Vec& way = sp(a).orientation;
            way = {-way.x, -way.y};
            break;
        }
        case Effect::flipDirection:
            sp(a).orientation = random_direction();
            break;
        case Effect::wallStop:
            wall_stop(a, b);
            break;
        case Effect::wallBounce:
        case Effect::wallReverse: {
            const std::array<Ref, 1> only{b};
            wall_bounce(a, only, one.effect == Effect::wallReverse);
            break;
        }
        case Effect::bounceDirection:
            bounce_direction(one, a, b);
            break;
        case Effect::halfSpeed:
            sp(a).speed *= 0.5;
            break;
        case Effect::waterPhysics:
            if (lay(a.type).body) part<Body>(sp(a), lay(a.type).body).gravity = 0.2;
            break;
        case Effect::increaseSpeedToAll:
            for_all(one.stype,
                    [&](Ref ref) { sp(ref).speed = bounded(sp(ref).speed + one.value); });
            break;
        case Effect::decreaseSpeedToAll:
            for_all(one.stype,
                    [&](Ref ref) { sp(ref).speed = std::max(0.0, sp(ref).speed - one.value); });
            break;
        case Effect::setSpeedForAll:
            for_all(one.stype, [&](Ref ref) { sp(ref).speed = one.value; });
            break;
        case Effect::spawn: {
            const bool done = happens(one.prob);
            if (done) create_at(one.stype, a);
            if (!game_.has(kScoreAnyway)) score_if(done);
            break;
        }
        case Effect::spawnIfHasMore: {
            score_if(false);
            if (!happens(one.prob)) break;
            if (amount(a, one.resource) < one.limit) break;
            create_at(one.stype, a);
            if (one.spend != 0 && holds(a, one.resource)) {
                set_amount(a, one.resource,
                           std::max(0, add(amount(a, one.resource), -std::int64_t{one.spend})));
            }
            score_if(true);
            break;
        }
        case Effect::spawnIfHasLess:
            score_if(false);
            if (!happens(one.prob)) break;
            if (amount(a, one.resource) > one.limit) break;
            create_at(one.stype, a);
            score_if(true);
            break;
        case Effect::spawnBehind: {
            if (!happens(one.prob)) break;
            const Rect before = last(b);
            if (!overlap(before, sp(b).rect)) create(one.stype, before.x, before.y);
            break;
        }
        case Effect::spawnAbove:
        case Effect::spawnBelow:
        case Effect::spawnLeft:
        case Effect::spawnRight: {
            if (!happens(one.prob)) break;
            Rect from = sp(b).rect;
            if (one.stepBack) {
                if (overlap(last(b), from)) break;
                from = last(b);
            }
            const int step = level_.def.block;
            switch (one.effect) {
                case Effect::spawnAbove:
                    from.y = add(from.y, -step);
                    break;
                case Effect::spawnBelow:
                    from.y = add(from.y, step);
                    break;
                case Effect::spawnLeft:
                    from.x = add(from.x, -step);
                    break;
                default:
                    from.x = add(from.x, step);
            }
            create(one.stype, from.x, from.y);
            break;
        }
        case Effect::spawnIfCounterSubTypes: {
            const bool done = live(one.stypeCount) == one.limit &&
                              live_subtypes(one.stypeCount) / 2 == one.subTypesNum;
            create_at(done ? one.stype : one.estype, a);
            score_if(done);
            set_flag(number, kCount, done);
            break;
        }
        case Effect::cloneSprite:
            create_at(a.type, a);
            break;
        case Effect::transformTo: {
            if (sp(a).is(kDisabled)) break;
            const Ref made = create_at(one.stype, a);
            if (made) transform(a, made, b, one, true);
            break;
        }
        case Effect::transformToAll: {
            for_exact(one.stype, [&](Ref ref) {
                const Ref made = create_at(one.stypeTo, ref, true);
                if (made) transform(ref, made, b, one, true);
            });
            break;
        }
        case Effect::transformToSingleton:
            transform_to_singleton(one, a, b);
            break;
        case Effect::transformIfCount: {
            const int n = number_of(one.stypeCount);
            const bool done = n >= one.geq && n <= one.leq;
            score_if(done);
            set_flag(number, kCount, done);
            set_flag(number, kCountElse, !done && one.estype != kNoType);
            const int type = done ? one.stype : one.estype;
            const Ref made = type == kNoType ? kNobody : create_at(type, a, true);
            if (made) transform(a, made, b, one, true);
            break;
        }
        case Effect::transformToRandomChild: {
            const Numbers& children = def(one.stype).subtypes;
            const auto n = static_cast<std::int32_t>(children.size()) - 1;
            if (n <= 0) break;
            std::int32_t drawn = one_of(n);
            int type = kNoType;
            for (const int child : children) {
                if (child == one.stype) continue;
                if (drawn-- == 0) type = child;
            }
            if (type == kNoType) break;
            if (!def(type).cls) message();
            const Ref made = create_at(type, a);
            if (made) transform(a, made, b, one, true);
            break;
        }
        case Effect::collectResource:
        case Effect::collectResourceIfHeld:
            collect(one, number, a, b);
            break;
        case Effect::changeResource: {
            const int then = add(amount(a, one.resource), value);
            const bool done = then <= resource_limit(one.resource);
            if (done) {
                set_amount(a, one.resource, std::max(0, then));
                if (one.killResource && b) kill(b, game_.has(kKillAvatarForGood));
            }
            score_if(done);
            break;
        }
        case Effect::addHealthPoints: {
            Sprite& sprite = sp(a);
            const bool done = add(sprite.health, value) < def(a.type).limitHealthPoints;
            if (done) {
                sprite.health = add(sprite.health, value);
                sprite.max_health = std::max(sprite.max_health, sprite.health);
                if (one.killSecond && b) kill(b);
            }
            score_if(done);
            break;
        }
        case Effect::addHealthPointsToMax: {
            Sprite& sprite = sp(a);
            sprite.health = std::min(def(a.type).limitHealthPoints, add(sprite.health, value));
            sprite.max_health = std::max(sprite.max_health, sprite.health);
            if (one.killSecond && b) kill(b);
            break;
        }
        case Effect::subtractHealthPoints: {
            Ref target = a;
            if (one.stype != kNoType) {
                target = kNobody;
                for (const int type : subtypes(one.stype)) {
                    if (count(type) > 0) target = {type, 0};
                }
            }
            if (!target) break;
            Sprite& sprite = sp(target);
            sprite.health = add(sprite.health, -std::int64_t{value});
            if (sprite.health <= one.limit) {
                kill(target);
                killed_target = true;
            }
            break;
        }
        case Effect::removeScore: {
            const auto clear = [&](Ref ref) {
                if (!lay(ref.type).is_avatar) return;
                const int player = sp(ref).player;
                if (player >= 0) state_.player(player).score = 0.0;
                if (one.killSecond && b) kill(b, game_.has(kKillAvatarForGood));
            };
            if (one.stype == kNoType) {
                clear(a);
            } else {
                for_exact(one.stype, clear);
            }
            break;
        }
        case Effect::updateSpawnType:
            update_spawn_type(one, b);
            break;
        case Effect::shieldFrom:
            work_.shields.push_back({a.type, one.stype, one.shields});
            break;
        case Effect::addTimer: {
            if (static_cast<int>(state_.timers.size()) >= kMostTimers) break;
            const std::int32_t due = add(current_tick(), one.timer);
            const auto place = std::find_if(state_.timers.begin(), state_.timers.end(),
                                            [due](const Timer& timer) { return timer.due >= due; });
            state_.timers.insert(place, Timer{due, number, kNoType});
            break;
        }
    }
}

template <class Draws>
void Engine<Draws>::transform(Ref a, Ref made, Ref b, const RuleDef& one, bool keep_health) {
    Sprite& old = sp(a);
    Sprite& fresh = sp(made);
    const bool both = old.is(kOriented) && fresh.is(kOriented) && fresh.orientation == kNone;
    if (keep_health ? one.forceOrientation || both : old.is(kOriented) && fresh.is(kOriented)) {
        fresh.orientation = old.orientation;
    }
    last(made) = last(a);
    if (const std::int32_t* const from = bag(a)) {
        std::int32_t* const to = bag(made);
        for (int i = 0; to && i < layout_.resources; ++i) {
            if (from[i] == kNotHeld) continue;
            to[i] = add(to[i] == kNotHeld ? 0 : to[i], from[i]);
        }
    }
    bool transformed = true;
    if (lay(a.type).is_avatar) {
        if (lay(made.type).is_avatar) {
            fresh.player = old.player;
            if (old.player >= 0) {
                Player& player = state_.player(old.player);
                player.type = made.type;
                player.index = made.index;
            }
        } else {
            transformed = false;
        }
    }
    if (keep_health) fresh.health = old.health;
    kill(a, transformed);
    if (one.killSecond && b) kill(b, game_.has(kKillAvatarForGood));
}

template <class Draws>
void Engine<Draws>::transform_to_singleton(const RuleDef& one, Ref a, Ref b) {
    for_exact(one.stype, [&](Ref ref) {
        const Rect there = sp(ref).rect;
        const Ref made = create(one.stype_other, there.x, there.y);
        if (made) transform(ref, made, kNobody, one, false);
    });
    const Rect rect = sp(a).rect;
    const Ref made = create(one.stype, rect.x, rect.y);
    if (!made) return;
    transform(a, made, kNobody, one, false);
    if (one.takeOrientation) {
        Sprite& fresh = sp(made);
        const Vec way = sp(b).orientation;
        fresh.put(kOriented, true);
        fresh.orientation = {-way.x, -way.y};
    }
}

template <class Draws>
void Engine<Draws>::turn_around(Ref a) {
    sp(a).rect = last(a);
    for (int i = 0; i < 2; ++i) {
        sp(a).lastmove = def(a.type).cooldown;
        active(a, kDown, sp(a).speed);
    }
    Vec& way = sp(a).orientation;
    way = {-way.x, -way.y};
}

template <class Draws>
void Engine<Draws>::bounce_forward(Ref a, Ref b) {
    Vec way = way_gone(b);
    const Vec facing = sp(b).orientation;
    if (way.x * facing.x < 0) way.x = -way.x;
    if (way.y * facing.y < 0) way.y = -way.y;
    active(a, way, sp(b).speed);
    sp(a).orientation = way;
}

template <class Draws>
void Engine<Draws>::pull(int number, Ref a, Ref b) {
    Sprite& sprite = sp(a);
    if (!spend(static_cast<std::int64_t>(work_.pulled.size()) / 8)) return;
    for (const Workspace::Pulled& pulled : work_.pulled) {
        if (pulled.rule == number && pulled.id == sprite.id) return;
    }
    work_.pulled.push_back({number, sprite.id});
    const Sprite& other = sp(b);
    const bool cont = is_cont(a.type);
    constexpr double kContCell = 10.0;
    const Vec way = way_gone(b);
    try_move(sprite, def(a.type).cooldown, way, to_int(other.speed * (cont ? kContCell : block())));
    if (cont) {
        sprite.rect.y = add(other.rect.y, -std::int64_t{other.rect.h});
        sprite.orientation.y = 0.0;
    }
    if (rule(number).pixelPerfect) sprite.rect = other.rect;
}

// The type a sprite leads to or makes, where its class has exactly one.
template <class Draws>
int Engine<Draws>::itype(Ref ref) const noexcept {
    const TypeDef& type = def(ref.type);
    if (lay(ref.type).spawner) return part<Spawner>(sp(ref), lay(ref.type).spawner).product;
    switch (*type.cls) {
        case Class::Portal:
        case Class::Spreader:
        case Class::Chaser:
        case Class::Fleeing:
        case Class::LOSChaser:
        case Class::PathChaser:
        case Class::FlakAvatar:
            return type.product();
        default:
            return kNoType;
    }
}

template <class Draws>
void Engine<Draws>::teleport(Ref a, Ref b) {
    const int exit = itype(b);
    if (exit == kNoType) {
        message();
        return;
    }
    const int n = count(exit);
    if (!spend(extent(exit))) return;
    if (n == 0) {
        kill(a);
        return;
    }
    int drawn = one_of(n);
    Ref chosen = kNobody;
    for_exact(exit, [&](Ref ref) {
        if (drawn-- == 0) chosen = ref;
    });
    const Sprite& there = sp(chosen);
    Sprite& sprite = sp(a);
    sprite.rect = there.rect;
    sprite.lastmove = 0;
    if (there.is(kOriented)) sprite.orientation = there.orientation;
}

template <class Draws>
double Engine<Draws>::relative_speed(Ref a, Ref b) const noexcept {
    if (def(a.type).is_static) return sp(b).speed;
    if (def(b.type).is_static) return sp(a).speed;
    const Vec u = sp(a).orientation, v = sp(b).orientation;
    return Vec{u.x - v.x, u.y - v.y}.length();
}

template <class Draws>
void Engine<Draws>::collect(const RuleDef& one, int number, Ref a, Ref b) {
    const TypeDef& type = def(a.type);
    const bool is_pack = type.cls == Class::Resource || type.cls == Class::ResourcePack;
    if (!type.is_resource || !is_pack || type.resource_name.empty()) return;
    const int resource = type.resource_name[0];
    const int held = amount(b, resource);
    const int limit = resource_limit(resource);
    bool done = false;
    if (one.effect == Effect::collectResource) {
        done = held < limit;
        if (done) {
            set_amount(b, resource, add(held, std::min(type.value, limit - held)));
            if (one.killResource) kill(a, true);
        }
    } else {
        set_flag(number, kApplyScore, false);
        if (amount(b, one.heldResource) < static_cast<int>(one.value)) return;
        done = add(held, type.value) <= limit;
        if (done) set_amount(b, resource, add(held, type.value));
        if (one.killResource) kill(a, true);
    }
    set_flag(number, kApplyScore, done);
}

template <class Draws>
void Engine<Draws>::update_spawn_type(const RuleDef& one, Ref b) {
    for_all(one.spawnPoint, [&](Ref ref) {
        const TypeLayout& layout = lay(ref.type);
        if (!layout.spawner) return;
        Sprite& sprite = sp(ref);
        if (layout.products) {
            auto* const products = &part<std::int32_t>(sprite, layout.products);
            for (std::size_t i = 0; i < def(ref.type).stypeMissile.size(); ++i) {
                if (products[i] == b.type) products[i] = one.stype;
            }
        } else {
            part<Spawner>(sprite, layout.spawner).product = one.stype;
        }
    });
}

// Walls

template <class Draws>
void Engine<Draws>::wall_stop(Ref a, Ref b) {
    const Rect rect = pixel_perfect(a, b);
    Sprite& sprite = sp(a);
    sprite.rect = rect;
    const Rect& other = sp(b).rect;
    const double dx = std::abs(rect.centre_x() - other.centre_x());
    const double dy = std::abs(rect.centre_y() - other.centre_y());
    const Vec way = dx > dy ? Vec{0.0, sprite.orientation.y} : Vec{sprite.orientation.x, 0.0};
    const int body = lay(a.type).body;
    const double gravity = body != 0 ? part<Body>(sprite, body).gravity : def(a.type).gravity;
    sprite.orientation = way.normalised();
    sprite.speed = std::max(bounded(way.length() * sprite.speed), gravity);
}

template <class Draws>
int Engine<Draws>::wall_bounce(Ref a, std::span<const Ref> candidates, bool reverse) {
    Sprite& sprite = sp(a);
    const Rect before = last(a);
    Rect wall = sp(candidates[0]).rect;
    int times = 1;
    if (candidates.size() == 2) {
        const Rect other = sp(candidates[1]).rect;
        if (wall.centre_x() == other.centre_x()) {
            wall.y = std::min(wall.y, other.y);
            wall.x = wall.y == other.y ? other.x : wall.x;
            wall.h *= 2;
            times = 2;
        } else if (wall.centre_y() == other.centre_y()) {
            wall.x = std::min(wall.x, other.x);
            wall.y = wall.x == other.x ? other.y : wall.y;
            wall.w *= 2;
            times = 2;
        }
    }
    if (times == 1 && candidates.size() > 1) {
        double least = -1.0;
        for (const Ref b : candidates) {
            const Rect& rect = last(b);
            const double far =
                Vec{rect.centre_x() - before.centre_x(), rect.centre_y() - before.centre_y()}
                    .length();
            if (least >= 0.0 && far >= least) continue;
            least = far;
            wall = sp(b).rect;
        }
    }
    const Rect& rect = sprite.rect;
    const std::int32_t overlap_w =
        std::min(rect.x + rect.w, wall.x + wall.w) - std::max(rect.x, wall.x);
    const std::int32_t overlap_h =
        std::min(rect.y + rect.h, wall.y + wall.h) - std::max(rect.y, wall.y);
    bool horizontal = rect.h == overlap_h;
    bool vertical = rect.w == overlap_w;
    if (!horizontal && !vertical) {
        const Vec v{sprite.orientation.x * sprite.speed, sprite.orientation.y * sprite.speed};
        const auto apart = [](double speed, std::int32_t from, std::int32_t size,
                              std::int32_t wall_from, std::int32_t wall_size) {
            if (speed == 0.0) return std::abs(double(from) - wall_from);
            if (speed > 0.0) return std::abs((double(from) + size) - wall_from);
            return std::abs((double(wall_from) + wall_size) - from);
        };
        const double tx = std::abs(apart(v.x, before.x, rect.w, wall.x, wall.w) / v.x);
        const double ty = std::abs(apart(v.y, before.y, rect.h, wall.y, wall.h) / v.y);
        horizontal = tx < ty;
        vertical = ty < tx;
    }
    Vec& way = sprite.orientation;
    if (reverse) {
        const Vec turned{vertical ? way.x : -way.x, 0.0};
        const int body = lay(a.type).body;
        const double gravity = body != 0 ? part<Body>(sprite, body).gravity : def(a.type).gravity;
        way = turned.normalised();
        sprite.speed = std::max(bounded(turned.length() * sprite.speed), gravity);
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
void Engine<Draws>::bounce_direction(const RuleDef& one, Ref a, Ref b) {
    Sprite& sprite = sp(a);
    const Rect& before = last(a);
    const Rect& rect = sprite.rect;
    const Rect& other = sp(b).rect;
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
    const double angle = hit * (one.maxBounceAngleDeg * std::numbers::pi / 180.0);
    const Vec way = vertical ? Vec{std::sin(angle), -std::cos(angle) * side}
                             : Vec{std::cos(angle) * side, -std::sin(angle)};
    sprite.orientation = way.normalised();
}

#define INSTANTIATE(Draws)                                                      \
    template void Engine<Draws>::meet(Ref, Ref);                                \
    template void Engine<Draws>::execute(int, Ref, Ref);                        \
    template void Engine<Draws>::execute_batch(int, Ref, std::span<const Ref>); \
    template void Engine<Draws>::run(int, Ref, Ref, bool&);                     \
    template void Engine<Draws>::settle_scores(int, int, bool);                 \
    template bool Engine<Draws>::flag(int, int) const noexcept;                 \
    template bool Engine<Draws>::holds(Ref, int) const noexcept;                \
    template int Engine<Draws>::amount(Ref, int) const noexcept;                \
    template void Engine<Draws>::set_amount(Ref, int, int) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

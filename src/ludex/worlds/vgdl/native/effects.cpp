// What happens when sprites meet: one function for each effect of the ontology. `a` is the first
// sprite, `b` the second. The words "score always" and "score if done" are the reference's.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics.hpp"

namespace ludex::vgdl {
namespace {

// A list shorter than the players uses its first number for the others.
int for_player(const Numbers& numbers, int player) noexcept {
    if (numbers.empty()) return 0;
    return slot(player) < numbers.size() ? numbers[slot(player)] : numbers[0];
}

int whole(double value) noexcept { return static_cast<int>(value); }

}  // namespace

// Scores, counters and meetings around an effect

template <class Draws>
bool Engine<Draws>::flag(int number, int bit) const noexcept {
    const int index = layout_.flag_of_rule[slot(number)];
    if (index >= 0) return (state_.flags()[index] & bit) != 0;
    const RuleDef& one = rule(number);
    return bit == kApplyScore ? one.applyScore : bit == kCount ? one.count : one.countElse;
}

template <class Draws>
void Engine<Draws>::set_flag(int number, int bit, bool on) noexcept {
    const int index = layout_.flag_of_rule[slot(number)];
    if (index < 0) return;
    std::uint8_t& flags = state_.flags()[index];
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
inline void Engine<Draws>::settle_counters(int number, std::int64_t times) noexcept {
    const RuleDef& one = rule(number);
    if (!one.counts) return;
    std::int32_t* counters = state_.counters();
    for (int i = 0; i < game_.counters; ++i) {
        if (flag(number, kCount))
            counters[i] = add(counters[i], times * for_player(one.counter, i));
        if (flag(number, kCountElse))
            counters[i] = add(counters[i], times * for_player(one.counterElse, i));
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
    EffectCall call{rule(number), number, a, b};
    if (!spend(1)) return;
    if (!b && needs_second(call.rule.effect)) {
        message();
    } else {
        run(call);
    }
    settle_scores(number, 1, call.killed);
    if (b && (lay(a.type).tells_meetings || lay(b.type).tells_meetings)) meet(a, b);
    settle_counters(number, 1);
}

template <class Draws>
void Engine<Draws>::execute_batch(int number, Ref a, std::span<const Ref> candidates) {
    const int times = bounce_off(a, candidates, rule(number).effect == Effect::wallReverse);
    settle_scores(number, times, false);
    for (const Ref b : candidates) meet(a, b);
    settle_counters(number, times);
}

template <class Draws>
void Engine<Draws>::run(EffectCall& call) {
    const Effect effect = call.rule.effect;
    if (!call.a && needs_first(effect)) {
        message();
        return;
    }
    if (visits_all(effect) && !spend(cost_for_all(call.rule))) return;
    run_effect(*this, effect, call);
}

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
inline void Engine<Draws>::score_if(const EffectCall& call, bool done) noexcept {
    set_flag(call.number, kApplyScore, done);
}

template <class Draws>
inline void Engine<Draws>::score_always(const EffectCall& call, bool done) noexcept {
    if (!game_.has(kScoreAnyway)) score_if(call, done);
}

template <class Draws>
inline Ref Engine<Draws>::create_at(int type, Ref ref, bool force) {
    const Rect rect = sp(ref).rect;
    return create(type, rect.x, rect.y, force);
}

// Resources

template <class Draws>
std::int32_t* Engine<Draws>::bag(Ref ref) const noexcept {
    const int offset = lay(ref.type).bag;
    return offset != 0 ? &part<std::int32_t>(sp(ref), offset) : nullptr;
}

template <class Draws>
bool Engine<Draws>::holds(Ref ref, int resource) const noexcept {
    const int index = layout_.resource_slot[slot(resource)];
    const std::int32_t* const held = bag(ref);
    return index >= 0 && held && held[index] != kNotHeld;
}

template <class Draws>
int Engine<Draws>::amount(Ref ref, int resource) const noexcept {
    return holds(ref, resource) ? bag(ref)[layout_.resource_slot[slot(resource)]] : 0;
}

template <class Draws>
void Engine<Draws>::set_amount(Ref ref, int resource, int amount) noexcept {
    const int index = layout_.resource_slot[slot(resource)];
    std::int32_t* const held = bag(ref);
    if (index >= 0 && held) held[index] = amount;
}

template <class Draws>
void Engine<Draws>::take(Ref ref, int resource, int number) noexcept {
    set_amount(ref, resource, std::max(0, add(amount(ref, resource), -std::int64_t{number})));
}

template <class Draws>
int Engine<Draws>::resource_limit(int resource) const noexcept {
    const TypeDef& type = def(resource);
    return type.cls == Class::Resource ? type.limit : 0;
}

// Effects that kill

template <class Draws>
void Engine<Draws>::kill_if(EffectCall& call, bool condition) {
    if (condition) kill(call.a);
    score_if(call, condition);
}

template <class Draws>
void Engine<Draws>::kill_if_scoring_always(EffectCall& call, bool condition) {
    if (condition) kill(call.a);
    score_always(call, condition);
}

template <class Draws>
void Engine<Draws>::kill_sprite(EffectCall& call) {
    kill(call.a);
}

template <class Draws>
void Engine<Draws>::kill_both(EffectCall& call) {
    kill(call.a);
    kill(call.b);
}

template <class Draws>
void Engine<Draws>::kill_all(EffectCall& call) {
    for_exact(call.rule.stype, [&](Ref ref) { kill(ref); });
}

template <class Draws>
void Engine<Draws>::kill_if_has_less(EffectCall& call) {
    kill_if(call, amount(call.a, call.rule.resource) <= call.rule.limit);
}

template <class Draws>
void Engine<Draws>::kill_if_has_more(EffectCall& call) {
    kill_if(call, amount(call.a, call.rule.resource) >= call.rule.limit);
}

template <class Draws>
void Engine<Draws>::kill_if_other_has_more(EffectCall& call) {
    const RuleDef& rule = call.rule;
    const bool done = amount(call.b, rule.resource) >= rule.limit;
    kill_if(call, done);
    if (done && rule.subtract) take(call.b, rule.resource, rule.limit);
}

template <class Draws>
void Engine<Draws>::kill_if_from_above(EffectCall& call) {
    const Rect& rect = sp(call.b).rect;
    const Rect& before = last(call.b);
    kill_if(call, last(call.a).y > before.y + rect.h / 2 && rect.y > before.y);
}

// Whether the first sprite did not move, or both moved in opposite directions (or did not).
template <class Draws>
inline bool Engine<Draws>::meets(const EffectCall& call, bool head_on) const noexcept {
    const Vec u = way_gone(call.a);
    const Vec v = way_gone(call.b);
    return u.is_zero() || Vec{u.x + v.x, u.y + v.y}.is_zero() == head_on;
}

template <class Draws>
void Engine<Draws>::kill_if_frontal(EffectCall& call) {
    kill_if(call, meets(call, true));
}

template <class Draws>
void Engine<Draws>::kill_if_not_frontal(EffectCall& call) {
    kill_if(call, meets(call, false));
}

template <class Draws>
void Engine<Draws>::kill_if_alive(EffectCall& call) {
    kill_if_scoring_always(call, !is_killed(call.b));
}

template <class Draws>
double Engine<Draws>::relative_speed(Ref a, Ref b) const noexcept {
    if (def(a.type).is_static) return sp(b).speed;
    if (def(b.type).is_static) return sp(a).speed;
    const Vec u = sp(a).orientation, v = sp(b).orientation;
    return Vec{u.x - v.x, u.y - v.y}.length();
}

template <class Draws>
void Engine<Draws>::kill_if_fast(EffectCall& call) {
    kill_if_scoring_always(call, relative_speed(call.a, call.b) > call.rule.limspeed);
}

template <class Draws>
void Engine<Draws>::kill_if_slow(EffectCall& call) {
    kill_if_scoring_always(call, relative_speed(call.a, call.b) < call.rule.limspeed);
}

template <class Draws>
void Engine<Draws>::kill_if_not_upright(EffectCall& call) {
    const Ref a = call.a;
    const int body = lay(a.type).body;
    const double rotation = body != 0 ? part<Body>(sp(a), body).rotation : def(a.type).rotation;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double angle = std::fmod(rotation + kTurn, kTurn);
    kill_if_scoring_always(call, !(angle > 4.4 && angle < 5.0));
}

// Effects that move or turn

template <class Draws>
void Engine<Draws>::step_back(EffectCall& call) {
    const Ref a = call.a;
    if (lay(a.type).is_settled) return;
    sp(a).rect = call.rule.pixelPerfect && call.b ? pixel_perfect(a, call.b) : last(a);
}

template <class Draws>
void Engine<Draws>::undo_all(EffectCall& call) {
    const Numbers& kept = call.rule.notStype;
    for (const int type : game_.order) {
        if (std::find(kept.begin(), kept.end(), type) != kept.end()) continue;
        if (lay(type).is_settled) continue;
        for_exact(type, [&](Ref ref) { sp(ref).rect = last(ref); });
    }
}

template <class Draws>
void Engine<Draws>::wrap_around(EffectCall& call) {
    const double offset = call.rule.offset;
    Sprite& sprite = sp(call.a);
    const Vec way = sprite.orientation;
    Rect& rect = sprite.rect;
    if (way.x > 0) {
        rect.x = to_int(offset * rect.w);
    } else if (way.x < 0) {
        rect.x = to_int(level_.screen.w - rect.w * (1 + offset));
    } else if (way.y > 0) {
        rect.y = to_int(offset * rect.h);
    } else if (way.y < 0) {
        rect.y = to_int(level_.screen.h - rect.h * (1 + offset));
    }
    sprite.lastmove = 0;
}

template <class Draws>
void Engine<Draws>::turn_around(EffectCall& call) {
    const Ref a = call.a;
    sp(a).rect = last(a);
    for (int i = 0; i < 2; ++i) {
        sp(a).lastmove = def(a.type).cooldown;
        active(a, kDown, sp(a).speed);
    }
    reverse_direction(call);
}

template <class Draws>
void Engine<Draws>::bounce_forward(EffectCall& call) {
    const Sprite& other = sp(call.b);
    Vec way = way_gone(call.b);
    const Vec facing = other.orientation;
    if (way.x * facing.x < 0) way.x = -way.x;
    if (way.y * facing.y < 0) way.y = -way.y;
    active(call.a, way, other.speed);
    sp(call.a).orientation = way;
}

template <class Draws>
void Engine<Draws>::pull_with_it(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    if (!spend(static_cast<std::int64_t>(work_.pulled.size()) / 8)) return;
    for (const Workspace::Pulled& pulled : work_.pulled) {
        if (pulled.rule == call.number && pulled.id == sprite.id) return;
    }
    work_.pulled.push_back({call.number, sprite.id});
    const Sprite& other = sp(call.b);
    const bool cont = is_cont(call.a.type);
    constexpr double kContCell = 10.0;
    const int pixels = to_int(other.speed * (cont ? kContCell : block()));
    try_move(sprite, def(call.a.type).cooldown, way_gone(call.b), pixels);
    if (cont) {
        sprite.rect.y = add(other.rect.y, -std::int64_t{other.rect.h});
        sprite.orientation.y = 0.0;
    }
    if (call.rule.pixelPerfect) sprite.rect = other.rect;
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
void Engine<Draws>::teleport_to_exit(EffectCall& call) {
    const int exit = itype(call.b);
    if (exit == kNoType) {
        message();
        return;
    }
    const int n = count(exit);
    if (!spend(extent(exit))) return;
    if (n == 0) {
        kill(call.a);
        return;
    }
    int drawn = one_of(n);
    Ref chosen = kNobody;
    for_exact(exit, [&](Ref ref) {
        if (drawn-- == 0) chosen = ref;
    });
    const Sprite& there = sp(chosen);
    Sprite& sprite = sp(call.a);
    sprite.rect = there.rect;
    sprite.lastmove = 0;
    if (there.is(kOriented)) sprite.orientation = there.orientation;
}

template <class Draws>
void Engine<Draws>::align(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    const Sprite& other = sp(call.b);
    sprite.rect.x = other.rect.x;
    sprite.rect.y = other.rect.y;
    if (call.rule.orient) sprite.orientation = other.orientation;
}

template <class Draws>
void Engine<Draws>::attract_gaze(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    const Sprite& other = sp(call.b);
    if (!sprite.is(kOriented) || !other.is(kOriented)) return;
    if (!happens(call.rule.prob)) return;
    sprite.orientation = other.orientation;
    if (!call.rule.align) return;
    if (sprite.orientation == kLeft || sprite.orientation == kRight) {
        sprite.rect.y = other.rect.y;
    } else {
        sprite.rect.x = other.rect.x;
    }
}

template <class Draws>
void Engine<Draws>::reverse_direction(EffectCall& call) {
    Vec& way = sp(call.a).orientation;
    way = {-way.x, -way.y};
}

template <class Draws>
void Engine<Draws>::flip_direction(EffectCall& call) {
    sp(call.a).orientation = random_direction();
}

// Effects that change speed or gravity

template <class Draws>
void Engine<Draws>::half_speed(EffectCall& call) {
    sp(call.a).speed *= 0.5;
}

template <class Draws>
void Engine<Draws>::water_physics(EffectCall& call) {
    const int body = lay(call.a.type).body;
    if (body) part<Body>(sp(call.a), body).gravity = 0.2;
}

template <class Draws>
void Engine<Draws>::increase_speed_to_all(EffectCall& call) {
    const double value = call.rule.value;
    for_all(call.rule.stype, [&](Ref ref) { sp(ref).speed = bounded(sp(ref).speed + value); });
}

template <class Draws>
void Engine<Draws>::decrease_speed_to_all(EffectCall& call) {
    const double value = call.rule.value;
    for_all(call.rule.stype,
            [&](Ref ref) { sp(ref).speed = std::max(0.0, sp(ref).speed - value); });
}

template <class Draws>
void Engine<Draws>::set_speed_for_all(EffectCall& call) {
    const double value = call.rule.value;
    for_all(call.rule.stype, [&](Ref ref) { sp(ref).speed = value; });
}

// Effects that create

template <class Draws>
void Engine<Draws>::spawn(EffectCall& call) {
    const bool done = happens(call.rule.prob);
    if (done) create_at(call.rule.stype, call.a);
    score_always(call, done);
}

template <class Draws>
void Engine<Draws>::spawn_if_has_more(EffectCall& call) {
    const RuleDef& rule = call.rule;
    score_if(call, false);
    if (!happens(rule.prob)) return;
    if (amount(call.a, rule.resource) < rule.limit) return;
    create_at(rule.stype, call.a);
    if (rule.spend != 0 && holds(call.a, rule.resource)) take(call.a, rule.resource, rule.spend);
    score_if(call, true);
}

template <class Draws>
void Engine<Draws>::spawn_if_has_less(EffectCall& call) {
    const RuleDef& rule = call.rule;
    score_if(call, false);
    if (!happens(rule.prob)) return;
    if (amount(call.a, rule.resource) > rule.limit) return;
    create_at(rule.stype, call.a);
    score_if(call, true);
}

template <class Draws>
void Engine<Draws>::spawn_behind(EffectCall& call) {
    if (!happens(call.rule.prob)) return;
    const Rect before = last(call.b);
    if (!overlap(before, sp(call.b).rect)) create(call.rule.stype, before.x, before.y);
}

template <class Draws>
void Engine<Draws>::spawn_beside(const EffectCall& call, int way) {
    if (!happens(call.rule.prob)) return;
    Rect from = sp(call.b).rect;
    if (call.rule.stepBack) {
        if (overlap(last(call.b), from)) return;
        from = last(call.b);
    }
    const int block = level_.def.block;
    create(call.rule.stype, add(from.x, kStepX[way] * block), add(from.y, kStepY[way] * block));
}

template <class Draws>
void Engine<Draws>::spawn_above(EffectCall& call) {
    spawn_beside(call, kUpWay);
}

template <class Draws>
void Engine<Draws>::spawn_below(EffectCall& call) {
    spawn_beside(call, kDownWay);
}

template <class Draws>
void Engine<Draws>::spawn_left(EffectCall& call) {
    spawn_beside(call, kLeftWay);
}

template <class Draws>
void Engine<Draws>::spawn_right(EffectCall& call) {
    spawn_beside(call, kRightWay);
}

template <class Draws>
void Engine<Draws>::spawn_if_counter_sub_types(EffectCall& call) {
    const RuleDef& rule = call.rule;
    const bool done = live(rule.stypeCount) == rule.limit &&
                      live_subtypes(rule.stypeCount) / 2 == rule.subTypesNum;
    create_at(done ? rule.stype : rule.estype, call.a);
    score_if(call, done);
    set_flag(call.number, kCount, done);
}

template <class Draws>
void Engine<Draws>::clone_sprite(EffectCall& call) {
    create_at(call.a.type, call.a);
}

// Effects that turn sprites into others

// What the new sprite takes over from the old one, which dies.
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
void Engine<Draws>::turn_into(const EffectCall& call, Ref ref, int type, bool force) {
    const Ref made = create_at(type, ref, force);
    if (made) transform(ref, made, call.b, call.rule, true);
}

template <class Draws>
void Engine<Draws>::transform_to(EffectCall& call) {
    if (!sp(call.a).is(kDisabled)) turn_into(call, call.a, call.rule.stype);
}

template <class Draws>
void Engine<Draws>::transform_to_all(EffectCall& call) {
    for_exact(call.rule.stype, [&](Ref ref) { turn_into(call, ref, call.rule.stypeTo, true); });
}

template <class Draws>
void Engine<Draws>::transform_to_singleton(EffectCall& call) {
    const RuleDef& rule = call.rule;
    for_exact(rule.stype, [&](Ref ref) {
        const Ref made = create_at(rule.stype_other, ref);
        if (made) transform(ref, made, kNobody, rule, false);
    });
    const Ref made = create_at(rule.stype, call.a);
    if (!made) return;
    transform(call.a, made, kNobody, rule, false);
    if (rule.takeOrientation) {
        Sprite& fresh = sp(made);
        const Vec way = sp(call.b).orientation;
        fresh.put(kOriented, true);
        fresh.orientation = {-way.x, -way.y};
    }
}

template <class Draws>
void Engine<Draws>::transform_if_count(EffectCall& call) {
    const RuleDef& rule = call.rule;
    const int n = number_of(rule.stypeCount);
    const bool done = n >= rule.geq && n <= rule.leq;
    score_if(call, done);
    set_flag(call.number, kCount, done);
    set_flag(call.number, kCountElse, !done && rule.estype != kNoType);
    turn_into(call, call.a, done ? rule.stype : rule.estype, true);
}

template <class Draws>
void Engine<Draws>::transform_to_random_child(EffectCall& call) {
    const int parent = call.rule.stype;
    const Numbers& children = def(parent).subtypes;
    const auto n = static_cast<std::int32_t>(children.size()) - 1;
    if (n <= 0) return;
    std::int32_t drawn = one_of(n);
    int type = kNoType;
    for (const int child : children) {
        if (child == parent) continue;
        if (drawn-- == 0) type = child;
    }
    if (type == kNoType) return;
    if (!def(type).cls) message();
    turn_into(call, call.a, type);
}

// Effects on resources

// The resource that a sprite gives to the one that collects it.
template <class Draws>
inline int Engine<Draws>::given_resource(int number) const noexcept {
    const TypeDef& type = def(number);
    const bool is_pack = type.cls == Class::Resource || type.cls == Class::ResourcePack;
    if (!type.is_resource || !is_pack || type.resource_name.empty()) return kNoType;
    return type.resource_name[0];
}

template <class Draws>
void Engine<Draws>::collect_resource(EffectCall& call) {
    const int resource = given_resource(call.a.type);
    if (resource == kNoType) return;
    const int held = amount(call.b, resource);
    const int limit = resource_limit(resource);
    const bool done = held < limit;
    if (done) {
        const int value = def(call.a.type).value;
        set_amount(call.b, resource, add(held, std::min(value, limit - held)));
        if (call.rule.killResource) kill(call.a, true);
    }
    score_if(call, done);
}

template <class Draws>
void Engine<Draws>::collect_resource_if_held(EffectCall& call) {
    const RuleDef& rule = call.rule;
    const int resource = given_resource(call.a.type);
    if (resource == kNoType) return;
    score_if(call, false);
    if (amount(call.b, rule.heldResource) < whole(rule.value)) return;
    const int then = add(amount(call.b, resource), def(call.a.type).value);
    const bool done = then <= resource_limit(resource);
    if (done) set_amount(call.b, resource, then);
    if (rule.killResource) kill(call.a, true);
    score_if(call, done);
}

template <class Draws>
void Engine<Draws>::change_resource(EffectCall& call) {
    const RuleDef& rule = call.rule;
    const int then = add(amount(call.a, rule.resource), whole(rule.value));
    const bool done = then <= resource_limit(rule.resource);
    if (done) {
        set_amount(call.a, rule.resource, std::max(0, then));
        if (rule.killResource && call.b) kill(call.b, game_.has(kKillAvatarForGood));
    }
    score_if(call, done);
}

// Effects on health and scores

template <class Draws>
void Engine<Draws>::add_health_points(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    const int then = add(sprite.health, whole(call.rule.value));
    const bool done = then < def(call.a.type).limitHealthPoints;
    if (done) {
        sprite.health = then;
        sprite.max_health = std::max(sprite.max_health, sprite.health);
        if (call.rule.killSecond && call.b) kill(call.b);
    }
    score_if(call, done);
}

template <class Draws>
void Engine<Draws>::add_health_points_to_max(EffectCall& call) {
    Sprite& sprite = sp(call.a);
    const int then = add(sprite.health, whole(call.rule.value));
    sprite.health = std::min(def(call.a.type).limitHealthPoints, then);
    sprite.max_health = std::max(sprite.max_health, sprite.health);
    if (call.rule.killSecond && call.b) kill(call.b);
}

template <class Draws>
void Engine<Draws>::subtract_health_points(EffectCall& call) {
    const RuleDef& rule = call.rule;
    Ref target = call.a;
    if (rule.stype != kNoType) {
        target = kNobody;
        for (const int type : subtypes(rule.stype)) {
            if (count(type) > 0) target = {type, 0};
        }
    } else if (!target) {
        message();
    }
    if (!target) return;
    Sprite& sprite = sp(target);
    sprite.health = add(sprite.health, -std::int64_t{whole(rule.value)});
    if (sprite.health > rule.limit) return;
    kill(target);
    call.killed = true;
}

template <class Draws>
void Engine<Draws>::remove_score(EffectCall& call) {
    const auto clear = [&](Ref ref) {
        if (!lay(ref.type).is_avatar) return;
        const int player = sp(ref).player;
        if (player >= 0) state_.player(player).score = 0.0;
        if (call.rule.killSecond && call.b) kill(call.b, game_.has(kKillAvatarForGood));
    };
    if (call.rule.stype != kNoType) {
        for_exact(call.rule.stype, clear);
    } else if (call.a) {
        clear(call.a);
    } else {
        message();
    }
}

// Effects on the rules of the game

template <class Draws>
void Engine<Draws>::update_spawn_type(EffectCall& call) {
    const int product = call.rule.stype;
    for_all(call.rule.spawnPoint, [&](Ref ref) {
        const TypeLayout& layout = lay(ref.type);
        if (!layout.spawner) return;
        Sprite& sprite = sp(ref);
        if (layout.products) {
            auto* const products = &part<std::int32_t>(sprite, layout.products);
            for (std::size_t i = 0; i < def(ref.type).stypeMissile.size(); ++i) {
                if (products[i] == call.b.type) products[i] = product;
            }
        } else {
            part<Spawner>(sprite, layout.spawner).product = product;
        }
    });
}

template <class Draws>
void Engine<Draws>::shield_from(EffectCall& call) {
    work_.shields.push_back({call.a.type, call.rule.stype, call.rule.shields});
}

template <class Draws>
void Engine<Draws>::add_timer(EffectCall& call) {
    set_timer({add(current_tick(), call.rule.timer), call.number, kNoType});
}

#define INSTANTIATE(Draws)                                                      \
    template void Engine<Draws>::meet(Ref, Ref);                                \
    template void Engine<Draws>::execute(int, Ref, Ref);                        \
    template void Engine<Draws>::execute_batch(int, Ref, std::span<const Ref>); \
    template void Engine<Draws>::run(EffectCall&);                              \
    template void Engine<Draws>::settle_scores(int, int, bool);                 \
    template bool Engine<Draws>::flag(int, int) const noexcept;                 \
    template bool Engine<Draws>::holds(Ref, int) const noexcept;                \
    template int Engine<Draws>::amount(Ref, int) const noexcept;                \
    template void Engine<Draws>::set_amount(Ref, int, int) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl

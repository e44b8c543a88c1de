#include "analysis.hpp"

#include <algorithm>
#include <set>

#include "state.hpp"

namespace ludex::vgdl {
namespace {

bool is_spawner(Class cls) noexcept {
    return cls >= Class::SpawnPoint && cls <= Class::SpawnPointMultiSprite;
}
bool is_path_alternating(Class cls) noexcept {
    return cls == Class::PathAltChaser || cls == Class::RandomPathAltChaser;
}
bool turns(Class cls) noexcept {
    switch (cls) {
        case Class::AimedAvatar:
        case Class::BirdAvatar:
        case Class::CarAvatar:
        case Class::LanderAvatar:
        case Class::SpaceshipAvatar:
            return true;
        default:
            return false;
    }
}
bool tests_ground(Class cls) noexcept {
    return cls == Class::Walker || cls == Class::WalkerJumper || cls == Class::PlatformerAvatar ||
           cls == Class::WizardAvatar;
}

// The types that a rule can create.
void created_by(const GameDef& game, const RuleDef& rule, int first, std::set<int>& out) {
    switch (rule.effect) {
        case Effect::transformToAll:
            out.insert(rule.stypeTo);
            break;
        case Effect::transformToSingleton:
            out.insert(rule.stype_other);
            out.insert(rule.stype);
            break;
        case Effect::transformToRandomChild:
            for (const int sub : game.types[slot(rule.stype)].subtypes) out.insert(sub);
            break;
        case Effect::cloneSprite:
            if (first >= 0) {
                for (const int sub : game.types[slot(first)].subtypes) out.insert(sub);
            }
            break;
        case Effect::addTimer:
            created_by(game, game.rules[slot(rule.inner)], kNoType, out);
            break;
        case Effect::updateSpawnType:
        case Effect::spawn:
        case Effect::spawnIfHasMore:
        case Effect::spawnIfHasLess:
        case Effect::spawnBehind:
        case Effect::spawnAbove:
        case Effect::spawnBelow:
        case Effect::spawnLeft:
        case Effect::spawnRight:
        case Effect::spawnIfCounterSubTypes:
        case Effect::transformTo:
        case Effect::transformIfCount:
            out.insert(rule.stype);
            out.insert(rule.estype);
            break;
        default:
            break;
    }
}

// Every type a sprite of which can be created after the start.
std::set<int> created_types(const GameDef& game) {
    std::set<int> found;
    const auto visit_rule = [&](int number, int first) {
        created_by(game, game.rules[slot(number)], first, found);
    };
    for (const PairDef& pair : game.pairs) {
        for (const int number : pair.rules) visit_rule(number, pair.first);
    }
    for (std::size_t type = 0; type < game.edge_rules.size(); ++type) {
        for (const int number : game.edge_rules[type]) visit_rule(number, static_cast<int>(type));
    }
    for (const TimedDef& timed : game.timed) visit_rule(timed.rule, timed.type);
    for (const TypeDef& type : game.types) {
        for (const Numbers* products :
             {&type.stype, &type.stypes, &type.stypeMissile, &type.spawnBehind}) {
            found.insert(products->begin(), products->end());
        }
        if (type.cls == Class::OngoingTurningAvatar && type.spawnBehind.empty()) found.insert(0);
        if (type.cls == Class::Spreader && type.stype.empty()) {
            found.insert(static_cast<int>(&type - game.types.data()));
        }
    }
    found.erase(kNoType);
    return found;
}

// What can happen to a sprite; `move`: it can also be moved, turned or sped up.
enum class Touch : std::uint8_t { none, kill, change, move };

Touch touch_first(const RuleDef& rule) noexcept {
    switch (rule.effect) {
        case Effect::killSprite:
        case Effect::killBoth:
        case Effect::killIfHasLess:
        case Effect::killIfHasMore:
        case Effect::killIfOtherHasMore:
        case Effect::killIfFromAbove:
        case Effect::killIfFrontal:
        case Effect::killIfNotFrontal:
        case Effect::killIfAlive:
        case Effect::killIfFast:
        case Effect::killIfSlow:
        case Effect::killIfNotUpright:
        case Effect::transformTo:
        case Effect::transformToSingleton:
        case Effect::transformIfCount:
        case Effect::transformToRandomChild:
        case Effect::collectResource:
        case Effect::collectResourceIfHeld:
            return Touch::kill;
        case Effect::killAll:
        case Effect::stepBack:  // to where it has always been
        case Effect::undoAll:
        case Effect::spawn:
        case Effect::spawnIfHasLess:
        case Effect::spawnBehind:
        case Effect::spawnAbove:
        case Effect::spawnBelow:
        case Effect::spawnLeft:
        case Effect::spawnRight:
        case Effect::spawnIfCounterSubTypes:
        case Effect::cloneSprite:
        case Effect::transformToAll:
        case Effect::increaseSpeedToAll:
        case Effect::decreaseSpeedToAll:
        case Effect::setSpeedForAll:
        case Effect::updateSpawnType:
        case Effect::removeScore:
        case Effect::shieldFrom:
        case Effect::addTimer:
            return Touch::none;
        case Effect::spawnIfHasMore:
            return rule.spend != 0 ? Touch::change : Touch::none;
        case Effect::subtractHealthPoints:
            return rule.stype == kNoType ? Touch::change : Touch::none;
        case Effect::changeResource:
        case Effect::addHealthPoints:
        case Effect::addHealthPointsToMax:
            return Touch::change;
        default:
            return Touch::move;
    }
}

// Effects that put a sprite back where it was before the tick. Only one that was made in this
// tick, out of another, can have been elsewhere without having moved.
bool puts_back_first(Effect effect) noexcept { return effect == Effect::stepBack; }
bool puts_back_second(Effect effect) noexcept {
    return effect == Effect::wallBounce || effect == Effect::wallReverse;
}

Touch touch_second(const RuleDef& rule) noexcept {
    switch (rule.effect) {
        case Effect::collectResource:
        case Effect::collectResourceIfHeld:
            return Touch::change;
        case Effect::killIfOtherHasMore:
            return rule.subtract ? Touch::change : Touch::none;
        case Effect::killBoth:
            return Touch::kill;
        default:
            return rule.killSecond || rule.killResource ? Touch::kill : Touch::none;
    }
}

// What the rules can do to the sprites of each type.
class Touches {
public:
    explicit Touches(const GameDef& game)
        : game_(game),
          worst_(game.types.size(), Touch::none),
          put_back_(game.types.size(), has_undo(game)) {
        for (const PairDef& pair : game.pairs) {
            for (const int number : pair.rules) {
                const RuleDef& rule = game.rules[slot(number)];
                mark(pair.first, touch_first(rule), true);
                mark(pair.second, touch_second(rule), true);
                mark_others(rule);
                if (puts_back_first(rule.effect)) mark_put_back(pair.first);
                if (puts_back_second(rule.effect)) mark_put_back(pair.second);
            }
        }
        // Settled sprites are inside the screen, so rules at the edge do not reach them.
        for (const Numbers& rules : game.edge_rules) {
            for (const int number : rules) mark_others(game.rules[slot(number)]);
        }
        for (const TimedDef& timed : game.timed) {
            const RuleDef& rule = game.rules[slot(timed.rule)];
            mark(timed.type, touch_first(rule), true);
            mark_others(rule);
            if (puts_back_first(rule.effect)) mark_put_back(timed.type);
        }
        for (std::size_t type = 0; type < game.edge_rules.size(); ++type) {
            for (const int number : game.edge_rules[type]) {
                mark_at_edge(static_cast<int>(type), game.rules[slot(number)]);
            }
        }
    }
    [[nodiscard]] Touch worst(std::size_t type) const noexcept { return worst_[type]; }
    // The same for sprites that need not be inside the screen, or can be made in a tick.
    [[nodiscard]] bool can_move(std::size_t type, bool inside, bool made) const noexcept {
        return worst_[type] == Touch::move || (made && put_back_[type]) ||
               (!inside && at_edge_.contains(static_cast<int>(type)));
    }

private:
    static bool has_undo(const GameDef& game) {
        return std::any_of(game.rules.begin(), game.rules.end(),
                           [](const RuleDef& rule) { return rule.effect == Effect::undoAll; });
    }
    void mark_put_back(int type) {
        if (type == kNoType) return;
        for (const int sub : game_.types[slot(type)].subtypes) put_back_[slot(sub)] = true;
    }
    void mark_at_edge(int type, const RuleDef& rule) {
        if (touch_first(rule) != Touch::move && !puts_back_first(rule.effect)) return;
        for (const int sub : game_.types[slot(type)].subtypes) at_edge_.insert(sub);
    }
    void mark(int type, Touch touch, bool with_subtypes) {
        if (type == kNoType || touch == Touch::none) return;
        if (!with_subtypes) {
            worst_[slot(type)] = std::max(worst_[slot(type)], touch);
            return;
        }
        for (const int sub : game_.types[slot(type)].subtypes)
            worst_[slot(sub)] = std::max(worst_[slot(sub)], touch);
    }
    // Effects on types that need not be there.
    void mark_others(const RuleDef& rule) {
        switch (rule.effect) {
            case Effect::killAll:
            case Effect::transformToAll:
            case Effect::transformToSingleton:
                mark(rule.stype, Touch::kill, false);
                break;
            case Effect::increaseSpeedToAll:
            case Effect::decreaseSpeedToAll:
            case Effect::setSpeedForAll:
                mark(rule.stype, Touch::move, true);
                break;
            case Effect::subtractHealthPoints:
                mark(rule.stype, Touch::change, true);
                break;
            case Effect::addTimer:
                mark_others(game_.rules[slot(rule.inner)]);
                break;
            default:
                break;
        }
    }

    const GameDef& game_;
    std::vector<Touch> worst_;
    std::vector<bool> put_back_;
    std::set<int> at_edge_;  // types that rules at the edge can move
};

// Whether the class alone leaves a sprite where it is.
bool stands_still(const TypeDef& type) noexcept {
    switch (*type.cls) {
        case Class::Immovable:
        case Class::Passive:
        case Class::Door:
        case Class::Conveyor:
        case Class::Resource:
        case Class::ResourcePack:
        case Class::Portal:
        case Class::SpriteProducer:
            break;
        default:
            return false;
    }
    if (type.timeToLive >= 0 || type.is_from_avatar) return false;
    if (type.is_static || type.only_active || type.speed == 0.0) return true;
    return type.physicstype == 0 && !type.is_oriented;
}

void find_resources(const GameDef& game, Layout& layout) {
    std::set<int> found;
    for (const TypeDef& type : game.types) {
        found.insert(type.resource_name.begin(), type.resource_name.end());
        if (type.is_avatar()) found.insert(type.ammo.begin(), type.ammo.end());
    }
    for (const RuleDef& rule : game.rules) {
        found.insert(rule.resource);
        found.insert(rule.heldResource);
    }
    found.erase(kNoType);
    layout.resource_slot.assign(game.types.size(), -1);
    for (const int type : found) layout.resource_slot[slot(type)] = layout.resources++;
}

// Whether all sprites of a type that the level places lie inside the screen, and are not so large
// that finding them by cells would not pay.
bool placed_inside(const LevelDef& level, const TypeLayout& type, int number) {
    constexpr int kWidest = 8;  // in cells
    if (type.width <= 0 || type.height <= 0) return false;
    if (std::max(type.width, type.height) > kWidest * level.block) return false;
    return std::all_of(level.places.begin(), level.places.end(), [&](const LevelDef::Place& place) {
        return place.type != number ||
               (place.column * level.block + type.width <= level.width * level.block &&
                place.row * level.block + type.height <= level.height * level.block);
    });
}

// Rules whose score and counter flags change while they run.
bool changes_flags(Effect effect) noexcept {
    switch (effect) {
        case Effect::killIfHasLess:
        case Effect::killIfHasMore:
        case Effect::killIfOtherHasMore:
        case Effect::killIfFromAbove:
        case Effect::killIfFrontal:
        case Effect::killIfNotFrontal:
        case Effect::spawnIfHasMore:
        case Effect::spawnIfHasLess:
        case Effect::spawnIfCounterSubTypes:
        case Effect::transformIfCount:
        case Effect::collectResource:
        case Effect::collectResourceIfHeld:
        case Effect::changeResource:
        case Effect::addHealthPoints:
            return true;
        default:
            return false;
    }
}

// Rules whose score the reference counts even when they do nothing.
bool scores_anyway(Effect effect) noexcept {
    switch (effect) {
        case Effect::spawn:
        case Effect::killIfAlive:
        case Effect::killIfFast:
        case Effect::killIfSlow:
        case Effect::killIfNotUpright:
            return true;
        default:
            return false;
    }
}

}  // namespace

Moves moves_of(Effect effect) noexcept {
    switch (effect) {
        case Effect::undoAll:
        case Effect::wallBounce:
        case Effect::wallReverse:
            return Moves::any;
        case Effect::stepBack:
        case Effect::wrapAround:
        case Effect::turnAround:
        case Effect::bounceForward:
        case Effect::pullWithIt:
        case Effect::teleportToExit:
        case Effect::align:
        case Effect::attractGaze:
        case Effect::wallStop:
            return Moves::first;
        default:
            return Moves::nothing;
    }
}

bool is_idle_on_settled(const RuleDef& rule) noexcept {
    return rule.effect == Effect::stepBack && !rule.scores && !rule.counts;
}

namespace {

// Where the parts of a sprite lie that only some types have, and how long the whole is.
void lay_out_parts(const TypeDef& def, bool has_water, int resources, TypeLayout& type) {
    int size = sizeof(Sprite);
    const auto reserve = [&size](bool needed, std::size_t bytes) {
        if (!needed) return 0;
        const int offset = size;
        size += static_cast<int>(State::round_up(bytes));
        return offset;
    };
    const Class cls = *def.cls;
    type.body = reserve(turns(cls) || has_water, sizeof(Body));
    type.spawner = reserve(is_spawner(cls), sizeof(Spawner));
    type.follower = reserve(is_path_alternating(cls), sizeof(Follower));
    type.products =
        reserve(cls == Class::BomberRandomMissile, def.stypeMissile.size() * sizeof(std::int32_t));
    type.last = reserve(type.last_in == LastIn::record, sizeof(Rect));
    type.life = reserve(def.timeToLive >= 0, sizeof(std::int32_t));
    type.bag = reserve(resources > 0, slot(resources) * sizeof(std::int32_t));
    type.stride = size;
}

// The types of each type that the level can have, and which of them are updated in a tick.
void list_types(const GameDef& game, Layout& layout) {
    layout.subtypes.resize(game.types.size());
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        for (const int sub : game.types[i].subtypes) {
            if (layout.types[slot(sub)].section >= 0) layout.subtypes[i].push_back(sub);
        }
    }
    for (auto type = game.order.rbegin(); type != game.order.rend(); ++type) {
        const TypeLayout& one = layout.types[slot(*type)];
        if (one.section < 0 || one.is_avatar || one.is_settled) continue;
        (one.rests ? layout.resting : layout.updated).push_back(*type);
    }
}

// Avatars and what they make tell whom they meet.
void find_meetings(const GameDef& game, Layout& layout) {
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        const TypeDef& def = game.types[i];
        if (!def.is_avatar() && !def.is_from_avatar) continue;
        layout.types[i].tells_meetings = true;
        if (!def.is_avatar()) continue;
        for (const int product : def.stype) {
            if (product != kNoType) layout.types[slot(product)].tells_meetings = true;
        }
    }
}

void lay_out_flags(const GameDef& game, const Touches& touches, const std::vector<int>& placed,
                   Layout& layout) {
    layout.flag_of_rule.assign(game.rules.size(), -1);
    for (std::size_t i = 0; i < game.rules.size(); ++i) {
        const Effect effect = game.rules[i].effect;
        const bool strict = !game.has(kScoreAnyway) && scores_anyway(effect);
        if (changes_flags(effect) || strict) layout.flag_of_rule[i] = layout.flags++;
    }
    // One more flag for each type whose first sprite logs messages.
    layout.first_message_flag = layout.flags;
    layout.flags += static_cast<int>(layout.message_types.size());
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        TypeLayout& type = layout.types[i];
        if (type.section >= 0 && !type.is_settled) layout.moving.push_back(type.section);
        if (!type.is_settled || touches.worst(i) == Touch::none) continue;
        type.alive = layout.flags;
        layout.flags += (placed[i] + 7) / 8;
    }
}

}  // namespace

Layout analyse(const GameDef& game, const LevelDef& level) {
    Layout layout;
    layout.types.resize(game.types.size());
    find_resources(game, layout);
    const std::set<int> created = created_types(game);
    const Touches touches(game);
    std::vector<bool> possible(game.types.size(), false);
    std::vector<int> placed(game.types.size(), 0);
    for (const int type : created) possible[slot(type)] = true;
    for (const LevelDef::Place& place : level.places) {
        possible[slot(place.type)] = true;
        ++placed[slot(place.type)];
    }
    const bool has_water =
        std::any_of(game.rules.begin(), game.rules.end(),
                    [](const RuleDef& rule) { return rule.effect == Effect::waterPhysics; });
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        const TypeDef& def = game.types[i];
        TypeLayout& type = layout.types[i];
        type.width = to_int(level.block * def.wMult);
        type.height = to_int(level.block * def.hMult);
        type.is_avatar = def.is_avatar();
        type.is_updated = std::find(game.order.begin(), game.order.end(), static_cast<int>(i)) !=
                          game.order.end();
        if (!possible[i] || !def.cls) continue;
        const Class cls = *def.cls;
        type.section = static_cast<int>(layout.section_types.size());
        layout.section_types.push_back(static_cast<int>(i));
        type.tests_ground = tests_ground(cls);
        const bool made = created.contains(static_cast<int>(i));
        const bool inside = placed_inside(level, type, static_cast<int>(i)) && !made;
        type.rests = stands_still(def) && !touches.can_move(i, inside, made);
        type.is_settled = type.rests && inside && touches.worst(i) <= Touch::kill;
        const bool outlives = type.is_avatar || (!type.is_updated && (made || !type.rests));
        type.last_in = outlives      ? LastIn::record
                       : !type.rests ? LastIn::workspace
                       : made        ? LastIn::made
                                     : LastIn::rect;
        if (type.is_avatar) type.actions = actions_of(cls);
        lay_out_parts(def, has_water, layout.resources, type);
        layout.has_followers = layout.has_followers || type.follower != 0;
        if (def.unknown_keys > 0) layout.message_types.push_back(static_cast<int>(i));
    }
    list_types(game, layout);
    find_meetings(game, layout);
    lay_out_flags(game, touches, placed, layout);
    return layout;
}

}  // namespace ludex::vgdl

#include "analysis.hpp"

#include <algorithm>
#include <set>

#include "state.hpp"

namespace ludex::vgdl {
namespace {

std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

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
            for (const int sub : game.types[at(rule.stype)].subtypes) out.insert(sub);
            break;
        case Effect::cloneSprite:
            if (first >= 0) {
                for (const int sub : game.types[at(first)].subtypes) out.insert(sub);
            }
            break;
        case Effect::addTimer:
            created_by(game, game.rules[at(rule.inner)], kNoType, out);
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

// Every type a sprite of which can exist at some time.
std::vector<bool> possible_types(const GameDef& game, const LevelDef& level) {
    std::set<int> found;
    for (const LevelDef::Place& place : level.places) found.insert(place.type);
    const auto visit_rule = [&](int number, int first) {
        created_by(game, game.rules[at(number)], first, found);
    };
    for (const PairDef& pair : game.pairs) {
        for (const int number : pair.rules) visit_rule(number, pair.first);
    }
    for (std::size_t type = 0; type < game.edge_rules.size(); ++type) {
        for (const int number : game.edge_rules[type]) visit_rule(number, static_cast<int>(type));
    }
    for (const TimedDef& timed : game.timed) visit_rule(timed.rule, timed.type);
    for (const TypeDef& type : game.types) {
        for (const Numbers* products : {&type.stype, &type.stypes, &type.stypeMissile, &type.spawnBehind}) {
            found.insert(products->begin(), products->end());
        }
        if (type.cls == Class::OngoingTurningAvatar && type.spawnBehind.empty()) found.insert(0);
    }
    std::vector<bool> possible(game.types.size(), false);
    for (const int type : found) {
        if (type >= 0 && game.types[at(type)].cls) possible[at(type)] = true;
    }
    return possible;
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
    for (const int type : found) layout.resource_slot[at(type)] = layout.resources++;
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

}  // namespace

Layout analyse(const GameDef& game, const LevelDef& level) {
    Layout layout;
    layout.types.resize(game.types.size());
    find_resources(game, layout);
    const std::vector<bool> possible = possible_types(game, level);
    const bool has_water = std::any_of(game.rules.begin(), game.rules.end(), [](const RuleDef& rule) {
        return rule.effect == Effect::waterPhysics;
    });
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        const TypeDef& def = game.types[i];
        TypeLayout& type = layout.types[i];
        type.width = to_int(level.block * def.wMult);
        type.height = to_int(level.block * def.hMult);
        type.is_avatar = def.is_avatar();
        type.is_updated =
            std::find(game.order.begin(), game.order.end(), static_cast<int>(i)) != game.order.end();
        if (!possible[i]) continue;
        const Class cls = *def.cls;
        type.section = static_cast<int>(layout.section_types.size());
        layout.section_types.push_back(static_cast<int>(i));
        type.tests_ground = tests_ground(cls);
        type.keeps_last = type.is_avatar || !type.is_updated;
        if (type.is_avatar) type.actions = actions_of(cls);
        int size = sizeof(Sprite);
        const auto reserve = [&size](bool needed, std::size_t bytes) {
            if (!needed) return 0;
            const int place = size;
            size += static_cast<int>(State::round_up(bytes));
            return place;
        };
        type.body = reserve(turns(cls) || has_water, sizeof(Body));
        type.spawner = reserve(is_spawner(cls), sizeof(Spawner));
        type.follower = reserve(is_path_alternating(cls), sizeof(Follower));
        type.products =
            reserve(cls == Class::BomberRandomMissile, def.stypeMissile.size() * sizeof(std::int32_t));
        type.last = reserve(type.keeps_last, sizeof(Rect));
        type.life = reserve(def.timeToLive >= 0, sizeof(std::int32_t));
        type.bag = reserve(layout.resources > 0, at(layout.resources) * sizeof(std::int32_t));
        type.stride = size;
        layout.has_followers = layout.has_followers || type.follower != 0;
        if (def.unknown_keys > 0) layout.message_types.push_back(static_cast<int>(i));
    }
    layout.subtypes.resize(game.types.size());
    for (std::size_t i = 0; i < game.types.size(); ++i) {
        for (const int sub : game.types[i].subtypes) {
            if (layout.types[at(sub)].section >= 0) layout.subtypes[i].push_back(sub);
        }
    }
    for (auto type = game.order.rbegin(); type != game.order.rend(); ++type) {
        const TypeLayout& one = layout.types[at(*type)];
        if (one.section >= 0 && !one.is_avatar) layout.updated.push_back(*type);
    }
    layout.flag_of_rule.assign(game.rules.size(), -1);
    for (std::size_t i = 0; i < game.rules.size(); ++i) {
        if (changes_flags(game.rules[i].effect)) layout.flag_of_rule[i] = layout.flags++;
    }
    // One more flag for each type whose first sprite logs messages.
    layout.flags += static_cast<int>(layout.message_types.size());
    return layout;
}

}  // namespace ludex::vgdl

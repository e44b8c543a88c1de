// The rules of one game, immutable and complete, as the parser leaves them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry.hpp"
#include "ontology.hpp"

namespace ludex::vgdl {

using Numbers = std::vector<std::int32_t>;
inline constexpr int kNoType = -1;

enum Action : std::uint8_t {
    kNilAction,
    kUpAction,
    kLeftAction,
    kDownAction,
    kRightAction,
    kUseAction
};
inline constexpr int kActions = 6;

// One bit for each behaviour of the reference that a sane engine would not have.
enum Quirk : std::uint32_t {
    kMessageLimit = 1U << 3,          // Q3: more than 25 messages end the game
    kFirstTypeUnbound = 1U << 9,      // Q9: the first type of the order never gets a player
    kDisabledActs = 1U << 10,         // Q10: disabled sprites collide and attract
    kKilledActs = 1U << 12,           // Q12: sprites killed in this tick are still met
    kAlternateNeverFlees = 1U << 14,  // Q14
    kKillAvatarForGood = 1U << 19,    // Q19: killSecond removes an avatar
    kOneCounterLimit = 1U << 21,      // Q21
    kTimedAtOnce = 1U << 24,          // Q24: timed rules fire in tick 0
    kScoreAnyway = 1U << 25,          // Q25: score without the deed
    kSelfSpawnAborts = 1U << 26,      // Q26
    kReverseBinding = 1U << 27,       // Q27
    kNegativeBeatsZero = 1U << 29,    // Q29
};

struct TypeDef {
    std::string name;
    std::optional<Class> cls;  // none: a group, or a class that does not exist
    Numbers ancestors;         // from the root down, with itself
    Numbers subtypes;
    bool is_leaf = true;
    bool singleton = false;
    int unknown_keys = 0;

    double wMult = 1, hMult = 1, speed = 0, max_speed = -1, mass = 1, gravity = 0, friction = 0;
    double jump_strength = 0, rotation = 0, prob = 1, spreadprob = 1, maxDistance = -1;
    double epsilon = 0, probability = 0.1, angle_diff = 0, ground_speedup_factor = 1;
    double air_slowdown_factor = 2;
    int physicstype = 0, cooldown = 1, lastmove = 0, healthPoints = 0, maxHealthPoints = 0;
    int limitHealthPoints = 1000, timeToLive = -1, limit = 0, age = 0, value = 1, total = 0;
    int cons = 0, minAmmo = -1, ammoCost = 1;
    bool stationary = false, is_oriented = false, rotateInPlace = false, is_static = false;
    bool only_active = false, is_npc = false, is_resource = false, portal = false;
    bool is_from_avatar = false, solid = false, on_ground = false, isFirstTick = true;
    bool fleeing = false, airsteering = false, randomTarget = false;
    Vec orientation, spawnorientation;
    Numbers stype, ammo, stypes, stypeMissile, stype1, stype2, spawnBehind, resource_name;
    Numbers hidden, invisible;

    [[nodiscard]] bool is_avatar() const noexcept { return cls && *cls >= Class::MovingAvatar; }
    [[nodiscard]] int product() const noexcept { return stype.empty() ? kNoType : stype[0]; }
};

struct RuleDef {
    Effect effect = Effect::killSprite;
    bool enabled = true, applyScore = true, count = true, countElse = true;
    bool pixelPerfect = false, killSecond = false, killResource = false, subtract = false;
    bool orient = true, align = false, stepBack = false, forceOrientation = false;
    bool takeOrientation = false, repeating = false;
    int limit = 0, geq = 0, leq = 10000, subTypesNum = -1, spend = 0, timer = -1;
    int nextExecution = -1;
    double value = 0, prob = 1, offset = 0, limspeed = 1, maxBounceAngleDeg = 60;
    Numbers scoreChange, scoreChangeIfKilled, counter, counterElse, notStype;
    int stype = kNoType, estype = kNoType, stypeTo = kNoType, stype_other = kNoType;
    int stypeCount = kNoType, resource = kNoType, heldResource = kNoType, spawnPoint = kNoType;
    int shields = -1;  // shieldFrom: the number of the effect; -1 for none
    int inner = -1;    // addTimer: the rule to run later

    bool scores = false, counts = false;  // whether any number above is not 0
};

struct PairDef {
    int first = 0, second = 0;
    Numbers rules;
};

struct TimedDef {
    int type = kNoType;
    int rule = 0;
};

struct EndingDef {
    Termination condition = Termination::SpriteCounter;
    int limit = 0, subTypesNum = -1;
    int stype = kNoType, stype1 = kNoType, stype2 = kNoType, stype3 = kNoType;
    bool count_score = false, min = false, use_counter = false, compare = false;
    Numbers win, limits;
};

struct GameDef {
    std::vector<TypeDef> types;
    Numbers order;
    std::vector<RuleDef> rules;
    std::vector<PairDef> pairs;
    Numbers edges;
    std::vector<Numbers> edge_rules;  // by type
    std::vector<TimedDef> timed;
    std::vector<EndingDef> endings;
    int players = 1;
    int counters = 0;
    int messages = 0;
    bool paths = false;
    Numbers obstacles;
    std::uint32_t quirks = ~0U;

    [[nodiscard]] bool has(Quirk quirk) const noexcept { return (quirks & quirk) != 0; }
};

// The level as text gives it: what is created where.
struct LevelDef {
    struct Place {
        int type, column, row;
    };
    int width = 1, height = 1, block = 10;
    int messages = 0;
    std::vector<Place> places;
};

// Both return what is wrong with the text, or nothing.
[[nodiscard]] std::optional<std::string> read_game(std::string_view text, GameDef& game);
[[nodiscard]] std::optional<std::string> read_level(std::string_view text, const GameDef& game,
                                                    LevelDef& level);

// What an avatar class can do; bit a is action a. NIL is always in.
[[nodiscard]] std::uint8_t actions_of(Class cls) noexcept;

}  // namespace ludex::vgdl

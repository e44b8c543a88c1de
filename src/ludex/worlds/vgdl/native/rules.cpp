#include "rules.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ludex::vgdl {
namespace {

std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

// Shooting, wandering, chasing, spawning, pushing, collecting, transforming, timers: enough for
// a random walk to visit most of the engine.
constexpr std::string_view kTrialGame = R"(
game players=2 counters=2 messages=0 quirks=2147483647 paths=1 obstacles=0
type wall Immovable is_static=1 cooldown=1 ancestors=0 subtypes=0 solid=1
type avatar ShootAvatar speed=1.0 is_oriented=1 orientation=1.0,0.0 cooldown=1 ancestors=1 subtypes=1 stype=4 ammo=5 healthPoints=3 maxHealthPoints=3
type ghost RandomNPC is_npc=1 speed=1.0 cons=1 cooldown=2 ancestors=2 subtypes=2
type hunter PathChaser is_npc=1 speed=1.0 cooldown=3 stype=1 ancestors=3 subtypes=3
type shot Missile speed=1.0 is_oriented=1 cooldown=1 ancestors=4 subtypes=4 singleton=1
type coin Resource is_resource=1 value=1 limit=5 cooldown=1 ancestors=5 subtypes=5 resource_name=5
type nest SpawnPoint is_static=1 prob=0.3 cooldown=4 total=6 stype=2 ancestors=6 subtypes=6
type spark Flicker limit=2 cooldown=1 ancestors=7 subtypes=7
type box Passive cooldown=1 ancestors=8 subtypes=8
type bird Missile physicstype=1 speed=7.0 mass=1.5 gravity=0.5 friction=0.01 is_oriented=1 orientation=0.6,-0.8 cooldown=1 ancestors=9 subtypes=9
type seeker RandomPathAltChaser is_npc=1 epsilon=0.2 stype1=1 stype2=2 speed=1.0 cooldown=2 ancestors=10 subtypes=10
order 0,5,6,7,8,9,2,3,10,4,1
rule stepBack
rule killSprite scoreChange=2,-1 counter=1,0
rule killBoth scoreChange=1,1
rule collectResource scoreChange=1,1 killResource=1
rule bounceForward
rule undoAll
rule transformTo stype=7 scoreChange=0,1
rule wallBounce
rule wrapAround
rule subtractHealthPoints value=1.0 limit=0 scoreChangeIfKilled=-5,-5
rule addTimer timer=9 inner=12
rule spawn stype=5 prob=0.5
rule transformToAll stype=2 stypeTo=5
rule teleportToExit
rule reverseDirection
pair 1 0 0
pair 2 0 0
pair 3 0 0
pair 10 0 0
pair 2 4 1,11
pair 5 1 3
pair 8 1 4
pair 8 0 5
pair 8 8 5
pair 9 0 7
pair 1 2 9
pair 1 3 9
pair 4 0 6
pair 3 4 2
pair 5 4 10
edges 1,4,9,2,3
edge 1 0
edge 2 0
edge 3 0
edge 4 1
edge 9 8,14
timed 7 1
end SpriteCounter stype=1 limit=0 win=0,0
end MultiSpriteCounter stype1=5 stype2=6 limit=0 win=1,1
end Timeout limit=300 win=1,0
)";

constexpr std::string_view kTrialLevel[] = {
    "wwwwwwwwwwww", "w.A..c..B..w", "w..o....o..w", "w..www..h..w",
    "w.b.....s.nw", "w..c..g...cw", "wwwwwwwwwwww",
};

std::shared_ptr<const Level> trial_level() {
    GameDef game;
    [[maybe_unused]] const auto error = read_game(kTrialGame, game);
    assert(!error);
    LevelDef def;
    def.width = static_cast<int>(kTrialLevel[0].size());
    def.height = static_cast<int>(std::size(kTrialLevel));
    constexpr std::string_view kLetters = "wA?h?cn?obsBg";
    constexpr int kTypes[] = {0, 1, -1, 3, -1, 5, 6, -1, 8, 9, 10, 1, 2};
    for (int row = 0; row < def.height; ++row) {
        for (int column = 0; column < def.width; ++column) {
            const std::size_t letter = kLetters.find(kTrialLevel[row][at(column)]);
            if (letter != std::string_view::npos)
                def.places.push_back({kTypes[letter], column, row});
        }
    }
    return std::make_shared<Level>(std::move(game), std::move(def));
}

bool in_range(std::int32_t value, std::int32_t low, std::int32_t high) noexcept {
    return value >= low && value <= high;
}

}  // namespace

Rules::Rules() : level_(trial_level()) {}

void Rules::apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept {
    apply(state, actions, rng, scratch_.mine());
}

void Rules::apply(State& state, std::span<const Action> actions, Rng& rng,
                  Workspace& work) const noexcept {
    Dice dice(rng);
    Engine<Dice>(*level_, state, work, dice, true).tick(actions);
}

void Rules::apply_reference(State& state, std::span<const Action> actions,
                            JavaDice& dice) const noexcept {
    Engine<JavaDice>(*level_, state, scratch_.mine(), dice, true).tick(actions);
}

bool Level::admit(State& state) const noexcept {
    if (state.owner == kNobodys || state.owner != claim_of(owner) || !is_consistent(state)) {
        return false;
    }
    state.owner = owner;
    return true;
}

bool Level::is_consistent(const State& state) const noexcept {
    constexpr std::int32_t kFar = 1'000'000'000;
    constexpr std::int32_t kLater = kFar + 1'000'000;  // what counts up from there
    constexpr std::int32_t kLargest = 10'000'000;      // sides of a sprite, in pixels
    const auto is_place = [](const Rect& rect) {
        return in_range(rect.x, -kFar, kFar) && in_range(rect.y, -kFar, kFar) &&
               in_range(rect.w, -kLargest, kLargest) && in_range(rect.h, -kLargest, kLargest);
    };
    const Level& level = *this;
    const auto types = static_cast<std::int32_t>(level.game.types.size());
    // Settled types have no room for more than the level placed.
    const auto can_be_made = [&](std::int32_t type) {
        return type == kNoType ||
               (in_range(type, 0, types - 1) && !layout.types[at(type)].is_settled);
    };
    if (state.size() < sizeof(Header)) return false;
    const Header& h = state.header();
    const Header& first = level.start.header();
    if (h.players != first.players || h.counters != first.counters || h.flags != first.flags ||
        h.sections != first.sections || !in_range(h.tick, 0, kTicks + 1) || h.over > 1 ||
        h.can_end > 1 || !in_range(h.next_id, 0, kFar) || !in_range(h.sprites, -kFar, kFar) ||
        !in_range(h.messages, 0, kLater) || h.ended_by < kTooMuch ||
        h.ended_by >= static_cast<int>(level.game.endings.size()) ||
        (h.over != 0 && h.ended_by == kGoesOn)) {
        return false;
    }
    for (int s = 0; s < h.sections; ++s) {
        const int number = layout.section_types[at(s)];
        const TypeLayout& type = layout.types[at(number)];
        const Section& section = state.sections()[s];
        if (type.is_settled) {
            const int all = level.settled[at(s)].section.count;
            int alive = 0;
            for (int i = 0; i < all; ++i) alive += is_alive(type, state, i);
            if (section.stride != 0 || section.count != alive) return false;
            continue;
        }
        if (section.stride != type.stride || section.count > kMostOfAType) return false;
        for (int i = 0; i < section.count; ++i) {
            const Sprite& sprite = state.sprite(section, i);
            const auto* bytes = reinterpret_cast<const std::byte*>(&sprite);
            bool good =
                in_range(sprite.id, 0, h.next_id - 1) && is_place(sprite.rect) &&
                in_range(sprite.lastmove, -kFar, kLater) && in_range(sprite.health, -kFar, kFar) &&
                in_range(sprite.max_health, -kFar, kFar) && in_range(sprite.count, -kFar, kLater) &&
                sprite.previous <= 4 && sprite.player >= -1 && sprite.player < h.players &&
                std::isfinite(sprite.orientation.x) && std::isfinite(sprite.orientation.y) &&
                std::isfinite(sprite.speed) && !sprite.is(kKilled) &&
                (sprite.player < 0 || type.is_avatar);
            if (type.spawner) {
                Spawner spawner;
                std::memcpy(&spawner, bytes + type.spawner, sizeof spawner);
                good = good && can_be_made(spawner.product) && in_range(spawner.start, 0, kFar);
            }
            if (type.products) {
                for (std::size_t k = 0; k < level.game.types[at(number)].stypeMissile.size(); ++k) {
                    std::int32_t product = 0;
                    std::memcpy(&product, bytes + type.products + k * sizeof product,
                                sizeof product);
                    good = good && can_be_made(product);
                }
            }
            if (type.last) {
                Rect last;
                std::memcpy(&last, bytes + type.last, sizeof last);
                good = good && is_place(last);
            }
            if (type.follower) {
                Follower follower;
                std::memcpy(&follower, bytes + type.follower, sizeof follower);
                good = good && is_place(follower.last);
            }
            if (type.body) {
                Body body;
                std::memcpy(&body, bytes + type.body, sizeof body);
                good = good && std::isfinite(body.gravity) && std::isfinite(body.rotation);
            }
            for (int k = 0; type.bag && k < layout.resources; ++k) {
                std::int32_t held = 0;
                std::memcpy(&held, bytes + type.bag + at(k) * sizeof held, sizeof held);
                good = good && (held == kNotHeld || in_range(held, -kFar, kFar));
            }
            if (!good) return false;
        }
    }
    for (int c = 0; c < h.counters; ++c) {
        if (!in_range(state.counters()[c], -kFar, kFar)) return false;
    }
    for (int p = 0; p < h.players; ++p) {
        const Player& player = state.player(p);
        if (!std::isfinite(player.score) || player.winner > Winner::lose ||
            player.winner < Winner::none) {
            return false;
        }
        if (player.type == -1) continue;
        if (!in_range(player.type, 0, types - 1)) return false;
        const TypeLayout& type = layout.types[at(player.type)];
        if (type.section < 0 || !type.is_avatar) return false;
        if (!in_range(player.index, 0, state.sections()[type.section].count - 1)) return false;
    }
    // A timer is one of the game's timed rules, or was set by the effect `addTimer`.
    return std::all_of(state.timers.begin(), state.timers.end(), [&](const Timer& timer) {
        if (!in_range(timer.rule, 0, static_cast<std::int32_t>(level.game.rules.size()) - 1) ||
            !in_range(timer.due, -kFar, kFar)) {
            return false;
        }
        if (timer.type == kNoType) {
            return level.game.rules[at(timer.rule)].effect == Effect::addTimer;
        }
        return std::any_of(level.game.timed.begin(), level.game.timed.end(),
                           [&](const TimedDef& timed) {
                               return timed.rule == timer.rule && timed.type == timer.type;
                           });
    });
}

}  // namespace ludex::vgdl

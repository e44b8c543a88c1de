#include "rules.hpp"

#include <cassert>

namespace ludex::vgdl {
namespace {

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
            const std::size_t letter = kLetters.find(kTrialLevel[row][slot(column)]);
            if (letter != std::string_view::npos)
                def.places.push_back({kTypes[letter], column, row});
        }
    }
    return std::make_shared<Level>(std::move(game), std::move(def));
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

}  // namespace ludex::vgdl

# ruff: noqa: E501  # the tables read best with one row in one line
"""The ontology of VGDL: every sprite class, effect and termination with its parameters.

One table for all: the parser reads kinds and defaults from it, the engine's enums are generated
from it (`python -m ludex.worlds.vgdl.language.ontology` rewrites `native/ontology.hpp`), and so is the
table in the docs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "int",  # a whole number
    "real",  # a whole or real number
    "bool",  # true or false
    "direction",  # one of DIRECTIONS
    "sprite",  # the name of a sprite type
    "sprites",  # names of sprite types, joined by commas
    "numbers",  # whole numbers joined by commas, one per player or counter; kept as text
    "flags",  # true/false joined by commas, one per player; kept as text
    "effect",  # the name of an effect
    "looks",  # drawing only; any value
]
Value: TypeAlias = Any

DIRECTIONS: dict[str, tuple[float, float]] = {
    "UP": (0.0, -1.0),
    "LEFT": (-1.0, 0.0),
    "DOWN": (0.0, 1.0),
    "RIGHT": (1.0, 0.0),
    "NONE": (0.0, 0.0),
    "NIL": (-1.0, -1.0),
}
CONSTANTS: dict[str, Any] = {
    **DIRECTIONS,
    **{f"D{name}": value for name, value in DIRECTIONS.items()},
    "GRID": 0,
    "CONT": 1,
}
COLOURS = frozenset(
    [
        "GREEN",
        "BLUE",
        "RED",
        "GRAY",
        "WHITE",
        "BROWN",
        "BLACK",
        "ORANGE",
        "YELLOW",
        "PINK",
        "GOLD",
        "PURPLE",
        "LIGHTRED",
        "LIGHTORANGE",
        "LIGHTBLUE",
        "LIGHTGREEN",
        "LIGHTYELLOW",
        "LIGHTGRAY",
        "DARKGRAY",
        "DARKBLUE",
        "LIGHTPINK",
    ]
)
ACTIONS = ("NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a class."""

    name: str
    kind: Kind
    default: Value = None
    required: bool = False
    """a sprite name that must be given"""


@dataclass(frozen=True, slots=True)
class SpriteClass:
    """A sprite class: its parameters and their defaults."""

    name: str
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    """with the common ones, defaults as this class has them"""
    actions: tuple[str, ...] = ()
    """what an avatar can do, in the order the reference lists it, without NIL"""
    avatar: bool = False
    random: bool = False
    """moves or creates sprites by chance, whatever its parameters are"""


@dataclass(frozen=True, slots=True)
class EffectClass:
    """An effect: what happens when sprites collide, one is at the edge, or a timer runs out."""

    name: str
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    needs_first: bool = True
    """does nothing but log a message when there is no first sprite"""
    needs_second: bool = False
    """does nothing but log a message when there is no second sprite"""
    visits_all: bool = False
    """looks at every sprite of a type, or of all types"""
    batch: bool = False
    """run once for all sprites met, not for each"""
    random: bool = False
    """by chance, whatever its parameters are"""


@dataclass(frozen=True, slots=True)
class TerminationClass:
    """A condition that ends the game."""

    name: str
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


def make(text: str) -> dict[str, Parameter]:
    """Read `key:kind=default`, separated by spaces; `key:kind!` is required."""
    found: dict[str, Parameter] = {}
    for word in text.split():
        head, _, default = word.partition("=")
        name, _, kind = head.partition(":")
        required = kind.endswith("!")
        found[name] = Parameter(
            name,
            kind.rstrip("!"),  # type: ignore[arg-type]  # one of Kind, by the table below
            read_default(kind.rstrip("!"), default),
            required,
        )
    return found


def read_default(kind: str, text: str) -> Value:
    if kind == "int":
        return int(text or 0)
    if kind == "real":
        return float(text or 0)
    if kind == "bool":
        return text == "true"
    if kind == "direction":
        return DIRECTIONS[text or "NONE"]
    if kind == "numbers":
        return tuple(int(number) for number in (text or "0").split(","))
    if kind in ("flags", "sprites"):
        return ()
    return None


COMMON = make(
    "wMult:real=1 hMult:real=1 physicstype:int=0 speed:real=0 max_speed:real=-1 mass:real=1 "
    "gravity:real=0 friction:real=0 jump_strength:real=0 stationary:bool cooldown:int=0 "
    "lastmove:int=0 orientation:direction is_oriented:bool rotateInPlace:bool rotation:real "
    "is_static:bool only_active:bool is_avatar:bool is_npc:bool is_resource:bool portal:bool "
    "is_from_avatar:bool is_stochastic:bool solid:bool on_ground:bool singleton:bool "
    "healthPoints:int=0 maxHealthPoints:int=0 limitHealthPoints:int=1000 timeToLive:int=-1 "
    "hidden:flags invisible:flags isFirstTick:bool=true shrinkfactor:looks color:looks img:looks "
    "orientedImg:looks autotiling:looks randomtiling:looks frameRate:looks draw_arrow:looks"
)

# name | parents (a chain of rows above) | own parameters and other defaults | summary
SPRITE_ROWS = """
Immovable | | is_static:bool=true | never moves
Passive | | | does nothing by itself, but can be moved
Door | Immovable | portal:bool=true | static, of the portal category
Conveyor | | is_static:bool=true is_oriented:bool=true jump_strength:real=1 | a static oriented carrier
Flicker | | limit:int=1 age:int=0 | dies after `limit` ticks
OrientedFlicker | Flicker | is_oriented:bool=true speed:real=0 | a Flicker with a direction
Resource | | value:int=1 limit:int=2 is_resource:bool=true resource_name:sprite | can be collected
ResourcePack | Resource | is_static:bool=true | a Resource that never moves; needs resource_name
Spreader | Flicker | spreadprob:real=1 stype:sprite | spreads to its four neighbours at age 2
Missile | | speed:real=1 is_oriented:bool=true | flies straight on
RandomMissile | Missile | orientation:direction=NIL | flies straight on in a random direction
ErraticMissile | Missile | prob:real=0.1 | flies straight on
SpriteProducer | | | the base of producers
Portal | SpriteProducer | is_static:bool=true portal:bool=true stype:sprite! | leads to a sprite of type `stype`
SpawnPoint | SpriteProducer | is_static:bool=true prob:real=1 total:int=0 cooldown:int=1 stype:sprite spawnorientation:direction | creates sprites every `cooldown` ticks
Bomber | SpawnPoint | is_static:bool=false is_oriented:bool=true orientation:direction=RIGHT is_npc:bool=true | a SpawnPoint that flies
RandomBomber | Bomber | speed:real=1 | a SpawnPoint that wanders
BomberRandomMissile | Bomber | stypeMissile:sprites! | a Bomber with a random choice of products
SpawnPointMultiSprite | SpawnPoint | stypes:sprites! is_oriented:bool=true orientation:direction=RIGHT is_npc:bool=true | creates one sprite of every listed type
RandomNPC | | is_npc:bool=true speed:real=1 cons:int=0 | wanders; repeats each move `cons` times
RandomInertial | RandomNPC | physicstype:int=1 is_oriented:bool=true | wanders with inertia
Chaser | RandomNPC | stype:sprite! fleeing:bool maxDistance:real=-1 | runs to the nearest target
Fleeing | Chaser | fleeing:bool=true | runs away from the nearest target
LOSChaser | Chaser | | a Chaser that sees only along its last random move
AlternateChaser | RandomNPC | stype1:sprites! stype2:sprites! fleeing:bool | chases one group of types
RandomAltChaser | AlternateChaser | epsilon:real=0 | an AlternateChaser with random moves
PathChaser | Chaser | | a Chaser that takes the shortest path
PathAltChaser | AlternateChaser | randomTarget:bool | an AlternateChaser that takes the shortest path
RandomPathAltChaser | PathAltChaser | epsilon:real=0 | a PathAltChaser with random moves
Walker | | is_oriented:bool=true speed:real=5 max_speed:real=5 airsteering:bool | walks on platforms
WalkerJumper | Walker | probability:real=0.1 jump_strength:real=1 | walks and jumps
MovingAvatar | | speed:real=1 is_avatar:bool=true | moves in four directions
HorizontalAvatar | MovingAvatar | | moves left and right
VerticalAvatar | MovingAvatar | | moves up and down
NullAvatar | MovingAvatar | | cannot act
FlakAvatar | HorizontalAvatar | stype:sprite! ammo:sprite minAmmo:int=-1 ammoCost:int=1 | moves sideways and creates a sprite in its cell
OrientedAvatar | MovingAvatar | is_oriented:bool=true orientation:direction=RIGHT rotateInPlace:bool=true | turns, then moves
ShootAvatar | OrientedAvatar | stype:sprites! ammo:sprites | an OrientedAvatar that creates a sprite in front
ShootOnlyAvatar | ShootAvatar | | cannot move; each action shoots another type
OngoingAvatar | OrientedAvatar | | never stops moving
OngoingShootAvatar | ShootAvatar | | never stops moving, and shoots
OngoingTurningAvatar | OrientedAvatar | spawnBehind:sprite | never stops, turns at right angles, leaves a trail
MissileAvatar | OrientedAvatar | | flies straight on, whatever the player does
AimedAvatar | ShootAvatar | speed:real=0 stationary:bool=true angle_diff:real=0.15 | turns its gun and shoots
BirdAvatar | OrientedAvatar | jump_strength:real=10 | flaps with USE
CarAvatar | OrientedAvatar | speed:real=0 angle_diff:real=0.15 | drives
LanderAvatar | OrientedAvatar | speed:real=5 orientation:direction=NONE angle_diff:real=0.3 | turns and thrusts
SpaceshipAvatar | ShootAvatar | speed:real=5 orientation:direction=NONE angle_diff:real=0.3 | turns, thrusts and shoots
PlatformerAvatar | MovingAvatar | jump_strength:real=10 ground_speedup_factor:real=1 air_slowdown_factor:real=2 max_speed:real=30 | runs and jumps
WizardAvatar | PlatformerAvatar | speed:real=0 stype:sprites! | runs, jumps and creates blocks
"""

# These classes and those based on them move or create sprites by chance.
RANDOM_SPRITES = frozenset(
    ["RandomMissile", "RandomBomber", "BomberRandomMissile", "RandomNPC", "Walker"]
)

AVATAR_ACTIONS = {
    "MovingAvatar": "LEFT RIGHT DOWN UP",
    "HorizontalAvatar": "LEFT RIGHT",
    "VerticalAvatar": "UP DOWN",
    "NullAvatar": "",
    "FlakAvatar": "USE LEFT RIGHT",
    "ShootAvatar": "USE LEFT RIGHT DOWN UP",
    "ShootOnlyAvatar": "LEFT UP RIGHT DOWN USE",
    "OngoingShootAvatar": "USE LEFT RIGHT DOWN UP",
    "AimedAvatar": "USE DOWN UP",
    "BirdAvatar": "USE",
    "SpaceshipAvatar": "USE LEFT RIGHT DOWN UP",
    "PlatformerAvatar": "LEFT RIGHT USE",
    "WizardAvatar": "LEFT RIGHT USE UP",
}
FOUR_WAYS = "LEFT RIGHT DOWN UP"

COMMON_EFFECT = make(
    "scoreChange:numbers=0 counter:numbers=0 counterElse:numbers=0 prob:real=1 repeat:int=1 "
    "enabled:bool=true applyScore:bool=true count:bool=true countElse:bool=true inBatch:bool "
    "sequential:bool is_kill_effect:bool is_stochastic:bool"
)

# name | flags | own parameters | summary
# Flags: 0 needs no first sprite, 2 needs a second, + visits all sprites of a type, * batch, ? by chance.
EFFECT_ROWS = """
killSprite | | | kill the first sprite
killBoth | 2 | | kill both sprites
killAll | 0+ | stype:sprite! | kill every sprite of exactly that type
killIfHasLess | | resource:sprite! limit:int=0 | kill the first if it holds at most `limit`
killIfHasMore | | resource:sprite! limit:int=0 | kill the first if it holds at least `limit`
killIfOtherHasMore | 2 | resource:sprite! limit:int=0 subtract:bool | kill the first if the second holds at least `limit`
killIfFromAbove | 2 | | kill the first if the second fell on it
killIfFrontal | 2 | | kill the first if they met head on or it did not move
killIfNotFrontal | 2 | | kill the first unless they met head on
killIfAlive | 2 | | kill the first if the second was not killed in this tick
killIfFast | 2 | limspeed:real=1 | kill the first if the relative speed is above `limspeed`
killIfSlow | 2 | limspeed:real=1 | kill the first if the relative speed is below `limspeed`
killIfNotUpright | | | kill the first unless it points up
stepBack | | pixelPerfect:bool | undo the move of the first sprite
undoAll | 0+ | notStype:sprites | undo the moves of all sprites
wrapAround | | offset:real=0 | move the first to the other side of the screen
turnAround | | | undo, move down and reverse the direction
bounceForward | 2 | | push the first along the move of the second
pullWithIt | 2 | pixelPerfect:bool | carry the first along with the second
teleportToExit | 2? | | move the first to a random exit of the second
align | 2 | orient:bool=true | put the first on the second
attractGaze | 2 | align:bool | turn the first as the second
reverseDirection | | | reverse the direction of the first
flipDirection | ? | | turn the first in a random direction
wallStop | 2 | | stop the first at the second
wallBounce | 2* | | bounce the first off what it met
wallReverse | 2* | | reverse the first at what it met
bounceDirection | 2 | maxBounceAngleDeg:real=60 | bounce at an angle given by where it hit
halfSpeed | | | halve the speed of the first
waterPhysics | | | give the first the gravity of water
increaseSpeedToAll | 0+ | stype:sprite! value:real=0.1 | make every sprite of a type faster
decreaseSpeedToAll | 0+ | stype:sprite! value:real=0.1 | make every sprite of a type slower
setSpeedForAll | 0+ | stype:sprite! value:real=0 | set the speed of every sprite of a type
spawn | | stype:sprite! | create a sprite where the first is
spawnIfHasMore | | resource:sprite! stype:sprite! limit:int=0 spend:int=0 | create a sprite if the first holds at least `limit`
spawnIfHasLess | | resource:sprite! stype:sprite! limit:int=0 | create a sprite if the first holds at most `limit`
spawnBehind | 2 | stype:sprite! | create a sprite where the second was
spawnAbove | 2 | stype:sprite stepBack:bool | create a sprite above the second
spawnBelow | 2 | stype:sprite stepBack:bool | create a sprite below the second
spawnLeft | 2 | stype:sprite stepBack:bool | create a sprite left of the second
spawnRight | 2 | stype:sprite stepBack:bool | create a sprite right of the second
spawnIfCounterSubTypes | + | stype:sprite! estype:sprite! stypeCount:sprite! subTypesNum:int=-1 limit:int=0 | create one of two types by counts
cloneSprite | | | create another sprite of the first one's type
transformTo | | stype:sprite! killSecond:bool forceOrientation:bool | turn the first into another type
transformToAll | 0+ | stype:sprite! stypeTo:sprite! killSecond:bool forceOrientation:bool | turn every sprite of a type into another type
transformToSingleton | 2+ | stype:sprite! stype_other:sprite! takeOrientation:bool | turn the first into the only sprite of a type
transformIfCount | 2+ | stype:sprite! stypeCount:sprite! estype:sprite geq:int=0 leq:int=10000 killSecond:bool forceOrientation:bool | turn the first into one of two types by a count
transformToRandomChild | +? | stype:sprite! killSecond:bool forceOrientation:bool | turn the first into a random child of a type
collectResource | 2 | killResource:bool=true | give the first, a resource, to the second
collectResourceIfHeld | 2 | heldResource:sprite! value:int=1 killResource:bool=true | the same, if the second holds another resource
changeResource | | resource:sprite! value:int=1 killResource:bool | change what the first holds
addHealthPoints | | value:int=1 killSecond:bool | heal the first, if that stays below its limit
addHealthPointsToMax | | value:int=1 killSecond:bool | heal the first up to its limit
subtractHealthPoints | 0+ | value:int=1 limit:int=0 stype:sprite scoreChangeIfKilled:numbers=0 | hurt the first, or a sprite of a type
removeScore | 0+ | stype:sprite killSecond:bool | take the score from avatars
updateSpawnType | 2+ | stype:sprite! spawnPoint:sprite! | change what spawners create
shieldFrom | | stype:sprite! ftype:effect | skip an effect for the rest of the tick
addTimer | | ftype:effect timer:int=-1 repeating:bool | run an effect later
"""

TIMED = make("timer:int=-1 repeating:bool nextExecution:int=-1")
COMMON_TERMINATION = make("limit:int=0 win:flags count_score:bool")
TERMINATION_ROWS = """
SpriteCounter | stype:sprite! | at most `limit` sprites of a type are left
SpriteCounterMore | stype:sprite! | at least `limit` sprites of a type exist
MultiSpriteCounter | stype1:sprite stype2:sprite stype3:sprite min:bool | the sprites of up to three types number `limit`
MultiSpriteCounterSubTypes | stype1:sprite! subTypesNum:int=-1 | `limit` sprites of `subTypesNum` subtypes are left
StopCounter | stype1:sprite stype2:sprite stype3:sprite min:bool | blocks the other conditions by a count
Timeout | use_counter:bool compare:bool limits:numbers=0 | tick `limit` is reached
"""

GAME_PARAMETERS = make("square_size:int=-1 no_players:int=1 no_counters:int=0")


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def build_sprites() -> dict[str, SpriteClass]:
    found: dict[str, SpriteClass] = {}
    for name, parent, own, summary in rows(SPRITE_ROWS):
        base = found[parent].parameters if parent else COMMON
        avatar = name.endswith("Avatar")
        inherited = " ".join(found[parent].actions) if parent and avatar else FOUR_WAYS
        actions = AVATAR_ACTIONS.get(name, inherited) if avatar else ""
        random = name in RANDOM_SPRITES or (parent != "" and found[parent].random)
        found[name] = SpriteClass(
            name, summary, {**base, **make(own)}, tuple(actions.split()), avatar, random
        )
    return found


def build_effects() -> dict[str, EffectClass]:
    return {
        name: EffectClass(
            name,
            summary,
            {**COMMON_EFFECT, **make(own)},
            needs_first="0" not in flags,
            needs_second="2" in flags,
            visits_all="+" in flags,
            batch="*" in flags,
            random="?" in flags,
        )
        for name, flags, own, summary in rows(EFFECT_ROWS)
    }


def build_terminations() -> dict[str, TerminationClass]:
    return {
        name: TerminationClass(name, summary, {**COMMON_TERMINATION, **make(own)})
        for name, own, summary in rows(TERMINATION_ROWS)
    }


SPRITES = build_sprites()
EFFECTS = build_effects()
TERMINATIONS = build_terminations()


def native_header() -> str:
    """The enums of the engine, in the order of the tables."""
    parts = [
        "// Generated by `python -m ludex.worlds.vgdl.language.ontology`; do not edit.",
        "#pragma once",
        "",
        "#include <array>",
        "#include <cstdint>",
        "#include <string_view>",
        "",
        "namespace ludex::vgdl {",
        "",
    ]
    for enum, table in (("Class", SPRITES), ("Effect", EFFECTS), ("Termination", TERMINATIONS)):
        names = list(table)
        parts.append(f"enum class {enum} : std::uint8_t {{")
        parts += [f"    {name}," for name in names]
        parts += ["};", ""]
        constant = f"k{enum}Names"
        parts.append(f"inline constexpr std::array<std::string_view, {len(names)}> {constant} = {{")
        parts += [f'    "{name}",' for name in names]
        parts += ["};", ""]
    questions: dict[str, Callable[[EffectClass], bool]] = {
        "is_batch": lambda effect: effect.batch,
        "needs_first": lambda effect: effect.needs_first,
        "needs_second": lambda effect: effect.needs_second,
        "visits_all": lambda effect: effect.visits_all,
    }
    for function, answer in questions.items():
        parts.append(f"[[nodiscard]] constexpr bool {function}(Effect effect) noexcept {{")
        parts.append("    switch (effect) {")
        parts += [f"        case Effect::{name}:" for name, one in EFFECTS.items() if answer(one)]
        parts += ["            return true;", "        default:", "            return false;"]
        parts += ["    }", "}", ""]
    parts.append("// Call the member function of an engine that is named after an effect.")
    parts.append("template <class Engine, class Call>")
    parts.append("inline void run_effect(Engine& engine, Effect effect, Call& call) {")
    parts.append("    switch (effect) {")
    for name in EFFECTS:
        parts.append(f"        case Effect::{name}:")
        parts.append(f"            return engine.{snake_case(name)}(call);")
    parts += ["    }", "}", ""]
    parts += ["}  // namespace ludex::vgdl", ""]
    return "\n".join(parts)


def snake_case(name: str) -> str:
    """The name of an effect as the engine writes functions: killSprite is kill_sprite."""
    return re.sub(r"(?=[A-Z])", "_", name).lower()


if __name__ == "__main__":
    Path(__file__).parent.with_name("native").joinpath("ontology.hpp").write_text(native_header())

"""Shortcuts for rules that only make sprites step back change nothing.

A rule that also scores takes the long way, pair by pair and sprite by sprite. So each game is
played twice, once as it is and once with a score on all such rules: all sprites and all events
must be equal in every tick.
"""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import build_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import VgdlModel

FEW = settings(max_examples=30, deadline=None)
MOVERS = ("rock", "crab", "bat", "cart", "hen")
# Coins are made in play, seeds grow where a bat was, and dirt is dug away.
GAME = """BasicGame square_size=10
    SpriteSet
        floor > Immovable
        wall > Immovable
        dirt > Immovable
        coin > Immovable
        avatar > MovingAvatar
        mint > SpawnPoint stype=coin prob=0.05
        group >
            rock > Missile orientation=DOWN speed={rock}
            crab > RandomNPC speed={crab} cooldown={cooldown}
            bat > RandomNPC speed={bat} cons=1
        cart > Missile orientation=RIGHT speed=0.6
        hen > Chaser stype=avatar speed=0.3 {size}
    LevelMapping
        . > floor
        w > wall
        d > dirt
        m > mint
        A > avatar
        r > rock
        c > crab
        b > bat
        t > cart
        h > hen
    InteractionSet
        dirt avatar > killSprite
        dirt bat > killSprite
{rules}
        cart EOS > reverseDirection
        rock EOS > stepBack
        bat rock > transformTo stype=coin
        cart wall > reverseDirection
    TerminationSet
        Timeout limit=1900 win=True
"""
OTHERS = ("wall", "dirt", "coin", "mint", "avatar", "group", *MOVERS)
FIRSTS = ("group", *MOVERS)


def rules_of(dice: random.Random) -> list[str]:
    """Some movers and what bars their way, and rules of other kinds in between."""
    found = []
    for _ in range(dice.randint(2, 7)):
        others = dice.sample(OTHERS, dice.randint(1, 4))
        found.append(f"{dice.choice(FIRSTS)} {' '.join(others)} > stepBack")
        if dice.random() < 0.2:
            found.append(f"{dice.choice(MOVERS)} {dice.choice(OTHERS)} > flipDirection")
    return found


def text_of(dice: random.Random, crowded: bool) -> tuple[str, str, list[str]]:
    speeds = {name: dice.choice(["0.2", "0.6", "1"]) for name in ("rock", "crab", "bat")}
    size = dice.choice(["", "", "wMult=2.0", "hMult=0.5"])
    rules = rules_of(dice)
    lines = "\n".join(f"        {rule}" for rule in rules)
    game = GAME.format(**speeds, cooldown=dice.choice([1, 3]), size=size, rules=lines)
    width, height = (24, 18) if crowded else (dice.randint(4, 12), dice.randint(4, 9))
    letters = "rrrcccbbbth.w" if crowded else "wddmrcbth...."
    cells = [dice.choice(letters) for _ in range(width * height)]
    cells[dice.randrange(len(cells))] = "A"
    level = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
    return game, "\n".join(level), rules


def load(game_text: str, level_text: str) -> VgdlModel:
    game = parse_game(game_text, "generated")
    return VgdlModel(game, build_level(game, parse_level(level_text, game, "level")))


def play(model: VgdlModel, seed: int, ticks: int) -> list[list[tuple]]:
    """All sprites after each tick of random actions, and whom the avatar has met in it."""
    state, rng, seen = model.level.start(), Rng(seed), []
    for _ in range(ticks):
        if state.over:
            break
        model.advance(state, (rng.choice(model.legal(state, 0)),), rng)
        seen.append(model.level.sprites(state) + state.meetings)
    return seen


def check(seed: int, crowded: bool, ticks: int) -> None:
    game, level, rules = text_of(random.Random(seed), crowded)
    scored = game
    for rule in set(rules):
        if rule.endswith("stepBack"):
            scored = scored.replace(rule + "\n", rule + " scoreChange=1\n")
    short, long = play(load(game, level), seed, ticks), play(load(scored, level), seed, ticks)
    assert len(short) == len(long) == ticks
    for tick, (one, other) in enumerate(zip(short, long, strict=True)):
        assert one == other, f"tick {tick} of seed {seed}"


@FEW
@given(st.integers(0, 2**32))
def test_sprites_step_back_as_if_each_meeting_were_told(seed):
    check(seed, crowded=False, ticks=60)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
def test_crowds_step_back_as_if_each_meeting_were_told(seed):
    check(seed, crowded=True, ticks=25)

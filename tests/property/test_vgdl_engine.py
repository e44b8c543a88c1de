"""What is true of the VGDL engine in every game, sensible or not."""

from __future__ import annotations

import pickle
import random

import pytest
import vgdl_wild_games as wild
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import build_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import VgdlModel

FEW = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32)


def load(text: wild.Text) -> VgdlModel:
    game = parse_game(text.game, "generated")
    return VgdlModel(game, build_level(game, parse_level(text.level, game, "level")))


def play(model: VgdlModel, state, rng: Rng, ticks: int):
    """Play random actions in place, until the end at most."""
    for _ in range(ticks):
        if state.over:
            return state
        actions = tuple(rng.choice(model.legal(state, seat)) for seat in model.to_act(state))
        model.advance(state, actions, rng)
    return state


def census(model: VgdlModel, state) -> dict[int, int]:
    found: dict[int, int] = {}
    for kind, *_ in model.level.sprites(state):
        found[kind] = found.get(kind, 0) + 1
    return found


@FEW
@given(seeds, st.integers(0, 40))
def test_a_copy_stays_as_it_is_while_the_original_plays_on(seed, ticks):
    model = load(wild.well_formed(seed))
    state = play(model, model.level.start(), Rng(seed), ticks)
    copy, before = state.copy(), state.to_bytes()
    play(model, state, Rng(seed + 1), 20)
    assert copy.to_bytes() == before


@FEW
@given(seeds)
def test_the_same_seed_plays_the_same_game(seed):
    model, again = load(wild.well_formed(seed)), load(wild.well_formed(seed))
    one = play(model, model.level.start(), Rng(seed), 40)
    two = play(again, again.level.start(), Rng(seed), 40)
    assert one == two
    assert hash(one) == hash(two)
    assert model.key(one) == again.key(two)


@FEW
@given(seeds, st.integers(0, 40))
def test_steps_on_copies_are_steps_in_place(seed, ticks):
    model = load(wild.well_formed(seed))
    state = play(model, model.level.start(), Rng(seed), ticks)
    if state.over:
        return
    actions = tuple(model.legal(state, seat)[-1] for seat in model.to_act(state))
    stepped = model.step(state, actions, Rng(7))
    model.advance(state, actions, Rng(7))
    assert stepped == state


@FEW
@given(seeds, st.integers(0, 40))
def test_a_state_comes_back_from_bytes_and_pickles(seed, ticks):
    model = load(wild.well_formed(seed))
    state = play(model, model.level.start(), Rng(seed), ticks)
    for back in (model.read(state.to_bytes()), pickle.loads(pickle.dumps(state))):
        assert back == state
        assert hash(back) == hash(state)
        assert play(model, back, Rng(3), 10) == play(model, state.copy(), Rng(3), 10)


@FEW
@given(seeds, st.integers(1, 30))
def test_damaged_bytes_are_refused_or_can_be_played(seed, changes):
    model = load(wild.well_formed(seed))
    damaged = bytearray(play(model, model.level.start(), Rng(seed), 10).to_bytes())
    draw = random.Random(seed)
    for _ in range(changes):
        damaged[draw.randrange(len(damaged))] = draw.randrange(256)
    try:
        state = model.read(bytes(damaged))
    except ValueError:
        return
    play(model, state, Rng(seed), 20)


COINS = """BasicGame square_size=10
    SpriteSet
        avatar > MovingAvatar
        penny > Immovable
        crown > Passive
        thief > RandomNPC
    LevelMapping
        p > penny
        c > crown
        t > thief
    InteractionSet
        avatar wall EOS > stepBack
        thief wall EOS > stepBack
        penny avatar > killSprite scoreChange={0}
        crown avatar > killSprite scoreChange={1}
        thief avatar > killSprite scoreChange={2}
    TerminationSet
        SpriteCounter stype=penny limit=-1 win=True
"""


@FEW
@given(seeds, st.lists(st.integers(-9, 9), min_size=3, max_size=3))
def test_the_score_is_the_sum_of_what_the_rules_paid(seed, worth):
    draw = random.Random(seed)
    rows = ["".join(draw.choice("ppct ") for _ in range(8)) for _ in range(5)]
    text = wild.Text(COINS.format(*worth), "\n".join(["A" + rows[0][1:], *rows[1:]]))
    model = load(text)
    state, rng = model.level.start(), Rng(seed)
    first = census(model, state)
    kinds = [model.game.type_named(name) for name in ("penny", "crown", "thief")]
    for _ in range(60):
        play(model, state, rng, 1)
        left = census(model, state)
        gone = [first.get(kind, 0) - left.get(kind, 0) for kind in kinds]
        assert state.scores == [sum(n * paid for n, paid in zip(gone, worth, strict=True))]


KEEPERS = ["stepBack", "bounceForward", "undoAll", "reverseDirection", "turnAround"]
KEEPERS += ["flipDirection", "wrapAround", "align", "halfSpeed", "attractGaze", "wallStop"]
DWELLERS = ["Immovable", "Passive", "RandomNPC", "Missile", "RandomMissile", "Chaser stype=avatar"]


@FEW
@given(seeds)
def test_rules_that_only_move_keep_every_sprite(seed):
    draw = random.Random(seed)
    names = ["wall", "avatar", "sa", "sb", "sc"]
    sprites = [f"        s{letter} > {draw.choice(DWELLERS)}" for letter in "abc"]
    rules = [
        f"        {draw.choice(names)} {draw.choice([*names, 'EOS'])} > {draw.choice(KEEPERS)}"
        for _ in range(12)
    ]
    lines = ["BasicGame", "    SpriteSet", *sprites, "    LevelMapping"]
    lines += [f"        {letter} > s{letter}" for letter in "abc"]
    text = "\n".join([*lines, "    InteractionSet", *rules])
    rows = ["".join(draw.choice("abc w  ") for _ in range(9)) for _ in range(5)]
    model = load(wild.Text(text, "\n".join(["A" + rows[0][1:], *rows[1:]])))
    state = model.level.start()
    before = census(model, state)
    assert census(model, play(model, state, Rng(seed), 60)) == before


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_hostile_games_are_refused_or_stay_within_the_limits(seed):
    try:
        model = load(wild.hostile(seed))
    except BadGame:
        return
    state = play(model, model.level.start(), Rng(seed), 15)
    assert state.bytes_used <= 64_000_000
    assert model.read(state.to_bytes()) == state


@pytest.mark.parametrize("breaker", wild.BREAKERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_games_made_to_break_a_limit_do_not(breaker, seed):
    try:
        model = load(breaker(random.Random(seed)))
    except BadGame:
        return
    state = play(model, model.level.start(), Rng(seed), 12)
    assert state.bytes_used <= 64_000_000
    assert len(state.timers) <= 10_001


def crowd(rule: str) -> VgdlModel:
    """Three hundred sprites in one cell, under one rule."""
    game = f"""BasicGame
    SpriteSet
        seed > Passive
    LevelMapping
        s > {"seed " * 300}
    InteractionSet
        seed seed > {rule}
    TerminationSet
        SpriteCounter stype=avatar limit=-1 win=True
"""
    return load(wild.Text(game, "sA"))


def test_sprites_that_multiply_end_the_game_as_in_the_reference():
    model = crowd("cloneSprite")
    state = play(model, model.level.start(), Rng(1), 5)
    assert state.over
    assert model.outcome(state).reason.startswith("the game logged more than 25 messages")
    assert len(model.level.sprites(state)) == 10_001


def test_a_tick_in_which_too_much_happens_ends_the_game_undecided():
    model = crowd("reverseDirection repeat=100")
    state = play(model, model.level.start(), Rng(1), 5)
    outcome = model.outcome(state)
    assert outcome.reason == "too much happened in one tick"
    assert outcome.truncated
    assert outcome.winners == ()
    assert state.tick == 1

"""Rollouts, sequences and batches in native code do what the plain loops of Python do."""

from __future__ import annotations

import random
from math import hypot, inf

import numpy as np
import pytest
import vgdl_wild_games as wild
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core import Meter, Rng, fallback, registry
from ludex.core.policy import Distances, Greedy, Weighted
from ludex.testing.checks.fast_paths import observe
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import build_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import VgdlModel

FEW = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32)
budgets = st.none() | st.integers(1, 30)
limits = st.integers(0, 40)


def load(seed: int) -> VgdlModel:
    text = wild.well_formed(seed)
    game = parse_game(text.game, "generated")
    return VgdlModel(game, build_level(game, parse_level(text.level, game, "level")))


def some_state(model, seed: int):
    """A state somewhere in a random game."""
    return model.rollout(model.level.start(), "uniform", seed % 30, Rng(seed)).state


def weighted(model, state, dice: random.Random) -> Weighted:
    return Weighted({action: dice.choice([0, 0.25, 1, 3]) for action in range(dice.randrange(7))})


def distances(model, state, dice: random.Random) -> Distances:
    kinds = range(-1, len(model.game.types) + 1)  # some that no level has
    pairs = [(action, kind) for action in range(6) for kind in kinds if kind >= 0]
    return Distances({pair: dice.gauss(0, 4) for pair in pairs if dice.random() < 0.7})


def greedy(model, state, dice: random.Random) -> Greedy:
    columns, rows = model.grid()
    sprites = [(kind, number) for kind, number, *_ in model.level.sprites(state)]
    return Greedy(
        [[dice.choice([inf, 0, 1, 2, 3, 5]) for _ in range(columns)] for _ in range(rows)],
        epsilon=dice.choice([0.0, 0.2, 1.0]),
        target=dice.choice([None, (0, 10_000), *sprites[:20]]),
        near=dice.choice([0.0, 3.0, inf]),
    )


def assert_same(model, path, arguments, budget, seed, **options):
    found = observe(model, getattr(type(model), path), arguments, budget, seed, **options)
    expected = observe(model, getattr(fallback, path), arguments, budget, seed, **options)
    assert found == expected


@FEW
@given(seeds)
def test_distances_are_those_to_the_nearest_sprite_of_all(seed):
    model = load(seed)
    state = some_state(model, seed)
    kinds = range(len(model.game.types))
    diagonal = model.level.block * hypot(*model.grid())
    for seat in range(model.game.players):
        expected: list[float | None] = [None] * len(kinds)
        avatar = model.level.avatar(state, seat)
        for kind, _, x, y, *_ in model.level.sprites(state) if avatar else ():
            if not model.scene.observer.is_hidden(kind, seat):
                far = hypot(x - avatar[1], y - avatar[2]) / diagonal
                expected[kind] = min(far, inf if expected[kind] is None else expected[kind])
        found = model.distances(state, seat, kinds)
        assert [one is None for one in found] == [one is None for one in expected]
        assert [one for one in found if one is not None] == pytest.approx(
            [one for one in expected if one is not None]
        )


@pytest.mark.parametrize("make", [weighted, distances, greedy, None])
@FEW
@given(seeds, budgets, limits, st.booleans(), st.booleans())
def test_every_policy_plays_natively_as_in_python(make, seed, budget, limit, trace, backtrack):
    model = load(seed)
    state = some_state(model, seed)
    policy = make(model, state, random.Random(seed)) if make else "uniform"
    if make:
        assert policy.native is not None
    options = {"trace": trace, "backtrack": backtrack}
    assert_same(model, "rollout", (state, policy, limit), budget, seed, **options)


@FEW
@given(seeds, budgets, limits, st.booleans())
def test_weights_play_connect_four_natively_as_in_python(seed, budget, limit, backtrack):
    world = registry.world("connect_four")
    dice = random.Random(seed)
    policy = Weighted({column: dice.choice([0, 1, 5]) for column in range(7)})
    arguments = (world.start(Rng(0)), policy, limit)
    assert_same(world.model, "rollout", arguments, budget, seed, backtrack=backtrack)


@FEW
@given(seeds, budgets, st.integers(0, 6), st.integers(0, 12))
def test_an_array_of_sequences_is_played_as_the_same_sequences_of_tuples(
    seed, budget, count, ticks
):
    model = load(seed)
    seats = model.traits.seats
    state = some_state(model, seed)
    array = np.random.default_rng(seed).integers(-1, 8, (count, ticks, seats))
    lists = [[tuple(joint) for joint in sequence] for sequence in array.tolist()]
    expected = observe(model, fallback.play, (state, lists), budget, seed)
    assert observe(model, type(model).play, (state, array), budget, seed) == expected
    assert observe(model, fallback.play, (state, array), budget, seed) == expected
    if seats == 1:
        flat = array[:, :, 0].astype(np.uint8 if array.min(initial=0) >= 0 else np.int16)
        assert observe(model, type(model).play, (state, flat), budget, seed) == expected


@FEW
@given(seeds, st.none() | st.integers(1, 150), st.integers(1, 5), st.integers(0, 130))
def test_steps_of_many_states_do_not_depend_on_the_number_of_threads(seed, budget, threads, count):
    model = load(seed)
    dice = random.Random(seed)
    pool = [some_state(model, seed + i) for i in range(5)]
    states = [dice.choice(pool) for _ in range(count)]
    actions = [tuple(dice.randrange(8) for _ in range(model.traits.seats)) for _ in states]
    assert_same(model, "step_many", (states, actions), budget, seed, threads=threads)


@FEW
@given(seeds, st.integers(2, 6))
def test_threads_step_connect_four_as_one_does(seed, threads):
    model = registry.world("connect_four").model.metered(Meter())
    start = registry.world("connect_four").start(Rng(0))
    states = [model.rollout(start, "uniform", i % 43, Rng(i)).state for i in range(100)]
    actions = [(i % 8,) for i in range(100)]
    assert_same(model, "step_many", (states, actions), None, seed, threads=threads)

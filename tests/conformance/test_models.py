"""Every registered model keeps the contract, whether or not it agrees with the world."""

from __future__ import annotations

from functools import cache

import pytest

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.rng import Meter, Rng
from ludex.testing import MODEL_CHECKS, THING_WORLDS, TILE_WORLDS

WORLDS = ("nim[heaps=1-2-3]", "kuhn_poker", "parley", "goofspiel")
PICTURE_WORLDS = ("vgdl/sokoban", "vgdl/lights_on")


def first_view(rules, world):
    """What the first seat to act sees."""
    state = world.start(Rng(0))
    rules.settle(state, Rng(0))
    return rules.view(state, rules.to_act(state)[0])


@cache
def made(name, text):
    """The model that the first seat to act would get in a match."""
    world = registry.world(text)
    rules = world.model.metered(Meter())
    part = registry.load("models", name)()
    return part.make(rules, first_view(rules, world), Budget(model_calls=1000), Rng(1))


def is_accepted(name, text):
    world = registry.world(text)
    return not registry.load("models", name)().refusal(world.traits, first_view(world.model, world))


NAMES = [name for name in registry.names("models") if name != "true"]
PAIRS = [
    *(
        (name, text)
        for name in NAMES
        for text in (*WORLDS, *TILE_WORLDS)
        if is_accepted(name, text)
    ),
    *(
        (name, text)
        for name in ("object_based", "knowledge_base", "transfer")
        for text in THING_WORLDS
    ),
    *(("pixel_objects", text) for text in PICTURE_WORLDS),
]


@pytest.mark.parametrize(("name", "world"), PAIRS)
@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.__name__)
def test_model_keeps_the_contract(name, world, check):
    check(registry.world(world), made(name, world))


def test_every_model_is_checked_in_two_worlds_at_least():
    accepted = [name for name, _ in PAIRS]
    assert all(accepted.count(name) >= 2 for name in NAMES)


@pytest.mark.parametrize("world", WORLDS)
def test_the_true_model_is_the_one_the_worlds_are_checked_with(world):
    assert type(made("true", world)) is type(registry.world(world).model)

"""Every registered model keeps the contract, whether or not it agrees with the world."""

from __future__ import annotations

from functools import cache

import pytest

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.rng import Meter, Rng
from ludex.testing import MODEL_CHECKS

WORLDS = ("nim[heaps=1-2-3]", "kuhn_poker", "parley", "goofspiel")


@cache
def made(name, text):
    """The model that the first seat to act would get in a match."""
    world = registry.world(text)
    rules = world.model.metered(Meter())
    state = world.start(Rng(0))
    rules.settle(state, Rng(0))
    view = rules.view(state, rules.to_act(state)[0])
    part = registry.load("models", name)()
    return part.make(rules, view, Budget(model_calls=1000), Rng(1))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("name", [name for name in registry.names("models") if name != "true"])
@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.__name__)
def test_model_keeps_the_contract(name, world, check):
    check(registry.world(world), made(name, world))


@pytest.mark.parametrize("world", WORLDS)
def test_the_true_model_is_the_one_the_worlds_are_checked_with(world):
    assert type(made("true", world)) is type(registry.world(world).model)

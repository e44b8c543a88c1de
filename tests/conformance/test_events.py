"""Events say what the step did under every option that changes what is hidden or told."""

from __future__ import annotations

import pytest

from ludex.core import registry
from ludex.testing.checks.events import (
    EVENT_CHECKS_OF_WORLDS,
    check_all_ways_of_stepping_tell_the_same,
)

WORLDS = (
    "catan[view=open,seats=2]",
    "catan[view=points,trades=free,offers=none,seats=3]",
    "catan[bank=infinite,points=14,early=knights]",
    "goofspiel[order=descending,seats=3]",
    "hearthstone[mulligan=true,places=all]",
    "hearthstone[actions=staged,decks=random/random,heroes=hunter/rogue]",
    "parley[copies=2,hand=1,rounds=8]",
    "pig[seats=3]",
    "vgdl/zelda",
    "vgdl/two_thieves",
)


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("check", EVENT_CHECKS_OF_WORLDS, ids=lambda check: check.__name__)
def test_events_say_what_the_step_did(name, check):
    check(registry.world(name))


@pytest.mark.parametrize("name", WORLDS)
def test_all_ways_of_stepping_tell_the_same(name):
    world = registry.world(name)
    check_all_ways_of_stepping_tell_the_same(world, world.model)

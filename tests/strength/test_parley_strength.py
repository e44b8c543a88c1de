"""Looking ahead beats chance in parley."""

import pytest

from ludex.agents.compose import make_agent
from ludex.arena.match import play_match
from ludex.core import registry
from ludex.core.budget import Budget

GAMES = 40


@pytest.mark.strength
def test_an_envoy_that_looks_ahead_wins_more_than_one_that_does_not():
    """A random envoy wins 24 games in 100; 17 or more of 40 would be its luck once in 150."""
    world = registry.world("parley")
    wins = 0
    for match in range(GAMES):
        seat = match % 3
        agents = [make_agent("ismcts" if one == seat else "uniform") for one in range(3)]
        result = play_match(world, agents, seed=match, budget=Budget(iterations=30))
        wins += seat in result.outcome.winners
    assert wins >= 17

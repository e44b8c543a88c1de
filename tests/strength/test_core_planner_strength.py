"""What the core planners are claimed to win, with fixed seeds."""

from __future__ import annotations

import pytest

from ludex.agents.compose import make_agent
from ludex.arena.match.runner import play_match
from ludex.core import Budget, registry

pytestmark = pytest.mark.strength

# Of 60 games. Over 600 games `rhea` wins 94 % with these opponents, the others 98 % and more.
AGAINST_UNIFORM = {
    "flat_monte_carlo": 57,
    "flat_monte_carlo(allocation=even)": 57,
    "rhea(opponent=same)": 52,
    "rhea(opponent=pessimistic)": 52,
    "olets(opponent=same)": 57,
    "olets(opponent=pessimistic)": 57,
}


@pytest.mark.parametrize(("agent", "least"), AGAINST_UNIFORM.items())
def test_it_beats_uniform_play_in_connect_four(agent, least):
    world, budget = registry.world("connect_four"), Budget(iterations=200)
    wins = 0
    for game in range(60):
        own = game % 2
        agents = [make_agent("uniform"), make_agent("uniform")]
        agents[own] = make_agent(agent)
        result = play_match(world, agents, seed=100 + game // 2, budget=budget)
        assert not result.faults
        wins += own in result.outcome.winners
    assert wins >= least


@pytest.mark.parametrize(
    "agent",
    ["random_search", "flat_monte_carlo", "rhea(length=14,shift_buffer=yes,rollouts=5)"],
)
def test_it_wins_aliens_with_480_calls(agent):
    # Uniform play wins one game in ten, so 3 of 4 once in 270 times.
    world = registry.world("vgdl/aliens")
    wins = 0
    for seed in range(100, 104):
        result = play_match(world, [make_agent(agent)], seed=seed, budget=Budget(model_calls=480))
        wins += result.outcome.winners == (0,)
    assert wins >= 3

"""Rules that were learned from a little random play are good enough to score with.

Games whose rules nobody tells. A search in what a knowledge base holds to be true gains more in a
few dozen ticks than random play does. Three small games are in the unit tests.
"""

from __future__ import annotations

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.rng import Meter

CALLS = Budget(model_calls=100)
TICKS = 50
RANDOM_GAMES, GAMES = 20, 2


def mean_score(name, agent, games):
    """What an agent has after so many ticks, on average."""
    world = registry.world(name)
    return sum(score(world, make_agent(agent), seed) for seed in range(games)) / games


def score(world, agent, seed):
    rng = Rng(seed)
    rules = world.model.metered(Meter())
    state = world.start(rng.fork("start"))
    mind = agent.start(rules, rules.view(state, 0), CALLS, rng)
    for tick in range(TICKS):
        if rules.outcome(state) is not None:
            break
        decision = mind.decide(rules.view(state, 0), CALLS, rng.fork("decides", tick))
        state = world.step(state, (decision.action,), rng.fork("real", tick))
    return rules.score(state, 0)


@pytest.mark.strength
@pytest.mark.slow
@pytest.mark.parametrize("world", ["vgdl/butterflies", "vgdl/boulderdash", "vgdl/pacman"])
def test_a_search_in_what_was_learned_gains_more_than_random_play(world):
    random = mean_score(world, "uniform", RANDOM_GAMES)
    assert mean_score(world, "breadth_first@knowledge_base(steps=300)", GAMES) > 2 * random

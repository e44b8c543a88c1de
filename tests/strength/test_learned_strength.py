"""What is learned is good enough to win with.

A room of sokoban whose rules nobody tells: random play shows what happens and, now and then, a
solution. From corners where it never started, a search in the learned model then solves the room,
with few moves more than a search in the rules; random play does not in as many.
"""

from __future__ import annotations

import pytest

from ludex.agents.compose import Composed, make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.names import Named
from ludex.core.rng import Meter
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.end_to_end import EndToEnd
from ludex.models.learned.local import Local
from ludex.models.learned.training.transitions import random_play

ROOM = "wwwwwww/w.....w/w..*..w/w....ow/w.....w/wwwwwww"
CALLS = Budget(model_calls=3000)
CORNERS = ((1, 1), (1, 5), (4, 1), (4, 5))
LIMIT = 30


def with_avatar(world, row, column):
    rows = [list(line) for line in ROOM.split("/")]
    rows[row][column] = "A"
    return world.parse("/".join(map("".join, rows)))


@pytest.fixture(scope="module")
def world():
    return registry.world(f"sokoban[limit={LIMIT}]")


def moves_to_win(world, agent, state):
    """How many moves the agent needs; None where it does not get there."""
    rules = world.model.metered(Meter())
    mind = agent.start(rules, rules.view(state, 0), CALLS, Rng(1))
    for move in range(LIMIT):
        decision = mind.decide(rules.view(state, 0), CALLS, Rng(move))
        state = world.step(state, (decision.action,), Rng(0))
        if state.is_solved:
            return move + 1
    return None


@pytest.mark.strength
@pytest.mark.parametrize("fresh", [Local(span=2), EndToEnd(), Decomposed(trust=0.9)], ids=str)
def test_a_search_in_the_learned_model_solves_a_room_nearly_as_quickly_as_one_in_the_rules(
    world, fresh
):
    start = world.model.view(with_avatar(world, 2, 2), 0)
    learner = fresh.clone().fit(random_play(world.model, start, 6000, Rng(3), restart=LIMIT))
    learned = Composed(make_agent("breadth_first"), Named("local", {}), Known(learner))
    moves = {"rules": 0, "learned": 0, "random": 0}
    for corner in CORNERS:
        state = with_avatar(world, *corner)
        moves["rules"] += moves_to_win(world, make_agent("breadth_first"), state)
        moves["learned"] += moves_to_win(world, learned, state) or LIMIT
        moves["random"] += moves_to_win(world, make_agent("uniform"), state) or LIMIT
    assert moves["rules"] <= moves["learned"] <= 1.5 * moves["rules"]
    assert moves["learned"] < moves["random"] / 2


class Known:
    """A part that begins with what is known already."""

    learn, stochastic = "constant", False

    def __init__(self, learner):
        self.learner = learner

    def beginner(self, model, view, rng):
        return self.learner

    def traits_of(self, traits):
        return self.learner.traits_of(traits)

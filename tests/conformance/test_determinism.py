"""The same seed gives the same matches, whatever the workers and the order."""

from __future__ import annotations

import pytest

from ludex.arena.tournament import play_many
from ludex.core import registry
from ludex.core.budget import Budget

GAMES = 4


def digest(result):
    """All that must repeat of a match: everything but time."""
    moves = [
        [(d.action, d.iterations, d.model_calls, d.depth, d.value) for d in decisions]
        for decisions in result.decisions
    ]
    lines = [line for line in result.record.lines() if "cpu_ms" not in line]
    return result.agents, result.outcome, result.scores, result.ticks, moves, lines


def play(name, workers, games=GAMES):
    world = registry.world(name)
    agents = ["ismcts" if world.traits.hidden else "open_loop_mcts"]
    agents += ["uniform"] * (world.traits.seats - 1)
    budget = Budget(model_calls=40)
    return [
        digest(result)
        for result in play_many(world, agents, games=games, seed=12, budget=budget, workers=workers)
    ]


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_two_workers_play_the_same_matches_as_one(name):
    assert play(name, workers=1) == play(name, workers=2)


def test_a_match_does_not_depend_on_how_many_are_played():
    assert play("pig", workers=1, games=2) == play("pig", workers=1, games=GAMES)[:2]


def test_matches_of_one_series_differ():
    assert len({str(match) for match in play("pig", workers=1)}) == GAMES

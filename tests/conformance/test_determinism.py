"""The same seed gives the same matches, whatever the workers and the order."""

from __future__ import annotations

import pytest

from ludex.arena.match.runner import play_match
from ludex.arena.study.tournament import play_many
from ludex.core import registry
from ludex.core.budget import Budget

GAMES = 4


def digest(result):
    """All that must repeat of a match: everything but time."""
    moves = [
        [(d.action, d.iterations, d.model_calls, d.depth, d.value) for d in decisions]
        for decisions in result.decisions
    ]
    lines = list(result.record.lines())
    return result.agents, result.outcome, result.scores, result.ticks, moves, lines


BUDGET = Budget(model_calls=40)


def line_up(name):
    """A world and agents for its seats: one that searches, the others at random."""
    world = registry.world(name)
    searcher = "ismcts" if world.traits.hidden else "open_loop_mcts"
    return world, [searcher, *["uniform"] * (world.traits.seats - 1)]


def play(name, workers, games=GAMES):
    world, agents = line_up(name)
    series = play_many(world, agents, games=games, seed=12, budget=BUDGET, workers=workers)
    return [digest(result) for result in series]


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_two_workers_play_the_same_matches_as_one(name):
    assert play(name, workers=1) == play(name, workers=2)


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_matches_played_alone_in_another_order_are_the_same(name):
    world, agents = line_up(name)
    series = list(play_many(world, agents, games=GAMES, seed=12, budget=BUDGET, workers=1))
    for result in reversed(series):
        alone = play_match(world, agents, seed=result.seed, budget=BUDGET)
        assert digest(alone) == digest(result)


def test_a_match_does_not_depend_on_how_many_are_played():
    assert play("pig", workers=1, games=2) == play("pig", workers=1, games=GAMES)[:2]


def test_matches_of_one_series_differ():
    assert len({str(match) for match in play("pig", workers=1)}) == GAMES

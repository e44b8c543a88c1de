"""Every level of Sokoban is solved by its stored moves, and by no fewer.

The moves are those of a breadth-first search over sets of boxes that shares no code with the
world; `breadth_first_distance` below is another one, over the world's own states.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludex.core import Rng, registry
from ludex.worlds.sokoban.levels import levels
from ludex.worlds.sokoban.rules import MOVES, Move

SOLUTIONS = json.loads(Path(__file__).with_name("sokoban_solutions.json").read_text())
WAYS = {"U": Move.UP, "L": Move.LEFT, "D": Move.DOWN, "R": Move.RIGHT}


def test_every_level_has_a_solution():
    assert set(SOLUTIONS) == {level.name for level in levels()}


@pytest.mark.parametrize("number", range(12))
def test_the_solution_solves_the_level_with_its_last_move(number):
    world = registry.world(f"sokoban[level={number}]")
    state = world.start(Rng(0))
    for letter in SOLUTIONS[levels()[number].name]:
        assert not state.is_solved
        state = world.step(state, (WAYS[letter],), Rng(0))
    assert world.model.outcome(state).winners == (0,)


@pytest.mark.parametrize("number", range(12))
def test_no_shorter_solution_exists(number):
    world = registry.world(f"sokoban[level={number}]")
    assert breadth_first_distance(world) == len(SOLUTIONS[levels()[number].name])


def breadth_first_distance(world):
    rules = world.model
    layer, seen, depth = [world.start(Rng(0))], set(), 0
    while layer:
        depth += 1
        after = []
        for state in layer:
            for move in MOVES:
                one = rules.step(state, (move,), Rng(0))
                if one.is_solved:
                    return depth
                if one.cells not in seen:
                    seen.add(one.cells)
                    after.append(one)
        layer = after
    return None

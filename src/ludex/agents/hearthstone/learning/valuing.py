"""Fitted Q iteration for Hearthstone: values of whole actions, or of three levels of choice.

Whole actions: one forest values everything a player can do, ending the turn included. Levels: a
forest chooses targets, as Nora's does; two forests value cards and attacks, learned from random
games with such targets; and one values playing, attacking and ending, learned from games in which
that is drawn and the rest is done by the other three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning import forest_file
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.forests import Arrays
from ludex.agents.hearthstone.learning.iteration import IterationSettings, RecordedSteps, iterate
from ludex.agents.hearthstone.learning.nora import MATCH_WORLD, Recipe, Tell, assembled
from ludex.agents.hearthstone.learning.samples import chunks, numbers_of, sample_world, world_model
from ludex.agents.hearthstone.learning.threads import in_order

PART = 100  # games between two reports


@dataclass(frozen=True)
class Values:
    """Training settings of fitted Q iteration, stored with the forests."""

    steps: int = 100_000
    """recorded steps for each forest"""
    levels: bool = False
    """three levels of choice, or whole actions"""
    win: float = 1.0
    """the reward of a win, in addition to changes of the board-control score"""
    explore: float = 0.3
    """share of the script's actions that are drawn, where whole actions are learned"""
    samples: int = 20_000
    """rows of each class for the forest that chooses targets"""
    settings: IterationSettings = field(default_factory=IterationSettings)


def record(
    world: str,
    player: _native.Chooser,
    level: str,
    values: Values,
    seed: int,
    workers: int,
    told: Callable[[int], None],
) -> RecordedSteps:
    """Play games of a player against itself until there are so many steps of a level."""
    model, numbers = world_model(world), numbers_of(world)

    def part(number: int) -> tuple[Any, ...]:
        first = number * PART
        return _native.transitions(model, player, level, numbers, values.win, seed, first, PART)

    found: list[tuple[Any, ...]] = []
    count = 0
    for one in in_order(part, range(values.steps), workers):
        found.append(one)
        count += len(one[1])
        told(count)
        if count >= values.steps:
            break
    ends, before = [], 0
    for one in found:
        ends.append(one[3] + before)
        before += len(one[2])
    rows, rewards, following = (np.concatenate([one[i] for one in found]) for i in range(3))
    return RecordedSteps(rows, rewards, following, np.concatenate(ends))


def learn(
    values: Values, tell: Tell = lambda what, share: None, workers: int = 1
) -> tuple[dict[str, Arrays], dict[str, list[float]]]:
    """Learn the forests; also says how far the values of each moved, round by round."""
    moves: dict[str, list[float]] = {}

    def valued(world: str, player: _native.Chooser, level: str) -> Arrays:
        seed, rounds = values.settings.seed, values.settings.rounds
        steps = record(
            world,
            player,
            level,
            values,
            seed,
            workers,
            lambda count: tell(f"steps of {level}", min(1.0, count / values.steps)),
        )
        forest, moves[level] = iterate(
            steps,
            values.settings,
            lambda done: tell(f"values of {level}", done / rounds),
            workers,
        )
        return forest

    if not values.levels:
        script = _native.Chooser.scripted(values.explore)
        return {"whole": valued(MATCH_WORLD, script, "whole")}, moves
    world = sample_world()
    model, numbers = world_model(world), numbers_of(world)
    recipe = Recipe(samples=values.samples, least=values.settings.least, seed=values.settings.seed)
    rows = learning.gather(chunks(recipe.source(learning.LEARNED), workers), values.samples, tell)
    forests = dict.fromkeys(("play", "attack", "meta"), Arrays.constant(0.0))
    forests["target"] = learning.grown(recipe, rows["target"], tell, "target", workers)
    aiming = assembled(model, forests, numbers, recipe)
    for level in ("play", "attack"):
        forests[level] = valued(world, _native.Chooser.damped(aiming), level)
    concrete = assembled(model, forests, numbers, recipe)
    drawing = _native.Chooser.two_level(concrete, forests["meta"].native(), 1.0)
    forests["meta"] = valued(world, drawing, "meta")
    return forests, moves


def save(
    path: Path, forests: dict[str, Arrays], values: Values, moves: dict[str, list[float]]
) -> None:
    forest_file.write(path, "fitted_q", forests, {"values": asdict(values), "moves": moves})

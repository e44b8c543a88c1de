"""What `ludex bench` measures one after the other, and how it shares out the time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ludex.bench.native_searches import native_search_rows
from ludex.bench.panel import SECONDS_OF_SEARCH, SECONDS_PER_GAME, Panel
from ludex.bench.result import BenchResult, Row
from ludex.bench.worlds import (
    SECONDS_PER_WORLD,
    accepts,
    planner_rows,
    planners_present,
    world_rows,
)
from ludex.core.world import World

SECONDS_IN_ALL = 240.0  # the whole command ends within five minutes
SECONDS_OF_NATIVE = 25.0  # about what native searches and their Python forms take
LEAST_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to measure: its name, and what measures it in so many seconds."""

    name: str
    rows: Callable[[float], Iterator[list[Row]]]
    beside: float = 0.0
    """seconds that it takes beside those it is given"""


class Clock:
    """Shares out what is left of the time; on a busy machine a second of work takes longer."""

    def __init__(self) -> None:
        self.begun, self.worked = time.monotonic(), self.work()

    def work(self) -> float:
        """CPU time of this process and of those it ran."""
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    def share(self, targets: int) -> float:
        """CPU seconds for each of so many targets."""
        passed, worked = time.monotonic() - self.begun, self.work() - self.worked
        pace = max(1.0, passed / worked) if worked > 0.1 else 1.0
        return (SECONDS_IN_ALL - passed) / targets / pace


def measure(
    targets: list[Target],
    found: BenchResult,
    seconds: float,
    clock: Clock | None = None,
    begin: Callable[[Target], None] = lambda target: None,
) -> None:
    """Measure the targets and add what they give to `found`, each row as soon as it is known.

    Args:
        targets: What to measure.
        found: Where results go; an interruption leaves there what was measured.
        seconds: The most CPU time for each, where there is enough for all.
        clock: When the work began; now if not given.
        begin: Called before each target.
    """
    clock = clock or Clock()
    for index, target in enumerate(targets):
        begin(target)
        share = clock.share(len(targets) - index) - target.beside
        first = len(found.results)
        for rows in target.rows(max(LEAST_SECONDS, min(seconds, share))):
            found.add(rows)
        found.finish(first)


def usual_seconds(panel: Panel | None) -> float:
    """CPU time for each target if nobody says otherwise."""
    return SECONDS_PER_GAME if panel else SECONDS_PER_WORLD


def world_target(world: World) -> Target:
    """A world, with the planners that can play it."""
    planners = [one for one in planners_present() if accepts(one, world)]

    def rows(seconds: float) -> Iterator[list[Row]]:
        yield from world_rows(world, seconds)
        yield from planner_rows(planners, world)

    return Target(str(world), rows)


def model_target(name: str) -> Target:
    """The learned models, beside the rules."""
    from ludex.bench.models import model_rows  # learners load libraries

    return Target(name, model_rows)


def panel_targets(panel: Panel) -> list[Target]:
    """The games of a panel."""
    return game_targets(panel, panel.rows)


def planner_targets(name: str, panel: Panel) -> list[Target]:
    """All planners: in a world that suits each, and in the games of a panel."""
    planners = list(planners_present())
    ground = Target(name, lambda seconds: planner_rows(planners))
    searches = Target("native searches", lambda seconds: native_search_rows(), SECONDS_OF_NATIVE)
    return [ground, searches, *game_targets(panel, partial(panel.planner_rows, planners))]


def game_targets(panel: Panel, rows: Callable[[int, float], Iterator[list[Row]]]) -> list[Target]:
    """The yardstick first, so that every figure of Java's is carried to this machine."""

    def carry(seconds: float) -> Iterator[list[Row]]:
        panel.java.carry(panel.shared)
        yield []

    yardstick = [Target("yardstick", carry)] if panel.java.games else []
    games = enumerate(panel.games)
    return yardstick + [
        Target(game, partial(rows, index), SECONDS_OF_SEARCH) for index, (_, game, _) in games
    ]

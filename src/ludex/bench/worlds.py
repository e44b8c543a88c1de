"""How fast worlds are, and how far planners get in them."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.bench import timing
from ludex.bench.result import BenchResult, Row
from ludex.core import registry
from ludex.core.planner import Planner
from ludex.core.world import World

SECONDS_PER_WORLD = 20.0
SHARE_OF_OWN = 0.3  # more time, for rates that only one world has
SHARE_OF_PLANNERS = 0.1  # about what the planners of a world take of its time
PROVING_GROUND = "connect_four"  # where planners are compared, if they can play it
POLICIES = {"random_games": {"policy": "uniform"}}  # what chooses the moves, where it matters


def bench_world(world: World | str, seconds: float = SECONDS_PER_WORLD) -> BenchResult:
    """Measure how fast a world is, per CPU-second of one thread.

    >>> rates = {row["metric"]: row["per_cpu_s"] for row in bench_world("nim", 0.1).results}
    >>> rates["tick"] > 0
    True

    Args:
        world: The world, or its text.
        seconds: CPU time to take for it.
    """
    found = BenchResult()
    for rows in world_rows(registry.world(world) if isinstance(world, str) else world, seconds):
        found.add(rows)
    found.finish(0)
    return found


def bench_planner(planner: Planner | str, world: World | str | None = None) -> list[Row]:
    """Measure what a planner reaches in a decision of 40 ms, in the first real choice of a world.

    >>> [row["metric"] for row in bench_planner("mcts", "nim")]
    ['iterations_40ms', 'model_ticks_40ms', 'iteration_us']

    Args:
        planner: The planner, or its name, which gives it its usual parameters.
        world: The world, or its text; connect four or the first that suits it if not given.
    """
    chosen: Planner = registry.load("planners", planner)() if isinstance(planner, str) else planner
    ground = registry.world(world) if isinstance(world, str) else world
    return [row for rows in planner_rows([chosen], ground) for row in rows]


def world_rows(world: World, seconds: float) -> Iterator[list[Row]]:
    """Measure one metric of a world after the other, its own ones at the end."""
    for metric, rate in timing.world_rates(world, seconds * (1 - SHARE_OF_PLANNERS)):
        row = {"world": str(world), "metric": metric, "per_cpu_s": float(f"{rate:.4g}")}
        yield [row | POLICIES.get(metric, {})]
    for own in world.own_rates(seconds * SHARE_OF_OWN):
        yield [{"world": str(world), **own}]


def planner_rows(planners: list[Planner], world: World | None = None) -> Iterator[list[Row]]:
    """Measure one planner after the other: in a world, or each where it is usually measured."""
    for planner in planners:
        ground = world or ground_for(planner)
        if ground is None:
            continue
        named = {"planner": str(planner), "world": str(ground)}
        yield [
            {**named, "metric": metric, "value": value}
            for metric, value in timing.planner_rates(planner, ground).items()
        ]


def planners_present() -> Iterator[Planner]:
    """The planners that load, with their usual parameters."""
    for name in registry.names("planners"):
        try:
            yield registry.load("planners", name)()
        except Exception:  # ludex list says what is broken and why
            continue


def accepts(planner: Planner, world: World) -> bool:
    return planner.refusal(world.traits) is None


def ground_for(planner: Planner) -> World | None:
    """The world to compare planners in: connect four, or the first one that fits."""
    names = registry.names("worlds")
    for name in sorted(names, key=lambda name: name != PROVING_GROUND):
        try:
            world = registry.world(name)
        except Exception:  # ludex list says what is broken and why
            continue
        if accepts(planner, world):
            return world
    return None

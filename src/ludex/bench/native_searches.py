"""Native searches beside the same searches in Python, in one run: fixed decisions, and goals."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from ludex.bench import timing
from ludex.bench.result import Row
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.planner import Planner
from ludex.core.rng import Meter, Rng
from ludex.core.twin import TwinPlanner
from ludex.core.view import View
from ludex.core.world import World

Metric: TypeAlias = Literal["iterations_40ms", "model_ticks_40ms", "seconds_10000", "speedup_2"]

CATAN = "catan[view=open,trades=none]"
IN_CATAN: dict[str, Any] = {
    "exploration": 0.5,
    "rollout": "type_first",
    "rollout_depth": 5000,
    "transpositions": True,
}
TEN_THOUSAND = Budget(iterations=10_000)
LONGEST_MS = timing.BUDGET.time_ms or 40.0
LEAST_MS = 0.01
REPEATS = 3  # of decisions of 10,000 iterations; the median counts


@dataclass(frozen=True, slots=True)
class Search:
    """A decision to measure, and what it should reach."""

    planner: str
    world: str
    metric: Metric
    goal: float
    """the least value, or the most seconds; with `against_python` the least ratio"""
    against_python: bool = False
    parameters: tuple[tuple[str, Any], ...] = ()
    position: Literal["first", "middle"] = "first"
    """the first real choice of a game, or one after 600 ticks by type first"""


SEARCHES = (
    Search("mcts", "connect_four", "iterations_40ms", 25_000),
    Search("iterated_width", "vgdl/aliens", "model_ticks_40ms", 30_000),
    Search("iterated_width", "vgdl/zelda", "model_ticks_40ms", 30_000),
    Search("iterated_width", "vgdl/sokoban", "model_ticks_40ms", 30_000),
    Search("ismcts", "hearthstone", "iterations_40ms", 8, against_python=True),
    Search(  # without playouts, which are native in both: the tree alone
        "ismcts", "hearthstone", "iterations_40ms", 8, True, parameters=(("rollout", "none"),)
    ),
    Search("mcts", CATAN, "seconds_10000", 0.7, parameters=tuple(IN_CATAN.items())),
    Search(
        "mcts", CATAN, "seconds_10000", 0.5, parameters=tuple(IN_CATAN.items()), position="middle"
    ),
    Search("mcts", CATAN, "speedup_2", 1.7, parameters=tuple(IN_CATAN.items())),
    Search("mcts", CATAN, "speedup_2", 1.7, parameters=tuple(IN_CATAN.items()), position="middle"),
)


def native_search_rows() -> Iterator[list[Row]]:
    """Measure one search after the other."""
    for search in SEARCHES:
        yield [row_of(search)]


def row_of(search: Search) -> Row:
    planner = registry.load("planners", search.planner)(**dict(search.parameters))
    world = registry.world(search.world)
    view = view_at(world, search.position)
    row: Row = {
        "planner": search.planner,
        "agent": str(planner),
        "world": search.world,
        "position": search.position,
        "metric": search.metric,
    }
    measure = MEASURES[search.metric]
    value = measure(planner, world, view)
    row["value"] = float(f"{value:.4g}")
    in_seconds = search.metric == "seconds_10000"
    plain = python_form(planner, world)
    if plain is not None and search.metric != "speedup_2":
        python = measure(plain, world, view)
        times = python / value if in_seconds else value / max(python, 1.0)
        row |= {"python": float(f"{python:.4g}"), "times_python": float(f"{times:.4g}")}
    reached = row.get("times_python", 1.0) if search.against_python else value
    row["goal"] = search.goal
    row["goal_is_of"] = "times_python" if search.against_python else "value"
    row["met"] = reached <= search.goal if in_seconds else reached >= search.goal
    return row


@cache
def view_at(world: World, position: str) -> View:
    """What the acting seat sees at a position of a game."""
    if position == "first":
        return timing.first_choice(world)
    model, dice = world.referee, Rng(3)
    state = model.rollout(world.start(Rng(1)), "type_first", 600, Rng(2)).state
    while True:
        model.settle(state, dice)
        view = model.view(state, model.to_act(state)[0])
        if len(view.legal) > 1:
            return view
        model.advance(state, (view.legal[0],), dice)


def iterations(planner: Planner, world: World, view: View) -> float:
    return statistics.median(one.iterations for one in timing.decisions_of(planner, world, view))


def model_ticks(planner: Planner, world: World, view: View) -> float:
    """The ticks of 40 ms, also of searches that had looked at everything sooner."""
    made = timing.decisions_of(planner, world, view)
    return statistics.median(
        one.model_calls * max(1.0, LONGEST_MS / max(one.cpu_ms, LEAST_MS))
        if one.notes.get("complete")
        else one.model_calls
        for one in made
    )


def seconds(planner: Planner, world: World, view: View) -> float:
    """CPU seconds of a decision of 10,000 iterations."""
    return timed(planner, world, view, time.thread_time)


def speedup(planner: Planner, world: World, view: View) -> float:
    """How many times as soon two threads decide as one does."""
    alone = timed(planner, world, view, time.perf_counter)
    return alone / timed(planner.clone(threads=2), world, view, time.perf_counter)


def timed(planner: Planner, world: World, view: View, clock: Callable[[], float]) -> float:
    model = world.model.metered(Meter())
    found: list[float] = []
    for number in range(REPEATS):
        begun = clock()
        planner.decide(model, view, TEN_THOUSAND, Rng(1).fork("bench", number))
        found.append(clock() - begun)
    return statistics.median(found)


MEASURES: dict[Metric, Callable[[Planner, World, View], float]] = {
    "iterations_40ms": iterations,
    "model_ticks_40ms": model_ticks,
    "seconds_10000": seconds,
    "speedup_2": speedup,
}


def python_form(planner: Planner, world: World) -> Planner | None:
    """The planner that searches in Python, where it would search natively."""
    if isinstance(planner, TwinPlanner) and planner.why_not_native(world.model) is None:
        return planner.clone(native=False)
    return None

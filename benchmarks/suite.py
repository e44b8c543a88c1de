"""The speed of what every search stands on, in nanoseconds of CPU time per call.

    python benchmarks/suite.py [--seconds 0.3] [--only PART] [--json]

`compare.py` runs this against two versions of the package.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import LudexError

Benchmark = tuple[str, Callable[[float], float]]
BLOCK = 2000


def timed(call: Callable[[], Any]) -> Callable[[float], float]:
    """Nanoseconds of one call, without the loop around it: the best of several blocks."""

    def measure(seconds: float) -> float:
        def block(function: Callable[[], Any]) -> float:
            start = time.thread_time_ns()
            for _ in range(BLOCK):
                function()
            return (time.thread_time_ns() - start) / BLOCK

        empty = best = float("inf")
        end = time.perf_counter() + seconds
        while best == float("inf") or time.perf_counter() < end:
            empty = min(empty, block(lambda: None))
            best = min(best, block(call))
        return best - empty

    return measure


def core_benchmarks() -> Iterator[Benchmark]:
    rng, meter = Rng(1), Meter()
    yield "rng.below", timed(lambda: rng.below(7))
    yield "rng.fork", timed(lambda: rng.fork("play", 3))
    yield "meter.spend", timed(lambda: meter.spend())


def world_benchmarks(name: str) -> Iterator[Benchmark]:
    """Bound calls, then the same work timed inside one native call."""
    world = registry.world(name)
    model: Any = world.model
    rng = Rng(2)
    state = world.start(rng)
    model.settle(state, rng)
    seats = model.to_act(state)
    actions = tuple(model.default_action(state, seat) for seat in seats)
    scratch = state.copy()

    def advance() -> None:
        scratch.copy_from(state)
        model.advance(scratch, actions, rng)

    yield f"{name}.to_act", timed(lambda: model.to_act(state))
    yield f"{name}.legal", timed(lambda: model.legal(state, seats[0]))
    yield f"{name}.copy", timed(lambda: state.copy())
    yield f"{name}.copy_from", timed(lambda: scratch.copy_from(state))
    yield f"{name}.copy_from+advance", timed(advance)
    yield f"{name}.step", timed(lambda: model.step(state, actions, rng))
    yield f"{name}.rollout of 1 tick", timed(lambda: model.rollout(state, "uniform", 1, rng))
    yield f"{name}.rollout", timed(lambda: model.rollout(state, "uniform", 10_000, rng))
    if not hasattr(model, "bench"):
        return
    for metric in ("tick", "copy_tick", "copy", "rollout_tick"):
        yield (
            f"{name}: native {metric}",
            lambda seconds, metric=metric: 1e9 / model.bench(metric, max(seconds, 0.001)),
        )


def planner_benchmarks() -> Iterator[Benchmark]:
    """One iteration of mcts from the start of connect four."""
    world = registry.world("connect_four")
    planner = registry.load("planners", "mcts")()
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(0)), 0)

    def measure(seconds: float) -> float:
        best = float("inf")
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or best == float("inf"):
            start = time.thread_time_ns()
            planner.decide(model, view, Budget(iterations=1000), Rng(3))
            best = min(best, (time.thread_time_ns() - start) / 1000)
        return best

    yield "mcts iteration on connect_four", measure


def view_benchmarks() -> Iterator[Benchmark]:
    """What a view of Aliens costs, and each of its answers when first asked for."""
    world = registry.world("vgdl/aliens")
    model: Any = world.model
    state = world.start(Rng(0))
    for tick in range(30):
        model.advance(state, (tick % 6,), Rng(tick))

    def answer(ask: Callable[[Any], Any]) -> Callable[[], Any]:
        return lambda: ask(model.view(state, 0))

    yield "view", timed(lambda: model.view(state, 0))
    yield "view and planes", timed(answer(lambda view: view.planes()))
    yield "view and rows", timed(answer(lambda view: view.rows))
    yield "view and pixels", timed(answer(lambda view: view.pixels()))
    yield "view and avatar", timed(answer(lambda view: view.avatar))
    yield "view pickled and back", timed(answer(lambda view: pickle.loads(pickle.dumps(view))))
    yield "view and sprites", timed(answer(lambda view: view.sprites))
    yield "view and grid", timed(answer(lambda view: view.grid))


PARTS: dict[str, Callable[[], Iterator[Benchmark]]] = {
    "core": core_benchmarks,
    "connect_four": lambda: world_benchmarks("connect_four"),
    "planners": planner_benchmarks,
    "views": view_benchmarks,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each benchmark")
    parser.add_argument("--only", choices=[*PARTS], help="one part of the suite")
    parser.add_argument("--json", action="store_true", help="one document on standard output")
    options = parser.parse_args()
    results: dict[str, float] = {}
    for part in [options.only] if options.only else PARTS:
        try:
            for name, measure in PARTS[part]():
                results[name] = measure(options.seconds)
                if not options.json:
                    print(f"{name:40} {results[name]:12.1f} ns", flush=True)
        except (LudexError, AttributeError) as error:  # an older version may lack a part
            print(f"{part}: left out, {error}", file=sys.stderr)
    if options.json:
        json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()

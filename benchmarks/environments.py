"""Steps per second of VGDL environments: one game, Gymnasium's vectors, and our own batch.

    python benchmarks/environments.py [--game aliens] [--games 64] [--seconds 1] [--json]

Random actions; resets are part of it. Wall time is the best of three runs; CPU time is that of
all processes and threads together, so it says what the machine would do if it were idle.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

import ludex.adapters.register  # noqa: F401  # registers the ids

FORMS = ("grid", "objects", "pixels")
RUNS = 3


def single_rate(env: Any, seconds: float) -> tuple[int, float]:
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(env.action_space.n, size=256)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        steps += len(actions)
    return steps, time.perf_counter() - start


def vector_rate(env: Any, seconds: float) -> tuple[int, float]:
    env.reset(seed=1)
    size = (64, env.num_envs)
    actions = np.random.default_rng(1).integers(env.single_action_space.n, size=size)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for row in actions[: 8 if env.num_envs > 16 else 64]:
            env.step(row)
            steps += env.num_envs
    return steps, time.perf_counter() - start


def ways(game: str, games: int, form: str) -> Iterator[tuple[str, Any]]:
    """How to step games, with a maker for each."""
    name = f"ludex/{game}-v0"
    cores = len(os.sched_getaffinity(0))
    yield "one game", lambda: gymnasium.make(name, observation=form)
    for mode, options in (
        ("sync", {}),
        ("async", {}),
        ("vector_entry_point", {"threads": 1}),
        ("vector_entry_point", {"threads": cores}),
    ):
        words = f"batch, {options['threads']} threads" if options else f"gymnasium.vector {mode}"

        def made(mode: str = mode, options: dict[str, Any] = options) -> Any:
            return gymnasium.make_vec(
                name, num_envs=games, vectorization_mode=mode, observation=form, **options
            )

        yield words, made


def cpu_seconds() -> float:
    """Of this process and of those that have ended."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def measure(make: Any, seconds: float) -> tuple[float, float]:
    """Steps per second of wall time, and of CPU time."""
    env = make()
    before = cpu_seconds()
    rate = vector_rate if hasattr(env, "num_envs") else single_rate
    try:
        runs = [rate(env, seconds) for _ in range(RUNS)]
    finally:
        env.close()
    steps = sum(count for count, _ in runs)
    return max(count / wall for count, wall in runs), steps / (cpu_seconds() - before)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="aliens")
    parser.add_argument("--games", type=int, default=64, help="how many side by side")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    results: list[dict[str, Any]] = []
    for form in FORMS:
        for words, make in ways(given.game, given.games, form):
            wall, cpu = measure(make, given.seconds)
            row = {"game": given.game, "observation": form, "way": words}
            results.append({**row, "steps_per_s": wall, "per_cpu_s": cpu})
            if not given.json:
                rates = f"{wall:>12,.0f} steps/s {cpu:>12,.0f} steps per CPU-second"
                print(f"{form:8} {words:24} {rates}", flush=True)
    if given.json:
        print(json.dumps({"games": given.games, "results": results}))


if __name__ == "__main__":
    main()

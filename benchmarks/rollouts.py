"""How fast rollouts by each policy, sequences and batches are in one VGDL game.

python benchmarks/rollouts.py [WORLD]        for example vgdl/aliens
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import numpy as np

from ludex.core import Meter, Rng, registry
from ludex.core.policy import Distances, Greedy, Weighted

LIMIT = 100
SECONDS = 0.5
STATES = 4096


def rate(body: Callable[[], int], clock: Callable[[], float] = time.thread_time) -> float:
    """The best of five measurements, per second of the clock."""
    rates: list[float] = []
    for _ in range(5):
        begin, done = clock(), 0
        while clock() - begin < SECONDS / 5:
            done += body()
        rates.append(done / (clock() - begin))
    return max(rates)


def main(name: str) -> None:
    world = registry.world(name)
    model = world.model.metered(Meter())
    start, rng, dice = world.start(Rng(1)), Rng(2), random.Random(3)
    columns, rows = model.grid()
    kinds = sorted({kind for kind, *_ in model.level.sprites(start)})
    policies = {
        "uniform": "uniform",
        "weights": Weighted({action: 1.0 + action for action in range(6)}),
        "distances": Distances({(a, k): dice.gauss(0, 1) for a in range(6) for k in kinds}),
        "greedy": Greedy([[float(x + y) for x in range(columns)] for y in range(rows)]),
        "a Python function": lambda model, state, seat, rng: rng.choice(model.legal(state, seat)),
    }
    print(f"{name}, rollouts of {LIMIT} ticks, ticks per CPU-second")
    print(f"{'policy':20} {'plain':>10} {'backtrack':>10} {'trace':>10}")
    for label, policy in policies.items():
        rates = [
            rate(
                lambda policy=policy, more=more: (
                    model.rollout(start, policy, LIMIT, rng, **more).ticks
                )
            )
            for more in ({}, {"backtrack": True}, {"trace": True})
        ]
        print(f"{label:20}", *(f"{one:>10,.0f}" for one in rates))
    array = np.random.default_rng(4).integers(0, 6, (50, 20, model.traits.seats))
    ticks = rate(lambda: sum(one.ticks for one in model.play(start, array, rng)))
    print(f"play, 50 sequences of 20 ticks: {ticks:,.0f} ticks per CPU-second")
    states = [model.rollout(start, "uniform", i % 50, Rng(i)).state for i in range(STATES)]
    actions = [(0,) * model.traits.seats] * STATES
    steps = rate(lambda: len(model.step_many(states, actions, rng)))
    print(f"step_many, {STATES} states: {steps:,.0f} steps per CPU-second")
    for threads in (1, 2):
        steps = rate(
            lambda threads=threads: len(model.step_many(states, actions, rng, threads)),
            time.perf_counter,
        )
        print(f"step_many, threads={threads}: {steps:,.0f} steps per second on the wall")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "vgdl/aliens")

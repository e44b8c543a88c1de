"""A model that counts its own calls, to be compared with what the meter saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from ludex.core.capabilities import Wrapper
from ludex.core.model import Actions, Model, Policy, Sequences
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT


@dataclass(slots=True)
class Counter:
    """Calls made through one model and all its metered copies."""

    calls: int = 0


class CountingModel(Wrapper, Generic[StateT]):
    """Passes everything on to a model, and counts steps, advances and ticks by itself."""

    inner: Model[StateT]

    def __init__(self, inner: Model[StateT], counter: Counter | None = None) -> None:
        self.inner = inner
        self.counter = counter or Counter()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)  # a copy in the making has no inner model yet
        return getattr(self.inner, name)

    def metered(self, meter: Meter) -> CountingModel[StateT]:
        return CountingModel(self.inner.metered(meter), self.counter)

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        after = self.inner.step(state, actions, rng)
        self.counter.calls += 1
        return after

    def advance(self, state: StateT, actions: Actions, rng: Rng) -> None:
        self.inner.advance(state, actions, rng)
        self.counter.calls += 1

    def rollout(
        self, state: StateT, policy: Policy, limit: int, rng: Rng, *more: Any, **named: Any
    ) -> Any:
        result = self.inner.rollout(state, policy, limit, rng, *more, **named)
        self.counter.calls += result.ticks
        return result

    def play(self, state: StateT, sequences: Sequences, rng: Rng) -> list[Any]:
        results = self.inner.play(state, sequences, rng)
        self.counter.calls += sum(result.ticks for result in results)
        return results

    def step_many(
        self, states: Sequence[StateT], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[StateT]:
        results = self.inner.step_many(states, actions, rng, threads)
        self.counter.calls += len(results)
        return results

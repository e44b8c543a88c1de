"""The base of models written in Python: it keeps the promises, the subclass has the rules."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Sequence
from typing import Any, Self

from ludex.core import fallback
from ludex.core._native import Rollout
from ludex.core.event import Event
from ludex.core.features import facts_of
from ludex.core.model import Action, Actions, Policy, Sequences
from ludex.core.outcome import Outcome
from ludex.core.rng import Meter, Rng
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View


class PythonModel(ABC):
    """Write `_apply` and the queries; stepping, replacing, metering and batches are here.

    States must be `PlainState` dataclasses or offer the same. A world with hidden facts also
    overrides `view`, `imagine` and `events`.
    """

    traits: Traits

    def __init__(self) -> None:
        self.meter = Meter()

    def metered(self, meter: Meter) -> Self:
        twin = copy.copy(self)
        twin.meter = meter
        return twin

    # The rules: what a subclass writes

    @abstractmethod
    def to_act(self, state: Any) -> tuple[int, ...]: ...

    @abstractmethod
    def legal(self, state: Any, seat: int) -> Sequence[Action]: ...

    @abstractmethod
    def _apply(self, state: Any, actions: Actions, rng: Rng) -> None:
        """Apply legal decisions to `state` in place, up to the next decision or chance."""

    @abstractmethod
    def outcome(self, state: Any) -> Outcome | None: ...

    @abstractmethod
    def score(self, state: Any, seat: int) -> float: ...

    def chance(self, state: Any) -> Sequence[tuple[Hashable, float]]:
        return ()

    def _resolve(self, state: Any, outcome: Hashable) -> None:
        """Apply a listed outcome to `state` in place."""
        raise NotImplementedError(f"{type(self).__name__} lists no chance")

    def _forget(self, state: Any) -> None:
        """Drop what `state` keeps of its last step: a step in which nobody acts tells nothing."""
        return

    def default_action(self, state: Any, seat: int) -> Action:
        return self.legal(state, seat)[0]

    def action_type(self, action: Action) -> str:
        return "move"

    def events(self, state: Any, seat: int | None = None) -> tuple[Event, ...]:
        return ()

    def avatars(self, state: Any) -> tuple[tuple[int, int], ...]:
        return ()

    def view(self, state: Any, seat: int) -> View:
        return OpenView(seat, tuple(self.legal(state, seat)), state.copy())

    def imagine(self, view: Any, rng: Rng) -> Any:
        self.meter.count_copy()
        return view.state.copy()

    def over(self, state: Any) -> bool:
        return self.outcome(state) is not None

    def key(self, state: Any, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        if seat is not None and self.traits.hidden:
            return self.view(state, seat)
        fields = state.__dataclass_fields__.values()
        return tuple(getattr(state, f.name) for f in fields if f.compare and f.name not in ignore)

    def features(self, state: Any) -> Collection[Hashable]:
        return tuple(facts_of(self.key(state)))

    def distance(self, state: Any, seat: int) -> float:
        return 0.0

    # The promises: what a subclass gets

    def step(self, state: Any, actions: Actions, rng: Rng) -> Any:
        after = state.copy()
        self.meter.count_copy()
        self.advance(after, actions, rng)
        return after

    def advance(self, state: Any, actions: Actions, rng: Rng) -> None:
        Meter.spend(self.meter)  # of a true meter, whatever somebody put there
        seats = self.to_act(state)
        if not seats:
            self.meter.count_ignored()
            self._forget(state)
            return
        self._apply(state, self._made_legal(state, seats, actions), rng)

    def _made_legal(self, state: Any, seats: tuple[int, ...], actions: Actions) -> Actions:
        fixed: list[Action] = []
        for place, seat in enumerate(seats):
            action = actions[place] if place < len(actions) else None
            if action not in self.legal(state, seat):
                self.meter.count_replaced()
                action = self.default_action(state, seat)
            fixed.append(action)
        return tuple(fixed)

    def resolve(self, state: Any, outcome: Hashable) -> Any:
        after = state.copy()
        self.meter.count_copy()
        self._resolve(after, outcome)
        return after

    def settle(self, state: Any, rng: Rng) -> tuple[Hashable, ...]:
        drawn: list[Hashable] = []
        while listed := self.chance(state):
            outcome = listed[rng.weighted([probability for _, probability in listed])][0]
            self._resolve(state, outcome)
            drawn.append(outcome)
        return tuple(drawn)

    def rollout(
        self,
        state: Any,
        policy: Policy,
        limit: int,
        rng: Rng,
        trace: bool = False,
        backtrack: bool = False,
        opening: Sequence[Actions] = (),
    ) -> Rollout:
        return fallback.rollout(self, state, policy, limit, rng, trace, backtrack, opening)

    def play(self, state: Any, sequences: Sequences, rng: Rng) -> list[Rollout]:
        return fallback.play(self, state, sequences, rng)

    def step_many(
        self, states: Sequence[Any], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[Any]:
        return fallback.step_many(self, states, actions, rng, threads)

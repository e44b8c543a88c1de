"""Base class of model wrappers: every call goes to the inner model."""

from __future__ import annotations

import copy
from collections.abc import Collection, Hashable, Sequence
from typing import Any, Generic, Self

from ludex.core.capabilities import Wrapper
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model, Policy, Sequences
from ludex.core.outcome import Outcome
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import StateT
from ludex.core.traits import Traits
from ludex.core.view import View


class Delegate(Wrapper, Generic[StateT]):
    """Delegates every call to `inner`; a wrapper overrides what it changes."""

    inner: Model[StateT]

    def __init__(self, inner: Model[StateT]) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        """Pass on what some models offer beside the contract, such as `distances`."""
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)  # a copy under construction has no inner model yet
        return getattr(self.inner, name)

    @property
    def traits(self) -> Traits:
        return self.inner.traits

    @property
    def meter(self) -> Meter:
        return self.inner.meter

    def metered(self, meter: Meter) -> Self:
        twin = copy.copy(self)
        twin.inner = self.inner.metered(meter)
        return twin

    def to_act(self, state: StateT) -> tuple[int, ...]:
        return self.inner.to_act(state)

    def legal(self, state: StateT, seat: int) -> Sequence[Action]:
        return self.inner.legal(state, seat)

    def default_action(self, state: StateT, seat: int) -> Action:
        return self.inner.default_action(state, seat)

    def action_type(self, action: Action) -> str:
        return self.inner.action_type(action)

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        return self.inner.step(state, actions, rng)

    def advance(self, state: StateT, actions: Actions, rng: Rng) -> None:
        self.inner.advance(state, actions, rng)

    def chance(self, state: StateT) -> Sequence[tuple[Hashable, float]]:
        return self.inner.chance(state)

    def resolve(self, state: StateT, outcome: Hashable) -> StateT:
        return self.inner.resolve(state, outcome)

    def settle(self, state: StateT, rng: Rng) -> tuple[Hashable, ...]:
        return self.inner.settle(state, rng)

    def over(self, state: StateT) -> bool:
        return self.inner.over(state)

    def outcome(self, state: StateT) -> Outcome | None:
        return self.inner.outcome(state)

    def score(self, state: StateT, seat: int) -> float:
        return self.inner.score(state, seat)

    def view(self, state: StateT, seat: int) -> View:
        return self.inner.view(state, seat)

    def imagine(self, view: View, rng: Rng) -> StateT:
        return self.inner.imagine(view, rng)

    def events(self, state: StateT, seat: int | None = None) -> tuple[Event, ...]:
        return self.inner.events(state, seat)

    def avatars(self, state: StateT) -> tuple[tuple[int, int], ...]:
        return self.inner.avatars(state)

    def key(self, state: StateT, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        return self.inner.key(state, seat, ignore)

    def features(self, state: StateT) -> Collection[Hashable]:
        return self.inner.features(state)

    def distance(self, state: StateT, seat: int) -> float:
        return self.inner.distance(state, seat)

    def rollout(
        self,
        state: StateT,
        policy: Policy,
        limit: int,
        rng: Rng,
        trace: bool = False,
        backtrack: bool = False,
        opening: Sequence[Actions] = (),
    ) -> Rollout:
        return self.inner.rollout(state, policy, limit, rng, trace, backtrack, opening)

    def play(self, state: StateT, sequences: Sequences, rng: Rng) -> list[Rollout]:
        return self.inner.play(state, sequences, rng)

    def step_many(
        self, states: Sequence[StateT], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[StateT]:
        return self.inner.step_many(states, actions, rng, threads)

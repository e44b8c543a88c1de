"""The Model contract: the forward model that a planner searches with."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.event import Event
from ludex.core.outcome import Outcome
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import StateT
from ludex.core.traits import Traits
from ludex.core.view import View

Action: TypeAlias = Any
"""A small hashable value; its text is `world.action_text(action)`."""
Actions: TypeAlias = tuple[Any, ...]
"""One action for each seat of `to_act(state)`, in that order."""


class ChooseFunction(Protocol):
    """A policy as a function: choose one of `model.legal(state, seat)` for a seat to act."""

    def __call__(self, model: Model, state: Any, seat: int, rng: Rng, /) -> Action: ...


Policy: TypeAlias = str | ChooseFunction
"""How a rollout chooses: by name, by a value of core/policy.py that native models play by
themselves, or by a function of ours.

Every model knows the names `uniform` (any legal action) and `type_first` (any type of action that
is legal, then any action of it); a model with `choose(state, policy, rng)` may know more."""

Sequences: TypeAlias = Sequence[Sequence[Actions]] | NDArray[np.integer[Any]]
"""Sequences of joint actions, as tuples; or whole numbers as an array [sequence, tick, seat], for
one seat also [sequence, tick] or a single sequence [tick]."""


class Model(Protocol[StateT]):
    """A forward model: the true rules, a learned model or a belief, as a planner uses it.

    `step` and `resolve` are pure. `advance` and `settle` change a state the caller owns.
    In simulation no action raises: one that is not legal is replaced by `default_action`, a state
    in which nobody acts stays as it is, and the meter counts both; the end of a budget is
    BudgetSpent.

    What is not of this model is refused before its rules see it: a state of another world, other
    options or another level is ForeignState, a seat that there is not NoSuchSeat, another number
    of actions than seats that act IllegalAction, an outcome that is not pending BadParameter.

    `Model[State]` is a model of these states; a bare `Model` may be of any.

    Threads may share a model. A state, a view of one and a random stream belong to one thread at
    a time: to share them is the caller's business.
    """

    @property
    def traits(self) -> Traits: ...

    @property
    def meter(self) -> Meter:
        """The meter that all calls of this model are counted on."""
        ...

    def metered(self, meter: Meter) -> Self:
        """Return the same model counting on another meter; each mind has its own."""
        ...

    # Who acts, and how

    def to_act(self, state: StateT) -> tuple[int, ...]:
        """The seats that decide now, ascending; none when chance or the end is pending."""
        ...

    def legal(self, state: StateT, seat: int) -> Sequence[Action]:
        """The seat's actions, ascending; empty exactly when it is not to act."""
        ...

    def default_action(self, state: StateT, seat: int) -> Action:
        """What is played for a seat that answers too late or illegally; always legal."""
        ...

    def action_type(self, action: Action) -> str:
        """The kind of an action, one of a few words."""
        ...

    # Moving on

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        """Apply decisions; stop at the next decision, listed chance or end. One call."""
        ...

    def advance(self, state: StateT, actions: Actions, rng: Rng) -> None:
        """`step` in place. One call."""
        ...

    def chance(self, state: StateT) -> Sequence[tuple[Hashable, float]]:
        """The pending listed outcomes with their probabilities; empty when none is pending."""
        ...

    def resolve(self, state: StateT, outcome: Hashable) -> StateT:
        """Apply one listed outcome. Free."""
        ...

    def settle(self, state: StateT, rng: Rng) -> tuple[Hashable, ...]:
        """Draw all pending listed outcomes in place and return them. Free."""
        ...

    # What it is worth

    def over(self, state: StateT) -> bool: ...

    def outcome(self, state: StateT) -> Outcome | None:
        """The end of the game; None while it goes on."""
        ...

    def score(self, state: StateT, seat: int) -> float: ...

    # What may be known

    def view(self, state: StateT, seat: int) -> View: ...

    def imagine(self, view: View, rng: Rng) -> StateT:
        """A complete state that agrees with the view; the caller owns it."""
        ...

    def events(self, state: StateT, seat: int | None = None) -> tuple[Event, ...]:
        """What the last step or resolved outcome did, as `seat` may know it (None: all).

        That and no more: nothing in a first state, and nothing after a step in which nobody acted.
        After `settle` the last of its outcomes is told.
        """
        ...

    def avatars(self, state: StateT) -> tuple[tuple[int, int], ...]:
        """The cell of each seat's avatar, in worlds with objects; else empty."""
        ...

    def key(self, state: StateT, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        """A hashable that is equal for states that are the same but for `ignore`.

        With a seat: equal for states that look the same to that seat.
        """
        ...

    def features(self, state: StateT) -> Collection[Hashable]:
        """The facts that hold in a state, for searches that look for what is new."""
        ...

    def distance(self, state: StateT, seat: int) -> float:
        """A guess of how many steps this seat is from a win; 0 where the world has none."""
        ...

    # Fast paths; each draws exactly as its fallback in core/fallback.py does

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
        """Play on from a copy for at most `limit` ticks; a tick is one call.

        With `trace` the result has the scores, avatars and events of every tick; with
        `backtrack` the state before the last tick and the actions that were taken there.

        Joint actions given as an `opening` are played first; the limit counts what follows them.
        They are meant for what is legal now: where other seats are to act or have other actions
        than in `state`, or where one given is not legal, the rollout ends before that tick, and
        `ticks` is less than the length of the opening.
        """
        ...

    def play(self, state: StateT, sequences: Sequences, rng: Rng) -> list[Rollout]:
        """Play each sequence of joint actions from a copy; stream i is `rng.fork("play", i)`."""
        ...

    def step_many(
        self, states: Sequence[StateT], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[StateT]:
        """Step and settle many states; stream i is `rng.fork("step", i)`.

        Native models share the work among threads; the result does not depend on how many.
        """
        ...

"""The base class of models written in Python; subclasses implement the rules."""

from __future__ import annotations

import copy
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, ClassVar, Generic, Self

from ludex.core import fallback
from ludex.core.errors import (
    BadParameter,
    ForeignState,
    IllegalAction,
    foreign_class,
    in_short,
    no_such_seat,
)
from ludex.core.event import Event
from ludex.core.features import facts_of
from ludex.core.model import Action, Actions, Policy, Sequences
from ludex.core.outcome import Outcome
from ludex.core.owner import Owner, annotated_state, guard
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import PlainState, StateT
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View, check_view


class PythonModel(ABC, Generic[StateT]):
    """Write `_apply` and the queries; stepping, replacing, metering and batches are here.

    Derive from `PythonModel[State]`; states must be `PlainState` dataclasses or offer the same. A
    world with hidden facts also overrides `view`, `imagine` and `events`.

    A model takes the states of its own rules alone, and refuses others before its rules see them.
    The class says what its states are (`state_type`); where options give states another form, as
    another number of seats does, `fault` tells a state of other options.
    """

    traits: Traits
    state_type: ClassVar[type[Any] | None] = None
    """the class of the states, if not that which `to_act` is annotated with; None: any object"""
    view_type: ClassVar[type[Any] | None] = None
    """the class of the views that `imagine` takes; None: it says by itself"""
    _rules: Owner
    """the mark that its states carry"""
    _own_to_act: Callable[[Any], tuple[int, ...]]
    """`to_act`, `legal` and `chance` as the subclass wrote them, for states that were looked at"""
    _own_legal: Callable[[Any, int], Sequence[Action]]
    _own_chance: Callable[[Any], Sequence[tuple[Hashable, float]]]

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if "state_type" not in vars(cls) and (state := annotated_state(cls)):
            cls.state_type = state
        guard(cls)

    def __new__(cls, *args: Any, **named: Any) -> Self:
        made = super().__new__(cls)
        made._rules = Owner(cls.state_type, args, named)
        return made

    def __init__(self) -> None:
        self.meter = Meter()

    def metered(self, meter: Meter) -> Self:
        twin = copy.copy(self)
        twin.meter = meter
        return twin

    # Whose a state is

    def check_state(self, state: Any) -> None:
        """Raise ForeignState unless the state is one of this model's; mark it if it is."""
        expected, mark = self.state_type, getattr(state, "_owner", None)
        if mark is self._rules:
            return
        if expected is not None and not isinstance(state, expected):
            raise foreign_class(expected, state)
        if mark is not None and not self._rules.allows(mark):
            raise ForeignState(
                f"the state {in_short(state)} is of other rules than this model's; states belong "
                "to the world, the options and the level that made them"
            )
        if fault := self.fault(state):
            raise ForeignState(f"the state {in_short(state)} is not of this model: {fault}")
        self.adopt(state)

    def adopt(self, state: Any) -> None:
        """Mark a state as one of this model's."""
        if isinstance(state, PlainState):
            state._owner = self._rules

    def fault(self, state: StateT) -> str | None:
        """Say why a state of the class cannot be one of these rules', or None."""
        return None

    def check_seat(self, seat: Any) -> None:
        """Raise NoSuchSeat unless there is this seat."""
        seats = self.traits.seats
        try:
            number = operator.index(seat)
        except Exception:  # anything may have been handed in
            number = -1
        if not 0 <= number < seats:
            raise no_such_seat(seats, seat)

    # The rules: what a subclass writes

    @abstractmethod
    def to_act(self, state: StateT) -> tuple[int, ...]: ...

    @abstractmethod
    def legal(self, state: StateT, seat: int) -> Sequence[Action]: ...

    @abstractmethod
    def _apply(self, state: StateT, actions: Actions, rng: Rng) -> None:
        """Apply legal decisions to `state` in place, up to the next decision or chance."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None: ...

    @abstractmethod
    def score(self, state: StateT, seat: int) -> float: ...

    def chance(self, state: StateT) -> Sequence[tuple[Hashable, float]]:
        return ()

    def _resolve(self, state: StateT, outcome: Hashable) -> None:
        """Apply a listed outcome to `state` in place."""
        raise NotImplementedError(f"{type(self).__name__} lists no chance")

    def _forget(self, state: StateT) -> None:
        """Drop what `state` keeps of its last step: a step in which nobody acts tells nothing."""
        return

    def default_action(self, state: StateT, seat: int) -> Action:
        legal = self.legal(state, seat)
        if not legal:
            raise IllegalAction(f"seat {seat} is not to act, so it has no default action")
        return legal[0]

    def action_type(self, action: Action) -> str:
        return "move"

    def events(self, state: StateT, seat: int | None = None) -> tuple[Event, ...]:
        return ()

    def avatars(self, state: StateT) -> tuple[tuple[int, int], ...]:
        return ()

    def view(self, state: StateT, seat: int) -> View:
        return OpenView(seat, tuple(self.legal(state, seat)), state.copy())

    def imagine(self, view: Any, rng: Rng) -> StateT:
        check_view(view, OpenView)
        self.check_state(view.state)
        self.meter.count_copy()
        imagined: StateT = view.state.copy()
        return imagined

    def over(self, state: StateT) -> bool:
        return self.outcome(state) is not None

    def key(self, state: StateT, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        if seat is not None and self.traits.hidden:
            return self.view(state, seat)
        fields = state.__dataclass_fields__.values()  # type: ignore[attr-defined]  # dataclass
        return tuple(getattr(state, f.name) for f in fields if f.compare and f.name not in ignore)

    def features(self, state: StateT) -> Collection[Hashable]:
        return tuple(facts_of(self.key(state)))

    def distance(self, state: StateT, seat: int) -> float:
        return 0.0

    # The promises: what a subclass gets

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        if getattr(state, "_owner", None) is not self._rules:
            self.check_state(state)
        after = state.copy()
        self.meter.count_copy()
        self.advance(after, actions, rng)
        return after

    def advance(self, state: StateT, actions: Actions, rng: Rng) -> None:
        if getattr(state, "_owner", None) is not self._rules:
            self.check_state(state)
        seats = self._own_to_act(state)
        if actions.__class__ is not tuple or len(actions) != len(seats):
            fallback.check_number(seats, actions)
        Meter.spend(self.meter)  # of a true meter, whatever somebody put there
        if not seats:
            self.meter.count_ignored()
            self._forget(state)
            return
        self._apply(state, self._made_legal(state, seats, actions), rng)

    def _made_legal(self, state: StateT, seats: tuple[int, ...], actions: Actions) -> Actions:
        for seat, action in zip(seats, actions, strict=True):
            if action not in self._own_legal(state, seat):
                break
        else:
            return actions  # the usual case
        fixed: list[Action] = []
        for seat, action in zip(seats, actions, strict=True):
            if action not in self._own_legal(state, seat):
                self.meter.count_replaced()
                action = self.default_action(state, seat)
            fixed.append(action)
        return tuple(fixed)

    def resolve(self, state: StateT, outcome: Hashable) -> StateT:
        if all(outcome != one for one, _ in self.chance(state)):
            raise BadParameter(
                f"the outcome {in_short(outcome)} is not pending in this state; "
                "model.chance(state) lists those that are"
            )
        after = state.copy()
        self.meter.count_copy()
        self._resolve(after, outcome)
        return after

    def settle(self, state: StateT, rng: Rng) -> tuple[Hashable, ...]:
        listed = self.chance(state)
        if not listed:
            return ()
        drawn: list[Hashable] = []
        while listed:
            outcome = listed[rng.weighted([probability for _, probability in listed])][0]
            self._resolve(state, outcome)
            drawn.append(outcome)
            listed = self._own_chance(state)
        return tuple(drawn)

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
        self.check_state(state)
        return fallback.rollout(self, state, policy, limit, rng, trace, backtrack, opening)

    def play(self, state: StateT, sequences: Sequences, rng: Rng) -> list[Rollout]:
        self.check_state(state)
        return fallback.play(self, state, sequences, rng)

    def step_many(
        self, states: Sequence[StateT], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[StateT]:
        return fallback.step_many(self, states, actions, rng, threads)


guard(PythonModel)

"""The Python part of native models of worlds with perfect information."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any, ClassVar, Generic

from ludex.core.event import Event
from ludex.core.features import facts_of
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.view import OpenView, View, check_view


class OpenNativeModel(Generic[StateT]):
    """Add this before the bound class: `class MyModel(OpenNativeModel[State], _native.Model)`.

    The subclass still gives `traits` and `outcome`. A world with hidden facts overrides `view`,
    `imagine`, `events` and `key`.
    """

    meter: Meter
    check_state: Callable[[Any], None]
    """bound: raises ForeignState unless a state is one of this model's"""
    check_seat: Callable[[Any], None]
    """bound: raises NoSuchSeat unless there is this seat"""
    twins_drawn: ClassVar[int] = 100
    """deals that are imagined to find those that look alike"""

    def action_type(self, action: Any) -> str:
        return self.action_types()[0]

    def action_types(self) -> tuple[str, ...]:
        """The words of `action_type`, in the order of the rules' numbers; here all are alike."""
        return ("move",)

    def events(self, state: StateT, seat: int | None = None) -> tuple[Event, ...]:
        self.check_question(state, seat)
        return ()

    def check_question(self, state: StateT, seat: int | None = None) -> None:
        """Raise ForeignState or NoSuchSeat where rules could not answer."""
        self.check_state(state)
        if seat is not None:
            self.check_seat(seat)

    def avatars(self, state: StateT) -> tuple[tuple[int, int], ...]:
        self.check_state(state)
        return ()

    def features(self, state: StateT) -> Collection[Hashable]:
        return tuple(facts_of(self.key(state)))  # type: ignore[attr-defined]  # bound

    def distance(self, state: StateT, seat: int) -> float:
        self.check_state(state)
        self.check_seat(seat)
        return 0.0

    def view(self, state: StateT, seat: int) -> View:
        return OpenView(seat, self.legal(state, seat), state.copy())  # type: ignore[attr-defined]  # bound

    def imagine(self, view: Any, rng: Rng) -> StateT:
        check_view(view, OpenView)
        self.check_state(view.state)
        self.meter.count_copy()
        imagined: StateT = view.state.copy()
        return imagined

    def hidden_twins(self, state: StateT, seat: int) -> list[StateT]:
        """States that look the same to this seat: all where there are few, else many of them."""
        view, rng = self.view(state, seat), Rng(0).fork("twins")
        drawn = (self.imagine(view, rng) for _ in range(self.twins_drawn))
        return list(dict.fromkeys([state, *drawn]))

"""The true model of parley: its rules, and who may know what."""

from __future__ import annotations

from typing import Any

from ludex.core.event import Event
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.worlds.parley.acts import acts_behind
from ludex.worlds.parley.deals import deal, every_deal, twins
from ludex.worlds.parley.rules import ParleyRules
from ludex.worlds.parley.values import GOODS, SEATS, Act, State
from ludex.worlds.parley.view import ParleyView

N = len(GOODS)


class ParleyModel(ParleyRules):
    """The rules with masked events, views, and ways to imagine what a view leaves open."""

    view_type = ParleyView

    def __init__(self, rounds: int, copies: int) -> None:
        super().__init__(rounds)
        self.copies = copies
        self.traits = Traits(
            seats=SEATS,
            # A roll and two treaties; a pledge of each good held; two rivals to offer it to for
            # each good lacking.
            max_legal=max(1 + 2 + held + 2 * held * (N - held) for held in range(N + 1)),
            hidden=True,
            chance="mixed",
            events=True,
            model_sees_all=False,
        )

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        return tuple(event.seen_by(seat) for event in state.last_events)

    def view(self, state: State, seat: int) -> ParleyView:
        return ParleyView.of(state, seat, tuple(self.legal(state, seat)), self.copies)

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal what the seat cannot see, every deal of single cards being equally likely."""
        self.meter.count_copy()
        return deal(view, rng)

    def deals(self, view: Any) -> list[tuple[State, float]]:
        """Every state that agrees with the view, with its probability under `imagine`."""
        return every_deal(view)

    def hidden_twins(self, state: State, seat: int) -> list[State]:
        """States that look the same to this seat: all, or an even choice of many."""
        return twins(self.view(state, seat), state)

    def actions_behind(self, event: Event) -> list[Act] | None:
        """The actions that can have caused an event, as far as its seat may know."""
        return acts_behind(event)

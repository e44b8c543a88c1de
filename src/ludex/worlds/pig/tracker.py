"""Tracks pig: points banked and at stake, from moves and dice."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.core.view import OpenView
from ludex.worlds.pig.rules import HOLD


def public_counts(view: OpenView) -> Counts:
    """What the tracker counts, read off a view."""
    state = view.state
    return {"points": state.scores, "at stake": state.total, "turn": state.turn}


class PigTracker:
    """The points of all."""

    def __init__(self, view: OpenView, target: int) -> None:
        self.points = list(view.state.scores)
        self.stake, self.turn = view.state.total, view.state.turn
        self.target = target

    def observe(self, event: Event) -> None:
        if event.kind == "move" and event.detail == HOLD:
            self.bank()
            self.pass_on()
        elif event.kind == "chance" and event.detail == 1:
            self.pass_on()
        elif event.kind == "chance" and isinstance(event.detail, int):
            self.stake += event.detail
            if self.points[self.turn] + self.stake >= self.target:
                self.bank()

    def bank(self) -> None:
        self.points[self.turn] += self.stake
        self.stake = 0

    def pass_on(self) -> None:
        self.stake = 0
        self.turn = (self.turn + 1) % len(self.points)

    def counts(self) -> Counts:
        return {"points": tuple(self.points), "at stake": self.stake, "turn": self.turn}

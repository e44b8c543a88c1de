"""Tracks the matches left in each heap of nim."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.core.view import OpenView
from ludex.worlds.nim.rules import Take


def public_counts(view: OpenView) -> Counts:
    """What the tracker counts, read off a view."""
    return {"heaps": view.state.heaps, "turn": view.state.turn}


class NimTracker:
    """The heaps, and whose turn it is."""

    def __init__(self, view: OpenView) -> None:
        self.heaps = list(view.state.heaps)
        self.turn = view.state.turn

    def observe(self, event: Event) -> None:
        take = event.detail
        assert isinstance(take, Take)
        self.heaps[take.heap] -= take.matches
        self.turn = 1 - self.turn

    def counts(self) -> Counts:
        return {"heaps": tuple(self.heaps), "turn": self.turn}

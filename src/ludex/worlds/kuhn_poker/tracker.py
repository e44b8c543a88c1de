"""Tracks Kuhn poker: the own card, chips in the pot, and what was shown."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.worlds.kuhn_poker.rules import KuhnView

ANTE = 1


def public_counts(view: KuhnView) -> Counts:
    """What the tracker counts, read off a view."""
    chips = [ANTE, ANTE]
    for index, letter in enumerate(view.course):
        chips[index % 2] += letter in "bc"
    return {
        "card": view.card,
        "shown": view.shown,
        "chips": tuple(chips),
        "moves": len(view.course),
    }


class KuhnTracker:
    """What one seat can count."""

    def __init__(self, view: KuhnView) -> None:
        counts = public_counts(view)
        self.seat = view.seat
        self.card, self.shown = view.card, view.shown
        self.chips: list[int] = list(counts["chips"])  # type: ignore[call-overload]  # a tuple
        self.moves = len(view.course)

    def observe(self, event: Event) -> None:
        seat, word = event.seat, str(event.detail)
        assert seat is not None
        if event.kind == "deal":
            self.card = word
        elif event.kind == "move":
            self.moves += 1
            self.chips[seat] += word in ("bet", "call")
        elif event.kind == "show" and seat != self.seat:
            self.shown = word

    def counts(self) -> Counts:
        return {
            "card": self.card,
            "shown": self.shown,
            "chips": tuple(self.chips),
            "moves": self.moves,
        }

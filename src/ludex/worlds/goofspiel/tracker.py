"""Tracks cards left, prizes and points of goofspiel, from bids and prizes turned up."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.core.view import OpenView


def public_counts(view: OpenView) -> Counts:
    """What the tracker counts, read off a view."""
    state = view.state
    return {
        "hands": state.hands,
        "prizes left": state.deck,
        "prize": state.prize,
        "points": state.points,
    }


class GoofspielTracker:
    """All that lies on the table; bids of one round are told one after the other."""

    def __init__(self, view: OpenView, descending: bool) -> None:
        state = view.state
        self.hands = [set(hand) for hand in state.hands]
        self.deck = set(state.deck)
        self.prize = state.prize
        self.points = list(state.points)
        self.descending = descending
        self.bids: dict[int, int] = {}

    def observe(self, event: Event) -> None:
        card = event.detail
        assert isinstance(card, int)
        if event.seat is None:
            self.turn_up(card)
            return
        self.hands[event.seat].remove(card)
        self.bids[event.seat] = card
        if len(self.bids) == len(self.hands):
            self.award()

    def award(self) -> None:
        best = max(self.bids.values())
        winners = [seat for seat, bid in self.bids.items() if bid == best]
        if len(winners) == 1:
            self.points[winners[0]] += self.prize
        self.bids.clear()
        self.prize = 0
        if self.descending and self.deck:
            self.turn_up(max(self.deck))

    def turn_up(self, prize: int) -> None:
        self.deck.remove(prize)
        self.prize = prize

    def counts(self) -> Counts:
        return {
            "hands": tuple(tuple(sorted(hand)) for hand in self.hands),
            "prizes left": tuple(sorted(self.deck)),
            "prize": self.prize,
            "points": tuple(self.points),
        }

"""Tracks hands, pledges and the pile from the events of one envoy."""

from __future__ import annotations

from typing import Any

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.worlds.parley.values import moved, replaced
from ludex.worlds.parley.view import ParleyView

ONE_MORE, ONE_LESS = 1, -1


def public_counts(view: ParleyView) -> Counts:
    """What the tracker counts, read off a view."""
    return {
        "hand": view.hand,
        "hand sizes": view.sizes,
        "pledges": view.pledged,
        "pile": view.pile_size,
    }


class ParleyTracker:
    """What one envoy can count. Goods of others have a number; the own ones also have kinds."""

    def __init__(self, view: ParleyView) -> None:
        self.seat = view.seat
        self.hand = view.hand
        self.sizes = list(view.sizes)
        self.pledged = view.pledged
        self.pile = view.pile_size
        self.offer = (view.turn % len(view.sizes), view.good, view.want)
        """who offers, what, and for what; -1 for a treaty"""

    def counts(self) -> Counts:
        return {
            "hand": self.hand,
            "hand sizes": tuple(self.sizes),
            "pledges": self.pledged,
            "pile": self.pile,
        }

    def observe(self, event: Event) -> None:
        seat: Any = event.seat
        detail: Any = event.detail
        match event.kind:
            case "pledge":
                self.hold(seat, detail, ONE_LESS)
                self.lay(seat, detail[0], ONE_MORE)
            case "weather":
                self.storm(detail)
            case "offer":
                self.offer = (seat, *detail[1:])
            case "treaty":
                self.offer = (seat, -1, -1)
            case "accept":
                self.exchange(seat)
            case "give":
                to, *goods = detail
                self.hold(seat, goods, ONE_LESS)
                self.hold(to, goods, ONE_MORE)
            case "return":
                self.hold(seat, detail, ONE_LESS)
                self.pile += 1
            case "draw":
                self.hold(seat, detail, ONE_MORE)
                self.pile -= 1

    def hold(self, seat: int, goods: Any, number: int) -> None:
        """Move a card of the good that is told; the envoy itself is always told."""
        self.sizes[seat] += number
        if seat == self.seat:
            self.hand = moved(self.hand, goods[0], number)

    def lay(self, seat: int, good: int, number: int) -> None:
        self.pledged = replaced(self.pledged, seat, moved(self.pledged[seat], good, number))

    def storm(self, goods: tuple[int, ...]) -> None:
        for good in goods:
            for seat in range(len(self.sizes)):
                if self.pledged[seat][good]:
                    self.lay(seat, good, ONE_LESS)
                    self.pile += 1

    def exchange(self, partner: int) -> None:
        proposer, good, want = self.offer
        if good < 0:
            return  # a treaty: no card changes hands
        for seat, gained, lost in ((proposer, want, good), (partner, good, want)):
            self.hold(seat, (gained,), ONE_MORE)
            self.hold(seat, (lost,), ONE_LESS)

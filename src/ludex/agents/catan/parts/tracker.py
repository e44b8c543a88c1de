"""Tracker of opponents' hands: expected cards of each kind."""

from __future__ import annotations

from typing import Any

from ludex.core.event import Event
from ludex.worlds.catan.values import COSTS


class HandTracker:
    """Expected cards of each kind in each hand.

    Known gains and payments are counted exactly. A card stolen or laid down unseen is taken from
    each kind in proportion, so the counts are expectations.
    """

    def __init__(self, seats: int) -> None:
        self.hands = [[0.0] * 5 for _ in range(seats)]
        self.setup = True
        self.free = 0  # free roads of a road building card that are left
        self.proposer = 0

    def hand(self, table: Any, seat: int) -> list[float]:
        """The expected hand, scaled to its public size."""
        known = self.hands[seat]
        size, total = table.size(seat), sum(known)
        if total <= 0:
            return [size / 5.0] * 5
        return [count * size / total for count in known]

    def add(self, seat: int, counts: Any, sign: int = 1) -> None:
        hand = self.hands[seat]
        for kind, count in enumerate(counts):
            hand[kind] = max(0.0, hand[kind] + sign * count)

    def lose_unknown(self, seat: int, count: int) -> list[float]:
        """Remove cards of unknown kinds; return their expected kinds."""
        hand = self.hands[seat]
        total = sum(hand)
        share = [0.2 * count] * 5 if total <= 0 else [one * count / total for one in hand]
        self.add(seat, share, -1)
        return share

    def observe(self, event: Event) -> None:
        seat = event.seat
        detail: Any = event.detail
        if event.kind != "road":  # roads of a card come at once, or there is no place for them
            self.free = 2 if event.kind == "roads" else 0
        if event.kind == "roll":
            self.setup = False
        if seat is None:
            return
        match event.kind, detail:
            case "buy", _:
                self.add(seat, COSTS["buy"], -1)
            case "gain", counts:
                self.add(seat, counts)
            case "lose", counts:
                self.add(seat, counts, -1)
            case (("settlement" | "road" | "city"), _):
                self.paid(seat, event.kind)
            case "steal", (victim, *kinds):
                self.stolen(seat, victim, kinds)
            case "discard", (kind,):
                self.add(seat, [float(one == kind) for one in range(5)], -1)
            case "discard", _:
                self.lose_unknown(seat, 1)
            case "monopoly", (kind, lost):
                self.monopolised(seat, kind, lost)
            case "plenty", tuple() as kinds:
                self.add(seat, [kinds.count(kind) for kind in range(5)])
            case "trade", (give, want, rate):
                self.add(seat, [(kind == want) - rate * (kind == give) for kind in range(5)])
            case "offer", _:
                self.proposer = seat
            case "accept", (_, given, wanted):
                change = [a - b for a, b in zip(given, wanted, strict=True)]
                self.add(seat, change)
                self.add(self.proposer, change, -1)

    def paid(self, seat: int, piece: str) -> None:
        if self.setup:
            return
        if piece == "road" and self.free:
            self.free -= 1
            return
        self.add(seat, COSTS[piece], -1)

    def stolen(self, thief: int, victim: int, kinds: list[int]) -> None:
        if kinds:
            share = [float(kind == kinds[0]) for kind in range(5)]
            self.add(victim, share, -1)
        else:
            share = self.lose_unknown(victim, 1)
        self.add(thief, share)

    def monopolised(self, seat: int, kind: int, lost: Any) -> None:
        for other in range(len(self.hands)):
            if other != seat:
                self.hands[other][kind] = 0.0
                self.hands[seat][kind] += lost[other]

"""Tracks cards, pieces and points from the events of one seat alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.worlds.catan.values import (
    COSTS,
    EDGES_AT,
    ENDS,
    KNIGHT,
    MONOPOLY,
    PLENTY,
    ROADS,
    one_card,
)
from ludex.worlds.catan.view import CatanView, table_of

HAND_LIMIT = 7
ROAD_PIECES = 15
LEAST_ARMY, LEAST_ROAD = 3, 5


def public_counts(view: Any, seats: int) -> Counts:
    """What the tracker counts, read off a view."""
    table, every = table_of(view), range(seats)
    known = known_seats(view, seats)
    return {
        "hand sizes": tuple(table.size(seat) for seat in every),
        "cards laid down": tuple(table.laid_size(seat) for seat in every),
        "known hands": tuple(tuple(table.hand(seat)) for seat in known),
        "bank": None if table.endless else tuple(table.bank),
        "pile": table.deck_size,
        "development cards": tuple(table.held_size(one) + table.fresh_size(one) for one in every),
        "known cards": tuple(added(table.held(one), table.fresh(one)) for one in known),
        "cards played": tuple(tuple(table.played(seat)) for seat in every),
        "roads": tuple(tuple(table.roads(seat)) for seat in every),
        "settlements": tuple(tuple(table.settlements(seat)) for seat in every),
        "cities": tuple(tuple(table.cities(seat)) for seat in every),
        "robber": table.robber,
        "longest road": table.road_holder,
        "largest army": table.army_holder,
        "points": tuple(table.visible_points(seat) for seat in every),
        "winner": table.winner,
    }


def known_seats(view: Any, seats: int) -> tuple[int, ...]:
    """The seats whose cards this view shows."""
    return (view.seat,) if isinstance(view, CatanView) else tuple(range(seats))


def added(first: Iterable[int], second: Iterable[int], sign: int = 1) -> tuple[int, ...]:
    return tuple(a + sign * b for a, b in zip(first, second, strict=True))


class CatanTracker:
    """What one seat can count. Cards of others have a number; the own ones also have kinds."""

    def __init__(self, view: Any, seats: int) -> None:
        table, every = table_of(view), range(seats)
        self.seats = seats
        self.sizes = [table.size(seat) for seat in every]
        self.laid = [table.laid_size(seat) for seat in every]
        self.hands = {one: tuple(table.hand(one)) for one in known_seats(view, seats)}
        self.bank = None if table.endless else tuple(table.bank)
        self.pile = table.deck_size
        self.held = [table.held_size(seat) + table.fresh_size(seat) for seat in every]
        self.cards = {one: added(table.held(one), table.fresh(one)) for one in self.hands}
        self.played = [tuple(table.played(seat)) for seat in every]
        self.roads = [set(table.roads(seat)) for seat in every]
        self.settlements = [set(table.settlements(seat)) for seat in every]
        self.cities = [set(table.cities(seat)) for seat in every]
        self.robber = table.robber
        self.road_holder = table.road_holder
        self.army_holder = table.army_holder
        self.winner = table.winner
        self.free_roads = table.free_roads
        self.proposer = table.current
        self.owed = self.still_to_discard(table)
        """cards that all seats together have still to lay down"""

    def still_to_discard(self, table: Any) -> int:
        if table.phase != "discard":
            return 0
        others = (one for one in range(self.seats) if one != table.acting and not self.laid[one])
        return int(table.quota) + sum(quota(self.sizes[one]) for one in others)

    def counts(self) -> Counts:
        return {
            "hand sizes": tuple(self.sizes),
            "cards laid down": tuple(self.laid),
            "known hands": tuple(self.hands.values()),
            "bank": self.bank,
            "pile": self.pile,
            "development cards": tuple(self.held),
            "known cards": tuple(self.cards.values()),
            "cards played": tuple(self.played),
            "roads": tuple(tuple(sorted(roads)) for roads in self.roads),
            "settlements": tuple(tuple(sorted(nodes)) for nodes in self.settlements),
            "cities": tuple(tuple(sorted(nodes)) for nodes in self.cities),
            "robber": self.robber,
            "longest road": self.road_holder,
            "largest army": self.army_holder,
            "points": tuple(self.points(seat) for seat in range(self.seats)),
            "winner": self.winner,
        }

    def points(self, seat: int) -> int:
        built = len(self.settlements[seat]) + 2 * len(self.cities[seat])
        return built + 2 * (self.road_holder, self.army_holder).count(seat)

    def observe(self, event: Event) -> None:
        seat: Any = event.seat
        detail: Any = event.detail
        if event.kind != "road":
            self.free_roads = 0
        match event.kind:
            case "dice":
                self.dice(detail[0])
            case "gain":
                self.take(seat, detail)
            case "lose":
                self.give(seat, detail, to_bank=False)
            case "settlement" | "city" | "road":
                self.build(event.kind, seat, detail[0])
            case "buy":
                self.give(seat, COSTS["buy"])
            case "draw":
                self.draw(seat, detail)
            case "knight" | "plenty" | "monopoly" | "roads":
                self.play(event.kind, seat, detail)
            case "robber":
                self.robber = detail[0]
            case "steal":
                self.steal(seat, *detail)
            case "trade":
                give, want, rate = detail
                self.give(seat, one_card(give, rate))
                self.take(seat, one_card(want))
            case "offer":
                self.proposer = seat
            case "accept":
                self.exchange(seat, detail)
            case "discard":
                self.discard(seat, detail)
            case "bank":
                assert self.bank is not None
                self.bank = added(self.bank, detail)
            case "win":
                self.winner = seat

    # Cards

    def take(self, seat: int, counts: Iterable[int], from_bank: bool = True) -> None:
        self.move(seat, counts, 1)
        if from_bank and self.bank is not None:
            self.bank = added(self.bank, counts, -1)

    def give(self, seat: int, counts: Iterable[int], to_bank: bool = True) -> None:
        self.move(seat, counts, -1)
        if to_bank and self.bank is not None:
            self.bank = added(self.bank, counts)

    def move(self, seat: int, counts: Iterable[int], sign: int) -> None:
        self.sizes[seat] += sign * sum(counts)
        if seat in self.hands:
            self.hands[seat] = added(self.hands[seat], counts, sign)

    def dice(self, number: int) -> None:
        if number == 7:
            self.owed = sum(quota(size) for size in self.sizes)

    def discard(self, seat: int, kinds: tuple[int, ...]) -> None:
        self.move_one(seat, kinds, -1)
        self.laid[seat] += 1
        self.owed -= 1
        if not self.owed:
            self.laid = [0] * self.seats

    def steal(self, thief: int, victim: int, *kinds: int) -> None:
        self.move_one(victim, kinds, -1)
        self.move_one(thief, kinds, 1)

    def move_one(self, seat: int, kinds: tuple[int, ...], sign: int) -> None:
        """Move a card of the kind that is told; whose hand is known is told the kind."""
        self.sizes[seat] += sign
        if seat in self.hands:
            self.hands[seat] = added(self.hands[seat], one_card(kinds[0]), sign)

    def exchange(self, partner: int, offer: Any) -> None:
        _, given, wanted = offer
        for seat, gained, lost in (
            (self.proposer, wanted, given),
            (partner, given, wanted),
        ):
            self.give(seat, lost, to_bank=False)
            self.take(seat, gained, from_bank=False)

    # Development cards

    def draw(self, seat: int, kinds: tuple[int, ...]) -> None:
        self.pile -= 1
        self.held[seat] += 1
        if seat in self.cards:
            self.cards[seat] = added(self.cards[seat], one_card(kinds[0]))

    def play(self, kind: str, seat: int, detail: Any) -> None:
        card = {"knight": KNIGHT, "plenty": PLENTY, "monopoly": MONOPOLY, "roads": ROADS}[kind]
        self.held[seat] -= 1
        if seat in self.cards:
            self.cards[seat] = added(self.cards[seat], one_card(card), -1)
        self.played[seat] = added(self.played[seat], one_card(card))
        match kind:
            case "knight":
                self.robber = detail[0]
                self.award_army(seat)
            case "plenty":
                for one in detail:
                    self.take(seat, one_card(one))
            case "monopoly":
                for other, count in enumerate(detail[1][: self.seats]):
                    self.give(other, one_card(detail[0], count), to_bank=False)
                    self.take(seat, one_card(detail[0], count), from_bank=False)
            case "roads":
                self.free_roads = min(2, ROAD_PIECES - len(self.roads[seat]))

    def award_army(self, seat: int) -> None:
        knights = self.played[seat][KNIGHT]
        most = 0 if self.army_holder is None else self.played[self.army_holder][KNIGHT]
        if knights >= LEAST_ARMY and knights > most:
            self.army_holder = seat

    # Pieces

    def build(self, piece: str, seat: int, place: int) -> None:
        if not self.is_free(piece):
            self.give(seat, COSTS[piece])
        if piece == "road":
            self.free_roads = max(0, self.free_roads - 1)
            self.roads[seat].add(place)
        elif piece == "settlement":
            self.settlements[seat].add(place)
        else:
            self.settlements[seat].remove(place)
            self.cities[seat].add(place)
        self.award_road()

    def is_free(self, piece: str) -> bool:
        """Pieces of the set-up, two of each for every seat, and roads of a card cost nothing."""
        if piece == "road":
            return self.free_roads > 0 or sum(map(len, self.roads)) < 2 * self.seats
        return sum(map(len, (*self.settlements, *self.cities))) < 2 * self.seats

    def award_road(self) -> None:
        lengths = [self.longest(seat) for seat in range(self.seats)]
        most = max(lengths)
        if most < LEAST_ROAD:
            self.road_holder = None
        elif self.road_holder is None or lengths[self.road_holder] < most:
            self.road_holder = lengths.index(most) if lengths.count(most) == 1 else None

    def longest(self, seat: int) -> int:
        """The longest trail over own roads that passes no building of another seat."""
        others = {
            node
            for other in range(self.seats)
            if other != seat
            for node in self.settlements[other] | self.cities[other]
        }

        def onwards(node: int, left: set[int]) -> int:
            best = 0
            for edge in left.intersection(EDGES_AT[node]):
                end = sum(ENDS[edge]) - node
                rest = 0 if end in others else onwards(end, left - {edge})
                best = max(best, 1 + rest)
            return best

        nodes = {node for edge in self.roads[seat] for node in ENDS[edge]}
        return max((onwards(node, self.roads[seat]) for node in nodes), default=0)


def quota(size: int) -> int:
    """How many cards a seat with so many lays down after a seven."""
    return size // 2 if size > HAND_LIMIT else 0

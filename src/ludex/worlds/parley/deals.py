"""Determinisations of parley: all deals of the cards that a seat cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, prod
from typing import NamedTuple

from ludex.core.rng import Rng
from ludex.worlds.parley.values import GOODS, SEATS, Counts, Phase, State
from ludex.worlds.parley.view import ParleyView

MOST_TWINS = 200


class Certainty(NamedTuple):
    """What an open offer proves: the rival that made it holds one good and none of the other."""

    seat: int
    held: int
    lacking: int

    def allows(self, hand: Counts) -> bool:
        return hand[self.held] > 0 and hand[self.lacking] == 0


def certainty(view: ParleyView) -> Certainty | None:
    """What an open offer proves of a hand that the seat cannot see."""
    roller = view.turn % SEATS
    if view.phase is Phase.ANSWER and roller != view.seat:
        return Certainty(roller, view.good, view.want)
    return None


def complete_state(view: ParleyView, hands: dict[int, Counts]) -> State:
    """Build a state; the unseen cards that are in no hand are the pile."""
    hands = hands | {view.seat: view.hand}
    rows = tuple(hands[seat] for seat in range(SEATS))
    others = [row for seat, row in enumerate(rows) if seat != view.seat]
    pile = tuple(n - sum(held) for n, *held in zip(view.unseen, *others, strict=True))
    return State(
        rows,
        view.pledged,
        pile,
        view.turn,
        view.plays,
        view.talks,
        view.phase,
        view.other,
        view.good,
        view.want,
    )


def deal(view: ParleyView, rng: Rng) -> State:
    """Deal the unseen cards, each deal of single cards being equally likely."""
    pool = list(view.unseen)
    certain = certainty(view)
    hands: dict[int, Counts] = {}
    order = [seat for seat in range(SEATS) if seat != view.seat]
    if certain and certain.seat == order[1]:
        order.reverse()  # the hand about which something is certain is dealt first
    for seat in order:
        size = view.sizes[seat]
        hand = [0] * len(GOODS)
        free = list(pool)
        if certain and seat == certain.seat:
            good = certain.held
            copies = free[good]
            free[good] = free[certain.lacking] = 0
            numbers = range(1, min(size, copies) + 1)
            ways = [float(comb(copies, n) * comb(sum(free), size - n)) for n in numbers]
            hand[good] = numbers[rng.weighted(ways)]
            size -= hand[good]
        for _ in range(size):
            drawn = rng.weighted([float(n) for n in free])
            free[drawn] -= 1
            hand[drawn] += 1
        pool = [n - held for n, held in zip(pool, hand, strict=True)]
        hands[seat] = tuple(hand)
    return complete_state(view, hands)


def hands_from(pool: Counts, size: int) -> Iterator[Counts]:
    """Every hand of this size, ascending."""
    if not pool:
        if size == 0:
            yield ()
        return
    for number in range(max(0, size - sum(pool[1:])), min(size, pool[0]) + 1):
        for rest in hands_from(pool[1:], size - number):
            yield (number, *rest)


def ways(pool: Counts, hand: Counts) -> int:
    """In how many ways single cards of the pool make this hand."""
    return prod(comb(n, held) for n, held in zip(pool, hand, strict=True))


def every_deal(view: ParleyView) -> list[tuple[State, float]]:
    """Every state that agrees with the view, with its probability; these sum to 1."""
    first, second = (seat for seat in range(SEATS) if seat != view.seat)
    certain = certainty(view)
    found: list[tuple[State, int]] = []
    for one in hands_from(view.unseen, view.sizes[first]):
        left = tuple(n - held for n, held in zip(view.unseen, one, strict=True))
        for two in hands_from(left, view.sizes[second]):
            hands = {first: one, second: two}
            if certain is None or certain.allows(hands[certain.seat]):
                weight = ways(view.unseen, one) * ways(left, two)
                found.append((complete_state(view, hands), weight))
    total = sum(weight for _, weight in found)
    return [(state, weight / total) for state, weight in found]


def twins(view: ParleyView, state: State) -> list[State]:
    """The states that look like `state` through this view, spread evenly when many."""
    found = [twin for twin, _ in every_deal(view) if twin != state]
    stride = max(1, -(-len(found) // MOST_TWINS))
    chosen = found[::stride]
    for twin in chosen:
        twin.last_events = state.last_events
    return chosen

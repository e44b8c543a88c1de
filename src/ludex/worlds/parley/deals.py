"""Every way the cards may lie that a seat cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, prod

from ludex.core.rng import Rng
from ludex.worlds.parley.values import GOODS, SEATS, Counts, Phase, State
from ludex.worlds.parley.view import ParleyView

MOST_TWINS = 200


def complete(*rows: Counts) -> bool:
    """Whether these pledges together show every good."""
    return all(any(numbers) for numbers in zip(*rows, strict=True))


def must_hold(view: ParleyView) -> tuple[int, int] | None:
    """The rival that holds a good for certain: it has just offered it."""
    roller = view.turn % SEATS
    if view.phase is Phase.ANSWER and roller != view.seat:
        return roller, view.good
    return None


def complete_state(view: ParleyView, hands: dict[int, Counts]) -> State:
    """Put the pieces together: the rest of what is unseen is the pile."""
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
    certain = must_hold(view)
    hands: dict[int, Counts] = {}
    order = [seat for seat in range(SEATS) if seat != view.seat]
    if certain and certain[0] == order[1]:
        order.reverse()  # the hand about which something is certain is dealt first
    for seat in order:
        size = view.sizes[seat]
        hand = [0] * len(GOODS)
        if certain and seat == certain[0]:
            good = certain[1]
            rest = sum(pool) - pool[good]
            numbers = range(1, min(size, pool[good]) + 1)
            ways = [float(comb(pool[good], n) * comb(rest, size - n)) for n in numbers]
            hand[good] = numbers[rng.weighted(ways)]
            others = [0 if at == good else n for at, n in enumerate(pool)]
            size -= hand[good]
        else:
            others = list(pool)
        for _ in range(size):
            drawn = rng.weighted([float(n) for n in others])
            others[drawn] -= 1
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
    certain = must_hold(view)
    found: list[tuple[State, int]] = []
    for one in hands_from(view.unseen, view.sizes[first]):
        left = tuple(n - held for n, held in zip(view.unseen, one, strict=True))
        for two in hands_from(left, view.sizes[second]):
            hands = {first: one, second: two}
            if certain and not hands[certain[0]][certain[1]]:
                continue
            found.append((complete_state(view, hands), ways(view.unseen, one) * ways(left, two)))
    total = sum(weight for _, weight in found)
    return [(state, weight / total) for state, weight in found]


def twins(view: ParleyView, state: State) -> list[State]:
    """The states that look like `state` through this view, spread evenly when many."""
    found = [twin for twin, _ in every_deal(view) if twin != state]
    stride = max(1, -(-len(found) // MOST_TWINS))
    chosen = found[::stride]
    for twin in chosen:
        twin.news = state.news
    return chosen

"""Building speed estimate of JSettlers: rolls needed to get cards.

A deterministic future stands in for the dice: a kind that comes with probability p arrives every
round(1 / p) rolls, and what is not needed goes to the bank at the best rate.
"""

from __future__ import annotations

from functools import lru_cache

from ludex.worlds.catan.values import COSTS, Counts

NEVER = 55_555
"""the period of a resource that is not produced"""
FAR = 80
"""estimates are capped here"""
PIECES = ("settlement", "city", "buy", "road")


def periods_of(pips: Counts) -> Counts:
    """Rolls per card of each kind, from the ways in 36 that bring it.

    >>> periods_of((5, 0, 12, 1, 36))
    (7, 55555, 3, 36, 1)
    """
    return tuple(max(1, round(36 / pip)) if pip else NEVER for pip in pips)


@lru_cache(maxsize=500_000)
def rolls_to(target: Counts, hand: Counts, periods: Counts, rates: Counts) -> int:
    """Rolls until the hand covers the target, trading surplus for the slowest resource.

    >>> rolls_to((1, 0, 0, 0, 1), (1, 0, 0, 0, 0), (9, 9, 9, 9, 6), (4,) * 5)
    6
    """
    have = list(hand)
    rolls = 0
    while True:
        if trade_surplus(have, target, periods, rates):
            return rolls
        # Skip to the next roll that produces something.
        rolls = min((rolls // period + 1) * period for period in periods)
        if rolls > FAR:
            return FAR
        for kind, period in enumerate(periods):
            if rolls % period == 0:
                have[kind] += 1


def trade_surplus(have: list[int], target: Counts, periods: Counts, rates: Counts) -> bool:
    """Trade with the bank while it helps; return whether the target is covered."""
    while True:
        lacking = [kind for kind in range(5) if have[kind] < target[kind]]
        if not lacking:
            return True
        giving = [kind for kind in range(5) if have[kind] - target[kind] >= rates[kind]]
        if not giving:
            return False
        give = max(giving, key=lambda kind: have[kind] - target[kind])
        want = max(lacking, key=lambda kind: periods[kind])
        have[give] -= rates[give]
        have[want] += 1


@lru_cache(maxsize=200_000)
def total_time(periods: Counts, rates: Counts) -> int:
    """Total rolls for a settlement, a city, a card and a road, each from an empty hand."""
    nothing = (0,) * 5
    return sum(rolls_to(COSTS[piece], nothing, periods, rates) for piece in PIECES)


def times(cost: Counts, count: int) -> Counts:
    return tuple(count * one for one in cost)


def plus(first: Counts, second: Counts) -> Counts:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def minus(first: Counts, second: Counts) -> Counts:
    """The difference, at least 0."""
    return tuple(max(0, a - b) for a, b in zip(first, second, strict=True))

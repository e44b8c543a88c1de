"""Initial placement of settlements and roads."""

from __future__ import annotations

from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.speed import periods_of, plus, total_time
from ludex.worlds.catan.values import EDGES_AT, ENDS, HARBOUR_AT, NEIGHBOURS

FOUR = (4,) * 5
MOST_SPOTS = 18
"""the nodes with most pips among which a pair is searched; all pairs would exceed the time of a
decision, and would change it on one board in six"""


def pips(land: Land, node: int) -> int:
    return sum(land.yields[node])


def pair_time(land: Land, first: int, second: int | None = None) -> int:
    """The total building time with settlements on one or two nodes and nothing else."""
    yields, rates = land.yields[first], land.rates_with(FOUR, first)
    if second is not None:
        yields = plus(yields, land.yields[second])
        rates = land.rates_with(rates, second)
    return total_time(periods_of(yields), rates)


def first_settlement(land: Land, seat: int) -> int:
    """The better node of the pair with the shortest total building time."""
    spots = sorted(land.free_nodes, key=lambda node: (-pips(land, node), node))[:MOST_SPOTS]
    best = min(
        (
            (pair_time(land, a, b), -pips(land, a) - pips(land, b), a, b)
            for index, a in enumerate(spots)
            for b in spots[index + 1 :]
            if b not in NEIGHBOURS[a]
        ),
        default=None,
    )
    if best is None:
        return spots[0]
    pair: tuple[int, int] = best[2:]
    return min(pair, key=lambda node: (pair_time(land, node), -pips(land, node), node))


def second_settlement(land: Land, seat: int) -> int:
    own = land.settlements[seat][0]
    return min(
        land.free_nodes, key=lambda node: (pair_time(land, own, node), -pips(land, node), node)
    )


def first_road(land: Land, seat: int, start: int) -> int:
    """Towards the best node two steps away that can still be settled."""

    def worth(edge: int) -> tuple[float, int]:
        middle = ENDS[edge][0] + ENDS[edge][1] - start
        ends = [node for node in NEIGHBOURS[middle] if node != start and node in land.free_nodes]
        values = [pips(land, node) + (2.0 if node in HARBOUR_AT else 0.0) for node in ends]
        return max(values, default=0.0), -edge

    free = [edge for edge in EDGES_AT[start] if edge not in land.taken]
    return max(free, key=worth)

"""Board analysis: production of seats and reachable building sites."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ludex.agents.catan.parts.speed import periods_of, plus, total_time
from ludex.worlds.catan.values import (
    DESERT,
    EDGES_AT,
    ENDS,
    HARBOUR_AT,
    HEXES_AT,
    NODES,
    PIPS,
    Counts,
)

NOTHING: Counts = (0, 0, 0, 0, 0)


@lru_cache(maxsize=64)
def yields_of_nodes(terrain: tuple[int, ...], number: tuple[int, ...]) -> tuple[Counts, ...]:
    """Pips (of 36) of each resource for a settlement on each node."""
    found = []
    for node in range(NODES):
        counts = [0] * 5
        for hexagon in HEXES_AT[node]:
            if terrain[hexagon] != DESERT:
                counts[terrain[hexagon]] += PIPS[number[hexagon]]
        found.append(tuple(counts))
    return tuple(found)


class Land:
    """The board with its pieces, in the form that the scripted agents use."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.seats = table.seats
        self.yields = yields_of_nodes(tuple(table.terrain), tuple(table.number))
        self.harbour = table.harbour
        self.settlements: list[tuple[int, ...]] = [
            table.settlements(seat) for seat in range(self.seats)
        ]
        self.cities: list[tuple[int, ...]] = [table.cities(seat) for seat in range(self.seats)]
        self.roads: list[tuple[int, ...]] = [table.roads(seat) for seat in range(self.seats)]
        self.taken = {edge for roads in self.roads for edge in roads}
        self.owner = {
            node: seat
            for seat in range(self.seats)
            for node in (*self.settlements[seat], *self.cities[seat])
        }
        self.free_nodes: frozenset[int] = frozenset(table.free_nodes())
        self.pips = [self.pips_of(seat) for seat in range(self.seats)]
        self.rates: list[Counts] = [tuple(table.rates(seat)) for seat in range(self.seats)]
        self.periods = [periods_of(pips) for pips in self.pips]

    def pips_of(self, seat: int) -> Counts:
        pips = NOTHING
        for node in self.settlements[seat]:
            pips = plus(pips, self.yields[node])
        for node in self.cities[seat]:
            pips = plus(pips, plus(self.yields[node], self.yields[node]))
        return pips

    def rates_with(self, rates: Counts, node: int) -> Counts:
        """The bank's rates after building at a node, which may have a harbour."""
        if node not in HARBOUR_AT:
            return rates
        kind = self.harbour[HARBOUR_AT[node]]
        if kind == DESERT:
            return tuple(min(rate, 3) for rate in rates)
        return tuple(2 if one == kind else rate for one, rate in enumerate(rates))

    def time_with(self, seat: int, node: int) -> int:
        """The total building time of a seat that also had a settlement (or city step) here."""
        periods = periods_of(plus(self.pips[seat], self.yields[node]))
        return total_time(periods, self.rates_with(self.rates[seat], node))

    def time_of(self, seat: int) -> int:
        return total_time(self.periods[seat], self.rates[seat])

    def paths(self, seat: int, most: int) -> dict[int, tuple[int, ...]]:
        """The fewest free edges from a seat's network to each node, up to so many."""
        start = {node for edge in self.roads[seat] for node in ENDS[edge]}
        start |= {*self.settlements[seat], *self.cities[seat]}
        found: dict[int, tuple[int, ...]] = dict.fromkeys(sorted(start), ())
        border = [node for node in sorted(start) if self.owner.get(node, seat) == seat]
        for _ in range(most):
            grown: list[int] = []
            for node in border:
                for edge in EDGES_AT[node]:
                    far = ENDS[edge][0] + ENDS[edge][1] - node
                    if edge in self.taken or far in found:
                        continue
                    found[far] = (*found[node], edge)
                    if self.owner.get(far, seat) == seat:
                        grown.append(far)
            border = grown
        return found

    def hexes_of(self, seat: int) -> set[int]:
        nodes: Iterable[int] = (*self.settlements[seat], *self.cities[seat])
        return {hexagon for node in nodes for hexagon in HEXES_AT[node]}

"""A view as numbers from 0 to 1, for learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludex.worlds.catan.values import (
    DECK,
    EDGES,
    HARBOUR_AT,
    HEXES,
    HEXES_AT,
    NODES,
    PIPS,
    offer_of,
)

if TYPE_CHECKING:
    from ludex.worlds.catan.world import Catan

SEATS = 4
PHASES = (
    "setup_settlement",
    "setup_road",
    "before_roll",
    "dice",
    "discard",
    "robber",
    "steal",
    "main",
    "draw",
    "free_road",
    "answer",
    "over",
)
PER_SEAT = NODES * 2 + EDGES + 18
BOARD = HEXES * 8 + NODES * 6
TABLE = 5 + 1 + 10 + len(PHASES) + SEATS + 8
SIZE = BOARD + SEATS * PER_SEAT + TABLE
"""numbers in an observation, the same for every number of seats"""
MOST_CARDS = 20.0  # a larger hand counts as this


def observe(table: Any, seat: int, world: Catan) -> NDArray[np.float32]:
    """The board, each seat from the own one on clockwise, and the situation."""
    numbers = board(table)
    for step in range(SEATS):
        other = (seat + step) % world.seats
        numbers += of_seat(table, other, world) if step < world.seats else [0.0] * PER_SEAT
    numbers += situation(table, seat, world)
    return np.array(numbers, dtype=np.float32)


def board(table: Any) -> list[float]:
    """Of each hex its kind, pips and the robber; of each node its pips by kind and harbour."""
    numbers: list[float] = []
    for hexagon in range(HEXES):
        numbers += one_hot(table.terrain[hexagon], 6)
        numbers += [PIPS[table.number[hexagon]] / 5, float(table.robber == hexagon)]
    for node in range(NODES):
        pips = [0.0] * 5
        for hexagon in HEXES_AT[node]:
            if table.terrain[hexagon] < 5:
                pips[table.terrain[hexagon]] += PIPS[table.number[hexagon]] / 15
        harbour = table.harbour[HARBOUR_AT[node]] + 1 if node in HARBOUR_AT else 0
        numbers += [*pips, harbour / 6]
    return numbers


def of_seat(table: Any, seat: int, world: Catan) -> list[float]:
    numbers = places(table.settlements(seat), NODES) + places(table.cities(seat), NODES)
    numbers += places(table.roads(seat), EDGES)
    numbers += [min(1.0, count / MOST_CARDS) for count in table.hand(seat)]
    held, fresh = table.held(seat), table.fresh(seat)
    numbers += [(held[card] + fresh[card]) / DECK[card] for card in range(5)]
    numbers += [
        min(1.0, table.size(seat) / MOST_CARDS),
        (table.held_size(seat) + table.fresh_size(seat)) / 25,
        table.played(seat)[0] / 14,
        table.longest(seat) / 15,
        float(table.road_holder == seat),
        float(table.army_holder == seat),
        min(1.0, table.visible_points(seat) / world.points),
        table.harbours(seat) / 63,
    ]
    return numbers


def situation(table: Any, seat: int, world: Catan) -> list[float]:
    numbers = [count / 19 for count in table.bank] + [table.deck_size / 25]
    if table.offer:
        _, given, wanted = offer_of(table.offer)
        numbers += [count / 3 for count in (*given, *wanted)]
    else:
        numbers += [0.0] * 10
    numbers += one_hot(PHASES.index(table.phase), len(PHASES))
    numbers += one_hot((table.current - seat) % world.seats, SEATS)
    numbers += [
        float(table.rolled),
        float(table.card_played),
        min(1.0, table.offers / 10),
        table.free_roads / 2,
        min(1.0, table.quota / MOST_CARDS),
        float(table.endless),
        float(table.acting == seat),
        min(1.0, table.turn / world.turns),
    ]
    return numbers


def one_hot(value: int, size: int) -> list[float]:
    return [float(index == value) for index in range(size)]


def places(taken: tuple[int, ...], count: int) -> list[float]:
    numbers = [0.0] * count
    for place in taken:
        numbers[place] = 1.0
    return numbers

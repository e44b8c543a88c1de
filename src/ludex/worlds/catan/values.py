"""The constants of the game: kinds, cards, types of actions, and the geometry of the board."""

from __future__ import annotations

from typing import TypeAlias

from ludex.worlds.catan import _native

RESOURCES = ("clay", "ore", "sheep", "wheat", "wood")
CLAY, ORE, SHEEP, WHEAT, WOOD = range(5)
DESERT = 5
"""where a kind of land is meant; for harbours it stands for 3:1"""
CARDS = ("knight", "monopoly", "plenty", "roads", "point")
KNIGHT, MONOPOLY, PLENTY, ROADS, POINT = range(5)
DECK = (14, 2, 2, 2, 5)

TYPES = (
    "roll",
    "end",
    "settlement",
    "city",
    "road",
    "buy",
    "knight",
    "plenty",
    "monopoly",
    "roads",
    "trade",
    "offer",
    "accept",
    "reject",
    "discard",
    "robber",
)
"""types of actions, in the order of their numbers"""
TYPE_SHIFT = 20
NOBODY = 4
NO_KIND = 7

COSTS = {
    "road": (1, 0, 0, 0, 1),
    "settlement": (1, 0, 1, 1, 1),
    "city": (0, 3, 0, 2, 0),
    "buy": (0, 1, 1, 1, 0),
}

HEXES, NODES, EDGES = _native.HEXES, _native.NODES, _native.EDGES
CORNERS = tuple(tuple(nodes) for nodes in _native.corners())
"""the six nodes of each hex, clockwise from the top"""
ENDS = tuple(tuple(nodes) for nodes in _native.ends())
"""the two nodes of each edge"""
HARBOUR_EDGES = tuple(_native.harbour_edges())
HEX_PLACES = tuple(_native.hex_places())
NODE_PLACES = tuple(_native.node_places())
BUNDLES = tuple(_native.bundles())
"""sets of one to three cards as counts by kind; offers name them by index"""
PIPS = {number: 6 - abs(7 - number) for number in range(2, 13) if number != 7} | {0: 0}
"""ways in 36 to roll a number"""

HEXES_AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(hexagon for hexagon in range(HEXES) if node in CORNERS[hexagon]) for node in range(NODES)
)
EDGES_AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(edge for edge in range(EDGES) if node in ENDS[edge]) for node in range(NODES)
)
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(ENDS[edge][0] + ENDS[edge][1] - node for edge in EDGES_AT[node]) for node in range(NODES)
)
HARBOUR_AT: dict[int, int] = {
    node: harbour for harbour, edge in enumerate(HARBOUR_EDGES) for node in ENDS[edge]
}
"""the harbour of each node that has one"""

Counts: TypeAlias = tuple[int, ...]
"""how many of each of the five kinds"""


def make(kind: str, argument: int = 0) -> int:
    """The number of an action."""
    return TYPES.index(kind) << TYPE_SHIFT | argument


def type_of(action: int) -> str:
    return TYPES[action >> TYPE_SHIFT]


def argument_of(action: int) -> int:
    return action & ((1 << TYPE_SHIFT) - 1)


def make_offer(to: int, give: Counts, want: Counts) -> int:
    """The number of an offer; ValueError when a side has more than three cards, or none."""
    return make("offer", to << 12 | BUNDLES.index(give) << 6 | BUNDLES.index(want))


def offer_of(action: int) -> tuple[int, Counts, Counts]:
    """Whom an offer is made to, what it gives and what it wants."""
    bits = argument_of(action)
    return bits >> 12, BUNDLES[bits >> 6 & 63], BUNDLES[bits & 63]


def make_robber(kind: str, hexagon: int, victim: int | None) -> int:
    """The number of a robber's or knight's move."""
    return make(kind, (NOBODY if victim is None else victim) << 5 | hexagon)


def robber_of(action: int) -> tuple[int, int | None]:
    """The hex and the victim of a robber's or knight's move."""
    bits = argument_of(action)
    return bits & 31, None if bits >> 5 == NOBODY else bits >> 5


def make_trade(give: int, want: int, rate: int) -> int:
    return make("trade", give << 6 | want << 3 | rate)


def trade_of(action: int) -> tuple[int, int, int]:
    """What a trade with the bank gives and wants, and how many are given."""
    bits = argument_of(action)
    return bits >> 6, bits >> 3 & 7, bits & 7


def one_card(kind: int, count: int = 1) -> Counts:
    """Counts with cards of one kind alone.

    >>> one_card(ORE, 2)
    (0, 2, 0, 0, 0)
    """
    return tuple(count if one == kind else 0 for one in range(5))


def covers(hand: Counts, cost: Counts) -> bool:
    """Whether a hand can pay a cost."""
    return all(have >= need for have, need in zip(hand, cost, strict=True))

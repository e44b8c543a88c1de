"""What lies at a place of the board, and what can be done there."""

from __future__ import annotations

import re
from typing import Any

from ludex.core.choices import folded
from ludex.worlds.catan.events import person
from ludex.worlds.catan.notation import action_text
from ludex.worlds.catan.prompt import surroundings
from ludex.worlds.catan.values import (
    EDGES,
    ENDS,
    HEXES,
    NODES,
    argument_of,
    make,
    make_robber,
    robber_of,
    type_of,
)

SORTS = {"node": NODES, "edge": EDGES, "hex": HEXES}
ASKED = re.compile(r"(?:(node|place|edge|hex) ?)?#?(\d{1,2})")


def place_text(text: str, table: Any, seat: int, legal: tuple[Any, ...]) -> str | None:
    """Tell of every place with a number, or of those of one sort; None when there is none.

    An edge, a node and a hex can have the same number: actions say which of them they mean.
    """
    asked = ASKED.fullmatch(folded(text))
    if asked is None:
        return None
    word, number = asked[1], int(asked[2])
    sorts = [word] if word in SORTS else list(SORTS)
    if word == "place":
        sorts = ["node"]
    known = [sort for sort in sorts if number < SORTS[sort]]
    if not known:
        ends = ", ".join(f"{sort}s to {SORTS[sort] - 1}" for sort in sorts).replace("hexs", "hexes")
        return f"there is no place {number}: numbers go from 0, of {ends}"
    return "\n".join(
        f"{sort} {number}: {at(sort, number, table, seat)}{doing(sort, number, legal)}"
        for sort in known
    )


def at(sort: str, number: int, table: Any, seat: int) -> str:
    """What lies beside a place and stands on it."""
    if sort == "hex":
        robber = "; the robber is here" if table.robber == number else ""
        return surroundings(table, make_robber("robber", number, None), "robber") + robber
    if sort == "edge":
        ends = " and ".join(map(str, ENDS[number]))
        beside = surroundings(table, make("road", number), "road")
        return f"{beside}, between nodes {ends}{owned(table, 'road', number, seat)}"
    beside = surroundings(table, make("settlement", number), "settlement")
    buildings = (owned(table, kind, number, seat) for kind in ("settlement", "city"))
    return beside + "".join(buildings)


def owned(table: Any, kind: str, number: int, reader: int) -> str:
    places = {"road": table.roads, "settlement": table.settlements, "city": table.cities}[kind]
    for owner in range(table.seats):
        if number in places(owner):
            return f"; a {kind} of {'yours' if owner == reader else person(owner, reader)}"
    return ""


def doing(sort: str, number: int, legal: tuple[Any, ...]) -> str:
    """The actions at a place."""
    kinds = {"node": ("settlement", "city"), "edge": ("road",), "hex": ("robber", "knight")}[sort]
    here = [
        action_text(action)
        for action in legal
        if type_of(action) in kinds
        and (robber_of(action)[0] if sort == "hex" else argument_of(action)) == number
    ]
    return f"; you can type: {', '.join(here)}" if here else ""

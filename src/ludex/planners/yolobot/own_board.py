"""Distances of one's own between cells, in place of the paths that YOLOBOT finds by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ludex.core.errors import BrokenAgent, in_short
from ludex.core.own_part import called_by, checked_number

Cell = tuple[int, int]


class CellDistances(Protocol):
    """From each cell to one cell, `(column, row)`, in steps; cells left out are out of reach.

    It is asked for the avatar's cell and for the target's; the way there and the way back count
    as the same. `view` lists the objects (`ludex.core.objects`).
    """

    def __call__(self, view: Any, cell: Cell, /) -> Mapping[Cell, float]: ...


def own_distances(function: Any, view: Any, cell: Cell) -> dict[Cell, float]:
    """What a function returned, if those are distances by cell; else BrokenAgent."""
    found = function(view, cell)
    if not isinstance(found, Mapping):
        told = f"must return distances by cell, as in {{(3, 4): 2.0}}, got {in_short(found)}"
        raise BrokenAgent(f"{called_by(function)} {told}")
    made = {one: checked_number(function, distance) for one, distance in found.items()}
    if any(distance < 0.0 for distance in made.values()):
        raise BrokenAgent(f"{called_by(function)} must return distances >= 0, got {in_short(made)}")
    return {**made, cell: 0.0}

"""Shapes of neighbourhoods: the cells that predict the next tile of a cell."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ludex.models.learned._native import Neighbourhood

Shape: TypeAlias = Literal["cross", "diamond", "square", "round"]


def offsets(shape: Shape, span: int, power: float = 2.0) -> tuple[tuple[int, int], ...]:
    """The cells of a shape as (row, column) relative to the middle, row after row.

    `round` has the axes, and all cells whose Minkowski distance of order `power` is at most `span`:
    1 gives the diamond, and a large number nears the square.

    >>> [len(offsets(shape, 3)) for shape in ("cross", "diamond", "square")]
    [13, 25, 49]
    """
    cells = [(row, column) for row in range(-span, span + 1) for column in range(-span, span + 1)]
    return tuple(
        cell for cell in cells if is_inside(shape, abs(cell[0]), abs(cell[1]), span, power)
    )


def is_inside(shape: Shape, down: int, right: int, span: int, power: float) -> bool:
    if shape == "square" or 0 in (down, right):
        return True
    if shape == "cross":
        return False
    if shape == "diamond":
        return down + right <= span
    distance: float = (down / span) ** power + (right / span) ** power
    return distance <= 1.0 + 1e-12  # cells on the boundary are inside despite rounding


def neighbourhood(shape: Shape, span: int, power: float = 2.0) -> Neighbourhood:
    """The native neighbourhood of a shape."""
    cells = offsets(shape, span, power)
    return Neighbourhood([row for row, _ in cells], [column for _, column in cells])

"""What a thing sees: the inputs of an object-based forward model.

All things of a kind share one model, so a row has the same numbers wherever the thing is: what lies
around it, what is done, what the avatar carries, and where the avatar is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.things import NOBODY

Placed: TypeAlias = tuple[int, int, int]
"""kind, x, y"""
Cell: TypeAlias = tuple[int, int]
Held: TypeAlias = tuple[tuple[int, int], ...]
Row: TypeAlias = tuple[int, ...]
"""What one thing sees: its own cell without itself; then left, right, up and down, the nearest of
all first; what is done; which way the avatar looks and what of all that is ever made is there, a
bit for each kind, both told to the avatar alone; what it carries, a few bits for each kind of
goods; the cells to the avatar, right and down; column and row of the thing, if they are looked
at."""
VERB, FACING, MADE, LOAD, RIGHT, DOWN = -8, -7, -6, -5, -4, -3  # places in a row, from its end
BEHIND = 8  # numbers in a row behind what lies around
OUTSIDE, EMPTY, FIRST_KIND = 0, 1, 2  # what is seen of a cell; the highest kind hides the others
FAR = 2000  # where no avatar is, or where the distance is not looked at
MIDDLE = 4000  # added to distances, so that they are above 0
HELD_BITS = 2
MOST_HELD = (1 << HELD_BITS) - 1
MOST_GOODS = 30  # kinds that can be carried, and that can be made
FACINGS = ((0, 0), (0, -1), (-1, 0), (0, 1), (1, 0))
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # left, right, up, down


def nearby(row: Row) -> Row:
    """The same to one who does not look at distances."""
    return (*row[:RIGHT], FAR, FAR, *row[DOWN + 1 :])


def as_numbers(row: Row, goods: int, made: int, farthest: int = FAR) -> list[int]:
    """A row for classifiers: a number for each kind of goods and of what is made, none below 0.

    Distances beyond the farthest look alike.
    """
    there = [row[MADE] >> place & 1 for place in range(made)]
    loads = [row[LOAD] >> HELD_BITS * place & MOST_HELD for place in range(goods)]
    distances = [
        MIDDLE + (one if one == FAR else max(-farthest, min(farthest, one)))
        for one in (row[RIGHT], row[DOWN])
    ]
    return [*row[:MADE], *there, *loads, *distances, *row[DOWN + 1 :]]


class Size(NamedTuple):
    """Of a level: in cells, and the pixels of a cell."""

    width: int
    height: int
    block: int

    def cell(self, x: int, y: int) -> Cell:
        """The nearest one."""
        half = self.block // 2
        return (x + half) // self.block, (y + half) // self.block

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


@dataclass(frozen=True)
class Ground:
    """All that does not change on a level, as far as is known."""

    size: Size
    things: tuple[Placed, ...] = ()
    """sorted"""

    @cached_property
    def kinds(self) -> dict[Cell, list[int]]:
        """What lies in each cell."""
        return by_cell(self.size, self.things)

    @cached_property
    def tops(self) -> dict[Cell, int]:
        return {cell: max(kinds) for cell, kinds in self.kinds.items()}

    def counts(self, kinds: int) -> NDArray[np.int16]:
        """How many things there are of each kind."""
        numbers = [kind for kind, _, _ in self.things if kind < kinds]
        return np.bincount(numbers, minlength=kinds).astype(np.int16)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.size, self.things))


def by_cell(size: Size, things: Iterable[Placed]) -> dict[Cell, list[int]]:
    cells: dict[Cell, list[int]] = {}
    for kind, x, y in things:
        cells.setdefault(size.cell(x, y), []).append(kind)
    return cells


@dataclass(frozen=True, slots=True)
class Sense:
    """What a model looks at."""

    reach: int = 2
    position: bool = False
    holds: int = 1

    @property
    def steps(self) -> list[Cell]:
        reach = range(1, self.reach + 1)
        return [(right * far, down * far) for far in reach for right, down in STEPS]

    def load(self, held: Held, goods: Sequence[int]) -> int:
        """What is carried, as one number."""
        amounts = dict(held)
        return sum(
            min(amounts.get(kind, 0), self.holds) << HELD_BITS * place
            for place, kind in enumerate(goods)
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """What all things of one moment share."""

    ground: Ground
    things: Sequence[Placed]
    """without the ground"""
    avatar: int
    """which of them is the player's own"""
    facing: Cell
    load: int
    verb: int
    made: Sequence[int] = ()
    """kinds that are ever made"""

    @property
    def there(self) -> int:
        """Which of them are there, as a number."""
        kinds = {kind for kind, _, _ in self.things} if self.made else ()
        return sum(1 << place for place, kind in enumerate(self.made) if kind in kinds)

    @property
    def avatar_cell(self) -> Cell | None:
        if self.avatar == NOBODY:
            return None
        return self.ground.size.cell(*self.things[self.avatar][1:])

    @property
    def way(self) -> int:
        """Which way the avatar looks, as a number."""
        return FACINGS.index(self.facing) if self.facing in FACINGS else 0


def rows_one_by_one(sense: Sense, moment: Moment) -> list[Row]:
    """What each thing sees, for the few that can change."""
    size, tops = moment.ground.size, moment.ground.tops
    cells = by_cell(size, moment.things)
    avatar, steps = moment.avatar_cell, sense.steps
    rows: list[Row] = []

    def look(cell: Cell) -> int:
        found, top = cells.get(cell), tops.get(cell)
        if found is not None:
            highest = max(found)
            return (highest if top is None or highest > top else top) + FIRST_KIND
        if top is not None:
            return top + FIRST_KIND
        return EMPTY if size.holds(cell) else OUTSIDE

    for place, (kind, x, y) in enumerate(moment.things):
        column, row = cell = size.cell(x, y)
        others = cells[cell].copy()
        others.remove(kind)
        if cell in tops:
            others.append(tops[cell])
        rows.append(
            (
                max(others) + FIRST_KIND if others else EMPTY,
                *(look((column + right, row + down)) for right, down in steps),
                moment.verb,
                moment.way if place == moment.avatar else 0,
                moment.there if place == moment.avatar else 0,
                moment.load,
                FAR if avatar is None else avatar[0] - column,
                FAR if avatar is None else avatar[1] - row,
                max(0, column + 1) if sense.position else 0,
                max(0, row + 1) if sense.position else 0,
            )
        )
    return rows


def rows_at_once(sense: Sense, moment: Moment) -> list[Row]:
    """The same for the many things of a real moment, in which nothing is ground yet."""
    size = moment.ground.size
    kinds, xs, ys = np.array(moment.things, np.int64).reshape(-1, 3).T
    half, margin = size.block // 2, sense.reach
    columns, rows = (xs + half) // size.block, (ys + half) // size.block
    # Things beyond the edge are seen by their neighbours; a wide margin holds them.
    left, up = min(0, columns.min(initial=0)), min(0, rows.min(initial=0))
    width = max(size.width, columns.max(initial=0) + 1) - left + 2 * margin
    height = max(size.height, rows.max(initial=0) + 1) - up + 2 * margin
    grid = np.full((height, width), OUTSIDE)
    y0, x0 = margin - up, margin - left
    grid[y0 : y0 + size.height, x0 : x0 + size.width] = EMPTY
    order = np.lexsort((kinds, columns, rows))
    tops = kinds[order] + FIRST_KIND
    is_below = np.zeros(len(order), bool)  # another one lies in the cell, as high or higher
    is_below[:-1] = (np.diff(columns[order]) == 0) & (np.diff(rows[order]) == 0)
    places = rows[order] + y0, columns[order] + x0
    grid[places] = tops  # of several in a cell, the last and highest stays
    below = np.roll(np.where(is_below, tops, EMPTY), 1)  # what the topmost of a cell lies on
    own = np.empty(len(order), np.int64)
    own[order] = np.where(is_below, grid[places], below)
    around = [grid[rows + y0 + down, columns + x0 + right] for right, down in sense.steps]
    facing, there = np.zeros((2, len(order)), np.int64)
    if moment.avatar != NOBODY:
        facing[moment.avatar], there[moment.avatar] = moment.way, moment.there
    avatar = moment.avatar_cell
    table = np.column_stack(
        [
            own,
            *around,
            np.full(len(order), moment.verb),
            facing,
            there,
            np.full(len(order), moment.load),
            np.full(len(order), FAR) if avatar is None else avatar[0] - columns,
            np.full(len(order), FAR) if avatar is None else avatar[1] - rows,
            np.maximum(0, columns + 1) * sense.position,
            np.maximum(0, rows + 1) * sense.position,
        ]
    )
    return [tuple(row) for row in table.tolist()]

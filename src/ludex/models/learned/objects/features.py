"""Features of an object: the inputs of an object-based forward model.

All objects of a kind share one model, so features are relative to the object: the cells around it,
the action, what the avatar carries, and the relative position of the avatar.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.object_list import NOBODY
from ludex.models.learned.two_seats.joint import both_actions

PlacedObject: TypeAlias = tuple[int, int, int]
"""kind, x, y"""
Cell: TypeAlias = tuple[int, int]
Held: TypeAlias = tuple[tuple[int, int], ...]
FeatureRow: TypeAlias = tuple[int, ...]
"""Features of one object: its own cell without itself; then left, right, up and down, the nearest
first; the verb; the direction the avatar faces and a bit for each created kind that is present,
both for the avatar only; what is carried, a few bits for each kind of goods; the distance to the
avatar, right and down; column and row of the object, if positions are features."""
VERB, FACING, MADE, LOAD, RIGHT, DOWN = -8, -7, -6, -5, -4, -3  # indices in a row, from its end
BEHIND = 8  # features after the surroundings
OUTSIDE, EMPTY, FIRST_KIND = 0, 1, 2  # content of a cell; the highest kind hides the others
FAR = 2000  # no avatar, or distances are not a feature
MIDDLE = 4000  # added to distances to make them positive
HELD_BITS = 2
MOST_HELD = (1 << HELD_BITS) - 1
PAIRED = 1 << 12  # verbs from here on are joint actions of two seats
MOST_GOODS = 30  # the most kinds that can be carried, or created
FACINGS = ((0, 0), (0, -1), (-1, 0), (0, 1), (1, 0))
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # left, right, up, down


def nearby(row: FeatureRow) -> FeatureRow:
    """The same features without distances."""
    return (*row[:RIGHT], FAR, FAR, *row[DOWN + 1 :])


def as_numbers(row: FeatureRow, goods: int, made: int, farthest: int = FAR) -> list[int]:
    """Features for classifiers: one column for each kind of goods and created kind, none below 0.

    The verb of a joint action becomes a column for each seat.
    Distances are clipped to the farthest.
    """
    there = [row[MADE] >> index & 1 for index in range(made)]
    loads = [row[LOAD] >> HELD_BITS * index & MOST_HELD for index in range(goods)]
    distances = [
        MIDDLE + (one if one == FAR else max(-farthest, min(farthest, one)))
        for one in (row[RIGHT], row[DOWN])
    ]
    paired = row[VERB] >= PAIRED
    verbs = both_actions(row[VERB] - PAIRED) if paired else (row[VERB],)
    return [*row[:VERB], *verbs, row[FACING], *there, *loads, *distances, *row[DOWN + 1 :]]


class LevelSize(NamedTuple):
    """The size of a level in cells, and the pixels of a cell."""

    width: int
    height: int
    block: int

    def cell(self, x: int, y: int) -> Cell:
        """The nearest cell of a position in pixels."""
        half = self.block // 2
        return (x + half) // self.block, (y + half) // self.block

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


@dataclass(frozen=True)
class StaticObjects:
    """The objects of a level that never change, as far as is known."""

    size: LevelSize
    objects: tuple[PlacedObject, ...] = ()
    """sorted"""

    @cached_property
    def kinds(self) -> dict[Cell, list[int]]:
        """The kinds in each cell."""
        return by_cell(self.size, self.objects)

    @cached_property
    def tops(self) -> dict[Cell, int]:
        return {cell: max(kinds) for cell, kinds in self.kinds.items()}

    def counts(self, kinds: int) -> NDArray[np.int16]:
        """The number of objects of each kind."""
        numbers = [kind for kind, _, _ in self.objects if kind < kinds]
        return np.bincount(numbers, minlength=kinds).astype(np.int16)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.size, self.objects))


def by_cell(size: LevelSize, objects: Iterable[PlacedObject]) -> dict[Cell, list[int]]:
    cells: dict[Cell, list[int]] = {}
    for kind, x, y in objects:
        cells.setdefault(size.cell(x, y), []).append(kind)
    return cells


@dataclass(frozen=True, slots=True)
class FeatureSettings:
    """Which features an object-based model uses."""

    reach: int = 2
    position: bool = False
    holds: int = 1

    @property
    def steps(self) -> list[Cell]:
        reach = range(1, self.reach + 1)
        return [(right * far, down * far) for far in reach for right, down in STEPS]

    def load(self, held: Held, goods: Sequence[int]) -> int:
        """What is carried, as one integer."""
        amounts = dict(held)
        return sum(
            min(amounts.get(kind, 0), self.holds) << HELD_BITS * index
            for index, kind in enumerate(goods)
        )


@dataclass(frozen=True, slots=True)
class ObjectScene:
    """All objects at one moment, with the facts that their features share."""

    static: StaticObjects
    objects: Sequence[PlacedObject]
    """those that are not static"""
    avatar: int
    """the index of the avatar among them"""
    facing: Cell
    load: int
    verb: int
    made: Sequence[int] = ()
    """kinds that are ever created"""

    @property
    def there(self) -> int:
        """Which created kinds are present, as bits."""
        kinds = {kind for kind, _, _ in self.objects} if self.made else ()
        return sum(1 << index for index, kind in enumerate(self.made) if kind in kinds)

    @property
    def avatar_cell(self) -> Cell | None:
        if self.avatar == NOBODY:
            return None
        return self.static.size.cell(*self.objects[self.avatar][1:])

    @property
    def way(self) -> int:
        """The direction the avatar faces, as an index of FACINGS."""
        return FACINGS.index(self.facing) if self.facing in FACINGS else 0


def rows_one_by_one(feature_settings: FeatureSettings, scene: ObjectScene) -> list[FeatureRow]:
    """The features of each object, for the few that are not static."""
    size, tops = scene.static.size, scene.static.tops
    cells = by_cell(size, scene.objects)
    avatar, steps = scene.avatar_cell, feature_settings.steps
    rows: list[FeatureRow] = []

    def look(cell: Cell) -> int:
        found, top = cells.get(cell), tops.get(cell)
        if found is not None:
            highest = max(found)
            return (highest if top is None or highest > top else top) + FIRST_KIND
        if top is not None:
            return top + FIRST_KIND
        return EMPTY if size.holds(cell) else OUTSIDE

    for index, (kind, x, y) in enumerate(scene.objects):
        column, row = cell = size.cell(x, y)
        others = cells[cell].copy()
        others.remove(kind)
        if cell in tops:
            others.append(tops[cell])
        rows.append(
            (
                max(others) + FIRST_KIND if others else EMPTY,
                *(look((column + right, row + down)) for right, down in steps),
                scene.verb,
                scene.way if index == scene.avatar else 0,
                scene.there if index == scene.avatar else 0,
                scene.load,
                FAR if avatar is None else avatar[0] - column,
                FAR if avatar is None else avatar[1] - row,
                max(0, column + 1) if feature_settings.position else 0,
                max(0, row + 1) if feature_settings.position else 0,
            )
        )
    return rows


def rows_at_once(feature_settings: FeatureSettings, scene: ObjectScene) -> list[FeatureRow]:
    """The same, vectorised, for the many objects of a real view, none of them static."""
    size = scene.static.size
    kinds, xs, ys = np.array(scene.objects, np.int64).reshape(-1, 3).T
    half, margin = size.block // 2, feature_settings.reach
    columns, rows = (xs + half) // size.block, (ys + half) // size.block
    # Objects beyond the edge are visible to their neighbours; a margin holds them.
    left, up = min(0, columns.min(initial=0)), min(0, rows.min(initial=0))
    width = max(size.width, columns.max(initial=0) + 1) - left + 2 * margin
    height = max(size.height, rows.max(initial=0) + 1) - up + 2 * margin
    grid = np.full((height, width), OUTSIDE)
    y0, x0 = margin - up, margin - left
    grid[y0 : y0 + size.height, x0 : x0 + size.width] = EMPTY
    order = np.lexsort((kinds, columns, rows))
    tops = kinds[order] + FIRST_KIND
    is_below = np.zeros(len(order), bool)  # another object in the cell is as high or higher
    is_below[:-1] = (np.diff(columns[order]) == 0) & (np.diff(rows[order]) == 0)
    indices = rows[order] + y0, columns[order] + x0
    grid[indices] = tops  # of several in a cell, the highest stays
    below = np.roll(np.where(is_below, tops, EMPTY), 1)  # what lies below the topmost of a cell
    own = np.empty(len(order), np.int64)
    own[order] = np.where(is_below, grid[indices], below)
    around = [
        grid[rows + y0 + down, columns + x0 + right] for right, down in feature_settings.steps
    ]
    facing, there = np.zeros((2, len(order)), np.int64)
    if scene.avatar != NOBODY:
        facing[scene.avatar], there[scene.avatar] = scene.way, scene.there
    avatar = scene.avatar_cell
    table = np.column_stack(
        [
            own,
            *around,
            np.full(len(order), scene.verb),
            facing,
            there,
            np.full(len(order), scene.load),
            np.full(len(order), FAR) if avatar is None else avatar[0] - columns,
            np.full(len(order), FAR) if avatar is None else avatar[1] - rows,
            np.maximum(0, columns + 1) * feature_settings.position,
            np.maximum(0, rows + 1) * feature_settings.position,
        ]
    )
    return [tuple(row) for row in table.tolist()]

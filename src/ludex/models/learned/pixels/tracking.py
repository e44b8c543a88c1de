"""Tracking: which objects of two pictures are the same, and how they moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned.pixels.seen import SeenObject

NEVER = 1e9  # cost of a pair that is too far apart


def assigned(
    before: Sequence[SeenObject],
    after: Sequence[SeenObject],
    reach: float,
    motions: Sequence[tuple[int, int]] | None = None,
) -> list[tuple[int, int]]:
    """The indices of objects before and after that are the same, ascending.

    Objects of one kind are paired so that as many as possible have a partner within `reach` pixels,
    and the sum of distances is least. Distances are taken from where an object would be if it moved
    on as it did before (`motions`, by object); without motions, from where it was.
    """
    pairs: list[tuple[int, int]] = []
    for kind in sorted({one.kind for one in before} & {one.kind for one in after}):
        old = [index for index, one in enumerate(before) if one.kind == kind]
        new = [index for index, one in enumerate(after) if one.kind == kind]
        ways = [(0, 0) if motions is None else motions[index] for index in old]
        pairs += pairs_of_kind(before, after, (old, new), ways, reach)
    return sorted(pairs)


def pairs_of_kind(
    before: Sequence[SeenObject],
    after: Sequence[SeenObject],
    indices: tuple[Sequence[int], Sequence[int]],
    motions: Sequence[tuple[int, int]],
    reach: float,
) -> list[tuple[int, int]]:
    """The same for objects of one kind; those that rest where one was before come first."""
    old, new = (list(one) for one in indices)
    places = {after[index][1:3]: index for index in new}
    pairs: list[tuple[int, int]] = []
    for index, motion in zip(tuple(old), motions, strict=True):
        if motion == (0, 0) and before[index][1:3] in places:
            pairs.append((index, places.pop(before[index][1:3])))
    taken = {one for one, _ in pairs}
    open_old = [(index, way) for index, way in zip(old, motions, strict=True) if index not in taken]
    rest = sorted(places.values())
    if not open_old or not rest:
        return pairs
    here = np.array([before[index][1:3] for index, _ in open_old], float)
    ahead = here + np.array([way for _, way in open_old], float)
    there = np.array([after[index][1:3] for index in rest], float)
    cost = distances(ahead, there)
    cost[distances(here, there) > reach] = NEVER
    from scipy.optimize import linear_sum_assignment

    for row, column in zip(*linear_sum_assignment(cost), strict=True):
        if cost[row, column] < NEVER:
            pairs.append((open_old[row][0], rest[column]))
    return pairs


def distances(points: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.linalg.norm(points[:, None] - others[None], axis=2)
    return found


@dataclass
class Tracker:
    """Gives every object an id that it keeps from picture to picture."""

    reach: float
    """the longest way in one step, in pixels"""
    last: list[SeenObject] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    """of the objects in the last picture"""
    motions: list[tuple[int, int]] = field(default_factory=list)
    """of the objects in the last picture: right and down, in pixels"""
    next_id: int = 1

    def follow(self, objects: Sequence[SeenObject]) -> list[int]:
        """The ids of the objects of the next picture; new objects get new ids."""
        pairs = assigned(self.last, objects, self.reach, self.motions)
        known = {new: old for old, new in pairs}
        ids: list[int] = []
        motions: list[tuple[int, int]] = []
        for index, one in enumerate(objects):
            if index in known:
                before = self.last[known[index]]
                ids.append(self.ids[known[index]])
                motions.append((one.x - before.x, one.y - before.y))
            else:
                ids.append(self.next_id)
                motions.append((0, 0))
                self.next_id += 1
        self.last, self.ids, self.motions = list(objects), ids, motions
        return ids

    def begin(self, objects: Sequence[SeenObject]) -> list[int]:
        """The ids in the first picture of a game."""
        self.last, self.ids, self.motions = [], [], []
        return self.follow(objects)

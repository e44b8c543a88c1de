"""Objects found in a picture, and the boxes around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class SeenObject(NamedTuple):
    """An object found in a picture: its kind and its box, in pixels."""

    kind: int
    x: int
    y: int
    width: int
    height: int
    error: float = 0.0
    """how much its pixels differ from its kind's, as a mean over colours from 0 to 255"""

    def overlaps(self, other: SeenObject) -> bool:
        """Whether two boxes have a pixel in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


def collisions(
    before: Sequence[SeenObject],
    after: Sequence[SeenObject],
    pairs: Sequence[tuple[int, int]],
) -> set[tuple[int, int]]:
    """Kinds that collide in a step: pairs of the kind that moves and the kind that it meets.

    Boxes that overlap now collide. So does an object that moved onto the box where another one was
    that can no longer be seen there, because it was covered, removed or pushed on.

    Args:
        before: The objects of the first picture.
        after: Those of the second one.
        pairs: Which objects are the same: indices before and after.
    """
    moved = {new for old, new in pairs if before[old][1:3] != after[new][1:3]}
    stayed = {old for old, new in pairs if before[old][1:3] == after[new][1:3]}
    same = {new: old for old, new in pairs}
    found: set[tuple[int, int]] = set()
    for index in moved:
        mover = after[index]
        others = [one for place, one in enumerate(after) if place != index]
        found |= {(mover.kind, one.kind) for one in others if mover.overlaps(one)}
        gone = [
            one for place, one in enumerate(before) if place not in stayed and place != same[index]
        ]
        found |= {(mover.kind, one.kind) for one in gone if mover.overlaps(one)}
    return found

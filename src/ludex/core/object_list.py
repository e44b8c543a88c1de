"""A seat's view as a list of objects, the input of object-based learners.

Views of worlds that support it have `as_objects`. The result is independent of the world: it can be
sent to a learner in a process that does not know the game.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from ludex.core.capabilities import ShowsObjects, able
from ludex.core.other_seats import OtherSeat
from ludex.core.outcome import Outcome

NOBODY = -1


class GameObject(NamedTuple):
    """An object with its kind and position."""

    kind: int
    id: int
    """constant as long as the object exists"""
    x: int
    """in pixels"""
    y: int


@dataclass(frozen=True, slots=True)
class ObjectListView:
    """An observation for learners: objects, legal actions, score and outcome."""

    seat: int
    legal: tuple[Hashable, ...]
    kinds: tuple[str, ...]
    """names of kinds by index, the same on every level of a game; of objects in one cell, the one
    with the highest kind is on top"""
    objects: tuple[GameObject, ...]
    avatar: int
    """the index of the seat's avatar in `objects`; NOBODY if there is none"""
    facing: tuple[int, int]
    """the direction the avatar faces: a step right and down"""
    held: tuple[tuple[int, int], ...]
    """what the avatar carries: pairs of kind, ascending, and amount"""
    size: tuple[int, int, int]
    """width and height in cells, and pixels of a cell"""
    score: float
    outcome: Outcome | None
    movable: tuple[int, ...] = ()
    """kinds present that may move, as far as a player is told; others may, too"""
    others: tuple[OtherSeat, ...] = ()
    """the other seats, where they act at the same time"""

    def as_objects(self) -> Self:
        return self


def objects_of(view: Any) -> ObjectListView | None:
    """The view as a list of objects; None if its world does not support it."""
    able_view = able(view, ShowsObjects)
    return None if able_view is None else able_view.as_objects()

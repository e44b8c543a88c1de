"""A seat's view as a list of objects: what object-based learners look at, whatever the world.

Worlds whose views can be shown like this offer `as_objects` on them. What it returns needs nothing
of the world: it can be handed to a learner in a process that has never heard of the game.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from ludex.core.outcome import Outcome

NOBODY = -1


class GameObject(NamedTuple):
    """Something that is somewhere."""

    kind: int
    id: int
    """it keeps it as long as it lives"""
    x: int
    """in pixels"""
    y: int


@dataclass(frozen=True, slots=True)
class ObjectListView:
    """All that a learner may know of one moment: objects, choices, the score, the end."""

    seat: int
    legal: tuple[Hashable, ...]
    kinds: tuple[str, ...]
    """names of kinds, by their numbers, the same on every level of a game; where objects lie on
    each other, the one with the higher number is on top"""
    objects: tuple[GameObject, ...]
    avatar: int
    """which of the objects is the seat's own; NOBODY where none is"""
    facing: tuple[int, int]
    """which way the avatar looks: a step right and down"""
    held: tuple[tuple[int, int], ...]
    """what the avatar carries: kinds, ascending, and amounts"""
    size: tuple[int, int, int]
    """width and height in cells, and pixels of a cell"""
    score: float
    outcome: Outcome | None
    movable: tuple[int, ...] = ()
    """kinds of those objects here that may move, as far as a player is told; others may, too"""

    def as_objects(self) -> Self:
        return self


def objects_of(view: Any) -> ObjectListView | None:
    """The view as objects, where its world can show it so."""
    if not hasattr(view, "as_objects"):
        return None
    shown: ObjectListView = view.as_objects()
    return shown

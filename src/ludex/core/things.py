"""A seat's view as a list of things: what object-based learners look at, whatever the world.

Worlds whose views can be shown like this offer `as_things` on them. What it returns needs nothing
of the world: it can be handed to a learner in a process that has never heard of the game.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from ludex.core.outcome import Outcome

NOBODY = -1


class Thing(NamedTuple):
    """Something that is somewhere."""

    kind: int
    id: int
    """it keeps it as long as it lives"""
    x: int
    """in pixels"""
    y: int


@dataclass(frozen=True, slots=True)
class ThingView:
    """All that a learner may know of one moment: things, choices, the score, the end."""

    seat: int
    legal: tuple[Hashable, ...]
    kinds: tuple[str, ...]
    """names of kinds, by their numbers, the same on every level of a game; where things lie on
    each other, the one with the higher number is on top"""
    things: tuple[Thing, ...]
    avatar: int
    """which of the things is the seat's own; NOBODY where none is"""
    facing: tuple[int, int]
    """which way the avatar looks: a step right and down"""
    held: tuple[tuple[int, int], ...]
    """what the avatar carries: kinds, ascending, and amounts"""
    size: tuple[int, int, int]
    """width and height in cells, and pixels of a cell"""
    score: float
    outcome: Outcome | None
    movable: tuple[int, ...] = ()
    """kinds of those things here that may move, as far as a player is told; others may, too"""

    def as_things(self) -> Self:
        return self


def things_of(view: Any) -> ThingView | None:
    """The view as things, where its world can show it so."""
    if not hasattr(view, "as_things"):
        return None
    shown: ThingView = view.as_things()
    return shown

"""A seat's view as a grid of cells: what learners look at, whatever the world.

A cell holds a set of kinds of objects. Worlds whose views can be shown like this offer `as_tiles`
on them. What it returns needs nothing of the world: it can be handed to a learner in a process
that has never heard of the game.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.core.outcome import Outcome

MOST_KINDS = 63
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Tiles:
    """A grid in which every cell holds a set of kinds: bit k of its mask stands for kind k."""

    kinds: tuple[str, ...]
    width: int
    height: int
    masks: bytes
    """eight bytes a cell, the low ones first, row after row"""
    piled: tuple[int, ...] = ()
    """the kinds that are objects, the topmost last; others say of one how it is, as the way it
    faces; empty: all are, in their order"""

    @classmethod
    def of(
        cls,
        kinds: tuple[str, ...],
        masks: NDArray[np.unsignedinteger[Any]],
        piled: tuple[int, ...] = (),
    ) -> Self:
        """Make a grid of an array of masks, [row, column]."""
        if len(kinds) > MOST_KINDS:
            raise BadParameter(
                f"a cell can tell {MOST_KINDS} kinds of objects apart, got {len(kinds)} kinds"
            )
        height, width = masks.shape
        return cls(kinds, width, height, masks.astype("<u8").tobytes(), piled)

    @property
    def array(self) -> NDArray[np.uint64]:
        """The masks, [row, column]; read-only."""
        return np.frombuffer(self.masks, "<u8").reshape(self.height, self.width)

    def content(self, mask: int) -> tuple[str, ...]:
        """The kinds that a mask holds."""
        return tuple(kind for bit, kind in enumerate(self.kinds) if mask >> bit & 1)

    def top(self, mask: int) -> int:
        """The topmost object of a mask alone; 0 where there is none."""
        for bit in reversed(self.piled or range(len(self.kinds))):
            if mask >> bit & 1:
                return 1 << bit
        return 0


class Act(NamedTuple):
    """What an action is to a grid: something done, here or there or to no cell of its own."""

    verb: int
    cell: int = NOWHERE
    """row * width + column of the cell that it is done to"""


@dataclass(frozen=True, slots=True)
class TileView:
    """All that a learner may know of one moment: the grid, the choices, the score, the end."""

    seat: int
    legal: tuple[Hashable, ...]
    tiles: Tiles
    score: float
    outcome: Outcome | None
    acts: tuple[Act, ...]
    """what each legal action is to the grid, in the same order"""

    def as_tiles(self) -> Self:
        return self


def acts_of(legal: tuple[Any, ...]) -> tuple[Act, ...]:
    """Acts of numbered actions that are done to no cell, such as moves of an avatar.

    >>> acts_of((0, 3))
    (Act(verb=0, cell=-1), Act(verb=3, cell=-1))
    """
    return tuple(Act(int(action)) for action in legal)


def tiles_of(view: Any) -> TileView | None:
    """The view as a grid, where its world can show it as one."""
    if not hasattr(view, "as_tiles"):
        return None
    shown: TileView = view.as_tiles()
    return shown

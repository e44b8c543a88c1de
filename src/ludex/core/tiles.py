"""A seat's view as a grid of tiles, the input of tile-based learners.

A cell holds a set of kinds of objects. Views of worlds that support it have `as_tiles`. The result
is independent of the world: it can be sent to a learner in a process that does not know the game.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.capabilities import ShowsTiles, able
from ludex.core.errors import BadParameter
from ludex.core.other_seats import OtherSeat
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
    """eight bytes per cell, little-endian, row after row"""
    piled: tuple[int, ...] = ()
    """the kinds that are objects, the topmost last; other kinds are attributes of an object, such
    as the direction it faces; empty: all kinds in their order"""

    @classmethod
    def of(
        cls,
        kinds: tuple[str, ...],
        masks: NDArray[np.unsignedinteger[Any]],
        piled: tuple[int, ...] = (),
    ) -> Self:
        """Make a grid from an array of masks, [row, column]."""
        if len(kinds) > MOST_KINDS:
            raise BadParameter(
                f"a grid supports {MOST_KINDS} kinds of objects, got {len(kinds)} kinds"
            )
        height, width = masks.shape
        return cls(kinds, width, height, masks.astype("<u8").tobytes(), piled)

    @property
    def array(self) -> NDArray[np.uint64]:
        """The masks, [row, column]; read-only."""
        return np.frombuffer(self.masks, "<u8").reshape(self.height, self.width)

    def content(self, mask: int) -> tuple[str, ...]:
        """The names of the kinds in a mask."""
        return tuple(kind for bit, kind in enumerate(self.kinds) if mask >> bit & 1)

    def top(self, mask: int) -> int:
        """The mask of the topmost object alone; 0 if there is none."""
        for bit in reversed(self.piled or range(len(self.kinds))):
            if mask >> bit & 1:
                return 1 << bit
        return 0


class Act(NamedTuple):
    """An action as tile-based learners see it: a verb, and the cell it acts on, if any."""

    verb: int
    cell: int = NOWHERE
    """row * width + column of the cell that it acts on"""


@dataclass(frozen=True, slots=True)
class TileView:
    """An observation for learners: grid, legal actions, score and outcome."""

    seat: int
    legal: tuple[Hashable, ...]
    tiles: Tiles
    score: float
    outcome: Outcome | None
    acts: tuple[Act, ...]
    """verb and cell of each legal action, in the same order"""
    others: tuple[OtherSeat, ...] = ()
    """the other seats, where they act at the same time"""

    def as_tiles(self) -> Self:
        return self


def acts_of(legal: tuple[Any, ...]) -> tuple[Act, ...]:
    """Acts of numbered actions that act on no cell, such as moves of an avatar.

    >>> acts_of((0, 3))
    (Act(verb=0, cell=-1), Act(verb=3, cell=-1))
    """
    return tuple(Act(int(action)) for action in legal)


def tiles_of(view: Any) -> TileView | None:
    """The view as a grid; None if its world does not support it."""
    able_view = able(view, ShowsTiles)
    return None if able_view is None else able_view.as_tiles()

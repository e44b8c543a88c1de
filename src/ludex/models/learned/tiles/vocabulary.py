"""Numbers for what cells can hold, and for what can be done.

Numbers are given when something is first met and never change, so that what was learned about them
stays true when more is met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import LudexError
from ludex.core.tiles import MOST_KINDS, Tiles
from ludex.models.learned._native import MOST_TILES

FIRST_TILE = 1  # 0 is what lies beyond the edge
Encoding: TypeAlias = Literal["stack", "top"]


class TooManyTiles(LudexError):
    """A game with more unlike cells than a model can number."""


class Vocabulary:
    """The contents of cells that were met, as sets of kinds, each with a number."""

    def __init__(
        self,
        kinds: Iterable[str] = (),
        contents: Iterable[int] = (),
        encoding: Encoding = "stack",
    ) -> None:
        self.encoding = encoding
        self.kinds = list(kinds)
        self.contents = list(contents)
        """the mask of each tile; the first one is tile 1"""
        self.numbers = {mask: FIRST_TILE + place for place, mask in enumerate(self.contents)}

    def __len__(self) -> int:
        """How many numbers are taken, that of the edge included."""
        return FIRST_TILE + len(self.contents)

    def encode(self, tiles: Tiles) -> NDArray[np.uint16]:
        """The numbers of all cells, [row, column]; contents never met get new ones."""
        masks, places = np.unique(tiles.array, return_inverse=True)
        shown = [int(mask) if self.encoding == "stack" else tiles.top(int(mask)) for mask in masks]
        own = [self.number(self.as_own(mask, tiles.kinds)) for mask in shown]
        return np.array(own, np.uint16)[places].reshape(tiles.height, tiles.width)

    def as_own(self, mask: int, kinds: Sequence[str]) -> int:
        """A mask over other kinds as one over ours."""
        if kinds == tuple(self.kinds[: len(kinds)]):
            return mask
        for kind in kinds:
            if kind not in self.kinds:
                self.kinds.append(kind)
        if len(self.kinds) > MOST_KINDS:
            raise TooManyTiles(
                f"a model can tell {MOST_KINDS} kinds of things apart, and these games have "
                f"{len(self.kinds)}; fit a model for each game"
            )
        return sum(1 << self.kinds.index(kind) for bit, kind in enumerate(kinds) if mask >> bit & 1)

    def number(self, mask: int) -> int:
        found = self.numbers.get(mask)
        if found is not None:
            return found
        if len(self) > MOST_TILES:
            raise TooManyTiles(
                f"a model can tell {MOST_TILES} sorts of cells apart, and this game has more; it "
                "is no game of tiles (ludex vgdl tiles)"
            )
        self.numbers[mask] = len(self)
        self.contents.append(mask)
        return self.numbers[mask]

    def decode(self, numbers: NDArray[np.uint16]) -> Tiles:
        """The grid that stands behind numbers."""
        masks = np.array([0, *self.contents], np.uint64)[numbers]
        return Tiles.of(tuple(self.kinds), masks)

    def content(self, number: int) -> tuple[str, ...]:
        """The kinds that a tile holds."""
        mask = self.contents[number - FIRST_TILE]
        return tuple(kind for bit, kind in enumerate(self.kinds) if mask >> bit & 1)

"""Vocabulary of tiles: an index for every content of a cell.

Indices are given when a content is first seen and never change, so what was learned stays valid.
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
    """A game has more distinct cell contents than a model supports."""


class Vocabulary:
    """The cell contents seen so far, as sets of kinds, each with an index."""

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
        self.numbers = {mask: FIRST_TILE + index for index, mask in enumerate(self.contents)}

    def __len__(self) -> int:
        """The number of indices in use, that of the edge included."""
        return FIRST_TILE + len(self.contents)

    def encode(self, tiles: Tiles) -> NDArray[np.uint16]:
        """The tile indices of all cells, [row, column]; new contents get new indices."""
        masks, indices = np.unique(tiles.array, return_inverse=True)
        shown = [int(mask) if self.encoding == "stack" else tiles.top(int(mask)) for mask in masks]
        own = [self.number(self.as_own(mask, tiles.kinds)) for mask in shown]
        return np.array(own, np.uint16)[indices].reshape(tiles.height, tiles.width)

    def as_own(self, mask: int, kinds: Sequence[str]) -> int:
        """Translate a mask over other kinds into one over this vocabulary's kinds."""
        if kinds == tuple(self.kinds[: len(kinds)]):
            return mask
        for kind in kinds:
            if kind not in self.kinds:
                self.kinds.append(kind)
        if len(self.kinds) > MOST_KINDS:
            raise TooManyTiles(
                f"a model supports {MOST_KINDS} kinds of objects, and these games have "
                f"{len(self.kinds)}; fit a model for each game"
            )
        return sum(1 << self.kinds.index(kind) for bit, kind in enumerate(kinds) if mask >> bit & 1)

    def number(self, mask: int) -> int:
        found = self.numbers.get(mask)
        if found is not None:
            return found
        if len(self) > MOST_TILES:
            raise TooManyTiles(
                f"a model supports {MOST_TILES} distinct cell contents, and this game has more; it "
                "is not a tile game (ludex vgdl tiles)"
            )
        self.numbers[mask] = len(self)
        self.contents.append(mask)
        return self.numbers[mask]

    def decode(self, numbers: NDArray[np.uint16]) -> Tiles:
        """The grid of tile indices."""
        masks = np.array([0, *self.contents], np.uint64)[numbers]
        return Tiles.of(tuple(self.kinds), masks)

    def content(self, number: int) -> tuple[str, ...]:
        """The kinds that a tile holds."""
        mask = self.contents[number - FIRST_TILE]
        return tuple(kind for bit, kind in enumerate(self.kinds) if mask >> bit & 1)

"""How often each member of an ensemble was right, with old records fading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIOR = (
    2.0  # cells' worth of belief in a member's general record, where a tile has little of its own
)


class Standing:
    """Running records: of cells that change, and of cells on which members disagreed."""

    def __init__(self, members: int, fade: float) -> None:
        self.fade = fade
        self.changed = np.zeros((members, 2))
        """of each member: changed cells that it had right, and all of them"""
        self.by_tile: dict[int, NDArray[np.float64]] = {}
        """the same of cells on which they disagreed, by the tile that was there"""

    def add(
        self, was: NDArray[np.uint16], said: NDArray[np.uint16], came: NDArray[np.uint16]
    ) -> None:
        """Take in what each member said, [member, row, column], and what came."""
        self.changed *= self.fade
        for kept in self.by_tile.values():
            kept *= self.fade
        hits = said == came
        moved = (was != came) | (said != was).any(axis=0)
        self.changed[:, 0] += (hits & moved).sum(axis=(1, 2))
        self.changed[:, 1] += moved.sum()
        for row, column in np.argwhere((said != said[0]).any(axis=0)).tolist():
            tile = int(was[row, column])
            kept = self.by_tile.setdefault(tile, np.zeros((len(said), 2)))
            kept[:, 0] += hits[:, row, column]
            kept[:, 1] += 1

    @property
    def running(self) -> list[float]:
        """The share of changed cells that each member had right; all, while none was seen."""
        right, asked = self.changed.T
        return [float(one / all_) if all_ else 1.0 for one, all_ in zip(right, asked, strict=True)]

    @property
    def asked(self) -> list[float]:
        return [float(one) for one in self.changed[:, 1]]

    def trust(self, tile: int) -> NDArray[np.float64]:
        """How often each member was right about such a cell, where they disagreed.

        What is known of this tile counts for itself; the member's record on all tiles, and at
        last an even chance, stand in where there is little.
        """
        every = sum(self.by_tile.values(), np.zeros_like(self.changed))
        general = (every[:, 0] + PRIOR / 2) / (every[:, 1] + PRIOR)
        own = self.by_tile.get(tile, np.zeros_like(self.changed))
        found: NDArray[np.float64] = (own[:, 0] + PRIOR * general) / (own[:, 1] + PRIOR)
        return found

    def pack(self) -> dict[str, NDArray[Any]]:
        """Arrays for a file."""
        tiles = sorted(self.by_tile)
        kept = [self.by_tile[tile] for tile in tiles]
        return {
            "standing.changed": self.changed,
            "standing.tiles": np.array(tiles, np.int64),
            "standing.records": np.array(kept).reshape(len(tiles), *self.changed.shape),
        }

    def unpack(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `pack` wrote; ValueError where it cannot have written that."""
        changed, tiles, records = (
            arrays[f"standing.{name}"] for name in ("changed", "tiles", "records")
        )
        if changed.shape != self.changed.shape or records.shape != (len(tiles), *changed.shape):
            raise ValueError("the records are those of other members")
        self.changed = changed.astype(np.float64)
        self.by_tile = {
            int(tile): kept.astype(np.float64) for tile, kept in zip(tiles, records, strict=True)
        }

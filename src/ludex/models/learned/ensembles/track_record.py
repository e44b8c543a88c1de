"""Track record of ensemble members: their accuracy so far, with exponential decay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIOR = 2.0  # weight, in cells, of a member's overall accuracy as prior for a single tile


class TrackRecord:
    """Decayed counts of correct predictions: of changed cells, and of disputed cells by tile."""

    def __init__(self, members: int, fade: float) -> None:
        self.fade = fade
        self.changed = np.zeros((members, 2))
        """of each member: changed cells predicted correctly, and all changed cells"""
        self.by_tile: dict[int, NDArray[np.float64]] = {}
        """the same of disputed cells, by the tile before the step"""

    def add(
        self, was: NDArray[np.uint16], said: NDArray[np.uint16], came: NDArray[np.uint16]
    ) -> None:
        """Add the predictions of the members, [member, row, column], and what came."""
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
        """The accuracy of each member on changed cells; 1 while there are none."""
        right, asked = self.changed.T
        return [float(one / all_) if all_ else 1.0 for one, all_ in zip(right, asked, strict=True)]

    @property
    def asked(self) -> list[float]:
        return [float(one) for one in self.changed[:, 1]]

    def trust(self, tile: int) -> NDArray[np.float64]:
        """The accuracy of each member on disputed cells with this tile.

        Smoothed towards the member's accuracy on all tiles, which is smoothed towards 0.5.
        """
        every = sum(self.by_tile.values(), np.zeros_like(self.changed))
        general = (every[:, 0] + PRIOR / 2) / (every[:, 1] + PRIOR)
        own = self.by_tile.get(tile, np.zeros_like(self.changed))
        found: NDArray[np.float64] = (own[:, 0] + PRIOR * general) / (own[:, 1] + PRIOR)
        return found

    def pack(self) -> dict[str, NDArray[Any]]:
        """Arrays for a model file."""
        tiles = sorted(self.by_tile)
        kept = [self.by_tile[tile] for tile in tiles]
        return {
            "standing.changed": self.changed,
            "standing.tiles": np.array(tiles, np.int64),
            "standing.records": np.array(kept).reshape(len(tiles), *self.changed.shape),
        }

    def unpack(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Read what `pack` wrote; ValueError if it is invalid."""
        changed, tiles, records = (
            arrays[f"standing.{name}"] for name in ("changed", "tiles", "records")
        )
        if changed.shape != self.changed.shape or records.shape != (len(tiles), *changed.shape):
            raise ValueError("the track record is that of other members")
        self.changed = changed.astype(np.float64)
        self.by_tile = {
            int(tile): kept.astype(np.float64) for tile, kept in zip(tiles, records, strict=True)
        }

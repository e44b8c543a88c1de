"""Unknown sprites of tile games: the picture is cut into tiles, and their patches are clustered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter, LudexError
from ludex.models.learned.pixels.seen import SeenObject

Picture = NDArray[np.uint8]
Tiles = NDArray[np.int64]
"""the index of the patch of every tile, [row, column]"""

MOST_PATCHES = 4096


class TooManyPatches(LudexError):
    """A picture does not consist of tiles."""


def cut(picture: Picture, cell: int) -> Picture:
    """The tiles of a picture, [row, column, pixels * colours]."""
    height, width, colours = picture.shape
    if height % cell or width % cell:
        raise BadParameter(
            f"a picture of {width} x {height} pixels cannot be cut into tiles of {cell} pixels"
        )
    tiles = picture.reshape(height // cell, cell, width // cell, cell, colours)
    return tiles.swapaxes(1, 2).reshape(height // cell, width // cell, cell * cell * colours)


@dataclass
class PatchBook:
    """Every patch that was seen, and the cluster that it belongs to.

    Patches that were seen are looked up. `cluster` groups those that differ by at most `tolerance`
    on average; others keep clusters of their own, so exact patches need no clustering at all. A
    patch that was not there then goes to the nearest cluster.
    """

    cell: int
    tolerance: float = 0.0
    """the largest mean difference within a cluster, over colours from 0 to 255"""
    patches: list[NDArray[np.uint8]] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)
    clusters: list[int] = field(default_factory=list)
    """of the patches that were there when they were clustered"""

    def read(self, picture: Picture) -> Tiles:
        """The patch of every tile; new ones are added."""
        tiles = cut(picture, self.cell)
        rows, columns, _ = tiles.shape
        found = np.empty((rows, columns), np.int64)
        for row in range(rows):
            for column in range(columns):
                found[row, column] = self.number(tiles[row, column])
        return found

    def number(self, patch: NDArray[np.uint8]) -> int:
        key = patch.tobytes()
        known = self.numbers.get(key)
        if known is not None:
            return known
        if len(self.patches) >= MOST_PATCHES:
            raise TooManyPatches(
                f"these pictures have more than {MOST_PATCHES} different tiles of {self.cell} "
                "pixels, so they are not made of tiles; use sprites=known"
            )
        self.numbers[key] = len(self.patches)
        self.patches.append(np.frombuffer(key, np.uint8))
        return self.numbers[key]

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return max(self.clusters, default=-1) + 1

    def cluster(self) -> bool:
        """Cluster the patches seen so far; whether that changed anything.

        Patches that have a cluster keep it; a new one joins the nearest cluster within the
        tolerance, and the others form clusters of their own.
        """
        new = range(len(self.clusters), len(self.patches))
        if not new:
            return False
        joined = {index: near for index in new if (near := self.near(index)) is not None}
        alone = [index for index in new if index not in joined]
        groups = self.groups(alone)
        first = self.count
        for index in new:
            self.clusters.append(joined[index] if index in joined else first + groups[index])
        return True

    def near(self, index: int) -> int | None:
        """The cluster within the tolerance that is nearest to a patch."""
        if not self.tolerance or not self.clusters:
            return None
        cluster, apart = self.nearest(self.patches[index])
        return cluster if apart <= self.tolerance else None

    def groups(self, indices: Sequence[int]) -> dict[int, int]:
        """Groups of patches, numbered from 0 in the order in which they were seen."""
        if not self.tolerance or len(indices) < 2:
            return {index: group for group, index in enumerate(indices)}
        from sklearn.cluster import AgglomerativeClustering

        patches = np.array([self.patches[index] for index in indices], float)
        clusterer = AgglomerativeClustering(
            n_clusters=None,
            metric="manhattan",
            linkage="average",
            distance_threshold=self.tolerance * patches.shape[1],
        )
        labels = clusterer.fit_predict(patches).tolist()
        order = {label: group for group, label in enumerate(dict.fromkeys(labels))}
        return {index: order[label] for index, label in zip(indices, labels, strict=True)}

    def nearest(self, patch: NDArray[np.uint8]) -> tuple[int, float]:
        """The cluster of the clustered patch that is nearest, and the mean difference."""
        known = np.array(self.patches[: len(self.clusters)], np.int16)
        apart = np.abs(known - patch.astype(np.int16)).mean(axis=1)
        index = int(apart.argmin())
        return self.clusters[index], float(apart[index])

    def kinds(self, tiles: Tiles) -> Tiles:
        """The cluster of every tile."""
        table = np.array(
            [
                self.clusters[index]
                if index < len(self.clusters)
                else self.nearest(self.patches[index])[0]
                for index in range(int(tiles.max(initial=-1)) + 1)
            ],
            np.int64,
        )
        return table[tiles]


def objects_of_tiles(kinds: Tiles, cell: int, ground: int) -> list[SeenObject]:
    """A tile that is not ground is an object."""
    return [
        SeenObject(int(kinds[row, column]), column * cell, row * cell, cell, cell)
        for row, column in np.argwhere(kinds != ground).tolist()
    ]


def ground_of(pictures: Sequence[tuple[Tiles, Tiles]]) -> int:
    """The ground, on which objects move: of all tiles that ever change, the most frequent one.

    Walls may be more frequent, but they never change; without any change the most frequent tile is
    the ground.

    Args:
        pictures: The clusters of tiles before and after each step.
    """
    most = max(int(after.max()) for _, after in pictures)
    count = 1 + max(most, max(int(before.max()) for before, _ in pictures))
    total, changed = np.zeros(count, np.int64), np.zeros(count, bool)
    for before, after in pictures:
        total += np.bincount(after.ravel(), minlength=count)
        apart = before != after
        changed[before[apart]] = changed[after[apart]] = True
    return int(np.argmax(np.where(changed, total, -1) if changed.any() else total))

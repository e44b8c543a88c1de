"""Trees of scikit-learn as arrays that native code walks.

All nodes of all trees lie one after the other, the left child right behind its parent. Features
are whole numbers, so a cut can be rounded down without moving a row to the other side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

LOWEST, HIGHEST = -32768, 32767


@dataclass(frozen=True)
class Trees:
    """Nodes of trees and what their leaves hold."""

    features: NDArray[np.int16]
    """-1: a leaf"""
    cuts: NDArray[np.int16]
    rights: NDArray[np.int32]
    """the right child; of a leaf, its number"""
    roots: NDArray[np.int32]
    leaves: NDArray[np.float64]
    """[leaf, value]"""

    @property
    def walk(
        self,
    ) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
        """What native code needs to find the leaf of a row."""
        return self.features, self.cuts, self.rights, self.roots

    def pack(self, name: str) -> dict[str, NDArray[Any]]:
        """The arrays by names of their own, for a file."""
        return {f"{name}.{item.name}": getattr(self, item.name) for item in fields(self)}

    @classmethod
    def unpack(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """What `pack` wrote; None where it wrote nothing."""
        if f"{name}.roots" not in arrays:
            return None
        return cls(*(arrays[f"{name}.{item.name}"] for item in fields(cls)))


def flatten(trees: Sequence[Any]) -> Trees:
    """Put fitted trees (their `tree_`) into arrays."""
    parts: list[tuple[Any, ...]] = []
    nodes = leaves = 0
    roots: list[int] = []
    for tree in trees:
        is_leaf = tree.children_left < 0
        inner = np.flatnonzero(~is_leaf)
        assert (tree.children_left[inner] == inner + 1).all()  # grown depth first
        features = np.where(is_leaf, -1, tree.feature).astype(np.int16)
        cuts = np.clip(np.floor(tree.threshold), LOWEST, HIGHEST)
        numbers = np.cumsum(is_leaf) - 1 + leaves
        rights = np.where(is_leaf, numbers, tree.children_right + nodes)
        parts.append(
            (
                features,
                np.where(is_leaf, 0, cuts).astype(np.int16),
                rights.astype(np.int32),
                tree.value[is_leaf, 0, :].astype(np.float64),
            )
        )
        roots.append(nodes)
        nodes += len(features)
        leaves += int(is_leaf.sum())
    joined = [np.concatenate([part[column] for part in parts]) for column in range(4)]
    return Trees(joined[0], joined[1], joined[2], np.array(roots, np.int32), joined[3])

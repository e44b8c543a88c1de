"""Decision trees of scikit-learn as flat arrays for native code.

The nodes of all trees are concatenated, each left child directly after its parent. Features are
integers, so thresholds are rounded down without changing the result.
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
    """Nodes of one or more trees, and the values of their leaves."""

    features: NDArray[np.int16]
    """-1: a leaf"""
    cuts: NDArray[np.int16]
    rights: NDArray[np.int32]
    """the index of the right child; for a leaf, its row in `leaves`"""
    roots: NDArray[np.int32]
    leaves: NDArray[np.float64]
    """[leaf, value]"""

    @property
    def walk(
        self,
    ) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
        """The arrays that native code needs to find the leaf of a row."""
        return self.features, self.cuts, self.rights, self.roots

    def values(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """The leaf values of rows, averaged over the trees."""
        total = np.zeros((len(rows), self.leaves.shape[1]))
        for root in self.roots.tolist():
            here = np.full(len(rows), root)
            while (inner := np.flatnonzero(self.features[here] >= 0)).size:
                nodes = here[inner]
                is_left = rows[inner, self.features[nodes]] <= self.cuts[nodes]
                here[inner] = np.where(is_left, nodes + 1, self.rights[nodes])
            total += self.leaves[self.rights[here]]
        return total / len(self.roots)

    def pack(self, name: str) -> dict[str, NDArray[Any]]:
        """Named arrays for a model file."""
        return {f"{name}.{item.name}": getattr(self, item.name) for item in fields(self)}

    @classmethod
    def unpack(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """Read what `pack` wrote; None if there is nothing."""
        if f"{name}.roots" not in arrays:
            return None
        return cls(*(arrays[f"{name}.{item.name}"] for item in fields(cls)))


def flatten(trees: Sequence[Any]) -> Trees:
    """Convert fitted trees (their `tree_`, or what is left of it) into arrays."""
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


def chosen_by(feature: int, numbers: Sequence[int], choices: Sequence[Trees]) -> Trees:
    """Join several sets of trees into one that chooses a set by the value of a feature.

    `numbers` are the values, ascending. All sets have the same number of trees and classes.
    """
    joined = TreeBuilder()
    roots = []
    for member in range(len(choices[0].roots)):
        roots.append(len(joined.features))
        joined.add(feature, list(numbers), [single(one, member) for one in choices])
    return Trees(
        np.array(joined.features, np.int16),
        np.array(joined.cuts, np.int16),
        np.array(joined.rights, np.int32),
        np.array(roots, np.int32),
        np.concatenate(joined.leaves),
    )


def single(trees: Trees, member: int) -> Trees:
    """One tree of several, with nodes and leaves numbered from 0."""
    begin = int(trees.roots[member])
    is_last = member + 1 == len(trees.roots)
    end = len(trees.features) if is_last else int(trees.roots[member + 1])
    features, rights = trees.features[begin:end], trees.rights[begin:end]
    is_leaf = features < 0
    first = int(rights[is_leaf].min())
    return Trees(
        features,
        trees.cuts[begin:end],
        np.where(is_leaf, rights - first, rights - begin).astype(np.int32),
        np.zeros(1, np.int32),
        trees.leaves[first : first + int(is_leaf.sum())],
    )


class TreeBuilder:
    """Builder of joined trees: nodes and leaves so far."""

    def __init__(self) -> None:
        self.features: list[int] = []
        self.cuts: list[int] = []
        self.rights: list[int] = []
        self.leaves: list[NDArray[np.float64]] = []
        self.count = 0
        """the number of leaves so far"""

    def add(self, feature: int, numbers: list[int], choices: list[Trees]) -> None:
        """Add a balanced binary search over the numbers that leads to each choice."""
        if len(choices) == 1:
            self.add_tree(choices[0])
            return
        middle = len(choices) // 2
        node = len(self.features)
        self.features.append(feature)
        self.cuts.append(numbers[middle - 1])
        self.rights.append(0)
        self.add(feature, numbers[:middle], choices[:middle])
        self.rights[node] = len(self.features)
        self.add(feature, numbers[middle:], choices[middle:])

    def add_tree(self, tree: Trees) -> None:
        nodes = len(self.features)
        is_leaf = tree.features < 0
        self.features += tree.features.tolist()
        self.cuts += tree.cuts.tolist()
        self.rights += np.where(is_leaf, tree.rights + self.count, tree.rights + nodes).tolist()
        self.leaves.append(tree.leaves)
        self.count += len(tree.leaves)

"""Extremely randomised trees: fitted by scikit-learn, evaluated in native code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.threads import in_order
from ludex.core.errors import LudexError

LOWEST, HIGHEST = -32768, 32767


class NoLearner(LudexError):
    """Learning needs a library that is not installed."""


@dataclass(frozen=True)
class Arrays:
    """A forest as arrays: concatenated inner nodes and leaves of all trees."""

    features: NDArray[np.int16]
    cuts: NDArray[np.int16]
    rights: NDArray[np.int32]
    leaves: NDArray[np.float32]
    roots: NDArray[np.int32]

    @classmethod
    def constant(cls, value: float) -> Arrays:
        """A forest with a constant prediction."""
        nothing, first = np.zeros(1, np.int16), np.zeros(1, np.int32)
        return cls(nothing - np.int16(1), nothing, first, np.array([value], np.float32), first)

    def native(self) -> _native.Forest:
        return _native.Forest(self.features, self.cuts, self.rights, self.leaves, self.roots)

    @property
    def nodes(self) -> int:
        return len(self.features)


def one_tree(seed: int, least: int, features: str | float | None, regression: bool) -> Any:
    """One tree, as the library grows it with the study's settings."""
    try:
        from sklearn import ensemble
    except ImportError:
        raise NoLearner(
            "learning needs scikit-learn; install it with: pip install 'ludex[learning]'"
        ) from None
    kind = ensemble.ExtraTreesRegressor if regression else ensemble.ExtraTreesClassifier
    return kind(n_estimators=1, random_state=seed, min_samples_leaf=least, max_features=features)


def grow(
    rows: NDArray[np.int16],
    wanted: NDArray[Any],
    trees: int,
    seed: int,
    least: int = 1,
    features: str | float | None = "sqrt",
    workers: int = 1,
) -> Arrays:
    """Grow a forest tree by tree, so that few trees are ever held by the library.

    It classifies where `wanted` says yes or no, and estimates numbers otherwise. The library lets
    other threads run while it grows a tree; how many workers there are does not change the forest.
    """
    regression = wanted.dtype != np.bool_
    if not regression and len(np.unique(wanted)) < 2:
        raise LudexError(f"{len(wanted)} rows of one class alone teach nothing; take more")
    parts: list[tuple[Any, ...]] = []
    nodes = leaves = 0
    wide = np.ascontiguousarray(rows, dtype=np.float32)

    def grown(tree: int) -> Any:
        model = one_tree(seed * 1_000 + tree, least, features, regression).fit(wide, wanted)
        return model.estimators_[0].tree_

    for tree in in_order(grown, range(trees), workers):
        parts.append(flattened(tree, nodes, leaves))
        nodes += len(parts[-1][0])
        leaves += len(parts[-1][3])
    return joined(parts)


def joined(parts: list[tuple[Any, ...]]) -> Arrays:
    """The arrays of several trees, one after the other."""
    columns = [np.concatenate([part[column] for part in parts]) for column in range(4)]
    roots = np.cumsum([0, *(len(part[0]) for part in parts[:-1])]).astype(np.int32)
    return Arrays(columns[0], columns[1], columns[2], columns[3], roots)


def flattened(tree: Any, first_node: int, first_leaf: int) -> tuple[Any, ...]:
    """One tree of the library as arrays; its nodes stand depth first, the left child next."""
    leaf = tree.children_left < 0
    features = np.where(leaf, -1, tree.feature).astype(np.int16)
    # Features are whole numbers, so a cut may be rounded down without moving a row.
    cuts = np.clip(np.floor(tree.threshold), LOWEST, HIGHEST)
    cuts = np.where(leaf, 0, cuts).astype(np.int16)
    places = np.cumsum(leaf) - 1 + first_leaf
    rights = np.where(leaf, places, tree.children_right + first_node).astype(np.int32)
    found = tree.value[leaf, 0, :]
    if tree.n_classes[0] == 1:
        values = found[:, 0]  # a mean
    else:
        values = found[:, 1] / found.sum(axis=1)
    return features, cuts, rights, values.astype(np.float32)


def refreshed(forest: Arrays, leaves: NDArray[np.int32], wanted: NDArray[Any]) -> Arrays:
    """The same trees with the mean of new values in each leaf.

    `leaves` has a row for each value: the leaf it falls into, in each tree.
    """
    places = leaves.ravel()
    counts = np.bincount(places, minlength=len(forest.leaves))
    sums = np.bincount(
        places, weights=np.repeat(wanted, leaves.shape[1]), minlength=len(forest.leaves)
    )
    values = np.where(counts > 0, sums / np.maximum(counts, 1), forest.leaves)
    return replace(forest, leaves=values.astype(np.float32))


@dataclass(frozen=True)
class Curves:
    """How a forest ranks rows: a point of both curves for each threshold, from strict to lax."""

    thresholds: NDArray[np.float64]
    fall_out: NDArray[np.float64]
    """bad rows taken, of all bad ones"""
    recall: NDArray[np.float64]
    """good rows taken, of all good ones"""
    precision: NDArray[np.float64]
    """good rows, of those taken"""

    @property
    def roc_area(self) -> float:
        heights = np.concatenate([[0.0], self.recall])
        steps = np.diff(np.concatenate([[0.0], self.fall_out]))
        return round(float(np.sum(steps * (heights[1:] + heights[:-1]) / 2)), 12)

    @property
    def average_precision(self) -> float:
        steps = np.diff(np.concatenate([[0.0], self.recall]))
        return round(float(np.sum(steps * self.precision)), 12)

    def areas(self) -> dict[str, float]:
        return {"roc_auc": self.roc_area, "average_precision": self.average_precision}


def curves(good: NDArray[np.bool_], scores: NDArray[np.float64]) -> Curves:
    """Rank rows by score; rows of equal score are taken together.

    >>> curves(np.array([False, True, True]), np.array([0.1, 0.4, 0.9])).areas()
    {'roc_auc': 1.0, 'average_precision': 1.0}
    """
    order = np.argsort(-scores, kind="stable")
    hits, ranked = good[order], scores[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    true = np.cumsum(hits)[last].astype(float)
    false = (last + 1) - true
    positives, negatives = max(1.0, float(good.sum())), max(1.0, float((~good).sum()))
    return Curves(ranked[last], false / negatives, true / positives, true / (true + false))

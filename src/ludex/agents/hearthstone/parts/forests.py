"""Extremely randomised trees: grown by scikit-learn, kept and asked in native form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import LudexError
from ludex.worlds.hearthstone import _native

LOWEST, HIGHEST = -32768, 32767


class NoLearner(LudexError):
    """Learning needs a library that is not installed."""


@dataclass(frozen=True)
class Arrays:
    """A forest as arrays: inner nodes and leaves of all trees, one after the other."""

    features: NDArray[np.int16]
    cuts: NDArray[np.int16]
    rights: NDArray[np.int32]
    leaves: NDArray[np.float32]
    roots: NDArray[np.int32]

    def native(self) -> _native.Forest:
        return _native.Forest(self.features, self.cuts, self.rights, self.leaves, self.roots)

    @property
    def nodes(self) -> int:
        return len(self.features)


def classifier(seed: int, least: int, features: str | float | None) -> Any:
    """One tree, as the library grows it with the study's settings."""
    try:
        from sklearn.ensemble import ExtraTreesClassifier
    except ImportError:
        raise NoLearner(
            "learning needs scikit-learn; install it with: pip install 'ludex[learning]'"
        ) from None
    return ExtraTreesClassifier(
        n_estimators=1, random_state=seed, min_samples_leaf=least, max_features=features
    )


def grow(
    rows: NDArray[np.int16],
    good: NDArray[np.bool_],
    trees: int,
    seed: int,
    least: int = 1,
    features: str | float | None = "sqrt",
) -> Arrays:
    """Grow a forest tree by tree, so that only one tree is ever held by the library."""
    parts: list[tuple[Any, ...]] = []
    nodes = leaves = 0
    wide = np.ascontiguousarray(rows, dtype=np.float32)
    for tree in range(trees):
        model = classifier(seed * 1_000 + tree, least, features).fit(wide, good)
        parts.append(flattened(model.estimators_[0].tree_, nodes, leaves))
        nodes += len(parts[-1][0])
        leaves += len(parts[-1][3])
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
    votes = tree.value[leaf, 0, :]
    share = votes[:, 1] / votes.sum(axis=1) if votes.shape[1] > 1 else votes[:, 0] * 0
    return features, cuts, rights, share.astype(np.float32)


def areas(good: NDArray[np.bool_], scores: NDArray[np.float64]) -> tuple[float, float]:
    """The areas under the ROC curve and under the precision-recall curve.

    >>> areas(np.array([False, True, True]), np.array([0.1, 0.4, 0.9]))
    (1.0, 1.0)
    """
    order = np.argsort(-scores, kind="stable")
    hits = good[order]
    ranked = scores[order]
    # Rows of equal score are passed together.
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    true = np.cumsum(hits)[last].astype(float)
    false = (last + 1) - true
    positives, negatives = max(1.0, float(good.sum())), max(1.0, float((~good).sum()))
    recall = np.concatenate([[0.0], true / positives])
    fall_out = np.concatenate([[0.0], false / negatives])
    roc = float(np.sum(np.diff(fall_out) * (recall[1:] + recall[:-1]) / 2))
    precision = true / (true + false)
    return round(roc, 12), round(float(np.sum(np.diff(recall) * precision)), 12)

"""Error-based pruning of decision trees (J. R. Quinlan, C4.5, 1993, chapter 4).

A tree that is grown until every leaf is pure repeats chance as if it were a rule: of monsters that
step at random it remembers where each one went. A node becomes a leaf where that would not make
more errors on new data. The errors of a leaf are estimated from above: as many of its cases as
chance could hide with a probability of `CONFIDENCE`. A rare exception without any error is kept; a
branch that only splits what is mixed anyway is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.1  # C4.5 has 0.25, which leaves branches that chance alone made
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PrunedTree:
    """The nodes of a tree in the form of scikit-learn's `tree_`, depth first."""

    children_left: NDArray[np.intp]
    """-1: a leaf"""
    children_right: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    """[node, 0, class]"""


def pruned(tree: Any) -> PrunedTree:
    """Prune a fitted tree (its `tree_`)."""
    is_leaf = leaves_after_pruning(tree)
    kept: list[int] = []
    lefts: list[int] = []
    rights: list[int] = []
    # A right child comes after all that is below the left one.
    waiting: list[tuple[int, int]] = [(0, -1)]  # the node, and whose right child it is
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            rights[parent] = len(kept)
        kept.append(node)
        lefts.append(-1)
        rights.append(-1)
        if not is_leaf[node]:
            lefts[-1] = len(kept)
            waiting.append((int(tree.children_right[node]), len(kept) - 1))
            waiting.append((int(tree.children_left[node]), -1))
    nodes = np.array(kept)
    return PrunedTree(
        np.array(lefts),
        np.array(rights),
        np.where(is_leaf[nodes], -2, tree.feature[nodes]),
        tree.threshold[nodes],
        tree.value[nodes],
    )


def leaves_after_pruning(tree: Any) -> NDArray[np.bool_]:
    """Which nodes are leaves, or become leaves."""
    shares = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
    cases = tree.weighted_n_node_samples
    expected = most_errors(cases * (1 - shares.max(axis=1)), cases)
    is_leaf: NDArray[np.bool_] = tree.children_left < 0
    is_leaf = is_leaf.copy()
    for node in range(len(cases) - 1, -1, -1):  # children come after their parents
        if is_leaf[node]:
            continue
        below = expected[tree.children_left[node]] + expected[tree.children_right[node]]
        is_leaf[node] = expected[node] <= below + ROUNDING
        if not is_leaf[node]:
            expected[node] = below
    return is_leaf


def most_errors(errors: NDArray[np.float64], cases: NDArray[np.float64]) -> NDArray[np.float64]:
    """The errors of leaves on as many new cases, estimated from above.

    It is the upper end of the interval of Clopper and Pearson; C4.5's own table rounds it.

    >>> most_errors(np.array([0.0, 0.0, 1.0]), np.array([1.0, 6.0, 6.0])).round(3).tolist()
    [0.9, 1.912, 3.062]
    """
    from scipy.special import betaincinv

    right = np.maximum(cases - errors, ROUNDING)
    found: NDArray[np.float64] = cases * betaincinv(errors + 1, right, 1 - CONFIDENCE)
    return found

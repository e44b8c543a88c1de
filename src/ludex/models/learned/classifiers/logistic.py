"""Logistic regression on categorical features: one weight per value of a column and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

MOST_ROUNDS = 100
NO_WEIGHTS = np.zeros((0, 1))


@dataclass
class Logistic:
    """Logistic regression on one-hot features; a value never seen has no weight."""

    classes_: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint16))
    columns: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """with `values`: the pairs of a column and a value that have a weight"""
    values: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    weights: NDArray[np.float64] = field(default_factory=lambda: NO_WEIGHTS)
    """[pair, class]; the last row is the intercept"""

    def fit(
        self,
        rows: NDArray[np.uint16],
        after: NDArray[Any],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        from sklearn.linear_model import LogisticRegression

        met = [np.unique(column) for column in rows.T]
        telling = [(index, value) for index, own in enumerate(met) if len(own) > 1 for value in own]
        self.columns = np.array([index for index, _ in telling], np.int32)
        self.values = np.array([value for _, value in telling], np.uint16)
        self.classes_ = np.unique(after)
        self.weights = np.zeros((len(telling) + 1, len(self.classes_)))
        if not telling or len(self.classes_) < 2:
            counts = [float((after == one).sum()) for one in self.classes_]
            self.weights[-1] = np.log(counts)
            return self
        line = LogisticRegression(C=10.0, max_iter=MOST_ROUNDS)
        line.fit(self.marks(rows), after, sample_weight=sample_weight)
        if len(self.classes_) == 2:  # scikit-learn keeps weights of the second class only
            self.weights[:, 1] = np.append(line.coef_[0], line.intercept_)
        else:
            self.weights[:] = np.vstack([line.coef_.T, line.intercept_])
        return self

    def marks(self, rows: NDArray[np.uint16]) -> NDArray[np.float32]:
        """One-hot features: 1 for every pair that a row has."""
        return np.equal(rows[:, self.columns], self.values).astype(np.float32)

    def predict_proba(self, rows: NDArray[np.uint16]) -> NDArray[np.float64]:
        sums = self.marks(rows).astype(np.float64) @ self.weights[:-1] + self.weights[-1]
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        found: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return found

    def check(self, width: int) -> None:
        """Raise ValueError if the weights do not fit rows of so many columns."""
        pairs = len(self.columns)
        if (
            self.columns.shape != self.values.shape
            or self.weights.shape != (pairs + 1, len(self.classes_))
            or (pairs and not 0 <= self.columns.min() <= self.columns.max() < width)
            or not np.isfinite(self.weights).all()
        ):
            raise ValueError("the weights do not fit to the rows")

    def pack(self, name: str) -> dict[str, NDArray[Any]]:
        """Arrays for a model file."""
        return {
            f"{name}.columns": self.columns,
            f"{name}.values": self.values,
            f"{name}.weights": self.weights,
        }

    @classmethod
    def unpack(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """Read what `pack` wrote; None if there is nothing."""
        if f"{name}.weights" not in arrays:
            return None
        parts = [arrays[f"{name}.{part}"] for part in ("classes", "columns", "values", "weights")]
        return cls(*parts)

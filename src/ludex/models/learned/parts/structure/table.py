"""Discrete data, and how often values come together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter


@dataclass(frozen=True, eq=False)
class Table:
    """Unlike rows of small whole numbers, a column for each variable, and how often each came."""

    codes: NDArray[np.int64]
    """[row, variable]: 0 to the size of the variable, which is left out"""
    sizes: tuple[int, ...]
    """how many unlike values each variable takes"""
    times: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[Any], times: NDArray[Any] | None = None) -> Self:
        """Number the values of each column, the smallest first; equal rows are counted."""
        if values.ndim != 2 or 0 in values.shape:
            raise BadParameter(
                f"structure learning needs rows and variables, got data of shape {values.shape}"
            )
        weights = np.ones(len(values)) if times is None else np.asarray(times, np.float64)
        if weights.shape != (len(values),):
            raise BadParameter(
                f"structure learning needs a weight for each of {len(values)} rows, got "
                f"{weights.size}"
            )
        numbered = [np.unique(column, return_inverse=True) for column in values.T]
        codes = np.column_stack([codes for _, codes in numbered]).astype(np.int64)
        unlike, places = np.unique(codes, axis=0, return_inverse=True)
        times = np.bincount(places.ravel(), weights, minlength=len(unlike))
        return cls(unlike, tuple(len(found) for found, _ in numbered), times)

    @property
    def variables(self) -> int:
        return len(self.sizes)

    @cached_property
    def total(self) -> float:
        """Rows, each as often as it came."""
        return float(self.times.sum())

    def joined(self, variables: tuple[int, ...]) -> tuple[NDArray[np.int64], int]:
        """A number for each unlike combination of these variables in a row, and how many exist."""
        if not variables:
            return np.zeros(len(self.codes), np.int64), 1
        first, *rest = variables
        codes, size = self.codes[:, first], self.sizes[first]
        for one in rest:
            codes = codes * self.sizes[one] + self.codes[:, one]
            found, codes = np.unique(codes, return_inverse=True)
            size = len(found)
        return codes, size

    def counts(self, *groups: tuple[NDArray[np.int64], int]) -> NDArray[np.float64]:
        """How often the numbers of groups come together, an axis for each group."""
        place = np.zeros(len(self.codes), np.int64)
        for codes, size in groups:
            place = place * size + codes
        shape = tuple(size for _, size in groups)
        found = np.bincount(place, self.times, minlength=int(np.prod(shape)))
        return found.reshape(shape)

    def column(self, variable: int) -> tuple[NDArray[np.int64], int]:
        return self.codes[:, variable], self.sizes[variable]

"""Discrete data, and how often values come together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter

MOST_NUMBERS = 500  # combinations that are numbered without a look at whether they come up


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
        """Number the values of each column, the smallest first, and count equal rows."""
        plain = cls.numbered(values, times)
        unlike, places = np.unique(plain.codes, axis=0, return_inverse=True)
        folded = np.bincount(places.ravel(), plain.times, minlength=len(unlike)).astype(np.float64)
        return cls(unlike, plain.sizes, folded)

    @classmethod
    def numbered(cls, values: NDArray[Any], times: NDArray[Any] | None = None) -> Self:
        """Number the values of each column, and leave the rows as they are."""
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
        columns = [np.unique(column, return_inverse=True) for column in values.T]
        codes = np.column_stack([codes for _, codes in columns]).astype(np.int64)
        return cls(codes, tuple(len(found) for found, _ in columns), weights)

    def followed_by(self, values: NDArray[Any]) -> Self:
        """The same rows with one more variable, the last."""
        found, codes = np.unique(values, return_inverse=True)
        return type(self)(
            np.column_stack([self.codes, codes]), (*self.sizes, len(found)), self.times
        )

    @property
    def variables(self) -> int:
        return len(self.sizes)

    @cached_property
    def total(self) -> float:
        """Rows, each as often as it came."""
        return float(self.times.sum())

    def joined(self, variables: tuple[int, ...]) -> tuple[NDArray[np.int64], int]:
        """A number for each unlike combination of these variables, and how many numbers there are.

        Where there could be many, only combinations that come up get one.
        """
        codes, size = np.zeros(len(self.codes), np.int64), 1
        for one in variables:
            codes = codes * self.sizes[one] + self.codes[:, one]
            size *= self.sizes[one]
            if size > MOST_NUMBERS:
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
        return found.astype(np.float64).reshape(shape)

    def column(self, variable: int) -> tuple[NDArray[np.int64], int]:
        return self.codes[:, variable], self.sizes[variable]

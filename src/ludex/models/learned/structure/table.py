"""Discrete data as weighted rows, and contingency tables of its variables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter

MOST_NUMBERS = 500  # combinations that are numbered without checking which occur


@dataclass(frozen=True, eq=False)
class CountTable:
    """Distinct rows of discrete data, one column per variable, with counts."""

    codes: NDArray[np.int64]
    """[row, variable]: 0 to the size of the variable minus 1"""
    sizes: tuple[int, ...]
    """the number of distinct values of each variable"""
    times: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[Any], times: NDArray[Any] | None = None) -> Self:
        """Number the values of each column, ascending, and merge equal rows."""
        plain = cls.numbered(values, times)
        unlike, indices = np.unique(plain.codes, axis=0, return_inverse=True)
        folded = np.bincount(indices.ravel(), plain.times, minlength=len(unlike)).astype(np.float64)
        return cls(unlike, plain.sizes, folded)

    @classmethod
    def numbered(cls, values: NDArray[Any], times: NDArray[Any] | None = None) -> Self:
        """Number the values of each column, and keep the rows."""
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
        """The same rows with one more variable at the end."""
        found, codes = np.unique(values, return_inverse=True)
        return type(self)(
            np.column_stack([self.codes, codes]), (*self.sizes, len(found)), self.times
        )

    @property
    def variables(self) -> int:
        return len(self.sizes)

    @cached_property
    def total(self) -> float:
        """The total weight of the rows."""
        return float(self.times.sum())

    def joined(self, variables: tuple[int, ...]) -> tuple[NDArray[np.int64], int]:
        """An index for each combination of these variables, and the number of indices.

        If there could be many, only combinations that occur get one.
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
        """The contingency table of groups, one axis for each group."""
        index = np.zeros(len(self.codes), np.int64)
        for codes, size in groups:
            index = index * size + codes
        shape = tuple(size for _, size in groups)
        found = np.bincount(index, self.times, minlength=int(np.prod(shape)))
        return found.astype(np.float64).reshape(shape)

    def column(self, variable: int) -> tuple[NDArray[np.int64], int]:
        return self.codes[:, variable], self.sizes[variable]

"""Hierarchical knowledge base: a classifier of general rules with more specific exceptions.

The most general rule has no condition and predicts the most frequent class. Above it are rules with
one condition, with two, and so on, and on top rules whose conditions are a whole row. A rule is
kept only if it contradicts the more general rules. The most specific rule that holds decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

LONGEST = 3  # the most conditions of a rule that is not a whole row
MOST_SETS = 3000  # of columns per level; levels with more are skipped
FEWEST = 2  # rows that a rule must predict correctly
TRIED = 300  # best candidates of a level in each pass
NO_COLUMN = -1
MOST_KEPT = 2**28  # bytes of groups that are kept between passes
DENSE = 8  # keys per row up to which a table of all keys is quicker than sorting
Premise: TypeAlias = tuple[tuple[int, int], ...]
"""conditions: columns and the values that they must have"""


class ExceptionRule(NamedTuple):
    """A candidate rule that corrects more general ones."""

    gain: float
    """the increase in correctly predicted weight"""
    premise: Premise
    label: int


@dataclass
class RuleHierarchy:
    """A classifier of rules from the most general to the most specific; later rules override.

    Among rules with equally many conditions, the one learned last decides: it is an exception to
    the others.
    """

    classes_: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint16))
    premises: list[Premise] = field(default_factory=list)
    """conditions of the rules; the first rule has none"""
    rows: dict[bytes, int] = field(default_factory=dict)
    """whole rows that are exceptions, with the index of their rule, after the others"""
    width: int = 0
    shares: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    """[rule, class]: class probabilities where the rule decides"""

    # Learning

    def fit(
        self,
        rows: NDArray[np.uint16],
        after: NDArray[Any],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self.classes_, labels = np.unique(after, return_inverse=True)
        times = np.ones(len(rows)) if sample_weight is None else sample_weight
        table = LabelledTable(rows, labels, times, len(self.classes_))
        self.width = rows.shape[1]
        most = int(np.bincount(labels, times).argmax())
        said = np.full(len(rows), most)
        rules: dict[Premise, int] = {(): most}
        for level in range(1, LONGEST + 1):
            table.forget_groups()
            while found := list(table.improvements(level, said)):
                for one in found:
                    rules.pop(one.premise, None)  # it was overridden and comes back
                    rules[one.premise] = one.label
                    said[table.holds(one.premise)] = one.label
        cases = dict(table.exceptions(said))
        self.premises = list(rules)
        self.rows = {row: len(rules) + index for index, row in enumerate(cases)}
        words = np.array([*rules.values(), *cases.values()])
        self.shares = np.zeros((len(words), len(self.classes_)))
        np.add.at(self.shares, (self.decided_by(rows), labels), times)
        # A rule that is overridden everywhere has no counts, only its class.
        unused = self.shares.sum(axis=1) == 0
        self.shares[unused, words[unused]] = 1.0
        self.shares /= self.shares.sum(axis=1, keepdims=True)
        return self

    # Prediction

    def decided_by(self, rows: NDArray[np.uint16]) -> NDArray[np.int64]:
        """The index of the rule that decides each row."""
        found = np.zeros(len(rows), np.int64)
        columns = np.ascontiguousarray(rows.T)
        for number, premise in enumerate(self.premises):
            found[holding(premise, columns)] = number
        if self.rows:
            for index, row in enumerate(np.ascontiguousarray(rows, np.uint16)):
                found[index] = self.rows.get(row.tobytes(), found[index])
        return found

    def predict_proba(self, rows: NDArray[np.uint16]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.shares[self.decided_by(rows)]
        return found

    def whole_row(self, number: int) -> NDArray[np.uint16] | None:
        """The row of a whole-row rule; None for other rules."""
        index = number - len(self.premises)
        return None if index < 0 else np.frombuffer(list(self.rows)[index], np.uint16)

    # Files

    def check(self, width: int) -> None:
        """Raise ValueError if the rules do not fit rows of so many columns."""
        columns = [column for premise in self.premises for column, _ in premise]
        if (
            self.width != width
            or self.shares.shape != (len(self.premises) + len(self.rows), len(self.classes_))
            or not self.premises
            or self.premises[0]
            or any(not 0 <= column < width for column in columns)
            or not np.isfinite(self.shares).all()
        ):
            raise ValueError("the rules do not fit to the rows")

    def pack(self, name: str) -> dict[str, NDArray[Any]]:
        """Arrays for a model file."""
        premises = np.full((len(self.premises), LONGEST, 2), NO_COLUMN, np.int32)
        for number, premise in enumerate(self.premises):
            premises[number, : len(premise)] = np.array(premise, np.int32).reshape(-1, 2)
        rows = np.frombuffer(b"".join(self.rows), np.uint16).reshape(-1, self.width)
        return {f"{name}.premises": premises, f"{name}.rows": rows, f"{name}.shares": self.shares}

    @classmethod
    def unpack(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """Read what `pack` wrote; None if there is nothing."""
        if f"{name}.premises" not in arrays:
            return None
        premises = [
            tuple((column, value) for column, value in one if column != NO_COLUMN)
            for one in arrays[f"{name}.premises"].tolist()
        ]
        rows = np.ascontiguousarray(arrays[f"{name}.rows"], np.uint16)
        numbers = {row.tobytes(): len(premises) + index for index, row in enumerate(rows)}
        shares = arrays[f"{name}.shares"].astype(np.float64)
        return cls(arrays[f"{name}.classes"], premises, numbers, rows.shape[1], shares)


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Rows that are alike in some columns, and the most frequent class of each group."""

    inside: NDArray[np.int32]
    """the group of each row"""
    firsts: NDArray[np.int64]
    """the first row of each group"""
    most: NDArray[np.float64]
    """how often the most frequent class was seen"""
    best: NDArray[np.int64]
    """the most frequent class"""
    right: NDArray[np.float64]
    """how often the current prediction was right"""

    def note_right(self, rows: NDArray[np.int64], difference: NDArray[np.float64]) -> None:
        """Add to what is right in the groups of some rows."""
        self.right[:] += np.bincount(self.inside[rows], difference, len(self.right))


def holding(premise: Premise, columns: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """The rows for which a premise holds, given their columns."""
    found = np.ones(columns.shape[1], bool)
    for column, value in premise:
        found &= columns[column] == value
    return found


def numbered(key: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], int]:
    """Number the different values of keys below a size, in their order; and how many there are.

    >>> found, count = numbered(np.array([7, 2, 7]), 8)
    >>> found.tolist(), count
    ([1, 0, 1], 2)
    """
    if size > DENSE * len(key):
        values, inside = np.unique(key, return_inverse=True)
        return inside, len(values)
    there = np.zeros(size, np.int64)  # no sorting where a table is small enough
    there[key] = 1
    numbers = np.cumsum(there) - 1
    return numbers[key], int(numbers[-1]) + 1


class LabelledTable:
    """Labelled training rows, with the values of each column numbered from 0."""

    def __init__(
        self,
        rows: NDArray[np.uint16],
        labels: NDArray[np.int64],
        times: NDArray[np.float64],
        classes: int,
    ) -> None:
        self.rows, self.labels, self.times, self.classes = rows, labels, times, classes
        self.columns = np.ascontiguousarray(rows.T)
        self.sizes: list[int] = []
        """the number of values of each column"""
        self.codes: list[NDArray[np.int64]] = []
        for column in self.columns:
            codes, size = numbered(column.astype(np.int64), int(column.max(initial=0)) + 1)
            self.sizes.append(size)
            self.codes.append(codes)
        self.telling = [index for index, size in enumerate(self.sizes) if size > 1]
        self.kept: dict[tuple[int, ...], RowGroups] = {}
        self.room = MOST_KEPT
        self.right = np.zeros(len(rows), bool)
        """the rows that were predicted correctly in the last pass"""
        self.adds_exactly = bool((times == np.rint(times)).all())

    def holds(self, premise: Premise) -> NDArray[np.bool_]:
        return holding(premise, self.columns)

    def improvements(self, level: int, said: NDArray[np.int64]) -> Iterator[ExceptionRule]:
        """Rules with so many conditions that improve on the current predictions.

        Greedy: the largest gain first, each evaluated with those before it applied.
        """
        if (said == self.labels).all() or comb(len(self.telling), level) > MOST_SETS:
            return
        self.note_right(said == self.labels)
        found = [
            one for columns in combinations(self.telling, level) for one in self.candidates(columns)
        ]
        found.sort(key=lambda one: (-one.gain, one.premise))
        said = said.copy()
        for one in found[:TRIED]:
            holds = self.holds(one.premise)
            is_right = self.labels[holds] == one.label
            gain = self.times[holds] @ (is_right * 1.0 - (said[holds] == self.labels[holds]))
            if gain > 0 and self.times[holds] @ is_right >= FEWEST:
                said[holds] = one.label
                yield one._replace(gain=float(gain))

    def note_right(self, right: NDArray[np.bool_]) -> None:
        """Bring what is correct in each group up to date: few rows change between passes."""
        changed = np.flatnonzero(right != self.right)
        self.right = right
        if not self.adds_exactly:  # sums of fractions depend on the order
            self.forget_groups()
        difference = np.where(right[changed], self.times[changed], -self.times[changed])
        for groups in self.kept.values():
            groups.note_right(changed, difference)

    def candidates(self, columns: tuple[int, ...]) -> Iterator[ExceptionRule]:
        """For all values of these columns the most frequent class, if it improves."""
        groups = self.groups(columns)
        gains = groups.most - groups.right
        for group in np.flatnonzero((gains > 0) & (groups.most >= FEWEST)).tolist():
            row = self.rows[groups.firsts[group]]
            premise = tuple((column, int(row[column])) for column in columns)
            yield ExceptionRule(float(gains[group]), premise, int(groups.best[group]))

    def groups(self, columns: tuple[int, ...]) -> RowGroups:
        """The rows grouped by these columns; passes over one level ask for the same again."""
        found = self.kept.get(columns)
        if found is None:
            found = self.grouped(columns)
            if self.room >= found.inside.nbytes:
                self.room -= found.inside.nbytes
                self.kept[columns] = found
        return found

    def grouped(self, columns: tuple[int, ...]) -> RowGroups:
        key = np.zeros(len(self.rows), np.int64)
        size = 1
        for column in columns:
            key = key * self.sizes[column] + self.codes[column]
            size *= self.sizes[column]
        inside, count = numbered(key, size)
        counts = np.bincount(
            inside * self.classes + self.labels, self.times, count * self.classes
        ).reshape(count, self.classes)
        right = np.bincount(inside, self.times * self.right, count).astype(np.float64)
        firsts = np.empty(count, np.int64)
        firsts[inside[::-1]] = np.arange(len(inside))[::-1]  # of several, the last is written
        best = counts.argmax(axis=1)
        return RowGroups(inside.astype(np.int32), firsts, counts.max(axis=1), best, right)

    def forget_groups(self) -> None:
        """Make room for those of another level."""
        self.kept.clear()
        self.room = MOST_KEPT

    def exceptions(self, said: NDArray[np.int64]) -> Iterator[tuple[bytes, int]]:
        """Whole rows whose most frequent class differs from the prediction."""
        chosen = self.like(said != self.labels)
        if not len(chosen):
            return
        unlike, inside = np.unique(self.rows[chosen], axis=0, return_inverse=True)
        inside = inside.ravel()
        counts = np.zeros((len(unlike), self.classes))
        np.add.at(counts, (inside, self.labels[chosen]), self.times[chosen])
        told = np.zeros(len(unlike), np.int64)
        told[inside] = said[chosen]
        best = counts.argmax(axis=1)
        indices = np.arange(len(unlike))
        for index in np.flatnonzero(counts[indices, best] > counts[indices, told]).tolist():
            yield np.ascontiguousarray(unlike[index], np.uint16).tobytes(), int(best[index])

    def like(self, wrong: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The rows that equal a wrongly predicted one, and perhaps others with the same hash."""
        factors = np.random.default_rng(0).integers(1, 2**63, len(self.columns), np.uint64) | 1
        hashes = np.zeros(len(self.rows), np.uint64)
        for column, factor in zip(self.columns, factors, strict=True):
            hashes += column.astype(np.uint64) * factor  # wraps around
        return np.flatnonzero(np.isin(hashes, hashes[wrong]))

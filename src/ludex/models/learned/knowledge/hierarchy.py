"""A hierarchical knowledge base: general rules, and exceptions to them that are more specific.

The most general rule has no condition, and says what is most frequent. Above it are rules with
one condition, with two, and so on, and on top rules whose conditions are a whole row. A rule is
kept only where it contradicts what the rules below it say. The most specific rule that holds
decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

LONGEST = 3  # conditions of a rule that is no whole row
MOST_SETS = 3000  # of columns that conditions of one level may be about
FEWEST = 2  # rows that a rule with few conditions must be right about
TRIED = 300  # candidates of a level, the best ones, each time it is looked at
NO_COLUMN = -1
Premise: TypeAlias = tuple[tuple[int, int], ...]
"""columns and the values that they must have"""


class Exceptional(NamedTuple):
    """A rule that would be right where those below it are wrong."""

    gain: float
    """how much more is right with it"""
    premise: Premise
    label: int


@dataclass
class Hierarchy:
    """Rules from the most general to the most specific; what was learned later overrides.

    Among rules with as many conditions, the one learned last decides: it is an exception to the
    others.
    """

    classes_: NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.uint16))
    premises: list[Premise] = field(default_factory=list)
    """of rules with few conditions; the first has none"""
    rows: dict[bytes, int] = field(default_factory=dict)
    """whole rows that are exceptions, with the number of their rule, behind the others"""
    width: int = 0
    shares: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    """[rule, class]: how often each class followed where the rule decides"""

    # Learning

    def fit(
        self,
        rows: NDArray[np.uint16],
        after: NDArray[Any],
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        self.classes_, labels = np.unique(after, return_inverse=True)
        times = np.ones(len(rows)) if sample_weight is None else sample_weight
        table = Table(rows, labels, times, len(self.classes_))
        self.width = rows.shape[1]
        most = int(np.bincount(labels, times).argmax())
        said = np.full(len(rows), most)
        rules: dict[Premise, int] = {(): most}
        for level in range(1, LONGEST + 1):
            while found := list(table.improvements(level, said)):
                for one in found:
                    rules.pop(one.premise, None)  # one that was overridden and comes back
                    rules[one.premise] = one.label
                    said[table.holds(one.premise)] = one.label
        cases = dict(table.exceptions(said))
        self.premises = list(rules)
        self.rows = {row: len(rules) + place for place, row in enumerate(cases)}
        words = np.array([*rules.values(), *cases.values()])
        self.shares = np.zeros((len(words), len(self.classes_)))
        np.add.at(self.shares, (self.decided_by(rows), labels), times)
        # A rule that others override wherever it held has its word left, and no numbers.
        unused = self.shares.sum(axis=1) == 0
        self.shares[unused, words[unused]] = 1.0
        self.shares /= self.shares.sum(axis=1, keepdims=True)
        return self

    # Asking

    def decided_by(self, rows: NDArray[np.uint16]) -> NDArray[np.int64]:
        """The number of the rule that decides about each row."""
        found = np.zeros(len(rows), np.int64)
        for number, premise in enumerate(self.premises):
            holds = np.ones(len(rows), bool)
            for column, value in premise:
                holds &= rows[:, column] == value
            found[holds] = number
        if self.rows:
            for place, row in enumerate(np.ascontiguousarray(rows, np.uint16)):
                found[place] = self.rows.get(row.tobytes(), found[place])
        return found

    def predict_proba(self, rows: NDArray[np.uint16]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.shares[self.decided_by(rows)]
        return found

    def whole_row(self, number: int) -> NDArray[np.uint16] | None:
        """The row that a rule is about, where it is about one."""
        place = number - len(self.premises)
        return None if place < 0 else np.frombuffer(list(self.rows)[place], np.uint16)

    # Files

    def check(self, width: int) -> None:
        """Refuse what cannot be asked about rows of so many columns."""
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
        """Arrays for a file."""
        premises = np.full((len(self.premises), LONGEST, 2), NO_COLUMN, np.int32)
        for number, premise in enumerate(self.premises):
            premises[number, : len(premise)] = np.array(premise, np.int32).reshape(-1, 2)
        rows = np.frombuffer(b"".join(self.rows), np.uint16).reshape(-1, self.width)
        return {f"{name}.premises": premises, f"{name}.rows": rows, f"{name}.shares": self.shares}

    @classmethod
    def unpack(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self | None:
        """What `pack` wrote; None where it wrote nothing."""
        if f"{name}.premises" not in arrays:
            return None
        premises = [
            tuple((column, value) for column, value in one if column != NO_COLUMN)
            for one in arrays[f"{name}.premises"].tolist()
        ]
        rows = np.ascontiguousarray(arrays[f"{name}.rows"], np.uint16)
        numbers = {row.tobytes(): len(premises) + place for place, row in enumerate(rows)}
        shares = arrays[f"{name}.shares"].astype(np.float64)
        return cls(arrays[f"{name}.classes"], premises, numbers, rows.shape[1], shares)


class Table:
    """Rows and what followed, with the values of each column numbered from 0."""

    def __init__(
        self,
        rows: NDArray[np.uint16],
        labels: NDArray[np.int64],
        times: NDArray[np.float64],
        classes: int,
    ) -> None:
        self.rows, self.labels, self.times, self.classes = rows, labels, times, classes
        self.values: list[NDArray[np.uint16]] = []
        self.codes: list[NDArray[np.int64]] = []
        for column in rows.T:
            values, codes = np.unique(column, return_inverse=True)
            self.values.append(values)
            self.codes.append(codes)
        self.telling = [place for place, own in enumerate(self.values) if len(own) > 1]

    def holds(self, premise: Premise) -> NDArray[np.bool_]:
        found = np.ones(len(self.rows), bool)
        for column, value in premise:
            found &= self.rows[:, column] == value
        return found

    def improvements(self, level: int, said: NDArray[np.int64]) -> Iterator[Exceptional]:
        """Rules with so many conditions that are right more often than what is said so far.

        Those that gain most come first, and each is weighed with those before it in place.
        """
        if (said == self.labels).all() or comb(len(self.telling), level) > MOST_SETS:
            return
        found = [
            one
            for columns in combinations(self.telling, level)
            for one in self.candidates(columns, said)
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

    def candidates(self, columns: Sequence[int], said: NDArray[np.int64]) -> Iterator[Exceptional]:
        """For all values of these columns the most frequent class, where more is right with it."""
        key = np.zeros(len(self.rows), np.int64)
        for column in columns:
            key = key * len(self.values[column]) + self.codes[column]
        groups, inside = np.unique(key, return_inverse=True)
        counts = np.bincount(
            inside * self.classes + self.labels, self.times, len(groups) * self.classes
        ).reshape(len(groups), self.classes)
        right = np.bincount(inside, self.times * (said == self.labels), len(groups))
        gains = counts.max(axis=1) - right
        _, firsts = np.unique(inside, return_index=True)
        for group in np.flatnonzero((gains > 0) & (counts.max(axis=1) >= FEWEST)).tolist():
            row = self.rows[firsts[group]]
            premise = tuple((column, int(row[column])) for column in columns)
            yield Exceptional(float(gains[group]), premise, int(counts[group].argmax()))

    def exceptions(self, said: NDArray[np.int64]) -> Iterator[tuple[bytes, int]]:
        """Whole rows after which something else is most frequent than what is said of them."""
        unlike, inside = np.unique(self.rows, axis=0, return_inverse=True)
        inside = inside.ravel()
        counts = np.zeros((len(unlike), self.classes))
        np.add.at(counts, (inside, self.labels), self.times)
        told = np.zeros(len(unlike), np.int64)
        told[inside] = said
        best = counts.argmax(axis=1)
        places = np.arange(len(unlike))
        for place in np.flatnonzero(counts[places, best] > counts[places, told]).tolist():
            yield np.ascontiguousarray(unlike[place], np.uint16).tobytes(), int(best[place])

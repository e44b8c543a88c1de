"""Conditional independence tests: the G test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import prod

from scipy.special import chdtrc, xlogy

from ludex.models.learned.structure.table import CountTable


@dataclass(frozen=True, slots=True, order=True)
class Association:
    """Strength of an association: the smaller the p-value, the stronger."""

    unlikelihood: float
    """minus the p-value"""
    statistic: float
    """breaks ties of p-values that underflow to 0"""

    @property
    def p(self) -> float:
        return -self.unlikelihood


class GTest:
    """Tests of conditional independence, cached; `made` counts those that were computed.

    G is twice the sample size times the conditional mutual information. Under independence it is
    chi-square distributed; its degrees of freedom are the product of (size - 1) of both variables,
    times the number of combinations of the conditioning set.
    """

    def __init__(self, table: CountTable, significance: float) -> None:
        self.table = table
        self.significance = significance
        self.made = 0
        self._known: dict[tuple[frozenset[int], frozenset[int]], Association] = {}

    def association(self, one: int, other: int, given: Iterable[int] = ()) -> Association:
        key = frozenset((one, other)), frozenset(given)
        if key not in self._known:
            self.made += 1
            self._known[key] = self._work_out(one, other, tuple(sorted(key[1])))
        return self._known[key]

    def _work_out(self, one: int, other: int, given: tuple[int, ...]) -> Association:
        table = self.table
        counts = table.counts(table.joined(given), table.column(one), table.column(other))
        sums = (
            xlogy(part, part).sum()
            for part in (counts, counts.sum(axis=(1, 2)), counts.sum(axis=2), counts.sum(axis=1))
        )
        all_, known, first, second = sums
        statistic = max(0.0, 2.0 * float(all_ + known - first - second))
        freedom = (table.sizes[one] - 1) * (table.sizes[other] - 1)
        freedom *= prod(table.sizes[variable] for variable in given)
        p = float(chdtrc(freedom, statistic)) if freedom else 1.0
        return Association(-p, statistic)

    def are_dependent(self, one: int, other: int, given: Iterable[int] = ()) -> bool:
        return self.association(one, other, given).p < self.significance

    def separator(
        self, one: int, other: int, pool: Sequence[int], most: int, with_: Sequence[int] = ()
    ) -> frozenset[int] | None:
        """The first separating set from the pool, small ones first.

        All of `with_` belong to it; None if no set of at most `most` variables separates the two.
        """
        for given in subsets(pool, most - len(with_)):
            known = frozenset((*with_, *given))
            if not self.are_dependent(one, other, known):
                return known
        return None


def subsets(pool: Sequence[int], most: int) -> Iterable[tuple[int, ...]]:
    """All subsets of at most a size, small ones first.

    >>> list(subsets([4, 7], 2))
    [(), (4,), (7,), (4, 7)]
    """
    sizes = range(min(most, len(pool)) + 1) if most >= 0 else ()
    return chain.from_iterable(combinations(pool, size) for size in sizes)


def strongest_first(found: dict[int, Association]) -> list[int]:
    """Variables by strength of association, ties by index."""
    return sorted(found, key=lambda one: (found[one].p, -found[one].statistic, one))

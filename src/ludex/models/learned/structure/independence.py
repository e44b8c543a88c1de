"""Whether two variables tell anything about each other, others being known: the G test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import prod

from scipy.special import chdtrc, xlogy

from ludex.models.learned.structure.table import Table


@dataclass(frozen=True, slots=True, order=True)
class Association:
    """How strongly two variables are bound: the less likely by chance, the stronger."""

    unlikelihood: float
    """minus the p-value"""
    statistic: float
    """decides among those whose p-values are both 0 to a computer"""

    @property
    def p(self) -> float:
        return -self.unlikelihood


class GTest:
    """Tests of conditional independence; `made` counts those that had to be worked out.

    G is twice the sample size times the conditional mutual information. Under independence it is
    a chi-square with (sizes - 1) multiplied, times all combinations of what is known.
    """

    def __init__(self, table: Table, significance: float) -> None:
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
        """The first variables of the pool, few before many, that make the two independent.

        All of `with_` are among them; None where no set of at most `most` does it.
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
    """Variables by how strongly they are bound; of equal ones, the first."""
    return sorted(found, key=lambda one: (found[one].p, -found[one].statistic, one))

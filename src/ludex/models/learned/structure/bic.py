"""Bayesian information criterion (BIC) of a network structure; larger is better."""

from __future__ import annotations

from collections.abc import Iterable
from math import log, prod

import numpy as np
from scipy.special import xlogy

from ludex.models.learned.structure.table import CountTable


class Bic:
    """BIC scores: log-likelihood minus log(rows) / 2 for each free parameter.

    Local scores are cached; `made` counts those that were computed.
    """

    def __init__(self, table: CountTable) -> None:
        self.table = table
        self.made = 0
        self._known: dict[tuple[int, frozenset[int]], float] = {}

    def local(self, child: int, parents: Iterable[int]) -> float:
        key = child, frozenset(parents)
        if key not in self._known:
            self.made += 1
            self._known[key] = self._work_out(child, tuple(sorted(key[1])))
        return self._known[key]

    def _work_out(self, child: int, parents: tuple[int, ...]) -> float:
        table = self.table
        counts = table.counts(table.joined(parents), table.column(child))
        fit = float(xlogy(counts, counts).sum() - xlogy(*[counts.sum(axis=1)] * 2).sum())
        parameters = prod(table.sizes[one] for one in parents) * (table.sizes[child] - 1)
        return fit - 0.5 * log(table.total) * parameters

    def of(self, edges: Iterable[tuple[int, int]]) -> float:
        """The score of a whole network."""
        parents: list[list[int]] = [[] for _ in range(self.table.variables)]
        for parent, child in edges:
            parents[child].append(parent)
        return float(np.sum([self.local(child, found) for child, found in enumerate(parents)]))

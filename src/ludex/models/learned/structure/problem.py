"""Structure learning problem: data, allowed edges, settings, score and tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ludex.core.errors import BadParameter
from ludex.models.learned.structure.bic import Bic
from ludex.models.learned.structure.graph import Allowed, Network, free
from ludex.models.learned.structure.independence import GTest
from ludex.models.learned.structure.table import CountTable


@dataclass(frozen=True, slots=True)
class StructureSettings:
    """Settings of the structure learning algorithms."""

    significance: float = 0.05
    """variables with smaller p-values count as dependent"""
    conditioning: int = 3
    """the largest conditioning set of a test, where subsets are tried"""
    memory: int = 10
    """the length of the tabu list, and the steps of a tabu search without a gain"""
    most_parents: int = 8
    restarts: int = 0
    """random restarts of hill climbing near the best network"""
    seed: int = 0
    """the seed of the restarts"""


@dataclass(eq=False)
class StructureProblem:
    """Data, the edges that may be learned, and the scores and tests so far."""

    table: CountTable
    allowed: Allowed | None = None
    """None: any"""
    settings: StructureSettings = StructureSettings()
    bic: Bic = field(init=False)
    tests: GTest = field(init=False)
    edges: Allowed = field(init=False)

    def __post_init__(self) -> None:
        size = self.table.variables
        if self.allowed is not None and self.allowed.shape != (size, size):
            raise BadParameter(
                f"allowed edges among {size} variables must be a square matrix, got shape "
                f"{self.allowed.shape}"
            )
        self.edges = free(size) if self.allowed is None else self.allowed & free(size)
        self.bic = Bic(self.table)
        self.tests = GTest(self.table, self.settings.significance)

    @property
    def work(self) -> int:
        """The number of scores and tests computed."""
        return self.bic.made + self.tests.made

    def candidates(self, variable: int) -> list[int]:
        """Variables that an allowed edge may connect, in either direction."""
        return np.flatnonzero(self.edges[:, variable] | self.edges[variable]).tolist()

    def restricted(self, skeleton: frozenset[frozenset[int]]) -> Allowed:
        """The allowed edges within a skeleton."""
        along = np.zeros_like(self.edges)
        for u, v in skeleton:
            along[u, v] = along[v, u] = True
        return self.edges & along


Algorithm: TypeAlias = Callable[[StructureProblem], Network]

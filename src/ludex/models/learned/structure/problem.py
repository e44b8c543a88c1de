"""What structure learning is given, whatever the algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ludex.core.errors import BadParameter
from ludex.models.learned.structure.bic import Bic
from ludex.models.learned.structure.graph import Allowed, Network, free
from ludex.models.learned.structure.independence import GTest
from ludex.models.learned.structure.table import Table


@dataclass(frozen=True, slots=True)
class Settings:
    """Numbers that the algorithms share."""

    significance: float = 0.05
    """p-values below it mean dependence"""
    conditioning: int = 3
    """the most variables that are known in a test, where sets of them are tried"""
    memory: int = 10
    """networks that a tabu search does not go back to, and steps it goes on without a gain"""
    most_parents: int = 8
    restarts: int = 0
    """times that hill climbing starts again from a network near the best one"""
    seed: int = 0
    """of the changes that are made to it"""


@dataclass(eq=False)
class Problem:
    """Data, the edges that may be learned, and the work done so far."""

    table: Table
    allowed: Allowed | None = None
    """None: any"""
    settings: Settings = Settings()
    bic: Bic = field(init=False)
    tests: GTest = field(init=False)
    edges: Allowed = field(init=False)

    def __post_init__(self) -> None:
        size = self.table.variables
        if self.allowed is not None and self.allowed.shape != (size, size):
            raise BadParameter(
                f"edges among {size} variables are allowed by a square of them, got one of shape "
                f"{self.allowed.shape}"
            )
        self.edges = free(size) if self.allowed is None else self.allowed & free(size)
        self.bic = Bic(self.table)
        self.tests = GTest(self.table, self.settings.significance)

    @property
    def work(self) -> int:
        """Scores and tests that were worked out."""
        return self.bic.made + self.tests.made

    def candidates(self, variable: int) -> list[int]:
        """Those that an edge may bind to the variable, either way."""
        return np.flatnonzero(self.edges[:, variable] | self.edges[variable]).tolist()

    def restricted(self, skeleton: frozenset[frozenset[int]]) -> Allowed:
        """The edges that may be learned along a skeleton."""
        along = np.zeros_like(self.edges)
        for u, v in skeleton:
            along[u, v] = along[v, u] = True
        return self.edges & along


Algorithm: TypeAlias = Callable[[Problem], Network]

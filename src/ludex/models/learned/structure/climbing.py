"""Score-based structure learning: hill climbing and tabu search.

Both start without edges and change one edge at a time: add, remove or reverse, whatever gains most.
After a change only the gains of the affected children are computed again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned.structure.graph import Allowed, Edge, Network, is_reachable
from ludex.models.learned.structure.problem import StructureProblem

LEAST_GAIN = 1e-9  # smaller gains are rounding errors
SHAKEN = 8  # edges changed at random before climbing again


class Climb:
    """A network under greedy search, with the gain of each change of an edge."""

    def __init__(
        self,
        problem: StructureProblem,
        allowed: Allowed | None = None,
        edges: Collection[Edge] = frozenset(),
    ) -> None:
        self.problem = problem
        self.allowed = problem.edges if allowed is None else allowed
        size = problem.table.variables
        self.edges: set[Edge] = set(edges)
        self.gains: NDArray[np.float64] = np.full((size, size), -np.inf)
        """[u, v]: gain of toggling the edge from u to v"""
        for child in range(size):
            self.update_gains(child)

    def parents(self, child: int) -> set[int]:
        return {u for u, v in self.edges if v == child}

    def update_gains(self, child: int) -> None:
        """Compute the gain of toggling each edge into a child."""
        parents, bic = self.parents(child), self.problem.bic
        is_full = len(parents) >= self.problem.settings.most_parents
        now = bic.local(child, parents)
        self.gains[:, child] = -np.inf
        for one in np.flatnonzero(self.allowed[:, child]).tolist():
            if one in parents or not is_full:
                self.gains[one, child] = bic.local(child, parents ^ {one}) - now

    def moves(self, least: float) -> Iterator[tuple[float, tuple[Edge, ...]]]:
        """All changes with their gains, the best first; a reversal is two changes."""
        found: list[tuple[float, tuple[Edge, ...]]] = []
        for u, v in np.argwhere(self.gains > -np.inf).tolist():
            found.append((float(self.gains[u, v]), ((u, v),)))
        for u, v in self.edges:
            turned = float(self.gains[u, v] + self.gains[v, u])
            found.append((turned, ((u, v), (v, u))))
        found.sort(key=lambda move: (-move[0], move[1]))
        return (move for move in found if move[0] > least)

    def makes_a_cycle(self, move: tuple[Edge, ...]) -> bool:
        u, v = move[-1]
        if (u, v) in self.edges:
            return False
        return is_reachable(self.edges - set(move), v, u)

    def best(
        self, least: float, banned: Collection[frozenset[Edge]] = ()
    ) -> tuple[float, tuple[Edge, ...]] | None:
        """The best change that makes no cycle and no banned network."""
        return next(
            (
                (gain, move)
                for gain, move in self.moves(least)
                if self.edges ^ set(move) not in banned and not self.makes_a_cycle(move)
            ),
            None,
        )

    def shake(self, dice: np.random.Generator) -> None:
        """Make some random changes."""
        for _ in range(SHAKEN):
            moves = [move for _, move in self.moves(-np.inf) if not self.makes_a_cycle(move)]
            if moves:
                self.change(moves[dice.integers(len(moves))])

    def go_up(self) -> frozenset[Edge]:
        """Hill-climb to a local optimum."""
        while (found := self.best(LEAST_GAIN)) is not None:
            self.change(found[1])
        return frozenset(self.edges)

    def change(self, move: tuple[Edge, ...]) -> None:
        for edge in move:
            self.edges ^= {edge}
        for _, child in move:
            self.update_gains(child)


def hill_climbing(problem: StructureProblem, allowed: Allowed | None = None) -> Network:
    """Greedy hill climbing to a local optimum of BIC.

    With restarts it climbs again from random changes to the best network; the best counts.
    """
    bic, dice = problem.bic, np.random.default_rng(problem.settings.seed)
    best = Climb(problem, allowed).go_up()
    for _ in range(problem.settings.restarts):
        again = Climb(problem, allowed, best)
        again.shake(dice)
        found = again.go_up()
        if bic.of(found) > bic.of(best) + LEAST_GAIN:
            best = found
    return Network(best)


def tabu(problem: StructureProblem, allowed: Allowed | None = None) -> Network:
    """Tabu search: always the best change that leads to no recent network; the best counts.

    It stops after as many steps without a new best as the tabu list is long. Up to the first local
    optimum it equals hill climbing, so it never ends below.
    """
    memory = problem.settings.memory
    climb, recent = Climb(problem, allowed), deque[frozenset[Edge]](maxlen=memory)
    best, best_value, value, idle = frozenset(climb.edges), 0.0, 0.0, 0
    while idle < memory:
        recent.append(frozenset(climb.edges))
        found = climb.best(-np.inf, recent)
        if found is None:
            break
        gain, move = found
        climb.change(move)
        value += gain
        idle += 1
        if value > best_value + LEAST_GAIN:
            best, best_value, idle = frozenset(climb.edges), value, 0
    return Network(best)

"""Structure learning by score: hill climbing, and tabu search, which goes on past the top.

Both start without edges and change one edge at a time: add, remove or turn it round, whatever
gains most. After a change only the gains of the children concerned are worked out again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned.structure.graph import Allowed, Edge, Network, is_reachable
from ludex.models.learned.structure.problem import Problem

LEAST_GAIN = 1e-9  # less is rounding
SHAKEN = 8  # edges changed at random before climbing again


class Climb:
    """A network on its way up."""

    def __init__(
        self,
        problem: Problem,
        allowed: Allowed | None = None,
        edges: Collection[Edge] = frozenset(),
    ) -> None:
        self.problem = problem
        self.allowed = problem.edges if allowed is None else allowed
        size = problem.table.variables
        self.edges: set[Edge] = set(edges)
        self.gains: NDArray[np.float64] = np.full((size, size), -np.inf)
        """[u, v]: of changing the edge from u to v, whether it is there or not"""
        for child in range(size):
            self.look_at(child)

    def parents(self, child: int) -> set[int]:
        return {u for u, v in self.edges if v == child}

    def look_at(self, child: int) -> None:
        """Work out what changing each edge into a child would gain."""
        parents, bic = self.parents(child), self.problem.bic
        is_full = len(parents) >= self.problem.settings.most_parents
        now = bic.local(child, parents)
        self.gains[:, child] = -np.inf
        for one in np.flatnonzero(self.allowed[:, child]).tolist():
            if one in parents or not is_full:
                self.gains[one, child] = bic.local(child, parents ^ {one}) - now

    def moves(self, least: float) -> Iterator[tuple[float, tuple[Edge, ...]]]:
        """What each change gains, the best first; turning round is two changes."""
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
        """The change that gains most, without cycles and networks that are banned."""
        return next(
            (
                (gain, move)
                for gain, move in self.moves(least)
                if self.edges ^ set(move) not in banned and not self.makes_a_cycle(move)
            ),
            None,
        )

    def shake(self, dice: np.random.Generator) -> None:
        """Make some changes at random."""
        for _ in range(SHAKEN):
            moves = [move for _, move in self.moves(-np.inf) if not self.makes_a_cycle(move)]
            if moves:
                self.change(moves[dice.integers(len(moves))])

    def go_up(self) -> frozenset[Edge]:
        """Change what gains most until nothing gains."""
        while (found := self.best(LEAST_GAIN)) is not None:
            self.change(found[1])
        return frozenset(self.edges)

    def change(self, move: tuple[Edge, ...]) -> None:
        for edge in move:
            self.edges ^= {edge}
        for _, child in move:
            self.look_at(child)


def hill_climbing(problem: Problem, allowed: Allowed | None = None) -> Network:
    """Change what gains most until nothing gains.

    Where restarts are asked for, it climbs again from the best top, shaken; the highest counts.
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


def tabu(problem: Problem, allowed: Allowed | None = None) -> Network:
    """Change what gains most, or loses least, but never back to a recent network; the best counts.

    It stops after as many steps without a new best as it remembers networks. Up to the first top
    it goes the way of hill climbing, so it never ends below.
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

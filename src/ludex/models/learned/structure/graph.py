"""Partially directed graphs: edges, undirected links, equivalence classes (Meek's rules)."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Edge: TypeAlias = tuple[int, int]
Link: TypeAlias = frozenset[int]
Allowed: TypeAlias = NDArray[np.bool_]
"""[u, v]: whether an edge from u to v may be learned"""


@dataclass(frozen=True, slots=True)
class Network:
    """A learned structure: directed edges and undirected links."""

    edges: frozenset[Edge] = frozenset()
    """from parent to child"""
    links: frozenset[Link] = frozenset()
    """edges without a direction"""

    @property
    def skeleton(self) -> frozenset[Link]:
        """All edges, without directions."""
        return self.links | {frozenset(edge) for edge in self.edges}

    def parents(self, child: int) -> tuple[int, ...]:
        """Variables that the child may depend on: parents, and undirected neighbours."""
        linked = (one for link in self.links if child in link for one in link - {child})
        return tuple(sorted({*linked, *(u for u, v in self.edges if v == child)}))


def free(variables: int) -> Allowed:
    """All edges between two distinct variables are allowed."""
    allowed = np.ones((variables, variables), bool)
    np.fill_diagonal(allowed, False)
    return allowed


def neighbours(skeleton: Iterable[Link], one: int) -> set[int]:
    return {other for link in skeleton if one in link for other in link - {one}}


def is_reachable(edges: Set[Edge], start: int, goal: int) -> bool:
    """Whether directed edges lead from one variable to another."""
    seen, open_ = {start}, [start]
    while open_:
        here = open_.pop()
        if here == goal:
            return True
        for u, v in edges:
            if u == here and v not in seen:
                seen.add(v)
                open_.append(v)
    return False


def equivalence_class(edges: Iterable[Edge]) -> Network:
    """The Markov equivalence class (CPDAG) of a directed acyclic graph.

    Networks of one class have the same skeleton and colliders and fit any data equally well.

    >>> equivalence_class([(0, 1), (1, 2)]).edges, len(equivalence_class([(0, 2), (1, 2)]).edges)
    (frozenset(), 2)
    """
    whole = frozenset(edges)
    skeleton = frozenset(frozenset(edge) for edge in whole)
    children = {child for _, child in whole}
    colliders = {
        edge
        for child in children
        for u, w in combinations(sorted(u for u, v in whole if v == child), 2)
        if frozenset((u, w)) not in skeleton
        for edge in ((u, child), (w, child))
    }
    return propagated(skeleton, colliders)


def propagated(skeleton: Iterable[Link], known: Iterable[Edge]) -> Network:
    """Direct all links that are forced by colliders and acyclicity (Meek's rules)."""
    edges = set(known)
    whole = frozenset(skeleton)
    links = whole - {frozenset(edge) for edge in edges}
    while True:
        found = next(
            (
                (u, v)
                for link in sorted(links, key=sorted)
                for u, v in (tuple(sorted(link)), tuple(sorted(link, reverse=True)))
                if is_forced(whole, edges, links, u, v)
            ),
            None,
        )
        if found is None:
            return Network(frozenset(edges), frozenset(links))
        edges.add(found)
        links -= {frozenset(found)}


def is_forced(
    skeleton: frozenset[Link], edges: set[Edge], links: frozenset[Link], u: int, v: int
) -> bool:
    """Whether the link between u and v must point to v."""
    into_u = {one for one, child in edges if child == u}
    into_v = {one for one, child in edges if child == v}
    out_of_u = {child for parent, child in edges if parent == u}
    # Rule 1: else u would be a collider. Rule 2: else there would be a cycle.
    if any(frozenset((one, v)) not in skeleton for one in into_u) or out_of_u & into_v:
        return True
    # Rule 3: two unlinked parents of v that u is linked to.
    around = {one for one in into_v if frozenset((one, u)) in links}
    return any(frozenset(pair) not in skeleton for pair in combinations(sorted(around), 2))

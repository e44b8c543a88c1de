"""Constraint-based structure learning: the grow-shrink algorithm.

The Markov blanket of a variable is its parents, children, and the other parents of its children.
From the blankets follow the neighbours, then the colliders, then further directions.
"""

from __future__ import annotations

from itertools import combinations

from ludex.models.learned.structure.graph import (
    Edge,
    Link,
    Network,
    is_reachable,
    neighbours,
    propagated,
)
from ludex.models.learned.structure.independence import strongest_first
from ludex.models.learned.structure.problem import StructureProblem


def blanket(problem: StructureProblem, variable: int) -> list[int]:
    """The Markov blanket: grow until nothing outside is dependent, then drop what is redundant."""
    tests = problem.tests
    order = strongest_first(
        {one: tests.association(variable, one) for one in problem.candidates(variable)}
    )
    found: list[int] = []
    while (more := next_dependent(problem, variable, order, found)) is not None:
        found.append(more)
    for one in list(found):
        rest = [other for other in found if other != one]
        if not tests.are_dependent(variable, one, rest):
            found = rest
    return found


def next_dependent(
    problem: StructureProblem, variable: int, order: list[int], found: list[int]
) -> int | None:
    outside = (one for one in order if one not in found)
    return next((one for one in outside if problem.tests.are_dependent(variable, one, found)), None)


def grow_shrink(problem: StructureProblem) -> Network:
    """Grow-shrink: blankets, neighbours, colliders, and further directions."""
    variables = range(problem.table.variables)
    blankets = [set(blanket(problem, one)) for one in variables]
    skeleton: set[Link] = set()
    separators: dict[Link, frozenset[int]] = {}
    for u, v in combinations(variables, 2):
        if u not in blankets[v] or v not in blankets[u]:
            continue  # blankets are symmetric; where tests disagree, there is no edge
        pool = min(blankets[u] - {v}, blankets[v] - {u}, key=len)
        most = problem.settings.conditioning
        separator = problem.tests.separator(u, v, sorted(pool), most)
        if separator is None:
            skeleton.add(frozenset((u, v)))
        else:
            separators[frozenset((u, v))] = separator
    return directed(problem, frozenset(skeleton), separators)


def directed(
    problem: StructureProblem, skeleton: frozenset[Link], separators: dict[Link, frozenset[int]]
) -> Network:
    """Direct the edges of a skeleton: by what is allowed, by colliders, and by Meek's rules."""
    known: set[Edge] = set()
    for u, v in (sorted(link) for link in sorted(skeleton, key=sorted)):
        if not problem.edges[v, u]:
            known.add((u, v))
        elif not problem.edges[u, v]:
            known.add((v, u))
    for child in range(problem.table.variables):
        for u, w in combinations(sorted(neighbours(skeleton, child)), 2):
            separator = separators.get(frozenset((u, w)))
            if separator is None or child in separator:
                continue  # not each other's blanket, or known to be no collider
            pair = {(u, child), (w, child)}
            if all(can_point(problem, known, edge) for edge in pair):
                known |= pair
    return propagated(skeleton, known)


def can_point(problem: StructureProblem, known: set[Edge], edge: Edge) -> bool:
    """Whether a direction is allowed and consistent with the known edges."""
    u, v = edge
    return bool(problem.edges[u, v]) and edge[::-1] not in known and not is_reachable(known, v, u)

"""Structure learning by neighbours: MMPC and semi-interleaved HITON-PC.

Both find for each variable its parents and children, those that no others make independent of it,
and keep a link where both ends say so. Directions they leave open.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from ludex.models.learned.structure.graph import Network
from ludex.models.learned.structure.independence import (
    Association,
    strongest_first,
    subsets,
)
from ludex.models.learned.structure.problem import Problem


def max_min(problem: Problem, variable: int) -> list[int]:
    """Add, again and again, the candidate whose weakest tie is the strongest.

    Its weakest tie is the least association over all sets of those chosen before; a candidate
    that one set makes independent is out for good.
    """
    tests, most = problem.tests, problem.settings.conditioning
    chosen: list[int] = []
    weakest: dict[int, Association] = {}
    for one in problem.candidates(variable):
        if tests.are_dependent(variable, one):
            weakest[one] = tests.association(variable, one)
    while weakest:
        best = strongest_first(weakest)[0]
        del weakest[best]
        for one in list(weakest) if most else ():
            tie = weakest_tie(problem, variable, one, chosen, best)
            if tie is None:
                del weakest[one]
            else:
                weakest[one] = min(weakest[one], tie)
        chosen.append(best)
    return without_separated(problem, variable, chosen, most)


def weakest_tie(
    problem: Problem, variable: int, one: int, chosen: list[int], newest: int
) -> Association | None:
    """The least association given sets with the newest among them; None where one separates."""
    tests, least = problem.tests, None
    for given in subsets(chosen, problem.settings.conditioning - 1):
        tie = tests.association(variable, one, (newest, *given))
        if tie.p >= tests.significance:
            return None
        least = tie if least is None else min(least, tie)
    return least


def interleaved(problem: Problem, variable: int) -> list[int]:
    """Take candidates by how strongly they are bound; one that a set of those taken separates is
    left out at once.
    """
    tests, most = problem.tests, problem.settings.conditioning
    bound = {
        one: tests.association(variable, one)
        for one in problem.candidates(variable)
        if tests.are_dependent(variable, one)
    }
    chosen: list[int] = []
    for one in strongest_first(bound):
        if tests.separator(variable, one, chosen, most) is None:
            chosen.append(one)
    return without_separated(problem, variable, chosen, most)


def without_separated(problem: Problem, variable: int, chosen: list[int], most: int) -> list[int]:
    """The backward pass: drop, last come first, what a set of the others separates."""
    kept = list(chosen)
    for one in reversed(chosen):
        others = [other for other in kept if other != one]
        if problem.tests.separator(variable, one, others, most) is not None:
            kept = others
    return kept


def agreed(problem: Problem, around: Callable[[Problem, int], list[int]]) -> Network:
    """Links that both ends found; directed where only one way is allowed."""
    found = [set(around(problem, one)) for one in range(problem.table.variables)]
    links, edges = set(), set()
    for u, v in combinations(range(len(found)), 2):
        if v not in found[u] or u not in found[v]:
            continue
        if problem.edges[u, v] and problem.edges[v, u]:
            links.add(frozenset((u, v)))
        else:
            edges.add((u, v) if problem.edges[u, v] else (v, u))
    return Network(frozenset(edges), frozenset(links))


def mmpc(problem: Problem) -> Network:
    """Max-min parents and children."""
    return agreed(problem, max_min)


def hiton_pc(problem: Problem) -> Network:
    """Semi-interleaved HITON-PC."""
    return agreed(problem, interleaved)

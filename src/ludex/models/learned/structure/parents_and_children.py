"""Local structure learning: MMPC and semi-interleaved HITON-PC.

Both find the parents and children of each variable, which no conditioning set separates from it,
and keep a link if both ends find it. Directions are left open.
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
from ludex.models.learned.structure.problem import StructureProblem


def max_min(problem: StructureProblem, variable: int) -> list[int]:
    """MMPC: repeatedly add the candidate with the largest minimal association.

    The minimum is over all conditioning sets of variables chosen before; a candidate that one set
    separates is dropped for good.
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
    problem: StructureProblem, variable: int, one: int, chosen: list[int], newest: int
) -> Association | None:
    """The minimal association over sets with the newest variable; None if one separates."""
    tests, least = problem.tests, None
    for given in subsets(chosen, problem.settings.conditioning - 1):
        tie = tests.association(variable, one, (newest, *given))
        if tie.p >= tests.significance:
            return None
        least = tie if least is None else min(least, tie)
    return least


def interleaved(problem: StructureProblem, variable: int) -> list[int]:
    """HITON-PC: take candidates by strength of association, dropping separated ones at once."""
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


def without_separated(
    problem: StructureProblem, variable: int, chosen: list[int], most: int
) -> list[int]:
    """Backward pass: drop variables that a set of the others separates, the newest first."""
    kept = list(chosen)
    for one in reversed(chosen):
        others = [other for other in kept if other != one]
        if problem.tests.separator(variable, one, others, most) is not None:
            kept = others
    return kept


def agreed(
    problem: StructureProblem, around: Callable[[StructureProblem, int], list[int]]
) -> Network:
    """Links found from both ends; directed if only one direction is allowed."""
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


def mmpc(problem: StructureProblem) -> Network:
    """Max-min parents and children."""
    return agreed(problem, max_min)


def hiton_pc(problem: StructureProblem) -> Network:
    """Semi-interleaved HITON-PC."""
    return agreed(problem, interleaved)

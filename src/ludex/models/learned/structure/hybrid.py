"""Hybrid structure learning: tests restrict the skeleton, a score search orients it."""

from __future__ import annotations

from collections.abc import Callable

from ludex.models.learned.structure.climbing import hill_climbing
from ludex.models.learned.structure.graph import Allowed, Network
from ludex.models.learned.structure.grow_shrink import grow_shrink
from ludex.models.learned.structure.parents_and_children import mmpc
from ludex.models.learned.structure.problem import Algorithm, StructureProblem


def rsmax2(
    problem: StructureProblem,
    restrict: Algorithm = grow_shrink,
    maximise: Callable[[StructureProblem, Allowed], Network] = hill_climbing,
) -> Network:
    """RSMAX2: restrict by tests, then maximise the score within the skeleton."""
    return maximise(problem, problem.restricted(restrict(problem).skeleton))


def mmhc(problem: StructureProblem) -> Network:
    """Max-min hill climbing."""
    return rsmax2(problem, mmpc, hill_climbing)

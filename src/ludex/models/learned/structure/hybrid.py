"""Structure learning in two steps: tests leave a skeleton, and a score directs and thins it."""

from __future__ import annotations

from collections.abc import Callable

from ludex.models.learned.structure.climbing import hill_climbing
from ludex.models.learned.structure.graph import Allowed, Network
from ludex.models.learned.structure.grow_shrink import grow_shrink
from ludex.models.learned.structure.parents_and_children import mmpc
from ludex.models.learned.structure.problem import Algorithm, Problem


def rsmax2(
    problem: Problem,
    restrict: Algorithm = grow_shrink,
    maximise: Callable[[Problem, Allowed], Network] = hill_climbing,
) -> Network:
    """Restrict by tests, then maximise the score along the skeleton that is left."""
    return maximise(problem, problem.restricted(restrict(problem).skeleton))


def mmhc(problem: Problem) -> Network:
    """Max-min hill climbing."""
    return rsmax2(problem, mmpc, hill_climbing)

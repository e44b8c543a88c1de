"""The seven structure learning algorithms by name, and learning the inputs of one variable."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from ludex.models.learned.structure.climbing import hill_climbing, tabu
from ludex.models.learned.structure.grow_shrink import blanket, grow_shrink
from ludex.models.learned.structure.hybrid import mmhc, rsmax2
from ludex.models.learned.structure.parents_and_children import (
    hiton_pc,
    interleaved,
    max_min,
    mmpc,
)
from ludex.models.learned.structure.problem import Algorithm, StructureProblem, StructureSettings
from ludex.models.learned.structure.table import CountTable

AlgorithmName: TypeAlias = Literal[
    "hill_climbing", "tabu", "grow_shrink", "mmpc", "hiton_pc", "rsmax2", "mmhc"
]
ALGORITHMS: dict[AlgorithmName, Algorithm] = {
    "hill_climbing": hill_climbing,
    "tabu": tabu,
    "grow_shrink": grow_shrink,
    "mmpc": mmpc,
    "hiton_pc": hiton_pc,
    "rsmax2": rsmax2,
    "mmhc": mmhc,
}
ONE_SIDED = {"grow_shrink": blanket, "mmpc": max_min, "hiton_pc": interleaved}
CLIMBS = {"hill_climbing": hill_climbing, "tabu": tabu}
RESTRICTED_BY = {"rsmax2": blanket, "mmhc": max_min}


def inputs_of_last(
    table: CountTable, algorithm: AlgorithmName, settings: StructureSettings
) -> tuple[tuple[int, ...], int]:
    """The variables that the last one depends on, where all others precede it, and the work done.

    Only edges into the last variable are learned: the network of a transition decomposes into one
    small problem for each next variable.
    """
    target = table.variables - 1
    allowed = np.zeros((target + 1, target + 1), bool)
    allowed[:target, target] = True
    problem = StructureProblem(table, allowed, settings)
    if algorithm in CLIMBS:
        return CLIMBS[algorithm](problem).parents(target), problem.work
    if algorithm in ONE_SIDED:
        return tuple(sorted(ONE_SIDED[algorithm](problem, target))), problem.work
    kept = RESTRICTED_BY[algorithm](problem, target)
    skeleton = frozenset(frozenset((one, target)) for one in kept)
    return hill_climbing(problem, problem.restricted(skeleton)).parents(target), problem.work

"""Random-mutation hill climber: rolling-horizon evolution of a single sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludex.planners.rhea import Rhea


@dataclass(frozen=True, kw_only=True)
class Rmhc(Rhea):
    """Random-mutation hill climber (RMHC): one action sequence, mutated and kept when better.

    This is `rhea(population=1)`, the (1+1) case; all other parameters are those of `rhea`.
    """

    twin: ClassVar[str | None] = "rhea"
    population: int = 1
    """sequences kept at a time; with 1 a mutant takes the place of its parent if it is better"""

"""The rolling-horizon search of the prediction-based search study: one generation of mutants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.planners.parts.breeding import mutate_each, mutate_one
from ludex.planners.parts.rollout import Value
from ludex.planners.parts.sequences import Alphabet, Genome, random_genome
from ludex.planners.random_search import RandomSearch


@dataclass(frozen=True, kw_only=True)
class RheaReference(RandomSearch):
    """RHEA of the prediction-based search study: one generation of a (1,50) evolution strategy.

    The parent itself is not tried, nothing is carried to the next decision, and budget beyond
    the last mutant is left. For evolution in earnest use `rhea`.
    """

    twin: ClassVar[str | None] = "random_search"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        **RandomSearch.LIMITS,
        "mutants": AtLeast(1),
        "mutation_rate": Between(0, 1),
    }

    mutants: int = 50
    """sequences tried in a decision"""
    mutation_rate: float = 0.1
    """the probability that a gene is redrawn, beside the one that always is"""
    value: Value = "score"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""

    @property
    def most(self) -> int:
        return self.mutants

    @property
    def mutant_rate(self) -> float | None:
        return self.mutation_rate

    def drawer(self, alphabets: list[Alphabet], rng: Rng) -> Callable[[], Genome]:
        parent = random_genome(alphabets, rng)

        def mutant() -> Genome:
            child = parent.copy()
            mutate_one(child, alphabets, rng)
            mutate_each(child, alphabets, self.mutation_rate, rng)
            return child

        return mutant

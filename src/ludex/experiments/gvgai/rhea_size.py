"""EXP-3: population size and sequence length of rolling-horizon evolution."""

from __future__ import annotations

from ludex.experiments.collection import Collection
from ludex.experiments.experiment import Arm, Experiment, ExperimentPlan, OrderClaim
from ludex.experiments.gvgai.agents import mcts, random_search, rhea
from ludex.experiments.gvgai.games import twenty
from ludex.experiments.scale import Scale

BUDGET, LARGE_BUDGET = "480calls", "1920calls"
GRIDS: dict[Scale, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "tiny": ((1, 10), (6, 14)),
    "small": ((1, 2, 5, 10, 20), (6, 10, 14, 20)),
    "full": ((1, 2, 5, 7, 10, 13, 20), (6, 8, 10, 12, 14, 16, 20)),
}
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (10, 1, 2),
    "small": (20, 5, 1),
    "full": (20, 5, 20),
}
"""games, levels and repetitions"""


class RheaSize(Experiment):
    """Vanilla rolling-horizon evolution over population and length, 20 games."""

    id = "EXP-3"
    title = "Vanilla rolling-horizon evolution: population and length"
    source = "GVGAI book, section 3.5.1 (no table is printed)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        populations, lengths = GRIDS[scale]
        most, levels, repetitions = SIZES[scale]
        games, notes = twenty(collection, most, levels)
        small, large = populations[0], populations[-1]
        short, long = lengths[0], lengths[-1]

        def arm(population: int, length: int, budget: str = BUDGET) -> Arm:
            large_budget = " 4x" if budget == LARGE_BUDGET else ""
            label = f"RHEA {population}-{length}{large_budget}"
            return Arm(label, rhea(population, length), budget)

        arms = [arm(p, length) for p in populations for length in lengths]
        arms += [
            Arm("RS", random_search(long), BUDGET),
            Arm("MCTS", mcts(), BUDGET),
            arm(10, 14, LARGE_BUDGET),
            Arm("RS 4x", random_search(14), LARGE_BUDGET),
        ]
        return ExperimentPlan(
            arms=tuple(arms),
            games=games,
            repetitions=repetitions,
            claims=(
                OrderClaim(
                    f"wins rise with the population ({large} above {small})",
                    tuple(f"RHEA {large}-{length}" for length in lengths),
                    tuple(f"RHEA {small}-{length}" for length in lengths),
                ),
                OrderClaim(
                    f"wins rise with the length ({long} above {short})",
                    tuple(f"RHEA {p}-{long}" for p in populations),
                    tuple(f"RHEA {p}-{short}" for p in populations),
                ),
                OrderClaim(
                    "random search is as good as evolution with a small population at 480 calls, "
                    "or better",
                    ("RS",),
                    tuple(f"RHEA {small}-{length}" for length in lengths),
                    "no less",
                ),
                OrderClaim(
                    "evolution beats random search at four times the budget",
                    ("RHEA 10-14 4x",),
                    ("RS 4x",),
                ),
                OrderClaim(
                    "a large population beats MCTS on average",
                    tuple(f"RHEA {large}-{length}" for length in lengths),
                    ("MCTS",),
                ),
            ),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 20",
                "the source prints neither grid nor table; the grid is "
                f"P in {populations}, L in {lengths}",
                "elite 1, tournament 2, uniform crossover and one mutated gene, as in sampleRHEA; "
                "the source does not print them",
            ),
        )

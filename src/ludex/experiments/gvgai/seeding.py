"""EXP-5: seeding of rolling-horizon evolution."""

from __future__ import annotations

from ludex.experiments.collection import Collection
from ludex.experiments.experiment import Arm, Experiment, ExperimentPlan, OrderClaim
from ludex.experiments.gvgai.agents import mcts, rhea
from ludex.experiments.gvgai.games import twenty
from ludex.experiments.scale import Scale

BUDGET = "480calls"
CONFIGURATIONS: dict[Scale, tuple[tuple[int, int], ...]] = {
    "tiny": ((2, 8), (10, 14)),
    "small": ((1, 6), (2, 8), (5, 10), (10, 14)),
    "full": ((1, 6), (2, 8), (5, 10), (10, 14)),
}
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (10, 1, 2),
    "small": (20, 5, 2),
    "full": (20, 5, 20),
}


class Seeding(Experiment):
    """Vanilla against one-step and MCTS seeding."""

    id = "EXP-5"
    title = "Population seeding by one-step look-ahead and by MCTS"
    source = "GVGAI book, section 3.5.2 (no table is printed)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        most, levels, repetitions = SIZES[scale]
        games, notes = twenty(collection, most, levels)
        arms: list[Arm] = [Arm("MCTS", mcts(), BUDGET)]
        names: dict[str, list[str]] = {"": [], "one-step": [], "mcts": []}
        for population, length in CONFIGURATIONS[scale]:
            for seeding, labels in names.items():
                labels.append(f"RHEA {population}-{length}{f' {seeding}' if seeding else ''}")
                additions = [seeding] if seeding else []
                arms.append(Arm(labels[-1], rhea(population, length, *additions), BUDGET))
        vanilla, greedy, seeded = (tuple(labels) for labels in names.values())
        return ExperimentPlan(
            arms=tuple(arms),
            games=games,
            repetitions=repetitions,
            claims=(
                OrderClaim("seeding by MCTS is better overall", seeded, vanilla),
                OrderClaim(
                    "seeding by one-step look-ahead is worse in most cases", vanilla, greedy
                ),
            ),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 20",
                "the source names neither its budget nor its configurations here; "
                "480 calls and those of the other additions are taken",
                "significance game by game is left out: there are too few matches of each",
            ),
        )

"""EXP-7: fourteen algorithms on a hundred games."""

from __future__ import annotations

from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Arm,
    EachClaim,
    Experiment,
    ExperimentPlan,
    Figure,
    LevelClaim,
    alone,
)
from ludex.experiments.gvgai.agents import mcts, random_search, rhea
from ludex.experiments.scale import Scale

BUDGET = "900calls"
ROLLOUTS = 5
"""after each sequence in EA-Shift and EA-All; the source found 5 to be best"""
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (8, 1, 1),
    "small": (100, 1, 1),
    "full": (100, 5, 20),
}


class FourteenAlgorithms(Experiment):
    """The agents that the data of win prediction come from."""

    id = "EXP-7"
    title = "Fourteen algorithms on a hundred games"
    source = "GVGAI book, section 4.4.1, table 4.1"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        most, levels, repetitions = SIZES[scale]
        single = collection.single()
        step = max(1, len(single) // most)
        names = single[::step][:most] if most < len(single) else single
        arms = fourteen()
        labels = [arm.label for arm in arms]
        shift = ("2-8-EA-Shift", "10-14-EA-Shift")
        last = ("2-8-RHEA", "90-RS")
        middle = tuple(label for label in labels if label not in (*shift, *last))
        return ExperimentPlan(
            arms=tuple(arms),
            games=collection.games(names, levels),
            repetitions=repetitions,
            claims=(
                EachClaim("EA-Shift with rollouts comes first", (shift,), alone((*middle, *last))),
                EachClaim(
                    "2-8-RHEA and 90-RS are clearly last", alone((*shift, *middle)), alone(last)
                ),
                LevelClaim("about a quarter of all games is won", tuple(labels), 23.0, 5.0),
            ),
            deviations=(
                f"{len(names)} games for one player of {collection.short_name} "
                f"with {levels} of their 5 levels, where the source has 100 it does not list",
                f"matches of each level: {repetitions}, where the source has 20",
                "MCTS runs to its budget of calls: its printed number of iterations cannot hold",
                f"EA-Shift and EA-All play {ROLLOUTS} rollouts after each sequence; "
                "the source does not say how many",
            ),
        )


def fourteen() -> list[Arm]:
    """The agents with their printed wins."""
    arms = [
        Arm("10-RS", random_search(10), BUDGET, Figure(24.33, 2.13)),
        Arm("30-RS", random_search(30), BUDGET, Figure(22.49, 2.02)),
        Arm("90-RS", random_search(90), BUDGET, Figure(16.31, 1.67)),
        Arm("8-MCTS", mcts(8), BUDGET, Figure(23.42, 1.61)),
        Arm("10-MCTS", mcts(10), BUDGET, Figure(24.01, 1.65)),
        Arm("14-MCTS", mcts(14), BUDGET, Figure(24.29, 1.74)),
    ]
    printed = {
        (2, 8): (
            Figure(18.33, 1.77),
            Figure(23.98, 1.73),
            Figure(24.54, 2.00),
            Figure(23.95, 1.98),
        ),
        (10, 14): (
            Figure(23.23, 2.08),
            Figure(23.99, 1.80),
            Figure(26.02, 2.11),
            Figure(22.66, 2.02),
        ),
    }
    for (population, length), (vanilla, seeded, shift, everything) in printed.items():
        name = f"{population}-{length}"
        arms += [
            Arm(f"{name}-RHEA", rhea(population, length), BUDGET, vanilla),
            Arm(f"{name}-EA-MCTS", rhea(population, length, "mcts"), BUDGET, seeded),
            Arm(
                f"{name}-EA-Shift",
                rhea(population, length, "shift", rollouts=ROLLOUTS),
                BUDGET,
                shift,
            ),
            Arm(
                f"{name}-EA-All",
                rhea(population, length, "mcts", "shift", rollouts=ROLLOUTS),
                BUDGET,
                everything,
            ),
        ]
    return arms

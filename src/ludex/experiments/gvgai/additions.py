"""EXP-6: enhancements of rolling-horizon evolution."""

from __future__ import annotations

from ludex.experiments.by_game import PairwiseWins, read_counts
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Arm,
    EachClaim,
    Experiment,
    ExperimentPlan,
    Figure,
    OrderClaim,
)
from ludex.experiments.gvgai.agents import mcts, rhea
from ludex.experiments.gvgai.games import twenty
from ludex.experiments.scale import Scale

BUDGET = "480calls"
CONFIGURATIONS: dict[Scale, tuple[tuple[int, int], ...]] = {
    "tiny": ((10, 14),),
    "small": ((1, 6), (2, 8), (5, 10), (10, 14)),
    "full": ((1, 6), (2, 8), (5, 10), (10, 14)),
}
ROLLOUTS: dict[Scale, tuple[int, ...]] = {"tiny": (5,), "small": (1, 5, 10), "full": (1, 5, 10)}
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (10, 1, 2),
    "small": (20, 2, 1),
    "full": (20, 5, 20),
}
VARIANTS: dict[str, tuple[str, ...]] = {
    "vanilla": (),
    "EA-shift": ("shift",),
    "EA-tree": ("tree",),
    "EA-tree-shift": ("tree", "shift"),
}
BY_MEAN: dict[str, tuple[str, ...]] = {
    "EA-tree by mean": ("tree", "by-mean"),
    "EA-tree-shift by mean": ("tree", "by-mean", "shift"),
}
"""What the source does not have: the tree's action by its mean, not by its upper bound."""

# Table 3.5: configuration, rollouts, variant; wins in per cent and their standard error.
PRINTED = {
    ("1-6", 1, "EA-shift-roll"): Figure(38.35, 2.31),
    ("1-6", 1, "EA-tree-shift-roll"): Figure(38.60, 2.55),
    ("1-6", 5, "EA-shift-roll"): Figure(40.10, 2.51),
    ("1-6", 10, "EA-shift-roll"): Figure(39.35, 2.64),
    ("2-8", 1, "EA-shift-roll"): Figure(40.35, 2.63),
    ("2-8", 5, "EA-shift-roll"): Figure(40.75, 2.46),
    ("2-8", 10, "EA-shift-roll"): Figure(40.20, 2.30),
    ("5-10", 1, "EA-shift-roll"): Figure(43.20, 2.43),
    ("5-10", 5, "EA-shift-roll"): Figure(41.85, 2.42),
    ("5-10", 0, "EA-shift"): Figure(40.05, 2.50),
    ("10-14", 0, "EA-shift"): Figure(39.75, 2.54),
    ("10-14", 1, "EA-shift-roll"): Figure(42.80, 2.44),
    ("10-14", 5, "EA-shift-roll"): Figure(42.05, 2.48),
    ("10-14", 5, "EA-tree-shift-roll"): Figure(42.70, 2.41),
    ("10-14", 10, "EA-shift-roll"): Figure(42.35, 2.53),
}

# Figure 3.8 at 10-14, read off its colours: games in which the row is significantly better than
# the column, by rollouts. The arms are the variants with and without rollouts in turn, then MCTS.
BY_GAME = {
    1: """
- 0 1 0 3 3 2 1 2
0 - 2 1 3 4 3 2 2
2 1 - 0 3 2 0 1 2
4 3 4 - 4 4 3 2 3
0 1 1 0 - 0 0 0 2
0 1 1 0 0 - 0 0 2
1 4 2 0 3 2 - 0 2
3 2 2 0 4 3 2 - 4
4 4 4 3 4 4 2 3 -
""",
    5: """
- 3 1 1 3 3 2 1 2
0 - 1 0 2 2 0 0 2
2 4 - 1 3 3 0 2 2
4 4 5 - 5 5 4 0 5
0 1 1 1 - 1 0 1 2
0 0 1 0 2 - 0 0 2
1 2 2 2 3 3 - 2 2
5 3 5 1 5 5 5 - 5
4 5 4 3 4 5 2 3 -
""",
    10: """
- 2 1 2 3 3 2 1 2
1 - 3 1 4 2 4 1 3
2 3 - 2 3 3 0 1 2
5 4 5 - 6 3 4 3 6
0 2 1 1 - 1 0 2 2
0 1 2 0 3 - 3 0 3
1 2 2 3 3 3 - 3 2
6 3 4 1 6 3 3 - 5
4 4 4 3 4 5 2 4 -
""",
}


class Additions(Experiment):
    """Shift buffer, statistical tree and rollouts in all combinations, beside MCTS."""

    id = "EXP-6"
    title = "Shift buffer, statistical tree and rollouts"
    source = "GVGAI book, section 3.5.2, table 3.5 and figure 3.8"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        most, levels, repetitions = SIZES[scale]
        games, notes = twenty(collection, most, levels)
        arms = [Arm("MCTS", mcts(), BUDGET)]
        by_variant: dict[str, list[str]] = {}
        for population, length in CONFIGURATIONS[scale]:
            for variant, additions in VARIANTS.items():
                for rollouts in (0, *ROLLOUTS[scale]):
                    arm = arm_of(population, length, variant, additions, rollouts)
                    arms.append(arm)
                    by_variant.setdefault(named(variant, rollouts), []).append(arm.label)
        groups = {name: tuple(labels) for name, labels in by_variant.items()}
        arms += [
            arm_of(10, 14, variant, additions, rollouts)
            for variant, additions in BY_MEAN.items()
            for rollouts in (0, 5)
        ]
        shifted = groups["EA-shift"] + groups["EA-shift-roll"]
        plain = groups["vanilla"] + groups["EA-roll"]
        at_five = tuple(label for label in groups["EA-shift-roll"] if "R5" in label)
        return ExperimentPlan(
            arms=tuple(arms),
            games=games,
            repetitions=repetitions,
            claims=(
                OrderClaim(
                    "the shift buffer is better than vanilla", groups["EA-shift"], groups["vanilla"]
                ),
                OrderClaim("with or without rollouts, shifting pays", shifted, plain),
                EachClaim(
                    "EA-shift-roll is the best of all variants",
                    (groups["EA-shift-roll"],),
                    tuple(labels for name, labels in groups.items() if name != "EA-shift-roll"),
                ),
                OrderClaim(
                    "EA-shift-roll with 5 rollouts is at least as good as MCTS",
                    at_five,
                    ("MCTS",),
                    "no less",
                ),
                OrderClaim(
                    "the statistical tree is weak at 10-14",
                    tuple(label for label in groups["vanilla"] if "10-14" in label),
                    tuple(label for label in groups["EA-tree"] if "10-14" in label),
                ),
            ),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 20",
                "480 calls a tick, the budget of the experiment before; the source prints none",
                "with tree and shift buffer, the tree is shifted, too",
                "the tree's action is that of the highest upper bound, as printed; "
                "arms marked `by mean` show what is played without the bonus for rare actions",
                "in figure 3.8 as measured, matches of a game are ordered by win, then score, and "
                "Holm's correction is over the games of a pair; the source prints no correction",
            ),
            pairwise=tuple(by_game(rollouts) for rollouts in ROLLOUTS[scale]),
        )


def named(variant: str, rollouts: int) -> str:
    """The name of a variant with rollouts, as the source writes it.

    >>> named("vanilla", 5), named("EA-tree-shift", 1), named("EA-tree by mean", 5)
    ('EA-roll', 'EA-tree-shift-roll', 'EA-tree-roll by mean')
    """
    if not rollouts:
        return variant
    first, *rest = variant.split(" ", 1)
    return " ".join([f"{'EA' if first == 'vanilla' else first}-roll", *rest])


def by_game(rollouts: int) -> PairwiseWins:
    """Figure 3.8 for one number of rollouts."""
    labels = [
        arm_of(10, 14, variant, additions, some).label
        for variant, additions in VARIANTS.items()
        for some in (0, rollouts)
    ]
    return PairwiseWins(
        f"figure 3.8, 10-14, R = {rollouts}", (*labels, "MCTS"), read_counts(BY_GAME[rollouts])
    )


def arm_of(
    population: int, length: int, variant: str, additions: tuple[str, ...], rollouts: int
) -> Arm:
    configuration, name = f"{population}-{length}", named(variant, rollouts)
    label = f"{configuration} {name}{f' R{rollouts}' if rollouts else ''}"
    agent = rhea(population, length, *additions, rollouts=rollouts)
    return Arm(label, agent, BUDGET, PRINTED.get((configuration, rollouts, name)))

"""EXP-2: whether searching for score and novelty at once beats searching for their mixture."""

from __future__ import annotations

from ludex.experiments.by_game import GameTable, PairwiseWins, read_counts
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Arm,
    Claim,
    EachClaim,
    Experiment,
    ExperimentPlan,
    Figure,
    OrderClaim,
    alone,
)
from ludex.experiments.gvgai.agents import VALUE, mcts
from ludex.experiments.gvgai.first_set import FIRST_SET, first_set
from ludex.experiments.scale import Scale

BUDGET = "50iterations"
SIZES: dict[Scale, tuple[tuple[str, ...], int, int]] = {
    "tiny": (FIRST_SET, 1, 2),
    "small": (FIRST_SET, 5, 10),
    "full": (FIRST_SET, 5, 100),
}
"""games, levels and repetitions"""
SAMPLE, SUM, MIXED, FRONT = ARMS = ("Sample", "Weighted Sum", "Mixed", "MO-MCTS")
AHEAD = ("aliens", "frogs", "missilecommand", "portals", "zelda")
"""games in which MO-MCTS wins significantly more than the sample agent"""
BEST_SCORE = (
    *("aliens", "butterflies", "frogs", "missilecommand", "portals", "survivezombies", "zelda"),
)

# The table of section 3.4.3: wins in per cent.
WON = {
    "aliens": (78.0, 64.0, 67.0, 99.8),
    "boulderdash": (0.25, 0.0, 0.32, 0.4),
    "butterflies": (98.2, 95.0, 98.0, 91.4),
    "chase": (3.2, 0.0, 0.0, 1.8),
    "frogs": (13.6, 11.28, 11.2, 86.4),
    "missilecommand": (36.0, 40.8, 38.0, 55.6),
    "portals": (15.8, 16.4, 14.2, 41.6),
    "sokoban": (24.6, 16.8, 15.6, 15.6),
    "survivezombies": (41.0, 38.0, 42.2, 22.2),
    "zelda": (5.4, 4.2, 7.2, 9.0),
}

# The letters of the same table: games in which the row wins significantly more than the column.
BETTER = """
- 4 3 3
0 - 0 2
0 2 - 2
5 6 5 -
"""


class ManyObjectives(Experiment):
    """Sample MCTS, a weighted sum, a mixed strategy and Pareto fronts, in the first set."""

    id = "EXP-2"
    title = "Multi-objective MCTS: score and novelty"
    source = "GVGAI book, section 3.4.3, table 3.3"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        wanted, levels, repetitions = SIZES[scale]
        games, notes = first_set(collection, wanted, levels)
        labels = {game.label for game in games}
        others = (SAMPLE, SUM, MIXED)
        claims: list[Claim] = [
            EachClaim("MO-MCTS wins most", ((FRONT,),), alone(others)),
            OrderClaim(
                f"MO-MCTS wins more than the sample agent in {', '.join(AHEAD)}",
                (FRONT,),
                (SAMPLE,),
                games=AHEAD,
            ),
            EachClaim(
                "MO-MCTS scores most in seven games",
                ((FRONT,),),
                alone(others),
                games=BEST_SCORE,
                by="score",
            ),
        ]
        if "survivezombies" in labels:
            claims.append(
                OrderClaim(
                    "MO-MCTS loses in survivezombies, where exploring meets more enemies",
                    (SAMPLE,),
                    (FRONT,),
                    games=("survivezombies",),
                )
            )
        return ExperimentPlan(
            arms=(
                Arm(SAMPLE, mcts(), BUDGET, Figure(32.24, 0.67)),
                Arm(SUM, f"weighted_sum_mcts({VALUE})", BUDGET, Figure(29.80, 0.66)),
                Arm(MIXED, f"mixed_strategy_mcts({VALUE})", BUDGET, Figure(30.51, 0.66)),
                Arm(FRONT, f"mo_mcts({VALUE})", BUDGET, Figure(42.38, 0.70)),
            ),
            games=games,
            repetitions=repetitions,
            claims=tuple(claims),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 100",
                "objectives are brought to 0 .. 1 by the range seen in a decision, and fronts keep "
                "at most 100 points; the source is silent on both",
                "game by game, matches are ordered by win, then score, and compared by the test of "
                "Mann and Whitney with Holm's correction over games; the source has Wilcoxon's "
                "test on wins alone, and corrects nothing",
            ),
            by_game=(GameTable("section 3.4.3", ARMS, WON),),
            pairwise=(PairwiseWins("section 3.4.3", ARMS, read_counts(BETTER)),),
        )

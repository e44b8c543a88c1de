"""EXP-1: what evolved rollouts and a knowledge base add to MCTS."""

from __future__ import annotations

from ludex.experiments.by_game import GameTable
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Arm,
    EachClaim,
    Experiment,
    ExperimentPlan,
    Figure,
    OrderClaim,
    alone,
)
from ludex.experiments.gvgai.agents import VALUE, mcts
from ludex.experiments.gvgai.first_set import FIRST_SET, SHORT, first_set
from ludex.experiments.scale import Scale

BUDGET = "900calls"
"""about what the source's 40 ms were: some hundred simulations of ten ticks"""
SIZES: dict[Scale, tuple[tuple[str, ...], int, int]] = {
    "tiny": (SHORT, 1, 1),
    "small": (FIRST_SET, 5, 1),
    "full": (FIRST_SET, 5, 5),
}
"""games, levels and repetitions"""
VANILLA, FAST_EVO, KNOWING, BOTH = ARMS = ("Vanilla", "Fast-Evo", "KB MCTS", "KB Fast-Evo")

# Table 3.1: wins in per cent.
WON = {
    "aliens": (100.0, 100.0, 100.0, 100.0),
    "boulderdash": (0.0, 4.0, 28.0, 16.0),
    "butterflies": (88.0, 96.0, 80.0, 100.0),
    "chase": (12.0, 12.0, 0.0, 92.0),
    "frogs": (24.0, 16.0, 8.0, 20.0),
    "missilecommand": (20.0, 20.0, 20.0, 56.0),
    "portals": (12.0, 28.0, 16.0, 28.0),
    "sokoban": (0.0, 0.0, 4.0, 8.0),
    "survivezombies": (44.0, 36.0, 52.0, 44.0),
    "zelda": (8.0, 20.0, 8.0, 28.0),
}


class KnowledgeBased(Experiment):
    """Vanilla MCTS, evolved rollouts, a knowledge base, and both, in the first set."""

    id = "EXP-1"
    title = "Knowledge-based fast-evolutionary MCTS"
    source = "GVGAI book, section 3.3.3, tables 3.1 and 3.2"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        wanted, levels, repetitions = SIZES[scale]
        games, notes = first_set(collection, wanted, levels)
        others = (VANILLA, FAST_EVO, KNOWING)
        return ExperimentPlan(
            arms=(
                Arm(VANILLA, mcts(), BUDGET, Figure(30.8, 2.6)),
                Arm(FAST_EVO, f"fast_evo_mcts({VALUE},ties=yes)", BUDGET, Figure(33.2, 2.7)),
                Arm(KNOWING, f"kb_mcts({VALUE})", BUDGET, Figure(31.6, 2.6)),
                Arm(BOTH, f"kb_fast_evo_mcts({VALUE},ties=yes)", BUDGET, Figure(49.2, 3.2)),
            ),
            games=games,
            repetitions=repetitions,
            claims=(
                OrderClaim(
                    "both together win at least 10 points more than vanilla",
                    (BOTH,),
                    (VANILLA,),
                    margin=10.0,
                ),
                EachClaim(
                    "both together win more than each other agent", ((BOTH,),), alone(others)
                ),
                EachClaim("both together score most", ((BOTH,),), alone(others), by="score"),
                OrderClaim(
                    "evolved rollouts alone win as much as vanilla", (FAST_EVO,), (VANILLA,), "same"
                ),
                OrderClaim(
                    "knowledge alone wins as much as vanilla", (KNOWING,), (VANILLA,), "same"
                ),
                OrderClaim(
                    "both together gain most in chase and missile command",
                    (BOTH,),
                    (VANILLA,),
                    games=("chase", "missilecommand"),
                ),
                OrderClaim(
                    "both together gain little or nothing in frogs and sokoban",
                    (BOTH,),
                    (VANILLA,),
                    "same",
                    ("sokoban",) if scale == "tiny" else ("frogs", "sokoban"),
                ),
            ),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 5",
                "900 calls a tick: the source names no budget, and its chapter has 40 ms, in "
                "which its engine makes about a hundred simulations",
                "features by type, weights that last for the game, and a bonus for the end, "
                "where the source is silent",
            ),
            by_game=(GameTable("table 3.1", ARMS, WON),),
        )

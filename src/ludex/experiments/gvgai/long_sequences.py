"""EXP-4: very long sequences, and lengths that follow the flatness of the landscape."""

from __future__ import annotations

from ludex.experiments.collection import Collection
from ludex.experiments.experiment import Arm, Claim, Experiment, ExperimentPlan, OrderClaim
from ludex.experiments.gvgai.agents import mcts, rhea
from ludex.experiments.gvgai.games import twenty
from ludex.experiments.scale import Scale

BUDGETS = {14: "1000calls", 50: "3000calls", 100: "6000calls", 150: "9000calls", 200: "12000calls"}
LENGTHS: dict[Scale, tuple[int, ...]] = {
    "tiny": (14, 50),
    "small": (14, 50, 100, 150, 200),
    "full": (14, 50, 100, 150, 200),
}
SIZES: dict[Scale, tuple[int, int, int]] = {
    "tiny": (10, 1, 1),
    "small": (20, 1, 1),
    "full": (20, 5, 20),
}
POPULATION, FIXED = 10, 14


class LongSequences(Experiment):
    """Sequences of up to 200 actions with a budget in proportion, and dynamic length."""

    id = "EXP-4"
    title = "Long sequences and dynamic length"
    source = "GVGAI book, section 3.5.1 (no table is printed)"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        lengths = LENGTHS[scale]
        most, levels, repetitions = SIZES[scale]
        games, notes = twenty(collection, most, levels)
        names = [game.label for game in games]
        dense = tuple(name for name in names if collection.is_dense(name))
        sparse = tuple(name for name in names if name not in dense)
        arms = [
            Arm(f"RHEA 10-{length}", rhea(POPULATION, length), BUDGETS[length])
            for length in lengths
        ]
        budget = BUDGETS[FIXED]
        arms += [
            Arm("MCTS", mcts(FIXED), budget),
            Arm("MCTS dynamic", mcts(FIXED, "dynamic"), budget),
            Arm("EA-shift", rhea(POPULATION, FIXED, "shift"), budget),
            Arm("EA-shift dynamic", rhea(POPULATION, FIXED, "shift", "dynamic"), budget),
        ]
        first, best = lengths[0], max(length for length in lengths if length <= 150)
        claims: list[Claim] = [
            OrderClaim(
                f"longer is better up to about 150 ({best} above {first})",
                (f"RHEA 10-{best}",),
                (f"RHEA 10-{first}",),
            )
        ]
        if 200 in lengths:
            claims.append(
                OrderClaim("beyond 150 it is harmful", ("RHEA 10-150",), ("RHEA 10-200",))
            )
        if sparse:
            text = "dynamic length helps MCTS where rewards are sparse"
            claims.append(OrderClaim(text, ("MCTS dynamic",), ("MCTS",), games=sparse))
        if dense:
            text = "dynamic length leaves MCTS as it is where rewards are dense"
            claims.append(OrderClaim(text, ("MCTS dynamic",), ("MCTS",), "same", dense))
        claims.append(
            OrderClaim(
                "dynamic length harms evolution with a shift buffer (about half the wins)",
                ("EA-shift",),
                ("EA-shift dynamic",),
            )
        )
        return ExperimentPlan(
            arms=tuple(arms),
            games=games,
            repetitions=repetitions,
            claims=tuple(claims),
            deviations=(
                *notes,
                f"matches of each level: {repetitions}, where the source has 20",
                f"dense rewards, by random play: {', '.join(dense) or 'none'}",
                "shifted sequences are cut or padded to the length of the moment; in the source "
                "they keep the wrong length, which is its explanation of the harm",
                "fitness is mapped to 0 .. 1 by the bounds seen in the game before its spread is "
                "measured; steps of 5 between 5 and 150; neither is in the source",
            ),
        )

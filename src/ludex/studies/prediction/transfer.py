"""PBS-49: models that are learned on some levels and used on others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludex.arena.ranking import Line
from ludex.core.budget import Budget
from ludex.models.learned.parts.transitions import random_play
from ludex.studies.prediction.arms import Arm, play, readings_of
from ludex.studies.prediction.printed import TRANSFER
from ludex.studies.prediction.rounds import BUDGET_NOTE, MISSING, Rounds
from ludex.studies.scale import Scale
from ludex.studies.survey import Reading

LEARNED_FROM, TESTED_ON = (0, 1, 2), (3, 4)
RESTART = 300
PLAN: dict[Scale, tuple[int, int, int, int]] = {
    "tiny": (500, 1, 100, 100),
    "small": (2000, 3, 300, 300),
    "full": (5000, 10, 300, 2000),
}
"""random ticks on each level, repetitions, expansions of a decision, most ticks of a game"""
ARMS = ("Random", "LFM-BFS", "OBFM-BFS", "OBFM-BFS beyond", "true BFS")


class Transfer(Rounds):
    """Fitted once on three levels, frozen, and searched on two others."""

    id = "PBS-49"
    title = "does what was learned on some levels hold on others?"
    source = "A. Dockhorn 2020, section 4.11.3, tables A.48 to A.62"
    printed = TRANSFER
    deviations = (
        MISSING,
        "tiny has 2 games, 500 random ticks on each of the three levels, one repetition, 100 "
        "expansions and at most 100 ticks a game; small 6 games, 2,000 ticks, 3 repetitions, 300 "
        "expansions and 300 ticks; full is the protocol: 15 games, 5,000 ticks, 10 repetitions, "
        "300 expansions and 2,000 ticks",
        "the arm from above is the same search with the rules, and OBFM-BFS beyond sees two cells "
        "far, what is carried, and learns what is made; the source has neither",
        "the ticks of the source's random player are those of another table, and only its wins and "
        "scores count",
        BUDGET_NOTE,
    )

    def part(self, game: str, printed: Mapping[str, Line]) -> list[Reading]:
        _, repetitions, expansions, most = PLAN[self.scale]
        budget = Budget(iterations=expansions)
        readings: list[Reading] = []
        for label in ARMS:
            arm = Arm.named(label, 1.0)
            known = self.taught(game, arm) if arm.part is not None else None
            games = [
                play(arm, known, self.level(game, level), budget, most, self.dice(game, level, n))[
                    0
                ]
                for level in TESTED_ON
                for n in range(repetitions)
            ]
            self.note_line(game, label, games)
            readings += readings_of(game, label, games, printed.get(label))
        return readings

    def taught(self, game: str, arm: Arm) -> Any:
        """What is learned from random play on the first levels; the same play for every learner."""
        ticks = PLAN[self.scale][0]
        learner = arm.part.clone()
        for number in LEARNED_FROM:
            world, dice = self.level(game, number), self.dice(game, "taught", number)
            view = world.model.view(world.start(dice.fork("start")), 0)
            for one in random_play(world.model, view, ticks, dice.fork("play"), RESTART):
                learner.add(one)
        return learner.learn_again()

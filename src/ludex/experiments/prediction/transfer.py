"""PBS-49: transfer of models to levels that they were not learned on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ludex.arena.statistics.ranking import Line
from ludex.core.budget import Budget
from ludex.experiments.prediction.arms import Arm, play, readings_of
from ludex.experiments.prediction.printed import TRANSFER
from ludex.experiments.prediction.rounds import BUDGET_NOTE, MISSING, Rounds
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Reading
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition, random_play

LEARNED_FROM, TESTED_ON = (0, 1, 2), (3, 4)
NEARER = (1, 2)
"""spans below that of LFM, whose neighbourhoods come up again on other levels"""
RESTART = 300
PLAN: dict[Scale, tuple[int, int, int, int]] = {
    "tiny": (2000, 1, 300, 1000),
    "small": (2000, 3, 300, 1000),
    "full": (5000, 10, 300, 2000),
}
"""random ticks on each level, repetitions, expansions of a decision, most ticks of a game"""
ARMS = ("Random", "LFM-BFS", "OBFM-BFS", "OBFM-BFS beyond", "true BFS")


class Transfer(Rounds):
    """Models fitted on three levels, frozen, and used on two others."""

    id = "PBS-49"
    title = "does what was learned on some levels hold on others?"
    source = "A. Dockhorn 2020, section 4.11.3, tables A.48 to A.62"
    printed = TRANSFER
    deviations = (
        MISSING,
        "small has 6 games, 2,000 random ticks on each of the three levels, 3 repetitions, 300 "
        "expansions and at most 1,000 ticks a game, and tiny the first of these games, one "
        "repetition and all else alike; full is the protocol: 15 games, 5,000 ticks, 10 "
        "repetitions, 300 expansions and 2,000 ticks",
        "who wins more than printed has learned no worse",
        "the arm from above is the same search with the rules, and OBFM-BFS beyond sees two cells "
        "far, what is carried, and learns what is made; the source has neither",
        "the ticks of the source's random player are those of another table, and only its wins and "
        "scores count",
        "what is foretold of random play on the new levels is ours, and so are smaller spans",
        BUDGET_NOTE,
    )

    def part(self, game: str, printed: Mapping[str, Line]) -> list[Reading]:
        _, repetitions, expansions, most = PLAN[self.scale]
        budget = Budget(iterations=expansions)
        readings: list[Reading] = []
        for label in ARMS:
            arm = Arm.named(label, 1.0)
            known = self.taught(game, arm.part) if arm.part is not None else None
            games = [
                play(arm, known, self.level(game, level), budget, most, self.dice(game, level, n))[
                    0
                ]
                for level in TESTED_ON
                for n in range(repetitions)
            ]
            self.note_line(game, label, games)
            readings += readings_of(game, label, games, printed.get(label))
            readings += [self.accuracy_reading(game, label, known)] if known is not None else []
        part: Any = Arm.named("LFM-BFS", 1.0).part
        for span in NEARER:
            learner = self.taught(game, part.clone(span=span))
            readings.append(self.accuracy_reading(game, f"LFM of span {span}", learner))
        return readings

    def taught(self, game: str, learner: GameLearner) -> GameLearner:
        """A learner fitted to random play on the first levels, the same for all learners."""
        pupil = learner.clone()
        for number in LEARNED_FROM:
            for one in self.watched(game, number, PLAN[self.scale][0]):
                pupil.add(one)
        return pupil.learn_again()

    def watched(self, game: str, level: int, ticks: int) -> Iterator[Transition]:
        """Random play on a level."""
        world, dice = self.level(game, level), self.dice(game, "taught", level)
        view = world.model.view(world.start(dice.fork("start")), 0)
        return random_play(world.model, view, ticks, dice.fork("play"), RESTART)

    def accuracy_reading(self, game: str, label: str, learner: GameLearner) -> Reading:
        """The prediction accuracy in random play on the new levels: whole states and parts.

        Learners of tiles and of objects have words of their own for the same measures, in the same
        order.
        """
        most = PLAN[self.scale][3]
        new = chain.from_iterable(self.watched(game, number, most) for number in TESTED_ON)
        parts, changes, whole, seen = list(learner.accuracy(list(new)).items())[:4]
        note = "; ".join(f"{what} {share:.3f}" for what, share in (parts, changes, seen))
        return Reading(game, f"{label}, {whole[0]} foretold on new levels", None, whole[1], note)

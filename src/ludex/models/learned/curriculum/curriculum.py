"""A curriculum: a learned model is trained over several levels in the order of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core.parameters import AtLeast, Between, Parameters
from ludex.core.rng import Rng
from ludex.models.learned.curriculum.levels import TrainingLevel
from ludex.models.learned.curriculum.patterns import Patterns, PatternSpace
from ludex.models.learned.curriculum.schedules import SCHEDULES, Progress, ScheduleName
from ludex.models.learned.tiles.neighbourhood import Shape
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition, random_play

WHOLE = ("grids", "states")
"""the share of steps without an error, as learners of tiles and of objects name it"""
BY_PATTERNS: tuple[ScheduleName, ...] = ("novelty", "gradual")


@dataclass(frozen=True, slots=True)
class Round:
    """Random play on one level of a curriculum."""

    number: int
    level: int
    success: float
    """the share of its steps that the model had predicted without an error before it learned from
    them; 0 where the schedule does not use it"""


@dataclass(frozen=True, kw_only=True)
class Curriculum(Parameters):
    """Trains a learner by random play, level after level."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "rounds": Between(1, 100_000),
        "steps": Between(1, 10_000_000),
        "mastered": Between(0, 1),
        "patience": AtLeast(1),
        "span": Between(0, 7),
    }

    schedule: ScheduleName = "fixed"
    """how the next level is chosen: in the order given, at random, with the most or the fewest new
    patterns, or by success"""
    rounds: int | None = None
    """how many rounds are played; none: one for each level"""
    steps: int = 2000
    """random moves of a round"""
    mastered: float = 0.9
    """for schedule=success: the share of steps predicted without an error that is enough"""
    patience: int = 3
    """for schedule=success: the most rounds in a row on a level that is not mastered"""
    shape: Shape = "square"
    """the shape of patterns, for schedule=novelty and gradual"""
    span: int = 1
    """the radius of patterns, in cells"""

    def train(
        self,
        learner: GameLearner,
        levels: Sequence[TrainingLevel],
        rng: Rng,
        watched: Callable[[], object] = lambda: None,
    ) -> list[Round]:
        """Train a learner, and fit it at the end; return the rounds.

        Args:
            learner: What learns; it may know something already.
            levels: The levels in their order, the easiest first.
            rng: All chance; round N is played with the stream `fit`, N.
            watched: Called after every step of play.
        """
        rounds = list(self.training(learner, levels, rng, watched))
        learner.learn_again()
        return rounds

    def training(
        self,
        learner: GameLearner,
        levels: Sequence[TrainingLevel],
        rng: Rng,
        watched: Callable[[], object] = lambda: None,
    ) -> Iterator[Round]:
        """The same round by round; the caller fits, unless the schedule asks for predictions."""
        progress, space = self.beginning(levels)
        total = len(levels) if self.rounds is None else self.rounds
        choose = SCHEDULES[self.schedule]
        for number in range(total):
            index = choose(progress, rng.fork("schedule", number))
            level = levels[index]
            learner.refuse(level.model.traits, level.view)
            steps: list[Transition] = []
            dice = rng.fork("fit", number)
            for one in random_play(level.model, level.view, self.steps, dice, learner.restart):
                steps.append(one)
                watched()
            success = self.success_of(learner, steps)
            for one in steps:
                learner.take(one)
            progress.note(index, space.visited(steps) if space else Patterns(), success)
            if self.schedule == "success":
                learner.learn_again()
            yield Round(number, index, success)

    def beginning(self, levels: Sequence[TrainingLevel]) -> tuple[Progress, PatternSpace | None]:
        """Progress before the first round, and the patterns where the schedule needs them."""
        space = PatternSpace(self.shape, self.span) if self.schedule in BY_PATTERNS else None
        offered = [space.offered(one.view) if space else Patterns() for one in levels]
        return Progress(offered, mastered=self.mastered, patience=self.patience), space

    def success_of(self, learner: GameLearner, steps: Sequence[Transition]) -> float:
        """The share of steps that the model predicts without an error."""
        if self.schedule != "success" or not learner.is_fitted or not steps:
            return 0.0
        found = learner.accuracy(steps)
        return next(found[name] for name in WHOLE if name in found)

"""Schedules compared: what is predicted on a level that was held out, after every round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludex.core.rng import Rng
from ludex.models.learned.curriculum.curriculum import Curriculum
from ludex.models.learned.curriculum.levels import TrainingLevel
from ludex.models.learned.curriculum.schedules import ScheduleName
from ludex.models.learned.training.game_learner import GameLearner


@dataclass(frozen=True)
class HeldOut:
    """The accuracy on a level that was held out, after so many rounds of a schedule."""

    schedule: ScheduleName
    seed: int
    held_out: int
    rounds: int
    levels: tuple[int, ...]
    """the levels of these rounds"""
    accuracy: Mapping[str, float]


@dataclass(frozen=True)
class Comparison:
    """How schedules are compared: every level is held out in turn, with every seed.

    The steps that are predicted are the same for all schedules, so differences are paired.
    """

    learner: GameLearner
    levels: Sequence[TrainingLevel]
    curriculum: Curriculum
    """its steps and rounds; its schedule does not matter"""
    schedules: Sequence[ScheduleName]
    seeds: Sequence[int]
    test_steps: int = 300

    def runs(self, told: Callable[[], object] = lambda: None) -> Iterator[HeldOut]:
        """All results; `told` is called after each training run."""
        for seed in self.seeds:
            for held_out in range(len(self.levels)):
                for schedule in self.schedules:
                    yield from self.run(schedule, seed, held_out)
                    told()

    def run(self, schedule: ScheduleName, seed: int, held_out: int) -> Iterator[HeldOut]:
        """Train from nothing on all levels but one, and predict play of that one."""
        rng = Rng(seed).fork("held out", held_out)
        test = self.levels[held_out].play(self.test_steps, rng.fork("test"), self.learner.restart)
        others = [level for index, level in enumerate(self.levels) if index != held_out]
        places = [index for index in range(len(self.levels)) if index != held_out]
        curriculum, pupil = self.curriculum.clone(schedule=schedule), self.learner.clone()
        chosen: list[int] = []
        for one in curriculum.training(pupil, others, rng):
            chosen.append(places[one.level])
            if schedule != "success":  # which fits for itself
                pupil.learn_again()
            accuracy = pupil.accuracy(test)
            yield HeldOut(schedule, seed, held_out, one.number + 1, tuple(chosen), accuracy)

"""Parameters of learners that guess what they have not seen: which classifier, and how it grows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.parameters import AtLeast, Between
from ludex.models.learned.classifiers.fitting import Classifier, Recipe
from ludex.models.learned.training.game_learner import GameLearner


@dataclass(frozen=True, kw_only=True)
class Growing(GameLearner):
    """A learner that grows trees."""

    LIMITS: ClassVar[Mapping[str, Any]] = {"depth": AtLeast(1), "members": Between(1, 1000)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = ("depth", "split", "members")

    depth: int | None = None
    """the deepest a tree may grow"""
    split: Literal["best", "random"] = "best"
    """how a tree chooses its cuts"""
    members: int = 10
    """trees of a forest, rounds of boosting"""


@dataclass(frozen=True, kw_only=True)
class Guessing(Growing):
    """A learner that can ask any classifier, and that can remember instead of asking."""

    LIMITS: ClassVar[Mapping[str, Any]] = {**Growing.LIMITS, "neighbours": Between(1, 1000)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = (*Growing.OF_THE_FILE, "classifier", "neighbours")

    classifier: Classifier = "tree"
    """what guesses about what was never seen"""
    neighbours: int = 1
    """that vote, where the classifier is neighbours"""
    memo: bool = True
    """answer from memory what was seen; the classifier is asked for the rest"""

    @property
    def recipe(self) -> Recipe:
        return Recipe(self.classifier, self.depth, self.split, self.members, self.neighbours)

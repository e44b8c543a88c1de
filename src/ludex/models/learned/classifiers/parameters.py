"""Parameters of learners that use a classifier: which one, and its hyperparameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.parameters import AtLeast, Between
from ludex.models.learned.classifiers.fitting import Classifier, ClassifierSettings
from ludex.models.learned.training.game_learner import GameLearner


@dataclass(frozen=True, kw_only=True)
class TreeParameters(GameLearner):
    """Parameters of a learner with decision trees."""

    LIMITS: ClassVar[Mapping[str, Any]] = {"depth": AtLeast(1), "members": Between(1, 1000)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = ("depth", "split", "members")

    depth: int | None = None
    """the maximal depth of a tree"""
    split: Literal["best", "random"] = "best"
    """how a tree chooses its splits"""
    members: int = 10
    """trees of a forest, rounds of boosting"""


@dataclass(frozen=True, kw_only=True)
class ClassifierParameters(TreeParameters):
    """Parameters of a learner with any classifier, and with a memory of what was seen."""

    LIMITS: ClassVar[Mapping[str, Any]] = {**TreeParameters.LIMITS, "neighbours": Between(1, 1000)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *TreeParameters.OF_THE_FILE,
        "classifier",
        "neighbours",
    )

    classifier: Classifier = "tree"
    """predicts inputs that were never seen"""
    neighbours: int = 1
    """neighbours that vote, for classifier=neighbours"""
    memo: bool = True
    """look up inputs that were seen; the classifier predicts the rest"""

    @property
    def classifier_settings(self) -> ClassifierSettings:
        return ClassifierSettings(
            self.classifier, self.depth, self.split, self.members, self.neighbours
        )

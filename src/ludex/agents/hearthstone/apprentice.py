"""Learned agent that corrects the scripted player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.hearthstone.learning.forest_player import SURE, THRESHOLDS, ForestPlayer


@dataclass(frozen=True, kw_only=True)
class Apprentice(ForestPlayer):
    """Plays as the scripted player, except where it has learned that another action wins more.

    It does not look ahead: a forest compares each action with the script's, from trials in
    games of the script against itself. LearnedPlayer with `ludex hearthstone improve FILE`.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = SURE
    kind: ClassVar[str] = "apprentice"

    threshold: float = THRESHOLDS["apprentice"]
    """the least confidence that another action is better"""

    @property
    def sure(self) -> float:
        return self.threshold

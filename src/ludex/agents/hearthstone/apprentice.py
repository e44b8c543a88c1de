"""A learned player that knows better than the script where it can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.hearthstone.learning.forest_player import SURE, THRESHOLDS, ForestPlayer


@dataclass(frozen=True, kw_only=True)
class Apprentice(ForestPlayer):
    """Does what the scripted player does, unless it has learned that something else wins more.

    It does not look ahead: a forest compares each action with the script's, from trials in
    games of the script against itself. Learned with `ludex hearthstone improve FILE`.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = SURE
    kind: ClassVar[str] = "apprentice"

    threshold: float = THRESHOLDS["apprentice"]
    """how sure it must be that another action is better"""

    @property
    def sure(self) -> float:
        return self.threshold

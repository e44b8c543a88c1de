"""The usual rule of thumb for pig."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.worlds.pig.rules import HOLD, ROLL, PigModel


@dataclass(frozen=True, kw_only=True)
class HoldAt(Expert):
    """Rolls until the turn total reaches a threshold, whatever the scores.

    At 20 a further roll gains and loses equally much on average: 5/6 of 4 points gained
    against 1/6 of 20 lost.
    """

    knows: ClassVar[type] = PigModel
    LIMITS: ClassVar[Mapping[str, Any]] = {"threshold": AtLeast(1)}

    threshold: int = 20
    """the least turn total that is banked"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        return Decision(action=HOLD if view.state.total >= self.threshold else ROLL)

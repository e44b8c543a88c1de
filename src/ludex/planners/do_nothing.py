"""A baseline that does nothing: it plays the default action of the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.growth import forced


@dataclass(frozen=True, kw_only=True)
class DoNothing(Planner):
    """Baseline: always plays the default action of the world (NIL in video games)."""

    handles_hidden: ClassVar[bool] = True

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        action = model.default_action(model.imagine(view, rng), view.seat)
        # What a learned or imagined model thinks of as the default may not be legal.
        chosen = action if action in view.legal else view.legal[0]
        return Decision(action=chosen, notes={"complete": True})

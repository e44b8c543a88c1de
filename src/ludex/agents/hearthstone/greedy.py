"""Greedy one-step look-ahead with a board evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.agents.hearthstone.parts.scores import mixed_score
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.hearthstone.model import HearthstoneModel


@dataclass(frozen=True, kw_only=True)
class Greedy(Expert):
    """Takes the action with the best score, averaged over determinisations.

    Ending the turn is worth the score as it stands, and is chosen only when it is best alone.
    The score mixes board control, as the Nora study defines it, with how near the other hero
    is to its end.
    """

    knows: ClassVar[type] = HearthstoneModel
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "deals": Between(1, 100),
        "aggression": Between(0.0, 1.0),
    }

    aggression: float = 0.3
    """the share of damage to the opposing hero in the score; 0: board control alone"""
    deals: int = 2
    """determinisations of the hidden cards for each action"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        rules = self.rules(model)
        totals = dict.fromkeys(view.legal, 0.0)
        try:
            for _ in range(self.deals):
                state = model.imagine(view, rng)
                for action in view.legal:
                    ends = model.action_type(action) == "end"
                    after = state if ends else model.step(state, (action,), rng)
                    totals[action] += mixed_score(rules, after, view.seat, self.aggression)
        except BudgetSpent:
            pass  # use the values so far
        # The first action ends the turn; ties go to other actions.
        best = max(reversed(view.legal), key=lambda action: totals[action])
        return Decision(action=best, values={best: totals[best] / self.deals})

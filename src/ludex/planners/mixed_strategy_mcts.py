"""Open-loop MCTS that draws an objective for each decision: score or novelty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.view import View
from ludex.planners.parts.objectives import ExploringPlanner, ExploringSearch

OBJECTIVES = ("score", "novelty")


@dataclass(frozen=True, kw_only=True)
class MixedStrategyMcts(ExploringPlanner):
    """Mixed-strategy MCTS: each decision draws one objective, score or novelty of the position.

    Which of the two is drawn with equal chances when a decision begins.
    """

    def exploring(self, model: Model, view: View, rng: Rng) -> MixedSearch:
        return MixedSearch(self, model, view, rng)


class MixedSearch(ExploringSearch):
    """One decision."""

    def __init__(self, planner: MixedStrategyMcts, model: Model, view: View, rng: Rng) -> None:
        super().__init__(planner, model, view, rng)
        self.aim = rng.below(len(OBJECTIVES))

    def finished(self, result: Rollout) -> float:
        return self.objectives(result)[self.aim]

    def notes(self) -> dict[str, Any]:
        return {"objective": OBJECTIVES[self.aim]}

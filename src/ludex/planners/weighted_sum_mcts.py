"""Open-loop MCTS for the weighted sum of two objectives: score and novelty."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.view import View
from ludex.planners.parts.objectives import ExploringPlanner, ExploringSearch, no_weight
from ludex.planners.parts.pareto import weighted


@dataclass(frozen=True, kw_only=True)
class WeightedSumMcts(ExploringPlanner):
    """Weighted-sum MCTS: open-loop MCTS for a weighted sum of score and novelty of the position."""

    score_weight: float = 0.5
    """what the first objective counts"""
    novelty_weight: float = 0.5
    """what the second counts"""

    def contradiction(self) -> str | None:
        return no_weight(self.score_weight, self.novelty_weight)

    def exploring(self, model: Model, view: View, rng: Rng) -> WeightedSearch:
        return WeightedSearch(self, model, view, rng)


class WeightedSearch(ExploringSearch):
    """One decision."""

    def finished(self, result: Rollout) -> float:
        weights = (self.planner.score_weight, self.planner.novelty_weight)
        return weighted(self.objectives(result), weights)

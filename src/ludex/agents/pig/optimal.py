"""Optimal play in pig."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.planner import Mind
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.worlds.pig.rules import PigModel
from ludex.worlds.pig.solution import LARGEST_TARGET, solve


@dataclass(frozen=True, kw_only=True)
class Optimal(Expert):
    """Plays pig for two so that the chance to win is as large as it can be."""

    knows: ClassVar[type] = PigModel
    handles_seats: ClassVar[tuple[int, int]] = (2, 2)

    def rules(self, model: Model) -> PigModel:
        rules: PigModel = super().rules(model)
        if rules.target > LARGEST_TARGET:
            raise Unsupported(
                f"{self.name} plays to at most {LARGEST_TARGET} points, and this world to "
                f"{rules.target}; use pig/hold_at or mcts"
            )
        return rules

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        mind = super().start(model, view, budget, rng)
        solve(self.rules(model).target)  # once per process, so that no decision waits for it
        return mind

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        solution = solve(self.rules(model).target)
        wins = solution.action_values(view.state)
        values: dict[Hashable, float] = {
            action: 2.0 * chance - 1.0 for action, chance in wins.items()
        }
        return Decision(action=solution.best_action(view.state), values=values)

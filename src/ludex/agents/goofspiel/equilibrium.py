"""Unbeatable play in small games of goofspiel."""

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
from ludex.worlds.goofspiel.matrix_games import solve_matrix
from ludex.worlds.goofspiel.rules import GoofspielModel
from ludex.worlds.goofspiel.solution import Solution, solve

LARGEST = 5  # cards that can be solved within the set-up time of a match


@dataclass(frozen=True, kw_only=True)
class Equilibrium(Expert):
    """Plays an equilibrium of goofspiel for two with up to 5 cards."""

    knows: ClassVar[type] = GoofspielModel
    handles_seats: ClassVar[tuple[int, int]] = (2, 2)

    def rules(self, model: Model) -> GoofspielModel:
        rules: GoofspielModel = super().rules(model)
        if rules.cards > LARGEST:
            raise Unsupported(
                f"{self.name} plays with up to {LARGEST} cards, and this world has "
                f"{rules.cards}; use open_loop_mcts"
            )
        return rules

    def solution(self, model: Model) -> Solution:
        rules = self.rules(model)
        return solve(rules.cards, rules.order, rules.returns)

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        mind = super().start(model, view, budget, rng)
        self.solution(model).prepare(view.state)  # type: ignore[attr-defined]  # an open view
        return mind

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        state, seat = view.state, view.seat
        matrix = self.solution(model).matrix(state)
        _, *mixed = solve_matrix(matrix)
        reply = mixed[1 - seat]
        chances = dict(zip(state.hands[seat], mixed[seat], strict=True))
        values: dict[Hashable, float] = {}
        for index, bid in enumerate(state.hands[seat]):
            line = matrix[index] if seat == 0 else [-row[index] for row in matrix]
            values[bid] = sum(worth * chance for worth, chance in zip(line, reply, strict=True))
        action = list(chances)[rng.weighted(list(chances.values()))]
        return Decision(action=action, values=values, notes={"probabilities": chances})

"""Beam search over the actions of the own turn."""

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
class TurnSearch(Expert):
    """Beam search to the end of the turn; plays the first action of the best line.

    With a width that no turn reaches, every sequence is tried; else it is a beam. Hidden cards
    are imagined once for each decision, so that a line sees chance as one deal would have it.
    """

    knows: ClassVar[type] = HearthstoneModel
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "width": Between(1, 100_000),
        "depth": Between(1, 40),
        "aggression": Between(0.0, 1.0),
    }

    width: int = 8
    """beam width: lines kept after each action"""
    depth: int = 8
    """search depth in actions"""
    aggression: float = 0.3
    """the share of damage to the opposing hero in the score; 0: board control alone"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        rules = self.rules(model)
        seat = view.seat
        if len(view.legal) == 1:
            return Decision(action=view.legal[0])
        start = model.imagine(view, rng)
        best, action = mixed_score(rules, start, seat, self.aggression), view.legal[0]
        # A line is its value, its first action and where it has led.
        lines: list[tuple[float, Any, Any]] = [(best, None, start)]
        seen: set[Any] = set()
        deepest = 0
        try:
            while deepest < self.depth:
                deepest += 1
                found: list[tuple[float, Any, Any]] = []
                for _, first, state in lines:
                    for move in model.legal(state, seat):
                        if model.action_type(move) == "end":
                            continue
                        after = model.step(state, (move,), rng)
                        if after in seen:
                            continue  # another order of the same actions
                        seen.add(after)
                        begun = move if first is None else first
                        value = mixed_score(rules, after, seat, self.aggression)
                        found.append((value, begun, after))
                        if value >= best:  # doing something is better than nothing
                            best, action = value, begun
                going = [line for line in found if model.to_act(line[2]) == (seat,)]
                lines = sorted(going, key=lambda line: -line[0])[: self.width]
                if not lines:
                    break
        except BudgetSpent:
            pass  # the best line so far must do
        return Decision(action=action, values={action: best}, depth=deepest)

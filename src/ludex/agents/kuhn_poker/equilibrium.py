"""Unbeatable play in Kuhn poker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.kuhn_poker.rules import KuhnPokerModel
from ludex.worlds.kuhn_poker.solution import equilibrium


@dataclass(frozen=True, kw_only=True)
class Equilibrium(Expert):
    """Plays an equilibrium of Kuhn poker: no opponent can win more of it than the game is worth."""

    knows: ClassVar[type] = KuhnPokerModel
    LIMITS: ClassVar[Mapping[str, Any]] = {"alpha": Between(0, 1 / 3)}

    alpha: float = 0.25
    """how often the first seat bluffs with the jack"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        chances = equilibrium(self.alpha)[view.card + view.course]
        action = list(chances)[rng.weighted([float(chance) for chance in chances.values()])]
        notes = {"probabilities": {word: float(chance) for word, chance in chances.items()}}
        return Decision(action=action, notes=notes)

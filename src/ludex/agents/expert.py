"""Base class of agents written for one world."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.capabilities import able
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.planner import Mind, Planner
from ludex.core.rng import Rng
from ludex.core.view import View


@dataclass(frozen=True, kw_only=True)
class Expert(Planner, ABC):
    """An agent that knows the rules of one world and refuses all others.

    It plays by the view, and uses its model for the options of the game only.
    """

    handles_hidden: ClassVar[bool] = True
    knows: ClassVar[type]
    """the class of the true model of its world"""

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.rules(model)
        return super().start(model, view, budget, rng)

    def decide(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        self.rules(model)
        return super().decide(model, view, budget, rng)

    def rules(self, model: Model) -> Any:
        """The true model, unwrapped if needed; Unsupported in another world."""
        inside: Any = able(model, self.knows)
        if inside is not None:
            return inside
        world = self.name.partition("/")[0]
        raise Unsupported(
            f"{self.name} knows the rules of {world} alone, and this model is a "
            f"{type(model).__name__}; use mcts or uniform"
        )

"""The planning player after SmartSettlers: tree search that favours buildings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from ludex.agents.parts.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.models.believed.believed import Believed
from ludex.planners.mcts import Mcts
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import type_of


@dataclass(frozen=True, kw_only=True)
class SmartSettlers(Expert):
    """Plain UCT on imagined states, with virtual wins for settlements and cities; never trades.

    After Szita, Chaslot and Spronck (2010): untyped random rollouts to the end, exploration 2,
    20 virtual wins for a settlement after the set-up and 10 for a city. It offers nothing and
    rejects all offers, as the original has no player trades.
    """

    knows: ClassVar[type] = CatanModel
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "settlement_wins": AtLeast(0),
        "city_wins": AtLeast(0),
        "rollout_depth": AtLeast(1),
    }

    exploration: float = 2.0
    """weight of rarely tried actions"""
    settlement_wins: float = 20.0
    """virtual wins of building a settlement"""
    city_wins: float = 10.0
    """virtual wins of building a city"""
    rollout: Literal["uniform", "type_first"] = "uniform"
    """how play goes on below the tree"""
    rollout_depth: int = 5000
    """ticks after which a rollout is valued by points"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        kinds = {type_of(action) for action in view.legal}
        if "reject" in kinds:
            return Decision(action=view.legal[-1])
        choices = tuple(one for one in view.legal if type_of(one) != "offer")
        if len(choices) == 1:
            return Decision(action=choices[0])
        searcher = Mcts(
            exploration=self.exploration, rollout=self.rollout, rollout_depth=self.rollout_depth
        )
        search_model = Believed().make(model, view, budget, rng)
        found = searcher.plan(search_model, view, budget, rng)
        in_turn = "end" in kinds

        def worth(action: int) -> float:
            virtual = 0.0
            if in_turn:
                virtual = {"settlement": self.settlement_wins, "city": self.city_wins}.get(
                    type_of(action), 0.0
                )
            visits = (found.visits or {}).get(action, 0)
            wins = (found.values or {}).get(action, 0.0) * visits
            return (wins + virtual) / max(1.0, visits + virtual)

        # A budget too small for one rollout leaves all alike, and the first would be the same
        # trade with the bank for ever.
        worths = {action: worth(action) for action in choices}
        best = [action for action in choices if worths[action] == max(worths.values())]
        return replace(found, action=rng.choice(best))

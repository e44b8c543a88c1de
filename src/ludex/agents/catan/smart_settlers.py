"""MCTS agent after SmartSettlers: UCT with virtual wins for buildings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.models.believed.believed import Believed
from ludex.planners.mcts import Mcts, VirtualWins
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import make, type_of

REJECT = make("reject")
TREES = 8  # each with its own determinisation of hidden hands


@dataclass(frozen=True, kw_only=True)
class SmartSettlers(Expert):
    """UCT in a game without player trades, with virtual wins for settlements and cities.

    After Szita, Chaslot and Spronck (2010): untyped random rollouts to the end, exploration 2,
    and at every node of the tree 20 virtual wins for a settlement after the set-up and 10 for a
    city. It offers nothing and rejects all offers, as the original has no player trades.
    """

    knows: ClassVar[type] = CatanModel
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "settlement_wins": AtLeast(0),
        "city_wins": AtLeast(0),
        "rollout_depth": AtLeast(1),
    }

    exploration: float = 2.0
    """exploration constant of UCT"""
    settlement_wins: int = 20
    """virtual wins of building a settlement"""
    city_wins: int = 10
    """virtual wins of building a city"""
    rollout: Literal["uniform", "type_first"] = "uniform"
    """the rollout policy"""
    rollout_depth: int = 5000
    """ticks after which a rollout is cut off and valued by points"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        if REJECT in view.legal:
            return Decision(action=REJECT)
        choices = tuple(one for one in view.legal if type_of(one) != "offer")
        if len(choices) == 1:
            return Decision(action=choices[0])
        untraded = self.rules(model).without_trades()
        search_model = Believed().make(untraded, view, budget, rng)
        searcher = Mcts(
            exploration=self.exploration,
            root_share=0.0,
            rollout=self.rollout,
            rollout_depth=self.rollout_depth,
        )
        trees = 1 if untraded.traits.model_sees_all else TREES
        states = [search_model.imagine(view, rng) for _ in range(trees)]
        tree = searcher.search_from(states, search_model, budget, rng, self.virtual_wins())
        seen = replace(view, legal=choices)
        visits, values = tree.evidence(seen)
        return tree.answer("visits", seen, visits, values, rng)

    def virtual_wins(self) -> VirtualWins:
        """Settlements and cities after the set-up, where a turn could also be ended."""
        wins = {"settlement": self.settlement_wins, "city": self.city_wins}
        return VirtualWins(wins, beside="end")

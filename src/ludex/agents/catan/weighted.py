"""Random agent with weights by type of action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import type_of


@dataclass(frozen=True, kw_only=True)
class Weighted(Expert):
    """Draws an action by the weight of its type: cities first, then settlements, then cards."""

    knows: ClassVar[type] = CatanModel
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "city": AtLeast(0),
        "settlement": AtLeast(0),
        "buy": AtLeast(0),
        "other": AtLeast(1e-9),
    }

    city: float = 10_000.0
    """weight of building a city"""
    settlement: float = 1000.0
    """weight of building a settlement"""
    buy: float = 100.0
    """weight of buying a development card"""
    other: float = 1.0
    """weight of every other action"""

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        weights = {"city": self.city, "settlement": self.settlement, "buy": self.buy}
        drawn = rng.weighted([weights.get(type_of(action), self.other) for action in view.legal])
        return Decision(action=view.legal[drawn])

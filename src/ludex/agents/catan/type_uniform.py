"""Random agent that draws the type of action first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import type_of


@dataclass(frozen=True, kw_only=True)
class TypeUniform(Expert):
    """Draws a legal type of action uniformly, then an action of that type uniformly."""

    knows: ClassVar[type] = CatanModel

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        kinds = sorted({type_of(action) for action in view.legal})
        kind = rng.choice(kinds)
        return Decision(action=rng.choice([one for one in view.legal if type_of(one) == kind]))

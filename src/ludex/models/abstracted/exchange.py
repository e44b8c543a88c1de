"""Catan with exchanges: an offer is carried out without asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.budget import Budget
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.models.parts.part import ModelPart
from ludex.worlds.catan.model import CatanModel


@dataclass(frozen=True, kw_only=True)
class Exchange(ModelPart):
    """The rules of catan, but an offer that both can pay is an exchange at once.

    Searching offers with their answers costs two plies for one trade. Rollouts by type draw the
    cards of an exchange from both hands. Real answers are asked of the world as ever.
    """

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        inside: Any = model
        while hasattr(inside, "inner"):
            inside = inside.inner
        if not isinstance(inside, CatanModel):
            raise Unsupported(
                f"exchange is a model of catan alone, and this is a {type(inside).__name__}; "
                "leave it out"
            )
        return inside.with_exchanges()

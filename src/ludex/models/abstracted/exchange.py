"""Catan with exchanges: an offer is carried out without asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.budget import Budget
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.models.believed.believed import BelievedModel, read_belief
from ludex.models.parts.part import ModelPart
from ludex.worlds.catan.model import CatanModel


@dataclass(frozen=True, kw_only=True)
class Exchange(ModelPart):
    """The rules of catan, but an offer that both can pay is an exchange at once.

    Where hands are hidden they are imagined by a belief. In other worlds these are the rules alone.
    """

    belief: str = "uniform"
    """over what is hidden, as in `believed`"""

    def __post_init__(self) -> None:
        super().__post_init__()
        read_belief(self.belief)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        inside: Any = model
        while hasattr(inside, "inner"):
            inside = inside.inner
        if not isinstance(inside, CatanModel):
            return model  # there is nothing to exchange
        made = inside.with_exchanges()
        if not made.traits.hidden:
            return made
        return BelievedModel(made, read_belief(self.belief).start(made, view, rng))

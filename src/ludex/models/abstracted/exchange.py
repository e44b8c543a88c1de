"""Abstracted model of Catan: trade offers are carried out without asking the partner."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.core.budget import Budget
from ludex.core.capabilities import innermost
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.models.believed.believed import BelievedModel, read_belief
from ludex.models.parts.part import ModelPart
from ludex.worlds.catan.model import CatanModel


@dataclass(frozen=True, kw_only=True)
class Exchange(ModelPart):
    """The rules of Catan in which an offer that both seats can pay is carried out at once.

    Hidden hands are sampled from a belief. In other worlds this is the true model.
    """

    belief: str = "uniform"
    """the belief over hidden information, as in `believed`"""

    def __post_init__(self) -> None:
        super().__post_init__()
        read_belief(self.belief)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        inside = innermost(model)
        if not isinstance(inside, CatanModel):
            return model  # a world without trade
        made = inside.with_exchanges()
        if not made.traits.hidden:
            return made
        return BelievedModel(made, read_belief(self.belief).start(made, view, rng))

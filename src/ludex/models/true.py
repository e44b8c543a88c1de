"""The true forward model: the rules of the world."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.core.budget import Budget
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.models.parts.part import ModelPart


@dataclass(frozen=True, kw_only=True)
class True_(ModelPart):  # noqa: N801  # `True` is a keyword; agents write the file's name
    """The rules of the world, sampled with random numbers of the planner's own.

    Where the world has hidden information, `imagine` determinises: it draws the hidden facts from
    the exact prior given the view.
    """

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        return model

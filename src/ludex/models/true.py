"""The rules as they are."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.core.budget import Budget
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.models.parts.part import ModelPart


@dataclass(frozen=True, kw_only=True)
class True_(ModelPart):  # noqa: N801  # `True` is a keyword; agents write the file's name
    """The rules of the world, with the planner's own dice.

    Where the world hides something, `imagine` completes the view from the exact prior.
    """

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        return model

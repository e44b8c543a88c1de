"""Split model: one model for the tree of a search, another for its rollouts."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ludex.core.budget import Budget
from ludex.core.capabilities import GlancesNatively, able, innermost
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.model import Model
from ludex.core.names import read_named
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.view import View
from ludex.models.parts.delegate import Delegate
from ludex.models.parts.part import ModelPart, read_model


@dataclass(frozen=True, kw_only=True)
class Split(ModelPart):
    """One model in the tree of a search, another in its rollouts, over the same states.

    In Catan `split(tree=true,rollout=exchange)` negotiates in the tree, offer by offer, and
    exchanges unasked in rollouts, which are much shorter for it.
    """

    tree: str = "true"
    """the model of the tree, with its parameters if it has any"""
    rollout: str = "exchange"
    """the model of the rollouts; its states must be those of the tree's model"""

    def __post_init__(self) -> None:
        super().__post_init__()
        for text in (self.tree, self.rollout):
            read_part(text)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        tree = read_part(self.tree).make(model, view, budget, rng.fork("tree"))
        rollout = read_part(self.rollout).make(model, view, budget, rng.fork("rollout"))
        if type(innermost(tree)) is not type(innermost(rollout)):
            raise Unsupported(
                f"split needs two models of the same states, which {self.tree} and "
                f"{self.rollout} are not; use models of one world, as true and exchange in catan"
            )
        return SplitModel(tree, rollout.metered(tree.meter))


class SplitModel(Delegate[StateT]):
    """The model of the tree, with another one for rollouts."""

    keeps_rules: ClassVar[bool] = True

    def __init__(self, inner: Model[StateT], rollouts: Model[StateT]) -> None:
        super().__init__(inner)
        self.rollouts = rollouts

    def rollout_model(self) -> Model[StateT]:
        return self.rollouts

    def metered(self, meter: Meter) -> Self:
        twin = copy.copy(self)
        twin.inner = self.inner.metered(meter)
        twin.rollouts = self.rollouts.metered(meter)
        return twin

    def native_glance(self, view: View) -> Any:
        """What native searches draw from, where the model of the tree has it."""
        glances = able(self.inner, GlancesNatively)
        return None if glances is None else glances.native_glance(view)


def read_part(text: str) -> Any:
    """The part that a text such as `exchange(belief=uniform)` names."""
    if read_named(text, "()", "a model").name == "split":
        raise BadParameter("split takes two other models, not itself")
    return read_model(text, "split")

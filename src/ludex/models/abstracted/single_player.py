"""Single-player model: one seat of a game as a game of its own, with a model of the opponent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.budget import Budget
from ludex.core.capabilities import RatesActions, WeighsLegality, able
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.abstracted.one_seat.model import (
    ObjectOneSeatModel,
    OneSeatModel,
    RatingOneSeatModel,
)
from ludex.models.abstracted.one_seat.opponents import OpponentModelName
from ludex.models.parts.part import ModelPart, read_model
from ludex.models.split import Split


@dataclass(frozen=True, kw_only=True)
class SinglePlayer(ModelPart):
    """A game of several seats shown as a game of one: a model of the opponent plays the others.

    Planners of one seat play games of two with it, as `olets@single_player(opponent=last)`. Games
    of one seat stay as they are.
    """

    opponent: OpponentModelName = "random"
    """the others: play nothing, repeat their last action, mirror ours, or draw any action"""
    model: str = "true"
    """the model of the game of several seats, with its parameters if it has any"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.part) in (SinglePlayer, Split):
            raise BadParameter(
                f"single_player takes the model of a game of several seats, not {self.model}; use "
                "true, believed or a learned model"
            )

    @property
    def part(self) -> ModelPart:
        part: ModelPart = read_model(self.model, "single_player")
        return part

    def refusal(self, traits: Traits, view: View) -> str | None:
        return self.part.refusal(traits, view)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        made = self.part.make(model, view, budget, rng.fork("seats"))
        if made.traits.seats == 1:
            return made
        if able(made, WeighsLegality) is not None:
            raise Unsupported(
                "single_player shows complete states, and those of belief_space are beliefs; use "
                "single_player(model=believed)"
            )
        return one_seat(made)(made, view.seat, self.opponent)


def one_seat(model: Model) -> type[OneSeatModel[Any]]:
    """The class that can do what a model can."""
    if model.traits.avatars:
        return ObjectOneSeatModel
    return OneSeatModel if able(model, RatesActions) is None else RatingOneSeatModel

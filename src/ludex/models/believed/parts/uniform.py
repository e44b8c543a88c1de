"""The belief of one who remembers nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.parameters import Parameters
from ludex.core.rng import Meter, Rng
from ludex.core.view import View


@dataclass(frozen=True, kw_only=True)
class Uniform(Parameters):
    """The exact prior given the view: what the true model's `imagine` draws."""

    def start(self, model: Model, view: View, rng: Rng) -> UniformBelief:
        return UniformBelief(model)


class UniformBelief:
    """Every way the hidden facts may lie counts as the rules deal them."""

    def __init__(self, model: Model) -> None:
        self.model = model.metered(Meter(apart=True))

    def observe(self, event: Event) -> None:
        """Forget it: the view holds all that this belief uses."""

    def sample(self, view: View, rng: Rng) -> Any:
        return self.model.imagine(view, rng)

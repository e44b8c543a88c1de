"""Uniform belief: the prior given the current view, without memory of events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core.capabilities import GlancesNatively, able
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.parameters import Parameters
from ludex.core.rng import Meter, Rng
from ludex.core.view import View


@dataclass(frozen=True, kw_only=True)
class UniformPrior(Parameters):
    """The exact prior given the view, as sampled by the true model's `imagine`."""

    def start(self, model: Model, view: View, rng: Rng) -> UniformBelief:
        return UniformBelief(model)


class UniformBelief:
    """Samples hidden facts with the probabilities of the rules."""

    def __init__(self, model: Model) -> None:
        self.model = model.metered(Meter(apart=True))

    def observe(self, event: Event) -> None:
        """Ignore the event: this belief uses the view alone."""

    def sample(self, view: View, rng: Rng) -> Any:
        return self.model.imagine(view, rng)

    def native_glance(self, view: View) -> Any:
        """What native searches draw from, where the model has it."""
        glances = able(self.model, GlancesNatively)
        return None if glances is None else glances.native_glance(view)

"""The states that the iterations of a search begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludex.core.capabilities import GlancesNatively, able
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.twin import native_rules
from ludex.core.view import View

BATCH = 32  # states that a belief in Python draws at a time for a native search


class Determinisations:
    """Draws a complete state for each iteration, from a stream of its own.

    Where the model knows the real state, each is a copy of it.
    """

    def __init__(self, model: Model, view: View, rng: Rng) -> None:
        self.model = model
        self.view = view
        self.stream = rng.fork("determinisations")
        self.is_known = model.traits.model_sees_all
        self.first: Any = model.imagine(view, rng.fork("first"))

    def draw(self) -> Any:
        """The state of the next iteration; the caller owns it."""
        return self.model.imagine(self.view, self.stream)

    # For native searches

    @property
    def native(self) -> Any:
        return native_rules(self.model)

    def native_source(self) -> Any:
        """What a native search draws from: a state, what the seat sees, or this for batches."""
        if self.is_known:
            return self.first
        glances = able(self.model, GlancesNatively)
        glance = None if glances is None else glances.native_glance(self.view)
        if glance is not None:
            return glance, self.stream
        return self.draw_batch

    def draw_batch(self, most: int) -> Sequence[Any]:
        """So many states or fewer, at least one unless the budget is spent."""
        drawn: list[Any] = []
        while len(drawn) < min(most, BATCH) and not self.model.meter.spent:
            drawn.append(self.draw())
        return drawn

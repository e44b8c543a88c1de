"""Beliefs: distributions over complete states, given what one seat has observed."""

from __future__ import annotations

from typing import Any, Protocol

from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View


class Belief(Protocol):
    """A distribution over complete states, kept up to date by what one seat observes."""

    def observe(self, event: Event) -> None:
        """Take in one event of this seat."""
        ...

    def sample(self, view: View, rng: Rng) -> Any:
        """Draw a complete state that agrees with the view; the caller owns it."""
        ...


class BeliefPart(Protocol):
    """Parameters that can start beliefs, one for each game."""

    def start(self, model: Model, view: View, rng: Rng) -> Belief:
        """Return a fresh belief for one game, seen from `view.seat`."""
        ...

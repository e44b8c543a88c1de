"""Beliefs: distributions over complete states, given what one seat has observed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

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


class BeliefValue(Protocol):
    """A belief as a value: what a search through beliefs keeps in its nodes.

    A model of beliefs (models/believed/belief_space.py) plays them as other models play states:
    `step` with an action, and `resolve` with an outcome of the belief's own chance, which is what
    the observer sees next; `legal` lists the possible actions and `legality` how likely each of
    them is to be legal; `key` tells beliefs apart.
    """

    def copy(self) -> Self: ...

    def hypotheses(self) -> Sequence[tuple[Any, float]]:
        """The complete states that are possible, with their probabilities."""
        ...

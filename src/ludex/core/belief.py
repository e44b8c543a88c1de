"""What a seat believes about what it cannot see."""

from __future__ import annotations

from typing import Any, Protocol, Self

from ludex.core.event import Event
from ludex.core.rng import Rng
from ludex.core.view import View


class Belief(Protocol):
    """A distribution over complete states, kept up to date by what the seat observes."""

    def start(self, model: Any, view: View) -> Self:
        """Return a fresh belief for one game, seen from `view.seat`."""
        ...

    def observe(self, event: Event) -> None:
        """Take in one event of this seat."""
        ...

    def sample(self, view: View, rng: Rng) -> Any:
        """Draw a complete state that agrees with the view; NoConsistentState if none does."""
        ...

"""What one seat may see."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol


class View(Hashable, Protocol):
    """All that a seat may know of a state, as a value: `==`, hash and pickle.

    Views of worlds with hidden facts are classes of their own, built from what the seat may
    see alone. Nothing hidden can be reached through one.
    """

    @property
    def seat(self) -> int: ...

    @property
    def legal(self) -> tuple[Hashable, ...]:
        """The actions this seat may choose now, ascending; empty when it is not to act."""
        ...


@dataclass(frozen=True, slots=True)
class OpenView:
    """The view of a world that hides nothing: the seat sees a copy of the state itself."""

    seat: int
    legal: tuple[Hashable, ...]
    state: Any

"""Views: what one seat may observe of a state."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, overload

from ludex.core.capabilities import RecallsMoves, RecallsPast
from ludex.core.errors import ForeignState, in_short
from ludex.core.event import Event


class View(Hashable, Protocol):
    """The observation of one seat, as a value: `==`, hash and pickle.

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


def check_view(view: Any, expected: type | None = None) -> None:
    """Raise ForeignState unless this is a view, and of the class that a model makes."""
    if isinstance(view, expected) if expected else hasattr(view, "seat") and hasattr(view, "legal"):
        return
    name = f" ({expected.__qualname__})" if expected else ""
    raise ForeignState(
        f"expected a view of this model{name}, got {in_short(view)}; views come from "
        "model.view(state, seat)"
    )


class History(Sequence[Event]):
    """All that a seat was told until now, the oldest first.

    A state has no past, so whoever runs the game keeps the list and only ever adds to it; a
    history is that list with an end, and costs nothing to make.
    """

    def __init__(self, kept: list[Event], length: int | None = None) -> None:
        self.kept = kept
        self.length = len(kept) if length is None else length

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...

    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(index, slice):
            return tuple(self.kept[place] for place in range(*index.indices(self.length)))
        return self.kept[range(self.length)[index]]

    def __reduce__(self) -> tuple[Any, ...]:
        return (History, (self.kept[: self.length],))


def recall(
    view: View, *, last_action: Hashable | None = None, history: History | None = None
) -> View:
    """Give a view its past, where it can show one."""
    if not issubclass(type(view), RecallsPast):
        return view
    told: View = view.recalling(last_action=last_action, history=history)  # type: ignore[attr-defined]  # looked at
    return told


def recall_moves(view: View, moves: Mapping[int, Hashable]) -> View:
    """Give a view of a game of several seats their last actions, where it can show them."""
    if not issubclass(type(view), RecallsMoves):
        return view
    told: View = view.recalling_moves(moves)  # type: ignore[attr-defined]  # looked at
    return told

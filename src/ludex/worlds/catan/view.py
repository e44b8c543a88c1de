"""What one seat may see where hands are hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.worlds.catan._native import Seen


@dataclass(frozen=True, slots=True)
class CatanView:
    """The table as one seat sees it.

    `seen` has the same questions as a state; hands, cards and the pile of others are zero in it,
    and only their sizes are known.
    """

    seat: int
    legal: tuple[int, ...]
    seen: Seen


def table_of(view: Any) -> Any:
    """What a view of any kind shows: the facts seen, or the whole state of an open game."""
    return view.seen if isinstance(view, CatanView) else view.state

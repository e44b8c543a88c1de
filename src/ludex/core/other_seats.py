"""What learners are told of other seats that act at the same time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OtherSeat:
    """Another seat in a view as learners read it: all that is public about it."""

    seat: int
    legal: tuple[Hashable, ...]
    score: float
    last: Hashable | None = None
    """its last action, where whoever runs the game told it"""

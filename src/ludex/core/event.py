"""Something that happened and that a seat may know about."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One fact about the last step, as one seat may see it.

    `kind` is a word ("move", "deal", "offer"), `seat` who did it (None: chance or the rules),
    `detail` a hashable value whose meaning the world's page gives. A part of a fact that the
    seat may not see is left out of `detail`, never replaced by something that depends on it.
    """

    kind: str
    seat: int | None = None
    detail: Hashable = None

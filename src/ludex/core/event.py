"""Events: what happened in the last step, as one seat may know it."""

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

    def told(self, reader: int | None, verb: str, *words: str) -> str:
        """Say who did it, with "you" for the seat that reads it.

        >>> Event("move", 1).told(0, "pledge", "iron"), Event("move", 1).told(1, "pledge", "iron")
        ('seat 1 pledges iron', 'you pledge iron')
        """
        if self.seat is not None and self.seat == reader:
            return " ".join(["you", verb, *words])
        who = "chance" if self.seat is None else f"seat {self.seat}"
        return " ".join([who, f"{verb}s", *words])

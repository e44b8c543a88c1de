"""A knowledge base of collisions with object types: how often they happened, and their effect.

The knowledge base of D. Perez, S. Samothrakis and S. Lucas, "Knowledge-based Fast Evolutionary
MCTS for General Video Game Playing", 2014. It values a simulation in which the score stood still:
by *curiosity*, for events that were rare, and by *experience*, for coming nearer to things that
are unknown or known to be good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, Protocol

from ludex.core.errors import BrokenAgent, in_short
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.objects import Category, meetings
from ludex.core.own_part import called_by

FEATURED = frozenset({Category.NPC, Category.RESOURCE, Category.MOVABLE, Category.PORTAL})
"""the categories whose types are worth a distance: those that do something"""


class DistanceFunction(Protocol):
    """From a seat's avatar to the nearest object of each kind: a number >= 0, or None for none.

    Kinds are the types of `ludex.core.objects`; it stands for `model.distances`, whose distances
    are straight lines as a part of the diagonal of the grid.
    """

    def __call__(
        self, model: Model, state: Any, seat: int, kinds: Sequence[int], /
    ) -> Sequence[float | None]: ...


def checked_distances(function: Any, found: Any, count: int) -> list[float | None]:
    """What a function returned, if that is a distance for each kind; else BrokenAgent."""
    try:
        made = [None if one is None else float(one) for one in found]
    except (TypeError, ValueError):
        made = []
    good = all(one is None or (isfinite(one) and one >= 0.0) for one in made)
    if len(made) != count or not good:
        told = f"must return a number >= 0 or None for each of {count} kinds, got {in_short(found)}"
        raise BrokenAgent(f"{called_by(function)} {told}")
    return made


class Item(NamedTuple):
    """A kind of event: the avatar, or something it made, met an object of a type."""

    by_product: bool
    kind: int


Met = Mapping[Item, int]
"""How often each kind of event happened in one simulation."""


class Knowledge:
    """Counts of events, and the mean change of the score in the ticks where they happened."""

    def __init__(self) -> None:
        self.counts: Counter[Item] = Counter()
        self.changes: dict[Item, float] = {}

    def learn(self, events: Iterable[Event], kinds: Mapping[int, int], change: float) -> list[Item]:
        """Take in the events of a tick that have to do with these kinds, and return them.

        Events that coincide share the change of the score.
        """
        items = [
            Item(one.by_product, one.passive_type)
            for one in meetings(events)
            if one.passive_type in kinds
        ]
        for item in items:
            self.counts[item] += 1
            known = self.changes.get(item, 0.0)
            self.changes[item] = known + (change / len(items) - known) / self.counts[item]
        return items

    def curiosity(self, met: Met) -> float:
        """Sum what each event adds to its count: all of it when new, else as a part of it.

        These are events of a simulation that were learned already.
        """
        total = 0.0
        for item, times in met.items():
            before = self.counts[item] - times
            total += times / before if before else times
        return total

    def experience(
        self,
        kinds: Iterable[int],
        met: Met,
        start: Sequence[float | None],
        end: Sequence[float | None],
    ) -> float:
        """Sum by what part the distance to each attractive kind was shortened.

        What has gone by the end counts as reached if it was met.
        """
        total = 0.0
        for kind, before, after in zip(kinds, start, end, strict=True):
            if before and self.attracts(kind, met):
                if after is None and self.times(met, kind):
                    after = 0.0
                if after is not None:
                    total += 1.0 - after / before
        return total

    def attracts(self, kind: int, met: Met) -> bool:
        """Whether a kind was never met before this simulation, or meeting it raises the score."""
        if self.times(self.counts, kind) == self.times(met, kind):
            return True
        return any(self.changes.get(Item(by, kind), 0.0) > 0.0 for by in (False, True))

    @staticmethod
    def times(counts: Mapping[Item, int], kind: int) -> int:
        """How often a kind was met, by the avatar or by what it made."""
        return sum(counts.get(Item(by, kind), 0) for by in (False, True))

"""What a seat knows of its actions at one node, as flat lists."""

from __future__ import annotations

from collections.abc import Iterable

from ludex.core.model import Action
from ludex.core.rng import Rng


class Bandit:
    """The arms of one seat at one node: one entry per tried action in each list.

    Flat lists instead of an object per arm: the formulas of `selection` then run over them in
    one comprehension, which is what an iteration in Python mostly costs.
    """

    __slots__ = (
        "actions",
        "means",
        "seat",
        "spreads",
        "squares",
        "total",
        "untried",
        "vectors",
        "visits",
    )

    def __init__(self, seat: int, legal: Iterable[Action]) -> None:
        self.open(seat, legal)

    def open(self, seat: int, legal: Iterable[Action]) -> None:
        """Begin with these actions, none of them tried."""
        self.seat = seat
        self.untried = list(legal)
        self.total = 0  # visits of all arms
        self.actions: list[Action] = []
        self.visits: list[int] = []
        self.means: list[float] = []  # of the returns of `seat`
        self.squares: list[float] = []  # sums of squared returns
        self.spreads: list[float] = []  # 1 / sqrt(visits)
        self.vectors: list[list[float]] = []  # mean returns of all seats; `max` backups only

    def try_one(self, rng: Rng) -> int:
        """Draw an untried action, give it an arm and return its place.

        An arm without a visit means that the budget ended before its first result was in.
        """
        untried = self.untried
        chosen = rng.below(len(untried))
        untried[chosen], untried[-1] = untried[-1], untried[chosen]
        return self.add(untried.pop())

    def add(self, action: Action) -> int:
        """Give an action an arm and return its place."""
        self.actions.append(action)
        self.visits.append(0)
        self.means.append(0.0)
        self.squares.append(0.0)
        self.spreads.append(0.0)
        return len(self.actions) - 1

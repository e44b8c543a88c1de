"""A bandit: the statistics of one player's actions at a node."""

from __future__ import annotations

from collections.abc import Collection

from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.core.rollout import Arms


class Bandit(Arms):
    """The arms of one seat at one node: an entry per tried action in each list.

    The numbers (`visits`, `means`, `squares`, `spreads`, all by place, and `total`) are flat
    native arrays, because choosing and recording is what an iteration in Python mostly costs.
    Reading a list makes a new one; `record` and `put_mean` change them.
    """

    __slots__ = ("actions", "untried", "vectors")

    def __init__(self, seat: int, legal: Collection[Action]) -> None:
        Arms.__init__(self, seat)
        self.open(seat, legal)

    def open(self, seat: int, legal: Collection[Action]) -> None:
        """Begin with these actions, none of them tried."""
        self.seat = seat
        self.clear(len(legal))
        self.untried = list(legal)
        self.actions: list[Action] = []
        self.vectors: list[list[float]] = []  # mean returns of all seats; `max` backups only

    def try_one(self, rng: Rng) -> int:
        """Draw an untried action, give it an arm and return its place.

        An arm without a visit means that the budget ended before its first result was in.
        """
        self.draw_untried(rng)
        return self.add(self.untried.pop())

    def draw_untried(self, rng: Rng) -> Action:
        """Draw an untried action; it then stands last among them."""
        untried = self.untried
        chosen = rng.below(len(untried))
        untried[chosen], untried[-1] = untried[-1], untried[chosen]
        return untried[-1]

    def add(self, action: Action) -> int:
        """Give an action an arm and return its place."""
        self.actions.append(action)
        return self.grow()

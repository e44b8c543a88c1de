"""A bandit: the statistics of one player's actions at a node."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.core.rollout import Arms
from ludex.planners.parts.risk import Results


class Bandit(Arms):
    """The arms of one seat at one node: an entry per tried action in each list.

    The numbers (`visits`, `means`, `squares`, `spreads`, all by place, and `total`) are flat
    native arrays, because choosing and recording is what an iteration in Python mostly costs.
    Reading a list makes a new one; `record` and `put_mean` change them.
    """

    __slots__ = (
        "actions",
        "legality",
        "priors",
        "results",
        "untried",
        "untried_legality",
        "untried_priors",
        "vectors",
    )

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
        self.results: list[Results] = []  # all of each arm; risk-averse backups only
        self.priors: list[float] = []  # of the arms, where the search has priors
        self.untried_priors: list[float] = []
        self.legality: list[float] = []  # how likely the arms are legal, in models of beliefs
        self.untried_legality: list[float] = []

    def set_priors(self, priors: Sequence[float]) -> None:
        """Give the actions, none of which is tried yet, their priors."""
        self.untried_priors = list(priors)

    def try_one(self, rng: Rng) -> int:
        """Draw an untried action, give it an arm and return its place."""
        chosen = rng.below(len(self.untried))
        if self.untried_priors:
            self.priors.append(taken(self.untried_priors, chosen))
        if self.untried_legality:
            self.legality.append(taken(self.untried_legality, chosen))
        return self.add(taken(self.untried, chosen))

    def add(self, action: Action) -> int:
        """Give an action an arm and return its place."""
        self.actions.append(action)
        return self.grow()

    def forget_last(self) -> None:
        """Take back the arm that was added last, which has no visit."""
        self.shrink()
        self.untried.append(self.actions.pop())
        if self.priors:
            self.untried_priors.append(self.priors.pop())
        if self.legality:
            self.untried_legality.append(self.legality.pop())

    def copy(self) -> Bandit:
        """A bandit with the same arms, to be looked at in other ways."""
        twin = Bandit(self.seat, ())
        twin.actions = self.actions
        twin.priors = self.priors
        twin.legality = self.legality
        twin.fill(self.visits, self.means, self.squares, self.spreads)
        twin.total = self.total
        return twin


def taken(items: list[Any], index: int) -> Any:
    """Take an item out; the last one moves to its place."""
    items[index], items[-1] = items[-1], items[index]
    return items.pop()

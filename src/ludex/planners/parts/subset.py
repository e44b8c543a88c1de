"""Subset-armed bandits: the set of legal actions differs between visits."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.selection import Selection


class SubsetBandit(Bandit):
    """A bandit that is told on each visit which of its actions are legal this time.

    Chance and hidden facts make actions come and go where a node stands for many states. An
    arm then competes by how often it was *available*: ucb1 becomes mean + exploration *
    sqrt(ln available / visits), the subset-armed bandit of Cowling, Powley and Whitehouse
    (2012). While the list never changes, availability is the total, and no time is lost.
    """

    __slots__ = ("available", "legal", "places", "varies")

    def __init__(self, seat: int, legal: Sequence[Action]) -> None:
        super().__init__(seat, legal)
        self.legal = legal
        self.varies = False

    def choose(
        self, legal: Sequence[Action], rule: Selection, exploration: float, span: float, rng: Rng
    ) -> int:
        """Return the place of an untried action if one is legal, else the one the rule takes."""
        if not self.varies:
            if legal is self.legal or legal == self.legal:
                return self.try_one(rng) if self.untried else rule(self, exploration, span, rng)
            self.varies = True
            self.available = [self.total] * len(self.actions)
            self.places = {action: index for index, action in enumerate(self.actions)}
        places = self.places
        untried = [action for action in legal if action not in places]
        for action in legal:
            if action in places:
                self.available[places[action]] += 1
        if untried:
            action = untried[rng.below(len(untried))]
            self.available.append(1)
            places[action] = self.add(action)
            return places[action]
        chosen = [places[action] for action in legal]
        return chosen[rule(self.narrowed(chosen), exploration, span, rng)]

    def forget_last(self) -> None:
        if not self.varies:
            super().forget_last()
            return
        self.shrink()
        self.available.pop()
        del self.places[self.actions.pop()]

    def narrowed(self, places: Sequence[int]) -> Bandit:
        """Make a bandit of these arms alone, their bonus scaled to their availability."""
        visits, means, squares, spreads = self.visits, self.means, self.squares, self.spreads
        most = max(2, *(self.available[place] for place in places))
        part = Bandit(self.seat, ())
        part.actions = [self.actions[place] for place in places]
        part.total = most
        part.fill(
            [visits[place] for place in places],
            [means[place] for place in places],
            [squares[place] for place in places],
            [spreads[place] * sqrt(log(self.available[place]) / log(most)) for place in places],
        )
        return part

"""Bandit mutation: bandits choose which gene to change, and its new value."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

from ludex.core.rng import Rng
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.selection import ucb1
from ludex.planners.parts.sequences import Alphabet, Gene

EXPLORATION = sqrt(2.0)


class GeneBandits:
    """Two levels of ucb1: an outer bandit over the places, and one in each place over its genes.

    What a change is rewarded with is the value of the sequence that it made.
    """

    def __init__(self, alphabets: Sequence[Alphabet]) -> None:
        self.alphabets = alphabets
        self.places = Bandit(0, range(len(alphabets)))
        self.genes = [Bandit(0, ()) for _ in alphabets]
        self.known = [0] * len(alphabets)  # genes of each place that its bandit was told of
        self.low, self.high = inf, -inf

    def choose(self, rng: Rng) -> tuple[int, int]:
        """Return the arms of the place to change and of the gene to put there."""
        arm = self.pull(self.places, rng)
        place = self.places.actions[arm]
        bandit, genes = self.genes[place], self.alphabets[place].genes
        bandit.untried += genes[self.known[place] :]
        self.known[place] = len(genes)
        if not bandit.untried and not bandit.actions:
            bandit.untried.append(None)  # nobody has been there: whatever is drawn on arrival
        return arm, self.pull(bandit, rng)

    def pull(self, bandit: Bandit, rng: Rng) -> int:
        if bandit.untried:
            return bandit.try_one(rng)
        span = self.high - self.low if self.high > self.low else 1.0  # all alike: try them all
        return ucb1(bandit, EXPLORATION, span, rng)

    def change(self, arms: tuple[int, int]) -> tuple[int, Gene]:
        """The place and the gene that a pair of arms stands for."""
        place = self.places.actions[arms[0]]
        return place, self.genes[place].actions[arms[1]]

    def learn(self, arms: tuple[int, int], value: float) -> None:
        """Reward both levels with the value of the changed sequence."""
        place = self.places.actions[arms[0]]
        mean([(self.places, arms[0]), (self.genes[place], arms[1])], (value,))
        self.low, self.high = min(self.low, value), max(self.high, value)

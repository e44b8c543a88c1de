"""Dynamic length: the horizon follows the flatness of the fitness landscape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt

from ludex.planners.parts.recommendation import Tried


@dataclass(frozen=True, slots=True)
class LengthRule:
    """When and how far a length changes."""

    period: int = 15
    """decisions between two changes"""
    flat: float = 0.05
    """below this standard deviation of values from 0 to 1 we look further ..."""
    rough: float = 0.4
    """... and above this one less far"""
    step: int = 5
    least: int = 5
    most: int = 150


class DynamicLength:
    """Lengthens sequences while all of them seem worth the same, and shortens them otherwise.

    Values are brought to 0 .. 1 by the least and the largest of the whole game.
    """

    def __init__(self, length: int, rule: LengthRule | None = None) -> None:
        self.length = length
        self.rule = rule or LengthRule()
        self.decisions = 0
        self.spread: Callable[[], float] | None = None  # of the values of the last decision
        self.low, self.high = inf, -inf

    def next_length(self) -> int:
        """The length for the decision that begins now."""
        rule = self.rule
        if self.decisions % rule.period == 0:
            flatness = self.flatness
            if flatness < rule.flat:
                self.length += rule.step
            elif flatness > rule.rough:
                self.length -= rule.step
            self.length = min(max(self.length, rule.least), rule.most)
        self.decisions += 1
        return self.length

    @property
    def flatness(self) -> float:
        """The standard deviation of the landscape; without one, just what changes nothing."""
        if self.spread is None:
            return self.rule.flat
        span = self.high - self.low
        return self.spread() / span if span > 0.0 else 0.0

    def observe_arms(self, arms: Tried, low: float, high: float) -> None:
        """Take in all values that a bandit recorded in one decision, and their range."""
        if not arms.total:
            return
        # Worked out only when it is asked for, every so many decisions.
        self.spread = lambda: deviation_of_arms(arms)
        self.low, self.high = min(self.low, low), max(self.high, high)


def deviation_of_arms(arms: Tried) -> float:
    """The standard deviation of all values recorded in a bandit, whatever the arm."""
    visits, means = arms.visits, arms.means
    count = sum(visits)
    average = sum(mean * n for mean, n in zip(means, visits, strict=True)) / count
    return sqrt(max(0.0, sum(arms.squares) / count - average**2))

"""How far to look, by how flat the landscape of values is (dynamic length)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

PERIOD = 15  # decisions between two changes
FLAT = 0.05  # below this standard deviation of values from 0 to 1 we look further ...
ROUGH = 0.4  # ... and above this one less far
STEP, LEAST, MOST = 5, 5, 150


class DynamicLength:
    """Lengthens sequences while all of them seem worth the same, and shortens them otherwise.

    Values are brought to 0 .. 1 by the least and the largest of the whole game.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.decisions = 0
        self.landscape: Sequence[float] = ()  # all values of the last decision
        self.low, self.high = inf, -inf

    def next_length(self) -> int:
        """The length for the decision that begins now."""
        if self.decisions % PERIOD == 0:
            flatness = self.flatness
            if flatness < FLAT:
                self.length += STEP
            elif flatness > ROUGH:
                self.length -= STEP
            self.length = min(max(self.length, LEAST), MOST)
        self.decisions += 1
        return self.length

    @property
    def flatness(self) -> float:
        """The standard deviation of the landscape; without one, just what changes nothing."""
        values = self.landscape
        if not values:
            return FLAT
        span = self.high - self.low
        if span <= 0.0:
            return 0.0
        average = sum(values) / len(values)
        return sqrt(sum((value - average) ** 2 for value in values) / len(values)) / span

    def observe(self, values: Sequence[float]) -> None:
        """Take in all values that one decision saw."""
        self.landscape = values
        if values:
            self.low, self.high = min(self.low, *values), max(self.high, *values)

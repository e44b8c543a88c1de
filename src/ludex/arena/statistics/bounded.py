"""Means of few bounded values: intervals and tests that no distribution within the bounds fools.

The bound is Gaffke's (N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis
on the mean of a nonnegative variable", 2005): the bootstrap of Bayes, with one more value that was
not seen and is as bad as can be. For values that are all 0 or 1 it is the exact interval of
Clopper and Pearson; for many values it is the usual one. Unlike resampled means it is wide where
values are few or all alike: ten equal values do not say that the next one is equal, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics.intervals import check_confidence
from ludex.core.errors import BadParameter

RESAMPLES = 10_000
SEED = 20_170_715


@dataclass(frozen=True)
class BoundedMean:
    """The mean of independent values that lie between two bounds."""

    values: tuple[float, ...]
    least: float
    most: float

    def __post_init__(self) -> None:
        if not self.least < self.most:
            raise BadParameter(f"bounds are two numbers in order, got {self.least}, {self.most}")
        if outside := [one for one in self.values if not self.least <= one <= self.most]:
            raise BadParameter(
                f"values lie between {self.least:g} and {self.most:g}, got {outside[0]:g}"
            )

    @property
    def count(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values)) if self.values else math.nan

    @property
    def deviation(self) -> float:
        """The standard deviation; nan for fewer than two values."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else math.nan

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval of the mean; all that is possible where there are no values.

        >>> low, high = BoundedMean((1.0,) * 6, 0.0, 1.0).interval()
        >>> f"{low:.2f} {high:.2f}"  # exact: 0.025 ** (1 / 6)
        '0.54 1.00'
        """
        check_confidence(confidence)
        lows, highs = self.drawn
        tail = (1 - confidence) / 2
        low, high = float(np.quantile(lows, tail)), float(np.quantile(highs, 1 - tail))
        return max(self.least, low), min(self.most, high)  # rounding must not leave the bounds

    def p_above(self, mean: float) -> float:
        """The largest probability of values as great as these if the mean is `mean` or less."""
        lows, _ = self.drawn
        return float((np.count_nonzero(lows <= mean) + 1) / (len(lows) + 1))

    def p_below(self, mean: float) -> float:
        """The largest probability of values as small as these if the mean is `mean` or more."""
        _, highs = self.drawn
        return float((np.count_nonzero(highs >= mean) + 1) / (len(highs) + 1))

    def p_other(self, mean: float) -> float:
        """The same for a mean that is `mean`: the test has two sides."""
        return min(1.0, 2 * min(self.p_above(mean), self.p_below(mean)))

    @cached_property
    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means by random weights, with an unseen value at the lower and at the upper bound."""
        weights = random_weights(len(self.values))
        seen = weights[:, 1:] @ np.asarray(self.values, dtype=float)
        return seen + weights[:, 0] * self.least, seen + weights[:, 0] * self.most


@lru_cache(maxsize=2)
def random_weights(count: int) -> NDArray[np.float64]:
    """Weights that add up to 1, of one unseen value and of those seen, drawn evenly."""
    generator = np.random.default_rng(SEED)
    weights = generator.standard_exponential((RESAMPLES, count + 1))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def values_needed(
    gap: float, deviation: float, span: float, confidence: float = 0.95, power: float = 0.8
) -> int | None:
    """How many values tell a mean from another that lies `gap` away, with this power.

    It solves for the count at which the interval is expected to leave the other mean out: the
    distance of the unseen value shrinks with the count, and the spread with its root.

    Args:
        gap: The distance of the two means.
        deviation: The standard deviation of the values.
        span: How far an unseen value can be from the mean.
        confidence: Of the interval.
        power: How often it should succeed.

    Returns:
        The count; None if more than `MOST_NEEDED` are.

    >>> values_needed(30.0, 60.0, 130.0), values_needed(0.0, 60.0, 100.0)
    (40, None)
    """
    from scipy.stats import norm

    spread = float(norm.ppf(0.5 + confidence / 2) + norm.ppf(power)) * deviation
    low, high = 1, MOST_NEEDED
    if not enough(high, gap, spread, span):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle, gap, spread, span) else (middle + 1, high)
    return low


MOST_NEEDED = 100_000


def enough(count: int, gap: float, spread: float, span: float) -> bool:
    return gap - span / (count + 1) > spread / math.sqrt(count)

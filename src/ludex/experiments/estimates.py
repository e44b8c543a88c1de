"""Means with intervals, where there are enough values for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ludex.arena.statistics.bounded import BoundedMean
from ludex.arena.statistics.intervals import mean_interval
from ludex.experiments.judge import FEWEST_PAIRS


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of independent values, with its 95 % interval."""

    mean: float
    cases: int
    interval: tuple[float, float] | None
    """None for fewer than `FEWEST_PAIRS` values"""

    @property
    def low(self) -> float:
        """The lower end of the interval; the mean itself where there is none."""
        return self.interval[0] if self.interval else self.mean

    @property
    def high(self) -> float:
        return self.interval[1] if self.interval else self.mean

    def __str__(self) -> str:
        """The mean and the interval.

        >>> print(Estimate(0.5, 9, (0.25, 0.75)), Estimate(0.5, 2, None), sep=", ")
        0.50 (0.25 .. 0.75), 0.50
        """
        interval = f" ({self.low:.2f} .. {self.high:.2f})" if self.interval else ""
        return f"{self.mean:.2f}{interval}"


def mean_share(values: Sequence[float]) -> Estimate:
    """The mean of shares from 0 to 1, such as games won or objects predicted."""
    # Rounding must not leave the bounds.
    found = BoundedMean(tuple(min(1.0, max(0.0, float(one))) for one in values), 0.0, 1.0)
    interval = found.interval() if found.count >= FEWEST_PAIRS else None
    return Estimate(found.mean, found.count, interval)


def mean_value(values: Sequence[float]) -> Estimate:
    """The mean of values without bounds, such as scores, with Student's t interval."""
    interval = mean_interval(values) if len(values) >= FEWEST_PAIRS else None
    return Estimate(float(np.mean(values)), len(values), interval)


def next_value(values: Sequence[float]) -> Estimate:
    """The mean, with the interval in which one more value is expected (of prediction, by t)."""
    found = mean_value(values)
    if found.interval is None:
        return found
    half = sqrt(1 + len(values)) * (found.high - found.low) / 2
    return Estimate(found.mean, found.cases, (found.mean - half, found.mean + half))


def mean_against(values: Sequence[float], others: Sequence[float]) -> Estimate:
    """The mean, with the interval of its difference from another mean laid around that (Welch)."""
    if min(len(values), len(others)) < FEWEST_PAIRS:
        return Estimate(float(np.mean(values)), min(len(values), len(others)), None)
    from scipy.stats import ttest_ind

    other = float(np.mean(others))
    if len(set(values)) == len(set(others)) == 1:  # no spread to measure by
        low = high = float(np.mean(values))
    else:
        bounds = ttest_ind(values, others, equal_var=False).confidence_interval()
        low, high = other + float(bounds.low), other + float(bounds.high)
    return Estimate(float(np.mean(values)), min(len(values), len(others)), (low, high))

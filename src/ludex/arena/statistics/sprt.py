"""The sequential probability ratio test: play until it is clear which of two agents is better.

The ratio compares two hypotheses about the mean result of a pair of games, `elo0` and `elo1`,
each at its most likely: the distribution of results with that mean which explains the games
best. For results of 0 and 1 alone it is Wald's ratio.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludex.core.errors import BadParameter

Verdict: TypeAlias = Literal["better", "not better", "undecided"]


def expected_score(elo: float) -> float:
    """The mean result of an agent that is stronger by so many points of Elo.

    >>> expected_score(0), round(expected_score(100), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The points of Elo that correspond to a mean result; infinite for 0 and 1."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


@dataclass
class Sprt:
    """A running test: pass results to `add` and read its `verdict`."""

    elo0: float = 0.0
    """not better: by at most so many points"""
    elo1: float = 10.0
    """better: by at least so many points"""
    alpha: float = 0.05
    """the probability to call an agent better that is not"""
    beta: float = 0.05
    """the probability to miss one that is"""
    counts: Counter[float] = field(default_factory=Counter)
    """how often each result occurred, from 0 (lost) to 1 (won)"""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadParameter(f"elo0 is below elo1, got {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BadParameter(f"{name} is between 0 and 0.5, got {getattr(self, name):g}")

    def add(self, result: float) -> None:
        if not 0 <= result <= 1:
            raise BadParameter(f"a result is from 0 to 1, got {result!r}")
        self.counts[result] += 1

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: at or below the first it is not better, at or above the second it is."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood ratio so far."""
        return log_ratio(self.counts, expected_score(self.elo0), expected_score(self.elo1))

    @property
    def verdict(self) -> Verdict:
        low, high = self.bounds
        ratio = self.ratio
        return "better" if ratio >= high else "not better" if ratio <= low else "undecided"

    @property
    def is_decided(self) -> bool:
        return self.verdict != "undecided"

    @property
    def pairs(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        total = sum(result * number for result, number in self.counts.items())
        return total / self.pairs if self.pairs else 0.5


def log_ratio(counts: Mapping[float, float], mean0: float, mean1: float) -> float:
    """The log likelihood ratio of two means, each with the distribution that fits best.

    Results of one kind alone cannot have another mean, so a thousandth of a game is added at
    each end, too little to decide anything.
    """
    if not sum(counts.values()):
        return 0.0
    seen = {0.0: 1e-3, 1.0: 1e-3}
    for result, number in counts.items():
        seen[result] = seen.get(result, 0.0) + number
    total = sum(seen.values())
    return sum(
        number * math.log(likely1 / likely0)
        for number, likely0, likely1 in zip(
            seen.values(),
            best_distribution(seen, total, mean0),
            best_distribution(seen, total, mean1),
            strict=True,
        )
    )


def best_distribution(seen: Mapping[float, float], total: float, mean: float) -> list[float]:
    """The probabilities with this mean under which the results seen are most likely.

    They are share / (1 + t (result - mean)), with t such that the mean is right (Lagrange).
    """
    from scipy.optimize import brentq

    offsets = [result - mean for result in seen]
    shares = [number / total for number in seen.values()]
    # All probabilities are positive between the poles; at the root their offsets cancel out.
    low, high = -1 / max(offsets), -1 / min(offsets)
    edge = 1e-12 * (high - low)

    def drift(t: float) -> float:
        return sum(s * x / (1 + t * x) for s, x in zip(shares, offsets, strict=True))

    t = brentq(drift, low + edge, high - edge, xtol=1e-14)
    return [s / (1 + t * x) for s, x in zip(shares, offsets, strict=True)]

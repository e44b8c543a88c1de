"""Win rates and means of many matches, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ludex.arena.match.runner import MatchResult
from ludex.core.errors import BadParameter

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Tally:
    """Wins, ties and returns of one agent in a series."""

    agent: str
    games: int
    wins: int
    ties: int
    """games that nobody won"""
    returns: tuple[float, ...]
    """of each game"""
    faults: int = 0
    """late answers not counted"""

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.ties

    @property
    def win_rate(self) -> float:
        return self.wins / self.games if self.games else math.nan

    @property
    def win_interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def mean_return(self) -> float:
        return float(np.mean(self.returns)) if self.returns else math.nan

    @property
    def return_interval(self) -> tuple[float, float]:
        """The 95 % t interval of the mean return."""
        return mean_interval(self.returns)


def tally(results: Iterable[MatchResult]) -> list[Tally]:
    """Count wins per agent, in the order in which the agents were given.

    Several winners of one game all count as winners; a game without winners is a tie.
    """
    matches = list(results)
    tallies: list[Tally] = []
    for entrant in range(len(matches[0].agents) if matches else 0):
        seats = [match.entrants.index(entrant) for match in matches]
        pairs = list(zip(matches, seats, strict=True))
        tallies.append(
            Tally(
                agent=matches[0].agents[seats[0]],
                games=len(matches),
                wins=sum(seat in match.winners for match, seat in pairs),
                ties=sum(not match.winners for match in matches),
                returns=tuple(match.returns[seat] for match, seat in pairs),
                faults=sum(
                    fault.seat == seat and fault.kind not in ("late", "killed")
                    for match, seat in pairs
                    for fault in match.faults
                ),
            )
        )
    return tallies


def wilson(wins: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a proportion; (0, 1) when nothing was played.

    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    check_confidence(confidence)
    if games < 0 or not 0 <= wins <= games:
        raise BadParameter(f"wins must be from 0 to the number of games {games}, got {wins!r}")
    if games == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate = wins / games
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    # The bounds are exact where all games went one way; rounding must not leave [0, 1].
    low = 0.0 if wins == 0 else middle - half
    high = 1.0 if wins == games else middle + half
    return low, high


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Student's t interval of a mean; unbounded for fewer than two values."""
    check_confidence(confidence)
    if len(values) < 2:
        return -math.inf, math.inf
    from scipy.stats import t  # slow to import, and not needed to play

    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = float(t.ppf(0.5 + confidence / 2, len(values) - 1)) * error
    return mean - half, mean + half


def bootstrap_interval(
    values: Sequence[float], confidence: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """The percentile bootstrap interval of a mean, for values far from normal."""
    check_confidence(confidence)
    if not values:
        return -math.inf, math.inf
    if len(set(values)) == 1:  # resamples do not differ, either
        return float(values[0]), float(values[0])
    from scipy.stats import bootstrap  # slow to import, and not needed to play

    found = bootstrap(
        (np.asarray(values, dtype=float),),
        np.mean,
        confidence_level=confidence,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(found.low), float(found.high)


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise BadParameter(f"a confidence is between 0 and 1, got {confidence!r}")

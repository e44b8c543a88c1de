"""Weighs the claims of a source against what was measured.

All arms meet the same games with the same seeds, so they are compared match by match: the
interval of a difference is found by drawing the matches again, game by game (a bootstrap whose
clusters are the matches that share game, level and repetition). Where it holds zero, an order
stays undecided, however good it looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.arena.results import Row
from ludex.arena.statistics import wilson
from ludex.studies.experiment import Arm, Claim, Level, Order

Verdict: TypeAlias = Literal["holds", "undecided", "contradicted"]
RESAMPLES = 4_000
SEED = 20_170_715


@dataclass(frozen=True, slots=True)
class Measured:
    """What one arm won, in per cent, with the 95 % Wilson interval."""

    arm: Arm
    games: int
    wins: int

    @property
    def percent(self) -> float:
        return 100 * self.wins / self.games if self.games else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        low, high = wilson(self.wins, self.games)
        return 100 * low, 100 * high


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what was measured: a difference or a level in per cent, and its interval."""

    claim: Claim
    verdict: Verdict
    value: float
    low: float
    high: float


def measure(arms: Sequence[Arm], rows: Sequence[Row]) -> list[Measured]:
    """Count the wins of each arm."""
    by_arm = {arm.label: [row for row in rows if row.agent == arm.label] for arm in arms}
    return [
        Measured(arm, len(by_arm[arm.label]), sum(row.won for row in by_arm[arm.label]))
        for arm in arms
    ]


def judge(claim: Claim, rows: Sequence[Row]) -> Judged:
    """Weigh one claim."""
    if isinstance(claim, Level):
        return judge_level(claim, rows)
    return judge_order(claim, rows)


def judge_order(claim: Order, rows: Sequence[Row]) -> Judged:
    about = [row for row in rows if not claim.games or row.game in claim.games]
    differences = 100 * (won_by_match(about, claim.better) - won_by_match(about, claim.worse))
    value, low, high = mean_with_interval(differences)
    if claim.relation == "same":
        verdict: Verdict = "holds" if low <= 0 <= high else "contradicted"
    elif low > 0:
        verdict = "holds"
    else:
        verdict = "contradicted" if high < 0 else "undecided"
    return Judged(claim, verdict, value, low, high)


def judge_level(claim: Level, rows: Sequence[Row]) -> Judged:
    value, low, high = mean_with_interval(100 * won_by_match(rows, claim.arms))
    least, most = claim.percent - claim.tolerance, claim.percent + claim.tolerance
    if least <= low and high <= most:
        verdict: Verdict = "holds"
    else:
        verdict = "undecided" if low <= most and high >= least else "contradicted"
    return Judged(claim, verdict, value, low, high)


def won_by_match(rows: Sequence[Row], arms: Sequence[str]) -> NDArray[np.float64]:
    """The share of these arms that won, for each game, level and repetition in turn."""
    wins: dict[tuple[str, int, int], list[bool]] = {}
    for row in rows:
        if row.agent in arms:
            wins.setdefault((row.game, row.level or 0, row.repetition), []).append(row.won)
    return np.array([np.mean(wins[match]) for match in sorted(wins)])


def mean_with_interval(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """The mean, and the middle 95 % of the means of values drawn again."""
    if not len(values):
        return float("nan"), float("-inf"), float("inf")
    generator = np.random.default_rng(SEED)
    drawn = generator.integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(values.mean()), float(low), float(high)

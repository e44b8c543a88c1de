"""Statistical tests of the claims of a source against measured results.

All arms play the same games with the same seeds, so they are compared match by match: the interval
of a difference is a bootstrap whose clusters are the matches with the same game, level and
repetition. An order whose interval contains zero is undecided; two arms are called equal only if
the interval is too narrow for a difference that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics.intervals import wilson
from ludex.arena.statistics.results import Row
from ludex.experiments.experiment import Arm, Claim, LevelClaim, Measure, OrderClaim

Verdict: TypeAlias = Literal["holds", "undecided", "contradicted"]
Match: TypeAlias = tuple[str, int, int]
RESAMPLES = 4_000
SEED = 20_170_715
ALIKE = 10.0
"""percentage points, or score, within which arms count as equal"""


@dataclass(frozen=True, slots=True)
class MeasuredArm:
    """The win rate of one arm in per cent, with its 95 % Wilson interval."""

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
    """A tested claim: the measured difference or level, its interval, and the verdict."""

    claim: Claim
    verdict: Verdict
    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The value with its unit; per cent are left out."""
        unit = "" if self.claim.unit == "%" else f" {self.claim.unit}"
        return f"{self.value:.1f}{unit}"


def measure(arms: Sequence[Arm], rows: Sequence[Row]) -> list[MeasuredArm]:
    """Count the wins of each arm."""
    by_arm = {arm.label: [row for row in rows if row.agent == arm.label] for arm in arms}
    return [
        MeasuredArm(arm, len(by_arm[arm.label]), sum(row.won for row in by_arm[arm.label]))
        for arm in arms
    ]


def judge(claim: Claim, rows: Sequence[Row]) -> Judged:
    """Test one claim."""
    if isinstance(claim, LevelClaim):
        return judge_level(claim, rows)
    return judge_order(claim, rows)


def judge_order(claim: OrderClaim, rows: Sequence[Row]) -> Judged:
    about = [row for row in rows if not claim.games or row.game in claim.games]
    values = VALUES[claim.by](about)
    differences = by_match(about, values, claim.better) - by_match(about, values, claim.worse)
    value, low, high = mean_with_interval(differences)
    return Judged(claim, verdict_on(claim, low, high), value, low, high)


def verdict_on(claim: OrderClaim, low: float, high: float) -> Verdict:
    """The verdict on a claim, from the interval of a difference."""
    if claim.relation == "same":
        holds, fails = low >= -ALIKE and high <= ALIKE, low > 0 or high < 0
    elif claim.relation == "no less":
        holds, fails = low >= -ALIKE and high >= 0, high < 0
    else:
        holds, fails = low > claim.margin, high < claim.margin
    if holds:
        return "holds"
    return "contradicted" if fails else "undecided"


def judge_level(claim: LevelClaim, rows: Sequence[Row]) -> Judged:
    value, low, high = mean_with_interval(by_match(rows, wins_of(rows), claim.arms))
    least, most = claim.percent - claim.tolerance, claim.percent + claim.tolerance
    if least <= low and high <= most:
        verdict: Verdict = "holds"
    else:
        verdict = "undecided" if low <= most and high >= least else "contradicted"
    return Judged(claim, verdict, value, low, high)


def wins_of(rows: Sequence[Row]) -> list[float]:
    """The win rate of each row: 0 or 100 per cent."""
    return [100.0 * row.won for row in rows]


def scores_of(rows: Sequence[Row]) -> list[float]:
    return [row.score for row in rows]


def standings_of(rows: Sequence[Row]) -> list[float]:
    """The share of the other arms that each row is ahead of in its match, in per cent.

    A win comes before a loss, then the higher score; arms that are level count half.
    """
    results: dict[Match, list[tuple[bool, float]]] = {}
    for row in rows:
        results.setdefault(match_of(row), []).append((row.won, row.score))
    found: list[float] = []
    for row in rows:
        others, own = results[match_of(row)], (row.won, row.score)
        behind = sum(one < own for one in others) + 0.5 * (sum(one == own for one in others) - 1)
        found.append(100.0 * behind / max(1, len(others) - 1))
    return found


VALUES: dict[Measure, Callable[[Sequence[Row]], list[float]]] = {
    "wins": wins_of,
    "score": scores_of,
    "rank": standings_of,
}


def match_of(row: Row) -> Match:
    """The match of a row, shared by all arms: game, level and repetition."""
    return row.game, row.level or 0, row.repetition


def by_match(
    rows: Sequence[Row], values: Sequence[float], arms: Sequence[str]
) -> NDArray[np.float64]:
    """The mean of these arms' values, for each game, level and repetition in turn."""
    found: dict[Match, list[float]] = {}
    for row, value in zip(rows, values, strict=True):
        if row.agent in arms:
            found.setdefault(match_of(row), []).append(value)
    return np.array([np.mean(found[match]) for match in sorted(found)])


def mean_with_interval(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """The mean with its 95 % bootstrap interval."""
    if not len(values):
        return float("nan"), float("-inf"), float("inf")
    generator = np.random.default_rng(SEED)
    drawn = generator.integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(values.mean()), float(low), float(high)

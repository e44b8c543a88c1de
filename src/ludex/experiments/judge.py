"""Statistical tests of the claims of a source against measured results.

All arms play the same levels with the same seeds. The *pairs* of a comparison are the levels:
matches of a level are averaged first, so matches that are copies of each other (an agent without
chance in a puzzle) count once. Intervals and tests are those of bounded values, which hold for any
distribution. A claim such as "best" is a comparison with each other arm and holds if the worst of
them does, corrected for their number (Holm). Arms are called equal only if no difference that
matters is left in the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ludex.arena.statistics.bounded import BoundedMean, values_needed
from ludex.arena.statistics.comparisons import ALPHA, corrected
from ludex.arena.statistics.results import Row
from ludex.experiments.experiment import (
    Arm,
    Claim,
    EachClaim,
    Figure,
    Group,
    LevelClaim,
    Measure,
    OrderClaim,
)

Verdict: TypeAlias = Literal["holds", "undecided", "contradicted", "too few"]
Level: TypeAlias = tuple[str, int]
Match: TypeAlias = tuple[str, int, int]
ALIKE = 10.0
"""percentage points within which arms count as equal, and measured numbers as the printed ones"""
FEWEST_PAIRS = 6
"""With fewer pairs no interval of 95 % excludes zero, though one arm were ahead in all of them."""
FEWEST_ALIKE = 36
"""The same for equality: with fewer pairs, no difference in any of them leaves 10 points open."""


@dataclass(frozen=True, slots=True)
class MeasuredArm:
    """The win rate of one arm in per cent."""

    arm: Arm
    games: int
    wins: int
    levels: int = 0
    interval: tuple[float, float] | None = None
    """of 95 %, over levels; None for fewer than `FEWEST_PAIRS`"""

    @property
    def percent(self) -> float:
        return 100 * self.wins / self.games if self.games else float("nan")

    def meets(self, figure: Figure) -> Verdict:
        """Whether the measured win rate is the printed one, but for points that do not matter."""
        if self.interval is None:
            return "too few"
        low, high = self.interval
        if verdict := verdict_on_sameness(low - figure.percent, high - figure.percent, ALIKE):
            return verdict
        return "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """A tested claim: the measured difference or level, its interval, and the verdict."""

    claim: Claim
    verdict: Verdict
    value: float
    """in per cent; of a claim about each, that of the worst comparison"""
    interval: tuple[float, float] | None
    """of 95 %; None where there are too few pairs"""
    pairs: int
    """levels"""
    needed: int | None
    """levels that would decide it; None for more than can be played"""
    comparison: str = ""
    """the worst, of a claim about each"""

    @property
    def decided(self) -> bool:
        return self.verdict in ("holds", "contradicted")


def measure(arms: Sequence[Arm], rows: Sequence[Row]) -> list[MeasuredArm]:
    """Count the wins of each arm."""
    won = wins_of(rows)
    found: list[MeasuredArm] = []
    for arm in arms:
        own = [row for row in rows if row.agent == arm.label]
        rates = BoundedMean(tuple(level_means(rows, won, (arm.label,)).values()), 0.0, 100.0)
        interval = rates.interval() if rates.count >= FEWEST_PAIRS else None
        found.append(MeasuredArm(arm, len(own), sum(row.won for row in own), rates.count, interval))
    return found


def judge(claim: Claim, rows: Sequence[Row], alpha: float = ALPHA) -> Judged:
    """Test one claim.

    Args:
        claim: What is claimed.
        rows: The results of all arms.
        alpha: The probability of a false verdict that is accepted.
    """
    if isinstance(claim, LevelClaim):
        return judge_level(claim, rows, alpha)
    return judge_order(claim, rows, alpha)


def judge_order(claim: OrderClaim | EachClaim, rows: Sequence[Row], alpha: float) -> Judged:
    about = [row for row in rows if not claim.games or row.game in claim.games]
    values = VALUES[claim.by](about)
    found = [
        BoundedMean(differences(claim.by, about, values, *pair), -100.0, 100.0)
        for pair in claim.pairs
    ]
    worst = min(range(len(found)), key=lambda index: found[index].interval()[0])
    shown = found[worst]
    if claim.relation == "more":
        verdict = verdict_on_pairs(found, claim.margin, alpha)
    else:
        verdict = verdict_on_likeness(claim.relation, shown, alpha)
    return Judged(
        claim=claim,
        verdict=verdict,
        value=shown.mean,
        interval=shown.interval() if shown.count >= FEWEST_PAIRS else None,
        pairs=shown.count,
        needed=pairs_needed(claim, shown, alpha / len(found)),
        comparison=named(*claim.pairs[worst]) if len(found) > 1 else "",
    )


def judge_level(claim: LevelClaim, rows: Sequence[Row], alpha: float) -> Judged:
    rates = BoundedMean(tuple(level_means(rows, wins_of(rows), claim.arms).values()), 0.0, 100.0)
    low, high = (one - claim.percent for one in rates.interval(1 - alpha))
    verdict = verdict_on_sameness(low, high, claim.tolerance)
    off = rates.mean - claim.percent
    gap = abs(abs(off) - claim.tolerance)
    return Judged(
        claim=claim,
        verdict=verdict or ("undecided" if rates.count >= FEWEST_PAIRS else "too few"),
        value=rates.mean,
        interval=rates.interval() if rates.count >= FEWEST_PAIRS else None,
        pairs=rates.count,
        needed=values_needed(gap, spread_of(rates), 100.0, 1 - alpha) if rates.count else None,
    )


def verdict_on_pairs(found: Sequence[BoundedMean], margin: float, alpha: float) -> Verdict:
    """Whether all means exceed a margin, or one falls short; corrected for their number."""
    if min(one.count for one in found) < FEWEST_PAIRS:
        return "too few"
    sure = [p <= alpha for p in corrected([one.p_other(margin) for one in found])]
    above = [one.mean > margin for one in found]
    if all(sure) and all(above):
        return "holds"
    if any(is_sure and not is_above for is_sure, is_above in zip(sure, above, strict=True)):
        return "contradicted"
    return "undecided"


def verdict_on_likeness(
    relation: Literal["same", "no less"], found: BoundedMean, alpha: float
) -> Verdict:
    """Whether a mean is zero, or not below it, but for a difference that does not matter."""
    low, high = found.interval(1 - alpha)
    verdict_on = verdict_on_no_less if relation == "no less" else verdict_on_sameness
    verdict = verdict_on(low, high, ALIKE)
    if found.count < FEWEST_PAIRS:
        return "too few"
    if verdict is None and relation == "same" and found.count < FEWEST_ALIKE:
        return "too few"
    return verdict or "undecided"


def verdict_on_no_less(low: float, high: float, margin: float) -> Verdict | None:
    """Whether an interval of a difference shows no loss, a loss, or (None) neither.

    >>> verdict_on_no_less(-9.0, 90.0, 10.0), verdict_on_no_less(-20.0, -1.0, 10.0)
    ('holds', 'contradicted')
    """
    if high < 0:
        return "contradicted"
    return "holds" if low >= -margin else None


def verdict_on_sameness(low: float, high: float, margin: float) -> Verdict | None:
    """Whether an interval of a difference shows sameness, a difference, or (None) neither.

    >>> verdict_on_sameness(-9.0, 10.0, 10.0), verdict_on_sameness(1.0, 11.0, 10.0)
    ('holds', 'contradicted')
    """
    if -margin <= low and high <= margin:
        return "holds"
    return "contradicted" if low > 0 or high < 0 else None


def pairs_needed(claim: OrderClaim | EachClaim, found: BoundedMean, alpha: float) -> int | None:
    """How many levels would decide a claim, if the measured difference is the true one."""
    if not found.count:
        return None
    mean, spread = found.mean, spread_of(found)
    if claim.relation == "more" or (claim.relation == "same" and abs(mean) > ALIKE):
        gap = abs(mean - claim.margin)
    elif claim.relation == "same":
        gap = ALIKE - abs(mean)
    else:
        gap = mean + ALIKE if mean > -ALIKE / 2 else -mean
    count = values_needed(gap, spread, 100.0 + abs(mean), 1 - alpha)
    fewest = FEWEST_ALIKE if claim.relation == "same" and abs(mean) <= ALIKE else FEWEST_PAIRS
    return None if count is None else max(fewest, count)


def spread_of(found: BoundedMean) -> float:
    """The standard deviation with both bounds added once: a few equal values do not make it 0."""
    return float(np.std([*found.values, found.least, found.most], ddof=1))


def differences(
    by: Measure, rows: Sequence[Row], values: Sequence[float], better: Group, worse: Group
) -> tuple[float, ...]:
    """How far the better group is ahead, level by level.

    Scores of different games do not add up, so of scores only their order in a match counts.
    """
    ahead = match_means(rows, values, better)
    behind = match_means(rows, values, worse)
    levels: dict[Level, list[float]] = {}
    for match in sorted(ahead.keys() & behind.keys()):
        difference = ahead[match] - behind[match]
        if by == "score":
            difference = 100.0 * float(np.sign(difference))
        levels.setdefault(match[:2], []).append(difference)
    return tuple(mean_of(one) for one in levels.values())


def match_means(
    rows: Sequence[Row], values: Sequence[float], arms: Sequence[str]
) -> dict[Match, float]:
    """The mean value of these arms in each match that all of them played."""
    found: dict[Match, list[float]] = {}
    for row, value in zip(rows, values, strict=True):
        if row.agent in arms:
            found.setdefault(match_of(row), []).append(value)
    return {match: mean_of(one) for match, one in found.items() if len(one) == len(arms)}


def level_means(
    rows: Sequence[Row], values: Sequence[float], arms: Sequence[str]
) -> dict[Level, float]:
    """The mean value of these arms in each level."""
    levels: dict[Level, list[float]] = {}
    for match, value in sorted(match_means(rows, values, arms).items()):
        levels.setdefault(match[:2], []).append(value)
    return {level: mean_of(found) for level, found in levels.items()}


def mean_of(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def named(better: Group, worse: Group) -> str:
    """A comparison in words.

    >>> named(("a",), ("b", "c", "d", "e"))
    'a over b and 3 more'
    """
    return " over ".join(
        group[0] if len(group) == 1 else f"{group[0]} and {len(group) - 1} more"
        for group in (better, worse)
    )


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

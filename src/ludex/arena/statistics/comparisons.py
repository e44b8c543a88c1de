"""Comparisons of agents: significance tests, effect sizes, corrections for multiple tests.

The tests are those of scipy and statsmodels; here they are put into one form. A `Comparison`
is always two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter

ALPHA = 0.05  # the usual level of significance


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a test found."""

    test: str
    statistic: float
    p: float
    """the probability of such a difference, or a larger one, by chance alone"""
    effect: float
    effect_name: str


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Comparison:
    """Compare two agents that met the same matches, by those that only one of them won.

    The test is exact: binomial. The effect is the difference of the win rates.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    one, two = pair(first, second)
    only_one = int((one & ~two).sum())
    only_two = int((~one & two).sum())
    both = int((one & two).sum())
    neither = len(one) - both - only_one - only_two
    found = test([[both, only_one], [only_two, neither]], exact=True)
    effect = (only_one - only_two) / len(one)
    return Comparison(
        "McNemar", float(found.statistic), min(1.0, float(found.pvalue)), effect, "win rate"
    )


def sign_test(wins: int, losses: int) -> Comparison:
    """Compare two agents by the games that they played against each other, ties left out.

    The effect is the share of these games that the first won, less a half.
    """
    from scipy.stats import binomtest

    decided = wins + losses
    p = float(binomtest(wins, decided, 0.5).pvalue) if decided else 1.0
    share = wins / decided - 0.5 if decided else 0.0
    return Comparison("sign", float(wins), p, share, "share of decided games - 0.5")


def z_test(wins: int, games: int, other_wins: int, other_games: int) -> Comparison:
    """Compare two win rates of unrelated matches; the effect is Cohen's h."""
    from statsmodels.stats.proportion import proportions_ztest

    for won, played in ((wins, games), (other_wins, other_games)):
        if played < 1 or not 0 <= won <= played:
            raise BadParameter(f"wins are from 0 to at least one game, got {won} of {played}")
    h = cohens_h(wins / games, other_wins / other_games)
    if wins + other_wins in (0, games + other_games):  # no spread to measure by
        return Comparison("z", 0.0, 1.0, h, "Cohen's h")
    z, p = proportions_ztest([wins, other_wins], [games, other_games])
    return Comparison("z", float(z), float(p), h, "Cohen's h")


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare paired values, such as scores in the same matches; equal pairs are left out.

    The effect is the rank-biserial correlation: 1 when the first is always the larger.
    """
    from scipy.stats import rankdata
    from scipy.stats import wilcoxon as test

    one, two = pair(first, second)
    difference = one.astype(float) - two.astype(float)
    difference = difference[difference != 0]
    if not len(difference):
        return Comparison("Wilcoxon", 0.0, 1.0, 0.0, "rank-biserial")
    found = test(difference)
    ranks = rankdata(np.abs(difference))
    effect = float((ranks * np.sign(difference)).sum() / ranks.sum())
    return Comparison(
        "Wilcoxon", float(found.statistic), float(found.pvalue), effect, "rank-biserial"
    )


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare unpaired values; the effect is how often the first is the larger (A12)."""
    from scipy.stats import mannwhitneyu

    if not len(first) or not len(second):
        raise BadParameter("both sides of a comparison need at least one value")
    effect = a12(first, second)
    if len(set(first) | set(second)) == 1:
        return Comparison("Mann-Whitney", len(first) * len(second) / 2, 1.0, effect, "A12")
    found = mannwhitneyu(first, second, alternative="two-sided")
    return Comparison("Mann-Whitney", float(found.statistic), float(found.pvalue), effect, "A12")


def permutation(
    first: Sequence[float], second: Sequence[float], resamples: int = 9999, seed: int = 0
) -> Comparison:
    """Compare means of paired values by swapping pairs at random; the effect is Cohen's d."""
    from scipy.stats import permutation_test

    one, two = (np.asarray(side, dtype=float) for side in pair(first, second))
    found = permutation_test(
        (one, two),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        rng=np.random.default_rng(seed),
    )
    spread = float(np.std(one - two, ddof=1)) if len(one) > 1 else 0.0
    mean = float(np.mean(one - two))
    effect = mean / spread if spread else math.copysign(math.inf, mean) if mean else 0.0
    return Comparison(
        "permutation", float(found.statistic), float(found.pvalue), effect, "Cohen's d"
    )


def pair(first: Sequence[Any], second: Sequence[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    if len(first) != len(second) or not len(first):
        raise BadParameter(
            f"pairs are as many on both sides, and at least one; got {len(first)} and {len(second)}"
        )
    return np.asarray(first), np.asarray(second)


# Effect sizes


def cohens_h(rate: float, other: float) -> float:
    """The distance of two rates; 0.2 is called small, 0.5 medium, 0.8 large.

    >>> round(cohens_h(0.75, 0.5), 3)
    0.524
    """
    return 2 * math.asin(math.sqrt(rate)) - 2 * math.asin(math.sqrt(other))


def a12(first: Sequence[float], second: Sequence[float]) -> float:
    """How often a value of the first is larger than one of the second, ties by half.

    >>> a12([3, 4], [1, 3])
    0.875
    """
    one, two = np.asarray(first, dtype=float)[:, None], np.asarray(second, dtype=float)[None, :]
    return float(((one > two) + 0.5 * (one == two)).mean())


def cliffs_delta(first: Sequence[float], second: Sequence[float]) -> float:
    """How much more often the first is larger than smaller: from -1 to 1."""
    return 2 * a12(first, second) - 1


# Many agents at once


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of several agents over games, with Nemenyi's critical difference."""

    statistic: float
    p: float
    mean_ranks: tuple[float, ...]
    """1 is the best; ties share their mean"""
    blocks: int
    """games"""
    critical_difference: float
    """mean ranks that are further apart differ, by Nemenyi's test"""
    nemenyi: tuple[tuple[float, ...], ...]
    """the p-value of each pair"""
    alpha: float = ALPHA

    @property
    def cliques(self) -> list[tuple[int, ...]]:
        """The largest groups of agents that the test cannot tell apart, best first."""
        order = sorted(range(len(self.mean_ranks)), key=lambda one: self.mean_ranks[one])
        found: list[tuple[int, ...]] = []
        for start, one in enumerate(order):
            near = [
                other
                for other in order[start:]
                if self.mean_ranks[other] - self.mean_ranks[one] <= self.critical_difference
            ]
            if len(near) > 1 and not (found and set(near) <= set(found[-1])):
                found.append(tuple(near))
        return found


def friedman(ranks: Sequence[Sequence[float]], alpha: float = ALPHA) -> Friedman:
    """Compare agents over games: Friedman's test with Nemenyi's for all pairs.

    Args:
        ranks: For each game the rank of each agent, 1 the best, ties sharing their mean; any
            other values with that order do as well.
        alpha: How often chance alone may make two agents differ.
    """
    from scipy.stats import friedmanchisquare, rankdata, studentized_range

    table = np.asarray(ranks, dtype=float)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 3:
        raise BadParameter("a comparison over games needs three agents and two games or more")
    table = rankdata(table, axis=1)
    blocks, agents = table.shape
    means = table.mean(axis=0)
    if (table == table[0, 0]).all():  # everybody equal everywhere
        statistic, p = 0.0, 1.0
    else:
        found = friedmanchisquare(*table.T)
        statistic, p = float(found.statistic), float(found.pvalue)
    error = math.sqrt(agents * (agents + 1) / (6 * blocks))
    # Nemenyi's q is the studentized range for an endless number of games, over the root of 2.
    critical = float(studentized_range.ppf(1 - alpha, agents, np.inf)) / math.sqrt(2) * error
    distance = np.abs(means[:, None] - means[None, :]) / error * math.sqrt(2)
    pairs = np.where(distance == 0, 1.0, studentized_range.sf(distance, agents, np.inf))
    return Friedman(
        statistic=statistic,
        p=p,
        mean_ranks=tuple(float(one) for one in means),
        blocks=blocks,
        critical_difference=critical,
        nemenyi=tuple(tuple(min(1.0, float(one)) for one in row) for row in pairs),
        alpha=alpha,
    )


Correction = Literal["holm", "bonferroni", "fdr_bh"]


def corrected(p_values: Sequence[float], method: Correction = "holm") -> list[float]:
    """Correct p-values for multiple tests.

    `holm` and `bonferroni` bound the chance of any false finding, `fdr_bh` (Benjamini and
    Hochberg) the share of false ones among the findings.
    """
    from statsmodels.stats.multitest import multipletests

    if len(p_values) < 2:
        return list(p_values)
    return [float(one) for one in multipletests(p_values, method=method)[1]]

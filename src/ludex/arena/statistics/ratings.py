"""Ratings from results: Glicko-2, and Bradley-Terry strengths with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ludex.core.errors import BadParameter

SCALE = 173.7178  # Glickman 2012, step 2: from the scale of Glicko to that of Glicko-2
TAU = 0.5  # how fast volatility may change; Glickman recommends 0.3 to 1.2
TOLERANCE = 1e-6
ELO = 400 / math.log(10)  # one unit of log odds, in the points of Elo


@dataclass(frozen=True, slots=True)
class Rating:
    """A Glicko-2 rating: strength, deviation and volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the strength."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation


def rate(one: Rating, games: Sequence[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """Rate one player after a period of games against others, by Glickman (2012).

    Args:
        one: The player's rating before the period.
        games: Each opponent's rating before the period, and 1, 0.5 or 0 for the result.
        tau: How fast the volatility may change.
    """
    # Step 2. To the scale of Glicko-2.
    mu, phi = (one.rating - 1500) / SCALE, one.deviation / SCALE
    if not games:  # Step 6 alone: only the doubt grows.
        return Rating(one.rating, SCALE * math.hypot(phi, one.volatility), one.volatility)
    # Steps 3 and 4. The variance of the results, and how far they surprise.
    inverse, surprise = 0.0, 0.0
    for other, result in games:
        if not 0 <= result <= 1:
            raise BadParameter(f"the result of a game is from 0 to 1, got {result!r}")
        g = 1 / math.sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - (other.rating - 1500) / SCALE)))
        inverse += g * g * expected * (1 - expected)
        surprise += g * (result - expected)
    variance = 1 / inverse
    # Steps 5 to 8.
    volatility = new_volatility(phi, one.volatility, variance, variance * surprise, tau)
    before = math.hypot(phi, volatility)
    phi = 1 / math.sqrt(1 / before**2 + 1 / variance)
    mu += phi * phi * surprise
    return Rating(SCALE * mu + 1500, SCALE * phi, volatility)


def new_volatility(
    phi: float, volatility: float, variance: float, delta: float, tau: float
) -> float:
    """Step 5: the root of Glickman's f by the Illinois algorithm, as he gives it."""
    a = math.log(volatility**2)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi**2 + variance + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(a - k * tau) < 0:
            k += 1
        high = a - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def rate_period(
    ratings: Sequence[Rating], results: Mapping[tuple[int, int], Sequence[float]]
) -> list[Rating]:
    """Rate everybody after one period; results are by pair, for the first of the two."""
    games: list[list[tuple[Rating, float]]] = [[] for _ in ratings]
    for (first, second), outcomes in results.items():
        for outcome in outcomes:
            games[first].append((ratings[second], outcome))
            games[second].append((ratings[first], 1 - outcome))
    return [rate(one, played) for one, played in zip(ratings, games, strict=True)]


def next_pairs(
    ratings: Sequence[Rating], meetings: Mapping[tuple[int, int], int]
) -> list[tuple[int, int]]:
    """Pair agents for the next round: the largest deviation first, with the agent it has met least.

    Among those it has met equally often, the nearest in rating is chosen, and then the first
    in the list. With an odd number of agents the best known one sits out.

    >>> next_pairs([Rating(1500, 50), Rating(1600, 90), Rating(1580, 60)], {})
    [(1, 2)]
    """
    free = sorted(range(len(ratings)), key=lambda one: (-ratings[one].deviation, one))
    pairs: list[tuple[int, int]] = []
    while len(free) > 1:
        one = free.pop(0)

        def wanted(other: int, one: int = one) -> tuple[int, float, int]:
            met = meetings.get((min(one, other), max(one, other)), 0)
            return met, abs(ratings[one].rating - ratings[other].rating), other

        other = min(free, key=wanted)
        free.remove(other)
        pairs.append((min(one, other), max(one, other)))
    return pairs


@dataclass(frozen=True, slots=True)
class Strength:
    """A Bradley-Terry strength in points of Elo; all of a table average 0."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """The strengths of maximum likelihood for a table of wins."""

    strengths: tuple[Strength, ...]
    is_bounded: bool
    """False: somebody never lost or never won against the rest, so that the wins alone would
    give an infinite distance; half a win and half a loss against an average rival were added"""

    def expected(self, one: int, other: int) -> float:
        """How often the first should win against the second."""
        distance = self.strengths[one].elo - self.strengths[other].elo
        return 1 / (1 + 10 ** (-distance / 400))


def bradley_terry(wins: Sequence[Sequence[float]], confidence: float = 0.95) -> BradleyTerry:
    """Fit strengths by maximum likelihood; `wins[i][j]` counts i's wins over j, ties by half.

    The intervals are Wald's, from the curvature of the likelihood at its top, for distances
    from the average of all.
    """
    from scipy.optimize import minimize
    from scipy.sparse.csgraph import connected_components
    from scipy.stats import norm

    table = np.asarray(wins, dtype=float)
    number = len(table)
    if table.shape != (number, number) or number < 2 or (table < 0).any() or table.trace():
        raise BadParameter("wins are a square table of counts from 0, with nothing on its diagonal")
    groups, _ = connected_components(table > 0, directed=True, connection="strong")
    is_bounded = groups == 1
    extra = 0.0 if is_bounded else 0.5  # against a rival of strength 0, once won and once lost

    def loss(strength: np.ndarray) -> tuple[float, np.ndarray]:
        distance = strength[:, None] - strength[None, :]
        likely = np.logaddexp(0, -distance)
        lost = 1 / (1 + np.exp(distance))
        slope = -(table * lost).sum(axis=1) + (table * lost).sum(axis=0)
        value = float((table * likely).sum())
        if extra:
            value += extra * float((np.logaddexp(0, -strength) + np.logaddexp(0, strength)).sum())
            slope = slope + extra * np.tanh(strength / 2)
        return value, slope

    found = minimize(loss, np.zeros(number), jac=True, method="BFGS", options={"gtol": 1e-9})
    best = found.x - found.x.mean()
    chance = 1 / (1 + np.exp(-(best[:, None] - best[None, :])))
    weight = (table + table.T) * chance * (1 - chance)
    curvature = np.diag(weight.sum(axis=1)) - weight
    if extra:
        own = 1 / (1 + np.exp(-found.x))
        curvature = curvature + np.diag(2 * extra * own * (1 - own))
    # Distances from the mean of all: the direction in which nothing changes is projected out.
    centre = np.eye(number) - 1 / number
    variance = np.diag(centre @ np.linalg.pinv(curvature) @ centre)
    half = float(norm.ppf(0.5 + confidence / 2)) * np.sqrt(np.maximum(variance, 0))
    return BradleyTerry(
        tuple(
            Strength(ELO * float(b), ELO * float(b - h), ELO * float(b + h))
            for b, h in zip(best, half, strict=True)
        ),
        is_bounded,
    )

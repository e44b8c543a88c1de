"""Intervals of bounded means: exact where they are known, and honest where values are few."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from ludex.arena.statistics.bounded import BoundedMean, enough, values_needed
from ludex.core.errors import BadParameter


@pytest.mark.parametrize(("wins", "games"), [(0, 5), (3, 10), (10, 10), (40, 100)])
def test_for_wins_and_losses_it_is_the_exact_interval_of_clopper_and_pearson(wins, games):
    values = (1.0,) * wins + (0.0,) * (games - wins)
    found = BoundedMean(values, 0.0, 1.0).interval()
    exact = binomtest(wins, games).proportion_ci(0.95, "exact")
    assert found == (pytest.approx(exact.low, abs=0.01), pytest.approx(exact.high, abs=0.01))


def test_the_p_value_is_that_of_the_binomial_test():
    found = BoundedMean((1.0,) * 9 + (0.0,), 0.0, 1.0)
    exact = binomtest(9, 10, 0.5, alternative="greater").pvalue
    assert found.p_above(0.5) == pytest.approx(exact, abs=0.003)
    assert found.p_other(0.5) == pytest.approx(2 * exact, abs=0.006)


def test_for_many_values_it_is_the_usual_interval():
    values = np.random.default_rng(0).uniform(0, 1, 2000)
    low, high = BoundedMean(tuple(values), 0.0, 1.0).interval()
    half = 1.96 * values.std() / np.sqrt(2000)
    assert low == pytest.approx(values.mean() - half, abs=0.002)
    assert high == pytest.approx(values.mean() + half, abs=0.002)


def test_without_values_anything_is_possible():
    low, high = BoundedMean((), -1.0, 1.0).interval()
    assert (low, high) == (-1.0, 1.0)


@pytest.mark.parametrize("count", [3, 6, 12])
def test_it_contains_the_mean_though_rare_values_are_far_off(count):
    """A resampled interval of ten equal values has no width, and misses this mean in a third."""
    dice = np.random.default_rng(count)
    missed = 0
    for _ in range(300):
        values = np.where(dice.random(count) < 0.1, -0.9, 0.1)  # their mean is 0
        low, high = BoundedMean(tuple(values), -1.0, 1.0).interval()
        missed += not low <= 0 <= high
    assert missed <= 15


def test_values_outside_the_bounds_are_refused():
    with pytest.raises(BadParameter, match=r"between 0 and 1, got 1\.5"):
        BoundedMean((0.5, 1.5), 0.0, 1.0)
    with pytest.raises(BadParameter, match="in order"):
        BoundedMean((), 1.0, 1.0)


def test_the_number_of_values_needed_is_the_first_that_is_enough():
    found = values_needed(10.0, 50.0, 110.0)
    spread = (1.959964 + 0.841621) * 50.0
    assert enough(found, 10.0, spread, 110.0)
    assert not enough(found - 1, 10.0, spread, 110.0)


def test_as_many_values_as_needed_find_the_difference_most_of_the_time():
    dice = np.random.default_rng(0)
    count = values_needed(20.0, 60.0, 120.0)
    found = 0
    for _ in range(100):
        values = np.clip(dice.normal(20.0, 60.0, count), -100, 100)
        found += BoundedMean(tuple(values), -100.0, 100.0).interval()[0] > 0
    assert 70 <= found <= 97

"""Random streams: named, repeatable, without bias and without relation to each other."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from ludex.core import Rng

FIRST_DRAWS = [760, 715, 294, 180, 557, 709]


def draws(rng: Rng, count: int) -> np.ndarray:
    return np.array([rng.uniform() for _ in range(count)])


def test_the_same_seed_gives_the_same_draws():
    assert [Rng(3).bits() for _ in range(3)] == [Rng(3).bits() for _ in range(3)]


def test_draws_stay_the_same_from_version_to_version():
    # Records and golden files depend on these numbers.
    rng = Rng(1).fork("match", 17)
    assert [rng.below(1000) for _ in range(6)] == FIRST_DRAWS


def test_a_fork_does_not_depend_on_the_position():
    rng = Rng(5)
    before = rng.fork("match", 17, "seat", 2)
    rng.bits()
    assert rng.fork("match", 17, "seat", 2) == before


def test_forking_does_not_disturb_the_stream():
    rng, twin = Rng(5), Rng(5)
    rng.fork("anything").bits()
    assert rng.bits() == twin.bits()


def test_forks_by_other_names_are_other_streams():
    rng = Rng(5)
    names = [("a",), ("b",), (0,), (1,), (-1,), ("a", "b"), ("b", "a"), ("ab",), ("0",), ("",)]
    assert len({rng.fork(*name).key for name in names}) == len(names)


def test_one_fork_with_two_names_is_two_forks():
    assert Rng(5).fork("match", 17) == Rng(5).fork("match").fork(17)


@pytest.mark.parametrize("n", [2, 3, 7, 10, 100])
def test_below_is_uniform(n: int):
    counts = Counter(Rng(11).fork(i).below(n) for i in range(20_000))
    assert stats.chisquare([counts[value] for value in range(n)]).pvalue > 1e-4


def test_draws_along_one_stream_are_uniform_and_not_correlated():
    values = draws(Rng(12), 40_000)
    assert stats.kstest(values, "uniform").pvalue > 1e-4
    for lag in (1, 2, 3, 16):
        # The standard error of a correlation of n independent pairs is 1 / sqrt(n) = 0.005.
        assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < 0.025


def test_neighbouring_forks_are_not_correlated():
    rng = Rng(13)
    table = np.array([draws(rng.fork("match", i), 400) for i in range(120)])
    correlations = np.corrcoef(table)[np.triu_indices(120, k=1)]
    # 7140 pairs with a standard error of 0.05: none beyond 5.5 of them, and their spread is right.
    assert np.abs(correlations).max() < 0.275
    assert abs(correlations.std() - 0.05) < 0.003


def test_the_same_draw_of_many_forks_is_uniform():
    firsts = np.array([Rng(seed).fork("seat", 0).uniform() for seed in range(20_000)])
    assert stats.kstest(firsts, "uniform").pvalue > 1e-4


def test_pairs_of_draws_of_two_forks_fill_the_square_evenly():
    a, b = Rng(14).fork(1), Rng(14).fork(2)
    cells = Counter((a.below(8), b.below(8)) for _ in range(32_000))
    assert stats.chisquare([cells[i, j] for i in range(8) for j in range(8)]).pvalue > 1e-4


def test_weighted_draws_follow_the_weights():
    rng = Rng(15)
    counts = Counter(rng.weighted([1.0, 0.0, 2.0, 5.0]) for _ in range(16_000))
    assert counts[1] == 0
    found = [counts[0], counts[2], counts[3]]
    assert stats.chisquare(found, [2000, 4000, 10_000]).pvalue > 1e-4


def test_every_order_of_a_shuffle_is_equally_likely():
    rng = Rng(16)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        rng.shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 24
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


def test_a_stream_is_read_back_from_its_text_at_its_position():
    rng = Rng(17)
    rng.bits()
    assert Rng.from_text(rng.text) == rng
    assert Rng.from_text(rng.text).bits() == rng.bits()


def test_a_stream_is_pickled_at_its_position():
    rng = Rng(18)
    rng.bits()
    assert pickle.loads(pickle.dumps(rng)).bits() == rng.bits()


@pytest.mark.parametrize("text", ["", ":", "12", "xyz:3", "12:", "12:3:4", "12:-3"])
def test_text_that_is_no_stream_is_refused(text: str):
    with pytest.raises(ValueError, match="KEY:POSITION"):
        Rng.from_text(text)


@pytest.mark.parametrize("weights", [[], [0.0], [-1.0, 2.0], [float("nan")], [float("inf")]])
def test_impossible_weights_are_refused(weights: list[float]):
    with pytest.raises(ValueError, match="weight"):
        Rng(0).weighted(weights)


@pytest.mark.parametrize("n", [0, -1])
def test_below_needs_something_to_choose_from(n: int):
    with pytest.raises(ValueError, match="n >= 1"):
        Rng(0).below(n)


def test_a_stream_is_named_by_numbers_and_text_alone():
    with pytest.raises(TypeError, match="whole numbers and text"):
        Rng(0).fork(1.5)  # type: ignore[arg-type]  # the point of the test

"""Glicko-2 by its author's example, Bradley-Terry by tables with known answers."""

import math

import pytest

from ludex.arena.statistics.ratings import Rating, bradley_terry, next_pairs, rate, rate_period
from ludex.core.errors import BadParameter


def test_glicko_2_gives_the_numbers_of_its_published_example():
    # Glickman, "Example of the Glicko-2 system" (2012): 1464.06, 151.52, 0.05999, with a rating
    # that carries the rounding of his intermediate steps.
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    found = rate(Rating(1500, 200, 0.06), games)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_only_adds_doubt():
    found = rate(Rating(1700, 200, 0.06), [])
    assert found.rating == 1700
    assert found.volatility == 0.06
    # sqrt(200^2 + (173.7178 * 0.06)^2)
    assert found.deviation == pytest.approx(math.hypot(200, 173.7178 * 0.06))


def test_a_period_rates_everybody_by_the_ratings_before_it():
    before = [Rating(1500, 200), Rating(1400, 30), Rating(1550, 100)]
    after = rate_period(before, {(0, 1): [1.0], (0, 2): [0.0]})
    assert after[0] == rate(before[0], [(before[1], 1.0), (before[2], 0.0)])
    assert after[1] == rate(before[1], [(before[0], 0.0)])


def test_a_great_surprise_raises_the_volatility():
    weak, strong = Rating(1200, 50), Rating(2000, 50)
    assert rate(weak, [(strong, 1.0)] * 5).volatility > weak.volatility


def test_the_least_known_agent_meets_whom_it_has_met_least_and_then_the_nearest():
    ratings = [Rating(1500, 60), Rating(1510, 50), Rating(1900, 40), Rating(1600, 30)]
    assert next_pairs(ratings, {}) == [(0, 1), (2, 3)]
    assert next_pairs(ratings, {(0, 1): 1}) == [(0, 3), (1, 2)]
    assert next_pairs(ratings, {(0, 1): 1, (0, 3): 1}) == [(0, 2), (1, 3)]


def test_results_outside_of_0_and_1_are_refused():
    with pytest.raises(BadParameter, match="from 0 to 1, got 2"):
        rate(Rating(), [(Rating(), 2)])


def test_two_agents_are_as_far_apart_as_their_odds():
    # 3 wins of 4: odds 3, so 400 log10(3) = 190.85 points; Wald's variance of the log odds is
    # 1 / (4 * 3/4 * 1/4) = 4/3, and each is half of the distance from the mean.
    found = bradley_terry([[0, 3], [1, 0]])
    first, second = found.strengths
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3))
    assert first.elo + second.elo == pytest.approx(0)
    half = 1.959964 * math.sqrt(4 / 3) / 2 * 400 / math.log(10)
    assert first.high - first.elo == pytest.approx(half, rel=1e-5)
    assert found.expected(0, 1) == pytest.approx(0.75)
    assert found.is_bounded


def test_strengths_solve_the_equations_of_greatest_likelihood():
    # At the top, everybody's wins are as many as expected.
    wins = [[0, 7, 9, 4], [3, 0, 6, 5], [1, 4, 0, 6], [6, 5, 4, 0]]
    found = bradley_terry(wins)
    for one in range(4):
        expected = sum(
            (wins[one][other] + wins[other][one]) * found.expected(one, other)
            for other in range(4)
            if other != one
        )
        assert expected == pytest.approx(sum(wins[one]), abs=1e-4)


def test_more_games_with_the_same_rates_give_narrower_intervals():
    few, many = bradley_terry([[0, 3], [1, 0]]), bradley_terry([[0, 300], [100, 0]])
    width = [one.strengths[0].high - one.strengths[0].low for one in (few, many)]
    assert width[1] == pytest.approx(width[0] / 10)


def test_who_never_lost_is_kept_finite_and_said_to_be():
    found = bradley_terry([[0, 5], [0, 0]])
    assert not found.is_bounded
    assert 0 < found.strengths[0].elo < 1000


@pytest.mark.parametrize("table", [[[0]], [[0, 1]], [[1, 1], [1, 0]], [[0, -1], [1, 0]]])
def test_tables_that_are_none_are_refused(table):
    with pytest.raises(BadParameter, match="square table"):
        bradley_terry(table)

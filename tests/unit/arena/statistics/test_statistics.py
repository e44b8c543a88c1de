"""Intervals against values printed in textbooks or worked by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ludex.arena.statistics.intervals import bootstrap_interval, mean_interval, tally, wilson
from ludex.arena.study.tournament import Series, play_many
from ludex.core.errors import BadParameter


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_printed_intervals(wins, games, low, high):
    assert wilson(wins, games) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


@given(st.integers(0, 500), st.integers(1, 500), st.floats(0.5, 0.999))
def test_wilson_agrees_with_another_implementation(wins, games, confidence):
    wins = min(wins, games)
    other = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert wilson(wins, games, confidence) == pytest.approx((other.low, other.high), abs=1e-9)


def test_nothing_played_leaves_everything_open():
    assert wilson(0, 0) == (0.0, 1.0)
    assert mean_interval([]) == (-math.inf, math.inf)
    assert mean_interval([1.0]) == (-math.inf, math.inf)


def test_mean_interval_by_hand():
    # mean 3, standard deviation sqrt(2.5), t(0.975; 4) = 2.776 from the printed table
    half = 2.776 * math.sqrt(2.5 / 5)
    assert mean_interval([1, 2, 3, 4, 5]) == pytest.approx((3 - half, 3 + half), abs=1e-3)


def test_bootstrap_interval_is_near_the_t_interval_for_plain_data():
    values = [float(i % 10) for i in range(200)]
    assert bootstrap_interval(values) == pytest.approx(mean_interval(values), abs=0.1)
    assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)


@pytest.mark.parametrize(("wins", "games", "sure"), [(3, 2, 0.9), (-1, 2, 0.9), (1, 2, 1.0)])
def test_impossible_counts_are_refused(wins, games, sure):
    with pytest.raises(BadParameter):
        wilson(wins, games, sure)


class First:
    """Takes one match from the first heap: with an odd number of matches seat 0 wins."""

    def decide(self, model, view, budget, rng):
        return view.legal[0]


class Same(First):
    """Plays like First under another name."""


def test_wins_follow_the_agents_when_seats_rotate():
    results = play_many("nim[heaps=3]", [First(), Same()], games=5, budget="9calls", rotate=True)
    series = Series(tuple(results))
    assert series.wins == (3, 2)
    assert [one.agent for one in series.tallies] == ["First", "Same"]
    assert series.tallies[0].returns == (1.0, -1.0, 1.0, -1.0, 1.0)
    assert series.tallies[1].losses == 3


def test_games_that_nobody_won_are_ties():
    from ludex.arena.match.rules import MatchRules

    results = play_many(
        "nim", [First(), Same()], games=3, budget="9calls", rules=MatchRules(max_ticks=1)
    )
    one, other = tally(results)
    assert (one.wins, one.ties, one.losses) == (0, 3, 0)
    assert (other.wins, other.ties, other.losses) == (0, 3, 0)

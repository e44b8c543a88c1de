"""Verdicts on claims: hand-worked cases, exact thresholds, and how often the judge errs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludex.arena.statistics.bounded import BoundedMean
from ludex.experiments.experiment import Arm, EachClaim, Figure, LevelClaim, OrderClaim, alone
from ludex.experiments.judge import (
    FEWEST_ALIKE,
    FEWEST_PAIRS,
    MeasuredArm,
    judge,
    measure,
    verdict_on_likeness,
    verdict_on_pairs,
    verdict_on_sameness,
)
from ludex.experiments.simulated import CLAIMS, FIFTEEN, NOTHING, PLAIN, verdicts

A_OVER_B = OrderClaim("a above b", ("a",), ("b",))


def levels(**wins):
    """Rows of arms, each with a text such as "1101" of levels won and lost."""
    return [
        replace(PLAIN, agent=arm, level=number, won=won == "1")
        for arm, text in wins.items()
        for number, won in enumerate(text)
    ]


def scored(**scores):
    """Rows of arms that lose, each with the digits of a text for the scores on its levels."""
    return [
        replace(PLAIN, agent=arm, level=number, score=float(digit))
        for arm, text in scores.items()
        for number, digit in enumerate(text)
    ]


# Hand-worked


def test_an_arm_that_wins_where_another_never_does_is_better():
    judged = judge(A_OVER_B, levels(a="1" * 20, b="0" * 20))
    assert (judged.verdict, judged.value, judged.pairs) == ("holds", 100, 20)
    # 20 wins of 20 by Clopper and Pearson: 0.025 ** (1 / 20), here on a scale from -100 to 100
    assert judged.interval == (pytest.approx(200 * 0.025 ** (1 / 20) - 100, abs=1), 100)


def test_an_arm_that_loses_where_another_wins_contradicts_the_claim():
    assert judge(A_OVER_B, levels(a="0" * 20, b="1" * 20)).verdict == "contradicted"


def test_a_small_difference_is_undecided_however_good_it_looks():
    judged = judge(A_OVER_B, levels(a="1101011", b="1010011"))
    low, high = judged.interval
    assert low < 0 < judged.value < high
    assert judged.verdict == "undecided"
    assert judged.needed > 100


def test_with_few_levels_there_is_neither_an_interval_nor_a_verdict():
    judged = judge(A_OVER_B, levels(a="1" * 5, b="0" * 5))
    assert (judged.verdict, judged.interval, judged.value) == ("too few", None, 100)
    judged = judge(A_OVER_B, levels(a="1" * 6, b="0" * 6))
    assert judged.verdict == "holds"
    assert judge(A_OVER_B, []).verdict == "too few"


def test_matches_of_a_level_that_are_copies_count_once():
    once = levels(a="11101", b="00010")
    copies = [replace(row, repetition=number) for row in once for number in range(20)]
    judged = judge(A_OVER_B, copies)
    assert judged.pairs == 5
    assert judged.verdict == "too few"
    assert judged == judge(A_OVER_B, once)


def test_arms_are_compared_level_by_level():
    # The same wins for both on each level: pairs differ nowhere, though each arm varies much.
    judged = judge(A_OVER_B, levels(a="10" * 50, b="10" * 50))
    low, high = judged.interval
    assert high - low < 8
    assert judge(A_OVER_B, levels(a="10" * 50, b="01" * 50)).interval[0] < -15


def test_a_group_of_arms_counts_by_its_mean():
    judged = judge(OrderClaim("", ("a", "b"), ("c",)), levels(a="11", b="00", c="00"))
    assert judged.value == pytest.approx(50.0)


def test_a_level_that_an_arm_has_not_played_is_left_out():
    judged = judge(A_OVER_B, levels(a="111", b="00"))
    assert judged.pairs == 2


def test_a_claim_about_some_games_looks_at_these_alone():
    there = [replace(row, game="there") for row in levels(a="1111", b="0000")]
    elsewhere = [replace(row, game="elsewhere") for row in levels(a="0000", b="1111")]
    claim = OrderClaim("", ("a",), ("b",), games=("there",))
    assert judge(claim, [*there, *elsewhere]).value == 100


def test_the_best_is_ahead_of_each_other_arm_and_not_of_their_mean():
    # a wins half, b nothing, c as often as a: a is far ahead of the mean of b and c.
    rows = levels(a="10" * 20, b="0" * 40, c="10" * 20)
    assert judge(OrderClaim("", ("a",), ("b", "c")), rows).verdict == "holds"
    judged = judge(EachClaim("a is best", (("a",),), alone(("b", "c"))), rows)
    assert (judged.verdict, judged.comparison, judged.value) == ("undecided", "a over c", 0)
    won = levels(a="1" * 40, b="0" * 40, c="0" * 40)
    assert judge(EachClaim("a is best", (("a",),), alone(("b", "c"))), won).verdict == "holds"


def test_one_arm_that_is_ahead_refutes_the_best():
    rows = levels(a="10" * 20, b="0" * 40, c="1" * 40)
    judged = judge(EachClaim("a is best", (("a",),), alone(("b", "c"))), rows)
    assert (judged.verdict, judged.comparison) == ("contradicted", "a over c")


def test_the_last_is_behind_each_other_arm():
    rows = levels(a="1" * 20, b="1" * 20, c="0" * 20)
    claim = EachClaim("c is last", alone(("a", "b")), (("c",),))
    assert judge(claim, rows).verdict == "holds"


def test_comparisons_are_corrected_for_their_number():
    # One comparison of 7 levels has p = 2 * 0.5 ** 7 = 0.016; one of twenty is then nothing.
    rows = levels(a="1" * 7, **{f"r{number}": "0" * 7 for number in range(20)})
    rivals = [f"r{number}" for number in range(20)]
    assert judge(EachClaim("", (("a",),), alone(rivals[:1])), rows).verdict == "holds"
    assert judge(EachClaim("", (("a",),), alone(rivals)), rows).verdict == "undecided"


def test_a_claim_about_points_counts_who_scores_more_match_by_match():
    judged = judge(OrderClaim("", ("a",), ("b",), by="score"), scored(a="5555555", b="2222229"))
    assert judged.value == pytest.approx(100 * 5 / 7)


def test_a_claim_about_ranks_counts_the_arms_that_are_behind():
    # On each level a is ahead of both others, b and c are level: 100 and 25 per cent.
    judged = judge(OrderClaim("", ("a",), ("b",), by="rank"), scored(a="55", b="22", c="22"))
    assert judged.value == pytest.approx(75.0)
    won = levels(b="11") + scored(a="99", c="00")
    assert judge(OrderClaim("", ("b",), ("a",), by="rank"), won).value == pytest.approx(50.0)


def test_a_claimed_margin_must_be_exceeded():
    found = levels(a="1" * 40, b="0" * 40)
    assert judge(OrderClaim("", ("a",), ("b",), margin=10.0), found).verdict == "holds"
    assert judge(OrderClaim("", ("b",), ("b",), margin=10.0), found).verdict == "contradicted"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1" * 90 + "0" * 210, "holds"),
        ("0" * 100, "contradicted"),
        ("10" * 4, "undecided"),
        ("1010", "too few"),
    ],
)
def test_a_level_is_met_within_its_tolerance(text, verdict):
    assert judge(LevelClaim("", ("a",), 30.0, 12.0), levels(a=text)).verdict == verdict


def test_wins_are_counted_with_intervals_over_levels():
    (measured,) = measure([Arm("a", "uniform", "9calls")], levels(a="1" * 5 + "0" * 5))
    low, high = measured.interval
    assert (measured.percent, measured.levels) == (50.0, 10)
    # Clopper and Pearson
    assert (low, high) == (pytest.approx(18.7, abs=1), pytest.approx(81.3, abs=1))
    (few,) = measure([Arm("a", "uniform", "9calls")], levels(a="10"))
    assert few.interval is None


def test_a_printed_number_is_met_within_points_and_not_by_a_wide_interval():
    def arm(low, high):
        return MeasuredArm(Arm("a", "uniform", "9calls"), 9, 4, 9, (low, high))

    assert arm(41.0, 59.0).meets(Figure(50.0)) == "holds"
    assert arm(30.0, 70.0).meets(Figure(50.0)) == "undecided"
    assert arm(51.0, 70.0).meets(Figure(50.0)) == "contradicted"
    few = MeasuredArm(Arm("a", "uniform", "9calls"), 2, 1, 2)
    assert few.meets(Figure(50.0)) == "too few"


# Thresholds: a judge whose limit is moved by a point fails one of these.


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-10.0, 10.0, "holds"),
        (-10.1, 10.0, None),
        (-10.0, 10.1, None),
        (0.1, 10.0, "holds"),  # a difference, and too small to matter
        (0.1, 10.1, "contradicted"),
        (0.0, 10.1, None),
        (-10.1, -0.1, "contradicted"),
        (-10.1, 0.0, None),
    ],
)
def test_sameness_is_shown_by_an_interval_within_the_margin(low, high, verdict):
    assert verdict_on_sameness(low, high, 10.0) == verdict


class Known(BoundedMean):
    """A mean whose interval and p-value are given."""

    def __init__(self, low, high, count=100, p=0.5):
        super().__init__(((low + high) / 2,) * count, -100.0, 100.0)
        object.__setattr__(self, "known", (low, high))
        object.__setattr__(self, "p", p)

    def interval(self, confidence=0.95):
        return self.known

    def p_other(self, mean):
        return self.p


@pytest.mark.parametrize(
    ("relation", "low", "high", "count", "verdict"),
    [
        ("same", -10.0, 10.0, 100, "holds"),
        ("same", -10.5, 10.0, 100, "undecided"),
        ("same", -10.5, 10.0, FEWEST_ALIKE - 1, "too few"),
        ("same", -10.5, 10.0, FEWEST_ALIKE, "undecided"),
        ("same", 0.5, 30.0, FEWEST_PAIRS, "contradicted"),
        ("same", 0.5, 30.0, FEWEST_PAIRS - 1, "too few"),
        ("no less", -10.0, 30.0, 100, "holds"),
        ("no less", -10.5, 30.0, 100, "undecided"),
        ("no less", -30.0, -0.5, 100, "contradicted"),
        ("no less", -9.0, -0.5, 100, "contradicted"),
        ("no less", -30.0, 0.0, 100, "undecided"),
        ("no less", -10.0, 30.0, FEWEST_PAIRS - 1, "too few"),
    ],
)
def test_arms_are_alike_when_no_difference_that_matters_is_left(
    relation, low, high, count, verdict
):
    assert verdict_on_likeness(relation, Known(low, high, count), 0.05) == verdict


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([Known(1, 9, p=0.05)], "holds"),
        ([Known(1, 9, p=0.051)], "undecided"),
        ([Known(-9, -1, p=0.05)], "contradicted"),
        ([Known(1, 9, p=0.025), Known(1, 9, p=0.05)], "holds"),  # Holm
        ([Known(1, 9, p=0.026), Known(1, 9, p=0.05)], "undecided"),
        ([Known(1, 9, p=0.001), Known(-9, -1, p=0.051)], "undecided"),
        ([Known(1, 9, p=0.2), Known(-9, -1, p=0.025)], "contradicted"),
        ([Known(1, 9, p=0.2), Known(-9, -1, p=0.026)], "undecided"),
        ([Known(1, 9, p=0.001, count=FEWEST_PAIRS - 1)], "too few"),
    ],
)
def test_all_comparisons_must_hold(found, verdict):
    assert verdict_on_pairs(found, 0.0, 0.05) == verdict


def test_the_smallest_numbers_of_pairs_are_those_at_which_the_clearest_result_decides():
    # One arm ahead everywhere has p = 2 * 0.5 ** n; no difference leaves 200 * tail / 2 points.
    assert 2 * 0.5**FEWEST_PAIRS <= 0.05 < 2 * 0.5 ** (FEWEST_PAIRS - 1)
    assert 100 * (1 - 0.025 ** (1 / FEWEST_ALIKE)) <= 10
    assert 100 * (1 - 0.025 ** (1 / (FEWEST_ALIKE - 1))) > 10


# How often it errs: simulated results, with matches that vary and matches that are copies


@pytest.mark.parametrize("levels", [2, 6, 12, 50])
@pytest.mark.parametrize("scenario", NOTHING, ids=lambda one: one.text)
def test_without_a_difference_one_in_twenty_claims_holds_at_most(scenario, levels):
    for claim in ("more", "best of three"):
        trials = 100 if claim == "more" else 20
        told = verdicts(CLAIMS[claim], scenario, levels, 2, trials)
        assert told["holds"] + told["contradicted"] <= 0.1 * trials
        assert told["holds"] <= 0.05 * trials


@pytest.mark.parametrize("levels", [2, 6, 12, 50])
@pytest.mark.parametrize("scenario", FIFTEEN, ids=lambda one: one.text)
def test_arms_that_are_fifteen_points_apart_are_rarely_called_alike(scenario, levels):
    told = verdicts(CLAIMS["same"], scenario, levels, 2, 200)
    assert told["holds"] <= 0.05 * 200
    behind = replace(CLAIMS["no less"], better=("second",), worse=("first",))
    told = verdicts(behind, scenario, levels, 2, 200)
    assert told["holds"] <= 0.05 * 200


def test_a_difference_is_found_where_there_are_enough_levels():
    """The judge must not be right by never saying anything."""
    told = verdicts(CLAIMS["more"], FIFTEEN[1], 100, 2, 50)
    assert told["holds"] >= 45
    told = verdicts(CLAIMS["same"], NOTHING[1], 200, 2, 50)
    assert told["holds"] >= 45

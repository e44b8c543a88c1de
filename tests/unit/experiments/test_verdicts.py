"""Every reproduction ends in one verdict that people understand."""

import pytest

from ludex.cli import main
from ludex.experiments.experiment import Arm, Figure, OrderClaim
from ludex.experiments.judge import Judged, MeasuredArm
from ludex.experiments.survey import Reading
from ludex.experiments.verdict import agreement, verdict_on_claims, verdict_on_readings

HEADS = ("reproduced:", "partly reproduced:", "not reproduced:", "undecided:", "measured:")


def judged(*verdicts):
    return [
        Judged(OrderClaim(f"claim {index}", ("a",), ("b",)), verdict, 1.0, None, 9, 40)
        for index, verdict in enumerate(verdicts)
    ]


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        (["holds"], "reproduced: the claim holds."),
        (["holds"] * 3, "reproduced: all 3 claims hold."),
        (
            ["holds", "undecided"],
            "partly reproduced: 1 of 2 claims holds, 1 is undecided (from about 40 levels on, "
            "with 9 played); --scale small or --until decided plays more.",
        ),
        (
            ["undecided"] * 2,
            "undecided: 0 of 2 claims hold, 2 are undecided (from about 40 levels on, with 9 "
            "played); --scale small or --until decided plays more.",
        ),
        (
            ["holds", "too few"],
            "partly reproduced: 1 of 2 claims holds, for 1 there are too few levels (from about "
            "40 levels on, with 9 played); --scale small or --until decided plays more.",
        ),
        (
            ["contradicted"],
            'not reproduced: 0 of 1 claim hold, 1 is contradicted ("claim 0").',
        ),
        (
            ["holds", "contradicted"],
            'partly reproduced: 1 of 2 claims holds, 1 is contradicted ("claim 1").',
        ),
    ],
)
def test_claims_are_summed_up(verdicts, told):
    assert verdict_on_claims(judged(*verdicts), [], "tiny") == told


def test_at_full_scale_no_larger_one_is_offered():
    told = verdict_on_claims(judged("undecided"), [], "full")
    assert told.endswith("with 9 played); --until decided plays more.")


def test_without_claims_printed_numbers_are_compared():
    arms = [
        MeasuredArm(Arm("a", "mcts", "9calls", Figure(50.0)), 100, 50, 100, (42.0, 58.0)),
        MeasuredArm(Arm("b", "rhea", "9calls", Figure(90.0)), 100, 50, 100, (42.0, 58.0)),
        MeasuredArm(Arm("c", "rhea", "9calls", Figure(55.0)), 10, 5, 10, (20.0, 80.0)),
        MeasuredArm(Arm("d", "uniform", "9calls"), 100, 50, 100, (42.0, 58.0)),
    ]
    told = "1 of 3 printed numbers is met within 10 points, 1 is off, 1 is open."
    assert verdict_on_claims([], arms, "tiny") == f"partly reproduced: {told}"
    assert verdict_on_claims([], arms[2:3], "tiny").startswith("undecided: 0 of 1 printed number")
    assert verdict_on_claims([], arms[3:], "tiny").startswith("measured:")


def test_readings_are_summed_up_with_the_one_that_is_furthest_off():
    readings = [
        Reading("T1", "length", 100.0, 104.0),
        Reading("T1", "width", 100.0, 130.0),
        Reading("T2", "height", 100.0, 300.0),
        Reading("T2", "extra", None, 3.0),
        Reading("T2", "speed", 1.0, 900.0, compared=False),
    ]
    assert verdict_on_readings(readings) == (
        "partly reproduced: 1 of 3 printed numbers is met, 2 are off; furthest off is T2, height: "
        "printed 100, measured 300."
    )
    assert verdict_on_readings(readings[3:]).startswith("measured: 2 numbers")


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.46, 0.54, "met"),
        (0.44, 0.54, "open"),  # the printed number is in the interval, and others that are far off
        (0.10, 0.90, "open"),
        (0.51, 0.56, "off"),
        (0.51, 0.54, "met"),
    ],
)
def test_a_wide_interval_shows_nothing_though_it_contains_the_printed_number(low, high, told):
    reading = Reading("T", "x", 0.5, (low + high) / 2, interval=(low, high), cases=30)
    assert agreement(reading) == told


def test_a_printed_number_stays_open_where_there_are_too_few_cases():
    assert agreement(Reading("T", "x", 0.5, 0.5, cases=2)) == "open"
    assert agreement(Reading("T", "x", 0.5, 0.5)) == "met"
    told = verdict_on_readings([Reading("T", "x", 0.5, 0.5, cases=2)])
    assert told == "undecided: the printed number is neither met nor refuted."


def test_a_margin_of_its_own_goes_before_a_tenth_of_the_printed_number():
    reading = Reading("T", "wins", 0.0, 0.05, interval=(0.0, 0.1), cases=30, margin=0.1)
    assert agreement(reading) == "met"


@pytest.mark.timeout(200)
@pytest.mark.parametrize("name", ["PBS-43", "HSN-E7"])
def test_the_command_ends_in_a_verdict(name, tmp_path, capsys):
    assert main(["reproduce", name, "--out", str(tmp_path)]) == 0
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.startswith("Verdict: ")
    assert last.removeprefix("Verdict: ").startswith(HEADS)

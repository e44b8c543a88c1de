"""Every reproduction ends in one verdict that people understand."""

import pytest

from ludex.cli import main
from ludex.experiments.experiment import Arm, Figure, OrderClaim
from ludex.experiments.judge import Judged, MeasuredArm
from ludex.experiments.survey import Reading
from ludex.experiments.verdict import agrees, verdict_on_claims, verdict_on_readings

HEADS = ("reproduced:", "partly reproduced:", "not reproduced:", "undecided:", "measured:")


def judged(*verdicts):
    return [
        Judged(OrderClaim(f"claim {index}", ("a",), ("b",)), verdict, 1.0, 0.0, 2.0)
        for index, verdict in enumerate(verdicts)
    ]


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        (["holds"], "reproduced: the claim holds."),
        (["holds"] * 3, "reproduced: all 3 claims hold."),
        (
            ["holds", "undecided"],
            "partly reproduced: 1 of 2 claims holds, 1 is undecided: too few matches to tell; "
            "--scale small plays more.",
        ),
        (
            ["undecided"] * 2,
            "undecided: 0 of 2 claims hold, 2 are undecided: too few matches to tell; "
            "--scale small plays more.",
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
    assert verdict_on_claims(judged("undecided"), [], "full").endswith("too few matches to tell.")


def test_without_claims_printed_numbers_are_compared():
    arms = [
        MeasuredArm(Arm("a", "mcts", "9calls", Figure(50.0)), 100, 50),
        MeasuredArm(Arm("b", "rhea", "9calls", Figure(90.0)), 100, 50),
        MeasuredArm(Arm("c", "uniform", "9calls"), 100, 50),
    ]
    told = "1 of 2 printed numbers lies within the measured 95 % interval."
    assert verdict_on_claims([], arms, "tiny") == f"partly reproduced: {told}"
    assert verdict_on_claims([], arms[2:], "tiny").startswith("measured:")


def test_readings_are_summed_up_with_the_one_that_is_furthest_off():
    readings = [
        Reading("T1", "length", 100.0, 104.0),
        Reading("T1", "width", 100.0, 130.0),
        Reading("T2", "height", 100.0, 300.0),
        Reading("T2", "extra", None, 3.0),
        Reading("T2", "speed", 1.0, 900.0, compared=False),
    ]
    assert verdict_on_readings(readings) == (
        "partly reproduced: 1 of 3 printed numbers is met, within 10 % or the measured interval; "
        "furthest off is T2, height: printed 100, measured 300."
    )
    assert verdict_on_readings(readings[3:]).startswith("measured: 2 numbers")


@pytest.mark.parametrize(
    "note",
    ["30 games, interval 0.20 to 0.60", "1,000 to 3,000 by board; more", "p 0.21"],
)
def test_what_chance_explains_agrees(note):
    printed = 2000.0 if "board" in note else 0.5
    assert agrees(Reading("T", "x", printed, 0.3, note))


@pytest.mark.timeout(200)
@pytest.mark.parametrize("name", ["PBS-43", "HSN-E7"])
def test_the_command_ends_in_a_verdict(name, tmp_path, capsys):
    assert main(["reproduce", name, "--out", str(tmp_path)]) == 0
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.startswith("Verdict: ")
    assert last.removeprefix("Verdict: ").startswith(HEADS)

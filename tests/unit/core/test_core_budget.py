"""Budgets: their texts, limits, and what is left of a turn."""

from __future__ import annotations

import pytest

from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.rng import Meter


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("40ms", Budget(time_ms=40.0)),
        ("1.5s", Budget(time_ms=1500.0)),
        ("900calls", Budget(model_calls=900)),
        ("50iterations", Budget(iterations=50)),
        (" 7 calls ", Budget(model_calls=7)),
        ("100ms/turn", Budget(time_ms=100.0, per="turn")),
    ],
)
def test_texts_are_read(text, budget):
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["40ms", "900calls", "50iterations", "2.5ms/turn", "3calls/turn"])
def test_texts_are_written_as_they_are_read(text):
    assert str(Budget.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "40", "ms", "40 hours", "40ms!", "1e3calls", "1.5calls", "nanms", "40ms/game", "٤ms"],
)
def test_malformed_texts_are_refused_with_the_forms_there_are(text):
    with pytest.raises(BadParameter, match="write 40ms"):
        Budget.parse(text)


@pytest.mark.parametrize("text", ["-5ms", "0ms", "0calls", "9999999999999calls"])
def test_absurd_amounts_are_refused(text):
    with pytest.raises(BadParameter):
        Budget.parse(text)


@pytest.mark.parametrize(
    "parts", [{}, {"time_ms": 1.0, "model_calls": 1}, {"time_ms": float("nan")}, {"iterations": -3}]
)
def test_a_budget_has_exactly_one_positive_limit(parts):
    with pytest.raises(BadParameter):
        Budget(**parts)


def test_only_time_is_not_repeatable():
    repeatable = [Budget.parse(text).repeatable for text in ("40ms", "9calls", "9iterations")]
    assert repeatable == [False, True, True]


def test_planning_time_leaves_something_for_the_answer():
    assert 0 < Budget(time_ms=40.0).planning_ms < 40
    assert Budget(model_calls=5).planning_ms is None


def test_the_default_is_forty_milliseconds():
    assert str(DEFAULT_BUDGET) == "40ms"


def test_arming_a_meter_allows_exactly_the_calls():
    meter = Meter()
    Budget(model_calls=2).arm(meter)
    meter.spend()
    meter.spend()
    with pytest.raises(BudgetSpent):
        meter.spend()


def test_what_is_left_of_a_turn_is_what_was_not_used():
    whole = Budget(model_calls=10, per="turn")
    assert whole.less(time_ms=3.0, model_calls=4, iterations=2) == Budget(model_calls=6, per="turn")


@pytest.mark.parametrize("used", [10, 11])
def test_nothing_is_left_of_a_spent_turn(used):
    whole = Budget(model_calls=10, per="turn")
    assert whole.less(time_ms=0.0, model_calls=used, iterations=0) is None

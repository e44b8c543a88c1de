"""The meter of a decision: exact counts, and a deadline that holds."""

from __future__ import annotations

import pickle

import pytest

from ludex.core import Meter, Rng, registry
from ludex.core.errors import BudgetSpent


@pytest.mark.parametrize("limit", [0, 1, 7, 64, 65, 480])
def test_exactly_the_given_number_of_calls_is_granted(limit: int):
    meter = Meter()
    meter.arm(model_calls=limit)
    for _ in range(limit):
        meter.spend()
    with pytest.raises(BudgetSpent):
        meter.spend()
    assert meter.calls == limit


def test_a_refused_call_is_not_counted():
    meter = Meter()
    meter.arm(model_calls=2)
    assert meter.take(5) == 2
    for _ in range(3):
        with pytest.raises(BudgetSpent):
            meter.spend()
    assert meter.calls == 2


def test_take_counts_what_it_grants():
    meter = Meter()
    meter.arm(model_calls=10)
    assert [meter.take(4), meter.take(4), meter.take(4), meter.take(4)] == [4, 4, 2, 0]
    assert meter.calls == 10


@pytest.mark.parametrize("wanted", [0, -5])
def test_taking_nothing_changes_nothing(wanted: int):
    meter = Meter()
    meter.arm(model_calls=10)
    assert meter.take(wanted) == 0
    assert meter.calls == 0


def test_a_meter_without_a_budget_counts_and_never_ends():
    meter = Meter()
    for _ in range(1000):
        meter.spend()
    assert meter.calls == 1000
    assert not meter.spent


def test_arming_starts_a_new_decision():
    meter = Meter()
    meter.arm(model_calls=1)
    meter.spend()
    meter.count_copy(3)
    meter.count_replaced()
    meter.count_ignored()
    meter.arm(model_calls=1)
    assert (meter.calls, meter.copies, meter.replaced, meter.ignored) == (0, 0, 0, 0)
    assert not meter.spent


def test_a_deadline_ends_rollouts_of_tiny_ticks():
    world = registry.world("connect_four")
    meter = Meter()
    model = world.model.metered(meter)
    state = world.start(Rng(0))
    meter.arm(time_ms=5.0)

    def roll_out_for_ever() -> None:
        while True:
            model.rollout(state, "uniform", 1000, Rng(1))

    with pytest.raises(BudgetSpent):
        roll_out_for_ever()
    assert meter.cpu_ms >= 5.0
    assert meter.calls > 1000  # five milliseconds are long for ticks of some twenty nanoseconds


def test_a_deadline_in_the_past_refuses_the_second_call_at_the_latest():
    meter = Meter()
    meter.arm(time_ms=0.0)
    meter.take(1)
    with pytest.raises(BudgetSpent):
        meter.spend()


def test_no_call_is_granted_after_the_deadline_was_noticed():
    meter = Meter()
    meter.arm(time_ms=0.5)
    while not meter.spent:
        pass
    calls = meter.calls
    with pytest.raises(BudgetSpent):
        meter.spend()
    assert meter.calls == calls
    assert meter.take(3) == 0


@pytest.mark.parametrize("time_ms", [-1.0, float("nan")])
def test_an_impossible_time_is_refused(time_ms: float):
    with pytest.raises(ValueError, match="time_ms"):
        Meter().arm(time_ms=time_ms)


def test_an_endless_time_never_ends():
    meter = Meter()
    meter.arm(time_ms=float("inf"))
    meter.spend()
    assert not meter.spent


def test_a_pickled_meter_arrives_fresh():
    meter = Meter()
    meter.arm(model_calls=1)
    meter.spend()
    arrived = pickle.loads(pickle.dumps(meter))
    assert arrived.calls == 0
    assert not arrived.spent

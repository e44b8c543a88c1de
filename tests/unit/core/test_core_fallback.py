"""The plain loops behind rollouts and batches, with counts worked by hand on nim."""

from __future__ import annotations

import pytest
from small_models import Lock, Maze, Typed

from ludex.core import fallback, registry
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.rng import Meter, Rng

ONES = registry.world("nim[heaps=1-1-1-1]")  # every game takes exactly four moves
START = ONES.parse("1 1 1 1 turn=0")


def metered(calls=None):
    model = ONES.model.metered(Meter())
    model.meter.arm(model_calls=calls)
    return model


def first_legal(model, state, seat, rng):
    return model.legal(state, seat)[0]


def test_a_rollout_to_the_end_costs_a_call_for_each_tick():
    model = metered()
    end = fallback.rollout(model, START, "uniform", 100, Rng(0))
    assert (end.ticks, end.cut, end.returns, model.meter.calls) == (4, False, (-1.0, 1.0), 4)


def test_a_rollout_stops_at_its_limit_without_a_return():
    end = fallback.rollout(metered(), START, "uniform", 3, Rng(0))
    assert (end.ticks, end.cut, end.returns) == (3, False, None)


def test_a_rollout_that_runs_out_of_budget_returns_what_it_has():
    model = metered(2)
    end = fallback.rollout(model, START, "uniform", 100, Rng(0))
    assert (end.ticks, end.cut, end.returns, model.meter.calls) == (2, True, None, 2)


def test_a_rollout_with_just_enough_budget_is_not_cut():
    end = fallback.rollout(metered(4), START, "uniform", 100, Rng(0))
    assert (end.ticks, end.cut) == (4, False)


def test_a_rollout_that_finds_the_budget_spent_raises():
    model = metered(1)
    model.meter.spend()
    with pytest.raises(BudgetSpent):
        fallback.rollout(model, START, "uniform", 100, Rng(0))


def test_a_rollout_of_a_finished_game_has_no_ticks_and_is_free():
    model = metered()
    end = fallback.rollout(model, ONES.parse("0 0 0 0 turn=0"), "uniform", 9, Rng(0))
    assert (end.ticks, end.returns, model.meter.calls) == (0, (-1.0, 1.0), 0)


def test_a_policy_of_ours_chooses():
    end = fallback.rollout(metered(), START, first_legal, 2, Rng(0))
    assert str(end.state) == "0 0 1 1 turn=0"


MAZE = Maze("#####", "#S.G#", "#####")  # the same four actions everywhere
RIGHT = ("right",)


def test_the_limit_of_a_rollout_counts_what_follows_its_opening():
    model = Lock("abcdabcdabcd").metered(Meter())
    end = fallback.rollout(model, Typed(), "uniform", 3, Rng(0), opening=[("a",), ("c",)])
    assert (end.ticks, end.state.keys[:2], model.meter.calls) == (5, "ac", 5)


def test_an_opening_ends_with_the_game():
    model = MAZE.metered(Meter())
    end = fallback.rollout(model, MAZE.find("S"), "uniform", 9, Rng(0), opening=[RIGHT] * 5)
    assert (end.ticks, end.returns, model.meter.calls, model.meter.ignored) == (2, (1.0,), 2, 0)


def test_an_opening_ends_where_other_actions_are_legal_and_nothing_is_played_after_it():
    model = metered()
    move = (model.legal(START, 0)[0],)
    end = fallback.rollout(model, START, "uniform", 9, Rng(0), opening=[move, move])
    assert (end.ticks, end.cut, end.returns, model.meter.replaced) == (1, False, None, 0)


def test_an_opening_ends_before_an_action_that_is_not_legal():
    model = MAZE.metered(Meter())
    end = fallback.rollout(model, MAZE.find("S"), "uniform", 9, Rng(0), opening=[RIGHT, ("fly",)])
    assert (end.ticks, str(end.state), model.meter.replaced) == (1, str(MAZE.find(".")), 0)


def test_an_opening_that_runs_out_of_budget_is_cut():
    model = MAZE.metered(Meter())
    model.meter.arm(model_calls=1)
    end = fallback.rollout(model, MAZE.find("S"), "uniform", 9, Rng(0), opening=[RIGHT] * 2)
    assert (end.ticks, end.cut, model.meter.calls) == (1, True, 1)


def test_an_opening_of_bare_actions_is_refused():
    with pytest.raises(BadParameter, match="joint actions are a tuple"):
        fallback.rollout(metered(), START, "uniform", 9, Rng(0), opening=["right"])


def test_a_trace_has_one_entry_for_each_tick():
    end = fallback.rollout(metered(), START, "uniform", 100, Rng(0), trace=True)
    assert end.trace.scores == [(0.0, 0.0)] * 3 + [(-1.0, 1.0)]
    assert len(end.trace.events) == len(end.trace.avatars) == 4


def test_play_follows_each_sequence_from_the_same_state():
    take = [(ONES.take(1, heap=heap),) for heap in range(4)]
    ends = fallback.play(metered(), START, [take[:2], take[2:], take], Rng(0))
    assert [str(end.state) for end in ends] == [
        "0 0 1 1 turn=0",
        "1 1 0 0 turn=0",
        "0 0 0 0 turn=0",
    ]


def test_play_replaces_what_has_become_illegal():
    model = metered()
    again = [(ONES.take(1, heap=3),)] * 2
    (end,) = fallback.play(model, START, [again], Rng(0))
    assert (str(end.state), model.meter.replaced) == ("0 1 1 0 turn=0", 1)


def test_sequences_that_the_budget_does_not_reach_are_left_out():
    take = [(ONES.take(1, heap=heap),) for heap in range(4)]
    ends = fallback.play(metered(3), START, [take[:2], take[:2], take[:2]], Rng(0))
    assert [(end.ticks, end.cut) for end in ends] == [(2, False), (1, True)]


def test_step_many_steps_each_state_once():
    model = metered()
    states = [START, ONES.parse("0 1 1 1 turn=1")]
    joint = [(ONES.take(1, heap=0),), (ONES.take(1, heap=1),)]
    after = fallback.step_many(model, states, joint, Rng(0))
    assert [str(state) for state in after] == ["0 1 1 1 turn=1", "0 0 1 1 turn=0"]
    assert model.meter.calls == 2


def test_step_many_leaves_out_what_the_budget_does_not_reach():
    joint = [(ONES.take(1, heap=0),)] * 3
    assert len(fallback.step_many(metered(2), [START] * 3, joint, Rng(0))) == 2


def test_batches_draw_from_streams_of_their_own():
    pig = registry.world("pig")
    model = pig.model.metered(Meter())
    state = pig.start(Rng(0))
    roll = (model.legal(state, 0)[0],)
    rng = Rng(7)
    batch = fallback.step_many(model, [state] * 3, [roll] * 3, rng)
    single = model.step(state, roll, rng.fork("step", 2))
    model.settle(single, Rng(7).fork("step", 2))
    assert (batch[2], rng.position) == (single, 0)

"""What a person types and what the real game refuses, on nim."""

from __future__ import annotations

import pytest

from ludex.core import registry
from ludex.core.errors import (
    AmbiguousAction,
    GameOver,
    IllegalAction,
    InvalidAction,
    InvalidState,
)
from ludex.core.rng import Rng

NIM = registry.world("nim[heaps=1-0-12]")
STATE = NIM.parse("1 0 12 turn=0")
VIEW = NIM.model.view(STATE, 0)


def test_an_action_can_be_typed_in_any_case_and_spacing():
    assert NIM.parse_action("  TAKE  2  from 2 ", VIEW) == NIM.take(2, heap=2)


def test_a_beginning_is_enough_when_it_is_the_only_one():
    assert NIM.parse_action("take 7", VIEW) == NIM.take(7, heap=2)


def test_a_whole_action_is_never_ambiguous():
    # "take 1 from 2" is typed in full, although take 10, 11 and 12 begin alike.
    assert NIM.parse_action("take 1 from 2", VIEW) == NIM.take(1, heap=2)


def test_a_beginning_of_several_actions_is_ambiguous_and_lists_them():
    with pytest.raises(AmbiguousAction, match="take 1 from 0, take 1 from 2;"):
        NIM.parse_action("take 1", VIEW)  # not 10 or 12: numbers are typed in full


def test_an_action_of_another_state_is_illegal_not_invalid():
    later = NIM.model.view(NIM.parse("0 0 3 turn=0"), 0)
    with pytest.raises(IllegalAction, match="you cannot take from heap 0: it is empty"):
        NIM.parse_action("take 1 from 0", later)


@pytest.mark.parametrize("text", ["castle", "", "take 2 from 2 and 3", "?"])
def test_what_is_no_action_at_all_is_invalid(text):
    with pytest.raises(InvalidAction, match="not an action of nim"):
        NIM.parse_action(text, VIEW)


def test_a_move_after_the_end_says_why_it_is_over():
    with pytest.raises(GameOver, match="took the last match"):
        NIM.step(NIM.parse("0 0 0 turn=1"), (), Rng(0))


def test_a_wrong_number_of_actions_says_who_acts():
    with pytest.raises(IllegalAction, match=r"1 seats act now \(seats \(0,\)\), got 2"):
        NIM.step(STATE, (NIM.take(1, heap=0),) * 2, Rng(0))


def test_a_seat_off_turn_is_told_so():
    assert "not its turn" in NIM.explain(STATE, 1, NIM.take(1, heap=0))


def test_long_lists_of_legal_actions_are_counted_not_listed():
    assert "13 actions" in NIM.explain(STATE, 0, "castle")


def test_the_real_game_steps_although_a_planner_spent_the_models_meter():
    NIM.model.meter.arm(model_calls=1)
    NIM.model.meter.spend()
    try:
        assert str(NIM.step(STATE, (NIM.take(1, heap=0),), Rng(0))) == "0 0 12 turn=1"
    finally:
        NIM.model.meter.arm()


@pytest.mark.parametrize("text", ["", "1 2", "1 0 13", "1 0 12 turn=2", "a b c", "1 0 -1"])
def test_unparsable_states_are_refused(text):
    with pytest.raises(InvalidState):
        NIM.parse(text)


def test_a_world_is_written_with_the_options_that_differ():
    assert str(NIM) == "nim[heaps=1-0-12]"
    assert str(registry.world("nim[heaps=3-4-5]")) == "nim"

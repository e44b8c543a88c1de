"""The rules, notation and pictures of connect four."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ludex.core import Meter, Rng, registry
from ludex.core.errors import (
    BudgetSpent,
    GameOver,
    IllegalAction,
    InvalidAction,
    InvalidState,
)

world: Any = registry.world("connect_four")
model = world.model

START = "......./......./......./......./......./......."
# Full and without four in a row: columns in turns, every second pair of rows the other way round.
FULL = "oxoxoxo/xoxoxox/xoxoxox/oxoxoxo/oxoxoxo/xoxoxox"


def played(moves: str) -> Any:
    """Play letters by the strict step of the real game."""
    state = world.start(Rng(0))
    for letter in moves:
        state = world.step(state, ("abcdefg".index(letter),), Rng(0))
    return state


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param("agagaga", id="vertical in the first column"),
        pytest.param("gagagag", id="vertical in the last column"),
        pytest.param("aabbccd", id="horizontal at the left"),
        pytest.param("ggffeed", id="horizontal at the right"),
        pytest.param("abbccdcddgd", id="diagonal upwards"),
        pytest.param("gffeedeeddd", id="diagonal downwards"),
    ],
)
def test_the_fourth_disc_in_a_row_wins(moves: str):
    assert model.outcome(played(moves[:-1])) is None
    assert model.outcome(played(moves)).winners == (0,)
    assert model.outcome(played(moves)).returns == (1.0, -1.0)


def test_the_second_seat_wins_with_its_own_four():
    assert model.outcome(played("abcbdbgb")).winners == (1,)


def test_a_line_does_not_run_over_the_edge_of_the_board():
    # Two at the top of column a and two at the bottom of column b are neighbours as bits only.
    state = world.parse("x....../x....../o....../o....../xx...../ox....o")
    assert model.outcome(state) is None


def test_a_full_board_without_four_is_a_draw():
    state = world.parse(FULL)
    outcome = model.outcome(state)
    assert outcome.winners == ()
    assert outcome.returns == (0.0, 0.0)
    assert model.to_act(state) == ()


def test_the_last_disc_of_a_full_board_may_still_win():
    before = world.parse("o.oooxx/xxoxoxx/xxxooxo/xoooxoo/oxxoxxx/oooxxox")
    assert model.outcome(before) is None
    assert model.outcome(world.step(before, (1,), Rng(0))).winners == (1,)


def test_a_full_column_is_not_legal():
    state = world.parse("dddddd")
    assert model.legal(state, 0) == (0, 1, 2, 4, 5, 6)


def test_the_seat_that_is_not_to_act_has_no_legal_actions():
    assert model.legal(world.parse("d"), 0) == ()


def test_the_default_action_is_the_open_column_nearest_to_the_middle():
    assert model.default_action(world.start(Rng(0)), 0) == 3
    assert model.default_action(world.parse("dddddd"), 0) == 2


def test_a_seat_that_is_not_to_act_has_no_default_action():
    with pytest.raises(IllegalAction, match="seat 1 is not to act"):
        model.default_action(world.start(Rng(0)), 1)


def test_the_real_game_refuses_a_full_column_by_its_letter():
    with pytest.raises(IllegalAction, match="'d': column d is full"):
        world.step(world.parse("dddddd"), (3,), Rng(0))


def test_the_real_game_refuses_moves_after_the_end():
    with pytest.raises(GameOver, match="four in a row"):
        world.step(world.parse("agagaga"), (3,), Rng(0))


@pytest.mark.parametrize("rubbish", [7, -1, 2**70, None, "d", 3.0, (3,)])
def test_in_simulation_rubbish_is_replaced_by_the_default_and_counted(rubbish: Any):
    twin = model.metered(Meter())
    after = twin.step(world.start(Rng(0)), (rubbish,), Rng(0))
    assert after == world.parse("d")
    assert twin.meter.replaced == 1


def test_in_simulation_a_missing_action_is_refused():
    twin = model.metered(Meter())
    with pytest.raises(IllegalAction, match=r"1 seat acts now \(seat 0\), got 0 actions"):
        twin.step(world.start(Rng(0)), (), Rng(0))
    assert twin.meter.calls == 0


def test_numpy_numbers_are_actions():
    twin = model.metered(Meter())
    assert twin.step(world.start(Rng(0)), (np.int64(2),), Rng(0)) == world.parse("c")
    assert twin.meter.replaced == 0


def test_in_simulation_a_finished_game_stays_as_it_is_and_is_counted():
    twin = model.metered(Meter())
    end = world.parse("agagaga")
    assert twin.step(end, (3,), Rng(0)) == end
    assert (twin.meter.calls, twin.meter.ignored) == (1, 1)


def test_step_leaves_its_state_alone():
    state = world.parse("ddc")
    model.step(state, (0,), Rng(0))
    assert state == world.parse("ddc")


def test_advance_changes_its_state():
    state = world.parse("ddc")
    model.advance(state, (0,), Rng(0))
    assert state == world.parse("ddca")


def test_each_model_counts_on_its_own_meter():
    one, other = model.metered(Meter()), model.metered(Meter())
    one.step(world.start(Rng(0)), (0,), Rng(0))
    assert (one.meter.calls, other.meter.calls) == (1, 0)
    assert type(one) is type(model)


def test_a_spent_budget_refuses_and_changes_nothing():
    twin = model.metered(Meter())
    twin.meter.arm(model_calls=0)
    state = world.start(Rng(0))
    with pytest.raises(BudgetSpent):
        twin.advance(state, (0,), Rng(0))
    assert state == world.start(Rng(0))


# Notation


def test_the_start_is_written_as_six_empty_rows():
    assert str(world.start(Rng(0))) == START


def test_a_board_is_written_from_the_top_with_x_first():
    assert str(world.parse("ddce")) == "......./......./......./......./...o.../..xxo.."


@pytest.mark.parametrize("moves", ["d", "dddddd", "abbccdcddgd", "gffeedeeddd"])
def test_boards_are_read_back(moves: str):
    state = played(moves)
    assert world.parse(str(state)) == state
    assert world.parse(moves) == state


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "6 rows of 7 cells"),
        ("rubbish", "6 rows of 7 cells"),
        (START[:-1], "6 rows of 7 cells"),
        (START[:-1] + "z", "x, o and dots"),
        (START.replace("/", "."), "x, o and dots"),
        (START[:-1] + "o", "0 x and 1 o"),
        (START[:-2] + "xx", "2 x and 0 o"),
        ("x......" + START[7:], "empty cell below"),
        ("......./......./......./......./oooo.../xxxx...", "both have four"),
        ("......./......./......./......./ooo..../xxxxo..", "after four in a row"),
        ("......./......./x....../xo...../xo.oo.o/xooxxxx", "no single disc"),
        ("ddddddd", "column d is full"),
        ("agagagad", "after the end"),
    ],
)
def test_what_is_no_state_is_refused_with_its_reason(text: str, problem: str):
    with pytest.raises(InvalidState, match=problem) as error:
        world.parse(text)
    assert repr(text) in str(error.value)


def test_columns_are_named_by_letters():
    view = model.view(world.start(Rng(0)), 0)
    assert [world.action_text(action) for action in view.legal] == list("abcdefg")
    assert world.parse_action(" D ", view) == 3


def test_a_full_column_is_illegal_and_a_strange_letter_invalid():
    view = model.view(world.parse("dddddd"), 0)
    with pytest.raises(IllegalAction):
        world.parse_action("d", view)
    with pytest.raises(InvalidAction):
        world.parse_action("h", view)


# Values


def test_a_copy_is_independent():
    state = world.parse("dd")
    twin = state.copy()
    model.advance(twin, (0,), Rng(0))
    assert state == world.parse("dd")
    state.copy_from(twin)
    assert state == twin


def test_two_orders_of_the_same_moves_are_one_state_with_one_key():
    one, other = world.parse("adbe"), world.parse("bead")
    assert one == other
    assert hash(one) == hash(other)
    assert model.key(one) == model.key(other)


def test_a_state_is_unlike_anything_else():
    assert world.start(Rng(0)) != START
    assert world.start(Rng(0)) != world.parse("d")


def test_states_are_pickled_and_deeply_copied():
    state = world.parse("ddce")
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.deepcopy(state) == state


def test_a_damaged_pickle_is_refused():
    state = type(world.parse("ddce"))
    with pytest.raises(InvalidState, match="not a pickled state"):
        state.__new__(state).__setstate__(b"short")


def test_a_model_is_pickled_without_its_counts():
    twin = model.metered(Meter())
    twin.step(world.start(Rng(0)), (0,), Rng(0))
    arrived = pickle.loads(pickle.dumps(twin))
    assert arrived.meter.calls == 0
    assert arrived.legal(world.start(Rng(0)), 0) == tuple(range(7))


# Pictures and arrays


def test_the_text_drawing_shows_rows_letters_and_who_moves():
    assert world.draw(world.parse("ddce")).splitlines()[-4:] == [
        ". . . o . . .",
        ". . x x o . .",
        "a b c d e f g",
        "seat 0 (x) to move",
    ]


def test_the_text_drawing_marks_the_winning_four():
    lines = world.draw(world.parse("aabbccd")).splitlines()
    assert lines[5] == "X X X X . . ."
    assert lines[-1] == "seat 0 (x) has four in a row"


def test_the_svg_has_one_disc_for_each_move_and_rings_on_the_four():
    picture = ElementTree.fromstring(world.draw(world.parse("aabbccd"), "svg"))
    fills = [circle.get("fill") for circle in picture.iter("{http://www.w3.org/2000/svg}circle")]
    assert fills.count("#f2b705") == 4
    assert fills.count("#d7263d") == 3
    assert fills.count("#123f85") == 42 - 7
    rings = [c for c in picture.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "9"]
    assert len(rings) == 4


def test_the_observation_shows_own_discs_first_and_the_top_row_first():
    state = world.parse("dda")
    own = world.observation(model.view(state, 1))
    assert own.shape == world.observation_spec.shape
    assert np.argwhere(own[0]).tolist() == [[4, 3]]
    assert np.argwhere(own[1]).tolist() == [[5, 0], [5, 3]]
    assert own[2].all()
    assert not world.observation(model.view(state, 0))[2].any()


# Measuring


@pytest.mark.parametrize("metric", ["tick", "copy_tick", "copy", "rollout_tick"])
def test_the_native_loops_can_be_timed(metric: str):
    assert model.bench(metric, 0.001) > 0


def test_an_unknown_metric_is_refused():
    with pytest.raises(ValueError, match="rollout_tick"):
        model.bench("tock", 0.001)


@pytest.mark.parametrize("seconds", [0.0, -1.0, 61.0, float("nan")])
def test_timing_for_an_absurd_time_is_refused(seconds: float):
    with pytest.raises(ValueError, match="seconds"):
        model.bench("tick", seconds)

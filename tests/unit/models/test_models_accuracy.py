"""How much a learned model predicts, worked by hand on grids of a few cells."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tile_games import grid, step

from ludex.models.learned.explain.accuracy import (
    ANY,
    calibration,
    checked_tiles,
    runs,
    tile_accuracy,
)
from ludex.models.learned.local import Local


def story(*rows):
    """One game: grids that follow each other, all by action 0."""
    return [step(grid(one), 0, grid(other)) for one, other in pairwise(rows)]


CYCLE = story("a.", "b.", "c.", "a.")  # the left cell goes round, the right one stays empty


def learned(seen):
    return Local(span=0, score="none").fit(seen)


def test_a_model_that_knows_everything_is_always_right_and_sure():
    found = tile_accuracy(learned(CYCLE), CYCLE * 3)
    assert found.pop("calibration_error") == 0.0
    assert set(found.values()) == {1.0}


def test_shares_are_of_all_cells_of_changes_and_of_grids():
    # Predicted: b., c., a. and so on; the last step has one wrong cell of two, and that one moved.
    found = tile_accuracy(learned(CYCLE), story("a.", "b.", "c.", "a.", "c."))
    assert found["cells"] == 7 / 8
    assert found["changed_cells"] == 3 / 4
    assert found["grids"] == 3 / 4


def test_five_steps_are_right_where_the_last_of_them_is():
    true_to_it = story("a.", "b.", "c.", "a.", "b.", "c.")
    # As predicted but for the last step, where c. should come and b. stays.
    astray = story("a.", "b.", "c.", "a.", "b.", "b.")
    found = tile_accuracy(learned(CYCLE), true_to_it + astray)
    assert found["grids"] == 9 / 10
    assert found["grids_5"] == 1 / 2
    assert found["changed_cells_5"] == 1 / 2


def test_five_steps_forgive_nothing_that_was_wrong_on_the_way():
    # The second step stays at b.; from there the game goes round again, one step behind.
    late = story("a.", "b.", "b.", "c.", "a.", "b.")
    found = tile_accuracy(learned(CYCLE), late)
    assert found["grids"] == 4 / 5
    assert found["grids_5"] == 0.0


def test_runs_do_not_reach_from_one_game_into_the_next():
    first, second = story("a.", "b.", "c.", "a."), story("b.", "c.", "a.", "b.", "c.")
    found = list(runs(first + second, 3))
    assert found == [first[0:3], second[0:3], second[1:4]]


def test_games_shorter_than_five_steps_leave_nothing_to_be_wrong_about():
    found = tile_accuracy(learned(CYCLE), story("a.", "c.", "b."))
    assert found["grids"] == 0.0
    assert found["grids_5"] == 1.0


UNSURE = [*story("a.", "b.") * 3, *story("a.", "c.") * 2, *story("c.", "c.")]


def test_confidence_is_compared_with_how_often_it_came_true():
    # Of a. the model says b. and is 3/5 sure; of c. it says c. and is sure.
    new = [
        *story("a.", "b.") * 4,
        *story("a.", "c."),
        *story("c.", "c.") * 3,
        *story("c.", "a.") * 2,
    ]
    model = learned(UNSURE).model(ANY)
    found = [
        (one.confidence, one.right, one.count) for one in calibration(checked_tiles(model, new))
    ]
    assert found == [(pytest.approx(0.6), 0.8, 5), (1.0, 0.6, 5)]
    # Half of them 0.2 too careful, the other half 0.4 too sure.
    assert tile_accuracy(learned(UNSURE), new)["calibration_error"] == pytest.approx(0.3)


def test_a_model_as_sure_as_it_is_right_has_no_error_of_calibration():
    new = [*story("a.", "b.") * 6, *story("a.", "c.") * 4]
    assert tile_accuracy(learned(UNSURE), new)["calibration_error"] == pytest.approx(0.0)


def test_of_nothing_all_is_right():
    found = tile_accuracy(learned(CYCLE), [])
    assert found.pop("calibration_error") == 0.0
    assert set(found.values()) == {1.0}

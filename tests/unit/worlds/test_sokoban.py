"""Sokoban with a letter for everything that a cell holds."""

from __future__ import annotations

import pytest

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter, InvalidState
from ludex.worlds.sokoban.levels import levels, read_levels
from ludex.worlds.sokoban.rules import Move


@pytest.fixture
def sokoban():
    return registry.world("sokoban")


def after(world, row, *moves):
    """What a corridor becomes; walls are added around it."""
    edge = "w" * (len(row) + 2)
    state = world.parse(f"{edge}/w{row}w/{edge}")
    for move in moves:
        state = world.step(state, (move,), Rng(0))
    return state.rows[1][1:-1]


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("A.*o", ".A*o"),  # walks
        ("A*.o", ".A*o"),  # pushes
        ("A*o.", ".A+."),  # onto a goal
        ("A+.*o", ".u**o"),  # off a goal
        ("uo**", "ou**"),  # from goal to goal
        ("A**oo", "A**oo"),  # two boxes are too heavy
        ("o*A", "o*A"),  # a wall
        ("oA*", "oA*"),  # a box at a wall
        ("A+o*", ".u+*"),  # from goal to goal
    ],
)
def test_a_step_to_the_right(sokoban, before, wanted):
    assert after(sokoban, before, Move.RIGHT) == wanted


def test_the_four_ways(sokoban):
    text = "wwwww/w.o.w/w*A.w/w...w/wwwww"
    state = sokoban.parse(text)
    cells = {move: divmod(sokoban.step(state, (move,), Rng(0)).avatar, 5) for move in Move}
    assert cells == {
        Move.UP: (1, 2),
        Move.LEFT: (2, 2),  # the box is at a wall
        Move.DOWN: (3, 2),
        Move.RIGHT: (2, 3),
    }


def test_the_last_box_on_a_goal_wins(sokoban):
    state = sokoban.parse("wwwww/wA*ow/wwwww")
    solved = sokoban.step(state, (Move.RIGHT,), Rng(0))
    assert sokoban.model.outcome(solved).winners == (0,)
    assert sokoban.model.score(solved, 0) == 1


def test_moves_run_out():
    world = registry.world("sokoban[limit=2]")
    state = world.parse("wwwww/wA*ow/wwwww")
    for _ in range(2):
        state = world.step(state, (Move.UP,), Rng(0))
    assert world.model.outcome(state).winners == ()


def test_the_grid_shows_what_lies_below(sokoban):
    state = sokoban.parse("wwwwww/wu*+.w/wwwwww")
    shown = sokoban.model.view(state, 0).as_tiles().tiles
    row = [shown.content(int(mask)) for mask in shown.array[1]]
    assert row[1] == ("goal", "avatar")
    assert row[3] == ("goal", "box")


def test_there_are_a_dozen_levels_with_names_of_their_own():
    assert len(levels()) == 12
    assert len({level.name for level in levels()}) == 12


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("wwww/wA*w/wwww", "as many goals as boxes"),
        ("wwww/w.ow/wwww", "one avatar"),
        ("wwww/wA.w/wwww", "no box"),
        ("wwww/wA*ow/wwww", "one length"),
        ("wwww/wA*o/wwww", "close its edge"),
        ("wwww/wAxw/wwww", "none of its letters"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(sokoban, rows, reason):
    with pytest.raises(InvalidState, match=reason):
        sokoban.parse(rows)


def test_a_level_whose_size_is_wrong_is_named():
    with pytest.raises(InvalidState, match=r"level 'Mine' has 3 rows.*got '4,3'"):
        read_levels("Mine\n4,3\nwwwww\nwA*ow\nwwwww\n")


def test_a_level_that_is_not_there_is_refused():
    with pytest.raises(BadParameter, match="from 0 to 11, got 12"):
        registry.world("sokoban[level=12]")

"""Matches watched from Python."""

from __future__ import annotations

import io

import pytest

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter
from ludex.terminal import play_at_terminal, watch
from ludex.terminal.console import CleanConsole, styled_lines
from ludex.terminal.scene import Scene, fitted, panel


def test_a_match_is_shown_state_by_state_and_its_result_returned():
    paper = io.StringIO()
    console = CleanConsole(file=paper, width=80)
    result = watch(
        "nim[heaps=1-1]", ["uniform", "uniform"], seed=2, budget="9calls", console=console
    )
    assert result.winners == (1,)
    shown = paper.getvalue()
    assert [f"tick {tick}" in shown for tick in range(4)] == [True, True, True, False]
    assert "winner: seat 1 uniform (took the last match)" in shown


def test_only_video_games_are_played_by_single_keys():
    with pytest.raises(BadParameter, match="nim is no video game"):
        play_at_terminal("nim")


def first_scene(name):
    world = registry.world(name)
    return Scene(world, ["uniform"] * world.traits.seats, world.start(Rng(1)))


def shown(scene, draw, columns, **size):
    console = CleanConsole(file=io.StringIO(), width=columns)
    return styled_lines(console, draw(scene, columns=columns, **size), columns)


@pytest.mark.parametrize("rows", [23, 27, 40])
def test_the_board_and_all_seats_of_catan_fit_a_low_terminal(rows):
    lines = shown(first_scene("catan"), fitted, 80, rows=rows)[:rows]
    assert "catan" in lines[0]
    assert all(any(f"seat {seat}:" in line for line in lines) for seat in range(4))


@pytest.mark.parametrize("columns", [80, 120])
def test_a_frame_is_as_wide_as_the_terminal_where_the_picture_can_use_it(columns):
    assert max(map(len, shown(first_scene("hearthstone"), panel, columns))) == columns
    assert max(map(len, shown(first_scene("nim"), panel, columns))) == 76

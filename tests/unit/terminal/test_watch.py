"""Matches watched from Python."""

from __future__ import annotations

import io

import pytest

from ludex.core.errors import BadParameter
from ludex.terminal import play_at_terminal, watch
from ludex.terminal.console import CleanConsole


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

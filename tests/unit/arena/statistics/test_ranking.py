"""Places, points and ties, on tables worked by hand."""

from dataclasses import replace

import pytest

from ludex.arena.statistics.ranking import (
    Line,
    line_of,
    lines_by_game,
    places,
    points_of,
    rank,
    standings,
    time_indicator,
)
from ludex.arena.statistics.results import Row

ROW = Row(
    match=1, round=0, game="g", level=0, world="w", budget="9calls", repetition=0, seed=1, seat=0,
    agent="a", is_opponent=False, won=False, tied=False, gain=0.0, score=0.0, ticks=10, reason="",
    truncated=False, repeatable=True, faults=0, late=0, decisions=1, calls=0, most_calls=0,
    iterations=0, most_iterations=0, depth=0.0, cpu_ms=0.0, most_cpu_ms=0.0, wall_ms=0.0,
    most_wall_ms=0.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("won", "ticks", "indicator"), [(True, 150, 150), (False, 1999, 1), (False, 40, 1960)]
)
def test_the_time_indicator_wants_fast_wins_and_late_losses(won, ticks, indicator):
    assert time_indicator(won, ticks, 2000) == indicator


def test_wins_come_before_scores_and_scores_before_time():
    lines = [
        Line(win_rate=0.4, score=99, time=1),
        Line(win_rate=0.5, score=3, time=900),
        Line(win_rate=0.5, score=4, time=900),
        Line(win_rate=0.5, score=3, time=800),
    ]
    assert places(lines) == [4, 3, 1, 2]


def test_equal_lines_share_the_better_place_and_the_next_is_skipped():
    same = Line(0.5, 3, 800)
    assert places([same, Line(0.6, 0, 0), same, same, Line(0.1, 0, 0)]) == [2, 1, 2, 2, 5]


def test_the_second_rule_rounds_to_two_decimals():
    lines = [Line(0.501, 3, ticks_won=10, ticks_lost=5), Line(0.499, 3, ticks_won=9, ticks_lost=5)]
    assert places(lines, "prediction") == [2, 1]
    assert places(lines, "gvgai") == [1, 2]


def test_the_second_rule_puts_no_wins_last_and_no_losses_first():
    assert places([Line(0.5, 1), Line(0.5, 1, ticks_won=1e9)], "prediction") == [2, 1]
    lines = [Line(0.5, 1, ticks_won=5, ticks_lost=1e9), Line(0.5, 1, ticks_won=5)]
    assert places(lines, "prediction") == [2, 1]


def test_points_end_after_the_tenth_place():
    assert [points_of(place) for place in range(1, 13)] == [25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0]


def test_equal_points_go_to_more_first_places_then_second_ones():
    # a: 25 + 8 + 6 = 39, b: 18 + 15 + 6 = 39, c: 18 + 15 + 6 = 39 with other games
    table = {
        "g1": {"a": 1, "b": 2, "c": 3},
        "g2": {"a": 6, "b": 3, "c": 2},
        "g3": {"a": 7, "b": 7, "c": 7},
    }
    found = standings(table)
    assert [(one.agent, one.place, one.points) for one in found] == [
        ("a", 1, 39),
        ("b", 2, 39),
        ("c", 2, 39),
    ]


def test_a_line_averages_its_matches():
    rows = [
        replace(ROW, won=True, score=4.0, ticks=100),
        replace(ROW, won=True, score=2.0, ticks=200),
        replace(ROW, won=False, score=0.0, ticks=1400),
    ]
    line = line_of(rows, limit=2000)
    assert line == Line(
        win_rate=pytest.approx(2 / 3), score=2.0, time=300.0, ticks_won=150.0, ticks_lost=1400.0
    )


def test_a_disqualified_match_is_lost_with_the_worst_score():
    line = line_of([replace(ROW, won=True, score=50.0, faults=1)], limit=2000)
    assert (line.win_rate, line.score) == (0.0, -1000.0)


def test_the_ranking_of_a_study_counts_by_game():
    groups = {
        ("a", "g1"): [replace(ROW, won=True)],
        ("b", "g1"): [replace(ROW, won=False)],
        ("a", "g2"): [replace(ROW, score=1.0)],
        ("b", "g2"): [replace(ROW, score=2.0)],
        ("a", "g3"): [replace(ROW, score=1.0)],
        ("b", "g3"): [replace(ROW, score=2.0)],
    }
    found = rank(lines_by_game(groups, 2000))
    assert [(one.agent, one.points) for one in found] == [("b", 68), ("a", 61)]
    assert found[0].places == {"g1": 2, "g2": 1, "g3": 1}

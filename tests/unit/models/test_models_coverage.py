"""Coverage of local patterns, counted by hand on levels of one row."""

from __future__ import annotations

from collections import Counter

import pytest
from tile_games import grid, play, step

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter
from ludex.models.learned.curriculum.levels import TrainingLevel, pattern_report
from ludex.models.learned.curriculum.patterns import (
    Coverage,
    MissingContent,
    PatternSpace,
    coverage,
    together,
)
from ludex.models.learned.local import Local


def space():
    return PatternSpace("cross", 1)


def test_a_level_offers_every_neighbourhood_under_every_action():
    # |ab, aba and ba|, each with two actions.
    found = space().offered(grid("aba"))
    assert len(found) == 3 * 2
    assert set(found.values()) == {1}


def test_equal_neighbourhoods_are_one_pattern_that_occurs_twice():
    # |aa, aaa twice and aa|.
    found = space().offered(grid("aaaa"))
    assert len(found) == 3 * 2
    assert sorted(found.values()) == [1, 1, 1, 1, 2, 2]


def test_the_share_of_a_level_that_others_cover_is_counted_by_hand():
    one = space()
    target = one.offered(grid("abaa"))  # |ab, aba, baa and aa|
    first, second = one.offered(grid("aba")), one.offered(grid("aaaa"))
    assert coverage(target, first) == Coverage(8, 4, 8, 4)  # |ab and aba
    assert coverage(target, second) == Coverage(8, 2, 8, 2)  # aa|
    assert coverage(target, together([first, second])).share == 3 / 4


def test_occurrences_weigh_what_is_common():
    one = space()
    asked, known = one.offered(grid("aaaa")), one.offered(grid("baab"))
    assert coverage(asked, known).share == 0  # |ba, baa, aab and ab| have no aaa
    more = one.offered(grid("baaab"))  # which has one
    assert coverage(asked, more).share == 1 / 3
    assert coverage(asked, more).share_of_occurrences == 1 / 2


def test_nothing_is_covered_wholly():
    assert coverage(Counter(), Counter()).share == 1.0


def test_play_visits_only_what_was_done():
    one = space()
    story = [step(grid("aba"), 0, grid("aba")), step(grid("aba"), 0, grid("aab"))]
    seen = one.visited(story)
    assert sorted(seen.values()) == [2, 2, 2]
    assert coverage(one.offered(grid("aba")), seen) == Coverage(6, 3, 6, 3)  # action 1 is open


def test_missing_patterns_are_listed_by_the_content_of_their_cell():
    one = space()
    asked, known = one.offered(grid("abaa")), one.offered(grid("aba"))
    # baa and aa| under two actions; b is known.
    assert one.missing(asked, known) == [MissingContent(("a",), 4, 6)]


def test_an_action_on_a_cell_is_another_pattern_than_the_same_elsewhere():
    life = registry.world("life[width=3,height=3]")
    view = life.model.view(life.start(Rng(1)), 0)
    acting = sum(act.cell >= 0 for act in view.as_tiles().acts)
    assert acting == 9
    assert len(PatternSpace("square", 0).offered(view)) > 2  # of two contents


def test_the_data_of_a_learner_are_what_its_memory_holds():
    sokoban = registry.world("sokoban")
    story = play(sokoban, 40)
    learner = Local(span=1).fit(story)
    one = PatternSpace.of(learner)
    assert one.visited(story) == one.learned(learner)
    assert len(one.learned(learner)) == len(learner.memory_)
    fresh = play(sokoban, 40, seed=3)
    seen = coverage(one.visited(fresh), one.learned(learner)).share_of_occurrences
    assert seen == pytest.approx(learner.accuracy(fresh)["seen"])


def test_a_report_adds_the_levels_up_in_their_order():
    levels = [TrainingLevel.of(registry.world(f"sokoban[level={n}]"), Rng(0)) for n in (0, 1, 2)]
    report = pattern_report(PatternSpace(), levels[:2], levels[2:], 20, Rng(1))
    first, second = report.levels
    assert first.new == first.offered
    assert first.offered + second.new == len(report.offered)
    common = first.offered + second.offered - len(report.offered)
    assert first.elsewhere == Coverage(
        first.offered, common, first.elsewhere.occurrences, first.elsewhere.covered_occurrences
    )
    assert first.target_offered.covered <= second.target_offered.covered
    assert second.target_offered == coverage(report.target, report.offered)
    assert second.target_visited == coverage(report.target_visited, report.visited)


def test_data_collected_before_count_as_visited():
    levels = [TrainingLevel.of(registry.world(f"sokoban[level={n}]"), Rng(0)) for n in (0, 1)]
    one = PatternSpace()
    known = one.visited(levels[1].play(50, Rng(1).fork("coverage", levels[1].name)))
    report = pattern_report(one, levels[:1], levels[1:], 50, Rng(1), known)
    assert report.levels[0].target_visited.share == 1.0


def test_views_without_tiles_are_refused():
    nim = registry.world("nim")
    with pytest.raises(BadParameter, match="need views with as_tiles"):
        space().offered(nim.model.view(nim.start(Rng(0)), 0))

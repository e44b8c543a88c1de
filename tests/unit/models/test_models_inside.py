"""Looking inside a learned model: its rules in words, and where it errs."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from tile_games import grid, play, step

from ludex.core import registry
from ludex.models.learned.explain.accuracy import ANY, checked_tiles
from ludex.models.learned.explain.diagnosis import (
    TileError,
    confusion,
    errors,
    learning_curve,
    movers,
    strip,
    telling_runs,
)
from ludex.models.learned.explain.rules import TileWords, place_name
from ludex.models.learned.local import Local
from ludex.models.learned.training.files import save


def story(*rows, action=0):
    """One game: grids that follow each other."""
    return [step(grid(one), action, grid(other)) for one, other in pairwise(rows)]


CYCLE = story("a.", "b.", "c.", "a.")
EMPTY, A, B, C = 1, 2, 3, 4  # numbers are given as tiles are met, those of a grid in order


@pytest.fixture(scope="module")
def cycle():
    return Local(span=0, score="none").fit(CYCLE)


def chapters_of(learner, said=((0, "GO"), (1, "WAIT"))):
    return learner.chapters(TileWords(learner.vocabulary_, learner.verbs_, dict(said)))


# Rules


def test_a_path_of_the_tree_is_a_rule_in_words():
    seen = [*story("a", "b") * 5, *story("c", "c") * 2]
    seen += [*story("a", "a", action=1), *story("c", "c", action=1)]
    cells, *_ = chapters_of(Local(span=0, score="none").fit(seen))
    (rule,) = cells.rules  # only one object ever changes
    assert set(rule.when) == {"here is a", "the action is GO"}
    assert (rule.then, rule.times, rule.right) == ("here comes b", 5, 1.0)


def test_a_rule_that_fails_at_times_says_how_often():
    seen = [*story("a", "b") * 3, *story("a", "c")]
    (rule,) = chapters_of(Local(span=0, score="none").fit(seen))[0].rules
    assert rule.when == ()
    assert (rule.then, rule.times, rule.right) == ("here comes b", 4, 0.75)


def test_neighbours_are_named_by_where_they_lie():
    seen = [*story("ab", "bb"), *story("ac", "ac"), *story("cb", "cb"), *story("cc", "cc")]
    (rule,) = chapters_of(Local(shape="cross", span=1, score="none").fit(seen))[0].rules
    # One `a` becomes `b`, and every `b` stays one; whoever sees a `c`, or is one, stays, too.
    assert set(rule.when) == {"here is not c", "right is not c"}
    assert (rule.then, rule.times) == ("here comes b", 3)


@pytest.mark.parametrize(
    ("place", "words"), [((0, 1), "right"), ((-1, -1), "above, left"), ((3, 0), "3 below")]
)
def test_places_have_names(place, words):
    assert place_name(*place) == words


def test_what_is_in_every_cell_goes_without_saying():
    learner = Local(span=0, score="none").fit(CYCLE)
    learner.vocabulary_.contents[:] = [mask | 8 for mask in learner.vocabulary_.contents]
    learner.vocabulary_.kinds.append("floor")
    assert TileWords(learner.vocabulary_, [0], {}).tiles == ["the edge", "floor", "a", "b", "c"]


def coins():
    """A coin `b` beside `a` is eaten for a point; without coins the game is won."""
    return [
        step(grid("abb"), 0, grid(".ab", score=1.0)),
        step(grid(".ab", score=1.0), 0, grid("..a", score=2.0, end="won")),
        step(grid("abb"), 1, grid("abb")),
    ]


def test_gains_and_ends_are_rules_of_what_changes():
    learner = Local(span=1, score="tree", features="source").fit(coins())
    _, gains, ends = chapters_of(learner)
    assert [rule.then for rule in gains.rules] == ["+1.00"]
    assert sum(rule.times for rule in gains.rules) == 2
    assert [(rule.then, rule.times, rule.right) for rule in ends.rules] == [
        ("the game is won", 1, 1.0)
    ]


def test_association_rules_are_told_as_they_are():
    learner = Local(span=1, judge="rules", features="source").fit(coins())
    _, gains, ends = chapters_of(learner)
    assert [(rule.then, rule.times, rule.right) for rule in gains.rules] == [("+1", 2, 1.0)]
    assert [rule.then for rule in ends.rules] == ["the game is won"]
    assert ends.rules[0].when == ("no b is left",)


def test_weights_are_told_with_the_largest_first():
    learner = Local(span=1, score="linear", features="changes").fit(coins())
    _, gains, _ = chapters_of(learner)
    weights = [abs(float(rule.then)) for rule in gains.rules]
    assert weights == sorted(weights, reverse=True)
    assert {rule.when for rule in gains.rules} <= {
        (f"each {tile} that {way}",) for tile in ("a", "b", "nothing") for way in ("come", "go")
    }


def test_where_nothing_can_be_read_a_note_says_so():
    learner = Local(span=0, score="none", classifier="neighbours").fit(CYCLE)
    cells, gains, ends = chapters_of(learner)
    assert cells.rules == gains.rules == ends.rules == ()
    assert "neighbours" in cells.note


# Errors


def test_tiles_that_are_taken_for_others_are_counted_where_something_moves(cycle):
    new = story("a.", "b.", "a.")  # c. was to follow b.
    met = confusion(list(checked_tiles(cycle.model(ANY), new)))
    assert met == {(B, B): 1, (A, C): 1}


def test_equal_errors_are_counted_together(cycle):
    new = [*story("b.", "a.") * 2, *story("c.", "b.")]
    met = errors(new, list(checked_tiles(cycle.model(ANY), new)), 1)
    edge = (0, 0, 0)
    around_b = TileError((edge, (0, B, EMPTY), edge), verb=0, said=C, came=A)
    around_c = TileError((edge, (0, C, EMPTY), edge), verb=0, said=A, came=B)
    assert met == {around_b: 2, around_c: 1}


def test_a_strip_tells_what_was_predicted_from_what_was_imagined(cycle):
    run = story("a.", "b.", "b.", "c.")
    frames = list(strip(cycle.model(ANY), run, lambda state: state.tiles))
    firsts = [(int(f.came[0, 0]), int(f.said[0, 0]), int(f.imagined[0, 0])) for f in frames]
    # Imagination goes on from what it took to be c.; a forecast starts from the real b.
    assert firsts == [(A, A, A), (B, B, B), (B, C, C), (C, C, A)]


def test_the_runs_that_are_shown_are_the_liveliest_and_the_worst(cycle):
    lively, wrong = story("a.", "b.", "c."), story("b.", "a.", "c.")
    still = story("..", "..", "..")
    new = [*still, *lively, *wrong]
    most, worst = telling_runs(new, list(checked_tiles(cycle.model(ANY), new)), 2)
    assert most == lively
    assert worst == wrong


def test_games_shorter_than_a_strip_are_shown_whole(cycle):
    new = story("a.", "b.", "c.")
    assert telling_runs(new, list(checked_tiles(cycle.model(ANY), new)), 8) == (new, new)


def test_objects_that_come_and_go_are_movers(cycle):
    new = [*story("ac", "bc"), *story("c.", "c.")]
    assert movers(cycle.vocabulary_, list(checked_tiles(cycle.model(ANY), new))) == {"a", "b"}


def test_a_pupil_learns_from_nothing(cycle):
    points = list(learning_curve(cycle, CYCLE, CYCLE, [1, 3]))
    assert [size for size, _ in points] == [1, 3]
    assert points[0][1]["grids"] < points[1][1]["grids"] == 1.0


# The command


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "life.model"
    world = registry.world("life[width=4,height=3]")
    save(Local(span=1).fit(play(world, 60)), path, [str(world)])
    return path


def test_the_page_is_about_the_world_the_model_learned_from(kept, run, tmp_path):
    status, out, _ = run("model", "show", str(kept), "--steps", "20", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["world"] == "life[width=4,height=3]"
    assert found["page"] == f"{kept}.html"
    assert "%DATA%" not in (tmp_path / "life.model.html").read_text()


def test_a_model_that_does_not_know_its_world_asks_for_one(tmp_path, run):
    path = tmp_path / "file"
    save(Local(span=1).fit(play(registry.world("life[width=4,height=3]"), 30)), path)
    status, _, err = run("model", "show", str(path))
    assert status != 0
    assert "name one with --world" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--world", "nim"), "learns games of one player"),
        (("--world", "life9"), "did you mean 'life'"),
        (("--steps", "0"), "--steps is a whole number from 1"),
        (("--out", "nowhere/page.html"), "there is no folder"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_sentence(kept, run, arguments, complaint):
    status, _, err = run("model", "show", str(kept), *arguments)
    assert status != 0
    assert complaint in " ".join(err.split())
    assert "Traceback" not in err


def test_a_folder_is_no_model(run):
    status, _, err = run("model", "show", ".")
    assert status != 0
    assert "cannot read '.': it is a folder; name a model" in err


def test_a_file_that_is_no_model_is_refused(tmp_path, run):
    path = tmp_path / "page"
    path.write_text("not a model")
    status, _, err = run("model", "show", str(path))
    assert status != 0
    assert "not a model file" in err

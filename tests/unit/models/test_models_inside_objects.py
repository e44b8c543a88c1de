"""Looking inside a model of objects: its rules in words, what it takes for what, and where."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from object_games import BLOCK, KINDS, scene
from tile_games import TRAITS, play, step

from ludex.core import Rng, registry
from ludex.models.learned.explain.object_accuracy import checked_objects, object_accuracy
from ludex.models.learned.explain.object_diagnosis import Contents, compare
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.objects.memory import GONE, ObjectChange
from ludex.models.learned.training.files import save

SAID = {0: "GO", 1: "WAIT"}
WALL, COIN, BOX, SHOT, AVATAR = range(5)


def walker(**parameters):
    """An avatar that goes right where it is told to go, unless a wall is there."""
    seen = []
    for column in range(1, 6):
        here, there = (scene(("A", 1, x, 2), ("w", 2, 7, 2)) for x in (column, column + 1))
        waits = step(here, 1, here)
        seen += [step(here, 0, there if column < 6 else here), waits]
    blocked = scene(("A", 1, 6, 2), ("w", 2, 7, 2))
    seen += [step(blocked, 0, blocked), step(blocked, 1, blocked)]
    return ObjectBased(reach=1, score="none", **parameters).fit(seen)


@pytest.fixture(scope="module")
def words():
    return walker().words(SAID)


# Words


@pytest.mark.parametrize(
    ("fate", "told"),
    [
        (ObjectChange(BOX), "stays"),
        (ObjectChange(GONE), "goes"),
        (ObjectChange(COIN), "becomes coin"),
        (ObjectChange(BOX, right=1000), "moves right"),
        (ObjectChange(BOX, down=-500), "moves up by 0.5"),
        (ObjectChange(BOX, facing=3), "turns down"),
        (ObjectChange(BOX, gains=((COIN, 2), (SHOT, -1))), "takes 2 coin, gives 1 shot"),
        (ObjectChange(GONE, births=((SHOT, 0, -1000),)), "goes, makes shot up"),
    ],
)
def test_a_fate_has_words(words, fate, told):
    assert words.change(fate, BOX) == told


def test_who_faces_as_before_does_not_turn(words):
    assert words.change(ObjectChange(AVATAR, facing=4), AVATAR, facing=4) == "stays"


# Rules


def chapters_of(learner):
    return learner.chapters(learner.words(SAID))


def test_paths_of_the_trees_of_a_kind_are_rules_in_words():
    own, *_ = chapters_of(walker())
    assert own.title == "avatar"
    (rule,) = own.rules  # nothing else ever happens
    assert set(rule.when) == {"the action is GO", "right is nothing"}
    assert (rule.then, rule.times, rule.right) == ("moves right", 5, 1.0)


def test_what_always_happens_is_a_rule_without_conditions():
    seen = [step(scene(("b", 2, 2, row)), 0, scene(("b", 2, 2, row + 1))) for row in range(1, 5)]
    box, *_ = chapters_of(ObjectBased(score="none").fit(seen))
    assert [(rule.when, rule.then, rule.times) for rule in box.rules] == [((), "moves down", 4)]


def test_kinds_that_never_change_have_no_chapter():
    assert [one.title for one in chapters_of(walker())] == [
        "avatar", "What a step gains", "When a game ends",
    ]  # fmt: skip


def test_a_classifier_without_rules_says_so():
    own, *_ = chapters_of(walker(classifier="neighbours"))
    assert own.rules == ()
    assert "neighbours" in own.note


def eaten(judge):
    """A coin that goes is worth two points, and the last one wins."""
    coins = ("A", 1, 2, 2), ("c", 2, 3, 2), ("c", 3, 4, 2)
    start, middle = scene(*coins), scene(("A", 1, 3, 2), coins[2], score=2.0)
    won = scene(("A", 1, 4, 2), score=4.0, end="won")
    seen = [step(start, 0, middle), step(middle, 0, won), step(start, 1, start)]
    return ObjectBased(score="tree", judge=judge).fit(seen)


@pytest.mark.parametrize("judge", ["fitted", "rules"])
def test_gains_and_ends_are_rules_of_what_goes_and_comes(judge):
    *_, gains, ends = chapters_of(eaten(judge))
    assert [(float(rule.then), rule.times) for rule in gains.rules] == [(2.0, 2)]
    assert [(rule.then, rule.times) for rule in ends.rules] == [("the game is won", 1)]


# Errors


def test_fates_that_are_taken_for_others_are_counted_by_kind():
    learner = walker()
    start, moved, other = (scene(("A", 1, x, 2), ("w", 2, 7, 2)) for x in (2, 3, 1))
    new = [step(start, 0, moved), step(start, 0, other), step(start, 1, start)]
    found = compare(learner, learner.model(TRAITS), new, Contents(), learner.words(SAID), 1)
    assert found.confusion == {
        AVATAR: {("moves right", "moves right"): 1, ("moves left", "moves right"): 1}
    }


def test_equal_errors_are_counted_together_with_what_lay_around():
    learner, contents = walker(), Contents()
    start = scene(("A", 1, 6, 2), ("w", 2, 7, 2))
    broken = scene(("A", 1, 6, 2))
    new = [step(start, 1, broken)] * 2  # the wall goes, which none ever did
    found = compare(learner, learner.model(TRAITS), new, contents, learner.words(SAID), 1)
    ((error, times),) = found.errors.items()
    assert times == 2
    assert (error.kind, error.said, error.came, error.action) == (WALL, "stays", "goes", 1)
    empty, own, wall = (contents.number(one) for one in ((), ((4, 0, 0),), ((0, 0, 0),)))
    assert error.around == ((empty, empty, 0), (own, wall, 0), (empty, empty, 0))


def test_something_new_without_a_maker_was_not_predicted():
    learner = walker()
    start, more = scene(("A", 1, 2, 2)), scene(("A", 1, 2, 2), ("b", 9, 5, 5))
    found = compare(
        learner, learner.model(TRAITS), [step(start, 1, more)], Contents(), learner.words(SAID), 1
    )
    assert found.confusion[BOX] == {("comes", "was not predicted"): 1}


def test_what_is_predicted_to_leave_the_level_goes():
    seen = [step(scene(("b", 2, x, 2)), 0, scene(("b", 2, x + 1, 2))) for x in range(1, 6)]
    learner = ObjectBased(score="none").fit(seen)
    new = [step(scene(("b", 2, 7, 2)), 0, scene())]
    found = compare(learner, learner.model(TRAITS), new, Contents(), learner.words(SAID), 1)
    assert found.confusion == {BOX: {("goes", "goes"): 1}}
    assert not found.errors


# Pictures


def test_a_state_is_drawn_with_objects_where_they_are():
    learner, contents = walker(), Contents()
    view = scene(("A", 1, 2, 1), ("w", 2, 2, 1), size=(4, 3))
    shifted = view.objects[0]._replace(x=2 * BLOCK + 4)
    view = replace(view, objects=(shifted, view.objects[1]))
    grid = contents.grid(learner.model(TRAITS).imagine(view, Rng(0)))
    assert grid.shape == (3, 4)
    assert contents.known[grid[1, 2]] == ((WALL, 0, 0), (AVATAR, 40, 0))
    drawn = contents.drawn(KINDS)[grid[1, 2]]
    assert drawn == {"name": "wall + avatar", "kinds": [WALL, AVATAR], "shifts": [[0, 0], [40, 0]]}
    rough = contents.grid(learner.model(TRAITS).imagine(view, Rng(0)), exact=False)
    assert contents.known[rough[1, 2]] == ((WALL, 0, 0), (AVATAR, 0, 0))


def test_what_lies_in_every_cell_is_not_drawn():
    contents = Contents()
    ground = contents.number(((WALL, 0, 0),))
    boxed = contents.number(((WALL, 0, 0), (BOX, 0, 0)))
    drawn = contents.drawn(KINDS)
    assert [(drawn[one]["name"], drawn[one]["kinds"]) for one in (0, ground, boxed)] == [
        ("the edge", []), ("wall", []), ("box", [BOX]),
    ]  # fmt: skip


# How much is predicted


def test_five_steps_ahead_errors_add_up():
    seen = [step(scene(("b", 2, x, 2)), 0, scene(("b", 2, x + 1, 2))) for x in range(1, 6)]
    learner = ObjectBased(score="none").fit(seen)
    stops = [
        step(scene(("b", 2, x, 2)), 0, scene(("b", 2, y, 2)))
        for x, y in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 4))
    ]
    found = object_accuracy(learner, stops)
    assert found["states"] == 4 / 5
    assert found["states_5"] == 0.0
    (whole,) = checked_objects(learner.model(TRAITS), stops, 5)
    assert (dict(whole.said), dict(whole.came)) == ({(BOX, 50, 20): 1}, {(BOX, 40, 20): 1})
    assert (whole.changes, whole.errors) == (1, 1)


# The command


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "zelda.model"
    world = registry.world("vgdl/zelda")
    save(ObjectBased(score="tree").fit(play(world, 60)), path, [str(world)])
    return path


def test_the_page_has_every_part(kept, run):
    status, out, _ = run("model", "show", str(kept), "--steps", "20", "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["noun"], found["told"]) == ("thing", {"kinds": 6})
    assert len(found["strips"][0]) == 9
    assert np.array(found["strips"][0][0]["came"]).shape == (11, 15)
    assert [one["transitions"] for one in found["curve"]] == [1, 3, 7, 15, 30, 60]
    assert {one["title"] for one in found["chapters"]} >= {"avatar", "When a game ends"}


def test_the_command_tells_of_objects(kept, run):
    _, out, _ = run("model", "show", str(kept), "--steps", "20")
    assert "of objects that change and" in " ".join(out.split())


def test_a_world_without_objects_is_refused_in_one_sentence(kept, run):
    status, _, err = run("model", "show", str(kept), "--world", "life")
    assert status != 0
    assert "learns from lists of objects, and views of this world show none" in " ".join(
        err.split()
    )

"""Objects from pixels: small pictures whose objects are known, and games of our own."""

from __future__ import annotations

import numpy as np
import pytest
from object_games import write_game

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter
from ludex.core.object_list import NOBODY, GameObject, ObjectListView
from ludex.core.pixels import PixelView, pixels_of
from ludex.core.rng import Meter
from ludex.models.learned.pixel_objects import PixelObjects
from ludex.models.learned.pixels.accuracy import PixelAccuracy
from ludex.models.learned.pixels.clusters import PatchBook, TooManyPatches, cut, ground_of
from ludex.models.learned.pixels.control import Control
from ludex.models.learned.pixels.seen import SeenObject, collisions
from ludex.models.learned.pixels.templates import Template, TemplateStudy, found_by_templates
from ludex.models.learned.pixels.tracking import Tracker, assigned
from ludex.models.learned.training import random_play

CELL = 4
COLOURS = {".": 0, "w": 90, "a": 160, "b": 230}


def patch(letter):
    """A tile with a mark in one corner, so that it fits in one place only."""
    made = np.full((CELL, CELL, 3), COLOURS[letter], np.uint8)
    if letter != ".":
        made[0, 0] = 255 - COLOURS[letter] // 2
    return made


def picture(text):
    """A picture of rows such as `a./.b`."""
    return np.vstack([np.hstack([patch(one) for one in row]) for row in text.split("/")])


def put(frame, letter, x, y):
    made = frame.copy()
    made[y : y + CELL, x : x + CELL] = patch(letter)
    return made


def places(objects):
    return sorted((one.kind, one.x, one.y) for one in objects)


A, B = Template(1, patch("a")), Template(2, patch("b"))


# Known sprites


def test_templates_are_found_between_cells():
    frame = put(put(picture("..../...."), "a", 3, 1), "b", 9, 3)
    assert places(found_by_templates(frame, [A, B])) == [(1, 3, 1), (2, 9, 3)]


def test_the_template_that_differs_least_wins():
    frame = put(picture(".../..."), "a", 4, 0)
    frame[frame == 160] = 165  # a little brighter; b would differ by 65
    (found,) = found_by_templates(frame, [A, B], tolerance=80)
    assert (found.kind, found.x, found.y) == (1, 4, 0)
    assert found.error == pytest.approx(5 * 15 / 16, abs=0.01)
    assert found_by_templates(frame, [A, B], tolerance=4) == []


def test_an_object_partly_below_another_is_found_where_it_is():
    frame = put(put(picture("..../...."), "a", 4, 0), "b", 6, 1)
    found = found_by_templates(frame, [B, A])
    assert places(found) == [(1, 4, 0), (2, 6, 1)]
    first, second = found
    assert first.overlaps(second)


def test_an_object_wholly_below_another_is_not_seen():
    frame = put(put(picture("..../...."), "a", 4, 0), "b", 4, 0)
    assert places(found_by_templates(frame, [B, A])) == [(2, 4, 0)]


def test_an_unknown_sprite_is_nothing_to_known_templates():
    assert found_by_templates(picture("w../..w"), [A, B]) == []


def test_templates_come_from_labelled_pictures():
    frame = picture("a../.ba")
    facts = (0, (0, 1))
    labels = ObjectListView(
        *facts,
        ("box", "hero"),
        (GameObject(0, 1, 0, 0), GameObject(1, 2, 10, 10), GameObject(0, 3, 20, 10)),
        1, (0, 0), (), (3, 2, 10), 0.0, None,
    )  # fmt: skip
    study = TemplateStudy()
    study.watch(PixelView(*facts, frame.tobytes(), (3, 2, CELL), 0.0, None), labels)
    box, hero = study.templates()  # the more frequent first
    assert np.array_equal(box.patch, patch("a"))
    assert np.array_equal(hero.patch, patch("b"))
    assert (box.step_x, box.step_y) == (8, 4)  # seen at columns 0 and 8, at rows 0 and 4


# Unknown sprites


def test_equal_tiles_are_one_cluster_without_any_clustering():
    book = PatchBook(CELL)
    tiles = book.read(picture("wa./.aw"))
    assert book.cluster()
    assert book.kinds(tiles).tolist() == [[0, 1, 2], [2, 1, 0]]
    assert not book.cluster()  # nothing new


def test_noisy_tiles_are_clustered_within_the_tolerance():
    frame = picture("wa./.aw").astype(np.int16)
    frame[1, 1] += 40  # one pixel of the wall: 120 / 48 on average
    frame[CELL + 1, 2 * CELL + 1] -= 40
    noisy = np.clip(frame, 0, 255).astype(np.uint8)
    exact, tolerant = PatchBook(CELL), PatchBook(CELL, tolerance=6.0)
    counts = []
    for book in (exact, tolerant):
        tiles = book.read(noisy)
        book.cluster()
        counts.append(book.count)
    assert counts == [4, 3]
    assert tolerant.kinds(tiles).tolist() == [[0, 1, 2], [2, 1, 0]]


def test_a_new_tile_goes_to_the_nearest_cluster_until_it_is_learned():
    book = PatchBook(CELL)
    book.read(picture("wa."))
    book.cluster()
    tiles = book.read(picture("b"))
    assert book.kinds(tiles).tolist() == [[1]]  # 230 is nearest to 160
    assert book.cluster()
    assert book.kinds(tiles).tolist() == [[3]]


def test_the_ground_is_what_objects_move_on_not_what_is_most_frequent():
    book = PatchBook(CELL)
    before, after = book.read(picture("wwwww/wa..w")), book.read(picture("wwwww/w.a.w"))
    book.cluster()
    steps = [(book.kinds(before), book.kinds(after))]
    assert ground_of(steps) == book.kinds(before)[1, 2]
    assert ground_of([(steps[0][0], steps[0][0])]) == 0  # nothing changed: the most frequent


def test_pictures_that_are_not_made_of_tiles_are_refused():
    with pytest.raises(BadParameter, match="cannot be cut into tiles of 5 pixels"):
        cut(picture("ab"), 5)
    dice = np.random.default_rng(0)
    with pytest.raises(TooManyPatches, match="use sprites=known"):
        PatchBook(2).read(dice.integers(0, 255, (200, 200, 3), dtype=np.uint8))


# Tracking


def seen(*objects):
    return [SeenObject(kind, x, y, CELL, CELL) for kind, x, y in objects]


def test_objects_are_paired_with_those_of_their_kind_that_are_near():
    before = seen((1, 0, 0), (2, 4, 0), (1, 20, 0))
    after = seen((1, 24, 0), (1, 4, 0), (2, 0, 0))
    assert assigned(before, after, reach=6) == [(0, 1), (1, 2), (2, 0)]


def test_the_pairs_are_the_best_together_not_one_by_one():
    # The nearest pair of all is 4 and 6; then 0 would have to go to 12, which is too far.
    before, after = seen((1, 0, 0), (1, 4, 0)), seen((1, 6, 0), (1, 12, 0))
    assert assigned(before, after, reach=8) == [(0, 0), (1, 1)]


def test_an_object_that_leaves_has_no_partner_and_a_new_one_gets_a_new_id():
    tracker = Tracker(reach=6)
    first = tracker.begin(seen((1, 0, 0), (1, 40, 0)))
    second = tracker.follow(seen((1, 4, 0)))
    third = tracker.follow(seen((1, 8, 0), (1, 40, 0)))
    assert second == first[:1]
    assert third[0] == first[0]
    assert third[1] not in first


def test_two_identical_objects_that_cross_keep_their_ids():
    tracker = Tracker(reach=6)
    left, right = tracker.begin(seen((1, 0, 0), (1, 12, 0)))
    ids = []
    for x in (4, 8, 12):
        ids.append(tracker.follow(seen((1, x, 0), (1, 12 - x, 0))))
    assert ids == [[left, right]] * 3
    # Without motion, distance alone takes them for objects that turned back.
    assert assigned(seen((1, 4, 0), (1, 8, 0)), seen((1, 8, 0), (1, 4, 0)), 6) == [(0, 1), (1, 0)]


def test_boxes_that_overlap_collide():
    before, after = seen((1, 0, 0), (2, 8, 0)), seen((1, 5, 0), (2, 8, 0))
    assert collisions(before, after, assigned(before, after, 6)) == {(1, 2)}


def test_an_object_collides_with_one_that_it_covers_or_pushes():
    before = seen((1, 0, 0), (2, 4, 0))
    covered = seen((1, 4, 0))
    pushed = seen((1, 4, 0), (2, 8, 0))
    beside = seen((1, 0, 4), (2, 4, 0))
    for after, found in ((covered, {(1, 2)}), (pushed, {(1, 2)}), (beside, set())):
        assert collisions(before, after, assigned(before, after, 6)) == found


# The avatar


def test_the_avatar_is_the_object_whose_moves_tell_the_action():
    control, dice = Control(), Rng(1)
    ways = ((4, 0), (-4, 0), (0, 4), (0, -4))
    for _ in range(200):
        action = dice.below(5)
        own = ways[action] if action < 4 and dice.below(2) else (0, 0)
        wild = ways[dice.below(4)]
        before = seen((1, 40, 40), (2, 80, 80), (3, 0, 0))
        after = seen((1, 40 + own[0], 40 + own[1]), (2, 80 + wild[0], 80 + wild[1]), (3, 0, 0))
        control.watch(before, action, after, [(0, 0), (1, 1), (2, 2)])
    assert control.avatars() == (1,)
    assert control.control(1) == 1.0
    assert control.control(2) < 0.3
    assert control.directions((1,)) == {0: (1, 0), 1: (-1, 0), 2: (0, 1), 3: (0, -1)}


# Games of our own


def told(game, steps, seed=1):
    world = registry.world(game)
    view = world.model.view(world.start(Rng(0)), 0)
    return world, list(random_play(world.model, view, steps, Rng(seed), 300))


@pytest.mark.parametrize("sprites", ["unknown", "known"])
def test_what_is_seen_of_a_game_of_tiles_is_found_and_tracked(sprites):
    _, steps = told("vgdl/sokoban", 120)
    learner = PixelObjects(sprites=sprites).fit(steps)
    accuracy = PixelAccuracy()
    tracker = Tracker(15.0)
    for index, one in enumerate(steps):
        objects = learner.sight_.objects(learner.sight_.keep(pixels_of(one.after.view)))
        ids = tracker.follow(objects) if index else tracker.begin(objects)
        accuracy.watch(objects, ids, one.after.view.as_objects(), 10)
    names = None if sprites == "unknown" else dict(enumerate(learner.sight_.names))
    found = accuracy.report(names, ignore=("floor",))
    assert found["precision"] == 1.0
    assert found["recall"] > 0.98  # marks below the avatar or a box are not seen
    assert found["tracks"] == 1.0


def test_the_avatar_of_a_game_is_found_in_pictures_alone():
    _, steps = told("vgdl/sokoban", 150)
    learner = PixelObjects().fit(steps)
    own = steps[40].after.view
    listed, true = learner.listed(own.as_pixels()), own.as_objects()
    block = true.size[2]
    mine, its = listed.objects[listed.avatar], true.objects[true.avatar]
    assert (mine.x // 10, mine.y // 10) == (its.x // block, its.y // block)
    assert listed.avatar != NOBODY


def test_wrong_names_and_places_lower_precision_and_recall():
    labels = ObjectListView(
        0, (0,), ("a", "b"), (GameObject(0, 1, 0, 0), GameObject(1, 2, 10, 0)),
        NOBODY, (0, 0), (), (3, 1, 10), 0.0, None,
    )  # fmt: skip
    accuracy = PixelAccuracy()
    accuracy.watch(seen((0, 0, 0), (1, 8, 0), (1, 4, 0)), [7, 8, 9], labels, CELL)
    accuracy.watch(seen((0, 0, 0), (1, 4, 0)), [7, 5], labels, CELL)
    found = accuracy.report({0: "a", 1: "b"})
    assert found["precision"] == 4 / 5
    assert found["recall"] == 1.0
    assert found["tracks"] == 1 / 2  # the second b has another id


def test_a_learner_predicts_what_it_reads_from_pictures(tmp_path):
    from ludex.models.learned.training.files import load, save

    world, steps = told("vgdl/sokoban", 400)
    learner = PixelObjects().fit(steps)
    fresh = told("vgdl/sokoban", 80, seed=2)[1]
    found = learner.accuracy(fresh)
    assert found["states"] > 0.7
    save(learner, tmp_path / "seen.model")
    again = load(tmp_path / "seen.model", PixelObjects)
    assert again.accuracy(fresh) == found
    view = fresh[3].before.view
    mine, its = (one.model(world.traits).imagine(view, Rng(0)) for one in (learner, again))
    assert mine == its


def test_known_sprites_are_kept_in_a_file(tmp_path):
    from ludex.models.learned.training.files import load, save

    _, steps = told("vgdl/aliens", 25)
    learner = PixelObjects(sprites="known").fit(steps)
    save(learner, tmp_path / "seen.model")
    again = load(tmp_path / "seen.model", PixelObjects)
    shown = steps[-1].after.view.as_pixels()
    assert again.listed(shown) == learner.listed(shown)


def test_an_agent_that_sees_pixels_alone_plays_and_learns_on():
    world, budget = registry.world("vgdl/sokoban"), Budget(model_calls=50)
    model = world.model.metered(Meter())
    state = world.start(Rng(0))
    agent = make_agent("one_step@pixel_objects(learn=continuous,refit=20)")
    mind = agent.start(model, model.view(state, 0), budget, Rng(1))
    for tick in range(45):
        decision = mind.decide(model.view(state, 0), budget, Rng(2).fork(tick))
        model.advance(state, (decision.action,), Rng(3).fork(tick))
    assert decision.notes["learned_from"] == 44
    assert decision.notes["fittings"] >= 1
    assert decision.notes["foretold"] > 10
    assert decision.predicted is not None


def test_an_avatar_that_turns_before_it_walks_is_predicted_by_its_last_action():
    world, steps = told("vgdl/zelda", 300)
    learner = PixelObjects().fit(steps)
    model = learner.model(world.traits)
    action = {way: action for action, way in learner.sight_.directions.items()}
    left, right = action[-1, 0], action[1, 0]
    view = steps[0].before.view  # with nothing to the right of the avatar
    places = []
    for last in (left, right):
        model.recall(((view, last),))
        state = model.imagine(view, Rng(0))
        after = model.step(state, (right,), Rng(0))
        places.append(after.objects[after.avatar][1] - state.objects[state.avatar][1])
    assert places == [0, 10]  # it turns; where it faces right already, it walks


GOAL = {
    "sprites": "goal > Immovable color=GOLD",
    "letters": "g > floor goal",
    "rules": "goal avatar > killSprite scoreChange=1",
    "ends": "SpriteCounter stype=goal limit=0 win=True",
}


def test_a_planner_wins_a_game_that_it_knows_from_pictures_alone(tmp_path):
    level = "wwwwwww\nwA....w\nw.www.w\nw...g.w\nwwwwwww\n"
    world = registry.world(write_game(tmp_path, level, **GOAL))
    agent = make_agent("breadth_first@pixel_objects(steps=800,score=tree)")
    budget, state = Budget(model_calls=400), world.start(Rng(0))
    mind = agent.start(world.model, world.model.view(state, 0), budget, Rng(2))
    for tick in range(12):  # the way has five steps
        if world.model.over(state):
            break
        decision = mind.decide(world.model.view(state, 0), budget, Rng(tick))
        state = world.step(state, (decision.action,), Rng(tick))
    assert world.model.outcome(state).winners == (0,)
    assert tick <= 6


def test_what_cannot_be_read_is_refused():
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(0)), 0)
    with pytest.raises(BadParameter, match="need views with as_pixels"):
        PixelObjects().shown(view)
    assert "pictures" in PixelObjects().refusal(registry.world("sokoban").traits, view)
    with pytest.raises(BadParameter, match="sprites=known takes templates"):
        PixelObjects(sprites="known", learn="continuous")

"""The object-based forward model."""

from __future__ import annotations

import numpy as np
import pytest
from kept_models import rewrite
from object_games import BLOCK, KINDS, ROOM, scene, with_letter, words, write_game
from tile_games import TRAITS, grid, play, step

from ludex.agents.compose import make_agent
from ludex.cli.app import main
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, BrokenModel, NewerModel, NotFitted, Unsupported
from ludex.core.object_list import NOBODY
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.explain.object_accuracy import object_accuracy
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.objects.features import (
    DOWN,
    EMPTY,
    FIRST_KIND,
    OUTSIDE,
    RIGHT,
    VERB,
    FeatureSettings,
    rows_at_once,
    rows_one_by_one,
)
from ludex.models.learned.objects.memory import GONE, ItemKinds, ObjectChange, object_step, scene_of
from ludex.models.learned.training.files import load, save
from ludex.worlds.vgdl.action import Action

SETTINGS = FeatureSettings(reach=1)
NIL, USE = 0, 1


def changes(before, after):
    """What became of each object, and the kinds of what is new."""
    step_taken = object_step(SETTINGS, before, 0, after, ItemKinds())
    return step_taken.changes, [obj.kind for obj in step_taken.born]


# What happened, and what an object sees


def test_objects_are_followed_by_their_ids():
    before = scene(("A", 1, 2, 2), ("b", 2, 3, 2), ("c", 3, 5, 5))
    after = scene(("A", 1, 3, 2), ("b", 2, 4, 2))
    assert changes(before, after) == (
        [ObjectChange(4, 1000), ObjectChange(2, 1000), ObjectChange(GONE)],
        [],
    )


def test_what_lies_in_the_place_of_another_is_what_became_of_it():
    before = scene(("A", 1, 0, 0), ("b", 2, 5, 5))
    after = scene(("A", 1, 0, 0), ("c", 9, 5, 5))
    assert changes(before, after) == ([ObjectChange(4), ObjectChange(1)], [])


def test_an_avatar_with_a_new_body_is_the_same_avatar():
    before, after = scene(("A", 1, 0, 0)), scene(("A", 7, 1, 0))
    assert changes(before, after) == ([ObjectChange(4, 1000)], [])


def test_what_is_new_is_told_to_all_who_are_near():
    before = scene(("A", 1, 2, 2), ("w", 2, 5, 5))
    after = scene(("A", 1, 2, 2), ("w", 2, 5, 5), ("s", 3, 2, 1))
    assert changes(before, after) == (
        [ObjectChange(4, births=((3, 0, -1000),)), ObjectChange(0)],
        [3],
    )


def test_an_object_sees_its_own_cell_and_those_around_it():
    view = scene(("A", 1, 0, 2), ("c", 2, 0, 2), ("w", 3, 1, 2), ("b", 4, 0, 3))
    avatar, _, _, box = rows_at_once(SETTINGS, scene_of(SETTINGS, view, 1, ItemKinds()))
    assert avatar[:5] == (1 + FIRST_KIND, OUTSIDE, 0 + FIRST_KIND, EMPTY, 2 + FIRST_KIND)
    assert (avatar[VERB], box[RIGHT], box[DOWN]) == (1, 0, -1)


@pytest.mark.parametrize("seed", range(20))
def test_all_at_once_see_what_each_sees_by_itself(seed):
    dice = np.random.default_rng(seed)
    objects = [
        ("wcbs"[kind], number, *dice.integers(-1, 9, 2).tolist())
        for number, kind in enumerate(dice.integers(0, 4, 30).tolist())
    ]
    avatar = [("A", 99, 3, 4)] if seed % 2 else []
    view = scene(*objects, *avatar, facing=(0, -1), held=((1, 5),))
    for feature_settings in (
        FeatureSettings(reach=1),
        FeatureSettings(reach=3, position=True, holds=2),
    ):
        moment = scene_of(feature_settings, view, seed % 3, ItemKinds([1], [3]))
        assert rows_at_once(feature_settings, moment) == rows_one_by_one(feature_settings, moment)


def test_the_rarest_of_those_who_are_always_near_is_the_maker():
    shots = []
    for place in range(1, 6):
        walls = [("w", 20 + y, place + 1, y) for y in range(6)]
        before = scene(*walls, ("A", 1, place, 3))
        after = scene(*walls, ("A", 1, place, 3), ("s", 3, place, 2))
        shots.append(step(before, USE, after))
    learner = ObjectBased().fit(shots)
    assert learner.memory_.makers() == {(4, 3)}


# Games with an idea each


def taught(path, steps=1500, **parameters):
    world = registry.world(path)
    return world, ObjectBased(**parameters).fit(play(world, steps))


def wrong_share(world, learner, steps=200):
    """How many of the states after one step are predicted wrongly."""
    model = learner.model(world.traits)
    fresh = play(world, steps, seed=11)
    wrong = sum(
        model.step(model.imagine(one.before.view, Rng(0)), one.actions, Rng(0)).differs(
            model.imagine(one.after.view, Rng(0))
        )
        > 0
        for one in fresh
    )
    return wrong / len(fresh)


def test_a_mover_is_predicted_where_it_has_never_been(tmp_path):
    _, learner = taught(write_game(tmp_path, ROOM), 400)
    larger = ROOM.replace("w.......w\n", "w.......w\n" * 4)
    (tmp_path / "game_lvl1.txt").write_text(larger)
    other = registry.world(f"{tmp_path}/game.txt[level=1]")
    assert wrong_share(other, learner) == 0.0


def test_what_is_never_moved_is_ground(tmp_path):
    world, learner = taught(write_game(tmp_path, ROOM), 300)
    model = learner.model(world.traits)
    state = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))
    assert words(state, learner.kinds_) == [("avatar", 4.0, 3.0)]
    assert len(state.static.objects) == 28 + 63  # the border, and a floor in every cell


def test_a_box_is_pushed_unless_something_is_behind_it(tmp_path):
    path = write_game(
        tmp_path,
        with_letter("b", 5, 3),
        sprites="box > Passive",
        letters="b > floor box",
        rules="box avatar > bounceForward; box wall > undoAll",
    )
    world, learner = taught(path, 1000)
    assert wrong_share(world, learner) <= 0.05


def test_who_sees_one_cell_far_cannot_know_whether_a_box_gives_way():
    before, pushed = scene(("A", 1, 2, 2), ("b", 2, 3, 2)), scene(("A", 1, 3, 2), ("b", 2, 4, 2))
    wall = ("w", 3, 4, 2)
    held_back = scene(("A", 1, 2, 2), ("b", 2, 3, 2), wall)
    seen = [step(before, 0, pushed), step(held_back, 0, held_back)]
    sure = {}
    for reach in (1, 2):
        model = ObjectBased(reach=reach).fit(seen).model(TRAITS)
        sure[reach] = model.confidence(model.step(model.imagine(before, Rng(0)), (0,), Rng(0)))
    assert sure == {1: 0.5, 2: 1.0}


def test_a_chaser_comes_nearer_wherever_the_avatar_is(tmp_path):
    path = write_game(
        tmp_path,
        with_letter("h", 1, 1),
        sprites="hunter > Chaser stype=avatar cooldown=1 fleeing=False",
        letters="h > floor hunter",
        rules="hunter wall > stepBack",
    )
    world, learner = taught(path, 600)
    model = learner.model(world.traits)
    hunter = learner.kinds_.index("hunter")
    state = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))

    def distance(now):
        places = {kind: (x, y) for kind, x, y in now.objects}
        (x, y), own = places[hunter], now.objects[now.avatar]
        return abs(x - own[1]) + abs(y - own[2])

    near = model.step(state, (NIL,), Rng(0))
    nearer = model.step(near, (NIL,), Rng(0))
    assert distance(state) > distance(near) > distance(nearer)


def test_a_shooter_makes_shots_that_fly_and_vanish(tmp_path):
    room = ROOM.replace("A", ".")
    path = write_game(
        tmp_path,
        with_letter("A", 4, 5, room),
        sprites="shot > Missile orientation=UP speed=1 singleton=True",
        letters="",
        rules="shot wall > killSprite",
        avatar="FlakAvatar stype=shot",
    )
    world, learner = taught(path, 500)
    avatar, shot = (learner.kinds_.index(name) for name in ("avatar", "shot"))
    assert learner.memory_.makers() == {(avatar, shot)}
    assert wrong_share(world, learner) <= 0.05
    model = learner.model(world.traits)
    use = Action.USE
    state = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))
    flights = [state := model.step(state, (use if tick == 0 else 0,), Rng(0)) for tick in range(6)]
    heights = [y // BLOCK for one in flights for kind, _, y in one.objects if kind == shot]
    assert heights == sorted(heights, reverse=True)
    assert len(heights) >= 3
    assert not [kind for kind, _, _ in flights[-1].objects if kind == shot]


def test_as_in_the_source_nothing_is_made():
    before = scene(("A", 1, 2, 2))
    after = scene(("A", 1, 2, 2), ("s", 3, 2, 1))
    counts = {}
    for makes in (True, False):
        model = ObjectBased(makes=makes).fit([step(before, USE, after)]).model(TRAITS)
        counts[makes] = len(model.step(model.imagine(before, Rng(0)), (USE,), Rng(0)).objects)
    assert counts == {True: 2, False: 1}


KEYS = {
    "sprites": "key > Resource limit=1; door > Immovable",
    "letters": "k > floor key; d > floor door",
    "rules": "key avatar > collectResource scoreChange=1; "
    "door avatar > killIfOtherHasMore resource=key limit=1 scoreChange=5; avatar door > stepBack",
    "ends": "SpriteCounter stype=door limit=0 win=True",
}


def test_a_key_that_is_picked_up_is_carried_and_opens_the_door(tmp_path):
    level = "wwwwwww\nw.....w\nw.A.k.w\nw.....w\nw...d.w\nwwwwwww\n"
    world, learner = taught(write_game(tmp_path, level, **KEYS), 1500, score="tree")
    model = learner.model(world.traits)
    right, down = Action.RIGHT, Action.DOWN
    state = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))
    key = learner.kinds_.index("key")
    for _ in range(2):
        state = model.step(state, (right,), Rng(0))
    assert state.held == ((key, 1),)
    assert key not in [kind for kind, _, _ in state.objects]
    for _ in range(2):
        state = model.step(state, (down,), Rng(0))
    assert model.outcome(state).winners == (0,)


def test_without_looking_at_what_is_carried_a_door_is_a_riddle():
    door = ("b", 2, 3, 2)
    shut, open_door = scene(("A", 1, 2, 2), door), scene(("A", 1, 2, 2), door, held=((1, 1),))
    passed = scene(("A", 1, 3, 2), held=((1, 1),))
    seen = [step(shut, 0, shut), step(open_door, 0, passed)]
    confidence = {}
    for holds in (0, 1):
        model = ObjectBased(holds=holds).fit(seen).model(TRAITS)
        after = model.step(model.imagine(open_door, Rng(0)), (0,), Rng(0))
        confidence[holds] = model.confidence(after)
    assert confidence == {0: 0.25, 1: 1.0}  # neither the avatar's fate nor the door's is certain


# As a model


def test_a_planner_wins_a_game_whose_rules_it_was_never_told(tmp_path):
    level = "wwwwwww\nw.....w\nw.A.k.w\nw.....w\nw...d.w\nwwwwwww\n"
    world = registry.world(write_game(tmp_path, level, **KEYS))
    agent = make_agent("breadth_first@object_based(steps=1500,score=tree)")
    budget = Budget(model_calls=400)
    state = world.start(Rng(0))
    mind = agent.start(world.model, world.model.view(state, 0), budget, Rng(2))
    for tick in range(20):
        if world.model.over(state):
            break
        decision = mind.decide(world.model.view(state, 0), budget, Rng(tick))
        state = world.step(state, (decision.action,), Rng(tick))
    assert world.model.outcome(state).winners == (0,)
    assert decision.notes["wrong"] == 0


def test_two_paths_to_the_same_objects_have_the_same_key(tmp_path):
    world, learner = taught(write_game(tmp_path, ROOM), 400)
    model = learner.model(world.traits)
    left, down = Action.LEFT, Action.DOWN
    start = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))
    keys = set()
    for path in ((left, down), (down, left)):
        state = start
        for action in path:
            state = model.step(state, (action,), Rng(0))
        keys.add(model.key(state, ignore=("orientation",)))
    assert len(keys) == 1


def test_what_was_never_seen_is_guessed_with_less_confidence():
    before, after = scene(("A", 1, 2, 2)), scene(("A", 1, 3, 2))
    model = ObjectBased(novelty=0.25).fit([step(before, 0, after)]).model(TRAITS)
    sure = model.step(model.imagine(before, Rng(0)), (0,), Rng(0))
    assert (model.confidence(sure), sure.unseen) == (1.0, 0)
    guess = model.step(model.imagine(before, Rng(0)), (1,), Rng(0))
    assert (model.confidence(guess), guess.unseen) == (0.25, 1)
    assert words(guess) == [("avatar", 3.0, 2.0)]


def test_a_kind_never_seen_stays_as_it_is():
    seen = step(scene(("A", 1, 2, 2)), 0, scene(("A", 1, 3, 2)))
    model = ObjectBased().fit([seen]).model(TRAITS)
    view = scene(("A", 1, 2, 2), ("b", 2, 5, 5))
    after = model.step(model.imagine(view, Rng(0)), (0,), Rng(0))
    assert (2, 5 * BLOCK, 5 * BLOCK) in after.static.objects


def test_what_leaves_the_level_is_gone():
    seen = [
        step(scene(("A", 1, 0, 0), ("s", 2, x, 4)), 0, scene(("A", 1, 0, 0), ("s", 2, x + 1, 4)))
        for x in range(2, 6)
    ]
    model = ObjectBased(reach=1).fit(seen).model(TRAITS)
    state = model.imagine(scene(("A", 1, 0, 0), ("s", 2, 7, 4)), Rng(0))
    assert words(model.step(state, (0,), Rng(0))) == [("avatar", 0.0, 0.0)]


def test_a_stochastic_model_draws_as_often_as_was_seen():
    before = scene(("A", 1, 2, 2))
    seen = [step(before, 0, scene(("A", 1, 3, 2)))] * 30
    seen += [step(before, 0, scene(("A", 1, 1, 2)))] * 70
    model = ObjectBased(stochastic=True).fit(seen).model(TRAITS)
    start = model.imagine(before, Rng(0))
    drawn = [words(model.step(start, (0,), Rng(seed)))[0][1] for seed in range(1000)]
    assert set(drawn) == {1.0, 3.0}
    assert abs(drawn.count(3.0) / 1000 - 0.3) < 0.06  # four standard errors


def test_without_an_avatar_objects_go_on():
    seen = [
        step(scene(("b", 2, 2, 2)), 0, scene(("b", 2, 2, 3))),
        step(scene(("b", 2, 2, 3)), 0, scene(("b", 2, 2, 4))),
    ]
    model = ObjectBased().fit(seen).model(TRAITS)
    state = model.imagine(scene(("b", 2, 4, 4)), Rng(0))
    assert state.avatar == NOBODY
    assert words(model.step(state, (0,), Rng(0))) == [("box", 4.0, 5.0)]


def test_the_avatar_that_dies_ends_the_game():
    alive, dead = scene(("A", 1, 2, 2)), scene(end="lost", score=-1.0)
    stays = step(alive, 1, alive)
    model = ObjectBased(score="tree").fit([step(alive, 0, dead), stays]).model(TRAITS)
    after = model.step(model.imagine(alive, Rng(0)), (0,), Rng(0))
    assert model.outcome(after).returns == (-1.0,)
    assert model.score(after, 0) == -1.0


def test_accuracy_counts_objects_that_are_wholly_right():
    before, after = scene(("A", 1, 2, 2), ("b", 2, 5, 5)), scene(("A", 1, 3, 2), ("b", 2, 5, 5))
    learner = ObjectBased().fit([step(before, 0, after), step(before, 1, before)])
    other = scene(("A", 1, 2, 2), ("b", 2, 6, 5))  # the avatar stays, and the box moves
    found = object_accuracy(learner, [step(before, 0, after), step(before, 0, other)])
    assert found["things"] == 2 / 4
    assert found["changed_things"] == 1 / 3
    assert found["states"] == 1 / 2


# Bad input


def test_a_world_without_objects_is_refused_before_the_first_move():
    sokoban = registry.world("sokoban")
    view = sokoban.model.view(sokoban.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match="object_based learns from lists of objects, and views"):
        make_agent("mcts@object_based").start(sokoban.model, view, Budget(model_calls=9), Rng(0))


def test_fitting_on_nothing_is_refused():
    with pytest.raises(BadParameter, match=r"ObjectBased.fit needs at least one transition"):
        ObjectBased().fit([])


def test_nothing_is_known_before_fitting():
    with pytest.raises(NotFitted, match="has seen no transitions"):
        _ = ObjectBased().memory_


def test_tiles_are_no_objects():
    with pytest.raises(BadParameter, match="need views with as_objects, got a TileView"):
        ObjectBased().fit([step(grid("a"), 0, grid("b"))])


def test_a_level_that_changes_its_size_is_refused():
    small, large = scene(("A", 1, 2, 2)), scene(("A", 1, 2, 2), size=(9, 9))
    with pytest.raises(BadParameter, match="8 x 8 cells followed by one of 9 x 9"):
        ObjectBased().fit([step(small, 0, large)])


def test_an_illegal_action_is_refused():
    with pytest.raises(BadParameter, match="learns from legal actions, got 7 where 2 others"):
        ObjectBased().fit([step(scene(("A", 1, 2, 2)), 7, scene(("A", 1, 2, 2)))])


def test_a_kind_without_a_name_is_refused():
    view = scene(("A", 1, 2, 2), kinds=KINDS[:3])
    with pytest.raises(BadParameter, match="of a kind that has no name"):
        ObjectBased().fit([step(view, 0, view)])


def test_kinds_in_another_order_are_the_same_kinds():
    before, after = scene(("A", 1, 2, 2)), scene(("A", 1, 3, 2))
    learner = ObjectBased().fit([step(before, 0, after)])
    model = learner.model(TRAITS)
    turned = scene(("w", 1, 2, 2), kinds=("avatar", *KINDS[:4]))
    state = model.imagine(turned, Rng(0))
    assert [kind for kind, _, _ in (*state.objects, *state.static.objects)] == [4]


def test_pictures_of_objects_have_the_sprites_of_the_view():
    world = registry.world("vgdl/zelda")
    view = world.model.view(world.start(Rng(0)), 0)
    shown = view.as_objects()
    assert len(shown.objects) == len(view.rows)
    assert shown.kinds[shown.objects[shown.avatar].kind] == "avatar"
    assert np.array_equal([obj.x for obj in shown.objects], view.rows["x"])


# Files and the command


@pytest.fixture(scope="module")
def keeper():
    return ObjectBased(judge="rules").fit(play(registry.world("vgdl/sokoban"), 120))


def test_what_is_kept_predicts_the_same(keeper, tmp_path):
    world = registry.world("vgdl/sokoban")
    save(keeper, tmp_path / "file")
    again = load(tmp_path / "file", ObjectBased)
    assert (str(again), again.seen_) == (str(keeper), 120)
    assert again.reward_model_.rules == keeper.reward_model_.rules
    one, other = (each.model(world.traits) for each in (keeper, again))
    for moment in play(world, 40, seed=7):
        after = [
            model.step(model.imagine(moment.before.view, Rng(0)), moment.actions, Rng(0))
            for model in (one, other)
        ]
        assert after[0] == after[1]
        assert after[0].confidence == after[1].confidence


@pytest.mark.parametrize("classifier", ["tree", "forest"])
def test_what_was_learned_is_read_and_not_fitted_again(classifier, tmp_path, monkeypatch):
    world = registry.world("vgdl/sokoban")
    learner = ObjectBased(classifier=classifier, memo=False, members=3).fit(play(world, 80))
    save(learner, tmp_path / "file")
    monkeypatch.setattr(classifiers, "fit", lambda *_: pytest.fail("fitted again"))
    again = load(tmp_path / "file", ObjectBased)
    assert (again.novelty_, again.fitted_to_) == (learner.novelty_, 80)
    assert steps_of(again, world) == steps_of(learner, world)


def steps_of(learner, world):
    model = learner.model(world.traits)
    after = [
        model.step(model.imagine(moment.before.view, Rng(0)), moment.actions, Rng(0))
        for moment in play(world, 30, seed=7)
    ]
    return [(state, state.confidence) for state in after]


def test_a_file_without_classifiers_is_fitted_again(keeper, tmp_path):
    """As those of the first versions are."""

    def without(header, arrays):
        for name in [name for name in arrays if name.startswith(("models.", "novelty"))]:
            del arrays[name]

    save(keeper, tmp_path / "file")
    rewrite(tmp_path / "file", without)
    again, world = load(tmp_path / "file", ObjectBased), registry.world("vgdl/sokoban")
    assert again.novelty_ == keeper.novelty_
    assert steps_of(again, world) == steps_of(keeper, world)


def test_what_was_seen_after_fitting_is_fitted_to_before_it_is_kept(tmp_path):
    seen = play(registry.world("vgdl/sokoban"), 40)
    learner = ObjectBased().fit(seen[:20])
    for one in seen[20:]:
        learner.add(one)
    save(learner, tmp_path / "file")
    assert load(tmp_path / "file", ObjectBased).fitted_to_ == 40


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_truncated_file_is_refused(keeper, tmp_path, share):
    path = tmp_path / "file"
    save(keeper, path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(BrokenModel, match="damaged, or not a model file"):
        load(path, ObjectBased)


def test_a_file_of_a_newer_version_is_refused(keeper, tmp_path):
    save(keeper, tmp_path / "file")
    rewrite(tmp_path / "file", lambda header, arrays: header.update(version=9))
    with pytest.raises(NewerModel, match="has version 9, and this ludex reads up to 1"):
        load(tmp_path / "file", ObjectBased)


def test_memory_cannot_be_switched_off_behind_a_file(keeper, tmp_path):
    save(keeper, tmp_path / "file")
    with pytest.raises(BadParameter, match="with memo=True, so it cannot be used with memo=False"):
        ObjectBased(file=str(tmp_path / "file"), memo=False).from_file()


def test_a_loaded_learner_goes_on_learning(keeper, tmp_path):
    save(keeper, tmp_path / "file")
    more = play(registry.world("vgdl/sokoban"), 30, seed=9)
    again = load(tmp_path / "file", ObjectBased).partial_fit(more)
    whole = keeper.clone().fit([*play(registry.world("vgdl/sokoban"), 120), *more])
    assert again.memory_ == whole.memory_


def lose_rows(header, arrays):
    del arrays["memory.rows"]


def shorten_rows(header, arrays):
    arrays["memory.rows"] = arrays["memory.rows"][:, :-1]


def strange_kind(header, arrays):
    arrays["memory.rows"][0, 0] = 99


def strange_fate(header, arrays):
    arrays["memory.fates"][0] = 10**6


def strange_facing(header, arrays):
    arrays["memory.texts"] = np.array(["[[0, 0, 0, 77, [], []]]", "[]"])


def no_json(header, arrays):
    arrays["memory.texts"] = np.array(["[[0,", "[]"])


def some_tree(arrays, item):
    return next(name for name in arrays if name.startswith("models.") and name.endswith(item))


def tree_to_nowhere(header, arrays):
    arrays[some_tree(arrays, ".rights")][:] = 10**6


def tree_without_cuts(header, arrays):
    del arrays[some_tree(arrays, ".cuts")]


def strange_classes(header, arrays):
    arrays[some_tree(arrays, ".classes")][:] = 900


def tree_of_other_columns(header, arrays):
    arrays[some_tree(arrays, ".features")][0] = 999


def strange_novelty(header, arrays):
    arrays["novelty"][0] = np.nan


def fewer_returns(header, arrays):
    arrays["judge.returns"] = arrays["judge.returns"][:1]


def fate_without_births(header, arrays):
    arrays["memory.texts"] = np.array(["[[0, 0, 0]]", "[]"])


@pytest.mark.parametrize(
    "change",
    [
        lose_rows,
        shorten_rows,
        strange_kind,
        strange_fate,
        strange_facing,
        no_json,
        fate_without_births,
        tree_to_nowhere,
        tree_without_cuts,
        strange_classes,
        tree_of_other_columns,
        strange_novelty,
        fewer_returns,
    ],
    ids=lambda one: one.__name__,
)
def test_content_that_cannot_be_is_refused(keeper, tmp_path, change):
    save(keeper, tmp_path / "file")
    rewrite(tmp_path / "file", change)
    with pytest.raises(BrokenModel, match="cannot use model"):
        load(tmp_path / "file", ObjectBased)


def test_a_file_of_another_model_is_refused(keeper, tmp_path):
    save(keeper, tmp_path / "file")
    with pytest.raises(BadParameter, match=r"holds a model of object_based; write planner@object"):
        load(tmp_path / "file", Local)


def test_the_command_fits_and_tells_how_well(tmp_path, capsys):
    typed = ["model", "fit", "vgdl/sokoban", "--model", "object_based(judge=rules)"]
    assert main([*typed, "--steps", "60", "--out", str(tmp_path / "kept")]) == 0
    told = capsys.readouterr().out
    assert "learned from 60 transitions, 6 kinds of objects" in told
    assert "of objects that change" in told


def test_the_command_refuses_worlds_without_objects(tmp_path, capsys):
    typed = ["model", "fit", "life", "--model", "object_based", "--out", str(tmp_path / "kept")]
    assert main(typed) == 2
    assert "object_based learns from lists of objects" in capsys.readouterr().err


def test_distances_in_a_predicted_state_are_those_of_the_rules():
    world = registry.world("vgdl/missilecommand")
    rules, start = world.model, world.start(Rng(0))
    view = rules.view(start, 0)
    model = ObjectBased(steps=30).make(rules, view, Budget(iterations=1), Rng(0))
    imagined = model.imagine(view, Rng(0))
    kinds = sorted({sprite.type for sprite in view.sprites})
    assert model.grid() == rules.grid()
    assert model.avatars(imagined) == rules.avatars(start)
    assert model.distances(imagined, 0, kinds) == pytest.approx(rules.distances(start, 0, kinds))
    assert model.distances(imagined, 0, [999]) == [None]

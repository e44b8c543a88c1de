"""The local forward model."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tile_games import TRAITS, grid, play, step, text_of

from ludex.core import Rng, registry
from ludex.core.budget import DEFAULT_BUDGET
from ludex.core.errors import BadParameter, NotFitted, Unsupported
from ludex.core.tiles import Act, Tiles, TileView
from ludex.models.learned._native import State, TileMemory, TreeClassifier
from ludex.models.learned.classifiers.fitting import ClassifierSettings, fit
from ludex.models.learned.local import Local
from ludex.models.learned.tabular import Tabular
from ludex.models.learned.tiles.model import TileEncoder
from ludex.models.learned.tiles.neighbourhood import neighbourhood, offsets
from ludex.models.learned.tiles.vocabulary import Vocabulary

SOME = ("life[width=5,height=4]", "sokoban", "vgdl/sokoban", "vgdl/zelda")


# Neighbourhoods


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [("cross", (5, 9, 13)), ("diamond", (5, 13, 25)), ("square", (9, 25, 49))],
)
def test_shapes_have_the_sizes_of_the_source(shape, sizes):
    assert tuple(len(offsets(shape, span)) for span in (1, 2, 3)) == sizes


@pytest.mark.parametrize("span", [1, 2, 3, 5])
def test_round_shapes_reach_from_the_cross_over_the_diamond_to_the_square(span):
    assert offsets("round", span, 0.1) == offsets("cross", span)
    assert offsets("round", span, 1.0) == offsets("diamond", span)
    corners = {(down * span, right * span) for down in (-1, 1) for right in (-1, 1)}
    assert set(offsets("round", span, 200.0)) == set(offsets("square", span)) - corners


def test_the_smallest_cross_is_the_smallest_diamond():
    assert offsets("cross", 1) == offsets("diamond", 1)


def seen_from(tiles, row, column, cells):
    """What a cell sees, looked up one by one; 0 is beyond the edge."""
    height, width = tiles.shape
    return [
        int(tiles[row + down, column + right])
        if 0 <= row + down < height and 0 <= column + right < width
        else 0
        for down, right in cells
    ]


@pytest.mark.parametrize("shape", ["cross", "diamond", "square"])
@pytest.mark.parametrize("size", [(1, 1), (1, 6), (5, 4)])
def test_every_cell_is_remembered_with_what_it_saw_and_became(shape, size):
    dice = np.random.default_rng(4)
    cells = offsets(shape, 2)
    around, memory, naive = neighbourhood(shape, 2), TileMemory(len(cells) + 1), {}
    choices = TileEncoder(Vocabulary(), [0, 1], 2).choices(grid("a"))
    for tick in range(5):
        before, after = (dice.integers(1, 4, size, dtype=np.uint16) for _ in range(2))
        verb = tick % 2
        memory.watch(around, State(before, 2, choices), verb, -1, State(after, 2, choices))
        for row, column in product(range(size[0]), range(size[1])):
            key = (*seen_from(before, row, column, cells), verb, int(after[row, column]))
            naive[key] = naive.get(key, 0) + 1
    rows, afters, times = memory.table()
    table = zip(rows.tolist(), afters.tolist(), times.tolist(), strict=True)
    assert {(*row, after): count for row, after, count in table} == naive


# Trees


@pytest.mark.parametrize(
    ("classifier_settings", "count"),
    [
        (ClassifierSettings(), 1_000_000),
        (ClassifierSettings(depth=5), 200_000),
        (ClassifierSettings(split="random"), 200_000),
        (ClassifierSettings("forest"), 100_000),
        (ClassifierSettings("forest", depth=4, members=5), 200_000),
    ],
    ids=str,
)
def test_compiled_trees_answer_as_the_library_does(classifier_settings, count):
    dice = np.random.default_rng(1)
    rows = dice.integers(0, 9, (1500, 26), dtype=np.uint16)
    after = (rows[:, 12] + (rows[:, 3] > 4) * rows[:, 25] % 3).astype(np.uint16)
    fitted = fit(classifier_settings, rows, after)
    asked = dice.integers(0, 14, (count, 26), dtype=np.uint16)
    asked[::7, 5] |= 0x4000
    tiles, shares = fitted.native(26).classify(asked)
    assert isinstance(fitted.native(26), TreeClassifier)
    assert np.array_equal(tiles, fitted.own.predict(asked))
    assert np.allclose(shares, fitted.own.predict_proba(asked).max(axis=1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", ["neighbours", "boosting", "bayes"])
def test_other_classifiers_are_asked_as_they_are(classifier):
    life = registry.world("life[width=4,height=4]")
    learner = Local(span=1, classifier=classifier, memo=False, members=5).fit(play(life, 60))
    model = learner.model(life.traits)
    state = model.imagine(life.model.view(life.start(Rng(9)), 0), Rng(0))
    after = model.step(state, (0,), Rng(0))
    rows = [
        [*seen_from(state.tiles, row, column, offsets("square", 1)), learner.verbs_.index(0)]
        for row, column in product(range(4), range(4))
    ]
    wanted = learner.classifier_.own.predict(np.array(rows, np.uint16))
    assert after.tiles.ravel().tolist() == wanted.tolist()


def test_broken_trees_are_refused():
    ok = {
        "features": np.array([0, -1, -1], np.int16),
        "cuts": np.array([3, 0, 0], np.int16),
        "rights": np.array([2, 0, 1], np.int32),
        "roots": np.array([0], np.int32),
        "classes": np.array([1, 2], np.uint16),
        "leaves": np.eye(2),
        "width": 1,
    }
    assert TreeClassifier(**ok).classify(np.array([[3], [4]], np.uint16))[0].tolist() == [1, 2]
    for name, bad in (
        ("rights", np.array([0, 0, 1], np.int32)),  # leads back
        ("rights", np.array([2, 0, 2], np.int32)),  # no such leaf
        ("features", np.array([1, -1, -1], np.int16)),  # rows have one number
        ("features", np.array([0, -1, 0], np.int16)),  # does not end with a leaf
        ("roots", np.array([3], np.int32)),
        ("roots", np.array([], np.int32)),
    ):
        with pytest.raises(ValueError, match=r"a (node|tree|forest)|last node"):
            TreeClassifier(**{**ok, name: bad})


# Learning


def test_life_is_known_in_all_512_cases_once_they_were_seen():
    life = registry.world("life[width=7,height=7]")
    learner, waits = Local(span=1), [Act(0)]
    cells = offsets("square", 1)
    centres = set()
    for seed in range(200):
        state = life.start(Rng(seed))
        before = life.model.view(state, 0)
        after = life.model.view(life.step(state, (0,), Rng(0)), 0)
        learner.add(step(before.as_tiles(), 0, after.as_tiles()))
        alive = before.as_tiles().tiles.array.astype(int)
        for row, column in product(range(1, 6), range(1, 6)):
            centres.add(tuple(seen_from(alive, row, column, cells)))
    assert len(centres) == 512  # 25 inner cells of 200 random boards show them all
    model = learner.learn_again().model(life.traits)
    for pattern in product((0, 1), repeat=9):
        board = np.zeros((7, 7), np.uint64)
        board[2:5, 2:5] = np.reshape(pattern, (3, 3))
        view = TileView(0, (0,), Tiles.of(("alive",), board), 0.0, None, tuple(waits))
        after = model.step(model.imagine(view, Rng(0)), (0,), Rng(0))
        neighbours = sum(pattern) - pattern[4]
        lives = neighbours == 3 or (pattern[4] == 1 and neighbours == 2)
        assert learner.vocabulary_.content(int(after.tiles[3, 3])) == (("alive",) if lives else ())


def test_few_cases_are_enough_to_guess_most_of_life():
    life = registry.world("life[width=10,height=10]")
    learner = Local(span=1, memo=False).fit(play(life, 40))
    model = learner.model(life.traits)
    right = [
        model.step(model.imagine(one.before.view, Rng(0)), one.actions, Rng(0)).differs(
            model.imagine(one.after.view, Rng(0))
        )
        for one in play(life, 60, seed=5)
    ]
    assert np.mean(right) < 10  # of 100 cells; a board of independent coins would have 50


@pytest.mark.parametrize("name", SOME)
def test_what_was_seen_without_conflict_is_predicted_exactly(name):
    world = registry.world(name)
    seen = play(world, 200)
    if world.traits.chance != "none":
        seen = seen[:1]
    learner = Local(span=2).fit(seen)
    model = learner.model(world.traits)
    rows, _, _ = learner.memory_.table()
    unlike = len(np.unique(rows, axis=0)) == len(rows)
    wrong = sum(
        model.step(model.imagine(one.before.view, Rng(0)), one.actions, Rng(0)).differs(
            model.imagine(one.after.view, Rng(0))
        )
        for one in seen
    )
    assert unlike == (wrong == 0)


def test_a_model_of_one_level_is_asked_about_a_larger_one():
    learner = Local(span=1).fit(play(registry.world("sokoban[level=0]"), 400))
    large = registry.world("sokoban[level=11]")
    model = learner.model(large.traits)
    state = model.imagine(large.model.view(large.start(Rng(0)), 0), Rng(0))
    after = model.step(state, (1,), Rng(0))
    assert after.tiles.shape == (7, 8)
    assert 0 < after.unseen < 56  # some neighbourhoods are new there, others are not


def test_what_an_action_is_done_to_is_seen_by_its_neighbours():
    life = registry.world("life[width=6,height=6]")
    learner = Local(span=1).fit(play(life, 1500))
    model = learner.model(life.traits)
    before = life.parse("....../....../..##../....../....../......")
    for row, column in ((1, 2), (3, 3), (5, 0)):
        action = life.switch(row, column)
        state = model.imagine(life.model.view(before, 0), Rng(0))
        after = life.step(before, (action,), Rng(0))
        wanted = model.imagine(life.model.view(after, 0), Rng(0))
        assert model.step(state, (action,), Rng(0)).differs(wanted) == 0


def test_the_likeliest_of_several_outcomes_is_predicted():
    seen = [step(grid("a"), 0, grid("b"))] * 3 + [step(grid("a"), 0, grid("c"))] * 2
    model = Local(span=0, score="none").fit(seen).model(TRAITS)
    after = model.step(model.imagine(grid("a"), Rng(0)), (0,), Rng(0))
    assert text_of(model, after) == "b"
    assert model.confidence(after) == pytest.approx(3 / 5)


def test_a_stochastic_model_draws_as_often_as_was_seen():
    seen = [step(grid("a"), 0, grid("b"))] * 30 + [step(grid("a"), 0, grid("c"))] * 70
    model = Local(span=0, score="none", stochastic=True).fit(seen).model(TRAITS)
    assert model.traits.chance == "sampled"
    start = model.imagine(grid("a"), Rng(0))
    drawn = [text_of(model, model.step(start, (0,), Rng(seed))) for seed in range(2000)]
    share = drawn.count("b") / len(drawn)
    assert set(drawn) == {"b", "c"}
    assert abs(share - 0.3) < 0.04  # four standard errors


# Speed


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("memo", [True, False])
def test_a_cache_changes_nothing_but_the_work(name, memo):
    world = registry.world(name)
    learner = Local(span=2, memo=memo).fit(play(world, 150))
    quick = learner.model(world.traits)
    slow = learner.clone(cache=False).fit(play(world, 150)).model(world.traits)
    view = world.model.view(world.start(Rng(3)), 0)
    one, other = quick.imagine(view, Rng(0)), slow.imagine(view, Rng(0))
    dice = Rng(5)
    for _ in range(120):
        if quick.over(one):
            break
        action = (dice.choice(quick.legal(one, 0)),)
        quick.advance(one, action, Rng(0))
        slow.advance(other, action, Rng(0))
        assert one == other
        assert (one.confidence, one.unseen) == (other.confidence, other.unseen)


def test_a_search_works_out_few_of_the_cells_it_predicts():
    world = registry.world("vgdl/sokoban")
    learner = Local().fit(play(world, 300))
    model = learner.model(world.traits)
    state = model.imagine(world.model.view(world.start(Rng(0)), 0), Rng(0))
    for seed in range(50):
        model.rollout(state, "uniform", 10, Rng(seed))
    cells, gathered, asked = model.work()
    assert asked * 3 < cells
    assert gathered < cells


# What it does not know


def test_what_was_never_seen_is_guessed_with_less_confidence():
    learner = Local(span=1, novelty=0.25, score="none")
    model = learner.fit([step(grid("ab."), 0, grid(".ab"))]).model(TRAITS)
    sure = model.step(model.imagine(grid("ab."), Rng(0)), (0,), Rng(0))
    assert (sure.confidence, sure.unseen) == (1.0, 0)
    guessed = model.step(model.imagine(grid("ab."), Rng(0)), (1,), Rng(0))
    assert guessed.unseen == 3  # the action is new to all cells
    assert guessed.confidence == pytest.approx(0.25**3)


def test_content_that_turns_up_later_gets_a_number_and_stays_what_it_is():
    learner = Local(span=0, score="none").fit([step(grid("a"), 0, grid("b"))])
    model = learner.model(TRAITS)
    view = grid("c")
    state = model.imagine(view, Rng(0))
    assert learner.vocabulary_.decode(state.tiles).array.tolist() == view.tiles.array.tolist()
    assert model.step(state, (0,), Rng(0)).unseen == 1


def test_kinds_in_another_order_are_the_same_kinds():
    learner = Local(span=0, score="none").fit([step(grid("a"), 0, grid("b"))])
    model = learner.model(TRAITS)
    assert model.imagine(grid("a", kinds="cba"), Rng(0)) == model.imagine(grid("a"), Rng(0))


ROAD = [step(grid(".a"), 0, grid("a.")), step(grid("a."), 0, grid(".a"))] * 3


def after_unknown_step(**parameters):
    model = Local(span=1, novelty=0.5, score="none", **parameters).fit(ROAD).model(TRAITS)
    return model, model.step(model.imagine(grid(".a"), Rng(0)), (1,), Rng(0))


def test_the_curious_gain_by_what_they_have_not_seen():
    model, state = after_unknown_step(curiosity=2.0)
    assert (model.score(state, 0), state.score) == (4.0, 0.0)  # two cells


def test_the_careful_lose_by_it():
    model, state = after_unknown_step(curiosity=-1.0)
    assert model.score(state, 0) == -2.0


def test_those_who_trust_little_go_no_further():
    model, state = after_unknown_step(trust=0.3)
    assert state.confidence == 0.25
    assert model.outcome(state).truncated
    model, state = after_unknown_step(trust=0.2)
    assert not model.over(state)


def test_the_bored_avoid_where_they_have_been():
    model = Local(span=1, boredom=0.1, score="none").fit(ROAD).model(TRAITS)
    state = model.imagine(grid(".a"), Rng(0))
    there = model.step(state, (0,), Rng(0))
    assert model.score(there, 0) == 0.0
    model.visit(there)
    model.visit(there)
    assert model.score(model.step(state, (0,), Rng(0)), 0) == pytest.approx(-0.2)


def test_gains_can_count_as_much_as_they_are_sure():
    seen = [step(grid("a"), 0, grid("b", score=4.0))] * 3 + [step(grid("a"), 0, grid("a"))]
    parameters = {"span": 0, "score": "tree", "features": "changes"}
    plain = Local(**parameters).fit(seen).model(TRAITS)
    wary = Local(**parameters, discount=True).fit(seen).model(TRAITS)
    for model, wanted in ((plain, 4.0), (wary, 3.0)):
        start = model.imagine(grid("a"), Rng(0))
        assert model.score(model.step(start, (0,), Rng(0)), 0) == wanted


# Score and end


def coins(count):
    """An avatar `a` that eats a coin `b` to its right, for a point, and wins with the last."""
    steps, row, score = [], "a" + "b" * count, 0.0
    for _ in range(count):
        place = row.index("a")
        after = row[:place] + ".a" + row[place + 2 :]
        end = "won" if "b" not in after else None
        steps.append(step(grid(row, score=score), 0, grid(after, score=score + 1, end=end)))
        steps.append(step(grid(row, score=score), 1, grid(row, score=score)))
        row, score = after, score + 1
    return steps


@pytest.mark.parametrize("score", ["linear", "ridge", "tree"])
@pytest.mark.parametrize("features", ["source", "companion", "changes"])
def test_a_point_for_each_coin_is_learned(score, features):
    learner = Local(span=1, score=score, features=features).fit(coins(6))
    model = learner.model(TRAITS)
    state = model.imagine(grid("..abbbb", score=7.0), Rng(0))
    tolerance = 0.25 if score == "ridge" else 0.05  # ridge draws its weights towards 0
    assert model.step(state, (0,), Rng(0)).score == pytest.approx(8.0, abs=tolerance)
    assert model.step(state, (1,), Rng(0)).score == pytest.approx(7.0, abs=tolerance)
    assert learner.reward_model_.knows_rewards


@pytest.mark.parametrize("score", ["linear", "tree"])
def test_where_nothing_was_ever_gained_nothing_is_expected(score):
    learner = Local(span=1, score=score).fit(ROAD)
    model = learner.model(TRAITS)
    assert model.step(model.imagine(grid(".a"), Rng(0)), (0,), Rng(0)).score == 0.0
    assert not learner.reward_model_.knows_rewards


def test_the_end_is_learned():
    model = Local(span=1).fit(coins(6)).model(TRAITS)
    near = model.imagine(grid("....abb"), Rng(0))
    last = model.step(near, (0,), Rng(0))
    assert not model.over(last)
    won = model.step(last, (0,), Rng(0))
    assert model.outcome(won).winners == (0,)
    assert model.outcome(won).returns == (1.0,)


def test_a_win_can_be_worth_a_bonus():
    parameters = {"span": 1, "score": "tree", "ending": False}
    model = Local(**parameters, win_bonus=1000).fit(coins(4)).model(TRAITS)
    last = model.imagine(grid("...ab"), Rng(0))
    assert model.step(last, (0,), Rng(0)).score == 1001.0


# Bad input


def test_nothing_is_known_before_fit():
    with pytest.raises(NotFitted, match="this Local has seen no transitions"):
        _ = Local().memory_


def test_fitting_on_nothing_is_refused():
    with pytest.raises(BadParameter, match="at least one transition"):
        Local().fit([])


def test_grids_that_change_their_size_are_refused():
    with pytest.raises(BadParameter, match="1 x 2 cells followed by one of 2 x 1"):
        Local().fit([step(grid("a."), 0, grid("a/."))])


def test_actions_that_were_not_legal_are_refused():
    with pytest.raises(BadParameter, match="got 7 where 2 others were legal"):
        Local().fit([step(grid("a."), 7, grid("a."))])


def test_views_without_a_grid_are_refused():
    with pytest.raises(BadParameter, match="need views with as_tiles, got a OpenView"):
        Local().fit(play(registry.world("nim"), 3))


@pytest.mark.parametrize("name", ["nim", "pig"])
def test_worlds_without_a_grid_are_refused(name):
    world = registry.world(name)
    view = world.model.view(world.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match="local learns"):
        Local().make(world.model, view, DEFAULT_BUDGET, Rng(0))


@pytest.mark.parametrize(
    "wrong", [{"span": -1}, {"shape": "ring"}, {"classifier": "net"}, {"trust": 2.0}]
)
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(BadParameter, match=f"Local.{next(iter(wrong))} must be"):
        Local(**wrong)


def test_a_clone_has_learned_nothing():
    learner = Local(span=1).fit(ROAD)
    assert not learner.clone().is_fitted
    assert learner.clone(span=2).span == 2
    assert not Tabular().is_fitted


@pytest.mark.parametrize("text", ["", "a", "aa.", "..."])
def test_states_without_avatar_or_with_two_go_on(text):
    model = Local(span=1).fit(coins(3)).model(TRAITS)
    state = model.imagine(grid(text or "..b"), Rng(0))
    assert model.legal(state, 0) == (0, 1)
    assert model.rollout(state, "uniform", 5, Rng(0)).ticks >= 1

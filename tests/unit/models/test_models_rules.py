"""Association rules for score and end, and encodings of cells that hold several objects."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from kept_models import rewrite
from object_games import KINDS, scene, write_game
from tile_games import ENDS, TRAITS, grid, play, step

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter, BrokenModel
from ludex.core.tiles import Tiles, TileView, acts_of
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.end_to_end import EndToEnd
from ludex.models.learned.ensemble import Ensemble
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.knowledge.association import (
    ChangeTable,
    Fact,
    mine,
    object_facts,
    pure_sets,
)
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.files import load, save

RULES = {"judge": "rules", "span": 1}


def texts(learner):
    return [str(rule) for rule in learner.reward_model_.rules]


# Mining


def facts(count):
    return [Fact(f"fact {number}", ((number, 1),), 1, 1) for number in range(count)]


def mined(rows, endings, support=0.2, gains=None):
    rows = np.array(rows, np.int16)
    changes = ChangeTable(
        rows, np.full(len(rows), -1), np.ones(len(rows), np.int64), facts(rows.shape[1])
    )
    return mine(
        changes, np.zeros(len(rows)) if gains is None else gains, np.array(endings), support
    )


def test_what_was_true_of_ends_alone_is_a_rule():
    rows = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]
    (rule,) = mined(rows, [0, 0, 0, 1])
    # Each fact, and each pair of two, was also true without an end.
    assert [fact.text for fact in rule.facts] == ["fact 0", "fact 1", "fact 2"]
    assert (rule.ending, rule.times, rule.of) == (1, 1, 1)


def test_rules_are_as_short_as_they_can_be():
    rows = [[1, 0, 1], [0, 1, 0], [1, 0, 0]]
    (rule,) = mined(rows, [0, 2, 0])
    assert str(rule) == "a loss where fact 1 (1 of 1)"


def test_a_rule_must_hold_in_enough_of_the_ends():
    rows = [[1, 0]] * 9 + [[0, 1]] + [[0, 0]]
    rows = [[*row, number] for number, row in enumerate(rows)]  # so that none is the same
    both = mined(rows, [1] * 10 + [0], support=0.1)
    one = mined(rows, [1] * 10 + [0], support=0.2)
    assert [rule.times for rule in both] == [9, 1]
    assert [rule.times for rule in one] == [9]


def test_every_gain_has_rules_of_its_own():
    rows = [[1, 0], [0, 1], [1, 1], [0, 0]]
    found = mined(rows, [0] * 4, gains=np.array([1.0, 2.0, 3.0, 0.0]))
    # Alone, neither fact tells +1 from +3: only both together are never wrong.
    assert [str(rule) for rule in found] == ["+3 where fact 0 and fact 1 (1 of 1)"]


def naive_pure_sets(inside, outside, weights, least):
    """All sets of up to three facts that hold inside often enough and never outside."""
    found = []
    for size in (1, 2, 3):
        for one in combinations(range(len(inside)), size):
            if any(set(known) <= set(one) for known in found):
                continue
            rows = list(one)
            if weights[inside[rows].all(axis=0)].sum() < least:
                continue
            if not outside[rows].all(axis=0).any():
                found.append(one)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_search_finds_what_trying_all_sets_finds(seed):
    dice = np.random.default_rng(seed)
    inside, outside = dice.random((9, 12)) < 0.8, dice.random((9, 40)) < 0.35
    weights = dice.integers(1, 4, 12)
    least = 0.3 * weights.sum()
    found = sorted(pure_sets(inside, outside, weights, 0.3))
    assert found == sorted(naive_pure_sets(inside, outside, weights, least))
    assert found  # or the test shows nothing


# Rules of games


def walk_to_traps():
    """`a` walks; on `b` it dies, and where no `c` is left it wins."""
    return [
        step(grid("a.b"), 0, grid(".ab")),
        step(grid("a.c"), 0, grid(".ac")),
        step(grid(".ab"), 0, grid("..b", score=-1.0, end="lost")),
        step(grid(".ac"), 0, grid("..a", score=5.0, end="won")),
        step(grid("cac"), 0, grid("c.a", score=5.0)),
        step(grid(".ac"), 1, grid("a.c")),
        step(grid(".ab"), 1, grid("a.b")),
        step(grid("a.."), 0, grid(".a.")),
    ]


def test_ends_and_gains_are_told_in_words():
    learner = Local(**RULES).fit(walk_to_traps())
    assert "a loss where no a is left (1 of 1)" in texts(learner)
    assert "-1 where no a is left (1 of 1)" in texts(learner)
    assert "+5 where there is one c less (2 of 2)" in texts(learner)
    (win,) = [text for text in texts(learner) if text.startswith("a win")]
    assert "no c is left" in win
    assert "there is one c less" in win


def test_rules_decide_in_the_model():
    model = Local(**RULES).fit(walk_to_traps()).model(TRAITS)
    for before, returns, score in ((".ab", (-1.0,), -1.0), (".ac", (1.0,), 5.0)):
        after = model.step(model.imagine(grid(before), Rng(0)), (0,), Rng(0))
        assert model.outcome(after).returns == returns
        assert model.score(after, 0) == score
    after = model.step(model.imagine(grid("a.b"), Rng(0)), (0,), Rng(0))
    assert model.outcome(after) is None
    assert model.score(after, 0) == 0.0


def test_what_is_done_can_be_what_matters():
    steps = [
        step(grid("a."), 1, grid("a.", end="won")),
        step(grid("a."), 0, grid("a.")),
        step(grid(".a"), 1, grid(".a", end="won")),
    ]
    learner = Local(**RULES).fit(steps)
    assert texts(learner) == ["a win where action 1 is done (2 of 2)"]
    model = learner.model(TRAITS)
    state = model.imagine(grid("a."), Rng(0))
    assert not model.over(model.step(state, (0,), Rng(0)))
    assert model.over(model.step(state, (1,), Rng(0)))


def test_no_rule_fires_where_the_game_went_on(tmp_path):
    level = "wwwwwww\nwA.t..w\nw.....w\nw.t.x.w\nwwwwwww\n"
    path = write_game(
        tmp_path,
        level,
        sprites="trap > Immovable; exit > Immovable",
        letters="t > floor trap; x > floor exit",
        rules="avatar trap > killSprite scoreChange=-1; exit avatar > killSprite scoreChange=1",
        ends="SpriteCounter stype=exit win=True; SpriteCounter stype=avatar win=False",
    )
    world = registry.world(path)
    seen = play(world, 800)
    for kind, parameters, met in (
        (Local, {"span": 1}, "avatar and trap meet"),
        (ObjectBased, {}, "the avatar meets a trap"),
    ):
        learner = kind(judge="rules", **parameters).fit(seen)
        assert any(text.startswith("a win where no exit is left") for text in texts(learner))
        assert any(text.startswith(f"a loss where {met}") for text in texts(learner))
        model = learner.model(world.traits)
        for one in seen:
            state = model.imagine(one.before.view, Rng(0))
            predicted_runs = model.step(state, one.actions, Rng(0))
            real = model.imagine(one.after.view, Rng(0))
            assert (predicted_runs.score, predicted_runs.ending) == (real.score, real.ending)


@pytest.mark.parametrize("kind", [Local, Ensemble, EndToEnd, Decomposed])
def test_a_rule_about_an_action_holds_in_every_model_of_tiles(kind):
    # Nothing changes but the score, and that only by action 0.
    seen = [
        step(grid("a.b"), 0, grid("a.b", score=1.0)),
        step(grid("a.b"), 1, grid("a.b")),
        step(grid("ab."), 0, grid("ab.", score=1.0)),
        step(grid("ab."), 1, grid("ab.")),
    ]
    model = kind(judge="rules").fit(seen).model(TRAITS)
    state = model.imagine(grid("a.b"), Rng(0))
    assert [model.step(state, (action,), Rng(0)).score for action in (0, 1)] == [1.0, 0.0]


def test_score_and_end_can_be_left_out():
    no_score = Local(score="none", **RULES).fit(walk_to_traps())
    assert all(rule.ending for rule in no_score.reward_model_.rules)
    no_end = Local(ending=False, **RULES).fit(walk_to_traps())
    assert not any(rule.ending for rule in no_end.reward_model_.rules)
    assert not no_score.reward_model_.knows_rewards
    assert no_end.reward_model_.knows_rewards


@pytest.mark.parametrize("features", ["source", "companion", "changes"])
def test_all_forms_of_changes_tell_the_same_of_what_came_and_went(features):
    learner = Local(features=features, **RULES).fit(walk_to_traps())
    assert "+5 where there is one c less (2 of 2)" in texts(learner)


def test_rules_are_kept_in_files(tmp_path):
    learner = Local(**RULES).fit(walk_to_traps())
    save(learner, tmp_path / "file")
    again = load(tmp_path / "file", Local)
    assert again.reward_model_.rules == learner.reward_model_.rules
    model = again.model(TRAITS)
    assert model.over(model.step(model.imagine(grid(".ab"), Rng(0)), (0,), Rng(0)))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("{}}", "Extra data"),
        ('[{"facts": 3}]', "rules are in another form"),
        ("[7]", "rules are in another form"),
        (
            '[{"facts": [{"text": "", "terms": [[9999, 1]], "low": 0, "high": 0, "verb": -1}], '
            '"gain": 1, "ending": 0, "times": 1, "of": 1}]',
            "a rule is about other tiles",
        ),
        ('[{"facts": [], "gain": 1, "ending": 77, "times": 1, "of": 1}]', "ending"),
    ],
)
def test_rules_that_cannot_be_are_refused(tmp_path, rules, reason):
    path = tmp_path / "file"
    save(Local(**RULES).fit(walk_to_traps()), path)
    rewrite(path, lambda header, arrays: arrays.update({"judge.rules": np.array([rules])}))
    with pytest.raises(BrokenModel, match=reason):
        load(path, Local)


def test_a_support_of_more_than_all_is_refused():
    with pytest.raises(BadParameter, match=r"Local.support must be a number from 0 to 1, got 1.5"):
        Local(support=1.5)


# Objects


def test_meetings_and_goods_are_facts_about_objects():
    before = scene(("A", 1, 2, 2), ("c", 2, 3, 2))
    taken = scene(("A", 1, 3, 2), held=((1, 1),), score=2.0)
    passed = scene(("A", 1, 3, 2), ("c", 2, 3, 2))
    away = scene(("A", 1, 1, 2), ("c", 2, 3, 2))
    learner = ObjectBased(judge="rules")
    for after, action in ((taken, 0), (passed, 0), (away, 1)):
        learner.add(step(before, action, after))
    table = learner.reward_data_.table(len(KINDS))[0]
    true = [
        {fact.text for fact in object_facts(KINDS, []) if fact.holds(row[None], np.array([-1]))[0]}
        for row in table
    ]
    assert ["the avatar meets a coin" in one for one in true] == [True, True, False]
    assert ["the avatar takes a coin" in one for one in true] == [True, False, False]
    assert ["one coin goes" in one for one in true] == [True, False, False]


# Encodings


def hiding(text, end=None):
    """Rows in which `B` is a box `b` that stands on a goal `g`."""
    kinds = ("g", "b", "a")
    masks = {".": 0, "g": 1, "b": 2, "B": 3, "a": 4}
    cells = np.array([[masks[one] for one in text]], np.uint64)
    legal = () if end else (0, 1)
    return TileView(0, legal, Tiles.of(kinds, cells), 0.0, ENDS[end], acts_of(legal))


def test_the_top_hides_what_lies_below():
    tiles = hiding("gbB.").tiles
    assert [tiles.top(int(mask)) for mask in tiles.array[0]] == [1, 2, 2, 0]
    assert [tiles.content(tiles.top(int(mask))) for mask in tiles.array[0]][2] == ("b",)


def test_marks_are_never_on_top():
    tiles = Tiles.of(("floor", "avatar", "faces up"), np.array([[7]], np.uint64), piled=(0, 1))
    assert tiles.content(tiles.top(7)) == ("avatar",)


def test_what_is_drawn_last_is_on_top():
    world = registry.world("vgdl/zelda")
    tiles = world.model.view(world.start(Rng(0)), 0).as_tiles().tiles
    shown = {tiles.content(tiles.top(int(mask))) for mask in tiles.array.flat}
    assert ("avatar",) in shown
    assert not any(kind.startswith("faces") for content in shown for kind in content)


BOXES = [
    # A push (0) moves the box on; what it stood on comes back.
    step(hiding("aB."), 0, hiding(".ab")),
    step(hiding("ab."), 0, hiding(".ab")),
    step(hiding(".ab"), 1, hiding("a.b")),
]


def test_a_stack_tells_what_comes_back_and_the_top_does_not():
    lifted = [step(hiding("B."), 0, hiding("gb")), step(hiding("b."), 0, hiding(".b"))] * 4
    confidence = {}
    for encoding in ("stack", "top"):
        model = Local(span=1, encoding=encoding, score="none").fit(lifted).model(TRAITS)
        after = model.step(model.imagine(hiding("B."), Rng(0)), (0,), Rng(0))
        confidence[encoding] = model.confidence(after)
    assert confidence == {"stack": 1.0, "top": 0.5}


def test_sokoban_is_predicted_better_from_stacks():
    world = registry.world("sokoban[level=3]")
    seen, fresh = play(world, 1500), play(world, 300, seed=5)
    right = {
        encoding: tile_accuracy(Local(span=2, encoding=encoding).fit(seen), fresh)["changed_cells"]
        for encoding in ("stack", "top")
    }
    assert right["top"] < right["stack"]


def test_an_encoding_is_kept_with_the_model(tmp_path):
    learner = Local(span=1, encoding="top").fit(BOXES)
    save(learner, tmp_path / "file")
    again = load(tmp_path / "file", Local)
    assert again.vocabulary_.encoding == "top"
    assert Local(file=str(tmp_path / "file")).from_file().encoding == "top"

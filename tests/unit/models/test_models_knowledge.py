"""Knowledge bases: general rules with exceptions; and logistic regression on categories."""

from __future__ import annotations

import numpy as np
import pytest
from kept_models import rewrite
from object_games import scene, write_game
from tile_games import TRAITS, play, step

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.errors import BrokenModel
from ludex.core.rng import Meter
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.logistic import Logistic
from ludex.models.learned.explain.accuracy import ANY
from ludex.models.learned.explain.object_accuracy import checked_objects
from ludex.models.learned.knowledge.hierarchy import RuleHierarchy
from ludex.models.learned.knowledge_base import KnowledgeBase
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.files import load, save

# Most fly; penguins do not; but those in planes do, all but one that fell out.
BIRD, PENGUIN, STONE = 0, 1, 2
GROUND, PLANE = 0, 1
FLIES, STAYS = 1, 0


def zoo():
    """Rows are what it is, where it is, and its number; then whether it flies."""
    seen = [((BIRD, where, number), FLIES) for where in (0, 1) for number in range(6)]
    seen += [((PENGUIN, GROUND, number), STAYS) for number in range(4)]
    seen += [((PENGUIN, PLANE, number), FLIES) for number in range(3)]
    seen += [((PENGUIN, PLANE, 7), STAYS)]  # it fell out
    rows, labels = zip(*seen, strict=True)
    return np.array(rows, np.uint16), np.array(labels)


@pytest.fixture
def base():
    return RuleHierarchy().fit(*zoo())


def said(base, *row):
    return int(base.classes_[base.predict_proba(np.array([row], np.uint16)).argmax()])


def test_only_what_contradicts_a_more_general_rule_is_kept(base):
    """Of 20 fly 15. Of 8 penguins 5 do not, which mends 2; all but one in planes fly: 2 more."""
    assert base.premises == [(), ((0, PENGUIN),), ((1, PLANE),)]
    assert [np.frombuffer(row, np.uint16).tolist() for row in base.rows] == [[PENGUIN, PLANE, 7]]


def test_the_most_specific_rule_that_holds_decides(base):
    assert said(base, BIRD, GROUND, 3) == FLIES
    assert said(base, PENGUIN, GROUND, 3) == STAYS
    assert said(base, PENGUIN, PLANE, 3) == FLIES
    assert said(base, PENGUIN, PLANE, 7) == STAYS


def test_rules_hold_for_what_was_never_seen(base):
    assert said(base, STONE, GROUND, 99) == FLIES  # it knows no better
    assert said(base, PENGUIN, GROUND, 99) == STAYS


def test_a_rule_is_as_sure_as_it_was_right_where_it_decides():
    rows = np.array([[0]] * 10 + [[1]] * 4, np.uint16)
    after = np.array([0] * 9 + [1] + [1] * 3 + [0])
    shares = RuleHierarchy().fit(rows, after).predict_proba(np.array([[0], [1], [5]], np.uint16))
    # 9 of 10 where nothing is special, 3 of 4 in the exception.
    assert shares.tolist() == [[0.9, 0.1], [0.25, 0.75], [0.9, 0.1]]


def test_the_later_of_two_rules_as_specific_is_the_exception():
    """Red ones are sweet, but round ones are not, red or not."""
    rows = np.array([[1, 0]] * 9 + [[0, 1]] * 3 + [[1, 1]] * 4 + [[0, 0]] * 20, np.uint16)
    after = np.array([1] * 9 + [0] * 3 + [0] * 4 + [0] * 20)
    base = RuleHierarchy().fit(rows, after)
    assert base.premises[1:] == [((0, 1),), ((1, 1),)]
    assert said(base, 1, 1) == 0


def test_a_table_is_learned_by_heart():
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(0, 4, (200, 5)).astype(np.uint16), axis=0)
    after = rng.integers(0, 3, len(rows))
    base = RuleHierarchy().fit(rows, after)
    assert (base.predict_proba(rows).argmax(axis=1) == after).all()


# Logistic regression


def test_values_are_names_and_not_amounts():
    """What follows 1 is no mean of what follows 0 and 2."""
    rows = np.array([[0, 0], [1, 0], [2, 0]] * 10, np.uint16)
    after = np.array([0, 1, 0] * 10)
    line = Logistic().fit(rows, after)
    shares = line.predict_proba(np.array([[0, 0], [1, 0], [2, 0]], np.uint16))
    assert line.classes_[shares.argmax(axis=1)].tolist() == [0, 1, 0]
    assert shares.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("classes", [2, 3])
def test_shares_are_those_of_the_library(classes):
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(classes)
    rows = rng.integers(0, 3, (120, 2)).astype(np.uint16)
    after = (rows.sum(axis=1) + rng.integers(0, 2, 120)) % classes
    marks = np.hstack([rows[:, [place]] == np.arange(3) for place in range(2)]).astype(float)
    theirs = LogisticRegression(C=10.0, max_iter=100).fit(marks, after).predict_proba(marks)
    assert Logistic().fit(rows, after).predict_proba(rows) == pytest.approx(theirs, abs=1e-3)


def test_where_all_is_alike_the_shares_are_those_that_were_seen():
    rows = np.zeros((4, 2), np.uint16)
    shares = Logistic().fit(rows, np.array([5, 5, 5, 8])).predict_proba(rows[:1])
    assert shares.tolist() == [[pytest.approx(0.75), pytest.approx(0.25)]]


# As models


def wanderer(kind, **parameters):
    """An avatar that goes right where told to, but not into a wall."""
    seen = []
    for column in range(1, 6):
        here = scene(("A", 1, column, 2), ("w", 2, 7, 2))
        seen += [step(here, 0, scene(("A", 1, column + 1, 2), ("w", 2, 7, 2))), step(here, 1, here)]
    stopped = scene(("A", 1, 6, 2), ("w", 2, 7, 2))
    below = scene(("A", 1, 6, 3), ("w", 2, 7, 3))
    seen += [step(one, action, one) for one in (stopped, below) for action in (0, 1)]
    return kind(reach=1, score="none", **parameters).fit(seen)


def column_after(model, *objects):
    state = model.step(model.imagine(scene(*objects), Rng(0)), (0,), Rng(0))
    return state.objects[state.avatar][1] // 10


@pytest.mark.parametrize(
    ("kind", "parameters"), [(KnowledgeBase, {}), (ObjectBased, {"classifier": "logistic"})]
)
def test_what_holds_in_one_place_holds_in_another(kind, parameters):
    model = wanderer(kind, **parameters).model(TRAITS)
    assert column_after(model, ("A", 1, 2, 5)) == 3
    assert column_after(model, ("A", 1, 2, 5), ("w", 2, 3, 5)) == 2


def test_rules_and_their_exceptions_can_be_read():
    learner = wanderer(KnowledgeBase)
    own, *_ = learner.chapters(learner.words({0: "GO", 1: "WAIT"}))
    assert own.title == "avatar"
    told = [(rule.when, rule.then) for rule in own.rules]
    assert told == [
        ((), "moves neither right nor left"),
        (("the action is GO",), "moves right"),
        (("right is wall",), "moves neither right nor left"),
    ]
    assert [rule.right for rule in own.rules] == [1.0, 1.0, 1.0]


def test_what_mostly_stays_what_it_is_says_so():
    here, gone = scene(("A", 1, 2, 2), ("c", 2, 5, 5)), scene(("A", 1, 2, 2))
    learner = KnowledgeBase(score="none").fit([step(here, 0, gone), *[step(here, 1, here)] * 3])
    coin, *_ = learner.chapters(learner.words({0: "GO", 1: "WAIT"}))
    assert [(rule.when, rule.then) for rule in coin.rules] == [
        ((), "stays what it is"),
        (("the action is GO",), "goes"),
    ]


def test_a_base_remembers_nothing_but_rules_and_knows_what_it_saw():
    learner = wanderer(KnowledgeBase)
    model = learner.model(TRAITS)
    before = model.imagine(scene(("A", 1, 2, 2), ("w", 2, 7, 2)), Rng(0))
    new = model.imagine(scene(("A", 1, 2, 2), ("b", 3, 2, 3)), Rng(0))
    assert learner.models_[4].predictions == {}
    assert model.step(before, (0,), Rng(0)).unseen == 0
    assert model.step(new, (0,), Rng(0)).unseen == 1


GAMES = ("sokoban", "zelda", "chase", "frogs", "aliens")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("learner", [KnowledgeBase(), ObjectBased(classifier="logistic")], ids=str)
def test_more_is_predicted_than_that_nothing_changes(learner, game):
    world = registry.world(f"vgdl/{game}")
    model = learner.clone().fit(play(world, 150)).model(ANY)
    new = list(checked_objects(model, play(world, 60, seed=5)))
    still = sum((one.was & one.came).total() for one in new)
    assert sum(one.right for one in new) > still


@pytest.mark.parametrize("learner", [KnowledgeBase(), ObjectBased(classifier="logistic")], ids=str)
def test_what_was_learned_in_one_game_is_a_start_in_another(learner):
    chase, sokoban = (registry.world(f"vgdl/{game}") for game in ("chase", "sokoban"))
    few, new = play(sokoban, 10), play(sokoban, 40, seed=5)
    alone = learner.clone().fit(few).accuracy(new)
    moved = learner.clone().fit(play(chase, 150)).partial_fit(few).accuracy(new)
    assert moved["changed_things"] > alone["changed_things"] + 0.2


# Plans


HALL = """wwwwwwwww
w.x...x.w
w.......w
w.x.A.x.w
w.......w
w.x...x.w
wwwwwwwww
"""
SMALL_GAMES = {
    "coins": {
        "sprites": "coin > Immovable",
        "letters": "x > floor coin",
        "rules": "coin avatar > killSprite scoreChange=1",
    },
    "balls": {
        "sprites": "ball > Passive",
        "letters": "x > floor ball",
        "rules": "ball avatar > bounceForward; ball wall > killSprite scoreChange=1",
    },
    "keys": {
        "sprites": "key > Resource limit=9",
        "letters": "x > floor key",
        "rules": "key avatar > collectResource scoreChange=1",
    },
}


def score_after(world, agent, ticks=30, seed=1):
    rules = world.model.metered(Meter())
    state, calls = world.start(Rng(seed)), Budget(model_calls=60)
    mind = make_agent(agent).start(rules, rules.view(state, 0), calls, Rng(seed))
    for tick in range(ticks):
        decision = mind.decide(rules.view(state, 0), calls, Rng(seed).fork(tick))
        state = world.step(state, (decision.action,), Rng(seed).fork("real", tick))
    return rules.score(state, 0)


SEARCHED = ["knowledge_base(steps=300)", "object_based(steps=300,classifier=logistic)"]
LEAST_GAINS = {("balls", SEARCHED[1]): 0.5}
"""what it gains at least over random play, where it is not 2: that model sees balls bounce badly"""


def mean_score(world, agent):
    return sum(score_after(world, agent, seed=seed) for seed in range(10)) / 10


@pytest.mark.parametrize("game", SMALL_GAMES)
@pytest.mark.parametrize("model", SEARCHED)
def test_a_search_in_what_was_learned_gains_more_than_random_play(model, game, tmp_path):
    ends = "SpriteCounter stype=floor limit=0 win=True"  # never: there is always floor
    world = registry.world(write_game(tmp_path, HALL, ends=ends, **SMALL_GAMES[game]))
    least = mean_score(world, "uniform") + LEAST_GAINS.get((game, model), 2.0)
    assert mean_score(world, f"breadth_first@{model}") >= least


# Files


@pytest.mark.parametrize("classifier", ["logistic", "exceptions"])
@pytest.mark.parametrize("kind", [ObjectBased, Local])
def test_weights_and_rules_are_kept(kind, classifier, tmp_path, monkeypatch):
    world = registry.world("vgdl/sokoban")
    parameters = {"span": 1} if kind is Local else {}
    learner = kind(classifier=classifier, memo=False, **parameters).fit(play(world, 60))
    save(learner, tmp_path / "file")
    monkeypatch.setattr(classifiers, "fit", lambda *_: pytest.fail("fitted again"))
    again = load(tmp_path / "file", kind)
    for moment in play(world, 20, seed=3):
        one, other = (
            model.step(model.imagine(moment.before.view, Rng(0)), moment.actions, Rng(0))
            for model in (learner.model(world.traits), again.model(world.traits))
        )
        assert one == other
        assert one.confidence == other.confidence


def changed(item, change):
    def apply(header, arrays):
        name = next(one for one in arrays if one.startswith("models.") and one.endswith(item))
        arrays[name] = change(arrays[name])

    return apply


@pytest.mark.parametrize(
    ("classifier", "change"),
    [
        ("exceptions", changed(".premises", lambda array: np.full_like(array, 999))),
        ("exceptions", changed(".shares", lambda array: array[:-1])),
        ("exceptions", changed(".rows", lambda array: np.zeros((1, 2), np.uint16))),
        ("exceptions", changed(".premises", lambda array: array[:, :, 0])),
        ("logistic", changed(".columns", lambda array: array + 999)),
        ("logistic", changed(".weights", lambda array: array[:, :1])),
        ("logistic", changed(".weights", lambda array: array * np.nan)),
        ("logistic", changed(".values", lambda array: array[1:])),
    ],
)
def test_what_cannot_be_asked_is_refused(classifier, change, tmp_path):
    learner = ObjectBased(classifier=classifier).fit(play(registry.world("vgdl/sokoban"), 60))
    save(learner, tmp_path / "file")
    rewrite(tmp_path / "file", change)
    with pytest.raises(BrokenModel, match="cannot use model"):
        load(tmp_path / "file", ObjectBased)

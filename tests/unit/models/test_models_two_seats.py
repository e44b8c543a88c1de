"""Learned models of games of two seats that act at the same time."""

from __future__ import annotations

import pytest
from pair_games import BLUE, RED, pair_world

from ludex import play
from ludex.agents.compose import make_agent
from ludex.arena.match.game import Game
from ludex.arena.match.setup import MatchSetup
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.object_list import objects_of
from ludex.core.tiles import tiles_of
from ludex.core.view import recall_moves
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.tabular import Tabular
from ludex.models.learned.training.files import load, save
from ludex.models.learned.training.transitions import actions_between, random_play
from ludex.models.learned.two_seats.joint import both_actions, joint_number, joint_view
from ludex.testing import MODEL_CHECKS
from ludex.testing.checks.fast_paths import FAST_PATH_CHECKS
from ludex.worlds.vgdl.action import Action

ALLEY = """wwwwww
w.1c.w
w.p2.w
wwwwww
"""
ROWS = """wwwwwwwwww
w.ccc1..cw
wwwwwwwwww
wp..2ppp.w
wwwwwwwwww
"""
LEARNERS = {"local": Local(span=1), "object_based": ObjectBased(reach=1)}
PAIRS = [("local", RED), ("local", BLUE), ("object_based", RED)]
STEPS = 1500


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return pair_world(tmp_path_factory.mktemp("pair"), ALLEY, limit=30)


@pytest.fixture(scope="module")
def learned(world):
    """Each learner, fitted to what each seat saw of random play."""
    rules, start = world.model.metered(Meter()), world.start(Rng(0))
    return {
        (name, seat): LEARNERS[name]
        .clone()
        .fit(random_play(rules, rules.view(start, seat), STEPS, Rng(1), 30))
        for name, seat in PAIRS
    }


@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_model_of_two_seats_keeps_the_contract(world, learned, name, check):
    if name == "object_based" and check in FAST_PATH_CHECKS:
        pytest.skip("these are the loops that the model of tiles is checked with, only slower")
    check(world, learned[name, RED].seats_model(world.traits))


@pytest.mark.parametrize(("name", "seat"), PAIRS)
def test_predictions_are_better_than_that_nothing_changes(world, learned, name, seat):
    rules, start = world.model.metered(Meter()), world.start(Rng(0))
    model = learned[name, seat].seats_model(world.traits)
    right = unchanged = same_scores = total = 0
    for one in random_play(rules, rules.view(start, seat), 200, Rng(2), 30):
        before, after = (model.imagine(view.view, Rng(0)) for view in (one.before, one.after))
        said = model.step(before, one.actions, Rng(0))
        total += 1
        right += said.differs(after) == 0
        unchanged += before.differs(after) == 0
        scores = [abs(model.score(said, k) - one.after.scores[k]) < 0.5 for k in (RED, BLUE)]
        same_scores += all(scores)
    assert unchanged < 0.5 * total  # two walk at random
    assert right > 0.85 * total
    assert same_scores > 0.85 * total


@pytest.mark.parametrize(("name", "seat"), PAIRS)
def test_both_actions_are_inputs_and_each_seat_gets_its_own_points(world, learned, name, seat):
    rules, start = world.model, world.start(Rng(0))
    model = learned[name, seat].seats_model(world.traits)
    here = model.imagine(rules.view(start, seat), Rng(0))
    red, blue = Action.RIGHT, Action.LEFT
    gains = {}
    for joint in ((0, 0), (red, 0), (0, blue), (red, blue)):
        after = model.step(here, joint, Rng(0))
        gains[joint] = tuple(round(model.score(after, one)) for one in (RED, BLUE))
    assert gains == {(0, 0): (0, 0), (red, 0): (1, 0), (0, blue): (0, 1), (red, blue): (1, 1)}


@pytest.mark.parametrize(
    ("agent", "seat"),
    [
        ("open_loop_mcts(rollout_depth=4)@local(steps=1500,span=1,restart=20)", RED),
        ("one_step@object_based(steps=600,reach=1,restart=20)", BLUE),
        ("open_loop_mcts(rollout_depth=4)@single_player(model=local(steps=1500,span=1))", BLUE),
    ],
)
def test_search_in_a_learned_model_beats_random_play(tmp_path, agent, seat):
    world = pair_world(tmp_path, ROWS, limit=8)
    agents = ["uniform", "uniform"]
    agents[seat] = agent
    points = [0.0, 0.0]
    for seed in range(2):
        result = play(world, agents, seed=seed, budget="100iterations")
        points = [sum(pair) for pair in zip(points, result.scores, strict=True)]
    assert points[seat] >= 5.0  # of 6; uniform play has 1 or 2
    assert points[seat] > points[1 - seat]


def test_an_agent_learns_from_what_the_other_seat_did(tmp_path):
    world = pair_world(tmp_path, ALLEY, limit=30)
    setup = MatchSetup(
        world=world,
        agents=("mcts@local(learn=continuous,refit=6,span=1,explore=1.0)", "uniform"),
        seed=3,
        budget=Budget(iterations=5),
    )
    game = Game(setup)
    game.start()
    joints = []
    for _ in range(20):
        joint = tuple(game.chosen(seat) for seat in (RED, BLUE))
        joints.append(joint_number(joint))
        game.play(joint)
    game.chosen(RED)  # takes in the last step
    learner = game.seats[RED].mind.learner
    game.close()
    assert learner.seen_ == 20
    rows = learner.memory_.table()[0]
    assert {learner.verbs_[verb] for verb in rows[:, -1]} == set(joints)


@pytest.mark.parametrize("name", LEARNERS)
def test_files_keep_both_seats(world, learned, tmp_path, name):
    learner = learned[name, RED]
    path = tmp_path / "pair.model"
    save(learner, path)
    kept = load(path, type(learner))
    start = world.start(Rng(0))
    for one in (learner, kept):
        model = one.seats_model(world.traits)
        here = model.imagine(world.model.view(start, RED), Rng(0))
        after = model.step(here, (Action.RIGHT, Action.LEFT), Rng(0))
        assert [round(model.score(after, seat)) for seat in (RED, BLUE)] == [1, 1]


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_views_tell_learners_what_is_public_of_the_other_seat(world, seat):
    rules, start = world.model, world.start(Rng(0))
    view = recall_moves(rules.view(start, seat), {RED: Action.UP, BLUE: Action.DOWN})
    for shown in (tiles_of(view), objects_of(view)):
        (other,) = shown.others
        assert other.seat == 1 - seat
        assert other.legal == tuple(rules.legal(start, 1 - seat))
        assert other.last == (Action.DOWN if seat == RED else Action.UP)
        joint = (Action.LEFT, Action.DOWN) if seat == RED else (Action.UP, Action.LEFT)
        assert actions_between(shown, Action.LEFT, shown) == joint


def test_joint_actions_are_numbers_in_the_order_of_the_seats(world):
    assert both_actions(joint_number((3, 4))) == (3, 4)
    shown = tiles_of(world.model.view(world.start(Rng(0)), BLUE))
    legal = joint_view(shown).legal
    assert list(legal) == sorted(legal)
    assert len(legal) == len(shown.legal) * len(shown.others[0].legal)
    with pytest.raises(BadParameter, match="actions 0 to 63"):
        joint_number((64, 0))


def test_a_table_predicts_for_both_seats(world):
    rules, start = world.model.metered(Meter()), world.start(Rng(0))
    view = rules.view(start, BLUE)
    model = Tabular(steps=4000).make(rules, view, Budget(iterations=1), Rng(0))
    here = model.imagine(view, Rng(0))
    after = model.step(here, (Action.RIGHT, Action.LEFT), Rng(0))
    assert [model.score(after, seat) for seat in (RED, BLUE)] == [1.0, 1.0]


@pytest.mark.parametrize("name", ["end_to_end", "decomposed", "ensemble"])
def test_learners_of_one_seat_refuse_two(world, name):
    rules, start = world.model.metered(Meter()), world.start(Rng(0))
    part = registry.load("models", name)()
    with pytest.raises(Unsupported, match="learns games of one player, and this world has 2"):
        part.make(rules, rules.view(start, RED), Budget(iterations=1), Rng(0))


@pytest.mark.parametrize("name", LEARNERS)
def test_turns_are_refused(name):
    world = registry.world("nim")
    with pytest.raises(
        Unsupported, match="of two that act at the same time, and this world has 2 seats that"
    ):
        make_agent(f"mcts@{name}").start(
            world.model, world.model.view(world.start(Rng(0)), 0), Budget(iterations=1), Rng(0)
        )

"""Policies of rollouts, on levels small enough to see what they must do."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from math import exp, inf, sqrt

import numpy as np
import pytest

from ludex.core import Meter, Rng, fallback, registry
from ludex.core.errors import BadParameter, BudgetSpent, Unsupported
from ludex.core.policy import Distances, Greedy, Weighted
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
WALKER = """
wall > Immovable
prize > Immovable
avatar > MovingAvatar
"""


@pytest.fixture
def field(micro):
    """An open field of 5 x 3 cells: the avatar in the middle, a prize two cells to its right."""
    made = micro(WALKER, "prize avatar > killSprite", "...../..A.p/.....", A="avatar", p="prize")
    kinds = {kind.name: number for number, kind in enumerate(made.game.types)}
    return made, kinds


@pytest.fixture(params=["native", "python"])
def rollout(request):
    """Both ways of playing; all that is said here is true of either."""

    def run(model, *arguments, **options):
        if request.param == "native":
            return model.rollout(*arguments, **options)
        return fallback.rollout(model, *arguments, **options)

    return run


def first_moves(rollout, micro, policy, count=400):
    model, state = micro.model, micro.state
    drawn = (rollout(model, state, policy, 1, Rng(i), backtrack=True).last for i in range(count))
    return Counter(actions[0] for actions in drawn)


# Weights


def test_actions_are_drawn_in_proportion_to_their_weights(field, rollout):
    drawn = first_moves(rollout, field[0], Weighted({UP: 3.0, LEFT: 1.0}))
    assert set(drawn) == {UP, LEFT}
    assert 260 < drawn[UP] < 340  # 300 +- 4 standard deviations of 8.7


def test_actions_not_named_have_the_other_weight(field, rollout):
    drawn = first_moves(rollout, field[0], Weighted({UP: 0.0}, other=1.0))
    assert UP not in drawn
    assert len(drawn) == 4


def test_without_any_weight_all_legal_actions_are_drawn(field, rollout):
    assert len(first_moves(rollout, field[0], Weighted({USE: 1.0}))) == 5


# Distances


def test_softmax_weighs_actions_by_the_distance_to_the_nearest_sprite(field, rollout):
    made, kinds = field
    # The prize is 2 cells away on a grid with a diagonal of sqrt(25 + 9) cells.
    distance = 2 / sqrt(34)
    assert made.model.distances(made.state, 0, [kinds["prize"]]) == [pytest.approx(distance)]
    # Going right has energy -ln(9) / distance * distance = -ln 9, so 9 times the chance of others.
    weight = -np.log(9.0) / distance
    drawn = first_moves(rollout, made, Distances({(RIGHT, kinds["prize"]): weight}), 650)
    expected = 650 * 9 / 13
    assert abs(drawn[RIGHT] - expected) < 4 * sqrt(expected * 4 / 13)
    assert exp(-weight * distance) == pytest.approx(9.0)


def test_the_nearest_of_several_sprites_counts(micro):
    level = "p..A...p/p......."
    made = micro(WALKER, "prize avatar > killSprite", level, A="avatar", p="prize")
    kind = next(n for n, one in enumerate(made.game.types) if one.name == "prize")
    assert made.model.distances(made.state, 0, [kind]) == [pytest.approx(3 / sqrt(68))]


def test_a_kind_without_a_live_sprite_changes_nothing(field, rollout):
    made, kinds = field
    policy = Distances({(RIGHT, kinds["wall"]): -1000.0, (RIGHT, 77): -1000.0})
    assert made.model.distances(made.state, 0, policy.kinds) == [None, None]
    assert len(first_moves(rollout, made, policy)) == 5


def test_hidden_sprites_have_no_distance(micro, rollout):
    sprites = WALKER.replace("prize > Immovable", "prize > Immovable hidden=True")
    made = micro(sprites, "prize avatar > killSprite", "A..p", A="avatar", p="prize")
    kind = next(n for n, one in enumerate(made.game.types) if one.name == "prize")
    assert made.model.distances(made.state, 0, [kind]) == [None]
    assert len(first_moves(rollout, made, Distances({(RIGHT, kind): -1000.0}))) > 1


# Cell costs

TO_THE_RIGHT = [[4, 3, 2, 1, 2], [4, 3, 2, 1, 0], [4, 3, 2, 1, 2]]


def test_the_greedy_step_goes_to_the_cheapest_neighbour(field, rollout):
    policy = Greedy(TO_THE_RIGHT, epsilon=0.0)
    assert set(first_moves(rollout, field[0], policy, 20)) == {RIGHT}


def test_greedy_steps_follow_the_map_to_its_end(field, rollout):
    made = field[0]
    result = rollout(
        made.model, made.state, Greedy(TO_THE_RIGHT, epsilon=0.0), 2, Rng(1), trace=True
    )
    assert [cells[0] for cells in result.trace.avatars] == [(3, 1), (4, 1)]
    assert len(result.trace.events[1]) == 1  # it met the prize


def test_equal_cells_are_drawn_from(field, rollout):
    costs = [[9, 9, 1, 9, 9], [9, 9, 5, 1, 9], [9, 9, 9, 9, 9]]
    assert set(first_moves(rollout, field[0], Greedy(costs, epsilon=0.0), 60)) == {UP, RIGHT}


def test_epsilon_is_the_share_of_random_steps(field, rollout):
    drawn = first_moves(rollout, field[0], Greedy(TO_THE_RIGHT, epsilon=0.5), 400)
    # 1/2 of 4/5 are other steps: 160 +- 4 standard deviations of 9.8.
    assert 120 < 400 - drawn[RIGHT] < 200


def test_random_steps_stay_on_the_map(micro, rollout):
    made = micro(WALKER, "", "A.", A="avatar")
    drawn = first_moves(rollout, made, Greedy([[0, 0]], epsilon=1.0), 60)
    assert set(drawn) == {NIL, RIGHT}


def test_near_the_end_of_the_map_the_step_is_towards_the_target_itself(field, rollout):
    made, kinds = field
    number = next(i for k, i, *_ in made.model.level.sprites(made.state) if k == kinds["prize"])
    to_the_left = [list(reversed(row)) for row in TO_THE_RIGHT]
    target = (kinds["prize"], number)
    near = Greedy(to_the_left, epsilon=0.0, target=target, near=3)
    far = Greedy(to_the_left, epsilon=0.0, target=target, near=1)
    assert set(first_moves(rollout, made, near, 20)) == {RIGHT}
    assert set(first_moves(rollout, made, far, 20)) == {LEFT}


def test_near_the_target_walls_of_the_map_are_still_avoided(field, rollout):
    made, kinds = field
    number = next(i for k, i, *_ in made.model.level.sprites(made.state) if k == kinds["prize"])
    walled = [[1, 1, 1, 1, 1], [1, 1, 1, inf, 0], [1, 1, 1, 1, 1]]
    policy = Greedy(walled, epsilon=0.0, target=(kinds["prize"], number))
    assert RIGHT not in first_moves(rollout, made, policy, 40)


def test_without_its_target_a_greedy_rollout_is_random(field, rollout):
    made, kinds = field
    policy = Greedy(TO_THE_RIGHT, epsilon=0.0, target=(kinds["prize"], 9999))
    assert len(first_moves(rollout, made, policy, 100)) == 5


def test_objects_are_where_the_list_of_sprites_has_them(field):
    made, kinds = field
    model, state = made.model, made.state
    block = model.level.block
    listed = {(kind, number): (x, y) for kind, number, x, y, *_ in model.level.sprites(state)}
    for one, (x, y) in listed.items():
        assert model.whereabouts(state, *one) == (x // block, y // block)
    assert model.whereabouts(state, kinds["prize"], 9999) is None
    assert model.whereabouts(state, -1, 0) is None
    assert model.whereabouts(state, len(kinds) + 9, 0) is None


# What a rollout keeps


def test_backtracking_keeps_the_state_before_the_last_tick_and_its_actions(field, rollout):
    made = field[0]
    result = rollout(made.model, made.state, "uniform", 7, Rng(3), backtrack=True)
    assert result.before.tick == 6
    # The same dice, from the state that was kept: this game has none.
    assert made.model.step(result.before, result.last, Rng(0)) == result.state


def test_a_rollout_without_a_tick_has_nothing_before_it(field, rollout):
    made = field[0]
    result = rollout(made.model, made.state, "uniform", 0, Rng(3), backtrack=True)
    assert (result.before, result.last) == (None, None)


def test_what_is_not_asked_for_is_not_kept(field, rollout):
    made = field[0]
    result = rollout(made.model, made.state, "uniform", 5, Rng(3))
    assert (result.before, result.last, result.trace) == (None, None, None)


def test_a_trace_has_the_score_after_every_tick(micro, rollout):
    made = micro(WALKER, "prize avatar > killSprite scoreChange=2", "A.pp", A="avatar", p="prize")
    policy = Greedy([[3, 2, 1, 0]], epsilon=0.0)
    trace = rollout(made.model, made.state, policy, 3, Rng(1), trace=True).trace
    assert trace.scores == [(0.0,), (2.0,), (4.0,)]
    assert trace.avatars == [((1, 0),), ((2, 0),), ((3, 0),)]
    assert [len(events) for events in trace.events] == [0, 1, 1]


# Who plays


class Backwards(Weighted):
    """Takes the last action, whatever the weights are."""

    def __call__(self, model, state, seat, rng):
        return model.legal(state, seat)[-1]


def test_a_subclass_that_chooses_otherwise_is_asked(field):
    made = field[0]
    policy = Backwards({UP: 1.0})
    assert policy.native is None
    assert made.model.rollout(made.state, policy, 1, Rng(1), backtrack=True).last == (RIGHT,)


def test_actions_that_are_no_numbers_are_weighed_in_python():
    world = registry.world("nim[heaps=3-4-5]")
    model = world.model.metered(Meter())
    state = world.start(Rng(0))
    only = model.legal(state, 0)[3]
    policy = Weighted({only: 1.0})
    assert model.rollout(state, policy, 1, Rng(1), backtrack=True).last == (only,)


@pytest.mark.parametrize(
    "policy", [Weighted({1: 2.0}, 0.5), Distances({(1, 2): 0.5}), Greedy([[1.0, inf]], 0.1, (1, 2))]
)
def test_policies_are_values(policy):
    for twin in (pickle.loads(pickle.dumps(policy)), copy.deepcopy(policy)):
        assert twin == policy
        assert twin.native is not None


# Wrong input


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Weighted({1: -1.0}), "weight of action 1 must be >= 0, got -1.0"),
        (lambda: Weighted({1: float("nan")}), "got nan"),
        (lambda: Weighted({}, other=inf), "got inf"),
        (lambda: Distances({(1, 2): float("nan")}), r"\(1, 2\) must be a number, got nan"),
        (lambda: Greedy([]), "rows of equal length"),
        (lambda: Greedy([[]]), "rows of equal length"),
        (lambda: Greedy([[1, 2], [1]]), r"got lengths \[1, 2\]"),
        (lambda: Greedy([[float("nan")]]), "cost of a cell must be >= 0 or inf, got nan"),
        (lambda: Greedy([[-1.0]]), "got -1.0"),
        (lambda: Greedy([[1.0]], epsilon=1.5), "epsilon must be from 0 to 1, got 1.5"),
        (lambda: Greedy([[1.0]], near=float("nan")), "near must be from 0 to inf, got nan"),
    ],
)
def test_numbers_that_make_no_sense_are_refused_at_once(make, words):
    with pytest.raises(BadParameter, match=words):
        make()


def test_a_map_of_another_size_than_the_level_is_refused(field, rollout):
    made = field[0]
    with pytest.raises(BadParameter, match=r"2 rows of 4 cells does not fit .* 3 rows of 5 cells"):
        rollout(made.model, made.state, Greedy([[1] * 4] * 2), 5, Rng(1))


@pytest.mark.parametrize("name", ["connect_four", "nim"])
def test_policies_about_objects_are_refused_where_there_are_none(name):
    world = registry.world(name)
    with pytest.raises(Unsupported, match="needs a model that says how far objects are"):
        world.model.rollout(world.start(Rng(0)), Distances({}), 5, Rng(1))


@pytest.mark.parametrize("name", ["connect_four", "nim", "vgdl/aliens"])
def test_wrong_batches_are_one_sentence(name):
    world = registry.world(name)
    model, state = world.model.metered(Meter()), world.start(Rng(0))
    for call, words in (
        (lambda: model.step_many([state], [], Rng(0)), "got 0 for 1 states"),
        (lambda: model.step_many([state], [1], Rng(0)), "a tuple with one action .* got 1"),
        (lambda: model.step_many([], [], Rng(0), threads=0), "from 1 to 256, got 0"),
        (lambda: model.play(state, [[1]], Rng(0)), "a tuple with one action .* got 1"),
        (lambda: model.play(state, np.zeros((2, 3)), Rng(0)), "whole numbers, got .* float64"),
        (lambda: model.play(state, np.zeros((1, 2, 3, 4), int), Rng(0)), "got shape"),
    ):
        with pytest.raises(BadParameter, match=words):
            call()


# The meter


@pytest.mark.parametrize("threads", [1, 4])
def test_a_batch_that_outruns_the_budget_ends_with_what_was_paid_for(threads):
    world = registry.world("vgdl/aliens")
    model = world.model.metered(Meter())
    model.meter.arm(model_calls=75)
    states = [world.start(Rng(0))] * 200
    assert len(model.step_many(states, [(9,)] * 200, Rng(0), threads=threads)) == 75
    assert (model.meter.calls, model.meter.replaced) == (75, 75)
    with pytest.raises(BudgetSpent):
        model.step_many(states, [(0,)] * 200, Rng(0), threads=threads)
    assert model.meter.calls == 75


def test_a_batch_after_the_time_is_up_is_refused():
    world = registry.world("vgdl/aliens")
    model = world.model.metered(Meter())
    model.meter.arm(time_ms=0.0)
    with pytest.raises(BudgetSpent):
        model.step_many([world.start(Rng(0))], [(0,)], Rng(0), threads=2)

"""Uniform, one_step, open_loop_mcts and ismcts."""

from __future__ import annotations

from collections import Counter

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.ismcts import Ismcts
from ludex.planners.one_step import OneStep
from ludex.planners.open_loop_mcts import LoneNode, Node, OpenLoopMcts, Tree, grow
from ludex.planners.parts.subset import SubsetBandit
from ludex.planners.uniform import Uniform


def decide(planner, world, state, budget, seed=1):
    model = world.model.metered(Meter())
    view = model.view(state, model.to_act(state)[0])
    return planner.decide(model, view, budget, Rng(seed))


def settled_start(world):
    state = world.start(Rng(0))
    world.model.settle(state, Rng(0))
    return state


def test_uniform_plays_every_action_as_often():
    world = registry.world("connect_four")
    start = world.start(Rng(0))
    played = Counter(
        decide(Uniform(), world, start, Budget(iterations=1), seed).action for seed in range(1400)
    )
    assert set(played) == set(range(7))
    assert max(abs(count - 200) for count in played.values()) < 55  # 4 standard deviations


def test_one_step_takes_an_immediate_win():
    world = registry.world("connect_four")
    for seed in range(10):
        decision = decide(OneStep(), world, world.parse("ddccbb"), Budget(iterations=99), seed)
        assert world.action_text(decision.action) in "ae"
        assert decision.values[decision.action] == 1.0
        assert decision.iterations == decision.model_calls == 7


def test_one_step_averages_the_die_exactly():
    world = registry.world("pig[target=20]")
    # Seat 0 leads 17 to 7. Rolling 3 to 6 wins; a 2 or a 1 leaves the lead of 10, squashed to 1/2.
    # Holding banks 2 for a lead of 12: 12 / 22.
    state = world.parse("15 7 turn=0 total=2")
    decision = decide(OneStep(), world, state, Budget(iterations=99))
    assert decision.values["roll"] == pytest.approx((4 * 1.0 + 2 * 8 / 18) / 6)
    assert decision.values["hold"] == pytest.approx(10 / 20)
    assert decision.action == "roll"


def test_one_step_looks_several_times_where_one_look_does_not_tell_all():
    world = registry.world("goofspiel")
    state = settled_start(world)
    decision = decide(OneStep(samples=5), world, state, Budget(iterations=10_000))
    assert set(decision.visits.values()) == {5}


def test_one_step_with_a_small_budget_takes_the_best_it_has_seen():
    world = registry.world("connect_four")
    decision = decide(OneStep(), world, world.start(Rng(0)), Budget(model_calls=3))
    assert decision.model_calls == decision.iterations == 3
    assert decision.visits[decision.action] == 1


@pytest.mark.parametrize("planner", [OpenLoopMcts(), Ismcts()])
def test_an_immediate_win_is_found(planner):
    world = registry.world("connect_four")
    decision = decide(planner, world, world.parse("ddccbb"), Budget(iterations=1000))
    assert world.action_text(decision.action) in "ae"


@pytest.mark.parametrize("planner", [OpenLoopMcts(), Ismcts()])
@pytest.mark.parametrize("name", ["nim", "pig", "goofspiel", "connect_four"])
def test_exactly_as_many_iterations_are_made_as_asked_for(planner, name):
    world = registry.world(name)
    state = world.parse("20 30 turn=1 total=14") if name == "pig" else settled_start(world)
    decision = decide(planner, world, state, Budget(iterations=20))
    assert decision.iterations == sum(decision.visits.values()) == 20


@pytest.mark.parametrize("planner", [OpenLoopMcts(max_nodes=5), Ismcts(max_nodes=5)])
def test_a_full_tree_grows_no_more(planner):
    world = registry.world("connect_four")
    decision = decide(planner, world, world.start(Rng(0)), Budget(iterations=200))
    assert decision.notes["tree_size"] == 5
    assert decision.notes["refused"] > 0
    assert decision.iterations == 200


def test_counted_from_the_root_no_play_is_longer_than_the_rollout_depth():
    world = registry.world("connect_four")
    planner = OpenLoopMcts(rollout_depth=6, depth_from="root", value="score")
    decision = decide(planner, world, world.start(Rng(0)), Budget(iterations=300))
    assert decision.model_calls == 300 * 6  # four in a row needs seven
    shallow = OpenLoopMcts(rollout_depth=2, depth_from="root")
    assert decide(shallow, world, world.start(Rng(0)), Budget(iterations=300)).depth == 2


def test_counted_from_the_leaf_every_play_goes_that_far_beyond_it():
    world = registry.world("connect_four")
    planner = OpenLoopMcts(rollout_depth=5)
    decision = decide(planner, world, world.start(Rng(0)), Budget(iterations=7))
    assert decision.model_calls == 7 * (1 + 5)


def test_the_score_rules_where_it_is_asked_for():
    world = registry.world("pig")
    planner = OpenLoopMcts(value="score", rollout="none")
    decision = decide(planner, world, world.parse("0 0 turn=0 total=20"), Budget(iterations=2))
    assert decision.action == "hold"
    assert decision.values == {"hold": 20.0, "roll": 0.0}


def test_ismcts_knows_no_more_than_its_seat():
    world = registry.world("kuhn_poker")
    one, other = (
        decide(Ismcts(), world, world.parse(cards), Budget(iterations=300))
        for cards in ("QJ", "QK")
    )
    assert one.visits == other.visits
    assert one.values == other.values


def test_each_seat_decides_by_its_own_view_in_the_tree():
    world = registry.world("kuhn_poker")
    model = world.model.metered(Meter())
    view = model.view(world.parse("QJ"), 0)
    budget = Budget(iterations=3000)
    budget.arm(model.meter)
    tree = Ismcts().search(model, view, budget, Rng(1))
    # After our bet the holder of the king calls and the holder of the jack folds.
    for card, action in (("K", "call"), ("J", "fold")):
        state = world.parse(f"Q{card} b")
        bandit = tree.nodes[1, model.key(state, 1)]
        assert bandit.actions[bandit.visits.index(max(bandit.visits))] == action


def test_an_own_observer_does_not_tell_the_other_seats_cards_apart():
    world = registry.world("kuhn_poker")
    model = world.model.metered(Meter())
    view = model.view(world.parse("QJ"), 0)
    budget = Budget(iterations=3000)
    for observer, nodes in (("each", 6), ("own", 3)):
        budget.arm(model.meter)
        tree = Ismcts(observer=observer).search(model, view, budget, Rng(1))
        # Seat 1 after a check and after a bet, with either card; seat 0 after check and bet.
        # Seen by seat 0 alone, the two cards of seat 1 are one.
        assert len(tree.nodes) == nodes - (observer == "each")


def test_ismcts_plays_parley():
    world = registry.world("parley")
    decision = decide(Ismcts(), world, settled_start(world), Budget(iterations=30))
    assert decision.iterations == 30


def branches(node):
    """All statistics of an open-loop tree, by sequences of actions."""
    found = {}
    for seat, bandit in node.bandits.items():
        tried = zip(bandit.visits, bandit.means, strict=True)
        found[seat] = dict(zip(bandit.actions, tried, strict=True))
    below = {joint: branches(child) for joint, child in node.children.items()}
    return found, {joint: branch for joint, branch in below.items() if branch[0]}


@pytest.mark.parametrize("name", ["vgdl/aliens", "vgdl/sokoban"])
def test_the_quick_walk_of_a_single_seat_builds_the_tree_of_the_walk_for_any_seats(name):
    world = registry.world(name)
    planner = OpenLoopMcts(rollout_depth=10)
    view = world.model.view(world.start(Rng(1)), 0)
    trees = []
    for root in (LoneNode(0, view.legal), Node()):
        tree = Tree()
        tree.root = root
        if isinstance(root, Node):
            root.bandits[0] = SubsetBandit(0, view.legal)
        model = world.model.metered(Meter())
        grow(planner, model, view, tree, Budget(iterations=300), Rng(5))
        trees.append((branches(tree.root), tree.iterations, tree.depth, model.meter.calls))
    assert trees[0] == trees[1]
    assert trees[0][2] >= 3


def test_where_no_points_are_near_all_actions_are_tried_alike():
    world = registry.world("vgdl/sokoban")
    view = world.model.view(world.start(Rng(1)), 0)
    model = world.model.metered(Meter())
    decision = OpenLoopMcts(rollout="none").decide(model, view, Budget(iterations=10), Rng(1))
    assert set(decision.values.values()) == {0.0}
    assert set(decision.visits.values()) == {2}

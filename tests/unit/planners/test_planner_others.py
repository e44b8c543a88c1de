"""Uniform, one_step, open_loop_mcts and ismcts."""

from __future__ import annotations

from collections import Counter

import pytest
from small_models import Lock, Maze, Typed, ask

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.outcome import Outcome
from ludex.planners.ismcts import Ismcts
from ludex.planners.mcts import Mcts
from ludex.planners.one_step import OneStep
from ludex.planners.open_loop_mcts import OpenLoopMcts, SequenceTree
from ludex.planners.parts.sequence_node import JointSequenceNode, SequenceNode
from ludex.planners.uniform import Uniform
from ludex.testing.counting import CountingModel


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
    # Rolling 3 to 6 wins; a 2 or a 1 leaves the lead in banked points as it is, which is worth 0.
    # Holding banks 2 points: squashed to 2 / (10 + 2).
    state = world.parse("15 7 turn=0 total=2")
    decision = decide(OneStep(), world, state, Budget(iterations=99))
    assert decision.values["roll"] == pytest.approx(4 * 1.0 / 6)
    assert decision.values["hold"] == pytest.approx(2 / 12)
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


def test_ismcts_leaves_circles_of_its_tree():
    # Two cells without an exit: after two iterations nothing is new any more.
    model = Maze("####", "#S.#", "####")
    decision = ask(Ismcts(rollout_depth=5), model, model.find("S"), Budget(model_calls=300))
    assert decision.iterations > 30


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


@pytest.mark.parametrize("name", ["vgdl/lander", "vgdl/zelda"])
def test_nodes_of_one_seat_grow_the_tree_of_nodes_for_any_seats(name):
    world = registry.world(name)
    planner = OpenLoopMcts(rollout_depth=10, native=False)
    trees = []
    for kind in (SequenceNode, JointSequenceNode):
        model = world.model.metered(Meter())
        view = model.view(world.start(Rng(1)), 0)
        tree = SequenceTree(planner, model, view, Rng(5))
        if kind is JointSequenceNode:
            tree.root = JointSequenceNode()
            tree.root.bandit_of(0, view.legal)
        tree.grow(Budget(iterations=300))
        trees.append((branches(tree.root), tree.iterations, tree.depth, model.meter.calls))
    assert trees[0] == trees[1]
    assert trees[0][2] >= 3


@pytest.mark.parametrize("planner", [Mcts, OpenLoopMcts, Ismcts, OneStep])
def test_a_point_counts_as_much_late_in_a_game_of_high_scores_as_early(planner):
    lock = Lock("a" * 50, ends=False)
    settings = {} if planner is OneStep else {"rollout": "none"}
    for typed in ("", "a" * 30):
        values = ask(planner(**settings), lock, Typed(typed), Budget(iterations=4)).values
        # One key further, or two with ismcts: a point is worth 1 / 11, two are worth 2 / 12.
        assert values["a"] >= 1 / 11 - 1e-9
        assert set(values.values()) <= {0.0, 1 / 11, 2 / 12}


def arms_of(node):
    """Every bandit of a tree of one seat."""
    yield node
    for child in node.children.values():
        yield from arms_of(child)


def grown(planner, model, state, iterations, seed=1):
    own = model.metered(Meter())
    tree = planner.search(own, own.view(state, 0), Budget(iterations=iterations), Rng(seed))
    return tree, own.meter


def test_sequences_that_end_the_game_have_nothing_below_them():
    lock = Lock("ab", keys="abc")  # over after two keys
    tree, meter = grown(OpenLoopMcts(), lock, Typed(), 60)
    assert (tree.depth, tree.size) == (2, 1 + 3)
    assert meter.calls == 60 * 2
    assert (meter.ignored, meter.replaced) == (0, 0)
    for bandit in arms_of(tree.root):
        assert 0 not in bandit.visits
        assert sum(bandit.visits) == bandit.total
    assert tree.root.total == 60
    assert sum(child.total for child in tree.root.children.values()) == 60 - 3


@pytest.mark.parametrize("name", ["vgdl/frogs", "vgdl/zelda"])
def test_every_tick_of_the_way_down_is_counted(name):
    world = registry.world(name)
    counting = CountingModel(world.model)
    tree, meter = grown(OpenLoopMcts(rollout_depth=3), counting, world.start(Rng(1)), 500)
    assert (tree.iterations, tree.root.total) == (500, 500)
    assert meter.calls == counting.counter.calls > 500 * 3
    assert all(0 not in bandit.visits for bandit in arms_of(tree.root))


class Door(Lock):
    """Opening is legal once the key was taken, and wins; waiting is always legal."""

    def __init__(self):
        super().__init__("k" * 9, ends=False)

    def legal(self, state, seat):
        if not self.to_act(state):
            return ()
        return ("open", "wait") if "k" in state.keys else ("k", "wait")

    def _apply(self, state, actions, rng):
        state.keys += actions[0][0]

    def outcome(self, state):
        return Outcome((0,), (1.0,), "open") if "o" in state.keys else None

    def score(self, state, seat):
        return 0.0


def test_actions_that_are_legal_only_deeper_in_the_tree_are_found_there():
    tree, meter = grown(OpenLoopMcts(rollout_depth=1), Door(), Typed(), 200)
    assert set(tree.root.actions) == {"k", "wait"}
    taken = tree.root.children[("k",)]
    assert set(taken.actions) == {"open", "wait"}
    values = dict(zip(taken.actions, taken.means, strict=True))
    assert values["open"] == 1.0
    assert meter.replaced == 0
    assert tree.iterations == 200
    decision = ask(OpenLoopMcts(rollout_depth=1), Door(), Typed(), Budget(iterations=200))
    assert decision.action == "k"


def test_where_no_points_are_near_all_actions_are_tried_alike():
    world = registry.world("vgdl/sokoban")
    view = world.model.view(world.start(Rng(1)), 0)
    model = world.model.metered(Meter())
    decision = OpenLoopMcts(rollout="none").decide(model, view, Budget(iterations=10), Rng(1))
    assert set(decision.values.values()) == {0.0}
    assert set(decision.visits.values()) == {2}

"""Sarsa-UCT(lambda): its backup beside values worked by hand, and what it keeps and forgets."""

from __future__ import annotations

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.tovo2 import Move, Tovo2, Tovo2Node, Tovo2Search, back_up
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
WALKER = """
wall > Immovable
coin > Resource
avatar > MovingAvatar
"""
COLLECT = """
coin avatar > killSprite scoreChange=1
avatar wall > stepBack
"""


def chain(length: int) -> list[tuple[Tovo2Node, int]]:
    """The edges of a path of so many actions."""
    nodes = [Tovo2Node(0) for _ in range(length)]
    return [(node, node.place_of("a")) for node in nodes]


def values(edges):
    return [node.values[place] for node, place in edges]


# The backup, with discount 0.99 and lambda 0.6, whose product is 0.594


def test_two_simulations_of_a_chain_equal_those_worked_by_hand():
    edges = chain(3)
    moves = [Move("a", 0.0), Move("a", 0.0), Move("a", 1.0)]
    # First: all values are 0, so only the last delta is not 0: it is 1. The traces are 1,
    # 0.594 * 1 and 0.594 * 0.594.
    assert back_up(moves, edges, 0.99, 0.6) == pytest.approx(0.99**2)
    assert values(edges) == pytest.approx([0.352836, 0.594, 1.0])
    # Second, with step size 1/2:
    #   delta(2) = 1 - 1 = 0;                        trace 0;        value 1
    #   delta(1) = 0.99 * 1 - 0.594 = 0.396;         trace 0.396;    value 0.594 + 0.198
    #   delta(0) = 0.99 * 0.594 - 0.352836 = 0.235224;
    #              trace 0.594 * 0.396 + 0.235224 = 0.470448;        value 0.352836 + 0.235224
    back_up(moves, edges, 0.99, 0.6)
    assert values(edges) == pytest.approx([0.58806, 0.792, 1.0])
    assert [node.visits for node, _ in edges] == [[2.0]] * 3


def test_an_episode_with_rewards_on_its_way_equals_one_worked_by_hand():
    edges = chain(3)
    for (node, place), value, visits in zip(edges, (2.0, 1.0, 4.0), (3.0, 1.0, 0.5), strict=True):
        node.values[place], node.visits[place], node.total = value, visits, visits
    # Rewards 1, -2 and 3 with the values 2, 1 and 4 from before; the game ends after the last.
    #   delta(2) = 3 + 0 - 4 = -1;              trace -1;
    #              value 4 - 1 / 1.5                                    = 3.333333
    #   delta(1) = -2 + 0.99 * 4 - 1 = 0.96;    trace 0.96 - 0.594 = 0.366;
    #              value 1 + 0.366 / 2                                  = 1.183
    #   delta(0) = 1 + 0.99 * 1 - 2 = -0.01;    trace -0.01 + 0.594 * 0.366 = 0.207404;
    #              value 2 + 0.207404 / 4                               = 2.051851
    # Each delta has the next value as it was before this episode.
    rewards = [Move("a", 1.0), Move("a", -2.0), Move("a", 3.0)]
    assert back_up(rewards, edges, 0.99, 0.6) == pytest.approx(1 - 2 * 0.99 + 3 * 0.99**2)
    assert values(edges) == pytest.approx([2.051851, 1.183, 10 / 3])


def test_without_lambda_only_the_next_value_counts():
    edges = chain(2)
    back_up([Move("a", 0.0), Move("a", 1.0)], edges, 0.9, 0.0)
    assert values(edges) == pytest.approx([0.0, 1.0])
    back_up([Move("a", 0.0), Move("a", 1.0)], edges, 0.9, 0.0)
    assert values(edges) == pytest.approx([0.45, 1.0])  # half-way to 0.9 * 1


def test_with_lambda_and_discount_of_one_values_are_mean_returns():
    edges = chain(3)
    for rewards in [(1.0, 0.0, 2.0), (0.0, 4.0, -1.0), (2.0, 2.0, 2.0)]:
        back_up([Move("a", reward) for reward in rewards], edges, 1.0, 1.0)
    assert values(edges) == pytest.approx([4.0, 3.0, 1.0])  # means of the sums from there on


def test_what_lies_beyond_the_tree_counts_through_its_rewards():
    edges = chain(3)[:1]
    moves = [Move("a", 0.0), Move("a", 0.0), Move("a", 1.0)]
    back_up(moves, edges, 0.99, 0.6)
    assert values(edges) == pytest.approx([0.594**2])


# Simulations


def searching(planner, made, seed: int = 1):
    model = made.model.metered(Meter())
    memory = planner.fresh_memory()
    memory.begin(0.5)
    return Tovo2Search(planner, memory, model, model.view(made.state, 0), Rng(seed)), memory


@pytest.fixture
def row(micro):
    return micro(WALKER, COLLECT, "c.A......", A="avatar", c="coin")


def test_simulations_grow_by_five_moves_every_five_up_to_fifty():
    lengths = [Tovo2().length(iteration) for iteration in range(60)]
    assert lengths[:12] == [5] * 5 + [10] * 5 + [15] * 2
    assert lengths[44:46] == [45, 50]
    assert set(lengths[45:]) == {50}


def test_all_that_a_simulation_passes_through_becomes_part_of_the_tree(row):
    search, memory = searching(Tovo2(), row)
    search.simulate(7)
    node, depth = memory.root, 0
    while node.actions:
        assert (len(node.actions), node.visits) == (1, [1.0])
        node, depth = node.after[0], depth + 1
    assert depth == 7
    assert search.size == 8


def test_a_tree_without_room_still_learns_where_it_can(row):
    search, memory = searching(Tovo2(max_nodes=3), row)
    for _ in range(40):
        search.simulate(7)
    assert search.size == 3
    assert memory.root.total == 40


def test_the_reward_of_a_tick_is_its_change_in_score(row):
    search, _ = searching(Tovo2(value="score", weighted_rollouts=False), row)
    state = row.state.copy()
    rewards = []
    for action in (LEFT, LEFT, RIGHT):
        before = search.standing(state)
        search.model.advance(state, (action,), Rng(1))
        rewards.append(search.reward(state, search.standing(state) - before))
    assert rewards == [0.0, 1.0, 0.0]


def test_the_end_has_its_own_reward(micro):
    ends = "SpriteCounter stype=coin limit=0 win=True"
    made = micro(WALKER, COLLECT, "cA...", ends=ends, A="avatar", c="coin")
    state = made.state.copy()
    made.model.advance(state, (LEFT,), Rng(1))
    squashed, _ = searching(Tovo2(score_scale=10.0), made)
    assert squashed.reward(state, 1.0) == pytest.approx(1.0 + 1 / 11)
    bare, _ = searching(Tovo2(value="score"), made)
    assert bare.reward(state, 1.0) == 1e7 + 1


def test_half_of_the_visits_is_forgotten_with_each_decision():
    node = Tovo2Node(1)
    for action, count in (("a", 8.0), ("b", 4.0)):
        node.visits[node.place_of(action)] = count
    node.values = [0.3, 0.7]
    node.total = 12.0
    node.fade(1, 0.5)
    assert node.visits == [8.0, 4.0]
    node.fade(3, 0.5)
    assert (node.visits, node.total, node.values) == ([2.0, 1.0], 3.0, [0.3, 0.7])


def test_the_bonus_falls_with_the_root_of_the_visits():
    # sqrt(ln 20) is 1.73: 0 + 1.73 / 2 = 0.87 is more than 0.4 + 1.73 / 4 = 0.83.
    node = Tovo2Node(1)
    for action, count, value in (("a", 4.0, 0.0), ("b", 16.0, 0.4)):
        place = node.place_of(action)
        node.visits[place], node.values[place] = count, value
    node.total = 20.0
    assert node.highest_bound(["a", "b"], 1.0) == "a"
    node.values[1] = 0.5
    assert node.highest_bound(["a", "b"], 1.0) == "b"


def test_who_forgets_all_begins_with_an_empty_tree():
    for kept, is_kept in ((0.5, True), (0.0, False)):
        memory = Tovo2().fresh_memory()
        memory.root.place_of("a")
        memory.begin(kept)
        assert ("a" in memory.root.places) == is_kept


def test_half_of_the_visits_of_cells_is_forgotten_with_each_decision():
    memory = Tovo2().fresh_memory()
    memory.cells[1, 0] = 6.0
    memory.begin(0.5)
    memory.begin(0.5)
    assert memory.cells == {(1, 0): 1.5}


def test_the_next_decision_begins_with_half_of_what_follows_the_action_played(row):
    planner, model = Tovo2(), row.model.metered(Meter())
    memory = planner.fresh_memory()
    state = row.state.copy()
    budget = Budget(iterations=60)
    decision = planner.plan_on(memory, model, model.view(state, 0), budget, Rng(1))
    kept = dict(zip(memory.root.actions, memory.root.visits, strict=True))
    assert sum(kept.values()) == decision.visits[decision.action]
    model.advance(state, (decision.action,), Rng(1))
    again = planner.plan_on(memory, model, model.view(state, 0), Budget(iterations=1), Rng(2))
    total = sum(kept.values()) / 2 + 1
    assert sum(again.visits.values()) == pytest.approx(total, abs=3)  # visits are rounded


def test_cells_visited_often_are_drawn_less(row):
    search, memory = searching(Tovo2(), row)
    memory.cells[1, 0] = 3.0  # on the left
    memory.cells[2, 0] = 1.0  # where the avatar is
    assert search.weights(row.state, [LEFT, NIL, RIGHT]) == [0.25, 0.5, 1.0]


def test_cells_are_counted_once_a_tick(row):
    search, memory = searching(Tovo2(), row)
    search.simulate(6)
    assert sum(memory.cells.values()) == 6.0


def test_weighted_rollouts_see_more_cells(micro):
    made = micro(WALKER, COLLECT, ("." * 15 + "/") * 7 + "." * 7 + "A" + "." * 7, A="avatar")
    seen = {}
    for weighted in (True, False):
        search, memory = searching(Tovo2(weighted_rollouts=weighted), made)
        search.walks = True  # cells are counted in both cases
        if not weighted:
            search.weights = lambda state, actions: [1.0] * len(actions)
        for _ in range(30):
            search.simulate(20)
        seen[weighted] = len(memory.cells)
    assert seen[True] > 1.2 * seen[False]


# Other seats


def in_nim(heaps: str, **parameters: float) -> Tovo2Search:
    planner = Tovo2(score_scale=1e12, **parameters)  # only the end counts
    world = registry.world(f"nim[heaps={heaps}]")
    model = world.model.metered(Meter())
    memory = planner.fresh_memory()
    memory.begin(0.5)
    return Tovo2Search(planner, memory, model, model.view(world.start(Rng(1)), 0), Rng(2))


def first_values(search: Tovo2Search) -> list[float]:
    """What our first moves are worth, in their order."""
    root = search.memory.root
    return [root.values[root.places[action]] for action in search.view.legal]


def test_what_the_rival_does_counts_for_the_move_before():
    # We take one heap, the rival the other, and has won: our only move of the game is worth -1.
    search = in_nim("1-1")
    search.run(Budget(iterations=20))
    assert first_values(search) == pytest.approx([-1.0, -1.0])
    # The tree has our moves alone.
    assert all(below.actions == [] for below in search.memory.root.after)


def test_a_move_has_the_rewards_of_all_ticks_until_the_next():
    search = in_nim("1-1")
    search.reward = lambda state, change: 1.0
    search.run(Budget(iterations=20))
    assert first_values(search) == pytest.approx([2.0, 2.0])  # our tick and the rival's


def test_rivals_are_expected_to_play_at_random():
    # Of a heap of 3 we take 1. The rival takes both others and wins, or one, and we do: if each
    # is as likely, this is worth 0 on average; a rival who looks ahead would make it -1.
    search = in_nim("3", discount=1.0, trace_decay=1.0, exploration=50.0)
    search.run(Budget(iterations=600))
    one, two, three = first_values(search)
    # Some 200 plays of each move: a mean of +1 and -1 is within 0.3 of 0, by four deviations.
    assert abs(one) < 0.3
    assert (two, three) == pytest.approx((-1.0, 1.0))


def test_in_games_of_two_the_reward_is_the_lead_or_our_own_score():
    world = registry.world("goofspiel")
    model = world.model.metered(Meter())
    state = world.start(Rng(1))
    model.settle(state, Rng(1))
    highest, lowest = model.legal(state, 0)[-1], model.legal(state, 1)[0]
    for bids in ((highest, lowest), (lowest, highest)):  # one prize for each of the two
        model.advance(state, bids, Rng(1))
        model.settle(state, Rng(1))
    own, other = model.score(state, 0), model.score(state, 1)
    assert min(own, other) > 0
    for lead, expected in ((True, own - other), (False, own)):
        planner = Tovo2(lead=lead)
        search = Tovo2Search(planner, planner.fresh_memory(), model, model.view(state, 0), Rng(1))
        assert search.standing(state) == expected


# As a planner


def test_it_walks_to_the_coin(row):
    decision = Tovo2().decide(
        row.model.metered(Meter()), row.model.view(row.state, 0), Budget(iterations=200), Rng(1)
    )
    assert decision.action == LEFT


def test_it_takes_the_last_two_of_a_heap_against_a_rival():
    world = registry.world("nim[heaps=2]")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(1)), 0)
    decision = Tovo2().decide(model, view, Budget(iterations=100), Rng(1))
    assert world.action_text(decision.action) == world.action_text(view.legal[-1])


def test_it_plays_video_games_of_two():
    world = registry.world("vgdl/tank_duel")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(1)), 1)
    decision = Tovo2().decide(model, view, Budget(iterations=20), Rng(1))
    assert sum(decision.visits.values()) == 20

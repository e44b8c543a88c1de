"""OLETS: the backup, the taboo, the reuse of the tree, and other seats."""

from __future__ import annotations

import pytest
from small_models import KEEN, KIND, Chosen, Lock, Maze, Scored, Typed, ask, walk

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.olets import (
    Olets,
    OletsMemory,
    OletsNode,
    OletsSearch,
    ReleasedEvaluator,
    back_up,
)


def grown() -> tuple[OletsNode, OletsNode, OletsNode, OletsNode]:
    """A root with children a and b, and a child c below a."""
    root = OletsNode()
    a, b = root.add(OletsNode("a")), root.add(OletsNode("b"))
    return root, a, b, a.add(OletsNode("c"))


def test_the_backup_equals_a_tree_worked_by_hand():
    root = OletsNode()
    a = root.add(OletsNode("a"))
    back_up([root, a], 0.2)
    # a: one visit that ended in it, so its value is what was found there; so is the root's.
    assert (a.value, root.value) == (0.2, 0.2)
    b = root.add(OletsNode("b"))
    back_up([root, b], 0.5)
    assert (b.value, root.value) == (0.5, 0.5)  # the best child, not the mean
    c = a.add(OletsNode("c"))
    back_up([root, a, c], 0.8)
    # a: 2 visits, 1 ended with 0.2: 0.2/2 + (1 - 1/2) * 0.8 = 0.5. The root's best is 0.5.
    assert a.value == pytest.approx(0.5)
    assert root.value == pytest.approx(0.5)
    back_up([root, a, c], 0.0)
    # c: (0.8 + 0) / 2 = 0.4. a: 0.2/3 + (1 - 1/3) * 0.4 = 0.3333. The root's best is b: 0.5.
    assert c.value == pytest.approx(0.4)
    assert a.value == pytest.approx(1 / 3)
    assert root.value == pytest.approx(0.5)
    back_up([root, b], -0.9)
    # b: (0.5 - 0.9) / 2 = -0.2, so a is the best again.
    assert b.value == pytest.approx(-0.2)
    assert root.value == pytest.approx(1 / 3)
    assert (root.total, a.total, b.total, c.total) == (5, 3, 2, 2)
    assert (root.ended, a.ended, b.ended, c.ended) == (0, 1, 2, 2)
    assert root.visits == [3, 2]
    assert root.means == pytest.approx([1 / 3, -0.2])


def search_500() -> tuple[OletsSearch, OletsNode]:
    model = Lock("abcabc", "abc").metered(Meter())
    planner, budget = Olets(), Budget(iterations=500)
    memory = planner.fresh_memory()
    budget.arm(model.meter)
    search = OletsSearch(planner, model, model.view(Typed(), 0), memory, Rng(1))
    search.run(budget)
    return search, memory.root


def test_values_of_large_trees_agree_with_the_formula_from_the_leaves_up():
    def check(node: OletsNode) -> int:
        total = node.ended + sum(check(child) for child in node.children)
        best = max((child.value for child in node.children), default=0.0)
        share = 1 - node.ended / node.total
        assert node.total == total
        assert node.value == pytest.approx(node.found / node.total + share * best)
        return total

    assert check(search_500()[1]) == 500


def test_the_native_choice_is_the_one_of_the_formula():
    search, root = search_500()
    waiting, compared = [root], 0
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.children:
            chosen = node.children[node.highest_bound(search.reach)]
            assert chosen is search.choose(node, node.children)
            compared += 1
    assert compared > 30


def test_the_bound_of_a_child_is_its_value_and_the_root_of_log_visits_over_its_own():
    # Values 0.5 and 0.2, visits 90 and 10: sqrt(ln 100 / 90) = 0.2262, sqrt(ln 100 / 10) = 0.6786.
    model = Lock("ab", "ab").metered(Meter())
    for exploration, chosen in ((0.66, 0), (0.67, 1)):  # 0.3 / (0.6786 - 0.2262) = 0.6631
        planner = Olets(exploration=exploration, taboo_steps=0)
        search = OletsSearch(planner, model, model.view(Typed(), 0), OletsMemory(planner), Rng(1))
        root, a, b, _ = grown()
        for node, value, visits in ((root, 0.5, 100), (a, 0.5, 90), (b, 0.2, 10)):
            node.value, node.total = value, visits
        assert search.choose(root, [a, b]) is (a, b)[chosen]


def test_a_taboo_child_loses_its_penalty_in_the_choice_alone():
    model = Lock("ab", "ab").metered(Meter())
    planner = Olets(exploration=0.0, taboo_penalty=0.2)
    search = OletsSearch(planner, model, model.view(Typed(), 0), OletsMemory(planner), Rng(1))
    root, a, b, _ = grown()
    for node, value in ((root, 0.5), (a, 0.5), (b, 0.4)):
        node.value, node.total = value, 10
    assert search.choose(root, [a, b]) is a
    a.taboo = True
    assert search.choose(root, [a, b]) is b
    assert a.value == 0.5


CORRIDOR = Maze("#######", "#S    #", "#######")


def places(planner, steps):
    """The taboo places of a mind that was at these cells, the last of them now."""
    model = CORRIDOR.metered(Meter())
    memory = planner.fresh_memory()
    for x in steps:
        start = CORRIDOR.find("S")
        start.x = x
        search = OletsSearch(planner, model, model.view(start, 0), memory, Rng(1))
    return {key[0] for key in search.taboo}


def test_only_places_of_the_last_decisions_are_taboo():
    assert places(Olets(taboo_steps=3), [1, 2, 3, 4, 5]) == {3, 4, 5}
    assert places(Olets(taboo_steps=15), [1, 2, 3]) == {1, 2, 3}
    assert places(Olets(taboo_steps=0), [1, 2, 3]) == set()


def test_new_nodes_at_taboo_places_are_marked():
    model = CORRIDOR.metered(Meter())
    planner, budget = Olets(), Budget(iterations=4)
    memory = planner.fresh_memory()
    OletsSearch(planner, model, model.view(CORRIDOR.find("S"), 0), memory, Rng(1)).run(budget)
    marked = {action for action, child in memory.root.ways.items() if child.taboo}
    assert marked == {"up", "down", "left"}  # against walls: we would stay where we are


def test_no_rollout_is_made():
    class Guarded(Lock):
        def rollout(self, *_):
            raise AssertionError("OLETS has no rollouts")

    ask(Olets(), Guarded("abc"), Typed(), Budget(iterations=50))


def test_a_simulation_costs_as_many_calls_as_its_path_is_long():
    # Three letters, three plays: each tries another child of the root.
    assert ask(Olets(), Lock("aaaa", "abc"), Typed(), Budget(iterations=3)).model_calls == 3
    assert ask(Olets(), Lock("aaaa", "abc"), Typed(), Budget(iterations=4)).model_calls == 5


def test_the_tree_below_the_action_played_is_used_again():
    flat, rich = Scored({}, "abc", 9), Lock("abcabcabc", "abc")
    budget = Budget(iterations=60)
    for planner, game, kept in (
        (Olets(), flat, True),
        (Olets(reuse=False), flat, False),
        (Olets(), rich, False),  # values beside the score of the root are of no use beside another
    ):
        model = game.metered(Meter())
        mind = planner.start(model, model.view(Typed(), 0), budget, Rng(0))
        first = mind.decide(model.view(Typed(), 0), budget, Rng(0))
        second = mind.decide(model.view(Typed(first.action), 0), budget, Rng(1))
        below = first.visits[first.action] - 1  # one simulation ended in the node itself
        assert sum(second.visits.values()) == 60 + (below if kept else 0)


def test_a_flat_landscape_is_searched_in_all_directions():
    room = Maze("#" * 13, *["#           #"] * 5, "#     S     #", *["#           #"] * 5, "#" * 13)
    decision = ask(Olets(taboo_steps=0), room, room.find("S"), Budget(iterations=400))
    assert min(decision.visits.values()) > 80
    assert decision.depth < 10


def test_a_lock_is_opened_key_by_key():
    made = walk(Olets(), Lock("cabdac"), Typed(), Budget(iterations=300))
    assert "".join(decision.action for decision in made) == "cabdac"


def test_actions_that_come_and_go_are_tried_only_where_they_are_legal():
    class Shrinking(Lock):
        def legal(self, state, seat):
            return () if self.over(state) else tuple(self.keys[len(state.keys) :])

    model = Shrinking("abcd", "abcd")
    decision = ask(Olets(), model, Typed(), Budget(iterations=200))
    assert decision.iterations == 200
    assert decision.action == "a"


@pytest.mark.parametrize("name", ["random", "same", "pessimistic"])
def test_the_expected_opponent_decides_between_daring_and_safe(name):
    for model, same in ((KEEN, "b"), (KIND, "a")):
        expected = {"random": "a", "same": same, "pessimistic": "b"}[name]
        for seed in range(5):
            # A bonus of 1 gives a up after six losses in a row, which one seed in 64 has.
            agent = Olets(opponent=name, exploration=2.0)
            decision = ask(agent, model, Chosen(), Budget(iterations=600), seed)
            assert decision.action == expected


@pytest.mark.parametrize("name", ["same", "pessimistic"])
def test_the_winning_move_of_the_other_seat_is_blocked(name):
    world = registry.world("connect_four")
    state = world.parse("dacada")  # seat 1 has three in column a
    for seed in range(3):
        decision = ask(Olets(opponent=name), world.model, state, Budget(iterations=1500), seed)
        assert world.action_text(decision.action) == "a"


@pytest.mark.parametrize("name", ["random", "same", "pessimistic"])
def test_an_immediate_win_is_found(name):
    world = registry.world("connect_four")
    agent = Olets(opponent=name)
    decision = ask(agent, world.model, world.parse("ddccbb"), Budget(iterations=600))
    assert world.action_text(decision.action) in "ae"


@pytest.mark.parametrize("name", ["nim", "pig", "connect_four"])
def test_a_simulation_that_the_budget_cuts_short_leaves_no_trace(name):
    world = registry.world(name)
    state = world.parse("20 30 turn=1 total=14") if name == "pig" else world.start(Rng(0))
    model = world.model.metered(Meter())
    view = model.view(state, model.to_act(state)[0])
    planner = Olets()
    memory = planner.fresh_memory()
    for calls in range(1, 40):
        budget = Budget(model_calls=calls)
        budget.arm(model.meter)
        search = OletsSearch(planner, model, view, memory, Rng(calls))
        search.run(budget)
        waiting = [memory.root]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            assert node.visits == [child.total for child in node.children]
            assert 0 not in node.visits


def test_a_full_tree_grows_no_more():
    decision = ask(Olets(max_nodes=5), Lock("a" * 9), Typed(), Budget(iterations=100))
    assert decision.notes["tree_size"] == 5
    assert decision.iterations == 100


def test_the_released_agent_values_a_win_by_its_score_and_a_loss_by_how_far_off_it_is():
    world = registry.world("pig[target=20]")
    root = world.parse("15 3 turn=0 total=0")
    worth = ReleasedEvaluator(world.model, root, "score", 10.0)
    assert worth.of_state(world.parse("16 3 turn=1 total=0")) == (16.0, 3.0)
    won = world.parse("20 3 turn=0 total=0")
    # 20 + 100 * 21; 3 - 2000 / 2 ** 2 * 4 one tick off, 3 - 2000 / 10 ** 2 * 4 nine ticks off.
    assert worth.of_state(won, 1) == [2120.0, -1997.0]
    assert worth.of_state(won, 9) == [2120.0, -77.0]


def test_with_the_released_values_the_way_out_of_a_maze_is_found():
    maze = Maze("#######", "#S...G#", "#######")
    planner = Olets(exploration=2**0.5, epsilon=0.05, taboo_penalty=0.5, value="released")
    decision = ask(planner, maze, maze.find("S"), Budget(iterations=3000), 1)
    assert decision.action == "right"

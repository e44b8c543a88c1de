"""OLETS: the backup, the taboo, the reuse of the tree, and other seats."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_models import KEEN, KIND, Chosen, Lock, Maze, Scored, Typed, ask, walk

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.olets import (
    Olets,
    OletsNode,
    OletsTree,
    ReleasedEvaluator,
    back_up,
)


def test_the_backup_equals_a_tree_worked_by_hand():
    root = OletsNode(0, "ab")
    a = root.add("a")
    back_up([(root, a)], 0.2, 0.0)
    assert root.values == [0.2]  # of the one simulation that ended right after it
    b = root.add("b")
    back_up([(root, b)], 0.5, 0.0)
    assert root.values == [0.2, 0.5]
    after = root.new_child((), (a,), "c")
    path = [(root, a), (after, after.add("c"))]
    back_up(path, 0.8, 0.0)
    # a: 2 visits, 1 ended with 0.2: 0.2/2 + (1 - 1/2) * 0.8 = 0.5.
    assert root.values[a] == pytest.approx(0.5)
    back_up(path, 0.0, 0.0)
    # c: (0.8 + 0) / 2 = 0.4. a: 0.2/3 + (1 - 1/3) * 0.4 = 0.3333.
    assert after.values == pytest.approx([0.4])
    assert root.values[a] == pytest.approx(1 / 3)
    back_up([(root, b)], -0.9, 0.0)
    # b: (0.5 - 0.9) / 2 = -0.2.
    assert root.values == pytest.approx([1 / 3, -0.2])
    assert root.means == root.values
    assert (root.total, root.visits, after.visits) == (5, [3, 2], [2])
    assert (root.ended, after.ended) == ([1, 2], [2])


def test_what_follows_counts_by_its_best_action():
    root = OletsNode(0, "a")
    back_up([(root, root.add("a"))], 0.0, 0.0)
    after = root.new_child((), (0,), "bc")
    for action, value in (("b", 0.9), ("c", 0.3)):
        back_up([(root, 0), (after, after.add(action))], value, 0.0)
    assert root.values == pytest.approx([2 / 3 * 0.9])
    back_up([(root, 0), (after, 0)], -1.0, 0.0)  # b is worth -0.05 now
    assert root.values == pytest.approx([3 / 4 * 0.3])


def begun(planner, model, start, memory=None) -> OletsTree:
    memory = planner.fresh_memory() if memory is None else memory
    return OletsTree(planner, model, model.view(start, 0), memory, Rng(1))


def search_500() -> OletsTree:
    model, budget = Lock("abcabc", "abc").metered(Meter()), Budget(iterations=500)
    budget.arm(model.meter)
    tree = begun(Olets(), model, Typed())
    tree.grow(budget)
    return tree


def test_values_of_large_trees_agree_with_the_formula_from_the_leaves_up():
    def check(node: OletsNode) -> int:
        for place, visits in enumerate(node.visits):
            after = node.after[place]
            assert visits == node.ended[place] + (0 if after is None else check(after))
            best = 0.0 if after is None else max(after.values)
            share = 1 - node.ended[place] / visits
            value = node.found[place] / visits + share * best
            assert node.values[place] == pytest.approx(value)
        assert node.total == sum(node.visits)
        return node.total

    assert check(search_500().root) == 500


def test_the_size_of_a_tree_is_the_number_of_its_nodes():
    tree = search_500()
    assert tree.size == tree.root.count() > 20


def filled(taboo=()) -> OletsNode:
    """A node whose first action is better by 0.3, and was tried more."""
    node = OletsNode(0, "ab")
    for action, value, visits in (("a", 0.5, 90), ("b", 0.2, 10)):
        place = node.add(action)
        node.taboo[place] = action in taboo
        for _ in range(visits):
            back_up([(node, place)], value, 0.4)
    return node


def chosen(node, **parameters):
    model = Lock("ab", "ab").metered(Meter())
    tree = begun(Olets(taboo_steps=0, **parameters), model, Typed())
    explored = tree.explore(node, tree.planner.exploration, tree.span, tree.rng)
    return node.actions[explored]


def test_the_bound_of_an_action_is_its_value_and_the_root_of_log_visits_over_its_own():
    # Values 0.5 and 0.2, visits 90 and 10: sqrt(ln 100 / 90) = 0.2262, sqrt(ln 100 / 10) = 0.6786.
    # 0.3 / (0.6786 - 0.2262) = 0.6631
    assert chosen(filled(), exploration=0.66) == "a"
    assert chosen(filled(), exploration=0.67) == "b"


def test_an_action_to_a_taboo_place_loses_its_penalty_in_the_choice_alone():
    assert chosen(filled(), exploration=0.0) == "a"
    node = filled(taboo="a")
    assert chosen(node, exploration=0.0) == "b"
    assert node.values == pytest.approx([0.5, 0.2])


def test_with_epsilon_any_tried_action_is_followed():
    node, model = filled(), Lock("ab", "ab").metered(Meter())
    tree = begun(Olets(epsilon=0.5), model, Typed())
    found = [tree.explore(node, 0.0, 1.0, tree.rng) for _ in range(1000)]
    assert 200 < sum(found) < 300


CORRIDOR = Maze("#######", "#S    #", "#######")


def places(planner, steps):
    """The taboo places of a mind that was at these cells, the last of them now."""
    model = CORRIDOR.metered(Meter())
    memory = planner.fresh_memory()
    for x in steps:
        start = CORRIDOR.find("S")
        start.x = x
        tree = begun(planner, model, start, memory)
    return {key[0] for key in tree.taboo}


def test_only_places_of_the_last_decisions_are_taboo():
    assert places(Olets(taboo_steps=3), [1, 2, 3, 4, 5]) == {3, 4, 5}
    assert places(Olets(taboo_steps=15), [1, 2, 3]) == {1, 2, 3}
    assert places(Olets(taboo_steps=0), [1, 2, 3]) == set()


def test_actions_that_lead_to_taboo_places_are_marked():
    tree = begun(Olets(), CORRIDOR.metered(Meter()), CORRIDOR.find("S"))
    tree.grow(Budget(iterations=4))
    root = tree.root
    marked = {action for action, taboo in zip(root.actions, root.taboo, strict=True) if taboo}
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
        below = first.visits[first.action] - 1  # one simulation ended right after it
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


@pytest.mark.parametrize("opponent", ["random", "same"])
@pytest.mark.parametrize("name", ["nim", "pig", "connect_four"])
def test_a_simulation_that_the_budget_cuts_short_leaves_no_trace(name, opponent):
    world = registry.world(name)
    state = world.parse("20 30 turn=1 total=14") if name == "pig" else world.start(Rng(0))
    model = world.model.metered(Meter())
    view = model.view(state, model.to_act(state)[0])
    planner = Olets(opponent=opponent)
    memory = planner.fresh_memory()
    for calls in range(1, 40):
        budget = Budget(model_calls=calls)
        budget.arm(model.meter)
        tree = OletsTree(planner, model, view, memory, Rng(calls))
        tree.grow(budget)
        memory.tree, memory.played = tree, []  # the same decision again
        waiting = [tree.root]
        while waiting:
            node = waiting.pop()
            waiting += [one for one in node.after if one is not None]
            assert all(0 not in bandit.visits for bandit in (node, *node.others.values()))
            assert len(node.values) == len(node.taboo) == len(node.actions)


def test_a_full_tree_grows_no_more():
    decision = ask(Olets(max_nodes=5), Lock("a" * 9), Typed(), Budget(iterations=100))
    assert decision.notes["tree_size"] == 5
    assert decision.notes["refused"] > 0
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


def native_decision(mind, view, number):
    return mind.decide(view, Budget(iterations=300), Rng(number))


def test_the_native_tree_goes_from_decision_to_decision_in_the_same_memory():
    world = registry.world("vgdl/butterflies")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(0)), 0)
    mind = Olets().start(model, view, Budget(iterations=300), Rng(0))
    bytes_taken = []
    for number in range(60):  # again and again from the same state: the tree is of use each time
        decision = native_decision(mind, view, number)
        assert sum(decision.visits.values()) >= 300
        assert decision.notes["search"] == "native"
        bytes_taken.append(mind.memory.tree.tree.bytes)
    assert bytes_taken[-1] == bytes_taken[20] < 4_000_000


def test_a_native_tree_that_another_goes_on_with_is_left_empty():
    world = registry.world("vgdl/butterflies")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(0)), 0)
    mind = Olets().start(model, view, Budget(iterations=300), Rng(0))
    first = native_decision(mind, view, 0)
    tree, line = mind.memory.tree.tree, first.thoughts()
    assert sum(native_decision(mind, view, 1).visits.values()) > 300
    assert (tree.nodes(), tree.size, tree.bytes) == ([], 0, 0)
    assert tree.root_bandits(0) == [(0, 0, [], 0.0)]
    assert tree.best_line(1, 9) == [1]
    assert first.thoughts() == line
    assert len(line["best line"].moves) > 1


def test_moves_that_leave_no_choice_are_followed_in_the_kept_tree():
    game = Scored({}, "abc", 9)
    model = game.metered(Meter())
    view = model.view(Typed(), 0)
    mind = Olets().start(model, view, Budget(iterations=100), Rng(0))
    first = mind.decide(view, Budget(iterations=100), Rng(0))
    forced = replace(model.view(Typed(first.action), 0), legal=("b",))
    assert mind.decide(forced, Budget(iterations=100), Rng(1)).notes["forced"]
    before = mind.memory.tree.root.following(first.action).following("b").total
    assert before > 0
    third = mind.decide(model.view(Typed(first.action + "b"), 0), Budget(iterations=100), Rng(2))
    assert sum(third.visits.values()) == 100 + before

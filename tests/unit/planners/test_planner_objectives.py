"""Search with several objectives: fronts, volumes, pheromones, and the three planners."""

from __future__ import annotations

import random
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.traits import Traits
from ludex.planners.mixed_strategy_mcts import MixedStrategyMcts
from ludex.planners.mo_mcts import FrontNode, MoMcts
from ludex.planners.parts import pareto
from ludex.planners.parts.pareto import Front, Scale, best_by_weights, dominates, hypervolume
from ludex.planners.parts.pheromones import DEPOSIT, Pheromones
from ludex.planners.weighted_sum_mcts import WeightedSumMcts
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
WALKER = """
floor > Immovable
wall > Immovable
coin > Resource
avatar > MovingAvatar
"""
COLLECT = """
coin avatar > killSprite scoreChange=1
avatar wall > stepBack
"""
FEW = settings(max_examples=60, deadline=None)


def vectors(size: int, length: int):
    part = st.integers(0, 6).map(lambda tenth: tenth / 6)
    return st.lists(st.tuples(*[part] * size), max_size=length)


def unit_scale(size: int) -> Scale:
    scale = Scale()
    scale.widen((0.0,) * size)
    scale.widen((1.0,) * size)
    return scale


# Fronts and volumes


def test_dominating_is_being_nowhere_worse_and_somewhere_better():
    assert dominates((2.0, 1.0), (1.0, 1.0))
    assert not dominates((1.0, 1.0), (1.0, 1.0))
    assert not dominates((2.0, 0.0), (1.0, 1.0))


@FEW
@given(vectors(2, 30) | vectors(3, 15))
def test_a_front_holds_what_brute_force_finds_whatever_the_order(points):
    expected = {one for one in points if not any(dominates(other, one) for other in points)}
    scale = unit_scale(len(points[0]) if points else 2)
    front = Front(most=1000)
    for point in points:
        is_dominated = any(dominates(one, point) for one in front.points)
        assert front.add(point, scale) == (not is_dominated)
    assert len(front.points) == len(set(front.points))
    assert set(front.points) == expected


def cells_below(points) -> int:
    """Of a grid of sixths, as coordinates are: each cell is inside or outside as a whole."""
    return sum(
        any(x * 6 > column + 0.5 and y * 6 > row + 0.5 for x, y in points)
        for column in range(6)
        for row in range(6)
    )


@FEW
@given(vectors(2, 12))
def test_the_volume_in_two_dimensions_is_that_of_the_grid_cells_below(points):
    assert hypervolume(points) == pytest.approx(cells_below(points) / 36)


def test_a_volume_in_two_dimensions_is_found_in_one_pass(monkeypatch):
    # A full front of a hundred points asks for a hundred volumes at once, at every node of a path.
    monkeypatch.delattr(pareto, "hypervolume")
    assert hypervolume([(1.0, 0.5), (0.5, 1.0), (0.25, 0.25)]) == 0.75


@FEW
@given(vectors(2, 30))
def test_a_full_front_keeps_as_much_volume_as_it_can(points):
    scale, front = unit_scale(2), Front(most=2)
    for point in points:
        found = {*front.points, point}
        best = [one for one in found if not any(dominates(other, one) for other in found)]
        front.add(point, scale)
        if len(best) > 2:
            assert set(front.points) < set(best)
            most = max(cells_below([one for one in best if one != left]) for left in best)
            assert cells_below(front.points) == most
        else:
            assert set(front.points) == set(best)


@FEW
@given(vectors(3, 8))
def test_the_volume_in_three_dimensions_is_that_of_the_boxes_united(points):
    corners = np.stack(np.meshgrid(*[np.arange(6) + 0.5] * 3, indexing="ij"), axis=-1) / 6
    inside = np.zeros((6, 6, 6), bool)
    for point in points:
        inside |= (corners < np.array(point)).all(axis=-1)
    assert hypervolume(points) == pytest.approx(inside.sum() / 216)


def test_a_full_front_loses_the_point_that_the_volume_misses_least():
    scale = unit_scale(2)
    front = Front(most=3)
    for point in [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)]:
        front.add(point, scale)
    assert front.add((0.4, 0.55), scale)
    # Without (0.4, 0.55) the volume is 0.25; without (0.5, 0.5) it is 0.22; the other two cover
    # nothing alone: they lie on the axes, and the first of them goes.
    assert len(front.points) == 3
    assert (0.5, 0.5) in front.points
    assert (0.4, 0.55) in front.points


def test_objectives_are_brought_to_the_range_seen_so_far():
    scale = Scale()
    for vector in [(10.0, 3.0), (30.0, 3.0), (20.0, 3.0)]:
        scale.widen(vector)
    assert scale.apply((15.0, 3.0)) == (0.25, 0.0)
    front = Front()
    front.add((20.0, 3.0), scale)
    scale.widen((20.0, 5.0))
    scale.widen((20.0, 1.0))
    assert front.hypervolume(scale) == pytest.approx(0.5 * 0.5)
    scale.widen((50.0, 1.0))  # now 20 is a quarter of the way
    assert front.hypervolume(scale) == pytest.approx(0.25 * 0.5)


def test_weights_choose_among_the_points_of_a_front():
    scale = unit_scale(2)
    points = [(0.0, 1.0), (0.6, 0.6), (1.0, 0.0)]
    assert best_by_weights(points, (0.5, 0.5), (0.0, 0.0), scale) == (0.6, 0.6)
    assert best_by_weights(points, (0.9, 0.1), (0.0, 0.0), scale) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("floors", "expected"),
    [
        pytest.param((0.0, 0.0), (1.0, 0.0), id="the best score of all"),
        pytest.param((0.0, 0.3), (0.8, 0.4), id="the best score with enough novelty"),
        pytest.param((0.0, 0.4), (0.8, 0.4), id="as much as the floor is enough"),
        pytest.param((0.0, 0.7), (0.2, 0.9), id="and with more of it"),
        pytest.param((0.9, 0.9), (1.0, 0.0), id="where no point has enough, all are asked"),
    ],
)
def test_floors_keep_one_objective_while_the_other_is_sought(floors, expected):
    points = [(0.2, 0.9), (0.8, 0.4), (1.0, 0.0)]
    assert best_by_weights(points, (1.0, 0.0), floors, unit_scale(2)) == expected


# Pheromones


def test_what_is_laid_down_adds_up_to_one():
    assert sum(DEPOSIT.values()) == pytest.approx(1.0)
    assert len(DEPOSIT) == 13


def test_what_is_laid_down_is_the_printed_figure():
    trail = Pheromones(5, 5, diffusion=0.0, decay=1.0)
    trail.step(2, 2)
    figure = [
        [0.00, 0.00, 0.02, 0.00, 0.00],
        [0.00, 0.04, 0.12, 0.04, 0.00],
        [0.02, 0.12, 0.28, 0.12, 0.02],
        [0.00, 0.04, 0.12, 0.04, 0.00],
        [0.00, 0.00, 0.02, 0.00, 0.00],
    ]
    assert np.allclose(trail.cells, figure)


def test_what_is_laid_down_is_added_up_to_one():
    trail = Pheromones(5, 5, diffusion=0.0, decay=1.0)
    for _ in range(4):
        trail.step(2, 2)
    assert trail.at(2, 2) == 1.0  # 4 * 0.28 is more
    assert trail.at(2, 1) == pytest.approx(4 * 0.12)


def test_what_fades_is_what_is_left_in_place_alone():
    # Nothing is laid down. The neighbours' mean counts in full, their own part fades:
    # 0.4 * 0 + 0.6 * 0.5 * 0.8 in the middle, 0.4 * 0.8 / 2 in a cell of two neighbours.
    trail = Pheromones(3, 2, diffusion=0.4, decay=0.5)
    trail.cells[0, 1] = 0.8
    trail.step(-9, -9)
    assert trail.at(1, 0) == pytest.approx(0.24)
    assert trail.at(0, 0) == pytest.approx(0.16)
    assert trail.at(1, 1) == pytest.approx(0.4 * 0.8 / 3)


def test_one_tick_of_a_trail_equals_the_formula_cell_by_cell():
    trail = Pheromones(7, 5, diffusion=0.4, decay=0.99)
    trail.step(3, 2)
    laid = {(3 + dx, 2 + dy): amount for (dx, dy), amount in DEPOSIT.items()}
    for column in range(7):
        for row in range(5):
            around = [
                (column + dx, row + dy)
                for dx, dy in [(0, 1), (0, -1), (1, 0), (-1, 0)]
                if 0 <= column + dx < 7 and 0 <= row + dy < 5
            ]
            mean = sum(laid.get(cell, 0.0) for cell in around) / len(around)
            expected = 0.4 * mean + 0.6 * 0.99 * laid.get((column, row), 0.0)
            assert trail.at(column, row) == pytest.approx(expected)


def test_a_cell_in_the_corner_has_two_neighbours():
    trail = Pheromones(3, 3, diffusion=1.0, decay=1.0)
    trail.cells[0, 1] = 0.6
    trail.step(-9, -9)  # nothing is laid down
    assert trail.at(0, 0) == pytest.approx(0.6 / 2)
    assert trail.at(1, 1) == pytest.approx(0.6 / 4)
    assert trail.at(0, 1) == 0.0


@FEW
@given(st.integers(0, 10**6))
def test_trails_stay_between_0_and_1_and_are_thicker_where_the_avatar_was(seed):
    dice = random.Random(seed)
    trail = Pheromones(9, 9, diffusion=0.4, decay=0.99)
    for _ in range(60):
        trail.step(dice.randrange(4), dice.randrange(4))
    assert trail.cells.min() >= 0.0
    assert trail.cells.max() <= 1.0
    assert trail.cells[:4, :4].min() > trail.cells[6:, 6:].max()


def test_beyond_the_grid_there_is_nothing_new():
    assert Pheromones(3, 3, 0.4, 0.99).at(-1, -1) == 1.0


# The planners


def searching(planner, made, *, iterations=0, seed=1):
    model = made.model.metered(Meter())
    search = planner.search(planner.fresh_memory(), model, model.view(made.state, 0), Rng(seed))
    if iterations:
        search.run(Budget(iterations=iterations))
    return search


def after(search, actions):
    """The result of a scripted simulation."""
    model, state = search.model, search.start.copy()
    for action in actions:
        model.advance(state, (action,), Rng(0))
    return model.rollout(state, "uniform", 0, Rng(0))


@pytest.fixture
def row(micro):
    """A coin two cells to the left of the avatar, and room on the right."""
    return micro(WALKER, COLLECT, "c.A......", A="avatar", c="coin")


def test_the_objectives_are_the_gain_and_the_absence_of_trail(row):
    search = searching(MoMcts(value="score"), row)
    left = search.objectives(after(search, [LEFT, LEFT]))
    far = search.objectives(after(search, [RIGHT] * 5))
    stay = search.objectives(after(search, [NIL]))
    assert left == (1.0, pytest.approx(1.0 - search.trail.at(0, 0)))
    assert far == (0.0, 1.0)
    # One tick on a board of one row: 0.28 in the cell, 0.12 in each of two neighbours.
    assert stay == (0.0, pytest.approx(1.0 - (0.4 * 0.12 + 0.6 * 0.99 * 0.28)))


def test_wins_and_losses_dominate_both_objectives(micro):
    ends = "SpriteCounter stype=coin limit=0 win=True\nSpriteCounter stype=floor limit=0 win=False"
    rules = COLLECT + "floor avatar > killSprite"
    made = micro(WALKER, rules, "cAx...", ends=ends, A="avatar", c="coin", x="floor")
    for value in ("score", "returns"):
        search = searching(MoMcts(value=value), made)
        won, lost, open_ = (
            search.objectives(after(search, actions)) for actions in ([LEFT], [RIGHT], [NIL])
        )
        assert dominates(won, open_)
        assert dominates(open_, lost)


def test_the_end_of_the_game_counts_a_million_in_both_objectives(micro):
    ends = "SpriteCounter stype=coin limit=0 win=True"
    made = micro(WALKER, COLLECT, "c.A......", ends=ends, A="avatar", c="coin")
    search = searching(MoMcts(value="score"), made)
    score, novelty = search.objectives(after(search, [LEFT, LEFT]))
    assert score == 1e6 + 1
    assert novelty == pytest.approx(1e6 + 1 - search.trail.at(0, 0))


def test_an_imagined_trail_is_led_on_by_the_simulation(row):
    search = searching(WeightedSumMcts(value="score", imagined_trail=True), row)
    expected = Pheromones(9, 1, 0.4, 0.99)
    for column in (2, 3, 4, 5):  # where it stands, and three steps; the last is not laid down yet
        expected.step(column, 0)
    before = search.trail.cells.copy()
    model, state = search.model, search.start.copy()
    search.began()
    for _ in range(2):  # two moves in the tree, two below it
        search.move(state, RIGHT)
    sequence = [(RIGHT,), (RIGHT,)]
    result = model.rollout(state, "uniform", 0, Rng(0), trace=True, opening=sequence)
    assert search.objectives(result) == (0.0, pytest.approx(1.0 - expected.at(6, 0)))
    assert (search.trail.cells == before).all()


def test_the_weighted_sum_is_that_of_the_objectives(row):
    search = searching(WeightedSumMcts(value="score", score_weight=0.7, novelty_weight=0.1), row)
    assert search.finished(after(search, [RIGHT] * 5)) == pytest.approx(0.1)
    on_coin = 0.7 + 0.1 * (1 - search.trail.at(0, 0))
    assert search.finished(after(search, [LEFT, LEFT])) == pytest.approx(on_coin)


def test_a_mixed_strategy_looks_for_one_objective_at_a_time(row):
    aims = {}
    for seed in range(20):
        search = searching(MixedStrategyMcts(value="score"), row, seed=seed)
        coin, far = (
            search.finished(after(search, actions)) for actions in ([LEFT, LEFT], [RIGHT] * 5)
        )
        aims.setdefault(search.notes()["objective"], []).append(coin > far)
    assert set(aims) == {"score", "novelty"}
    assert all(aims["score"])
    assert not any(aims["novelty"])


def test_both_objectives_are_drawn_equally_often(row):
    drawn = [
        searching(MixedStrategyMcts(), row, seed=seed).notes()["objective"] for seed in range(400)
    ]
    assert abs(drawn.count("score") - 200) < 5 * sqrt(400 / 4)  # of a fair coin


def nodes_of(node):
    yield node
    for below in node.after:
        if below is not None:
            yield from nodes_of(below)


def test_fronts_grow_towards_the_root(row):
    search = searching(MoMcts(), row, iterations=300)
    for node in nodes_of(search.root):
        for place, below in enumerate(node.after):
            for front in below.fronts if below is not None else ():
                for point in front.points:
                    above = node.fronts[place].points
                    assert point in above or any(dominates(one, point) for one in above)
    for front in search.root.fronts:
        for point in front.points:
            points = search.front.points
            assert point in points or any(dominates(one, point) for one in points)


def test_the_action_chosen_in_the_tree_has_the_highest_bound(row):
    search = searching(MoMcts(exploration=0.7), row, iterations=200)
    compared = 0
    for node in nodes_of(search.root):
        if node.untried or not all(node.visits):
            continue
        bounds = [
            hypervolume(map(search.scale.apply, front.points))
            + 0.7 * sqrt(log(node.total) / visits)
            for front, visits in zip(node.fronts, node.visits, strict=True)
        ]
        assert bounds[search.choose(node, node.legal)] == pytest.approx(max(bounds))
        compared += 1
    assert compared > 5


def test_arms_that_are_not_legal_this_time_are_left_out_with_their_fronts(row):
    scale = unit_scale(2)
    node = FrontNode(0, ("a", "b", "c"), 10)
    search = searching(MoMcts(), row)
    search.scale = scale
    for action, point in zip("abc", [(1.0, 1.0), (0.2, 0.2), (0.6, 0.6)], strict=True):
        node.untried.remove(action)
        place = node.add(action)
        node.record(place, 0.0)
        node.fronts[place].add(point, scale)
    chosen = node.choose(("b", "c"), search.largest_volume, 0.1, 1.0, Rng(1))
    assert node.actions[chosen] == "c"


def find_four_ways(search):
    """Put into the root what four actions led to; the last is dominated."""
    found = {LEFT: (1.0, 0.0), RIGHT: (0.0, 1.0), UP: (0.8, 0.8), DOWN: (0.7, 0.7)}
    for action, search.vector in found.items():
        search.root.untried.remove(action)
        search.back_up([(search.root, search.root.add(action))], 0.0)


@pytest.mark.parametrize(
    ("weights", "expected"), [((1.0, 0.0), LEFT), ((0.0, 1.0), RIGHT), ((0.5, 0.5), UP)]
)
def test_the_action_played_led_to_the_point_with_the_largest_weighted_sum(row, weights, expected):
    search = searching(MoMcts(score_weight=weights[0], novelty_weight=weights[1]), row)
    find_four_ways(search)
    decision = search.decision()
    assert decision.action == expected
    assert decision.notes["front"] == [(0.0, 1.0), (0.8, 0.8), (1.0, 0.0)]
    assert decision.notes["hypervolume"] == pytest.approx(0.64)


def test_the_action_played_keeps_to_the_floors(row):
    search = searching(MoMcts(score_weight=1.0, novelty_weight=0.0, novelty_floor=0.5), row)
    find_four_ways(search)
    assert search.decision().action == UP


@pytest.mark.parametrize("seed", range(5))
def test_the_point_chosen_was_found_after_the_action_played(row, seed):
    search = searching(MoMcts(rollout_depth=4), row, iterations=150, seed=seed)
    action = search.decision().action
    sums = {point: sum(search.scale.apply(point)) for point in search.front.points}
    chosen = [point for point, total in sums.items() if total == max(sums.values())]
    found = search.root.fronts[search.root.actions.index(action)].points
    assert any(point in found for point in chosen)


def test_among_actions_that_led_to_the_same_point_the_most_visited_is_played(row):
    search = searching(MoMcts(), row)
    search.vector = (1.0, 1.0)
    for action, visits in ((LEFT, 1), (RIGHT, 3), (UP, 2)):
        search.root.untried.remove(action)
        place = search.root.add(action)
        for _ in range(visits):
            search.back_up([(search.root, place)], 0.0)
    assert search.decision().action == RIGHT


def test_what_is_dominated_at_a_node_changes_no_front_above_it(row):
    search = searching(MoMcts(), row)
    root = search.root
    above = root.add(LEFT)
    below = search.make_node(root.legal)
    place = below.add(UP)
    search.vector = (1.0, 1.0)
    search.back_up([(root, above), (below, place)], 0.0)
    root.fronts[above].points = []  # so that a change would be seen
    search.vector = (0.5, 0.5)
    search.back_up([(root, above), (below, place)], 0.0)
    assert root.fronts[above].points == []
    assert root.visits == [2]


def test_fronts_begin_anew_in_each_decision_and_the_trail_goes_on(row):
    planner, model = MoMcts(), row.model.metered(Meter())
    memory = planner.fresh_memory()
    first, second = (
        planner.search(memory, model, model.view(row.state, 0), Rng(seed)) for seed in (1, 2)
    )
    assert first.trail is second.trail
    first.run(Budget(iterations=20))
    assert first.front.points
    assert (second.front.points, second.led_by, second.scale.lows) == ([], {}, ())


@pytest.mark.parametrize("planner", [MoMcts, WeightedSumMcts])
@pytest.mark.parametrize(("trail", "reaches"), [({}, True), ({"diffusion": 0, "decay": 0}, False)])
def test_the_trail_leads_beyond_the_horizon(micro, planner, trail, reaches):
    # The coin is 14 steps away and simulations last 5 ticks: only the trail drives it on. One
    # that neither spreads nor stays is none.
    level = "w" * 17 + "/wA" + "." * 13 + "cw/" + "w" * 17
    made = micro(WALKER, COLLECT, level, A="avatar", c="coin", w="wall")
    model, state = made.model.metered(Meter()), made.state.copy()
    agent, budget = planner(rollout_depth=5, **trail), Budget(iterations=60)
    mind = agent.start(model, model.view(state, 0), budget, Rng(1))
    for tick in range(60):
        action = mind.decide(model.view(state, 0), budget, Rng(tick)).action
        model.advance(state, (action,), Rng(tick))
    assert (model.score(state, 0) > 0) == reaches


def test_a_search_for_score_alone_finds_the_coin(row):
    planner = MoMcts(score_weight=1.0, novelty_weight=0.0, rollout_depth=3)
    assert searching(planner, row, iterations=300).decision().action == LEFT


def test_the_trail_grows_by_one_tick_for_each_decision(row):
    planner, model = WeightedSumMcts(), row.model.metered(Meter())
    memory = planner.fresh_memory()
    expected = Pheromones(9, 1, 0.4, 0.99)
    for _ in range(3):
        planner.plan_on(memory, model, model.view(row.state, 0), Budget(iterations=5), Rng(1))
        expected.step(2, 0)
    assert np.allclose(memory.trail.cells, expected.cells)


@pytest.mark.parametrize("name", ["mo_mcts", "weighted_sum_mcts", "mixed_strategy_mcts"])
def test_they_need_a_grid(name):
    planner = registry.load("planners", name)()
    assert "needs a model that says where avatars and objects are" in planner.refusal(
        Traits(seats=1, max_legal=2)
    )

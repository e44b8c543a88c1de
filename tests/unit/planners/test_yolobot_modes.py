"""YOLOBOT decides: when it searches, replays and simulates, and how it does each of them."""

from __future__ import annotations

import pytest
from yolobot_games import (
    DEAD,
    FEW,
    LEFT,
    LEGEND,
    NIL,
    RIGHT,
    ROOM,
    RULES,
    SPRITES,
    STORED_ALL,
    UP,
    USE,
    game,
    modes,
    play,
    searching,
    tree_of,
)

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import Unsupported
from ludex.core.traits import Traits
from ludex.core.view import History
from ludex.planners.yolobot import Yolobot
from ludex.planners.yolobot.best_first import BestFirst
from ludex.planners.yolobot.collisions import Pair
from ludex.planners.yolobot.sight import Sight
from ludex.planners.yolobot.tree import YolobotNode
from ludex.planners.yolobot_greedy import YolobotGreedy

# The modes


def test_a_puzzle_is_searched_while_waiting_and_then_played_back(micro):
    decisions, state, _ = play(Yolobot(pre_run=False), game(micro, ROOM), 80)
    found = modes(decisions)
    start = found.index("replay")
    assert start > 0
    assert set(found[:start]) == {"search"}
    assert {decision.action for decision in decisions[:start]} == {NIL}
    assert set(found[start:]) == {"replay"}
    assert state.winners[0] == 1
    assert [decision.notes["plan"] for decision in decisions[start:]] == list(
        range(len(found) - start - 1, -1, -1)
    )


def test_the_second_before_the_game_is_used_to_the_end_although_a_win_was_found(micro):
    made = game(micro, "wwwwww/wAb.ow/wwwwww")
    model = made.model.metered(Meter())
    mind = Yolobot().start(model, model.view(made.state, 0), Budget(model_calls=40), Rng(0))
    memory = mind.memory
    assert memory.mode == "search"
    assert memory.search.won is not None
    assert memory.search.is_exhausted or model.meter.calls == 1000
    decisions, state, _ = play(Yolobot(), made, 10)
    assert modes(decisions)[0] == "replay"
    assert state.winners[0] == 1


def test_the_second_before_the_game_holds_so_many_calls_whatever_the_budget(micro):
    made = game(micro, ROOM)
    model = made.model.metered(Meter())
    Yolobot(pre_run_calls=500).start(
        model, model.view(made.state, 0), Budget(model_calls=900), Rng(0)
    )
    assert model.meter.calls == 500


def test_what_is_left_of_the_second_before_the_game_shows_what_is_left_to_chance(micro):
    # All states are known at once; then the line of waiting goes on, and steps are tried again.
    sprites = SPRITES + "gate > Portal stype=way_out\nway_out > Immovable"
    rules = RULES + "avatar gate > teleportToExit"
    for level, is_chance in (("AgO..O", True), ("Ag....", False)):
        made = game(micro, level, rules=rules, sprites=sprites, g="gate", O="way_out")
        model = made.model.metered(Meter())
        mind = Yolobot().start(model, model.view(made.state, 0), FEW, Rng(0))
        assert mind.memory.search.is_exhausted
        assert mind.memory.look_ahead.ticks > 100
        assert mind.memory.knowledge.is_suspect == is_chance


def test_games_with_creatures_are_simulated_after_three_ticks(micro):
    made = game(micro, "A......../........./....n..../.........")
    assert modes(play(Yolobot(), made, 5)[0]) == ["search"] * 3 + ["simulate"] * 2
    without = Yolobot(three_tick_rule=False)
    assert modes(play(without, made, 3)[0]) == ["simulate"] * 3


def test_a_game_that_sets_itself_up_is_searched_from_where_it_stands_still(micro):
    sprites = SPRITES + "spark > Flicker limit=1"
    made = game(micro, "wwwwwww/wAb.o.w/w....sw/wwwwwww", sprites=sprites, s="spark")
    decisions, state, memory = play(Yolobot(), made, 8)
    assert modes(decisions) == ["search"] * 3 + ["replay"] * 2
    assert memory.search.sight.tick == 3
    assert not memory.knowledge.is_stochastic
    assert state.winners[0] == 1


def test_a_lucky_win_of_a_game_with_creatures_is_not_played_back(micro):
    made = game(micro, "Ab.o...../........./......n../.........")
    decisions, _, memory = play(Yolobot(), made, 3)
    assert memory.search.won is not None
    assert modes(decisions) == ["search"] * 3


def test_what_begins_to_move_late_is_foreseen(micro):
    sprites = SPRITES + "rock > Missile orientation=RIGHT speed=1 cooldown=60"
    level = "A......../..b...b../...r...../..b......"
    made = game(micro, level, sprites=sprites, r="rock")
    decisions, _, memory = play(Yolobot(pre_run=False), made, 30, Budget(iterations=2))
    switched = modes(decisions).index("simulate")
    assert 3 < switched <= 22  # it looks ahead three ticks further with every tick
    assert memory.knowledge.is_stochastic


def test_without_a_solution_the_best_line_is_played_after_three_quarters_of_the_game(micro):
    # There is no hole for the boxes; the coin is three steps away.
    made = game(micro, "wwwwwwwwww/wA..c....w/w........w/w..b..b..w/w........w/wwwwwwwwww")
    decisions, state, _ = play(Yolobot(game_ticks=40), made, 35, Budget(iterations=4))
    found = modes(decisions)
    assert found[:30] == ["search"] * 30
    assert found[30:34] == ["replay"] * 3 + ["simulate"]
    assert state.scores[0] == 1


def test_when_nothing_is_left_to_search_the_best_line_is_played(micro):
    # The box in the corner cannot be moved; the coin is six steps away.
    made = game(micro, "wwwwwwwwww/wA.......w/w........w/w....c..bw/wwwwwwwwww")
    decisions, state, memory = play(Yolobot(), made, 7)
    assert memory.search.is_exhausted
    assert modes(decisions) == ["replay"] * 6 + ["simulate"]
    assert state.scores[0] == 1


def test_where_waiting_wins_it_goes_on_waiting_when_the_search_is_over(micro):
    # Boxes without holes: there is nothing to solve, but time wins.
    made = game(
        micro,
        "wwwwwwww/wA.b...w/w...b..w/wwwwwwww",
        ends="Timeout limit=40 win=True",
    )
    decisions, state, memory = play(Yolobot(), made, 60, Budget(iterations=2))
    assert memory.look_ahead.is_won
    assert "simulate" not in modes(decisions)
    assert {decision.action for decision in decisions} == {NIL}
    assert state.winners[0] == 1


def test_a_win_with_fewer_points_than_there_seem_to_be_waits_until_it_must_be_played(micro):
    # The box wins in three steps for one point; a coin behind the wall seems worth three.
    made = game(micro, "wwwwwwwwww/wAb..ow.cw/wwwwwwwwww")
    model = made.model.metered(Meter())
    mind = Yolobot(game_ticks=60, search_share=1.0).start(
        model, model.view(made.state, 0), FEW, Rng(0)
    )
    memory = mind.memory
    search = memory.search
    assert (search.won.depth, search.gain(search.won)) == (3, 1.0)
    assert search.is_optimal
    coin = Pair()
    coin.observe({}, False, frozenset({"score+"}), 3.0)
    memory.knowledge.collisions.pairs[memory.sight.avatar_kind, made.game.type_named("coin")] = coin
    assert not search.is_optimal
    search.open.append((0.0, 10**9, search.root))  # as if there were more to search
    memory.replay_if_late(55)
    assert memory.mode == "search"
    memory.replay_if_late(56)  # four ticks are left for three steps
    assert memory.mode == "replay"
    assert len(memory.plan) == 3
    memory.planner, memory.mode = Yolobot(game_ticks=60), "search"
    memory.replay_if_late(44)
    assert memory.mode == "search"
    memory.replay_if_late(45)  # three quarters of the game
    assert memory.mode == "replay"
    assert len(memory.plan) == 3


def test_a_game_that_goes_another_way_than_planned_is_simulated_at_once(micro):
    decisions, _, memory = play(
        Yolobot(), game(micro, ROOM), 40, Budget(iterations=60), disturb=None
    )
    start = modes(decisions).index("replay")
    decisions, _, memory = play(
        Yolobot(), game(micro, ROOM), start + 6, Budget(iterations=60), disturb=start + 2
    )
    found = modes(decisions)
    assert found[start : start + 3] == ["replay"] * 3
    assert found[start + 3 :] == ["simulate"] * 3  # and never back
    assert memory.knowledge.is_stochastic


def test_a_game_of_chance_is_found_out_by_doing_the_same_thing_twice(micro):
    # Nothing moves by itself, but the gate leads now here, now there.
    sprites = SPRITES + "gate > Portal stype=way_out\nway_out > Immovable"
    level = "wwwwwwwwww/wAg.....ow/w..b..b..w/wo......ow/wwwwwwwwww"
    legend = {"g": "gate", "O": "way_out"}
    made = micro(
        sprites,
        RULES + "avatar gate > teleportToExit",
        level.replace("o", "O"),
        ends=f"{DEAD}\n{STORED_ALL}",
        **LEGEND,
        **legend,
    )
    decisions, _, memory = play(Yolobot(), made, 40, Budget(iterations=4))
    assert memory.knowledge.is_stochastic
    assert "simulate" in modes(decisions)


def test_without_search_it_simulates_from_the_first_tick(micro):
    assert set(modes(play(Yolobot(search=False), game(micro, ROOM), 4)[0])) == {"simulate"}


def test_without_simulation_it_waits_where_things_move(micro):
    made = game(micro, "A......../........./....n..../.........")
    decisions, _, _ = play(Yolobot(simulate=False), made, 6, Budget(iterations=2))
    assert "simulate" not in modes(decisions)


# Search


def depths_until_won(search: BestFirst, most: int = 4000) -> list[int]:
    depths = []
    while search.won is None and len(depths) < most:
        depths.append(search.open[0][2].depth)
        search.expand(Rng(1))
    return depths


def test_without_weight_for_points_it_is_breadth_first_and_finds_the_shortest_way(micro):
    search = searching(game(micro, ROOM))
    depths = depths_until_won(search)
    assert depths == sorted(depths)
    # Round the box to its left side, push it right twice, round to its top, push it down.
    assert len(search.won.plan()) == shortest(game(micro, ROOM))


def shortest(made) -> int:
    """The length of the shortest win, by plain breadth-first search over all states."""
    model = made.model.metered(Meter())
    seen = {model.key(made.state, ignore=("tick", "score"))}
    layer, depth = [made.state], 0
    while layer:
        depth += 1
        following = []
        for state in layer:
            for action in model.legal(state, 0):
                after = model.step(state, (action,), Rng(1))
                if model.over(after):
                    if after.winners[0] == 1:
                        return depth
                    continue
                key = model.key(after, ignore=("tick", "score"))
                if key not in seen:
                    seen.add(key)
                    following.append(after)
        layer = following
    raise AssertionError("no win")


def test_with_weight_states_with_points_come_first(micro):
    made = game(micro, "wwwwwwww/wA.c...w/w......w/w.....bw/wwwwwwww")
    search = searching(made, search_score_weight=100.0)
    for _ in range(200):
        search.expand(Rng(1))
        if search.best.score:
            break
    assert search.open[0][2].score == 1


def test_dropping_equal_states_saves_most_of_the_work(micro):
    made = game(micro, ROOM)
    few = len(depths_until_won(searching(made)))
    many = len(depths_until_won(searching(made, equal_pruning=False), most=10 * few))
    assert many == 10 * few  # and no end in sight


def test_losses_are_never_the_best_line(micro):
    rules = RULES.replace("avatar trap > killSprite", "avatar trap > killSprite scoreChange=9")
    made = game(micro, "wwwwwww/wAt..bw/wwwwwww", rules=rules)
    search = searching(made)
    while not search.is_exhausted:
        search.expand(Rng(1))
    assert search.won is None
    assert search.best.score == 0


def test_states_look_the_same_whatever_the_tick_and_the_score(micro):
    made = game(micro, "A.c.....")
    model, state = made.model, made.state.copy()
    first = Sight.of_state(model, state, 0)
    model.advance(state, (NIL,), Rng(1))
    assert Sight.of_state(model, state, 0).key == first.key
    model.advance(state, (RIGHT,), Rng(1))
    assert Sight.of_state(model, state, 0).key != first.key


# Simulation


def pair_that_scores() -> Pair:
    pair = Pair()
    pair.observe({}, False, frozenset({"score+"}), 1.0)
    return pair


def test_untried_actions_are_worth_what_is_expected_of_them(micro):
    tree = tree_of(game(micro, "......./..A...c/......."))
    tree.open(tree.root, tree.sight)
    priors = dict(zip(tree.root.actions, tree.root.priors, strict=True))
    assert max(priors, key=priors.get) == RIGHT
    assert priors[RIGHT] == pytest.approx(priors[NIL] + 0.5)
    assert priors[LEFT] == pytest.approx(priors[NIL] - 0.5)
    assert tree.choose(tree.root, tree.sight.legal) == RIGHT


def test_using_something_on_a_target_at_hand_is_worth_a_step_towards_it(micro):
    sprites = SPRITES.replace("MovingAvatar", "ShootAvatar stype=shot")
    sprites += "shot > Flicker limit=2 singleton=True"
    made = game(micro, "...../..Ac./.....", sprites=sprites)
    tree = tree_of(made)
    coin = made.game.type_named("coin")
    facing = tree.sight.facing
    assert tree.target.seen.cell == (3, 1)
    before = tree.priors(tree.sight)[USE]
    tree.knowledge.collisions.pairs[99, coin] = pair_that_scores()
    if facing == (1, 0):
        assert tree.priors(tree.sight)[USE] == pytest.approx(before + 0.5)
    else:
        assert tree.priors(tree.sight)[USE] == before


def test_learning_takes_no_more_than_its_share_of_a_decision(micro, monkeypatch):
    made = game(micro, "A......../....n..../...c.....")
    tree = tree_of(made)
    clock = iter(range(10**6))  # every look at the clock is a second later
    monkeypatch.setattr("ludex.planners.yolobot.tree.perf_counter", lambda: next(clock))
    tree.is_timed, tree.began = True, 0
    taught = tree.knowledge.steps
    tree.learning_s = 10.0**9
    tree.simulate()
    assert tree.knowledge.steps == taught
    tree.is_timed = False
    tree.simulate()
    assert tree.knowledge.steps > taught


def test_the_first_value_takes_the_place_of_what_was_expected():
    node = YolobotNode(0)
    place = node.place_of("a", 7.0)
    node.record(place, 0.25)
    node.record(place, 0.75)
    assert (node.visits, node.means, node.priors) == ([2], [0.5], [7.0])
    assert node.place_of("a", 9.0) == place
    assert node.priors == [7.0]


def test_the_same_step_from_the_same_state_names_what_is_random(micro):
    made = game(micro, "A......./......../....n...")
    tree = tree_of(made, 40)
    assert tree.knowledge.is_stochastic
    assert tree.knowledge.objects.stochastic == {made.game.type_named("wolf")}


def test_without_expectations_every_action_is_tried_first(micro):
    made = game(micro, "......./..A...c/.......")
    tree = tree_of(made, 5, planner=Yolobot(node_init=False, knowledge_pruning=False))
    assert tree.root.visits == [1] * 5


def test_the_first_rollout_follows_the_path(micro):
    for seed in range(5):
        tree = tree_of(game(micro, "A........c"), 1, seed=seed)
        # Nine steps and the coin, then one more: ten points for it, less a tenth for each step.
        assert tree.high == pytest.approx(10.0 - 0.1 * 10)


def test_the_most_visited_action_is_played_even_if_another_has_a_higher_value(micro):
    tree = tree_of(game(micro, "......./..A...c/......."))
    tree.open(tree.root, tree.sight)
    for action, visits, value in ((LEFT, 3, 0.4), (RIGHT, 2, 0.9)):
        for _ in range(visits):
            tree.root.record(tree.root.places[action], value)
    assert tree.decision().action == LEFT


def test_a_move_that_loses_at_once_is_not_played(micro):
    made = game(micro, "wwwwwww/wAt...w/wwwwwww/c......")
    for seed in range(5):
        planner = Yolobot(knowledge_pruning=False, node_init=False)
        tree = tree_of(made, 60, planner=planner, seed=seed)
        root = tree.root
        assert tree.decision().action != RIGHT
        assert root.means[root.places[RIGHT]] < 0.1


def test_a_careless_last_step_is_taken_back(micro):
    # From the middle of a cross of traps every step but waiting loses.
    made = game(micro, ".t./tAt/.t.")
    tree = tree_of(made, planner=Yolobot(knowledge_pruning=False))
    model, state = tree.model, made.state.copy()
    before = state.copy()
    model.advance(state, (UP,), Rng(1))
    lost = Sight.of_state(model, state, 0)
    assert lost.is_lost
    calls = model.meter.calls
    ends = [tree.other_ends(before, UP, lost, 3) for _ in range(20)]
    assert all(not end.is_lost for end, _ in ends)  # at most three others lose before it
    assert model.meter.calls - calls <= 4 * 20


def test_winning_outweighs_all_else_and_so_does_losing(micro):
    tree = tree_of(game(micro, "A...c"))
    worst = Sight.of_state(tree.model, tree.model.imagine(tree.view, Rng(1)), 0)
    best = Sight.of_state(tree.model, tree.model.imagine(tree.view, Rng(1)), 0)
    worst.score, best.score = -1000.0, 1000.0
    values = [tree.value(worst, 10), tree.value(best, 0)]
    worst.over = worst.is_won = True
    best.over = best.is_lost = True
    assert tree.value(worst, 10) > max(values)
    assert tree.value(best, 0) < min(values)


def test_it_walks_to_a_coin_far_beyond_its_horizon_by_its_target_alone(micro):
    level = "A" + "." * 14 + "/" + "." * 15 + "/n" + "." * 13 + "c"
    made = game(micro, level, ends="SpriteCounter stype=coin limit=0 win=True")
    blind = Yolobot(target_heuristic=False, informed_rollouts=False, node_init=False)
    for planner, arrives in ((Yolobot(), True), (blind, False)):
        decisions, state, _ = play(planner, made, 40, Budget(iterations=12))
        assert (state.winners[0] == 1) == arrives
        if arrives:
            assert decisions[-1].notes["target"] == (14, 2)


# Switches, and the variant without a model

STORED = {
    "pre_run": ROOM,
    "search": ROOM,
    "equal_pruning": ROOM,
    "simulate": "A..c...../........./....n..../.........",
    "three_tick_rule": "A..c...../........./....n..../.........",
    "score_heuristic": "Accc...../ccc....../....n..../.........",
    "win_heuristic": "A.t.c/..n../c.t..",
    "steps_heuristic": "A.t.c/..n../c.t..",
}
LIVELY = "A..c..t../..w....../....n.t../w........"


@pytest.mark.parametrize("switch", Yolobot.switches())
def test_every_switch_changes_an_action(micro, switch):
    ends = "SpriteCounter stype=coin limit=0 win=True" if switch == "win_heuristic" else ""
    made = game(micro, STORED.get(switch, LIVELY), ends=ends)
    usual, _, _ = play(Yolobot(), made, 9, Budget(iterations=12))
    other, _, _ = play(Yolobot(**{switch: False}), made, 9, Budget(iterations=12))
    assert [one.action for one in usual] != [one.action for one in other]


def test_the_switches_are_those_of_the_source():
    # The thirteenth of the source is search_score_weight=0, breadth first; two readings of what
    # is left without targets are two switches.
    assert len(Yolobot.switches()) == 13


class Untouchable:
    """A model that must not be simulated with."""

    def __init__(self, model) -> None:
        self.model = model

    def __getattr__(self, name: str):
        assert name not in ("step", "advance", "rollout", "play", "imagine", "step_many"), name
        return getattr(self.model, name)


def test_the_greedy_variant_never_simulates_and_still_finds_the_coin(micro):
    made = game(micro, "A........c", ends="SpriteCounter stype=coin limit=0 win=True")
    model = made.model.metered(Meter())
    state, events = made.state.copy(), []
    planner = YolobotGreedy()
    memory = planner.fresh_memory()
    for tick in range(12):
        if model.over(state):
            break
        view = model.view(state, 0).recalling(history=History(events))
        decision = planner.plan_on(memory, Untouchable(model), view, FEW, Rng(tick))
        model.advance(state, (decision.action,), Rng(tick))
        events += model.events(state, 0)
    assert state.winners[0] == 1


@pytest.mark.parametrize("planner", [Yolobot(), YolobotGreedy()])
def test_models_without_objects_and_games_of_two_are_refused(planner):
    with pytest.raises(Unsupported, match="needs views that list objects"):
        planner.check(Traits(seats=1, max_legal=4, learned=True))
    with pytest.raises(
        Unsupported, match=r"its own avatar, and this world has 2; use yolobot.*@single_player"
    ):
        planner.check(registry.world("vgdl/tank_duel").traits)

"""Fine points of what YOLOBOT learns, expects and chooses, where a sign or a bound decides."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace

import pytest
from yolobot_games import NIL, RIGHT, ROOM, UP, game, searching, tree_of

from ludex.core import Budget, Meter, Rng
from ludex.core.objects import Category
from ludex.planners.yolobot import Yolobot
from ludex.planners.yolobot.best_first import BestFirstNode
from ludex.planners.yolobot.collisions import Effect, IntervalRule, Pair, group_of
from ludex.planners.yolobot.danger import can_arrive_next, heat_map
from ludex.planners.yolobot.habits import Habits
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.mind import YolobotMemory
from ludex.planners.yolobot.movement import AvatarMoves
from ludex.planners.yolobot.passages import Spawners
from ludex.planners.yolobot.prediction import Prediction, combined, foresee, predict, pruned
from ludex.planners.yolobot.sight import Change, SeenObject, Sight, Transition
from ludex.planners.yolobot.targets import Board, Chooser, column_target, worth_of
from ludex.planners.yolobot.tree import YolobotNode
from ludex.planners.yolobot_greedy import YolobotGreedy

MOVES = [(-1, 0), (0, -1), (0, 1), (1, 0)]
LOST = frozenset({"lost"})


def looked_at(made) -> tuple[Knowledge, Sight]:
    """What is known at first sight."""
    knowledge = Knowledge(0)
    sight = Sight.of_state(made.model, made.state, 0)
    knowledge.register(sight)
    return knowledge, sight


def learn(knowledge: Knowledge, sight: Sight, kind: int, group=frozenset(), times=1, blocks=False):
    pair = knowledge.collisions.pairs[sight.avatar_kind, kind]
    for _ in range(times):
        pair.observe({}, blocks, group, 0.0)


def fear(knowledge: Knowledge, sight: Sight, kind: int, period: int = 1) -> None:
    """Types that move by themselves, one cell at a time, and kill."""
    knowledge.objects.stochastic.add(kind)
    knowledge.objects.reach[kind] = 1, 1
    learn(knowledge, sight, kind, LOST)
    for _ in range(3):
        knowledge.objects.take_interval(kind, period)


# Collisions


def test_a_negative_example_at_the_end_of_the_range_makes_an_item_useless():
    rule = IntervalRule()
    for count, positive in ((5, True), (8, True), (8, False)):
        rule.observe({1: count}, positive)
    assert not rule.live
    assert rule.predict({1: 9})  # by majority


def test_negative_examples_had_none_of_an_item_that_appears_later():
    rule = IntervalRule()
    for inventory, positive in (({}, False), ({1: 1}, True), ({}, True)):
        rule.observe(inventory, positive)
    # None of it is in the range of the positive ones, 0 to 1, and so was that of the negative one.
    assert not rule.live
    assert rule.predict({1: 5})  # by majority


def test_the_same_meeting_is_learned_from_so_often_and_no_more():
    pair = Pair(Habits(learn_most=3))
    for _ in range(5):
        pair.observe({}, False, LOST, 0.0)
    assert pair.effects[LOST].count == 3


@pytest.mark.parametrize(("met", "cell", "expected"), [(5, 9, True), (6, 9, False), (6, 1, True)])
def test_what_disappears_counts_if_it_was_met_or_is_at_hand(met, cell, expected):
    sight = SimpleNamespace(score=0, over=False, avatar_kind=1, inventory={}, avatar_cell=(0, 0))
    gone = Change(SeenObject(1, 5, Category.STATIC, (cell, 0)), None)
    seen = SimpleNamespace(before=sight, after=sight, changes=[gone])
    group = group_of(seen, SimpleNamespace(passive_type=met))
    assert group == ({"disappeared"} if expected else frozenset())


# Movement and danger


def test_a_portal_is_no_loss_of_control():
    avatar = AvatarMoves()
    sight = SimpleNamespace(avatar_kind=1, facing=(0, 0), over=False)
    jump = SimpleNamespace(
        before=sight, after=sight, action=RIGHT, heading=(1, 0), moved=(9, 9), turned=False
    )
    avatar.observe(jump, is_blocked=False, is_portal=True)
    assert avatar.control == 1


def test_of_two_kinds_of_killers_the_one_that_comes_first_counts(micro):
    made = game(micro, "A......../n.......c")
    knowledge, sight = looked_at(made)
    wolf, coin = made.game.type_named("wolf"), made.game.type_named("coin")
    for kind in (wolf, coin):
        fear(knowledge, sight, kind)
    heat = heat_map(knowledge, sight)
    assert [heat[x, 1] for x in range(9)] == [0, 1, 2, 3, 4, 3, 2, 1, 0]


def test_a_killer_that_has_just_moved_cannot_arrive_in_the_next_tick(micro):
    made = game(micro, "A.n")
    knowledge, sight = looked_at(made)
    wolf = sight.of_kinds([made.game.type_named("wolf")])[0]
    fear(knowledge, sight, wolf.kind, period=2)
    knowledge.objects.moved_at[wolf.number] = sight.tick - 1
    assert can_arrive_next(knowledge, sight, [wolf], (1, 0))
    knowledge.objects.moved_at[wolf.number] = sight.tick
    assert not can_arrive_next(knowledge, sight, [wolf], (1, 0))


@pytest.mark.parametrize("own_work", [False, True])
def test_change_while_waiting_proves_nothing_if_the_avatar_made_something(micro, own_work):
    made = game(micro, "A......./......../....n...")
    knowledge, before = looked_at(made)
    state = made.state.copy()
    for tick in range(6):
        before.has_own_work = lambda: own_work
        made.model.advance(state, (NIL,), Rng(tick))
        after = Sight.of_state(made.model, state, 0)
        knowledge.observe(Transition(before, NIL, (0, 0), after), waited=True)
        before = after
    assert knowledge.is_stochastic == (not own_work)


def test_creatures_never_seen_to_move_are_expected_to_and_other_things_are_not(micro):
    made = game(micro, "A.n.c")
    knowledge, _ = looked_at(made)
    assert knowledge.reach(made.game.type_named("wolf")) == (1, 1)
    assert knowledge.reach(made.game.type_named("coin")) == (0, 0)


def test_what_kills_is_not_walked_through(micro):
    made = game(micro, "A.t")
    knowledge, sight = looked_at(made)
    trap = made.game.type_named("trap")
    assert not knowledge.is_barred(sight, trap)
    learn(knowledge, sight, trap, LOST)
    assert knowledge.is_barred(sight, trap)


@pytest.mark.parametrize("by_product", [False, True])
def test_only_what_the_avatar_touched_itself_is_nothing_new(micro, by_product):
    made = game(micro, "A.c")
    knowledge, before = looked_at(made)
    _, after = looked_at(made)
    coin = made.game.type_named("coin")
    after.meetings = [SimpleNamespace(by_product=by_product, passive_type=coin, active_type=77)]
    knowledge.observe_avatar(Transition(before, NIL, (0, 0), after))
    assert (coin in knowledge.met) == (not by_product)


# Makers


def appearing(*changes: Change, here=()) -> Spawners:
    before = SimpleNamespace(avatar_cell=(0, 0), at=lambda cell: list(here))
    spawners = Spawners()
    spawners.observe(SimpleNamespace(before=before, changes=list(changes)))
    return spawners


def test_where_something_else_changed_what_appears_has_no_maker():
    nest = SeenObject(1, 20, Category.STATIC, (6, 6))
    snail = Change(None, SeenObject(2, 21, Category.MOVABLE, (6, 6)))
    passing = Change(SeenObject(3, 22, 6, (7, 6)), SeenObject(3, 22, 6, (8, 6)))
    assert appearing(snail, here=[nest]).makes == {20: {21}}
    assert not appearing(snail, passing, here=[nest]).makes


def test_of_two_possible_makers_the_one_that_never_made_anything_is_taken():
    known, other = (SeenObject(n, 20 + n, Category.STATIC, (6, 6)) for n in (1, 2))
    spawners = appearing(Change(None, SeenObject(3, 30, 6, (6, 6))), here=[known])
    before = SimpleNamespace(avatar_cell=(0, 0), at=lambda cell: [known, other])
    made = Change(None, SeenObject(4, 31, 6, (6, 6)))
    spawners.observe(SimpleNamespace(before=before, changes=[made]))
    assert spawners.makes == {21: {30}, 22: {31}}


# Expectations


def test_a_cell_in_which_killers_appear_is_a_risk(micro):
    made = game(micro, "A../n..")
    knowledge, sight = looked_at(made)
    wolf = made.game.type_named("wolf")
    learn(knowledge, sight, wolf, LOST)
    assert not predict(knowledge, sight, RIGHT, (1, 0)).is_risk
    knowledge.spawners.sources[1, 0].add(wolf)
    assert predict(knowledge, sight, RIGHT, (1, 0)).is_risk


def test_what_may_lose_is_tried_before_what_surely_does():
    surely, maybe = Prediction((0, 0), is_loss=True), Prediction((0, 0), is_risk=True)
    assert pruned({RIGHT: surely, UP: maybe}, NIL) == [UP]


def test_towards_a_wall_an_avatar_that_turns_is_not_idle_though_it_never_did_so_there(micro):
    made = game(micro, "w./A.")
    knowledge, sight = looked_at(made)
    learn(knowledge, sight, made.game.type_named("wall"), times=3, blocks=True)
    assert sight.facing != (0, -1)
    assert predict(knowledge, sight, UP, (0, -1)).is_idle
    knowledge.avatar.turning.add(sight.avatar_kind)
    assert not predict(knowledge, sight, UP, (0, -1)).is_idle


def test_who_loses_does_not_win():
    effects = [Effect(frozenset({"won"})), Effect(LOST)]
    assert not combined(effects)["is_win"]
    assert combined(effects[:1])["is_win"]


def test_what_leads_far_away_is_foreseen_anew_each_time(micro):
    # What is kept rests on what is near, and the other end of a portal is not.
    sprites = "gate > Portal stype=coin\ncoin > Resource\nfloor > Immovable\navatar > MovingAvatar"
    made = micro(sprites, "", "...Ag.c", A="avatar", g="gate", c="coin")
    for exit_cell, is_kept in (((0, 0), False), ((4, 0), True)):
        knowledge, sight = looked_at(made)
        knowledge.portals.arrivals[made.game.type_named("gate")][exit_cell] += 1
        found = foresee(knowledge, sight, (NIL, RIGHT), made.model.heading)
        assert found.expected[RIGHT].cell == exit_cell
        assert (found in knowledge.answers.values()) == is_kept


@pytest.mark.parametrize(("epsilon", "expected"), [(0.0, {RIGHT}), (1.0, {NIL, UP, RIGHT})])
def test_the_greedy_variant_plays_anything_as_often_as_told(micro, epsilon, expected):
    made = game(micro, "A..c", ends="SpriteCounter stype=coin limit=0 win=True")
    model, planner = made.model.metered(Meter()), YolobotGreedy(epsilon=epsilon)
    played = {
        planner.plan(model, model.view(made.state, 0), Budget(iterations=1), Rng(seed)).action
        for seed in range(60)
    }
    assert played >= expected
    assert epsilon or played == expected


# Paths and targets


def test_nobody_walks_across_a_portal(micro):
    sprites = "gate > Portal stype=coin\ncoin > Resource\nfloor > Immovable\navatar > MovingAvatar"
    made = micro(sprites, "", "...Ag.c", A="avatar", g="gate", c="coin")
    knowledge, sight = looked_at(made)
    knowledge.portals.arrivals[made.game.type_named("gate")][0, 0] += 1
    board = Board(knowledge, sight, {}, MOVES)
    there, back = board.from_cell((3, 0)), board.to_cell((6, 0))
    assert there[4, 0] == 1.0  # it is entered, and left at the other end
    assert there.get((5, 0), inf) == there.get((6, 0), inf) == inf
    assert back[5, 0] == 1.0
    assert back.get((3, 0), inf) == inf


def test_what_is_barred_is_reached_and_not_passed(micro):
    made = game(micro, "Aw.c")
    knowledge, sight = looked_at(made)
    learn(knowledge, sight, made.game.type_named("wall"), blocks=True)
    assert Board(knowledge, sight, {}, MOVES).from_cell((0, 0)) == {(0, 0): 0.0, (1, 0): 1.0}


def test_what_is_barred_has_no_way_to_the_goal(micro):
    made = game(micro, "A.w./....")
    knowledge, sight = looked_at(made)
    learn(knowledge, sight, made.game.type_named("wall"), blocks=True)
    assert (2, 0) not in Board(knowledge, sight, {}, MOVES).to_cell((3, 0))


def test_a_prize_far_away_is_better_than_a_wall_at_hand(micro):
    # The wall is worth -100 - 1, the coin 40 - 159: but nobody goes for what is worth nothing.
    made = game(micro, "wA" + "." * 158 + "c")
    knowledge, sight = looked_at(made)
    wall, coin = made.game.type_named("wall"), made.game.type_named("coin")
    learn(knowledge, sight, wall, blocks=True)
    knowledge.met.add(wall)
    target = Chooser().choose(knowledge, sight, Board(knowledge, sight, {}, MOVES), False)
    assert target.seen.kind == coin
    assert target.value == 40.0 - 159.0


def test_a_portal_is_worth_more_than_another_thing_never_touched(micro):
    sprites = "gate > Portal stype=coin\ncoin > Resource\nfloor > Immovable\navatar > MovingAvatar"
    made = micro(sprites, "", "A.gc", A="avatar", g="gate", c="coin")
    knowledge, sight = looked_at(made)
    gate, coin = made.game.type_named("gate"), made.game.type_named("coin")
    assert worth_of(knowledge, sight, coin, False) == 40.0
    assert worth_of(knowledge, sight, gate, False) == 40.0 + 20.0


def test_a_near_object_can_outweigh_two_that_are_farther(micro):
    # One object a row away counts 1/2, those three and four rows away 1/4 + 1/5.
    made = game(micro, "....c/....c/....../c...../.A....")
    knowledge, sight = looked_at(made)
    target = column_target(knowledge, sight, (1, 0))
    assert target.value == 0.5
    assert target.distances[0, 0] == 0.0


def test_an_exclusion_ends_with_its_tick(micro):
    _, sight = looked_at(game(micro, "A..c"))
    chooser = Chooser()
    chooser.refresh(sight)
    chooser.excluded = {1: sight.tick, 2: sight.tick + 1}
    chooser.refresh(sight)
    assert chooser.excluded == {2: sight.tick + 1}


# Search, replay and simulation


def test_a_win_with_all_points_is_as_good_as_can_be_and_one_with_fewer_is_not(micro):
    search = searching(game(micro, ROOM))
    root = search.root
    search.won = BestFirstNode(None, 1, root.score + 2.0, True, root, RIGHT, 1)
    for best, is_optimal in ((2.0, True), (2.5, False), (0.0, True)):
        search.knowledge.best_score = lambda sight, best=best: best
        assert search.is_optimal == is_optimal


def test_of_states_as_good_the_first_is_the_best(micro):
    search = searching(game(micro, ROOM))
    first, second = (BestFirstNode(None, key, search.root.score + 1.0, depth=1) for key in (1, 2))
    for one in (first, second):
        seen = SimpleNamespace(is_lost=False, is_won=False, key_by=lambda keys, one=one: one.key)
        search.take(one, seen)
    assert search.best is first


def test_no_more_open_states_are_kept_whole_than_told(micro):
    search = searching(game(micro, ROOM), max_states=3)
    whole = []
    for _ in range(20):
        search.expand(Rng(1))
        whole.append(sum(node.state is not None for *_, node in search.open))
    assert len(search.open) > 3
    assert max(whole) == 3


def test_a_search_that_found_enough_states_is_over(micro):
    search = searching(game(micro, ROOM), max_nodes=20)
    search.made = 19
    assert not search.is_exhausted
    search.made = 20
    assert search.is_exhausted


def test_a_state_that_is_not_found_again_is_a_sign_of_chance(micro):
    search = searching(game(micro, ROOM))
    elsewhere = BestFirstNode(None, search.root.key + 1, 0.0, False, search.root, RIGHT, 1)
    search.open = [(0.0, 0, elsewhere)]
    assert search.begin(Rng(1)) is None
    assert search.knowledge.is_suspect


def test_the_end_that_was_foreseen_tells_how_much_time_is_left():
    played = []
    mind = SimpleNamespace(
        planner=Yolobot(game_ticks=2000),
        search=SimpleNamespace(
            won=SimpleNamespace(depth=5), is_exhausted=False, sight=SimpleNamespace(tick=0)
        ),
        look_ahead=SimpleNamespace(ends_after=8, is_won=False),
        first_tick=0,
        replay=played.append,
    )
    YolobotMemory.replay_if_late(mind, 1)  # seven ticks are left, two more than the win takes
    assert not played
    YolobotMemory.replay_if_late(mind, 2)
    assert played == [mind.search.won]


@pytest.mark.parametrize(("left", "expected"), [(5, "won"), (4, "best")])
def test_a_win_is_played_back_only_if_it_fits_into_the_time_left(left, expected):
    played = []
    nodes = {name: SimpleNamespace(name=name, depth=5) for name in ("won", "best")}
    mind = SimpleNamespace(
        planner=Yolobot(game_ticks=20),
        search=SimpleNamespace(**nodes, is_exhausted=True),
        look_ahead=SimpleNamespace(ends_after=None, is_won=False),
        first_tick=0,
        replay=lambda node: played.append(node.name),
    )
    YolobotMemory.replay_if_late(mind, 20 - left)
    assert played == [expected]


def test_no_more_last_moves_are_tried_than_told(micro):
    made = game(micro, ".t./tAt/.t.")
    for most in (0, 1, 2):
        tree = tree_of(made, planner=Yolobot(backtracks=most))
        tried = [end.is_lost for other, end in tree.alternatives(made.state, NIL)]
        assert tried == [True] * most


def test_an_action_that_is_expected_to_lose_promises_nothing(micro):
    made = game(micro, ".../.At/...")
    innocent, burnt = tree_of(made), tree_of(made)
    learn(burnt.knowledge, burnt.sight, made.game.type_named("trap"), LOST)
    assert innocent.priors(innocent.sight)[RIGHT] > 1.0
    assert burnt.priors(burnt.sight)[RIGHT] == 0.0
    assert burnt.priors(burnt.sight)[UP] > 1.0


def test_every_other_last_move_counts_as_a_visit_of_its_node(micro):
    made = game(micro, ".t./tAt/.t.")
    tree = tree_of(made, planner=Yolobot(backtracks=3))
    tree.second_thoughts(made.state, tree.root, NIL, 1)
    assert tree.root.total == 3
    assert sum(tree.root.visits) == 3


def test_the_same_step_that_leads_elsewhere_the_second_time_is_chance(micro):
    made, elsewhere = game(micro, "A...n"), game(micro, "A..n.")
    tree = tree_of(made)
    before, after = tree.sight, Sight.of_state(made.model, made.state, 0)
    other = Sight.of_state(elsewhere.model, elsewhere.state, 0)
    for seen, is_chance in ((after, False), (after, False), (other, True)):
        tree.compare(tree.root, before, seen)
        assert tree.knowledge.is_stochastic == is_chance


def test_the_bonus_of_an_action_falls_with_the_root_of_its_visits(micro):
    # sqrt(2 ln 20) is 2.45: 0 + 2.45 / 2 = 1.22 is more than 0.55 + 2.45 / 4 = 1.16.
    tree = tree_of(game(micro, "A."))
    for usual, chosen in ((0.55, NIL), (0.65, RIGHT)):
        node = YolobotNode(0)
        for action, visits, value in ((NIL, 4, 0.0), (RIGHT, 16, usual)):
            for _ in range(visits):
                node.record(node.place_of(action, 0.0), value)
        assert tree.choose(node, [NIL, RIGHT]) == chosen

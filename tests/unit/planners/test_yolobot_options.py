"""YOLOBOT by other readings of its sources, and checks of its parts against plain means."""

from __future__ import annotations

from itertools import product
from math import inf
from types import SimpleNamespace

import pytest
from test_yolobot_modes import shortest
from yolobot_games import LEFT, NIL, RIGHT, ROOM, SPRITES, game, modes, play, searching, tree_of

from ludex.core import Budget, Meter, Rng
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.objects import Category
from ludex.planners.yolobot import Yolobot
from ludex.planners.yolobot import knowledge as knowledge_of_yolobot
from ludex.planners.yolobot.collisions import BLOCKED, Pair
from ludex.planners.yolobot.danger import cost, heat_map
from ludex.planners.yolobot.habits import Habits
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.sight import Change, SeenObject, Sight
from ludex.planners.yolobot.targets import Board, Chooser, promise
from ludex.planners.yolobot_greedy import YolobotGreedy

MOVES = [(-1, 0), (0, -1), (0, 1), (1, 0)]
COIN_WINS = "SpriteCounter stype=coin limit=0 win=True"
TWO_BOXES = "wwwwwwww/wA.....w/w.b..b.w/w......w/wo....ow/wwwwwwww"


def knowing(made, habits: Habits) -> tuple[Knowledge, Sight]:
    knowledge = Knowledge(0, habits)
    sight = Sight.of_state(made.model, made.state, 0)
    knowledge.register(sight)
    return knowledge, sight


def pair_of(*group: str, habits: Habits | None = None) -> Pair:
    pair = Pair(habits or Habits())
    pair.observe({}, not group, frozenset(group), 1.0)
    return pair


def solved(search, most: int = 20_000) -> int:
    """Expansions until there is a win."""
    for number in range(most):
        if search.won is not None:
            return number
        search.expand(Rng(1))
    raise AssertionError("no win")


# The search


def test_a_search_cut_into_small_budgets_expands_the_same_states_as_in_one_piece(micro):
    made = game(micro, ROOM)
    whole, cut = searching(made), searching(made)
    solved(whole)
    rounds = 0
    while cut.won is None:
        rounds += 1
        cut.model.meter.arm(model_calls=7)  # in the midst of most expansions
        try:
            while cut.won is None:
                cut.expand(Rng(1))
        except BudgetSpent:
            pass
    assert rounds > 30
    assert cut.won.plan() == whole.won.plan()
    assert (cut.expanded, cut.made, set(cut.seen)) == (
        whole.expanded,
        whole.made,
        set(whole.seen),
    )


def test_states_that_were_not_kept_are_played_again_when_their_turn_comes(micro):
    made = game(micro, ROOM)
    whole, thin = searching(made), searching(made, max_states=20)
    solved(whole)
    solved(thin)
    assert thin.won.plan() == whole.won.plan()
    assert thin.expanded == whole.expanded
    assert sum(node.state is not None for _, _, node in thin.open) <= 20
    assert thin.model.meter.calls_ever > whole.model.meter.calls_ever


def test_a_line_that_leads_elsewhere_when_played_again_is_chance(micro):
    made = game(micro, "A......../........./....n..../....b....")
    search = searching(made, max_states=1, knowledge_pruning=False)
    while not search.is_exhausted and search.expanded < 30:
        search.expand(Rng(search.expanded))
    assert search.knowledge.is_stochastic


def test_boxes_that_change_places_are_one_state_only_if_told_so(micro):
    made = game(micro, TWO_BOXES)
    first = Sight.of_state(made.model, made.state, 0)
    rows = first.view.rows.copy()
    boxes = rows["type"] == made.game.type_named("box")
    rows["id"][boxes] = rows["id"][boxes][::-1]
    other = Sight.of_state(made.model, made.state, 0)
    other.view.__dict__["rows"] = rows
    other.objects = type(first.objects)(rows, first.view.block, ())
    assert first.key != other.key
    assert first.key_by("full") != other.key_by("full")
    assert first.key_by("interchangeable") == other.key_by("interchangeable")


@pytest.mark.parametrize("name", ["category", "type", "id", "x", "y"])
def test_keys_differ_in_every_field_of_an_object_and_not_in_their_order(micro, name):
    made = game(micro, TWO_BOXES)
    first = Sight.of_state(made.model, made.state, 0)
    changed = first.view.rows.copy()
    changed[name][0] += 1
    make = type(first.objects)
    assert make(changed, first.view.block).digest != first.objects.digest
    assert make(first.view.rows[::-1].copy(), first.view.block).digest == first.objects.digest


def test_keys_tell_what_is_carried_and_where_the_avatar_looks(micro):
    made = game(micro, "A.c....")
    first, other = (Sight.of_state(made.model, made.state, 0) for _ in range(2))
    other.inventory = {7: 1}
    assert first.key != other.key
    third = Sight.of_state(made.model, made.state, 0)
    third.orientation = (-9.0, 0.0)
    assert first.key != third.key


@pytest.mark.parametrize("keys", ["hashed", "full", "interchangeable"])
def test_a_puzzle_is_solved_in_as_few_steps_whatever_the_keys(micro, keys):
    made = game(micro, TWO_BOXES)
    search = searching(made, keys=keys)
    expansions = solved(search)
    assert search.won.depth == shortest(made)
    if keys == "interchangeable":
        assert expansions < solved(searching(made))


def test_a_win_may_wait_for_its_turn(micro):
    made = game(micro, "wwwwwwww/wAb.o..w/w......w/wwwwwwww")
    early, late = searching(made), searching(made, win_test="expanded")
    assert solved(late) > solved(early)
    assert late.won.depth == early.won.depth == 2


def test_a_better_way_to_a_known_state_is_kept_if_told_so(micro):
    made = game(micro, ROOM)
    for repeats, is_repeated in (("dropped", True), ("bettered", False)):
        search = searching(made, repeats=repeats)
        assert not search.is_repeated("a state", (1.0, -5))
        assert search.is_repeated("a state", (1.0, -5))
        assert search.is_repeated("a state", (2.0, -6))  # more points, but later
        assert search.is_repeated("a state", (2.0, -5)) == is_repeated


def test_without_simulation_the_search_may_begin_anew_where_the_game_is_now(micro):
    made = game(micro, "A......../........./....n..../....b....")
    roots = {}
    for on_change in ("wait", "restart"):
        planner = Yolobot(simulate=False, on_change=on_change)
        decisions, _, memory = play(planner, made, 8, Budget(iterations=2))
        assert "simulate" not in modes(decisions)
        roots[on_change] = memory.search.sight.tick
        assert len(memory.over) <= 1  # what gave way is freed as fast as it comes
    assert roots["wait"] <= 3
    assert roots["restart"] > 3


# The knowledge base


def test_what_only_ever_blocked_blocks_with_any_inventory_unless_one_is_strict():
    assert pair_of().predict({1: 2}) is BLOCKED
    strict = pair_of(habits=Habits(intervals="strict"))
    assert strict.predict({}) is BLOCKED
    assert strict.predict({1: 0}) is BLOCKED
    assert strict.predict({1: 2}) is None
    strict.observe({1: 2}, True, frozenset(), 0.0)
    assert strict.predict({1: 1}) is BLOCKED  # between what was seen
    assert strict.predict({1: 3}) is None


def test_killers_that_move_along_both_axes_are_as_far_as_a_king(micro):
    rows = ["A" + "." * 14, *["." * 15] * 6, "." * 7 + "n" + "." * 7, *["." * 15] * 6]
    made = game(micro, "/".join(rows))
    knowledge, sight = knowing(made, Habits(heat_steps="diagonal", heat_horizon=5))
    wolf = made.game.type_named("wolf")
    knowledge.objects.stochastic.add(wolf)
    knowledge.objects.reach[wolf] = 1, 1
    knowledge.collisions.pairs[sight.avatar_kind, wolf] = pair_of("lost")
    heat = heat_map(knowledge, sight)
    for x, y in product(range(sight.width), range(sight.height)):
        far = max(abs(x - 7), abs(y - 7))
        assert heat.get((x, y), inf) == (far if far <= 5 else inf)


def test_creatures_never_met_are_feared_only_if_told_so(micro):
    made = game(micro, "A...n")
    for habits, is_feared in ((Habits(), False), (Habits(unknown_npcs="deadly"), True)):
        knowledge, sight = knowing(made, habits)
        assert bool(heat_map(knowledge, sight)) == is_feared
        harmless = pair_of("score+")
        knowledge.collisions.pairs[sight.avatar_kind, made.game.type_named("wolf")] = harmless
        knowledge.answers.clear()
        assert not heat_map(knowledge, sight)


def test_answers_that_no_longer_hold_are_gone_at_once_and_freed_with_new_ones():
    # Ten thousand of them take milliseconds to free, which a decision may not have.
    knowledge = Knowledge(settling=0)
    for number in range(7):
        knowledge.keep(("old", number), number)
    knowledge.categories[1] = Category.NPC
    knowledge.draw_conclusions()
    assert not knowledge.answers
    left = []
    for number in range(5):
        knowledge.keep(("new", number), number)
        left.append(sum(len(answers) for answers in knowledge.outdated))
    assert left == [5, 3, 1, 0, 0]
    assert list(knowledge.answers.values()) == [0, 1, 2, 3, 4]


def test_a_mind_that_is_let_go_frees_its_answers_bit_by_bit(monkeypatch):
    monkeypatch.setattr(knowledge_of_yolobot, "FREED_AT_ONCE", 3)
    planner = Yolobot()
    memory = planner.fresh_memory()
    for number in range(5):
        memory.knowledge.keep(("old", number), number)
    memory.knowledge.forget_answers()
    memory.knowledge.answers["new"] = 5
    left = []
    while planner.let_go(memory):
        left.append(sum(len(answers) for answers in memory.knowledge.outdated))
    assert left == [3]
    assert not memory.knowledge.answers
    assert not memory.knowledge.outdated


def test_fear_is_what_a_killer_adds_to_its_cell():
    assert cost({(0, 0): 0}, (0, 0), fear=8.0) == 9.0


def test_a_portal_is_taken_for_the_maker_before_all_else_in_its_cell(micro):
    made = game(micro, "A......../......c..")
    knowledge, before = knowing(made, Habits())
    coin = before.of_kinds([made.game.type_named("coin")])[0]
    gate = SeenObject(90, 70, Category.PORTAL, coin.cell)
    snail = SeenObject(91, 71, Category.MOVABLE, coin.cell)
    before.at = lambda cell: [coin, gate] if cell == coin.cell else []
    knowledge.spawners.observe(SimpleNamespace(before=before, changes=[Change(None, snail)]))
    assert dict(knowledge.spawners.makes) == {70: {71}}


# Targets


def test_the_two_readings_of_what_a_target_is_worth():
    by_sum, by_product = Habits(), Habits(worth_by="product")
    # A dear thing far away, and a wall at hand.
    assert promise(by_sum, 200.0, 90.0) > promise(by_sum, -100.0, 1.0)
    assert promise(by_product, 200.0, 15.0) > promise(by_product, -100.0, 1.0)
    assert promise(by_product, 200.0, 90.0) < promise(by_product, -100.0, 1.0)
    # Equal worth: the nearer one, by both.
    for habits in (by_sum, by_product):
        assert promise(habits, 50.0, 3.0) > promise(habits, 50.0, 4.0)


def test_a_loyal_chooser_stays_with_its_target_until_another_is_much_better(micro):
    made = game(micro, "c...A..c.")
    knowledge, sight = knowing(made, Habits())
    near, far = sorted(sight.of_kinds([made.game.type_named("coin")]), key=lambda one: -one.cell[0])
    board = Board(knowledge, sight, {}, MOVES)
    for loyalty, chosen in ((0.0, near), (0.5, near), (1.0, far), (3.0, far)):
        chooser = Chooser(Habits(loyalty=loyalty))
        chooser.current = far.number  # four steps away, the other is three
        assert chooser.choose(knowledge, sight, board, False).seen == chosen


def test_worths_are_what_one_would_walk_for(micro):
    made = game(micro, "A.c......t")
    wall_lover = Habits(worth_new=0.0, worth_lost=500.0, worth_gain=-10.0)
    knowledge, sight = knowing(made, wall_lover)
    for name, bit in (("coin", "score+"), ("trap", "lost")):
        kind = made.game.type_named(name)
        knowledge.collisions.pairs[sight.avatar_kind, kind] = pair_of(bit)
        knowledge.met.add(kind)
    board = Board(knowledge, sight, {}, MOVES)
    chosen = Chooser(wall_lover).choose(knowledge, sight, board, False)
    assert chosen.seen.kind == made.game.type_named("trap")


def test_something_new_is_approached_touched_and_from_then_on_worth_what_it_does(micro):
    made = game(micro, "A....c.../........./n........")
    coin = made.game.type_named("coin")
    knowledge, sight = knowing(made, Habits())
    assert knowledge.effect(sight, coin) is None
    _, state, memory = play(Yolobot(pre_run=False), made, 20, Budget(iterations=12))
    assert state.scores[0] == 1
    assert coin in memory.knowledge.met
    effect = memory.knowledge.effect(memory.sight, coin)
    assert effect.has("score+")
    assert effect.score == 1.0


def test_a_coin_beyond_the_horizon_is_reached_almost_by_the_shortest_way(micro):
    # The creature forces it to simulate; it is harmless, and farther away than the coin.
    level = "A" + "." * 18 + "n/" + "." * 20 + "/" + "." * 14 + "c" + "." * 5
    made = game(micro, level, ends=COIN_WINS)
    decisions, state, _ = play(Yolobot(three_tick_rule=False), made, 40, Budget(iterations=20))
    assert state.winners[0] == 1
    assert len(decisions) <= 1.3 * 16


def test_a_deadly_maker_is_never_stepped_on_where_there_is_another_way(micro):
    sprites = SPRITES + "nest > SpawnPoint stype=wolf cooldown=1000 prob=1"
    made = game(micro, "A.e.c/...../n....", ends=COIN_WINS, sprites=sprites, e="nest")
    nest, wolf = (made.game.type_named(name) for name in ("nest", "wolf"))
    planner = Yolobot(three_tick_rule=False, pre_run=False)
    for match in range(25):
        model, state = made.model.metered(Meter()), made.state.copy()
        mind = planner.start(model, model.view(state, 0), Budget(iterations=6), Rng(match))
        knowledge = mind.memory.knowledge
        avatar = Sight.of_state(model, state, 0).avatar_kind
        knowledge.spawners.makes[nest].add(wolf)
        knowledge.collisions.pairs[avatar, wolf] = pair_of("lost")
        for tick in range(10):
            if model.over(state):
                break
            decision = mind.decide(model.view(state, 0), Budget(iterations=6), Rng(tick))
            model.advance(state, (decision.action,), Rng(100 * match + tick))
            assert model.avatars(state)[0] != (2, 0)
        assert tick >= 3


# Simulations


def test_a_node_stands_for_many_states_and_holds_none(micro):
    made = game(micro, "A......../........./....n..../.........")
    tree = tree_of(made)
    seen = set()
    learn = tree.learn

    def look(before, action, after):
        if before is tree.sight and action == NIL:
            seen.add(after.key)
        learn(before, action, after)

    tree.learn = look
    for _ in range(60):
        tree.simulate()
    assert len(seen) > 1
    assert tree.root.visits[tree.root.places[NIL]] > 1
    assert not any("state" in name for name in type(tree.root).__slots__)


def test_rollouts_stray_from_the_path_as_often_as_told(micro):
    made = game(micro, "..../.A../..../c...")
    tree = tree_of(made)
    model, state = tree.model, made.state
    strays = sum(
        tree.left(stepped(tree, state, tree.usual(model, state, 0, Rng(draw)))) > 2.0
        for draw in range(4000)
    )
    # One time in five any of five actions, of which two lead towards the coin.
    assert strays / 4000 == pytest.approx(0.2 * 3 / 5, abs=0.02)
    for draw in range(50):
        assert tree.left(stepped(tree, state, tree.greedy(model, state, 0, Rng(draw)))) == 2.0


def stepped(tree, state, action) -> tuple[int, int]:
    (x, y), (dx, dy) = tree.model.avatars(state)[0], tree.model.heading(action)
    return x + dx, y + dy


def test_a_rollout_may_end_where_the_target_is_reached(micro):
    made = game(micro, "A...c....")
    for cut, depth in (("depth", 10), ("target", 4)):
        tree = tree_of(made, 1, planner=Yolobot(cut=cut))
        # The first one walks straight to the coin: ten points, less a tenth for each step.
        assert tree.high == pytest.approx(10.0 - 0.1 * depth)


def test_a_rollout_ends_at_a_column_that_is_the_target(micro):
    made = game(micro, "...A..../......c.")
    tree = tree_of(made, planner=Yolobot(cut="target"))
    tree.target.seen = None
    assert not tree.is_reached(tree.sight)
    tree.target.distances[tree.sight.avatar_cell] = 0.0
    assert tree.is_reached(tree.sight)


def test_untried_actions_may_be_worth_what_their_siblings_are(micro):
    tree = tree_of(game(micro, "......./..A...c/......."), planner=Yolobot(first_play="siblings"))
    tree.open(tree.root, tree.sight)
    tree.root.record(tree.root.places[NIL], 0.4)
    assert tree.shift(tree.root) == pytest.approx(0.4 - tree.hope)
    # Of the untried ones that towards the coin is best: 0.4 + 0.5; away from it 0.4 - 0.5.
    assert tree.choose(tree.root, (NIL, LEFT)) == NIL
    assert tree.choose(tree.root, (NIL, RIGHT)) == RIGHT


def test_the_model_may_tell_at_the_root_which_actions_do_nothing(micro):
    # The wall on the left was never touched, so the knowledge base has no reason to drop it.
    made = game(micro, "wwwwww/wA...c/wwwwww")
    trusting, verifying = (
        tree_of(made, planner=Yolobot(idle_by=who)) for who in ("knowledge", "model")
    )
    assert set(trusting.allowed(trusting.sight)) == set(trusting.sight.legal)
    assert set(verifying.allowed(verifying.sight)) == {NIL, RIGHT}


def test_no_target_at_all_is_more_than_a_target_that_does_not_count(micro):
    made = game(micro, "A....c.../........./....n....")
    none, blind = (
        play(Yolobot(three_tick_rule=False, **{switch: False}), made, 3, Budget(iterations=12))
        for switch in ("target_chooser", "target_heuristic")
    )
    assert none[2].target is None
    assert blind[2].target is not None


def test_a_target_is_kept_for_a_second_tick_where_choosing_it_takes_too_long(micro):
    made = game(micro, "A....c.../........./....n....")
    _, _, memory = play(Yolobot(three_tick_rule=False), made, 2, Budget(iterations=12))
    budget = Budget(time_ms=40.0)
    for share, is_kept in ((1.0, False), (0.0, True)):
        memory.planner = Yolobot(aim_share=share)
        memory.is_slow = False
        memory.aim(budget)
        first = memory.target
        memory.aim(budget)
        assert (memory.target is first) == is_kept
    memory.aim(budget)
    assert memory.target is not first  # only every second one
    first = memory.target
    memory.sight.has = lambda number: False
    memory.aim(budget)
    assert memory.target is not first  # what is gone is no target


# All of it can be set


@pytest.mark.parametrize(
    "texts",
    [
        {"worth_by": "product"},
        {"heat_steps": "diagonal", "unknown_npcs": "deadly"},
        {"keys": "interchangeable", "repeats": "bettered", "win_test": "expanded"},
        {"cut": "target", "first_play": "siblings", "idle_by": "model"},
        {"backtracks": "0", "near": "0", "hope": "0.5", "pull": "0"},
        {"intervals": "strict", "control_span": "5", "sure_after": "1", "learn_most": "1"},
        {"settling": "0", "look_ahead": "0", "pre_run_calls": "10", "max_states": "3"},
    ],
    ids=lambda texts: "-".join(texts),
)
def test_matches_are_played_to_the_end_with_every_reading(micro, texts):
    planner = Yolobot.from_texts(texts)
    for level in ("A..c..t../..w...b../....n.t../w........", "wwwwww/wAb.ow/wwwwww"):
        decisions, _, _ = play(planner, game(micro, level), 6, Budget(iterations=8))
        assert decisions


def test_the_variant_without_a_model_has_the_same_habits():
    planner = YolobotGreedy(patience=3, worth_new=1.0)
    assert planner.fresh_memory().knowledge.habits.worth_new == 1.0
    assert planner.fresh_memory().chooser.habits.patience == 3
    with pytest.raises(BadParameter, match="heat_horizon must be a whole number >= 1"):
        YolobotGreedy(heat_horizon=0)

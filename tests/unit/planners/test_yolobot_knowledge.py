"""What YOLOBOT learns: collisions, movement, portals, spawners, danger and targets."""

from __future__ import annotations

import random
from heapq import heappop, heappush
from itertools import count, permutations, product
from math import inf
from types import SimpleNamespace

import pytest

from ludex.core import Budget, Meter, Rng
from ludex.core.objects import Category
from ludex.planners.yolobot.collisions import BLOCKED, NO_EFFECT, IntervalRule, Pair
from ludex.planners.yolobot.danger import Heat, can_arrive_next, cost, heat_map
from ludex.planners.yolobot.habits import Habits
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.movement import AvatarMoves, ObjectMoves
from ludex.planners.yolobot.passages import Portals, Spawners
from ludex.planners.yolobot.prediction import foresee, predict, worth_trying
from ludex.planners.yolobot.sight import Change, SeenObject, Sight, Transition
from ludex.planners.yolobot.targets import Board, Chooser, clock, one_axis
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
MOVES = [(-1, 0), (0, -1), (0, 1), (1, 0)]
WALKER = """
floor > Immovable
wall > Immovable
coin > Resource
wolf > RandomNPC
avatar > MovingAvatar
"""
RULES = """
coin avatar > killSprite scoreChange=2
avatar wall > stepBack
avatar wolf > killSprite scoreChange=-1
wolf wall > stepBack
"""
LEGEND = {"A": "avatar", "c": "coin", "w": "wall", "n": "wolf", "f": "floor"}
LOSE = "SpriteCounter stype=avatar limit=0 win=False"


def taught(made, *ticks: Action, knowledge: Knowledge | None = None, settling: int = 0):
    """What is known after these actions, and how it looks then."""
    knowledge = knowledge or Knowledge(settling)
    model, state = made.model, made.state.copy()
    sight = Sight.of_state(model, state, 0)
    knowledge.register(sight)
    for tick, action in enumerate(ticks):
        model.advance(state, (action,), Rng(tick))
        after = Sight.of_state(model, state, 0)
        knowledge.observe(
            Transition(sight, action, model.heading(action), after), waited=action == NIL
        )
        sight = after
    return knowledge, sight


def kind(made, name: str) -> int:
    number = made.game.type_named(name)
    assert number >= 0
    return number


# Collisions: the example of the source. Items 1 and 2, and what happened.

DECREASE, INCREASE = frozenset({"score-", "inventory"}), frozenset({"score+"})
EXAMPLES = [
    ({1: 10, 2: 5}, None),
    ({1: 5, 2: 5}, None),
    ({1: 3, 2: 8}, DECREASE),
    ({1: 7, 2: 9}, DECREASE),
    ({1: 6, 2: 10}, INCREASE),
]


def pair_of(examples) -> Pair:
    pair = Pair()
    for inventory, group in examples:
        pair.observe(inventory, group is None, group or frozenset(), 0.0)
    return pair


def expected(second: int):
    """Blocked iff there are five of item 2, else the first group iff there are eight or nine."""
    if second == 5:
        return BLOCKED.group, True
    return (DECREASE if second in (8, 9) else INCREASE), False


def found(pair: Pair, inventory):
    effect = pair.predict(inventory)
    return effect.group, effect is BLOCKED


@pytest.mark.parametrize(("first", "second"), [(20, 5), (1, 8), (1, 9), (1, 10), (6, 7)])
def test_the_rules_of_the_worked_example(first, second):
    assert found(pair_of(EXAMPLES), {1: first, 2: second}) == expected(second)


def test_the_rules_do_not_depend_on_the_order_of_the_examples():
    tried = 0
    for order in permutations(EXAMPLES):
        groups = [group for _, group in order if group is not None]
        if groups[0] != DECREASE:
            continue  # then the increase is the first kind of effect, and the labels change places
        tried += 1
        pair = pair_of(order)
        for first, second in product(range(0, 21, 4), range(15)):
            assert found(pair, {1: first, 2: second}) == expected(second)
    assert tried == 80


def test_items_that_appear_later_count_as_none_before():
    rule = IntervalRule()
    rule.observe({}, positive=True)
    rule.observe({7: 2}, positive=False)
    assert rule.predict({})
    assert not rule.predict({7: 2})


def test_without_an_item_that_tells_the_majority_decides():
    rule = IntervalRule()
    for positive in (True, True, False):
        rule.observe({}, positive)
    assert rule.predict({})
    assert not rule.is_sure({})
    rule.observe({}, False)
    assert not rule.predict({})  # a tie


def test_of_all_other_effects_the_most_frequent_is_expected():
    first, often, seldom = frozenset({"won"}), frozenset({"score+"}), frozenset({"score-"})
    pair = pair_of([({}, first), *[({}, often)] * 3, ({}, seldom)])
    assert pair.predict({}).group == often


def test_a_door_that_blocks_without_a_key_and_opens_with_one_is_learned_from_one_of_each():
    opens = frozenset({"disappeared"})
    pair = pair_of([({}, None), ({5: 1}, opens)])
    assert pair.predict({}) is BLOCKED
    assert pair.predict({5: 1}).group == opens


def test_effects_are_read_from_the_game(micro):
    made = micro(WALKER, RULES, "wAc", **LEGEND)
    knowledge, sight = taught(made, LEFT, RIGHT)
    assert knowledge.effect(sight, kind(made, "wall")) is BLOCKED
    coin = knowledge.effect(sight, kind(made, "coin"))
    assert coin.group == {"score+", "disappeared"}
    assert coin.score == 2.0
    assert knowledge.met == {kind(made, "wall"), kind(made, "coin")}


def test_effects_keep_the_mean_change_of_what_is_carried():
    pair = Pair()
    group = frozenset({"inventory"})
    for gained in ({7: 2}, {7: 1, 8: -1}, {}, {7: 1}):
        pair.observe({}, False, group, 1.0, gained)
    effect = pair.predict({})
    assert effect.gains == {7: pytest.approx(1.0), 8: pytest.approx(-0.25)}
    assert effect.score == 1.0


def test_what_is_picked_up_is_foreseen(micro):
    rules = RULES + "avatar coin > changeResource resource=coin value=2\n"
    made = micro(WALKER.replace("Resource", "Resource limit=9"), rules, "A.c..c", **LEGEND)
    knowledge, sight = taught(made, RIGHT, RIGHT, RIGHT)
    coin = kind(made, "coin")
    assert sight.inventory[coin] == 2
    seen = predict(knowledge, sight, RIGHT, (1, 0))
    assert seen.cell == (4, 0)
    assert seen.gains == {}
    knowledge, sight = taught(made, RIGHT, RIGHT, RIGHT, RIGHT)
    seen = predict(knowledge, sight, RIGHT, (1, 0))
    assert (seen.cell, seen.score, dict(seen.gains)) == ((5, 0), 2.0, {coin: 2.0})


def test_an_avatar_that_becomes_another_is_foreseen():
    pair = Pair()
    pair.observe({}, False, frozenset({"type"}), 0.0, {}, 12)
    assert pair.predict({}).becomes == 12


def test_answers_change_when_something_is_learned():
    pair = pair_of([({}, INCREASE)])
    assert pair.predict({}).group == INCREASE
    for _ in range(3):
        pair.observe({}, True, frozenset(), 0.0)
    assert pair.predict({}) is BLOCKED


def test_steps_with_several_kinds_of_meetings_teach_no_effect(micro):
    made = micro(WALKER, RULES, "Ab", **LEGEND, b="coin wall")
    knowledge, _ = taught(made, RIGHT)
    assert not knowledge.collisions.pairs
    assert knowledge.collisions.ambiguous == 1


# The avatar


def step_of(moved, heading=(1, 0)):
    sight = SimpleNamespace(avatar_kind=1, facing=(0, 0), over=False)
    return SimpleNamespace(
        before=sight, after=sight, action=RIGHT, heading=heading, moved=moved, turned=False
    )


def test_control_is_lost_after_twenty_forced_moves_and_comes_back():
    avatar = AvatarMoves()
    for number in range(19):
        avatar.observe(step_of((0, number + 1)), is_blocked=False, is_portal=False)
    assert not avatar.is_lost
    avatar.observe(step_of((0, 99)), is_blocked=False, is_portal=False)
    assert avatar.is_lost
    for _ in range(5):
        avatar.observe(step_of((1, 0)), is_blocked=False, is_portal=False)
    assert avatar.is_lost  # -15: not above it yet
    avatar.observe(step_of((1, 0)), is_blocked=False, is_portal=False)
    assert not avatar.is_lost


def test_good_steps_do_not_hide_a_later_loss_of_control():
    avatar = AvatarMoves()
    for _ in range(1000):
        avatar.observe(step_of((1, 0)), is_blocked=False, is_portal=False)
    for _ in range(40):
        avatar.observe(step_of((-1, 0)), is_blocked=False, is_portal=False)
    assert avatar.is_lost


def test_the_usual_move_of_an_action_is_learned():
    avatar = AvatarMoves()
    assert avatar.step(1, RIGHT, (1, 0), False) == (1, 0)
    for moved in ((2, 0), (2, 0), (1, 0)):
        avatar.observe(step_of(moved), is_blocked=False, is_portal=False)
    assert avatar.step(1, RIGHT, (1, 0), False) == (2, 0)


# Other things


def moved(number: int, kind: int, before, after) -> Change:
    return Change(SeenObject(number, kind, 6, before), SeenObject(number, kind, 6, after))


def test_what_moves_alone_is_accused_and_what_may_have_been_pushed_is_not():
    objects = ObjectMoves()
    walker = moved(1, 10, (5, 5), (6, 5))
    crate, pusher = moved(2, 11, (1, 1), (2, 1)), moved(3, 12, (0, 1), (1, 1))
    beside_us = moved(4, 13, (9, 9), (9, 8))
    objects.accuse([walker, crate, pusher, beside_us], avatar=[(8, 9)])
    assert objects.stochastic == {10}


def test_waiting_shows_what_moves_by_itself(micro):
    made = micro(WALKER, RULES, "A......./......../....n...", **LEGEND)
    knowledge, _ = taught(made, *[NIL] * 6)
    assert knowledge.is_stochastic
    assert knowledge.objects.stochastic == {kind(made, "wolf")}


def test_early_change_is_only_suspect(micro):
    made = micro(WALKER, RULES, "A......./......../....n...", **LEGEND)
    knowledge, _ = taught(made, *[NIL] * 3, settling=3)
    assert knowledge.is_suspect
    assert not knowledge.is_stochastic


def test_a_game_that_stands_still_is_not_stochastic(micro):
    made = micro(WALKER, RULES, "A..c...w", **LEGEND)
    knowledge, _ = taught(made, NIL, RIGHT, RIGHT, NIL, RIGHT, NIL)
    assert not knowledge.is_stochastic
    assert not knowledge.is_suspect


def test_a_step_every_fourth_tick_is_learned_as_a_period(micro):
    sprites = WALKER + "rock > Missile orientation=RIGHT speed=1 cooldown=4"
    made = micro(sprites, "", "A" + "." * 20 + "/" + "." * 20 + "/r", **LEGEND, r="rock")
    knowledge, sight = taught(made, *[NIL] * 20)
    rock = kind(made, "rock")
    assert knowledge.objects.period(rock) == 4
    assert knowledge.objects.reach[rock] == (1, 0)
    number = sight.of_kinds([rock])[0].number
    last = knowledge.objects.moved_at[number]
    assert knowledge.objects.wait(number, rock, last) == 4
    assert knowledge.objects.wait(number, rock, last + 3) == 1


def test_what_comes_back_on_the_other_side_of_the_board_took_no_step_of_that_length():
    objects = ObjectMoves()
    objects.stochastic.add(5)
    for tick, (old, new) in enumerate([((1, 3), (0, 3)), ((0, 3), (20, 3)), ((20, 3), (18, 3))]):
        moved = Change(*(SeenObject(1, 5, Category.MOVABLE, cell) for cell in (old, new)))
        after = SimpleNamespace(tick=tick, at=lambda cell: [])
        objects.observe(SimpleNamespace(changes=[moved], after=after))
    assert objects.reach == {5: (2, 0)}


def test_irregular_movers_are_expected_to_move_at_any_time():
    objects = ObjectMoves()
    for ticks in (2, 2, 3):
        objects.take_interval(3, ticks)
    assert objects.period(3) == 1
    for ticks in (2, 2):
        objects.take_interval(4, ticks)
    assert objects.period(4) == 1  # too few to tell


def test_a_jump_of_three_cells_is_a_portal_and_one_of_two_is_not(micro):
    sprites = WALKER + "gate > Portal stype=way_out\nway_out > Immovable"
    rules = "avatar gate > teleportToExit"
    for gap, is_portal in ((".", True), ("", False)):
        made = micro(sprites, rules, "Ag" + gap + "o...", **LEGEND, g="gate", o="way_out")
        knowledge, _ = taught(made, RIGHT)
        assert knowledge.portals.exit_of(kind(made, "gate")) == ((3, 0) if is_portal else None)


def test_paths_lead_through_known_portals(micro):
    sprites = WALKER + "gate > Portal stype=way_out\nway_out > Immovable"
    level = "Ag......................o.c"
    made = micro(sprites, "avatar gate > teleportToExit", level, **LEGEND, g="gate", o="way_out")
    knowledge, _ = taught(made, RIGHT)
    sight = Sight.of_state(made.model, made.state, 0)
    board = Board(knowledge, sight, {}, MOVES)
    assert board.from_cell((0, 0))[26, 0] == 1 + 2
    assert board.to_cell((26, 0))[0, 0] == 1 + 2


def test_the_maker_of_what_appears_is_the_object_in_its_cell(micro):
    sprites = WALKER + "nest > SpawnPoint stype=snail cooldown=1 prob=1 total=2\n"
    sprites += "snail > RandomNPC cooldown=3"  # it stays for a moment where it was made
    made = micro(sprites, RULES, "A......./......../......e.", **LEGEND, e="nest")
    knowledge, sight = taught(made, NIL, NIL, NIL)
    nest, snail = kind(made, "nest"), kind(made, "snail")
    assert knowledge.spawners.makes[nest] == {snail}
    assert not knowledge.is_deadly_spawner(sight, nest)
    deadly = pair_of([({}, frozenset({"lost"}))])
    knowledge.collisions.pairs[sight.avatar_kind, snail] = deadly
    assert knowledge.is_deadly_spawner(sight, nest)
    assert knowledge.is_barred(sight, nest)


def test_what_appears_beside_the_avatar_has_no_maker(micro):
    sprites = WALKER + "nest > SpawnPoint stype=wolf cooldown=1 prob=1 total=2"
    made = micro(sprites, RULES, "Ae", **LEGEND, e="nest")
    knowledge, _ = taught(made, NIL, NIL)
    assert not knowledge.spawners.makes


def test_a_cell_in_which_something_appears_out_of_nothing_is_its_source(micro):
    # A door without a body: what it makes appears in a cell that looks empty.
    sprites = WALKER + "nest > SpawnPoint stype=snail cooldown=1 prob=1 total=2 hidden=True\n"
    sprites += "snail > RandomNPC cooldown=3"
    made = micro(sprites, RULES, "A......./......../......e.", **LEGEND, e="nest")
    knowledge, sight = taught(made, NIL, NIL, NIL)
    snail = kind(made, "snail")
    assert knowledge.spawners.sources == {(6, 2): {snail}}
    assert not knowledge.is_deadly_source(sight, (6, 2))
    deadly = pair_of([({}, frozenset({"lost"}))])
    knowledge.collisions.pairs[sight.avatar_kind, snail] = deadly
    assert knowledge.is_deadly_source(sight, (6, 2))
    assert (6, 2) in Board(knowledge, sight, {}, MOVES).barred


# Danger


def wolf_knowledge(made, reach=(1, 1), passes=()) -> tuple[Knowledge, Sight]:
    """Wolves move by themselves and kill."""
    knowledge = Knowledge(0)
    sight = Sight.of_state(made.model, made.state, 0)
    knowledge.register(sight)
    wolf = kind(made, "wolf")
    knowledge.objects.stochastic.add(wolf)
    knowledge.objects.reach[wolf] = reach
    knowledge.objects.shares[wolf] |= {kind(made, name) for name in passes}
    knowledge.collisions.pairs[sight.avatar_kind, wolf] = pair_of([({}, frozenset({"lost"}))])
    return knowledge, sight


def test_heat_in_an_open_room_is_the_distance_up_to_ten(micro):
    made = micro(
        WALKER,
        RULES,
        "/".join(["A" + "." * 14, *["." * 15] * 6, "." * 7 + "n" + "." * 7, *["." * 15] * 6]),
        **LEGEND,
    )
    knowledge, sight = wolf_knowledge(made)
    heat = heat_map(knowledge, sight)
    wolf = sight.of_kinds([kind(made, "wolf")])[0].cell
    for x, y in product(range(sight.view.width), range(sight.view.height)):
        far = abs(x - wolf[0]) + abs(y - wolf[1])
        assert heat.get((x, y), inf) == (far if far <= 10 else inf)


def test_a_period_of_two_doubles_the_heat(micro):
    made = micro(WALKER, RULES, "A.........../n", **LEGEND)
    knowledge, sight = wolf_knowledge(made)
    wolf = sight.of_kinds([kind(made, "wolf")])[0]
    for _ in range(3):
        knowledge.objects.take_interval(wolf.kind, 2)
    knowledge.objects.moved_at[wolf.number] = sight.tick  # the next move is in two ticks
    heat = heat_map(knowledge, sight)
    assert [heat.get((x, 1), inf) for x in range(7)] == [0, 2, 4, 6, 8, 10, inf]


def brute_force(walls, start, reach, width, height) -> Heat:
    """Moves of one axis and at most `reach`, nothing in between; the cheapest first."""
    found, queue = {start: 0}, [(0, start)]
    while queue:
        ticks, (x, y) = heappop(queue)
        if ticks == 10:
            continue
        for dx in range(-reach[0], reach[0] + 1):
            for dy in range(-reach[1], reach[1] + 1):
                if (dx == 0) == (dy == 0):
                    continue
                length = abs(dx) + abs(dy)
                line = [(x + dx * i // length, y + dy * i // length) for i in range(1, length + 1)]
                free = all(
                    0 <= cx < width and 0 <= cy < height and (cx, cy) not in walls
                    for cx, cy in line
                )
                if free and ticks + 1 < found.get(line[-1], inf):
                    found[line[-1]] = ticks + 1
                    heappush(queue, (ticks + 1, line[-1]))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_heat_among_walls_equals_brute_force(micro, seed):
    dice = random.Random(seed)
    width, height, reach = 11, 9, dice.choice([(1, 1), (2, 1), (1, 0), (3, 2)])
    rows = [[dice.choice("...w") for _ in range(width)] for _ in range(height)]
    rows[0][0], rows[height - 1][width - 1], rows[dice.randrange(1, 8)][5] = "A", "n", "n"
    made = micro(WALKER, RULES, "/".join(map("".join, rows)), **LEGEND)
    knowledge, sight = wolf_knowledge(made, reach)
    wolves = sight.of_kinds([kind(made, "wolf")])
    walls = {one.cell for one in sight.of_kinds([kind(made, "wall")])}
    expected: Heat = {}
    for wolf in wolves:
        # Wolves were never seen in one cell with each other, so they stand in each other's way.
        shut = walls | {other.cell for other in wolves if other != wolf}
        for cell, ticks in brute_force(shut, wolf.cell, reach, width, height).items():
            expected[cell] = min(ticks, expected.get(cell, ticks))
    assert heat_map(knowledge, sight) == expected


def test_walls_stop_a_walker_until_it_is_seen_in_one(micro):
    made = micro(WALKER, RULES, "A..../nwwww", **LEGEND)
    knowledge, sight = wolf_knowledge(made)
    assert (2, 1) not in heat_map(knowledge, sight)
    knowledge, sight = wolf_knowledge(made, passes=["wall"])
    assert heat_map(knowledge, sight)[2, 1] == 2


def test_unknown_walkers_are_not_feared(micro):
    made = micro(WALKER, RULES, "A...n", **LEGEND)
    knowledge, sight = taught(made)
    assert heat_map(knowledge, sight) == {}


def test_the_costs_of_heat_are_those_of_the_source():
    table = [81, 41, 27.67, 21, 17, 14.33, 12.43, 11, 9.89, 9, 8.27]
    for ticks, printed in enumerate(table):
        assert cost({(0, 0): ticks}, (0, 0)) == pytest.approx(printed, abs=0.005)
    assert cost({}, (0, 0)) == 1.0


def test_a_killer_two_steps_away_cannot_arrive_in_the_next_tick(micro):
    made = micro(WALKER, RULES, "A....n", **LEGEND)
    knowledge, sight = wolf_knowledge(made)
    hunters = knowledge.hunters(sight)
    reached = [can_arrive_next(knowledge, sight, hunters, (x, 0)) for x in range(6)]
    assert reached == [False, False, False, False, True, True]


# Prediction and pruning


def test_predicted_cells_agree_with_the_game(micro):
    level = "wwwwwwww/wA..w..w/w.cw...w/w..c...w/wwwwwwww"
    made = micro(WALKER, RULES, level, **LEGEND)
    dice = Rng(5)
    actions = [Action(dice.below(5)) for _ in range(400)]
    knowledge, _ = taught(made, *actions)
    state, agreed = made.state.copy(), 0
    for number in range(200):
        sight = Sight.of_state(made.model, state, 0)
        action = Action(dice.below(5))
        seen = predict(knowledge, sight, action, made.model.heading(action))
        made.model.advance(state, (action,), Rng(number))
        agreed += seen.cell == made.model.avatars(state)[0]
    assert agreed >= 190


def test_actions_that_do_nothing_lose_or_leave_the_board_are_dropped(micro):
    made = micro(WALKER, RULES, ".w/A.", **LEGEND)
    facing_wall = micro(WALKER, RULES, "w/A", **LEGEND)
    knowledge, _ = taught(facing_wall, UP, UP, UP)
    sight = Sight.of_state(made.model, made.state, 0)
    kept = worth_trying(knowledge, sight, sight.legal, made.model.heading, NIL)
    assert kept == [NIL, UP, RIGHT]  # left and down lead off the board
    below_wall = Sight.of_state(facing_wall.model, facing_wall.state, 0)
    actions = (NIL, UP)
    kept = worth_trying(knowledge, below_wall, actions, facing_wall.model.heading, NIL)
    assert kept == [NIL]


WILD = """
wall > Immovable
coin > Resource
gate > Portal stype=way_out
way_out > Immovable
den > SpawnPoint stype=wolf cooldown=7 total=9
wolf > RandomNPC
bull > Missile orientation=RIGHT cooldown=2
avatar > {avatar}
"""
WILD_RULES = """
avatar wall > stepBack
avatar gate > teleportToExit
coin avatar > collectResource scoreChange=1
coin avatar > killSprite
avatar wolf > {wolf}
avatar bull > killSprite
wolf wall > stepBack
bull wall > reverseDirection
"""


def wild_life(micro, avatar: str, wolf: str, knowledge: Knowledge, lives: int):
    """Random steps in a game in which there is much to learn, as they are seen."""
    level = "wwwwwwwwwww/wA..c.g..cw/w.c..w.n..w/w..r.....cw/wd...o..c.w/wwwwwwwwwww"
    legend = {**LEGEND, "g": "gate", "o": "way_out", "d": "den", "r": "bull"}
    sprites, rules = WILD.format(avatar=avatar), WILD_RULES.format(wolf=wolf)
    made = micro(sprites, rules, level, ends=LOSE, **legend)
    model, dice = made.model, Rng(4)
    for _ in range(lives):
        state = made.state.copy()
        sight = Sight.of_state(model, state, 0)
        knowledge.register(sight)
        while not sight.over and sight.tick < 40:
            action = dice.choice(sight.legal)
            model.advance(state, (action,), dice)
            after = Sight.of_state(model, state, 0)
            yield model, Transition(sight, action, model.heading(action), after)
            sight = after


WILD_GAMES = list(
    product(
        ["MovingAvatar", "OrientedAvatar", "MovingAvatar speed=2"],
        ["killSprite", "killIfHasLess resource=coin limit=2"],
    )
)


@pytest.mark.parametrize(("avatar", "wolf"), WILD_GAMES)
def test_what_is_foreseen_is_what_would_be_predicted_afresh(micro, avatar, wolf):
    knowledge = Knowledge(0)
    kept = 0
    for number, (model, step) in enumerate(wild_life(micro, avatar, wolf, knowledge, 150)):
        sight = step.before
        known = len(knowledge.answers)
        found = foresee(knowledge, sight, sight.legal, model.heading)
        kept += known == len(knowledge.answers)
        hunters = knowledge.hunters(sight)
        assert found.expected == {
            one: predict(knowledge, sight, one, model.heading(one), hunters) for one in sight.legal
        }
        if number < 800:  # then it is asked only, and answers are kept
            knowledge.observe(step, waited=step.action == NIL)
    assert knowledge.hunting(sight).kinds  # there was something to fear
    assert kept > number // 4  # and answers served more than one state


def all_answers(knowledge: Knowledge, inventories) -> tuple:
    """What follows from all that is known."""
    pairs = {}
    for which, pair in knowledge.collisions.pairs.items():
        for carried in map(dict, inventories):
            effect = pair.infer(carried)
            means = effect and (effect.group, effect.score, dict(effect.gains), effect.becomes)
            sure = effect is BLOCKED, pair.surely_blocks(carried)
            pairs[which, tuple(carried.items())] = means, sure
    avatar, objects, portals = knowledge.avatar, knowledge.objects, knowledge.portals
    return (
        pairs,
        (dict(avatar.usual), set(avatar.turning), avatar.is_lost),
        (set(objects.stochastic), dict(objects.reach)),
        {kind: (objects.period(kind), set(objects.shares[kind])) for kind in list(objects.reach)},
        {entry: portals.exit_of(entry) for entry in portals.arrivals},
        (repr(knowledge.spawners.makes), repr(knowledge.spawners.sources)),
        dict(knowledge.categories),
    )


@pytest.mark.parametrize(("avatar", "wolf"), WILD_GAMES)
def test_whenever_an_answer_changes_more_is_known(micro, avatar, wolf):
    knowledge = Knowledge(0)
    inventories = {()}
    learned = steps = 0
    for _, step in wild_life(micro, avatar, wolf, knowledge, 40):
        extent = knowledge.extent
        inventories.add(step.before.carried)
        before = all_answers(knowledge, inventories)
        knowledge.observe(step, waited=step.action == NIL)
        assert before == all_answers(knowledge, inventories) or knowledge.extent > extent
        learned += knowledge.extent > extent
        steps += 1
    assert 0 < learned < steps / 2  # and mostly it does not


@pytest.mark.parametrize("seed", range(5))
def test_a_pair_says_so_whenever_an_answer_can_have_changed(seed):
    dice, pair = Rng(seed), Pair()
    inventories = [{}, *({5: amount} for amount in range(4))]
    groups = [frozenset({"score+"}), frozenset({"lost"}), frozenset({"won"})]

    def answers():
        found = [pair.infer(one) for one in inventories]
        return [one and (one.group, one.score, one is BLOCKED) for one in found], [
            pair.surely_blocks(one) for one in inventories
        ]

    same = 0
    for _ in range(300):
        before = answers()
        group = dice.choice(groups)
        blocked = dice.below(3) == 0
        said = pair.observe(dice.choice(inventories), blocked, NO_EFFECT if blocked else group, 1.0)
        assert said or answers() == before
        same += not said
    assert same > 100


def test_a_portal_that_leads_elsewhere_more_often_is_something_new():
    portals = Portals()

    def teleport(cell):
        meeting = SimpleNamespace(by_product=False, passive_type=7)
        after = SimpleNamespace(meetings=[meeting], avatar_cell=cell)
        portals.observe(SimpleNamespace(moved=(9, 9), after=after))
        return portals.exit_of(7), portals.learned

    found = [teleport(cell) for cell in ((1, 1), (1, 1), (5, 5), (5, 5), (5, 5))]
    assert found == [((1, 1), 1)] * 4 + [((5, 5), 2)]


def test_a_new_child_of_a_known_maker_is_something_new():
    spawners = Spawners()
    nest = SeenObject(1, 3, Category.PORTAL, (8, 8))
    for kind, learned in ((4, 1), (4, 1), (5, 2)):
        made = Change(None, SeenObject(2, kind, Category.NPC, (8, 8)))
        before = SimpleNamespace(avatar_cell=(0, 0), at=lambda cell: [nest])
        spawners.observe(SimpleNamespace(changes=[made], before=before))
        assert spawners.learned == learned


def test_what_blocked_before_is_tried_again_with_another_inventory():
    pair = pair_of([({}, None)] * 3)
    assert pair.surely_blocks({})
    assert pair.predict({5: 1}) is BLOCKED
    assert not pair.surely_blocks({5: 1})  # a key may open it


def test_a_box_that_would_not_move_is_tried_again(micro):
    sprites = WALKER + "box > Passive"
    made = micro(
        sprites, "box avatar > bounceForward\nbox wall > undoAll", "Abw", b="box", **LEGEND
    )
    knowledge, sight = taught(made, RIGHT, RIGHT, RIGHT, RIGHT)
    assert knowledge.effect(sight, kind(made, "box")) is BLOCKED
    assert RIGHT in worth_trying(knowledge, sight, sight.legal, made.model.heading, NIL)


def test_an_avatar_that_turns_may_turn_towards_a_wall(micro):
    sprites = WALKER.replace("MovingAvatar", "ShootAvatar stype=coin")
    made = micro(sprites, RULES, "w/A.", **LEGEND)
    knowledge, sight = taught(made, UP, UP, UP, UP, RIGHT)  # turns, bumps, turns
    assert knowledge.effect(sight, kind(made, "wall")) is BLOCKED
    assert worth_trying(knowledge, sight, (NIL, UP), made.model.heading, NIL) == [NIL, UP]
    _, facing = taught(made, UP, UP)
    assert worth_trying(knowledge, facing, (NIL, UP), made.model.heading, NIL) == [NIL]


def test_a_step_beside_a_killer_is_dropped_unless_all_are(micro):
    made = micro(WALKER, RULES, "A.n", **LEGEND)
    knowledge, sight = wolf_knowledge(made)
    assert worth_trying(knowledge, sight, (NIL, RIGHT), made.model.heading, NIL) == [NIL]
    assert worth_trying(knowledge, sight, (RIGHT,), made.model.heading, NIL) == [RIGHT]


def test_without_control_only_waiting_is_left(micro):
    made = micro(WALKER, RULES, "...../..A../.....", **LEGEND)
    knowledge, sight = taught(made)
    knowledge.avatar.is_lost = True
    assert worth_trying(knowledge, sight, sight.legal, made.model.heading, NIL) == [NIL]


# Targets


def test_the_best_score_is_that_of_all_good_objects(micro):
    made = micro(WALKER, RULES, "Accc/f....", **LEGEND)
    knowledge, sight = taught(made)
    assert knowledge.best_score(sight) == 0.0
    good, bad = frozenset({"score+"}), frozenset({"score-"})
    for name, group, score in (("coin", good, 2.0), ("floor", bad, -5.0)):
        pair = Pair()
        pair.observe({}, False, group, score)
        knowledge.collisions.pairs[sight.avatar_kind, kind(made, name)] = pair
    assert knowledge.best_score(sight) == 6.0


def test_what_is_unknown_is_approached_before_what_is_known_to_block(micro):
    made = micro(WALKER, RULES, "wA...c", **LEGEND)
    knowledge, _ = taught(made, LEFT)
    sight = Sight.of_state(made.model, made.state, 0)
    target = Chooser().choose(knowledge, sight, Board(knowledge, sight, {}, MOVES), False)
    assert target.seen.kind == kind(made, "coin")
    assert target.distance == 4.0
    assert target.distances[2, 0] == 3.0


def test_paths_go_round_danger_when_the_detour_is_cheaper(micro):
    made = micro(WALKER, RULES, "A....c/....../......", **LEGEND)
    knowledge, sight = taught(made)
    board = Board(knowledge, sight, {(2, 0): 10}, MOVES)
    assert board.from_cell((0, 0))[5, 0] == 7.0  # two steps more, instead of 7.27
    assert board.to_cell((5, 0))[0, 0] == 7.0
    narrow = Board(knowledge, sight, {(2, y): 10 for y in range(3)}, MOVES)
    assert narrow.from_cell((0, 0))[5, 0] == pytest.approx(4 + 1 + 80 / 11)


def test_with_a_clock_paths_to_what_is_far_away_are_left_unfinished(micro):
    level = "/".join(["A" + "." * 39] + ["." * 40] * 9)
    knowledge, sight = taught(micro(WALKER, RULES, level, **LEGEND))
    ticking = count()  # every look is a tenth of the budget later than the one before
    board = Board(knowledge, sight, {}, MOVES, lambda: next(ticking) / 10)
    whole = Board(knowledge, sight, {}, MOVES)
    for known, all_of_it in (
        (board.from_cell((0, 0)), whole.from_cell((0, 0))),
        (board.to_cell((39, 9)), whole.to_cell((39, 9))),
    ):
        # 64 cells between two looks, of which the third is more than a fifth late: 191 cells are
        # passed, nearest first, and the next ones seen from there.
        assert 191 <= len(known) < 220 < 400 == len(all_of_it)
        assert known == {cell: all_of_it[cell] for cell in known}
        assert sorted(known.values())[:191] == sorted(all_of_it.values())[:191]


def test_a_clock_tells_the_part_of_a_budget_of_time_and_is_none_without_one():
    meter = Meter()
    assert clock(meter, Budget(model_calls=5)) is None
    assert clock(meter, Budget(iterations=5)) is None
    meter.arm()
    for wall in (False, True):
        spent = clock(meter, Budget(time_ms=1e-6, wall=wall))
        assert spent is not None
        assert spent() > 1.0


def test_the_best_score_asks_once_for_each_kind(micro, monkeypatch):
    made = micro(WALKER, RULES, "Accc/ccc..", **LEGEND)
    knowledge, sight = taught(made)
    asked = []
    monkeypatch.setattr(knowledge, "effect", lambda sight, kind: asked.append(kind))
    knowledge.best_score(sight)
    assert asked.count(kind(made, "coin")) == 1


def test_a_target_that_does_not_come_nearer_is_given_up_for_a_while(micro):
    made = micro(WALKER, RULES, "A..c..n", **LEGEND)
    knowledge, sight = taught(made)
    board = Board(knowledge, sight, {}, MOVES)
    chooser = Chooser(Habits(patience=3, excluded_ticks=5))
    chosen = [chooser.choose(knowledge, sight, board, False).seen for _ in range(6)]
    first = chosen[0]
    assert chosen[:4] == [first] * 4
    assert chosen[4] != first
    assert chooser.excluded == {first.number: sight.tick + 5}


def test_exclusions_end_when_something_else_is_carried(micro):
    made = micro(WALKER, RULES, "A..c", **LEGEND)
    _, sight = taught(made)
    chooser = Chooser()
    chooser.refresh(sight)
    chooser.excluded = {1: sight.tick + 50, 2: sight.tick}
    chooser.refresh(sight)
    assert chooser.excluded == {1: 50}
    chooser.carried = ("another avatar",)
    chooser.refresh(sight)
    assert not chooser.excluded


def test_with_one_axis_the_column_with_most_near_objects_is_the_target(micro):
    made = micro(WALKER, RULES, "c..c../c...../....c./...A..", **LEGEND)
    knowledge, sight = taught(made)
    across = [(-1, 0), (1, 0)]
    assert one_axis(across) == (1, 0)
    assert one_axis(MOVES) is None
    target = Chooser().choose(knowledge, sight, Board(knowledge, sight, {}, across), True)
    # Column 0: 1/4 + 1/3; column 3: 1/4; column 4: 1/2.
    assert target.distances[0, 0] == 0.0
    assert target.distance == 3.0
    assert target.seen is None


def test_categories_are_known_from_the_first_look(micro):
    made = micro(WALKER, RULES, "A.c.n", **LEGEND)
    knowledge, _ = taught(made)
    assert knowledge.categories[kind(made, "coin")] is Category.RESOURCE
    assert knowledge.has_npc

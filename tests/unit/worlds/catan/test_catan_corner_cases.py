"""Rules of catan that are easily forgotten, each in a position of its own."""

from math import atan2, sqrt

import pytest
from catan_tables import (
    BOTTOM,
    FIXED,
    LEFT_DOWN,
    LEFT_UP,
    MODEL,
    NOTHING,
    RICH,
    RIGHT_DOWN,
    RIGHT_UP,
    TOP,
    cut_position,
    edge,
    far_chain,
    legal,
    path,
    play,
    ring,
    roll,
    table,
    two,
    why_not,
)

from ludex.core import registry
from ludex.core.errors import GameOver, InvalidAction
from ludex.core.rng import Rng
from ludex.worlds.catan.notation import DRAW, read_action
from ludex.worlds.catan.values import (
    CLAY,
    CORNERS,
    COSTS,
    DESERT,
    ENDS,
    HEX_PLACES,
    HEXES_AT,
    NEIGHBOURS,
    ORE,
    WHEAT,
    make,
)

SHUFFLED = registry.world("catan[numbers=any]")
TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
NEAR = next(h for h in HEXES_AT[LEFT_UP] if h != 9)
"""a hex beside the settlement of seat 0 in `two`"""


def first_road(node):
    return edge(node, NEIGHBOURS[node][0])


def rival(nodes, **more):
    """A seat with settlements and a road at each."""
    return {"settlements": nodes, "roads": [first_road(node) for node in nodes], **more}


# The board


@pytest.mark.parametrize("name", ["catan", "catan[board=fixed]", "catan[numbers=apart]"])
def test_every_board_has_the_printed_tokens_and_harbours_and_its_robber_in_the_desert(name):
    state = registry.world(name).start(Rng(3))
    assert sorted(n for n in state.number if n) == sorted(TOKENS)
    assert sorted(state.harbour) == [0, 1, 2, 3, 4, 5, 5, 5, 5]
    assert state.terrain[state.robber] == DESERT
    assert state.number[state.robber] == 0


def spirals():
    """Paths from each corner anticlockwise and inwards, from where the hexes lie alone."""

    def angle(hexagon):
        x, y = HEX_PLACES[hexagon]
        return atan2(-y / 2, x * sqrt(3) / 2)

    def far(hexagon):
        x, y = HEX_PLACES[hexagon]
        return sqrt((x * sqrt(3) / 2) ** 2 + (y / 2) ** 2)

    by_angle = sorted(range(19), key=angle)
    inner = [h for h in by_angle if 0 < far(h) < 2]
    outer = [h for h in by_angle if far(h) > 2]
    for corner in (h for h in outer if far(h) > 3.2):
        beside = next(h for h in inner if abs(angle(h) - angle(corner)) < 0.01)
        a, b = outer.index(corner), inner.index(beside)
        yield [*outer[a:], *outer[:a], *inner[b:], *inner[:b], 9]


def test_the_printed_sequence_lies_along_a_spiral_and_skips_the_desert():
    paths = list(spirals())
    assert len(paths) == 6
    begun = set()
    for seed in range(60):
        state = registry.world("catan").start(Rng(seed))
        found = [tuple(n for h in path_ if (n := state.number[h])) for path_ in paths]
        assert TOKENS in found
        begun.add(found.index(TOKENS))
    assert begun == set(range(6))


# Set-up


def placed(*nodes, world=FIXED, seed=0):
    """The set-up as far as these settlements, each with the first road that may be laid."""
    state = world.start(Rng(seed))
    for node in nodes:
        state = play(state, f"settlement {node}", world)
        state = play(state, legal(state, world=world)[0], world)
    return state


def test_the_set_up_uses_pieces_and_costs_nothing():
    state = placed(0, 2, 10, 20, 22, 24, 40, 49)
    for seat in range(4):
        left = state.roads_left(seat), state.settlements_left(seat), state.cities_left(seat)
        assert left == (13, 3, 4)


def test_a_harbour_of_the_set_up_counts_from_the_first_turn_on():
    assert placed(0, 2, 10, 20, 22, 24, 40, 49).rates(0) == (3, 3, 3, 3, 3)


def test_nothing_is_paid_for_the_first_settlement():
    assert placed(TOP).size(0) == 0


def test_a_second_settlement_between_desert_field_and_sea_gets_one_card():
    for seed in range(300):
        start = SHUFFLED.start(Rng(seed))
        spots = [
            node
            for node in range(54)
            if sorted(start.terrain[h] for h in HEXES_AT[node]) == [WHEAT, DESERT]
        ]
        others = [n for n in (0, 2, 10, 20, 22, 49, 43, 33) if not {n, *NEIGHBOURS[n]} & {*spots}]
        if spots and len(others) >= 7:
            state = placed(*others[:7], world=SHUFFLED, seed=seed)
            state = play(state, f"settlement {spots[0]}", SHUFFLED)
            assert state.hand(0) == (0, 0, 0, 1, 0)
            return
    pytest.fail("no such board among 300")


# The turn


def test_the_sums_of_two_dice_have_their_chances():
    state = play(table(two(), phase="before_roll"), "roll")
    expected = {n: (6 - abs(7 - n)) / 36 for n in range(2, 13)}
    assert dict(MODEL.chance(state)) == pytest.approx(expected)


def test_a_knight_before_the_roll_moves_the_robber_before_production():
    held = (1, 0, 0, 0, 0)
    state = table(two(hand=NOTHING, held=held), phase="before_roll")
    number, kind = state.number[NEAR], state.terrain[NEAR]
    assert roll(play(state, f"knight {NEAR}"), number).hand(0)[kind] == 0
    blocked = table(two(hand=NOTHING, held=held), phase="before_roll", robber=NEAR)
    assert roll(blocked, number).hand(0)[kind] == 0
    assert roll(play(blocked, "knight 0"), number).hand(0)[kind] == 1


def test_the_turn_limit_ends_the_game_without_a_winner():
    world = registry.world("catan[board=fixed,turns=9]")
    state = play(table(two(), world), "end", world)
    outcome = world.model.outcome(state)
    assert outcome.winners == ()
    assert outcome.truncated


def test_after_the_end_no_action_is_legal():
    cities = [0, 2, 20, 24]
    rows = [
        {"cities": cities, "roads": [first_road(n) for n in cities]}
        | {"played": (2, 0, 0, 0, 0), "held": (1, 0, 0, 0, 0)}
    ]
    state = play(table(rows, phase="before_roll"), "knight 0")
    assert MODEL.to_act(state) == ()
    assert [MODEL.legal(state, seat) for seat in range(4)] == [()] * 4
    with pytest.raises(GameOver):
        FIXED.step(state, (make("end"),), Rng(0))


def test_only_the_acting_seat_has_legal_actions():
    state = table(two())
    assert [bool(MODEL.legal(state, seat)) for seat in range(4)] == [True, False, False, False]


# Production


def boards_where(fits):
    """The first of many shuffled boards for which a function finds something."""
    for seed in range(500):
        if (found := fits(SHUFFLED.start(Rng(seed)))) is not None:
            return seed, found
    return pytest.fail("no such board among 500")


def test_a_building_between_two_hexes_of_one_number_collects_from_both():
    def twice(state):
        for node in range(54):
            numbers = [state.number[h] for h in HEXES_AT[node] if state.number[h]]
            if len(set(numbers)) < len(numbers):
                return node
        return None

    seed, node = boards_where(twice)
    desert = list(SHUFFLED.start(Rng(seed)).terrain).index(DESERT)
    state = table([rival([node])], SHUFFLED, phase="before_roll", board=seed, robber=desert)
    numbers = [state.number[h] for h in HEXES_AT[node]]
    number = max(numbers, key=numbers.count)
    after = roll(state, number, SHUFFLED)
    assert after.size(0) == numbers.count(number) >= 2


def test_the_bank_is_short_over_all_hexes_of_a_kind_together():
    # Two hexes of one kind and number owe a card each, and the bank has one: nobody is paid.
    def alike(state):
        for a in range(19):
            for b in range(a):
                same = state.terrain[a] == state.terrain[b] and state.number[a] == state.number[b]
                if same and state.number[a] and not set(CORNERS[a]) & set(CORNERS[b]):
                    return a, b
        return None

    seed, (a, b) = boards_where(alike)
    start = SHUFFLED.start(Rng(seed))
    kind, number = start.terrain[a], start.number[a]
    first, second = CORNERS[a][0], CORNERS[b][3]
    taken = {first, second, *NEIGHBOURS[first], *NEIGHBOURS[second]}
    third = next(
        n
        for n in range(54)
        if n not in taken
        and not taken & {*NEIGHBOURS[n]}
        and all(start.number[h] != number for h in HEXES_AT[n])
    )
    rich = {"hand": tuple(18 if one == kind else 0 for one in range(5))}
    rows = [rival([first]), rival([second]), rival([third], **rich)]
    desert = list(start.terrain).index(DESERT)
    state = table(rows, SHUFFLED, phase="before_roll", board=seed, robber=desert)
    after = roll(state, number, SHUFFLED)
    assert (after.hand(0)[kind], after.hand(1)[kind], after.bank[kind]) == (0, 0, 1)


def test_an_endless_bank_pays_what_a_finite_one_could_not():
    world = registry.world("catan[board=fixed,bank=infinite]")
    rows = [rival([CORNERS[4][0]], hand=(19, 0, 0, 0, 0)), rival([CORNERS[4][3]])]
    state = roll(table(rows, world, phase="before_roll"), 6, world)
    assert (state.hand(0)[CLAY], state.hand(1)[CLAY]) == (20, 1)


# Seven and the robber


def test_development_cards_do_not_count_for_the_limit_of_seven():
    rows = two(hand=(4, 3, 0, 0, 0), held=(3, 0, 0, 0, 0))
    assert roll(table(rows, phase="before_roll"), 7).phase == "robber"


@pytest.mark.parametrize(("hand", "sets"), [((2, 2, 2, 1, 1), 26), ((4, 4, 4, 4, 3), 313)])
def test_discards_have_as_many_sets_as_counted_by_hand(hand, sets):
    state = roll(table(two(hand=hand), phase="before_roll"), 7)
    reached = {state}
    while any(one.phase == "discard" for one in reached):
        reached = {
            MODEL.step(one, (action,), Rng(0)) for one in reached for action in MODEL.legal(one, 0)
        }
    assert len({one.hand(0) for one in reached}) == len(reached) == sets


def test_others_learn_how_many_cards_are_discarded_and_not_which():
    state = roll(table(two(hand=(4, 4, 0, 0, 0)), phase="before_roll"), 7)
    after = play(state, "discard clay")
    told = [MODEL.events(after, seat)[0].detail for seat in range(2)]
    assert told == [(CLAY,), ()]


def test_the_robber_may_go_to_own_land_and_then_robs_nobody():
    state = table(two(), phase="robber")
    assert f"robber {NEAR}" in legal(state)
    after = play(state, f"robber {NEAR}")
    assert (after.phase, after.robber) == ("main", NEAR)


def test_two_buildings_on_a_hex_make_one_theft():
    rows = two(hand=NOTHING)
    rows[1] = rival([CORNERS[17][0], CORNERS[17][2]], hand=(0, 2, 0, 0, 0))
    texts = legal(table(rows, phase="robber"))
    assert [text for text in texts if text.startswith("robber 17")] == ["robber 17 from 1"]


def test_the_thief_chooses_among_the_seats_on_the_hex():
    rows = two(hand=NOTHING)
    rows[1] = rival([CORNERS[17][0]], hand=(0, 1, 0, 0, 0))
    rows.append(rival([CORNERS[17][3]], hand=(1, 0, 0, 0, 0)))
    texts = legal(table(rows, phase="robber"))
    on_hex = [text for text in texts if text.startswith("robber 17")]
    assert on_hex == ["robber 17 from 1", "robber 17 from 2"]


# Building


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        (f"road {edge(TOP, RIGHT_UP)}", "road"),
        (f"settlement {RIGHT_UP}", "settlement"),
        (f"city {LEFT_UP}", "city"),
        ("buy", "buy"),
    ],
)
def test_every_piece_has_its_price_and_the_bank_gets_it(text, piece):
    rows = two(hand=COSTS[piece])
    rows[0]["roads"] = path(LEFT_UP, TOP, *([RIGHT_UP] if piece == "settlement" else []))
    after = play(table(rows), text)
    assert after.hand(0) == NOTHING
    assert after.bank == (19, 19, 19, 19, 19)


def test_a_road_goes_on_behind_a_building_where_it_is_reached_from_the_other_side():
    outer = next(n for n in NEIGHBOURS[RIGHT_UP] if n not in CORNERS[9])
    round_about = path(LEFT_UP, LEFT_DOWN, BOTTOM, RIGHT_DOWN)
    rows = [
        {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP, RIGHT_UP) + round_about}
        | {"hand": RICH},
        {"settlements": [RIGHT_UP], "roads": path(RIGHT_UP, outer)},
    ]
    assert f"road {edge(RIGHT_UP, RIGHT_DOWN)}" in legal(table(rows, road=0))


def fifteen_roads():
    net = {*ring(9), *ring(4)}
    while len(net) < 15:
        reach = {node for one in net for node in ENDS[one]}
        net.add(next(e for e in range(72) if e not in net and set(ENDS[e]) & reach))
    return net


def test_fifteen_roads_are_all_there_are():
    rows = [{"settlements": [LEFT_UP], "roads": fifteen_roads(), "hand": RICH}]
    state = table(rows, road=0)
    assert not any(text.startswith("road") for text in legal(state))
    free = next(e for e in range(72) if e not in fifteen_roads())
    assert "all fifteen" in why_not(state, f"road {free}")


def test_four_cities_are_all_there_are():
    cities = [0, 2, 20, 24]
    roads = [first_road(node) for node in (*cities, 49)]
    rows = [{"cities": cities, "settlements": [49], "roads": roads, "hand": RICH}]
    assert "all four" in why_not(table(rows), "city 49")


def test_a_city_replaces_an_own_settlement_and_nothing_else():
    state = table(two())
    assert "no settlement on node 0" in why_not(state, "city 0")
    assert "no settlement on node 53" in why_not(state, "city 53")


# Development cards


def test_an_empty_pile_sells_nothing():
    rows = two()
    rows[1] |= {"played": (14, 2, 2, 2, 0), "held": (0, 0, 0, 0, 5)}
    assert "pile is empty" in why_not(table(rows, army=1), "buy")


def test_others_learn_that_a_card_was_drawn_and_not_which():
    after = MODEL.resolve(play(table(two()), "buy"), DRAW + 1)
    assert [MODEL.events(after, seat)[0].detail for seat in range(2)] == [(1,), ()]


def hemmed_in(roads):
    """Seat 0 in the corner at node 0; seat 1 has the edges behind nodes 3 and 4."""
    return [
        {"settlements": [0], "roads": roads, "held": (0, 0, 0, 1, 0)},
        {"settlements": [7, 8, 1], "roads": path(7, 3) + path(8, 4) + path(1, 4)},
    ]


def test_the_second_free_road_is_lost_where_no_edge_is_left():
    state = play(table(hemmed_in(path(0, 3))), "roads")
    assert legal(state) == [f"road {edge(0, 4)}"]
    after = play(state, legal(state)[0])
    assert (after.phase, after.free_roads, after.roads_left(0)) == ("main", 0, 13)


def test_road_building_without_an_edge_cannot_be_played():
    state = table(hemmed_in(path(0, 3) + path(0, 4)))
    assert "roads" not in legal(state)
    assert "no edge" in why_not(state, "roads")


def test_road_building_without_a_road_left_cannot_be_played():
    rows = [{"settlements": [LEFT_UP], "roads": fifteen_roads(), "held": (0, 0, 0, 1, 0)}]
    assert "roads" not in legal(table(rows, road=0))


def test_the_first_of_two_free_roads_can_win_the_game():
    cities = [0, 2, 20, 24]
    roads = path(0, 4, 1, 5, 2) + [first_road(node) for node in (20, 24)]
    state = table([{"cities": cities, "roads": roads, "held": (0, 0, 0, 1, 0)}])
    after = play(play(state, "roads"), f"road {edge(2, 6)}")
    assert after.winner == 0
    assert after.points(0) == 10


# Awards


def test_own_buildings_do_not_interrupt_a_road():
    rows = [{"settlements": [0, 1, 2], "roads": path(0, 4, 1, 5, 2, 6)}]
    assert table(rows, road=0).longest(0) == 5


def test_the_longest_road_is_taken_by_a_longer_one_and_not_by_an_equal():
    rows = [
        far_chain((0, 4, 1, 5, 2, 6)),
        {**far_chain((47, 51, 48, 52, 49)), "hand": (2, 0, 0, 0, 2)},
    ]
    equal = play(table(rows, current=1, road=0), f"road {edge(49, 53)}")
    assert (equal.longest(1), equal.road_holder) == (5, 0)
    longer = play(equal, f"road {edge(53, 50)}")
    assert (longer.longest(1), longer.road_holder) == (6, 1)
    assert [longer.visible_points(seat) for seat in range(2)] == [1, 3]


def test_a_card_set_aside_goes_to_an_old_road_when_its_equal_is_cut():
    own = (LEFT_UP, TOP, RIGHT_UP, RIGHT_DOWN, BOTTOM, LEFT_DOWN)
    state = cut_position(own, [far_chain((47, 51, 48, 52, 49, 53))], holder=None)
    assert (state.longest(0), state.longest(2), state.road_holder) == (5, 5, None)
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert (after.longest(0), after.road_holder) == (3, 2)


def test_where_three_seats_roads_meet_a_settlement_cuts_nobody():
    outer = next(n for n in NEIGHBOURS[RIGHT_DOWN] if n not in CORNERS[9])
    far = next(n for n in NEIGHBOURS[outer] if n != RIGHT_DOWN)
    rows = [
        {"settlements": [TOP], "roads": path(TOP, RIGHT_UP, RIGHT_DOWN)},
        {"settlements": [far], "roads": path(far, outer, RIGHT_DOWN), "hand": (1, 0, 1, 1, 1)},
        {"settlements": [LEFT_DOWN], "roads": path(LEFT_DOWN, BOTTOM, RIGHT_DOWN)},
    ]
    after = play(table(rows, current=1), f"settlement {RIGHT_DOWN}")
    assert [after.longest(seat) for seat in range(3)] == [2, 2, 2]


def test_the_holder_of_the_army_gains_nothing_by_another_knight():
    rows = two(played=(3, 0, 0, 0, 0), held=(1, 0, 0, 0, 0))
    state = table(rows, army=0)
    after = play(state, "knight 0")
    assert after.visible_points(0) == state.visible_points(0) == 3


# Trade


def test_a_harbour_reached_in_this_turn_can_be_used_in_it():
    rows = [{"settlements": [11], "roads": path(11, 7, 3), "hand": (4, 0, 1, 1, 1)}]
    after = play(table(rows), "settlement 3")
    assert "trade 3 clay for 1 ore" in legal(after)


def test_a_road_to_a_harbour_gives_no_right_to_it():
    rows = [{"settlements": [11], "roads": path(11, 7, 3, 0), "hand": (3, 0, 0, 0, 0)}]
    assert not any(text.startswith("trade") for text in legal(table(rows)))


def test_the_bank_sells_only_what_it_has():
    rows = two(hand=(4, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 19, 0, 0, 0)
    state = table(rows)
    assert "trade 4 clay for 1 ore" not in legal(state)
    assert "bank has no ore" in why_not(state, "trade 4 clay for 1 ore")


def test_an_executed_trade_is_public():
    rows = two(hand=(2, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 1, 0, 0, 0)
    done = play(play(table(rows), "offer 2 clay for 1 ore to 1"), "accept")
    told = MODEL.events(done, 3)[0]
    assert (told.kind, told.seat) == ("accept", 1)
    assert told.detail == (1, (2, 0, 0, 0, 0), (0, 1, 0, 0, 0))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("offer 0 clay for 1 ore to 1", "one to three cards"),
        ("offer 4 clay for 1 ore to 1", "one to three cards"),
        ("offer 1 clay for 1 ore", "it is written"),
        ("offer 1 gold for 1 ore to 1", "it is written"),
        ("trade 5 clay for 1 ore", "it is written"),
        ("trade 4 clay for 2 ore", "it is written"),
        ("settlement 54", "it is written"),
        ("road 72", "it is written"),
        ("road -1", "it is written"),
        ("robber 19", "it is written"),
        ("plenty ore+ore+ore", "it is written"),
        ("monopoly", "it is written"),
        ("roll 8", "stands alone"),
        ("setlement 3", "did you mean 'settlement'"),
        ("", "begins with"),
    ],
)
def test_what_is_no_action_is_refused_in_one_sentence(text, problem):
    with pytest.raises(InvalidAction) as caught:
        read_action(text)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_bank_still_counts_its_ore_after_a_monopoly():
    rows = two(hand=NOTHING, held=(0, 1, 0, 0, 0))
    rows[1]["hand"] = (0, 19, 0, 0, 0)
    after = play(table(rows), "monopoly ore")
    assert (after.bank[ORE], after.hand(0)[ORE]) == (0, 19)

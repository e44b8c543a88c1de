"""The rules of catan, one by one, among them those that other programs get wrong."""

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
    brute_longest,
    cut_position,
    edge,
    far_chain,
    legal,
    long_chain,
    path,
    play,
    ring,
    roll,
    table,
    text_of,
    two,
    why_not,
)

from ludex.core import registry
from ludex.core.errors import GameOver, InvalidState
from ludex.core.rng import Rng
from ludex.worlds.catan.notation import DRAW, STEAL, read_action
from ludex.worlds.catan.values import (
    CLAY,
    CORNERS,
    DECK,
    ENDS,
    HARBOUR_EDGES,
    HEXES_AT,
    NEIGHBOURS,
    ORE,
    SHEEP,
    WHEAT,
    WOOD,
    argument_of,
    make,
    make_offer,
    make_robber,
    make_trade,
    type_of,
)

# The board


def test_the_coast_has_harbours_at_gaps_of_three_three_and_four():
    coastal = [
        e for e in range(72) if len(set(HEXES_AT[ENDS[e][0]]) & set(HEXES_AT[ENDS[e][1]])) == 1
    ]
    ring_of_edges = [coastal[0]]
    while len(ring_of_edges) < 30:
        last = ring_of_edges[-1]
        ring_of_edges.append(
            next(e for e in coastal if e not in ring_of_edges and set(ENDS[e]) & set(ENDS[last]))
        )
    places = sorted(ring_of_edges.index(e) for e in HARBOUR_EDGES)
    gaps = [(b - a) % 30 for a, b in zip(places, places[1:] + places[:1], strict=True)]
    assert sorted(gaps) == [3] * 6 + [4] * 3
    assert any(gaps[i:] + gaps[:i] == [3, 3, 4] * 3 for i in range(3))


def test_nodes_touch_as_many_hexes_and_edges_as_on_the_printed_board():
    assert sorted(len(hexes) for hexes in HEXES_AT).count(3) == 24
    assert [sum(len(hexes) == n for hexes in HEXES_AT) for n in (1, 2, 3)] == [18, 12, 24]
    assert [sum(len(near) == n for near in NEIGHBOURS) for n in (2, 3)] == [18, 36]


def test_shuffled_boards_have_all_hexes_and_no_reds_that_touch():
    world = registry.world("catan[numbers=apart]")
    seen = set()
    for seed in range(40):
        state = world.start(Rng(seed))
        assert [list(state.terrain).count(land) for land in range(6)] == [3, 3, 4, 4, 4, 1]
        reds = {h for h in range(19) if state.number[h] in (6, 8)}
        for a in reds:
            assert not any(len(set(CORNERS[a]) & set(CORNERS[b])) == 2 for b in reds - {a})
        seen.add(tuple(state.number))
    assert len(seen) == 40


def test_numbers_shuffled_freely_touch_about_as_often_as_counted():
    world = registry.world("catan[numbers=any]")
    touching = 0
    for seed in range(600):
        state = world.start(Rng(seed))
        reds = [h for h in range(19) if state.number[h] in (6, 8)]
        touching += any(
            len(set(CORNERS[a]) & set(CORNERS[b])) == 2 for a in reds for b in reds if a < b
        )
    assert 0.864 - 0.06 < touching / 600 < 0.864 + 0.06


def test_the_spiral_never_puts_red_numbers_side_by_side():
    for seed in range(200):
        state = registry.world("catan").start(Rng(seed))
        reds = [h for h in range(19) if state.number[h] in (6, 8)]
        assert not any(
            len(set(CORNERS[a]) & set(CORNERS[b])) == 2 for a in reds for b in reds if a < b
        )


# Set-up


def test_the_set_up_goes_round_and_back_and_pays_for_the_second_settlement():
    state = FIXED.start(Rng(0))
    order = []
    for node in (0, 2, 10, 20, 22, 24, 40, 49):
        order.append(MODEL.to_act(state)[0])
        state = play(state, f"settlement {node}")
        state = play(state, legal(state)[0])
    assert order == [0, 1, 2, 3, 3, 2, 1, 0]
    assert MODEL.to_act(state) == (0,)
    assert state.phase == "before_roll"
    for seat, node in ((3, 22), (2, 24), (1, 40), (0, 49)):
        expected = [0] * 5
        for hexagon in HEXES_AT[node]:
            if state.terrain[hexagon] < 5:
                expected[state.terrain[hexagon]] += 1
        assert state.hand(seat) == tuple(expected)
    assert sum(state.bank) + sum(state.size(s) for s in range(4)) == 95


def test_a_settlement_beside_the_desert_gets_only_what_the_land_gives():
    state = FIXED.start(Rng(0))
    for node in (0, 2, 10, 20, 22, 33, 49):
        state = play(state, f"settlement {node}")
        state = play(state, legal(state)[0])
    state = play(state, f"settlement {BOTTOM}")
    lands = [state.terrain[hexagon] for hexagon in HEXES_AT[BOTTOM]]
    assert lands.count(5) == 1
    assert sum(state.hand(0)) == len(lands) - 1 == 2


def test_the_second_road_must_touch_the_second_settlement():
    state = FIXED.start(Rng(0))
    for node in (0, 2, 10, 20, 24):
        state = play(state, f"settlement {node}")
        first = legal(state)
        assert all(node in ENDS[int(text.split()[1])] for text in first)
        state = play(state, first[0])


# The turn


def test_before_the_roll_nothing_can_be_built_and_the_turn_cannot_end():
    state = table(two(), phase="before_roll")
    assert legal(state) == ["roll"]
    assert "must roll" in why_not(state, "end")
    assert "must roll" in why_not(state, "road 3")


def test_a_card_may_be_played_before_the_roll_but_only_one_in_a_turn():
    rows = two(held=(1, 1, 0, 0, 0))
    state = table(rows, phase="before_roll")
    assert "monopoly ore" in legal(state)
    state = play(state, "monopoly ore")
    assert legal(state) == ["roll"]
    state = MODEL.resolve(play(state, "roll"), 2)
    assert not any(text.startswith("knight") for text in legal(state))
    assert "played a development card" in why_not(state, "knight 0")


def test_only_knights_come_early_where_the_option_says_so():
    world = registry.world("catan[board=fixed,early=knights]")
    state = table(two(held=(1, 1, 0, 0, 0)), world, phase="before_roll")
    assert {type_of(action) for action in world.model.legal(state, 0)} == {"roll", "knight"}


def test_a_bought_card_waits_for_the_next_turn_but_an_older_copy_does_not():
    fresh = table(two(fresh=(1, 0, 0, 0, 0)))
    assert not any(text.startswith("knight") for text in legal(fresh))
    assert "bought in this turn" in why_not(fresh, "knight 0")
    both = table(two(fresh=(1, 0, 0, 0, 0), held=(1, 0, 0, 0, 0)))
    assert any(text.startswith("knight") for text in legal(both))


def test_bought_cards_are_ready_in_the_next_turn():
    state = play(table(two(fresh=(1, 0, 0, 0, 0))), "end")
    assert state.held(0) == (1, 0, 0, 0, 0)
    assert state.fresh_size(0) == 0


# Production and the bank


def test_a_settlement_gets_one_card_and_a_city_two_of_each_hex_of_the_number():
    # Hex 4 is clay 6; hex 17 is wheat 6.
    rows = [
        {"settlements": [CORNERS[4][0]], "roads": path(*CORNERS[4][:2])},
        {"cities": [CORNERS[4][3]], "roads": path(*CORNERS[4][3:5])},
    ]
    state = roll(table(rows, phase="before_roll"), 6)
    assert state.hand(0) == (1, 0, 0, 0, 0)
    assert state.hand(1) == (2, 0, 0, 0, 0)
    assert state.bank == (16, 19, 19, 19, 19)


def test_the_robber_blocks_its_hex_and_no_other():
    # Node 28 touches hexes 7 (wheat 9), 8 (wood 11) and 12 (wood 8)... of which one is robbed.
    node = CORNERS[8][4]
    hexes = HEXES_AT[node]
    rows = [{"settlements": [node], "roads": [edge(node, NEIGHBOURS[node][0])]}]
    start = table(rows, phase="before_roll", robber=hexes[0])
    blocked = roll(start, start.number[hexes[0]])
    assert sum(blocked.hand(0)) == 0
    free = roll(start, start.number[hexes[1]])
    assert free.hand(0)[start.terrain[hexes[1]]] == 1


def test_a_short_bank_pays_nobody_when_two_are_owed():
    rows = [
        {"settlements": [CORNERS[4][0]], "roads": path(*CORNERS[4][:2])},
        {"settlements": [CORNERS[4][3]], "roads": path(*CORNERS[4][3:5])},
        {"settlements": [53], "roads": [71], "hand": (18, 0, 0, 0, 0)},
    ]
    state = roll(table(rows, phase="before_roll"), 6)
    assert state.hand(0)[CLAY] == state.hand(1)[CLAY] == 0
    assert state.bank[CLAY] == 1


def test_a_short_bank_pays_what_it_has_to_the_only_one_owed():
    rows = [
        {"cities": [CORNERS[4][0]], "roads": path(*CORNERS[4][:2])},
        {"settlements": [53], "roads": [71], "hand": (18, 0, 0, 0, 0)},
    ]
    state = roll(table(rows, phase="before_roll"), 6)
    assert state.hand(0)[CLAY] == 1
    assert state.bank[CLAY] == 0


def test_a_shortage_of_one_kind_leaves_the_others_alone():
    # Both hexes of the number 6: clay on 4, wheat on 17.
    rows = [
        {
            "settlements": [CORNERS[4][0], CORNERS[17][0]],
            "roads": path(*CORNERS[4][:2]) + path(*CORNERS[17][:2]),
        },
        {"settlements": [CORNERS[4][3]], "roads": path(*CORNERS[4][3:5])},
        {"settlements": [21], "roads": path(21, 16), "hand": (18, 0, 0, 0, 0)},
    ]
    state = roll(table(rows, phase="before_roll"), 6)
    assert state.hand(0) == (0, 0, 0, 1, 0)


# Seven


@pytest.mark.parametrize(("size", "due"), [(7, 0), (8, 4), (9, 4), (15, 7)])
def test_more_than_seven_cards_are_halved_rounding_down(size, due):
    rows = two(hand=NOTHING)
    rows[1]["hand"] = (size - size // 2, size // 2, 0, 0, 0)
    state = roll(table(rows, phase="before_roll"), 7)
    discarded = 0
    while MODEL.to_act(state) == (1,):
        state = play(state, legal(state)[0])
        discarded += 1
    assert discarded == due
    assert state.size(1) == size - due
    assert state.phase == "robber"
    assert MODEL.to_act(state) == (0,)


def test_every_set_of_discards_is_reached_in_exactly_one_way():
    rows = two(hand=(2, 2, 2, 1, 1))
    state = roll(table(rows, phase="before_roll"), 7)

    def ends(one):
        if one.phase != "discard":
            return [one.hand(0)]
        found = []
        for action in MODEL.legal(one, 0):
            found += ends(MODEL.step(one, (action,), Rng(0)))
        return found

    hands = ends(state)
    assert len(hands) == len(set(hands)) == 26


def test_nobody_sees_what_an_earlier_seat_discards_before_all_have():
    rows = two(hand=(4, 4, 0, 0, 0))
    rows[1]["hand"] = (0, 0, 5, 5, 0)
    state = roll(table(rows, phase="before_roll"), 7)
    views = set()
    for kinds in (("clay",) * 4, ("ore",) * 4):
        one = state
        for kind in kinds:
            one = play(one, f"discard {kind}")
        assert MODEL.to_act(one) == (1,)
        views.add(MODEL.view(one, 1))
    assert len(views) == 1


def test_a_knight_makes_nobody_discard():
    state = play(table(two(hand=RICH, held=(1, 0, 0, 0, 0)), phase="before_roll"), "knight 0")
    assert state.phase == "before_roll"
    assert state.size(0) == 25


# The robber


def test_the_robber_must_move_and_may_go_back_to_the_desert():
    state = table(two(), phase="robber", robber=3)
    texts = legal(state)
    assert "robber 9" in texts
    assert not any(text.split()[1] == "3" for text in texts)
    assert "another hex" in why_not(state, "robber 3")


def test_only_seats_with_cards_on_the_hex_are_robbed():
    rows = two(hand=NOTHING)
    rows[1] = {
        "settlements": [CORNERS[17][0]],
        "roads": path(*CORNERS[17][:2]),
        "hand": (0, 3, 1, 0, 0),
    }
    rows.append({"settlements": [CORNERS[17][3]], "roads": path(*CORNERS[17][3:5])})
    state = table(rows, phase="robber")
    on_hex = [text for text in legal(state) if text.startswith("robber 17")]
    assert on_hex == ["robber 17 from 1"]
    assert "has no card" in why_not(state, "robber 17 from 2")


def test_the_stolen_card_is_uniform_over_cards_not_kinds():
    rows = two(hand=NOTHING)
    rows[1] = {
        "settlements": [CORNERS[17][0]],
        "roads": path(*CORNERS[17][:2]),
        "hand": (0, 3, 1, 0, 0),
    }
    state = play(table(rows, phase="robber"), "robber 17 from 1")
    assert dict(MODEL.chance(state)) == {STEAL + ORE: 0.75, STEAL + SHEEP: 0.25}
    after = MODEL.resolve(state, STEAL + ORE)
    assert after.hand(0) == (0, 1, 0, 0, 0)
    assert after.hand(1) == (0, 2, 1, 0, 0)


def test_only_thief_and_victim_are_told_the_stolen_kind():
    rows = two(hand=NOTHING)
    rows[1] = {
        "settlements": [CORNERS[17][0]],
        "roads": path(*CORNERS[17][:2]),
        "hand": (0, 3, 1, 0, 0),
    }
    state = play(table(rows, phase="robber"), "robber 17 from 1")
    after = MODEL.resolve(state, STEAL + ORE)
    told = [MODEL.events(after, seat)[0].detail for seat in range(4)]
    assert told == [(1, ORE), (1, ORE), (1,), (1,)]


# Building


def test_a_road_does_not_go_on_behind_another_seats_building():
    # Seat 0's roads lead to RIGHT_UP, where seat 1 has built.
    outer = next(n for n in NEIGHBOURS[RIGHT_UP] if n not in CORNERS[9])
    rows = [
        {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP, RIGHT_UP), "hand": RICH},
        {"settlements": [RIGHT_UP], "roads": path(RIGHT_UP, outer)},
    ]
    state = table(rows)
    beyond = edge(RIGHT_UP, RIGHT_DOWN)
    assert f"road {beyond}" not in legal(state)
    assert "in the way" in why_not(state, f"road {beyond}")


def test_all_five_settlements_out_means_none_more_until_a_city_brings_one_back():
    nodes = [0, 2, 20, 22, 24]
    roads = [edge(node, NEIGHBOURS[node][0]) for node in nodes] + path(24, 18, 13, 9)
    rows = [{"settlements": nodes, "roads": set(roads), "hand": RICH}]
    state = table(rows)
    assert not any(text.startswith("settlement") for text in legal(state))
    after = play(state, "city 24")
    assert after.settlements_left(0) == 1
    assert any(text.startswith("settlement") for text in legal(after))


def test_a_settlement_needs_a_road_of_its_own_and_distance():
    state = table(two())
    assert "too near to another building: you have one" in why_not(state, f"settlement {TOP}")
    assert "none of your roads" in why_not(state, "settlement 45")
    poor = table(two(hand=(0, 0, 0, 2, 0)))
    assert "a city costs 3 ore+2 wheat, and you lack 3 ore" in why_not(poor, f"city {LEFT_UP}")


# Development cards


def test_a_victory_point_bought_at_nine_points_wins_at_once():
    rows = [
        {
            "cities": [0, 2, 20, 24],
            "settlements": [22],
            "roads": [edge(node, NEIGHBOURS[node][0]) for node in (0, 2, 20, 22, 24)],
            "hand": (0, 1, 1, 1, 0),
        }
    ]
    state = play(table(rows), "buy")
    after = MODEL.resolve(state, DRAW + 4)
    assert MODEL.outcome(after).winners == (0,)
    assert MODEL.outcome(MODEL.resolve(state, DRAW)) is None


def test_draws_follow_what_is_left_of_the_pile():
    state = play(table(two()), "buy")
    expected = {
        DRAW: 14 / 25,
        DRAW + 1: 2 / 25,
        DRAW + 2: 2 / 25,
        DRAW + 3: 2 / 25,
        DRAW + 4: 5 / 25,
    }
    assert dict(MODEL.chance(state)) == pytest.approx(expected)


def test_road_building_places_one_road_when_one_is_left():
    nodes = path(*CORNERS[9], CORNERS[9][0]) + ring(4)[:]
    roads = set(nodes)
    more = [e for e in range(72) if e not in roads]
    net = set(roads)
    while len(net) < 14:
        reach = {node for one in net for node in ENDS[one]}
        net.add(next(e for e in more if e not in net and set(ENDS[e]) & reach))
    rows = [{"settlements": [LEFT_UP], "roads": net, "held": (0, 0, 0, 1, 0)}]
    state = table(rows, road=0)
    state = play(state, "roads")
    assert state.free_roads == 1
    state = play(state, legal(state)[0])
    assert state.phase == "main"
    assert state.roads_left(0) == 0


def test_road_building_may_extend_its_own_first_road():
    state = play(table(two(held=(0, 0, 0, 1, 0))), "roads")
    state = play(state, f"road {edge(TOP, RIGHT_UP)}")
    assert f"road {edge(RIGHT_UP, RIGHT_DOWN)}" in legal(state)
    state = play(state, f"road {edge(RIGHT_UP, RIGHT_DOWN)}")
    assert state.phase == "main"
    assert state.longest(0) == 3


def test_plenty_takes_only_what_the_bank_has():
    rows = two(hand=NOTHING, held=(0, 0, 1, 0, 0))
    rows[1]["hand"] = (19, 18, 0, 0, 0)
    state = table(rows)
    texts = [text for text in legal(state) if text.startswith("plenty")]
    assert not any("clay" in text for text in texts)
    assert "plenty ore+sheep" in texts
    assert "plenty ore+ore" not in texts


def test_plenty_takes_the_last_card_of_the_bank_alone():
    rows = two(hand=NOTHING, held=(0, 0, 1, 0, 0))
    rows[1]["hand"] = (19, 18, 19, 19, 19)
    state = table(rows)
    assert [text for text in legal(state) if text.startswith("plenty")] == ["plenty ore"]
    assert play(state, "plenty ore").hand(0) == (0, 1, 0, 0, 0)


def test_monopoly_takes_all_of_a_kind_from_hands_and_nothing_from_the_bank():
    rows = two(hand=(0, 1, 0, 0, 0), held=(0, 1, 0, 0, 0))
    rows[1]["hand"] = (1, 4, 0, 0, 0)
    state = play(table(rows), "monopoly ore")
    assert state.hand(0) == (0, 5, 0, 0, 0)
    assert state.hand(1) == (1, 0, 0, 0, 0)
    assert state.bank[ORE] == 14
    assert MODEL.events(state, 2)[0].detail == (ORE, (0, 4, 0, 0))


def test_monopoly_of_a_kind_that_nobody_has_is_legal_and_gains_nothing():
    state = play(table(two(hand=NOTHING, held=(0, 1, 0, 0, 0))), "monopoly ore")
    assert state.size(0) == 0


# Largest army


def test_the_army_goes_to_the_first_with_three_and_only_moves_to_one_with_more():
    rows = [
        {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP), "played": (3, 0, 0, 0, 0)},
        {"settlements": [53], "roads": [71], "played": (2, 0, 0, 0, 0), "held": (2, 0, 0, 0, 0)},
    ]
    state = table(rows, phase="before_roll", current=1, army=0)
    tied = play(state, "knight 0")
    assert tied.army_holder == 0
    rows[1]["played"] = (3, 0, 0, 0, 0)
    state = table(rows, phase="before_roll", current=1, army=0)
    more = play(state, "knight 0")
    assert more.army_holder == 1
    assert more.visible_points(0) == 1
    assert more.visible_points(1) == 3


def test_a_win_by_the_army_before_the_roll_ends_the_game_at_once():
    rows = [
        {
            "cities": [0, 2, 20, 24],
            "roads": [edge(node, NEIGHBOURS[node][0]) for node in (0, 2, 20, 24)],
            "played": (2, 0, 0, 0, 0),
            "held": (1, 0, 0, 0, 0),
        }
    ]
    state = play(table(rows, phase="before_roll"), "knight 0")
    assert MODEL.over(state)
    assert state.winner == 0
    with pytest.raises(GameOver):
        FIXED.step(state, (make("roll"),), Rng(0))


# Longest road


def lengths(seats, **facts):
    state = table(seats, **facts)
    found = [state.longest(seat) for seat in range(4)]
    assert found == [brute_longest(state, seat) for seat in range(4)]
    return found


def test_a_ring_of_six_counts_six():
    assert lengths([{"settlements": [TOP], "roads": ring(9)}], road=0)[0] == 6


@pytest.mark.parametrize(("steps", "length"), [(1, 9), (2, 8), (3, 8)])
def test_a_ring_with_two_tails_counts_as_worked_out(steps, length):
    corners = CORNERS[9]
    roads = ring(9)
    for corner in (corners[0], corners[steps]):
        outer = next(node for node in NEIGHBOURS[corner] if node not in corners)
        last = next(n for n in NEIGHBOURS[outer] if n != corner)
        roads += path(corner, outer, last)
    assert lengths([{"settlements": [corners[0]], "roads": roads}], road=0)[0] == length


def test_a_ring_with_one_tail_of_two_counts_eight():
    corner = CORNERS[9][0]
    outer = next(node for node in NEIGHBOURS[corner] if node not in CORNERS[9])
    last = next(n for n in NEIGHBOURS[outer] if n != corner)
    roads = ring(9) + path(corner, outer, last)
    assert lengths([{"settlements": [corner], "roads": roads}], road=0)[0] == 8


def test_branches_do_not_add():
    # A Y with arms of 3, 2 and 2 from the top of the centre.
    a = path(TOP, RIGHT_UP, RIGHT_DOWN, BOTTOM)
    b = path(TOP, LEFT_UP, LEFT_DOWN)
    outer = next(node for node in NEIGHBOURS[TOP] if node not in CORNERS[9])
    c = path(TOP, outer, next(n for n in NEIGHBOURS[outer] if n != TOP))
    assert lengths([{"settlements": [TOP], "roads": a + b + c}], road=0)[0] == 5


def test_an_edge_that_leads_to_another_seats_building_counts():
    chain = (*CORNERS[9][:5], next(n for n in NEIGHBOURS[LEFT_DOWN] if n not in CORNERS[9]))
    end = chain[-1]
    rows = [
        {"settlements": [TOP], "roads": path(*chain)},
        {
            "settlements": [end],
            "roads": [edge(end, next(n for n in NEIGHBOURS[end] if n != LEFT_DOWN))],
        },
    ]
    assert lengths(rows, road=0)[0] == 5


def test_a_cut_below_five_sets_the_card_aside():
    # T5: a chain of five over LEFT_UP .. LEFT_DOWN is cut at RIGHT_DOWN into 3 and 2.
    state = cut_position((LEFT_UP, TOP, RIGHT_UP, RIGHT_DOWN, BOTTOM, LEFT_DOWN))
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert after.longest(0) == 3
    assert after.road_holder is None
    assert after.visible_points(0) == 1


def test_after_a_cut_the_card_goes_to_the_only_one_with_five():
    state = cut_position(long_chain(), [far_chain((0, 4, 1, 5, 2, 6))])
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert after.longest(0) == 4
    assert after.road_holder == 2


def test_after_a_cut_a_tie_of_others_sets_the_card_aside_until_one_leads():
    others = [far_chain((0, 4, 1, 5, 2, 6)), far_chain((47, 51, 48, 52, 49, 53))]
    state = cut_position(long_chain(), others)
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert after.road_holder is None
    # T8: the turn of seat 2 comes, which builds a sixth road and leads alone.
    turn = play(after, "end").compact().replace("phase=before_roll", "phase=main rolled=1")
    poor, paid = "bank=19/19/19/19/19", "bank=18/19/19/19/18"
    state = FIXED.parse(
        turn.replace("bank=20/19/20/20/20", poor)
        .replace(poor, paid)
        .replace("settlements:0;cities:-;hand:0/0/0/0/0", "settlements:0;cities:-;hand:1/0/0/0/1")
    )
    built = play(state, f"road {edge(6, 10)}")
    assert built.longest(2) == 6
    assert built.road_holder == 2


def test_the_holder_keeps_the_card_on_a_tie_after_a_cut():
    # T7: a chain of six, cut at its second-last node, still has five.
    own = (LEFT_UP, TOP, RIGHT_UP, RIGHT_DOWN)
    before = next(n for n in NEIGHBOURS[LEFT_UP] if n not in CORNERS[9])
    before2 = next(n for n in NEIGHBOURS[before] if n != LEFT_UP)
    chain = (before2, before, *own, BOTTOM)
    state = cut_position(chain, [far_chain((47, 51, 48, 52, 49, 53))])
    assert state.longest(0) == 6
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert after.longest(0) == 5
    assert after.road_holder == 0


def test_a_settlement_that_cuts_can_bring_three_points_at_once():
    # Seat 1 has five itself and cuts seat 0's five: one point and the card.
    outer = next(n for n in NEIGHBOURS[RIGHT_DOWN] if n not in CORNERS[9])
    near = next(n for n in NEIGHBOURS[outer] if n != RIGHT_DOWN)
    seen = {RIGHT_DOWN, outer, near, *CORNERS[9]}
    chain = [RIGHT_DOWN, outer, near]
    while len(chain) < 6:
        chain.append(next(n for n in NEIGHBOURS[chain[-1]] if n not in seen))
        seen.add(chain[-1])
    own = path(LEFT_DOWN, BOTTOM, RIGHT_DOWN, RIGHT_UP, TOP, LEFT_UP)
    rows = [
        {"settlements": [LEFT_UP], "roads": own},
        {"settlements": [chain[-1]], "roads": path(*chain), "hand": (1, 0, 1, 1, 1)},
    ]
    before = table(rows, current=1, road=0)
    assert [brute_longest(before, seat) for seat in (0, 1)] == [5, 5]
    after = play(before, f"settlement {RIGHT_DOWN}")
    assert after.visible_points(1) - before.visible_points(1) == 3
    assert after.road_holder == 1


def test_points_that_come_off_turn_win_only_when_the_own_turn_begins():
    # Seat 2 has eight points and five roads; seat 1's settlement takes the card from seat 0.
    cities = [11, 27, 43]
    roads = path(0, 4, 1, 5, 2, 6) + [edge(n, NEIGHBOURS[n][0]) for n in cities]
    others = [{"settlements": [0], "cities": cities, "roads": roads, "held": (0, 0, 0, 0, 1)}]
    state = cut_position(long_chain(), others)
    assert state.points(2) == 8
    after = play(state, f"settlement {RIGHT_DOWN}")
    assert after.road_holder == 2
    assert after.points(2) == 10
    assert not MODEL.over(after)
    ended = play(after, "end")
    assert MODEL.over(ended)
    assert ended.winner == 2


# Trade


def test_the_bank_takes_four_three_or_two():
    # Harbour 0 of the fixed board is 3:1 at nodes 0 and 3; harbour 1 is 2:1 wheat at 1 and 5.
    rows = [{"settlements": [0], "roads": path(0, 3), "hand": (3, 0, 0, 2, 0)}]
    assert "trade 3 clay for 1 ore" in legal(table(rows))
    rows = [{"settlements": [1], "roads": path(1, 5), "hand": (3, 0, 0, 2, 0)}]
    texts = legal(table(rows))
    assert "trade 2 wheat for 1 ore" in texts
    assert not any(text.startswith("trade 3 clay") for text in texts)
    assert "the bank takes 4 clay" in why_not(table(rows), "trade 3 clay for 1 ore")
    assert "you have 3 clay" in why_not(table(rows), "trade 4 clay for 1 ore")


def test_an_offer_is_answered_by_its_seat_and_control_returns():
    rows = two(hand=(2, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 1, 0, 0, 0)
    state = play(table(rows), "offer 2 clay for 1 ore to 1")
    assert MODEL.to_act(state) == (1,)
    assert legal(state) == ["accept", "reject"]
    done = play(state, "accept")
    assert done.hand(0) == (0, 1, 0, 0, 0)
    assert done.hand(1) == (2, 0, 0, 0, 0)
    assert MODEL.to_act(done) == (0,)
    refused = play(state, "reject")
    assert refused.hand(0) == (2, 0, 0, 0, 0)
    assert MODEL.to_act(refused) == (0,)


def test_an_offer_may_ask_for_what_the_other_lacks_and_is_then_only_rejected():
    rows = two(hand=(1, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 0, 1, 0, 0)
    state = play(table(rows), "offer 1 clay for 1 ore to 1")
    assert legal(state) == ["reject"]


def test_offers_are_limited_per_turn():
    rows = two(hand=(1, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 1, 0, 0, 0)
    state = table(rows)
    for _ in range(3):
        state = play(play(state, "offer 1 clay for 1 ore to 1"), "reject")
    assert not any(text.startswith("offer") for text in legal(state))
    assert "3 offers" in why_not(state, "offer 1 clay for 1 ore to 1")


@pytest.mark.parametrize(
    ("offer", "problem"),
    [
        ("offer 1 clay for 1 clay to 1", "both sides"),
        ("offer 1 ore for 1 clay to 1", "you lack 1 ore"),
        ("offer 1 clay for 1 ore to 0", "another seat"),
        ("offer 1 clay for 1 ore to 2", "has 0 cards"),
        ("offer 1 clay+1 wood for 2 sheep to 1", "trades=all has no such trade"),
    ],
)
def test_illegal_offers_are_refused_with_their_reason(offer, problem):
    rows = two(hand=(2, 0, 0, 0, 1))
    rows[1]["hand"] = (2, 1, 2, 0, 0)
    assert problem in why_not(table(rows), offer)


def test_the_spaces_of_trades_have_as_many_as_counted():
    sizes = {}
    for trades in ("none", "1:1", "1:2", "all"):
        world = registry.world(f"catan[board=fixed,trades={trades},offers=none]")
        rows = two(hand=(2, 2, 2, 2, 2))
        rows[1]["hand"] = (2, 2, 2, 2, 2)
        state = table(rows, world)
        sizes[trades] = sum(text.startswith("offer") for text in legal(state, world=world))
    assert sizes == {"none": 0, "1:1": 20, "1:2": 60, "all": 120}


def test_the_free_space_allows_three_cards_a_side():
    world = registry.world("catan[board=fixed,trades=free]")
    rows = two(hand=(0, 1, 0, 2, 0))
    rows[1]["hand"] = (1, 0, 0, 0, 0)
    state = play(table(rows, world), "offer 2 wheat+1 ore for 1 clay to 1", world)
    assert play(state, "accept", world).hand(0) == (1, 0, 0, 0, 0)


def test_in_the_open_game_only_what_the_other_holds_can_be_asked_for():
    world = registry.world("catan[board=fixed,view=open]")
    rows = two(hand=(1, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 1, 0, 0, 0)
    offers = [t for t in legal(table(rows, world), world=world) if t.startswith("offer")]
    assert offers == ["offer 1 clay for 1 ore to 1"]


# Text


def test_numbers_of_actions_are_read_back_from_their_text():
    for action in (
        make("roll"),
        make("settlement", 53),
        make("road", 71),
        make_robber("knight", 18, 3),
        make_robber("robber", 0, None),
        make("plenty", CLAY << 3 | WOOD),
        make_trade(WHEAT, SHEEP, 4),
        make_offer(2, (1, 0, 1, 0, 0), (0, 1, 0, 0, 0)),
        make("discard", WOOD),
    ):
        text = FIXED.action_text(action)
        assert read_action(text.upper()) == action
        assert argument_of(action) >= 0
        assert text.split()[0] == type_of(action)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("bank=", "bank=1"), "should be counts"),
        (("robber=9", "robber=19"), "should be a hex from 0 to 18"),
        (("robber=9", "thief=9"), "is not a part"),
        (("phase=main", "phase=lunch"), "another phase"),
        (("current=0", "current=7"), "should be a seat"),
        (("hexes=or10", "hexes=or9"), "numbers are"),
        (("hexes=or10", "hexes=wo10"), "a board has"),
        (("turn=8", "turn=8 turn=8"), "twice"),
        ((" deck=14/2/2/2/5", ""), "'deck' is missing"),
        (("deck=14", "deck=13"), "cards knight"),
        (("rolled=1", "rolled=0"), "as the phase says"),
        (("settlements:53", "settlements:1.53.0"), "in ascending order"),
        (("settlements:53", "settlements:49.53"), "distance rule"),
        (("roads:71", "roads:0.71"), "not connected"),
        (("phase=main", "phase=answer"), "offer"),
        (("phase=main", "phase=over"), "over"),
    ],
)
def test_contradictory_states_are_refused_in_one_sentence(change, problem):
    text = text_of(two())
    assert FIXED.parse(text)
    with pytest.raises(InvalidState) as caught:
        FIXED.parse(text.replace(*change))
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_card_is_drawn_from_an_empty_deck():
    text = text_of(two(played=(*DECK[:4], 0), fresh=(0, 0, 0, 0, DECK[4])), phase="draw")
    with pytest.raises(InvalidState, match="there is no card to draw"):
        FIXED.parse(text)


def test_a_bank_that_does_not_add_up_is_refused():
    text = text_of(two(), bank=(14, 14, 14, 14, 13))
    with pytest.raises(InvalidState, match="18 cards of wood, not 19"):
        FIXED.parse(text)

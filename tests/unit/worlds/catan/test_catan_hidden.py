"""What seats of catan may know, counted by brute force; and counts of whole openings."""

from collections import Counter
from itertools import combinations
from math import comb, prod

import pytest
from catan_tables import FIXED, path, table
from scipy.stats import chisquare

from ludex.core import registry
from ludex.core.rng import Rng
from ludex.worlds.catan.values import CORNERS, ENDS, NEIGHBOURS, make_offer

MODEL = FIXED.model
CERTAIN = 1e-4  # a fixed seed that falls below this shows a wrong distribution
LEFT_UP, TOP = CORNERS[9][5], CORNERS[9][0]


def rows(hand=(0, 0, 0, 0, 0), **more):
    return [
        {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP), "hand": hand, **more},
        {"settlements": [53], "roads": [71]},
        {"settlements": [0], "roads": [0]},
    ]


def compare(drawn, weights):
    """A chi-square test of draws against exact weights; rare cells are put together."""
    assert set(drawn) <= set(weights)
    total, draws = sum(weights.values()), sum(drawn.values())
    expected = {key: draws * weight / total for key, weight in weights.items()}
    common = [key for key in expected if expected[key] >= 5]
    rare = [key for key in expected if expected[key] < 5]
    found = [drawn[key] for key in common] + [sum(drawn[key] for key in rare)]
    wanted = [expected[key] for key in common] + [sum(expected[key] for key in rare)]
    if not rare:
        found, wanted = found[:-1], wanted[:-1]
    assert chisquare(found, wanted).pvalue > CERTAIN


def sub_counts(pool, size):
    """All ways to take cards from a pool, with the number of ways to choose single cards."""
    cards = [kind for kind, count in enumerate(pool) for _ in range(count)]
    found = Counter()
    for chosen in combinations(range(len(cards)), size):
        found[tuple(sum(cards[c] == kind for c in chosen) for kind in range(len(pool)))] += 1
    return found


def test_imagined_hands_are_uniform_over_deals_of_single_cards():
    # Seats 1 and 2 hold 3 and 2 cards; all the bank lacks is theirs.
    table_rows = rows()
    table_rows[1]["hand"], table_rows[2]["hand"] = (2, 1, 0, 0, 0), (0, 1, 1, 0, 0)
    state = table(table_rows)
    view = MODEL.view(state, 0)
    drawn = Counter(MODEL.imagine(view, Rng(n)).hand(1) for n in range(4000))
    compare(drawn, sub_counts((2, 2, 1, 0, 0), 3))


def test_who_has_made_an_offer_is_imagined_to_hold_what_it_gives():
    table_rows = rows(hand=(1, 2, 0, 0, 0))
    table_rows[1]["hand"], table_rows[2]["hand"] = (0, 0, 1, 0, 0), (1, 1, 1, 1, 0)
    offer = "1;0/2/0/0/0;0/0/1/0/0"
    state = table(table_rows, phase="answer", acting=1, offers=1, offer=offer)
    assert state.offer == make_offer(1, (0, 2, 0, 0, 0), (0, 0, 1, 0, 0))
    view = MODEL.view(state, 1)
    drawn = Counter(MODEL.imagine(view, Rng(n)).hand(0) for n in range(4000))
    every = sub_counts((2, 3, 1, 1, 0), 3)
    compare(drawn, {hand: ways for hand, ways in every.items() if hand[1] >= 2})


def test_imagined_development_cards_are_hypergeometric():
    table_rows = rows(held=(1, 0, 0, 0, 0))
    table_rows[1]["held"] = (1, 0, 1, 0, 0)
    state = table(table_rows)
    view = MODEL.view(state, 0)
    drawn = Counter(MODEL.imagine(view, Rng(n)).held(1) for n in range(4000))
    pool = (13, 2, 2, 2, 5)
    weights = {}
    for first in range(5):
        for second in range(first, 5):
            counts = tuple((k == first) + (k == second) for k in range(5))
            weights[counts] = prod(comb(p, c) for p, c in zip(pool, counts, strict=True))
    compare(drawn, weights)


def test_nobody_is_imagined_to_have_won_already():
    table_rows = rows()
    table_rows[1] = {
        "cities": [2, 20, 22, 45],
        "settlements": [53],
        "roads": [ENDS.index(tuple(sorted((n, NEIGHBOURS[n][0])))) for n in (2, 20, 22, 45, 53)],
        "held": (2, 0, 0, 0, 0),
    }
    state = table(table_rows, current=1)
    view = MODEL.view(state, 0)
    assert all(MODEL.imagine(view, Rng(n)).held(1)[4] == 0 for n in range(300))


def test_announced_points_are_seen_and_nothing_else():
    world = registry.world("catan[board=fixed,view=points]")
    table_rows = rows()
    table_rows[1]["held"] = (1, 0, 0, 0, 2)
    state = table(table_rows, world)
    view = world.model.view(state, 0)
    assert view.seen.held(1) == (0, 0, 0, 0, 2)
    assert view.seen.held_size(1) == 3
    assert view.seen.points(1) == 3
    secret = registry.world("catan[board=fixed]")
    assert secret.model.view(table(table_rows, secret), 0).seen.points(1) == 1


def test_a_view_shows_the_own_hand_and_only_sizes_of_the_others():
    table_rows = rows(hand=(1, 2, 3, 0, 0))
    table_rows[1]["hand"] = (0, 1, 0, 4, 0)
    seen = MODEL.view(table(table_rows), 0).seen
    assert seen.hand(0) == (1, 2, 3, 0, 0)
    assert seen.hand(1) == (0, 0, 0, 0, 0)
    assert seen.size(1) == 5
    assert seen.deck == (0, 0, 0, 0, 0)
    assert seen.deck_size == 25


def test_in_the_open_game_a_view_holds_the_state():
    world = registry.world("catan[view=open]")
    state = world.start(Rng(1))
    assert world.model.view(state, 0).state == state
    assert world.traits.model_sees_all
    assert not world.traits.hidden


def test_the_key_can_leave_out_the_turn_and_the_offers_made():
    early, late = table(rows(), turn=8), table(rows(), turn=9)
    assert MODEL.key(early) != MODEL.key(late)
    assert MODEL.key(early, ignore=("turn",)) == MODEL.key(late, ignore=("turn",))


def test_two_orders_of_two_moves_lead_to_one_key():
    table_rows = rows(hand=(1, 3, 1, 3, 1))
    state = table(table_rows)

    def after(*texts):
        one = state
        for text in texts:
            action = FIXED.parse_action(text, MODEL.view(one, 0))
            one = MODEL.step(one, (action,), Rng(0))
        return one

    road = f"road {MODEL.view(state, 0).seen.road_sites(0)[0]}"
    city = f"city {LEFT_UP}"
    assert MODEL.key(after(road, city)) == MODEL.key(after(city, road))


@pytest.mark.parametrize("world", ["catan[board=fixed]", "catan[seats=2]"])
def test_openings_are_counted_as_by_hand(world):
    """Settlements, then roads, then the next settlement and road, from the graph alone."""
    made = registry.world(world)
    start = made.start(Rng(0))
    degree = [len(near) for near in NEIGHBOURS]
    near = [{node, *NEIGHBOURS[node]} for node in range(54)]
    expected = [
        54,
        sum(degree),
        sum(degree[v] * (54 - len(near[v])) for v in range(54)),
        sum(degree[v] * sum(degree[w] for w in range(54) if w not in near[v]) for v in range(54)),
    ]
    assert expected[:3] == [54, 144, 7236]
    assert [perft(made.model, start, depth) for depth in (1, 2, 3, 4)] == expected


def perft(model, state, depth):
    (seat,) = model.to_act(state)
    legal = model.legal(state, seat)
    if depth == 1:
        return len(legal)
    return sum(perft(model, model.step(state, (one,), Rng(0)), depth - 1) for one in legal)

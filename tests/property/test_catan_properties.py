"""What is true of every game of catan, counted by other means than the rules'."""

import pytest
from catan_tables import brute_longest, fair_holder
from hypothesis import given, settings

from ludex.core import registry
from ludex.core.fallback import rollout
from ludex.core.rng import Meter, Rng
from ludex.testing.strategies import seeds
from ludex.testing.walk import walk
from ludex.worlds.catan.values import DECK, ENDS, NEIGHBOURS, type_of

VARIANTS = (
    "catan",
    "catan[trades=none]",
    "catan[view=open,trades=1:2,offers=none]",
    "catan[seats=2,trades=free,numbers=any]",
    "catan[seats=3,view=points,board=fixed]",
)
FEW = settings(max_examples=12, deadline=None)


def check_cards(state):
    """19 cards of each kind, 25 development cards, wherever they are."""
    seats = range(state.seats)
    for kind in range(5):
        held = sum(state.hand(seat)[kind] + state.laid(seat)[kind] for seat in seats)
        assert state.bank[kind] + held == 19
        cards = sum(
            rows[kind]
            for seat in seats
            for rows in (state.held(seat), state.fresh(seat), state.played(seat))
        )
        assert state.deck[kind] + cards == DECK[kind]
    for seat in seats:
        assert state.size(seat) == sum(state.hand(seat))


def check_pieces(state):
    """15 roads, 5 settlements, 4 cities; one piece a place; the distance rule; the robber."""
    nodes, edges = [], []
    for seat in range(state.seats):
        assert len(state.roads(seat)) + state.roads_left(seat) == 15
        assert len(state.settlements(seat)) + state.settlements_left(seat) == 5
        assert len(state.cities(seat)) + state.cities_left(seat) == 4
        nodes += [*state.settlements(seat), *state.cities(seat)]
        edges += state.roads(seat)
    assert len(set(nodes)) == len(nodes)
    assert len(set(edges)) == len(edges)
    assert not any(near in nodes for node in nodes for near in NEIGHBOURS[node])
    assert 0 <= state.robber < 19


@pytest.mark.parametrize("name", VARIANTS)
@FEW
@given(seed=seeds())
def test_cards_and_pieces_never_appear_or_vanish(name, seed):
    world = registry.world(name)
    for state in walk(world, seed, limit=250):
        check_cards(state)
        check_pieces(state)
        assert world.model.consistent(state)


def next_to(model, state, rng):
    if listed := model.chance(state):
        return model.resolve(state, listed[rng.weighted([p for _, p in listed])][0]), None
    (_seat,) = model.to_act(state)
    action = model.choose(state, "type_first", rng)
    return model.step(state, (action,), rng), action


@pytest.mark.parametrize("seed", range(6))
def test_the_longest_road_is_that_of_brute_force_after_every_building(seed):
    world = registry.world("catan[trades=none]")
    model, rng = world.model.metered(Meter()), Rng(seed).fork("brute")
    state, holder, checked = world.start(rng), None, 0
    while not model.over(state) and checked < 60:
        state, action = next_to(model, state, rng)
        if action is None or type_of(action) not in ("road", "settlement"):
            continue
        lengths = [brute_longest(state, seat) for seat in range(4)]
        assert [state.longest(seat) for seat in range(4)] == lengths
        holder = fair_holder(lengths, holder)
        assert state.road_holder == holder
        checked += 1
    assert checked > 25


@pytest.mark.parametrize("name", VARIANTS)
def test_winners_have_their_points_on_their_own_turn(name):
    world = registry.world(name)
    won = 0
    for seed in range(20):
        start = world.start(Rng(seed))
        end = world.model.rollout(start, "type_first", 10**6, Rng(seed)).state
        if end.winner is None:
            continue
        won += 1
        assert end.points(end.winner) >= 10
        assert end.current == end.winner
        assert all(end.points(seat) < 10 + 2 for seat in range(world.seats))
    assert won >= 18


@FEW
@given(seed=seeds())
def test_imagined_deals_keep_every_card(seed):
    world = registry.world("catan")
    model = world.model
    for place, state in enumerate(walk(world, seed, limit=250)[::9]):
        for seat in range(4):
            imagined = model.imagine(model.view(state, seat), Rng(place))
            check_cards(imagined)
            assert model.consistent(imagined), model.contradiction(imagined)


def test_native_type_first_play_draws_as_the_plain_loop_does():
    for name in VARIANTS:
        world = registry.world(name)
        start = world.start(Rng(5))
        one, other = Rng(1), Rng(1)
        native = world.model.rollout(start, "type_first", 400, one)
        plain = rollout(world.model, start, "type_first", 400, other)
        assert native.state == plain.state
        assert one == other
        assert native.ticks == plain.ticks


def test_the_same_seed_gives_the_same_game_whatever_is_played_between():
    world = registry.world("catan")
    first = walk(world, 3)
    walk(registry.world("catan[seats=2]"), 4)
    assert walk(world, 3) == first


def test_roads_are_edges_of_the_map():
    state = walk(registry.world("catan"), 1, limit=300)[-1]
    for seat in range(4):
        for edge in state.roads(seat):
            a, b = ENDS[edge]
            assert b in NEIGHBOURS[a]

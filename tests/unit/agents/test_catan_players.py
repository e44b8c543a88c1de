"""What the scripted players of catan reckon with and decide."""

import sys

import pytest
from catan_tables import FIXED, path, table

from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.plans import road_plan, settlement_plans
from ludex.agents.catan.parts.speed import FAR, NEVER, periods_of, rolls_to, total_time
from ludex.agents.catan.parts.tracker import HandTracker
from ludex.agents.compose import make_agent
from ludex.arena.match.runner import play_match
from ludex.arena.match.watcher import Draw, Step
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import Unsupported
from ludex.core.event import Event
from ludex.core.rng import Meter, Rng
from ludex.experiments.catan.domain import (
    OptionCounter,
    domain_size,
    is_mixed,
    trade_space,
)
from ludex.experiments.catan.evaluation import one_against_three, z_score
from ludex.planners.mcts import Mcts, StateTree, VirtualWins
from ludex.worlds.catan.notation import read_action
from ludex.worlds.catan.speed import typed_by_untyped
from ludex.worlds.catan.values import CORNERS, NEIGHBOURS, type_of

MODEL = FIXED.model
LEFT_UP, TOP = CORNERS[9][5], CORNERS[9][0]
PLAYERS = ("stac", "jsettlers", "greedy", "weighted", "type_uniform", "smart_settlers")


def decide(name, state, seat=0, world=FIXED, **options):
    arguments = ",".join(f"{key}={value}" for key, value in options.items())
    agent = make_agent(f"catan/{name}" + (f"({arguments})" if arguments else ""))
    model = world.model.metered(Meter())
    view = model.view(state, seat)
    found = agent.decide(model, view, Budget(iterations=30), Rng(1))
    assert found.action in view.legal
    return world.action_text(found.action)


def row(hand=(0, 0, 0, 0, 0), **more):
    return {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP), "hand": hand, **more}


def row_of(node, hand):
    return {"settlements": [node], "roads": path(node, NEIGHBOURS[node][0]), "hand": hand}


# Building speed


def test_periods_are_rolls_per_card():
    # 5 ways in 36 come every 7 rolls, 6 every 6, none never.
    assert periods_of((5, 6, 0, 1, 2)) == (7, 6, NEVER, 36, 18)


def test_waiting_for_two_kinds_takes_as_long_as_the_slower():
    assert rolls_to((1, 0, 0, 0, 1), (0,) * 5, (9, NEVER, NEVER, NEVER, 6), (4,) * 5) == 9


def test_surplus_is_traded_for_what_never_comes():
    # Clay every 2 rolls, wood never: one clay to keep and four to trade take 10 rolls.
    assert rolls_to((1, 0, 0, 0, 1), (0,) * 5, (2, *(NEVER,) * 4), (4,) * 5) == 10
    assert rolls_to((1, 0, 0, 0, 1), (0,) * 5, (2, *(NEVER,) * 4), (2, 4, 4, 4, 4)) == 6


def test_what_never_comes_is_far():
    assert rolls_to((0, 1, 0, 0, 0), (0,) * 5, (NEVER,) * 5, (4,) * 5) == FAR


def test_a_harbour_makes_everything_faster():
    periods = (3, NEVER, NEVER, 6, 6)
    assert total_time(periods, (2, 4, 4, 4, 4)) < total_time(periods, (4,) * 5)


# Land and plans


def test_paths_go_round_other_seats_buildings():
    outer = next(n for n in NEIGHBOURS[CORNERS[9][1]] if n not in CORNERS[9])
    rows = [row(), {"settlements": [CORNERS[9][1]], "roads": path(CORNERS[9][1], outer)}]
    land = Land(table(rows))
    found = land.paths(0, 3)
    assert all(CORNERS[9][2] != node or len(edges) > 2 for node, edges in found.items())


def test_a_settlement_plan_has_the_roads_it_needs_and_their_cost():
    land = Land(table([row()]))
    plans = {plan.steps[-1][1]: plan for plan in settlement_plans(land, 0, (0,) * 5)}
    near = plans[CORNERS[9][1]]
    assert [piece for piece, _ in near.steps] == ["road", "settlement"]
    assert near.cost == (2, 0, 1, 1, 2)


def test_the_longest_road_is_planned_when_one_more_road_takes_it():
    chain = CORNERS[9][:5]
    state = table([{"settlements": [chain[0]], "roads": path(*chain)}])
    (plan,) = road_plan(Land(state), 0, (0,) * 5)
    assert plan.points == 2
    assert state.longest_with(0, [plan.steps[0][1]]) == 5


# Decisions


def test_a_city_that_is_paid_is_built():
    assert decide("stac", table([row((0, 3, 0, 2, 0))])) == f"city {LEFT_UP}"
    assert decide("greedy", table([row((0, 3, 0, 2, 0))])) == f"city {LEFT_UP}"


def test_a_card_that_is_paid_comes_before_pieces_that_are_not_but_with_jsettlers_last():
    cities = (0, 2, 20)  # six points, and no settlement to make a city of
    roads = [path(node, NEIGHBOURS[node][0])[0] for node in cities]
    state = table([{"cities": cities, "roads": roads, "hand": (0, 1, 1, 1, 0)}])
    assert decide("stac", state) == "buy"
    assert decide("jsettlers", state) != "buy"


@pytest.mark.parametrize("name", ["stac", "jsettlers"])
def test_the_robber_never_goes_to_the_own_land_when_another_can_be_hurt(name):
    rows = [
        row(),
        {"cities": [CORNERS[17][0]], "roads": path(*CORNERS[17][:2]), "hand": (1, 0, 0, 0, 0)},
    ]
    move = decide(name, table(rows, phase="robber"))
    assert move.endswith("from 1")


def test_a_knight_frees_a_hex_of_ours_before_the_roll():
    hexagon = next(h for h in range(19) if LEFT_UP in CORNERS[h] and h != 9)
    state = table([row(held=(1, 0, 0, 0, 0))], phase="before_roll", robber=hexagon)
    assert decide("stac", state).startswith("knight")
    idle = table([row(held=(1, 0, 0, 0, 0))], phase="before_roll", robber=0)
    assert decide("stac", idle) == "roll"


def test_discards_keep_what_the_plan_needs():
    # Three ore and two wheat are a city; the clay can go.
    rows = [row((5, 3, 0, 2, 0))]
    state = table(rows, phase="discard", discarders=1, quota=5)
    assert decide("stac", state) == "discard clay"


def test_nobody_trades_with_a_seat_about_to_win():
    winner = {
        "cities": [0, 2, 20, 24],
        "roads": [path(n, NEIGHBOURS[n][0])[0] for n in (0, 2, 20, 24)],
        "hand": (0, 1, 0, 0, 0),
    }
    rows = [winner, {"settlements": [47], "roads": path(47, 51), "hand": (1, 0, 0, 0, 0)}]
    state = table(rows, phase="answer", acting=1, offers=1, offer="1;0/1/0/0/0;1/0/0/0/0")
    assert decide("stac", state, seat=1) == "reject"


def test_smart_settlers_rejects_every_offer():
    rows = [row((0, 1, 0, 0, 0)), {"settlements": [53], "roads": [71], "hand": (1, 0, 0, 0, 0)}]
    state = table(rows, phase="answer", acting=1, offers=1, offer="1;0/1/0/0/0;1/0/0/0/0")
    assert decide("smart_settlers", state, seat=1) == "reject"


def seeded(state):
    """The bandit at the root of a search of smart settlers, before it has searched."""
    wins = VirtualWins({"settlement": 20, "city": 10}, beside="end")
    return StateTree(Mcts(), MODEL.without_trades(), [state], wins).roots[0].bandits[0]


def test_smart_settlers_begin_with_virtual_wins_for_what_can_be_built():
    root = seeded(table([row((0, 3, 0, 2, 0)), row_of(53, (1, 0, 0, 0, 0))]))
    assert [FIXED.action_text(action) for action in root.actions] == [f"city {LEFT_UP}"]
    assert (root.visits, root.means) == ([10], [1.0])


def test_smart_settlers_search_a_game_without_offers():
    root = seeded(table([row((0, 3, 0, 2, 0)), row_of(53, (1, 0, 0, 0, 0))]))
    assert not any(type_of(action) == "offer" for action in root.untried)


def test_smart_settlers_favour_nothing_in_the_set_up():
    assert len(seeded(FIXED.start(Rng(0))).actions) == 0


@pytest.mark.parametrize("name", PLAYERS)
def test_players_refuse_other_worlds(name):
    nim = registry.world("nim")
    agent = make_agent(f"catan/{name}")
    with pytest.raises(Unsupported, match="catan"):
        agent.start(
            nim.model.metered(Meter()),
            nim.model.view(nim.start(Rng(0)), 0),
            Budget(iterations=1),
            Rng(0),
        )


@pytest.mark.parametrize("world", ["catan", "catan[view=open,trades=1:1]", "catan[seats=3]"])
def test_whole_games_are_played_without_a_fault(world):
    seats = registry.world(world).seats
    agents = ["catan/stac", "catan/jsettlers", "catan/greedy", "catan/weighted"][:seats]
    result = play_match(world, agents, seed=3, budget="1000calls")
    assert not result.faults
    assert result.winners


# Keeping count


def test_known_gains_and_payments_are_counted_exactly():
    tracker = HandTracker(2)
    tracker.observe(Event("roll", 0))
    tracker.observe(Event("gain", 1, (2, 0, 0, 0, 1)))
    tracker.observe(Event("road", 1, (5,)))
    assert tracker.hands[1] == [1.0, 0.0, 0.0, 0.0, 0.0]
    tracker.observe(Event("trade", 1, (0, 3, 1)))
    assert tracker.hands[1] == [0.0, 0.0, 0.0, 1.0, 0.0]


def test_an_unseen_theft_is_spread_over_the_victims_cards():
    tracker = HandTracker(3)
    tracker.observe(Event("gain", 1, (3, 1, 0, 0, 0)))
    tracker.observe(Event("steal", 2, (1,)))
    assert tracker.hands[1] == [2.25, 0.75, 0.0, 0.0, 0.0]
    assert tracker.hands[2] == [0.75, 0.25, 0.0, 0.0, 0.0]


def test_tracked_hands_have_the_sizes_that_all_can_see():
    world = registry.world("catan")
    model = world.model.metered(Meter())
    rng, tracker = Rng(4), HandTracker(4)
    state = world.start(rng)
    for _ in range(300):
        if listed := model.chance(state):
            state = model.resolve(state, listed[rng.weighted([p for _, p in listed])][0])
        elif model.over(state):
            break
        else:
            state = model.step(state, (model.choose(state, "type_first", rng),), rng)
        for event in model.events(state, 0):
            tracker.observe(event)
    for seat in range(4):
        assert sum(tracker.hands[seat]) == pytest.approx(state.size(seat), abs=1.5)


# Measuring


def test_the_printed_limits_of_the_z_test():
    assert z_score(550, 2000) == pytest.approx(2.58, abs=0.01)
    assert z_score(2600, 10_000) == pytest.approx(2.31, abs=0.01)


def test_an_evaluation_rotates_seats_and_counts_behaviour():
    found = one_against_three("catan/stac", "uniform", games=4, world="catan[trades=none]", seed=1)
    assert (found.games, sum(found.by_seat)) == (4, 4)
    assert found.behaviour.games == 4
    shares = [value for name, value in found.behaviour.row().items() if name.endswith("%")]
    assert sum(shares) == pytest.approx(100)


def test_the_domain_has_the_printed_size():
    boards, actions = domain_size()
    assert boards.measured == pytest.approx(1.23e15, rel=0.01)
    assert actions.measured == 1882


def test_branching_and_depth_are_near_the_printed_ones():
    for trades in ("none", "1:1"):
        for reading in trade_space(trades, 40, 4, seed=2):
            assert abs(reading.difference) < 0.25, reading


def test_types_are_legal_about_as_often_as_printed():
    common = ("road legal", "settlement legal", "offer legal", "trade legal", "offer actions")
    found = {reading.what: reading for reading in trade_space("all", 20, 4, seed=2)}
    assert all(abs(found[what].difference) < 0.25 for what in common)


@pytest.mark.parametrize(
    ("offer", "mixed"),
    [("1 ore for 1 clay", False), ("2 ore for 1 clay", False), ("1 ore for 1 clay+1 wood", True)],
)
def test_offers_of_two_cards_that_differ_are_listed_twice_by_the_source(offer, mixed):
    assert is_mixed(read_action(f"offer {offer} to 1")) == mixed


def test_options_are_counted_where_there_are_more_than_one():
    counter = OptionCounter("catan[board=fixed]")
    state = table([row(), {"settlements": [53], "roads": [71]}], phase="before_roll")
    rolling = MODEL.step(state, (read_action("roll"),), Rng(0))
    counter.after_step(Step(state, (read_action("roll"),), (), rolling, {}))
    counter.after_chance(Draw(rolling, 8, (), MODEL.resolve(rolling, 8)))
    assert (counter.decisions, counter.chances) == ([], [11])


def test_people_end_their_turn_as_often_as_was_counted():
    # Of 2239 decisions with {end, trade} legal, 113 were trades.
    world = registry.world("catan[trades=1:1,board=fixed,offers=none]")
    rows = [row((1, 0, 0, 0, 0)), {"settlements": [53], "roads": [71], "hand": (0, 1, 0, 0, 0)}]
    state = table(rows, world)
    rng = Rng(3)
    drawn = [type_of(world.model.choose(state, "human", rng)) for _ in range(20_000)]
    assert set(drawn) == {"end", "offer"}
    assert drawn.count("offer") / 20_000 == pytest.approx(113 / 2239, abs=0.006)


def test_search_with_exchanges_plays_the_hidden_game():
    agent = make_agent("mcts(rollout=type_first)@exchange")
    world = registry.world("catan[points=4]")
    result = play_match(
        world, [agent, "uniform", "uniform", "uniform"], seed=1, budget="10iterations"
    )
    assert not result.faults


# Speed


def test_typed_and_untyped_games_are_compared_by_speed_and_length():
    row = typed_by_untyped((15_000.0, 1000.0), (200.0, 12_000.0))
    assert (row["times_as_fast"], row["times_as_short"]) == (75.0, 12.0)
    assert "75 times as fast and 12.0 times as short" in row["note"]


def test_the_bench_says_so_when_catanatron_is_not_there_to_be_measured(monkeypatch):
    monkeypatch.setitem(sys.modules, "catanatron", None)
    *rows, last = registry.world("catan").own_rates(0.05)
    assert "catanatron is not installed" in last["note"]
    assert {(row["policy"], row["trades"]) for row in rows if "policy" in row} >= {
        ("type_first", "none"),
        ("type_first", "sampled"),
    }

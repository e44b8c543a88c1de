"""Bots of catanatron at our table."""

import random
import sys

import pytest
from catan_tables import FIXED, LEFT_UP, MODEL, TOP, legal, path, play, roll, table, two

from ludex.agents.compose import make_agent
from ludex.arena.match.runner import play_match
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import BadAgent, BadParameter, MissingExtra
from ludex.core.rng import Meter, Rng

AMPLE = Budget(model_calls=100)


def started(bot, state, seat=0, world=FIXED):
    model = world.model.metered(Meter())
    view = model.view(state, seat)
    return make_agent(f"catan/catanatron(bot={bot})").start(model, view, AMPLE, Rng(1)), view


def decided(bot, state, seat=0, world=FIXED):
    pytest.importorskip("catanatron", reason="catanatron is not installed")
    mind, view = started(bot, state, seat, world)
    return world.action_text(mind.decide(view, AMPLE, Rng(1)).action)


def test_without_catanatron_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "catanatron", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ludex\[catanatron\]'"):
        started("random", table(two()))


def test_a_bot_that_is_not_known_is_refused_with_the_names_of_those_that_are():
    with pytest.raises(BadParameter, match="known: random, weighted, victory_points"):
        make_agent("catan/catanatron(bot=xyzzy)")


def test_a_class_that_is_not_there_is_refused_when_the_game_begins():
    pytest.importorskip("catanatron", reason="catanatron is not installed")
    with pytest.raises(BadAgent, match="cannot load the bot"):
        started("catan_bots.Nobody", table(two()))


def test_a_city_that_can_be_paid_is_built_for_its_point():
    assert decided("victory_points", table(two(hand=(0, 3, 0, 2, 0)))) == f"city {LEFT_UP}"


def test_a_knight_and_its_robber_are_one_move():
    state = table(two(held=(1, 0, 0, 0, 0)))
    assert decided("catan_bots.KnightFirst", state) == [
        text for text in legal(state) if text.startswith("knight")
    ][-1]  # fmt: skip


def test_before_the_roll_a_bot_is_offered_knights_alone_as_in_its_own_program():
    state = table(two(held=(0, 1, 1, 1, 0)), phase="before_roll")
    assert len(legal(state)) > 20
    assert decided("catan_bots.KnightFirst", state) == "roll"


def test_offers_are_rejected():
    rows = two(hand=(1, 0, 0, 0, 0))
    rows[1]["hand"] = (0, 1, 0, 0, 0)
    state = play(table(rows), "offer 1 clay for 1 ore to 1")
    assert decided("random", state, seat=1) == "reject"


def test_a_bot_that_wants_what_it_was_not_offered_is_named():
    with pytest.raises(BadAgent, match="the bot catan_bots"):
        decided("catan_bots.Stubborn", table(two()))


def test_discards_are_drawn_once_and_laid_down_in_order():
    pytest.importorskip("catanatron", reason="catanatron is not installed")
    seen = set()
    for seed in range(40):
        state = roll(table(two(hand=(3, 0, 3, 0, 3)), phase="before_roll"), 7)
        mind, _ = started("random", state)
        while state.phase == "discard":
            view = MODEL.view(state, 0)
            action = mind.decide(view, AMPLE, Rng(seed)).action
            assert action in view.legal
            state = MODEL.step(state, (action,), Rng(0))
        seen.add(state.hand(0))
    assert len(seen) >= 8  # of the ten ways to keep five of three times three


def test_the_generator_that_all_of_python_shares_is_left_as_it_was():
    random.seed(5)
    before = random.getstate()
    decided("random", table(two()))
    assert random.getstate() == before


@pytest.mark.parametrize("world", ["catan[seats=2]", "catan[view=open,bank=infinite]"])
def test_bots_play_whole_games_without_a_fault(world):
    pytest.importorskip("catanatron", reason="catanatron is not installed")
    seats = registry.world(world).seats
    bots = [f"catan/catanatron(bot={bot})" for bot in ("weighted", "victory_points")]
    result = play_match(world, [*bots, "catan/stac", "uniform"][:seats], seed=2, budget=AMPLE)
    assert not result.faults
    assert result.winners


def test_positions_are_shown_with_their_roads_and_hands():
    pytest.importorskip("catanatron", reason="catanatron is not installed")
    from ludex.agents.catan.parts import peer_table

    state = table(two(hand=(1, 2, 0, 0, 0)))
    game = peer_table.game_of(state, 10, Rng(0))
    facts = game.state.player_state
    assert (facts["P0_BRICK_IN_HAND"], facts["P0_ORE_IN_HAND"]) == (1, 2)
    (first,) = path(LEFT_UP, TOP)
    assert game.state.board.roads[peer_table.edges()[first]] == peer_table.COLOURS[0]
    assert len(game.state.development_listdeck) == 25

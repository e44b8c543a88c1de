"""Catan tells what each step did, and no more; whoever counts along by it counts right."""

from __future__ import annotations

import re

import pytest

from ludex.agents.catan.parts.tracker import HandTracker
from ludex.core import registry
from ludex.core.event import Event
from ludex.core.rng import Meter, Rng
from ludex.models.believed.parts.particles import Hypothesis, ParticleBelief
from ludex.testing import CheckFailed
from ludex.testing.checks.events import check_trackers_keep_the_public_counts, follow
from ludex.testing.games import ScriptedSeats, course, random_game
from ludex.worlds.catan.events import actions_behind, told
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import make, make_offer, make_trade, type_of
from ludex.worlds.catan.world import Catan

CATAN = registry.world("catan")
ENDLESS = registry.world("catan[bank=infinite,view=open]")
SCRIPTS = ("catan/stac", "catan/jsettlers", "catan/weighted", "catan/greedy")


def game_of(agent, seed):
    """Four of one script at a table."""
    table = ScriptedSeats(CATAN, [registry.load("agents", agent)()], seed)
    return course(CATAN, seed, table.choose, table.tell, 3000)


# The attack: settlements that told the dice's gains again


def test_a_settlement_of_the_main_phase_tells_of_no_gain():
    """Five games of four `stac` once told of 111 cards that nobody got, in 24 of 28 settlements."""
    model = CATAN.model.metered(Meter())
    built = 0
    for seed in range(5):
        for passage in game_of("catan/stac", seed):
            events = model.events(passage.after)
            if events[0].kind == "settlement" and not passage.before.phase.startswith("setup"):
                built += 1
                assert "gain" not in [event.kind for event in events]
    assert built > 20


@pytest.mark.parametrize("agent", SCRIPTS)
def test_all_that_can_be_counted_in_scripted_games_follows_from_the_events(agent):
    for seed in range(2):
        follow(CATAN, game_of(agent, seed))


class DoubleGains(CatanModel):
    """Tells the gains of the last dice again with a settlement, as the rules once did."""

    last: tuple[Event, ...] = ()

    def resolve(self, state, outcome):
        after = super().resolve(state, outcome)
        if state.phase == "dice":
            DoubleGains.last = tuple(e for e in super().events(after) if e.kind == "gain")
        return after

    def events(self, state, seat=None):
        events = super().events(state, seat)
        if events and events[0].kind == "settlement" and state.phase == "main":
            return (events[0], *DoubleGains.last, *events[1:])
        return events


class DoubleCatan(Catan):
    """Catan with the double gains."""

    @property
    def model(self):
        return DoubleGains(CATAN.model.options)


def test_the_kit_catches_gains_that_are_told_twice():
    with pytest.raises(CheckFailed, match=r"kind='settlement'.*kind='gain'.* counts hand sizes"):
        check_trackers_keep_the_public_counts(DoubleCatan())


class SecretDiscards(CatanModel):
    """Does not tell what the bank got, as the rules once did not."""

    def events(self, state, seat=None):
        return tuple(one for one in super().events(state, seat) if one.kind != "bank")


class SecretCatan(Catan):
    """Catan with the secret discards."""

    @property
    def model(self):
        return SecretDiscards(CATAN.model.options)


def test_the_kit_catches_a_bank_that_changes_untold():
    with pytest.raises(CheckFailed, match="counts bank"):
        check_trackers_keep_the_public_counts(SecretCatan())


# What is told


def test_the_bank_tells_what_it_gets_when_all_have_discarded():
    """Kinds that others laid down are hidden, but the bank that all see has them afterwards."""
    model = CATAN.model.metered(Meter())
    seen = 0
    for seed in range(6):
        for passage in random_game(CATAN, seed):
            events = model.events(passage.after, 0)
            if events[0].kind == "discard":
                both = zip(passage.before.bank, passage.after.bank, strict=True)
                change = tuple(after - before for before, after in both)
                got = [event.detail for event in events if event.kind == "bank"]
                assert got == ([change] if any(change) else [])
                seen += len(got)
    assert seen > 3


def endless(hands, phase="main"):
    """A state of an endless bank in which the first seat is to act, with these hands."""
    model = ENDLESS.model.metered(Meter())
    state, rng = ENDLESS.start(Rng(3)), Rng(3)
    while (state.phase, state.current) != (phase, 0):
        seat = model.to_act(state)[0]
        model.advance(state, (model.default_action(state, seat),), rng)
        if state.phase != phase:
            model.settle(state, rng)
    text = state.compact()
    for seat, counts in hands.items():
        cards = "/".join(map(str, counts))
        text = re.sub(rf"(seat{seat}=\S*?;hand:)[\d/]+", rf"\g<1>{cards}", text)
    return model, ENDLESS.parse(text)


def test_a_trade_for_a_card_that_the_hand_cannot_hold_tells_that_it_is_lost():
    model, state = endless({0: (4, 50, 0, 0, 0)})
    rate = state.rates(0)[0]
    after = model.step(state, (make_trade(0, 1, rate),), Rng(0))
    assert after.hand(0) == (4 - rate, 50, 0, 0, 0)
    lost = Event("lose", 0, (0, 1, 0, 0, 0))
    assert model.events(after) == (Event("trade", 0, (0, 1, rate)), lost)
    assert told(lost, 0) == "you lose 1 ore that no hand has room for"


def test_an_exchange_that_one_hand_cannot_hold_tells_what_that_seat_loses():
    model, state = endless({0: (1, 50, 0, 0, 0), 1: (0, 2, 0, 0, 0)})
    offer = make_offer(1, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    asked = model.step(state, (offer,), Rng(0))
    after = model.step(asked, (make("accept"),), Rng(0))
    assert [after.hand(seat)[1] for seat in (0, 1)] == [50, 1]
    assert model.events(after)[1:] == (Event("lose", 0, (0, 1, 0, 0, 0)),)


def test_dice_tell_what_the_hands_could_take():
    """With full hands nobody gains, whatever the dice say."""
    full = (50,) * 5
    model, state = endless(dict.fromkeys(range(4), full), phase="dice")
    for outcome, _ in model.chance(state):
        if outcome != 7:
            assert model.events(model.resolve(state, outcome)) == (Event("dice", None, (outcome,)),)


def test_exchanges_unasked_tell_that_the_offer_was_carried_out():
    model = CATAN.model.with_exchanges()
    state, rng = CATAN.start(Rng(1)), Rng(1)
    for _ in range(400):
        model.settle(state, rng)
        legal = model.legal(state, model.to_act(state)[0])
        offers = [action for action in legal if type_of(action) == "offer"]
        if offers:
            before = [state.hand(seat) for seat in range(4)]
            model.advance(state, (offers[0],), rng)
            offer, accept = model.events(state)[:2]
            assert (offer.kind, accept.kind, accept.seat) == ("offer", "accept", offer.detail[0])
            assert [state.hand(seat) for seat in range(4)] != before
            return
        model.advance(state, (rng.choice(legal),), rng)
    pytest.fail("no offer was legal")


def test_a_game_that_is_over_tells_its_end_once():
    model = CATAN.model.metered(Meter())
    *_, last = game_of("catan/weighted", 0)
    assert model.events(last.after)[-1].kind == "win"
    assert model.events(model.step(last.after, (), Rng(0))) == ()


def test_events_name_the_actions_that_can_be_behind_them():
    model = CATAN.model.metered(Meter())
    for seed in range(3):
        for passage in random_game(CATAN, seed):
            if seats := model.to_act(passage.before):
                action = passage.made_up[0].detail
                for seat in (None, *range(4)):
                    behind = actions_behind(model.events(passage.after, seat)[0])
                    assert action in behind
                    assert len(behind) == 1 or (type_of(action) == "discard" and seat != seats[0])


# Those who live on events


@pytest.mark.parametrize("seed", range(20))
def test_a_believed_model_never_contradicts_the_true_counts_in_a_scripted_game(seed):
    """Hypotheses that follow the events have the true sizes, bank and pile; so has the truth."""
    model = CATAN.model.metered(Meter())
    seat = seed % 4
    belief = None
    for passage in game_of(SCRIPTS[seed % len(SCRIPTS)], seed):
        view = model.view(passage.before, seat)
        belief = belief or ParticleBelief(model, view, 60, Rng(seed))
        # The truth as one who only saw the table could hold it: without a past.
        truth = Hypothesis(CATAN.parse(str(passage.before)), 1.0, 0)
        belief.events, belief.hypotheses = [], [truth, *belief.hypotheses[:2]]
        for event in model.events(passage.after, seat):
            belief.observe(event)
        belief.explain(final=True)
        states = [one.state for one in belief.hypotheses]
        assert passage.after in states, "the events refute the truth"
        for state in states:
            assert public(state) == public(passage.after)


def public(state):
    return (
        [state.size(seat) for seat in range(4)],
        [state.held_size(seat) + state.fresh_size(seat) for seat in range(4)],
        state.bank,
        state.deck_size,
        state.robber,
    )


@pytest.mark.parametrize("agent", SCRIPTS)
def test_a_settlers_count_of_its_own_hand_is_exact(agent):
    model = CATAN.model.metered(Meter())
    for seed in range(2):
        trackers = [HandTracker(4) for _ in range(4)]
        for passage in game_of(agent, seed):
            for seat, tracker in enumerate(trackers):
                for event in model.events(passage.after, seat):
                    tracker.observe(event)
                assert tracker.hands[seat] == list(passage.after.hand(seat))

"""What is true of every game of Hearthstone, whatever the cards."""

from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.errors import NoConsistentState
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import Hearthstone, _native

FLAT = Hearthstone(decks="random/random", cards="competition", places="all")
KNOWN = Hearthstone()
STAGED = Hearthstone(decks="random/random", cards="competition", places="all", actions="staged")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_random_games_stay_consistent_and_end(seed):
    model, rng = FLAT.model, Rng(seed)
    state = FLAT.start(rng)
    for _ in range(5000):
        assert model.consistent(state)
        if model.over(state):
            break
        legal = model.legal(state, state.active)
        model.advance(state, (legal[rng.below(len(legal))],), rng)
    assert model.over(state)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_stages_lead_to_exactly_the_whole_actions(seed):
    model, rng = STAGED.model, Rng(seed)
    state = STAGED.start(rng)
    for _ in range(40):
        if model.over(state):
            break
        flat = list(model.flat_legal(state))
        action = flat[rng.below(len(flat))]
        whole = state.copy()
        model.apply_flat(whole, action, Rng(seed).fork("dice"))
        # Follow the stages that agree with the whole action.
        for _ in range(3):
            offered = model.legal(state, state.active)
            part = max(one for one in offered if one <= action)
            assert agrees(part, action)
            model.advance(state, (part,), Rng(seed).fork("dice"))
            if state.stage == 0:
                break
        assert state == whole


def agrees(part: int, action: int) -> bool:
    """Whether an action begins with this part: a target or place of 0 is not settled yet."""
    mine, whole = _native.unpack(part), _native.unpack(action)
    return mine[:3] == whole[:3] and mine[3] in (0, whole[3]) and mine[4] in (0, whole[4])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_cards_of_the_own_side_are_never_lost_from_view(seed):
    model, rng = FLAT.model, Rng(seed)
    state = FLAT.start(rng)
    for _ in range(60):
        if model.over(state):
            break
        for seat in (0, 1):
            view = model.view(state, seat)
            imagined = model.imagine(view, rng)
            mine, seen = state.player(seat), imagined.player(seat)
            assert mine["hand"] == seen["hand"]
            assert sorted(mine["deck"]) == sorted(seen["deck"])
            assert len(state.player(1 - seat)["hand"]) == len(imagined.player(1 - seat)["hand"])
        legal = model.legal(state, state.active)
        model.advance(state, (legal[rng.below(len(legal))],), rng)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_impossible_observations_are_refused_in_one_sentence(data):
    state = KNOWN.start(Rng(1))
    view = KNOWN.model.view(state, 0)
    noise = data.draw(st.binary(min_size=1, max_size=40))
    at = data.draw(st.integers(0, len(view.seen) - len(noise)))
    seen = view.seen[:at] + noise + view.seen[at + len(noise) :]
    count = data.draw(st.integers(0, len(view.unseen) + 5))
    unseen = (view.unseen * 2)[:count]
    spoilt = dataclasses.replace(view, seen=seen, unseen=unseen)
    refused = False
    try:
        KNOWN.model.imagine(spoilt, Rng(2))
    except NoConsistentState:
        refused = True
    assert refused or count == len(view.unseen)

"""The notation of positions, with names, and the compact text that hashes are made of."""

import hashlib
from pathlib import Path

import pytest
from catan_tables import FIXED, table, two

from ludex.core import Rng, registry
from ludex.core.errors import InvalidState

CATAN = registry.world("catan")
OLD = Path(__file__).parents[3] / "golden" / "catan_board.txt"


def states(world, seed):
    state, rng = world.start(Rng(seed)), Rng(seed)
    while True:
        yield state
        world.model.settle(state, rng)
        acting = world.model.to_act(state)
        if not acting:
            return
        yield state
        actions = list(world.model.legal(state, acting[0]))
        state = world.model.step(state, (rng.choice(actions),), rng)


@pytest.mark.parametrize("text", ["catan", "catan[seats=2,bank=infinite]", "catan[view=open]"])
def test_both_texts_of_every_state_of_a_game_are_read(text):
    world, phases = registry.world(text), set()
    for state in states(world, seed=3):
        assert world.parse(str(state)) == state
        assert world.parse(state.compact()) == state
        phases.add(state.phase)
    assert {"main", "discard", "robber", "answer"} <= phases


def test_the_notation_names_lands_cards_seats_and_what_a_seat_has():
    rows = two(hand=(1, 0, 0, 2, 0), held=(1, 0, 0, 0, 1))
    text = str(table(rows))
    assert "hexes=ore10,sheep2,wood9," in text
    assert " current=seat0 phase=main rolled=yes" in text
    assert "hand:1clay+2wheat;cards:1knight+1point" in text
    assert " seat2=nothing" in text
    assert "/" not in text


def test_a_position_of_the_first_notation_is_read_and_keeps_its_hash():
    old = OLD.read_text().strip()
    state = CATAN.parse(old)
    assert state.compact() == old
    assert CATAN.fingerprint(state) == hashlib.blake2b(old.encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("seat1=roads:71", "seat1=roads:71,70"), "in ascending order"),
        (("hand:1clay", "hand:1gold"), "should be what the seat has"),
        (("hand:1clay", "hand:01clay"), "should be what the seat has"),
        (("current=seat0", "current=red"), "should be a seat from seat0 to seat3"),
        (("rolled=yes", "rolled=no"), "should be yes"),
        (("hexes=ore10", "hexes=or10"), "not in their order"),  # the two are not mixed
        (("seat2=nothing", "seat2="), "should be what the seat has"),
    ],
)
def test_what_is_no_position_is_refused_in_one_sentence(change, problem):
    text = str(table(two(hand=(1, 0, 0, 0, 0))))
    assert FIXED.parse(text)
    assert change[0] in text
    with pytest.raises(InvalidState, match=problem):
        FIXED.parse(text.replace(*change))


def test_keys_leave_out_what_is_ignored():
    state = table(two())
    later = FIXED.parse(str(state).replace("turn=8", "turn=12"))
    key = FIXED.model.key
    assert key(state) != key(later)
    assert key(state, ignore=("turn",)) == key(later, ignore=("turn",))

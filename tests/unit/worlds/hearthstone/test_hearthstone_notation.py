"""States in words: names of cards, nothing that cards print, and exactly the state again."""

from __future__ import annotations

import pytest

from ludex.core import Rng
from ludex.core.errors import InvalidState
from ludex.worlds.hearthstone import Hearthstone

WORLDS = {
    "one deck": {},
    "priest and hunter": {"decks": "random/random", "heroes": "priest/hunter"},
    "later cards": {"decks": "zoo_warlock/jade_shaman", "cards": "competition"},
    "every option": {
        "decks": "random/random",
        "heroes": "druid/rogue",
        "cards": "competition",
        "actions": "staged",
        "places": "all",
        "mulligan": True,
    },
}


def states(world, seed):
    model, rng = world.model, Rng(seed)
    state = world.start(rng)
    yield state
    while not model.over(state):
        legal = model.legal(state, model.to_act(state)[0])
        state = world.step(state, (legal[rng.below(len(legal))],), rng)
        yield state


@pytest.mark.parametrize("options", WORLDS.values(), ids=WORLDS)
def test_every_state_of_random_games_reads_back_from_its_words(options):
    world = Hearthstone(**options)
    for seed in range(3):
        for state in states(world, seed):
            words = world.state_text(state)
            assert world.parse(words) == state
            assert world.parse(str(state)) == state  # as it was written before


def test_the_words_name_cards_and_leave_out_what_they_print():
    world = Hearthstone(first="0")
    words = world.state_text(world.start(Rng(3)))
    assert words.startswith("hearthstone turn=1 p0 hero=Jaina-Proudmoore health=30 mana=1/1 hand=")
    assert "The-Coin(known,foreign)" in words
    assert "power=" not in words  # it is the hero's own


BY_HAND = (
    "hearthstone turn=9 p0 hero=Jaina-Proudmoore mana=5/5 hand=Fireball,the-coin deck=Wisp "
    "weapon=Fiery-War-Axe board=Mana-Wyrm(3/2),Senjin-Shieldmasta(5/1,frozen,buff+2/+0:this-turn) "
    "p1 hero=Garrosh-Hellscream health=12 mana=0/4 secrets=Ice-Block board=CS2_mirror,Raid-Leader"
)


def test_a_position_can_be_written_by_hand():
    world = Hearthstone()
    state = world.parse(BY_HAND)
    facts = world.model.described(state)
    mine, theirs = facts["players"]
    names = [world.tables.card(minion["card"]).name for minion in mine["board"]]
    assert names == ["Mana Wyrm", "Sen'jin Shieldmasta"]
    assert [(one["attack"], one["health"], one["max_health"]) for one in mine["board"]] == [
        (3, 2, 3),
        (5, 1, 5),
    ]
    assert (mine["weapon_attack"], mine["durability"]) == (3, 2)
    assert [one["order"] for one in mine["board"]] == [2, 3]
    assert theirs["board"][0]["health"] == 2  # the token, which has the name of its spell
    assert world.parse(world.state_text(state)) == state


@pytest.mark.parametrize(
    ("wrong", "right", "problem"),
    [
        ("Fireball", "Firebal", "there is no card 'Firebal'; did you mean 'Fireball'"),
        ("turn=9", "turn=nine", "turn is a number, not 'nine'"),
        ("frozen", "frosen", "cannot read 'frosen' in board"),
        ("buff+2/+0", "buff2", "expected a change such as"),
        ("p0", "q0", "expected NAME=VALUE, p0 or p1, found 'q0'"),
        ("turn=9", "turn=9 phase=night", "unknown phase 'night'"),
        ("health=12", "strength=12", "as a state of hearthstone"),
        ("Wisp", "Wisp)", "cannot read|there is no card"),
        ("mana=5/5", "mana=5/11", "as a state of hearthstone"),
    ],
)
def test_a_mistake_in_a_position_is_named(wrong, right, problem):
    with pytest.raises(InvalidState, match=problem):
        Hearthstone().parse(BY_HAND.replace(wrong, right, 1))

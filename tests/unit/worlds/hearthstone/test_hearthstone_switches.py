"""What the released program of the Nora study did otherwise, each thing behind its own switch."""

from __future__ import annotations

import numpy as np
import pytest
from hearthstone_forest import one_test
from hearthstone_position import ATTACK, END, PLAY, POWER, Game

import ludex
from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.forests import Arrays
from ludex.agents.hearthstone.learning.samples import GROUPS, sample_world, study_numbers
from ludex.core import registry
from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import profiles
from ludex.worlds.hearthstone._native import pack, unpack

CLASSIC = profiles.load("classic")
NUMBERS = study_numbers(CLASSIC)
STATE = 176
OWN_HEALTH = 9  # its place in the state vector


NOTHING = Arrays.constant(0.0).native()


@pytest.mark.parametrize(("switch", "attacks"), [(0, False), (1, True)])
def test_frozen_hero_can_attack(switch, attacks):
    game = Game(
        {"hand": ["Frostbolt"], "weapon": "Fiery War Axe"}, frozen_hero_can_attack=switch
    ).play("Frostbolt", "me")
    assert bool(game.can(ATTACK, 7)) == attacks


@pytest.mark.parametrize(("profile", "health"), [("classic", 3), ("nora2015", 2)])
def test_swipe_includes_its_target_in_the_cards_of_the_study(profile, health):
    game = Game({"hand": ["Swipe"]}, {"board": ["War Golem"]}, tables=profiles.load(profile))
    game.play("Swipe", "e1")
    assert game.board("foe") == [f"War Golem 7/{health}"]
    assert game.foe["health"] == 29


@pytest.mark.parametrize(("profile", "armour"), [("classic", 2), ("nora2015", 1)])
def test_claw_gives_one_armour_in_the_cards_of_the_study(profile, armour):
    game = Game({"hand": ["Claw"]}, tables=profiles.load(profile)).play("Claw")
    assert game.me["armour"] == armour


def test_the_cards_of_the_study_keep_their_numbers():
    released = profiles.load("nora2015")
    assert [card.key for card in released.cards] == [card.key for card in CLASSIC.cards]


@pytest.mark.parametrize(("bug", "target"), [(False, 1), (True, 2)])
def test_heal_sign_bug(bug, target):
    game = Game({"hand": ["Healing Touch"], "health": 20, "mana": 3}, {"health": 15})
    action = _native.scripted_move(game.model, game.state, heal_sign_bug=bug)
    assert unpack(action)[3] == target


@pytest.mark.parametrize(("ignored", "card"), [(True, 0), (False, 1)])
def test_group_mask_ignored(ignored, card):
    # Flamestrike kills a 1/1, worth 2; with the hero that it spares it seems to be worth 6.
    game = Game(
        {"hand": ["Flamestrike", "Goldshire Footman"], "mana": 7}, {"board": ["Stonetusk Boar"]}
    )
    action = _native.scripted_move(game.model, game.state, group_mask_ignored=ignored)
    assert unpack(action)[:2] == (1, card)


@pytest.mark.parametrize(("bug", "target"), [(False, 3), (True, 1)])
def test_target_state_bug(bug, target):
    # All targets are as good where the own health is seen; the last is taken. With the fault the
    # row of the first target holds the number of own minions in its place, the others 0.
    game = Game({"board": ["Wisp"]}, tables=CLASSIC)
    healthy = one_test(OWN_HEALTH, 0, 0.0, 1.0)
    nora = _native.Nora(game.model, NOTHING, healthy, NOTHING, NUMBERS, target_state_bug=bug)
    fireblast = pack(POWER, 0, 0, 2)
    best, _ = _native.nora_aim(game.model, game.state, nora, fireblast, Rng(1))
    assert unpack(best)[3] == target


def test_nora_aims_a_card_whose_other_half_has_no_target():
    game = Game({"hand": ["Starfall"]}, {"board": ["Wisp"]}, tables=CLASSIC)
    aimed = [one for one in game.model.flat_legal(game.state) if unpack(one)[0] == PLAY]
    assert {bool(unpack(one)[3]) for one in aimed} == {True, False}
    starfall = next(one for one in aimed if unpack(one)[3])
    nora = _native.Nora(game.model, NOTHING, NOTHING, NOTHING, NUMBERS)
    best, estimates = _native.nora_aim(game.model, game.state, nora, starfall, Rng(1))
    assert best == starfall
    assert [one for one, _, _ in estimates] == [starfall]


@pytest.mark.parametrize(("bug", "kind"), [(False, END), (True, POWER)])
def test_power_id_is_hero_id(bug, kind):
    # The hero is number 2 of the study and its power number 3; only 2 is good here.
    game = Game(tables=CLASSIC)
    hero_alone = one_test(STATE, 2, 1.0, 0.0)
    nora = _native.Nora(
        game.model,
        hero_alone,
        NOTHING,
        NOTHING,
        NUMBERS,
        threshold=0.5,
        power_id_is_hero_id=bug,
    )
    action, _ = _native.nora_move(game.model, game.state, nora, Rng(1))
    assert unpack(action)[0] == kind


@pytest.mark.parametrize("counts", [True, False])
def test_silence_counts_as_enchanted(counts):
    game = Game({"hand": ["Ironbeak Owl"]}, {"board": ["Chillwind Yeti"]}, tables=CLASSIC)
    game.play("Ironbeak Owl", "e1")
    vector = _native.state_vector(game.model, game.state, 0, NUMBERS, Rng(1), counts)
    theirs = vector[60:109].reshape(7, 7)
    [yeti] = theirs[theirs[:, 0] >= 0].tolist()
    assert yeti == [25, 1, 5, 4, int(counts), 1, 0]


def test_samples_are_made_with_the_silence_that_is_asked_for():
    model = registry.world(sample_world("classic")).model
    made = [
        _native.samples(model, NUMBERS, 1, 0, 40, 10**9, silence_counts_as_enchanted=counts)
        for counts in (True, False)
    ]
    minions = [one["play"][0][:, 11:109].reshape(-1, 7) for one in made]
    silenced = minions[0][:, 5] == 1
    assert silenced.any()
    assert (minions[0][silenced, 4] == 1).all()
    assert (minions[1][silenced, 4] == 0).any()
    assert (minions[0][~silenced] == minions[1][~silenced]).all()


def numbered(start: int, stop: int) -> learning.Chunk:
    """Rows that hold their number; even ones are good."""
    rows = np.arange(start, stop, dtype=np.int16).reshape(-1, 1)
    rewards = np.where(rows[:, 0] % 2 == 0, 1.0, -1.0).astype(np.float32)
    return {group: (rows, rewards, len(rows), 0) for group in GROUPS}


def test_rows_to_be_judged_by_can_follow_those_of_the_same_run():
    found = [numbered(0, 3), numbered(3, 9), numbered(9, 12)]
    first = learning.gather(iter(found), 2)
    later = learning.gather(iter(found), 2, skipped=2)
    assert first["play"].rows[:, 0].tolist() == [0, 1, 2, 3]
    assert later["play"].rows[:, 0].tolist() == [4, 5, 6, 7]
    assert later["play"].good.tolist() == [True, False, True, False]


@pytest.mark.parametrize(("same_run", "skipped"), [(False, 0), (True, 30)])
def test_test_from_same_run(monkeypatch, same_run, skipped):
    asked = []

    def gather(found, samples, tell=None, skipped=0):
        asked.append((next(found), skipped))
        raise StopIteration

    monkeypatch.setattr(learning, "gather", gather)
    monkeypatch.setattr(learning, "chunks", lambda source, workers: iter([source]))
    recipe = learning.Recipe(samples=30, test_from_same_run=same_run)
    with pytest.raises(StopIteration):
        learning.assess({}, recipe)
    [(source, after)] = asked
    assert after == skipped
    assert (source == recipe.source(learning.LEARNED)) == same_run


def test_samples_come_from_the_cards_of_the_study_unless_others_are_named():
    assert registry.world(sample_world()).cards == "nora2015"
    assert registry.world(sample_world("classic")).cards == "classic"


def test_players_and_worlds_take_their_switches_as_text():
    scripted = ludex.agent("hearthstone/scripted(heal_sign_bug=true,group_mask_ignored=false)")
    assert (scripted.heal_sign_bug, scripted.group_mask_ignored) == (True, False)
    nora = ludex.agent("hearthstone/nora(power_id_is_hero_id=true)")
    assert nora.faults == {"power_id_is_hero_id"}
    with pytest.raises(BadParameter):
        registry.world("hearthstone[frozen_hero_can_attack=perhaps]")

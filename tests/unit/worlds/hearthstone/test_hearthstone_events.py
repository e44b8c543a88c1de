"""Hearthstone tells of every card that comes or goes, and each player only what it may know."""

from __future__ import annotations

import pytest
from hearthstone_position import Game

from ludex.core import registry
from ludex.core.event import Event
from ludex.core.rng import Meter, Rng
from ludex.testing.checks.events import follow
from ludex.testing.games import random_game
from ludex.worlds.hearthstone.notation import told
from ludex.worlds.hearthstone.tracker import public_counts
from ludex.worlds.hearthstone.world import Hearthstone

CLASSIC = Hearthstone(places="all")


class Followed(Game):
    """A position that both players count along; they must be right after every action."""

    def __init__(self, mine=None, theirs=None, world=CLASSIC):
        super().__init__(mine, theirs, tables=world.tables)
        self.world, self.model = world, world.model.metered(Meter())
        order = iter(range(1, 100))
        players = [self.side(side or {}, order) for side in (mine, theirs)]
        self.state = self.model.built({"active": 0, "turn": 9, "players": players})
        self.trackers = [world.tracker(self.model.view(self.state, seat)) for seat in (0, 1)]

    def do(self, action):
        super().do(action)
        for seat, tracker in enumerate(self.trackers):
            for event in self.told(seat):
                tracker.observe(event)
            assert tracker.counts() == public_counts(self.model.view(self.state, seat))
        return self

    def told(self, seat=None):
        return self.model.events(self.state, seat)

    def kinds(self, seat=None):
        return [event.kind for event in self.told(seat)]

    def of_kind(self, kind, seat=None):
        return [event.detail for event in self.told(seat) if event.kind == kind]


def test_cards_drawn_by_race_are_told_to_their_owner_alone():
    game = Followed({"hand": ["Sense Demons"], "deck": ["Wisp", "Voidwalker", "Flame Imp"]})
    game.play("Sense Demons")
    drawn = {game.number("Voidwalker"), game.number("Flame Imp")}
    assert set(game.of_kind("draw", 0)) == drawn
    assert game.of_kind("draw", 1) == [None, None]


def test_a_card_got_in_secret_is_told_without_its_name_to_the_other():
    game = Followed({"hand": ["Thoughtsteal"]}, {"deck": ["Wisp", "Wisp"]})
    game.play("Thoughtsteal")
    assert game.of_kind("receive", 0) == [game.number("Wisp")] * 2
    assert game.of_kind("receive", 1) == [None, None]


def test_a_card_that_both_saw_come_to_a_hand_is_told_to_both():
    game = Followed({"hand": ["Sap"]}, {"board": ["Wisp"]})
    game.play("Sap", "e1")
    for seat in (0, 1):
        assert game.of_kind("receive", seat) == game.of_kind("leave", seat) == [game.number("Wisp")]


def test_a_minion_that_changes_places_with_one_in_hand_is_told():
    game = Followed({}, {"board": ["Alarm-o-Bot"], "hand": ["Wisp"], "deck": ["Boulderfist Ogre"]})
    game.end_turn()
    wanted = ["turn", "leave_hand", "leave", "receive", "summon", "draw"]
    assert [kind for kind in game.kinds(0) if kind != "standing"] == wanted
    assert game.of_kind("leave_hand", 0) == [None]


@pytest.mark.parametrize(
    ("spell", "old", "new", "sides"),
    [("Polymorph", "Wisp", "Sheep", (1, 1)), ("Mind Control", "Wisp", "Wisp", (1, 0))],
)
def test_a_minion_that_becomes_another_or_goes_over_leaves_and_joins(spell, old, new, sides):
    game = Followed({"hand": [spell]}, {"board": [old]})
    game.play(spell, "e1")
    changes = [event for event in game.told(1) if event.kind in ("leave", "join")]
    assert changes == [
        Event("leave", sides[0], game.number(old)),
        Event("join", sides[1], game.number(new)),
    ]


def test_weapons_are_told_when_taken_up_and_when_they_break():
    game = Followed({"hand": ["Fiery War Axe", "Arcanite Reaper"]})
    game.play("Fiery War Axe").play("Arcanite Reaper")
    assert game.of_kind("unequip") == [game.number("Fiery War Axe")]
    assert game.of_kind("equip") == [game.number("Arcanite Reaper")]


def test_secrets_are_counted_by_both_and_named_to_one():
    game = Followed({"hand": ["Counterspell"]}, {"hand": ["Flare"], "deck": ["Wisp", "Wisp"]})
    game.play("Counterspell")
    assert game.of_kind("lay", 0) == game.of_kind("play", 0) == [game.number("Counterspell")]
    assert game.of_kind("lay", 1) == game.of_kind("play", 1) == [None]


def test_secrets_that_are_destroyed_are_not_named():
    game = Followed({"hand": ["Flare"], "deck": ["Wisp"]}, {"secrets": ["Ice Block"]})
    game.play("Flare")
    assert game.of_kind("lose_secret", 0) == [None]
    assert game.of_kind("lose_secret", 1) == [game.number("Ice Block")]


def test_a_spell_that_is_stopped_lays_no_secret():
    game = Followed({"hand": ["Mirror Entity"]}, {"secrets": ["Counterspell"]})
    game.play("Mirror Entity")
    assert "reveal" in game.kinds(1)
    assert "lay" not in game.kinds(1)


def test_tracking_tells_its_owner_what_is_kept_and_what_is_lost():
    deck = ["Wisp", "Fireball", "Sprint", "Sheep"]
    game = Followed({"hand": ["Tracking"], "deck": deck})
    game.play("Tracking").choose(1)
    assert len(game.of_kind("draw", 0)) == 1
    assert len(game.of_kind("leave_deck", 0)) == 2
    assert set(game.of_kind("leave_deck", 1)) == {None}


def test_heroes_that_are_hurt_and_mana_that_is_spent_are_told_as_they_stand():
    game = Followed({"hand": ["Fireball"]})
    game.play("Fireball", "foe")
    mine, theirs = (event for event in game.told(1) if event.kind == "standing")
    assert mine == Event("standing", 0, (30, 0, 6, 10, 0, 0))
    assert theirs == Event("standing", 1, (24, 0, 10, 10, 0, 0))
    assert told(mine, 1, CLASSIC.tables) == ""  # the board shows it


def test_a_step_that_tells_more_than_there_is_room_for_tells_how_the_table_stands(tmp_path):
    file = tmp_path / "own.cards"
    file.write_text('spell T_1 "Flood" mage rare 3 mana\n  cast: draw 60\n')
    world = Hearthstone(places="all", file=str(file))
    health = {"health": 3000, "max_health": 3000}
    game = Followed({"hand": ["T_1"], "deck": ["Wisp"] * 20, **health}, world=world)
    game.play("T_1")  # twenty cards, then one wound after the other
    tables = [event for event in game.told(1) if event.kind == "table"]
    assert [event.seat for event in tables] == [0, 1]
    assert tables[0].detail[-1] is None, "the hand is shown to its owner alone"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event("throw", 1, None), "foe puts a card back into the deck"),
        (Event("leave_hand", 0, None), "you take a card from the hand"),
        (Event("leave", 1, None), "a card leaves the board of foe"),
        (Event("lay", 1, None), "foe lays a secret"),
        (Event("attack", 1, None), "foe attacks with the hero"),
        (Event("aim", 0, None), "  at your hero"),
        (Event("aim", 1, CLASSIC.tables.numbers["CS2_182"]), "  at foe's Chillwind Yeti"),
        (Event("turn", 1, None), "foe's turn begins"),
        (Event("fatigue", 0, None), "you are hurt by drawing from an empty deck"),
        (Event("table", 1, ()), "there is more than is told of foe"),
    ],
)
def test_events_are_told_to_humans(event, text):
    assert told(event, 0, CLASSIC.tables) == text


def test_a_mulligan_tells_its_owner_which_cards_went_and_came():
    world = registry.world("hearthstone[mulligan=true]")
    model = world.model.metered(Meter())
    state = world.start(Rng(0))
    seat = model.to_act(state)[0]
    throw = model.legal(state, seat)[-1]
    after = model.step(state, (throw,), Rng(1))
    own = [card[0] for card in state.player(seat)["hand"]]
    mulligan, *moves = model.events(after, seat)
    thrown = [event.detail for event in moves if event.kind == "throw"]
    assert mulligan.detail == len(thrown) == len(own)
    assert sorted(thrown) == sorted(own)
    others = {event.detail for event in model.events(after, 1 - seat)[1:]}
    assert others == {None}


def test_what_is_aimed_at_is_told_with_its_owner():
    game = Followed({"hand": ["Fireball"], "board": ["Wisp"]}, {"board": ["Chillwind Yeti"]})
    game.play("Fireball", "e1")
    assert [(e.kind, e.seat, e.detail) for e in game.told(1)][:2] == [
        ("play", 0, game.number("Fireball")),
        ("aim", 1, game.number("Chillwind Yeti")),
    ]
    game.attack("m1", "foe")
    assert [(e.kind, e.seat, e.detail) for e in game.told(1)][:2] == [
        ("attack", 0, game.number("Wisp")),
        ("aim", 1, None),
    ]


def test_a_part_of_an_action_is_told():
    world = registry.world("hearthstone[actions=staged]")
    model = world.model.metered(Meter())
    for passage in random_game(world, 0):
        parts = [event for event in model.events(passage.after) if event.kind == "part"]
        assert bool(parts) == bool(passage.after.stage)
        assert all(event.detail == passage.after.prefix for event in parts)


@pytest.mark.parametrize(
    "options",
    [
        "decks=random/random,heroes=hunter/rogue",
        "decks=random/random,heroes=priest/warlock,mulligan=true",
        "decks=random/random,heroes=druid/paladin,cards=nora2015",
        "decks=random/random,heroes=shaman/warrior,cards=competition,actions=staged",
    ],
)
def test_random_decks_of_all_cards_can_be_counted_along(options):
    world = registry.world(f"hearthstone[{options}]")
    for seed in range(25):
        follow(world, random_game(world, seed))

"""The rules of Hearthstone, worked by hand; H numbers are those of the rules reference."""

from __future__ import annotations

import pytest
from hearthstone_position import ATTACK, PLAY, POWER, Game

from ludex.core.rng import Rng
from ludex.worlds.hearthstone import Hearthstone, profiles

TEN = ["Wisp"] * 10


def test_a_card_drawn_into_a_full_hand_is_burned():  # H1
    game = Game({"hand": TEN, "deck": ["Fireball"], "hero": "warlock"}).power()
    assert (game.hand(), game.me["deck"]) == (["Wisp"] * 10, [])


def test_empty_decks_hurt_more_each_time():  # H2
    game = Game({"hand": ["Arcane Intellect"]}).play("Arcane Intellect")
    assert game.me["health"] == 30 - 1 - 2


def test_a_full_board_stops_the_power_and_cuts_summons():  # H3
    full = Game({"board": ["Wisp"] * 7, "hero": "paladin"})
    assert full.can(POWER) == []
    six = Game({"board": ["Wisp"] * 6, "hand": ["Mirror Image"]}).play("Mirror Image")
    assert len(six.board()) == 7


def test_two_that_kill_each_other_leave_together_and_the_elder_speaks_first():  # H4
    game = Game({"board": ["Loot Hoarder"], "deck": ["Fireball"]}, {"board": ["Leper Gnome"]})
    game.attack("m1", "e1")
    assert (game.board(), game.board("foe")) == ([], [])
    assert game.hand() == ["Fireball"]
    assert game.me["health"] == 28


def test_divine_shield_takes_one_hit():  # H5
    game = Game({"hand": ["Arcane Explosion"]}, {"board": ["Argent Squire"]})
    assert game.play("Arcane Explosion").board("foe") == ["Argent Squire 1/1"]
    assert not game.foe["board"][0]["all_keywords"] & 2


def test_frozen_in_the_enemys_turn_misses_exactly_one_attack():  # H6
    game = Game({"hand": ["Frostbolt"]}, {"board": ["Chillwind Yeti"]})
    game.play("Frostbolt", "e1").end_turn()
    assert game.can(ATTACK) == []
    game.end_turn().end_turn()
    assert len(game.can(ATTACK)) == 1


def test_losing_a_health_aura_never_kills():  # H7
    game = Game(
        {"board": ["Stormwind Champion", {"name": "Wisp", "damage": 1}]},
        {"hand": ["Assassinate"]},
    )
    assert game.board()[1] == "Wisp 2/1"
    game.end_turn().play("Assassinate", "e1")
    assert game.board("foe") == ["Wisp 1/1"]


def test_losing_an_aura_lowers_the_maximum_and_keeps_current_health():  # H8
    game = Game(
        {"board": ["Stormwind Champion", {"name": "Chillwind Yeti", "damage": 3}]},
        {"hand": ["Assassinate"]},
    )
    assert game.board()[1] == "Chillwind Yeti 5/3"
    game.end_turn().play("Assassinate", "e1")
    assert game.foe["board"][0]["max_health"] == 5
    assert game.board("foe") == ["Chillwind Yeti 4/3"]


def test_silence_takes_health_only_down_to_the_printed_maximum():  # H9
    game = Game(
        {"hand": ["Blessing of Kings", "Silence"], "board": [{"name": "Ogre Magi", "damage": 2}]}
    )
    game.play("Blessing of Kings", "m1")
    assert game.board() == ["Ogre Magi 8/6"]
    assert game.play("Silence", "m1").board() == ["Ogre Magi 4/4"]


def test_overload_locks_crystals_of_the_next_turn():  # H10
    game = Game({"hand": ["Dust Devil"], "crystals": 5, "mana": 5})
    game.play("Dust Devil").end_turn().end_turn()
    assert (game.me["crystals"], game.me["mana"]) == (6, 4)


def test_the_coin_makes_a_combo():  # H11
    game = Game({"hand": ["The Coin", "Eviscerate"]}).play("The Coin").play("Eviscerate", "foe")
    assert game.foe["health"] == 26


def test_a_countered_coin_still_counts_as_played():  # H12
    game = Game(
        {"hand": ["The Coin", "Eviscerate"], "mana": 2, "crystals": 2},
        {"secrets": ["Counterspell"]},
    )
    game.play("The Coin")
    assert (game.me["mana"], game.foe["secrets"]) == (2, [])
    assert game.play("Eviscerate", "foe").foe["health"] == 26


def test_vaporize_before_explosive_trap_lets_both_go_off():  # H13
    game = Game({"board": ["Chillwind Yeti"]}, {"secrets": ["Vaporize", "Explosive Trap"]})
    game.attack("m1", "foe")
    assert (game.board(), game.foe["secrets"], game.me["health"]) == ([], [], 28)


def test_explosive_trap_that_kills_leaves_vaporize():  # H13
    game = Game({"board": ["Wisp"]}, {"secrets": ["Explosive Trap", "Vaporize"]})
    game.attack("m1", "foe")
    assert (game.board(), len(game.foe["secrets"])) == ([], 1)


def test_noble_sacrifice_needs_room():  # H14
    game = Game({"board": ["Wisp"]}, {"secrets": ["Noble Sacrifice"], "board": ["Wisp"] * 7})
    assert len(game.attack("m1", "foe").foe["secrets"]) == 1


def test_mirror_entity_waits_for_a_minion_that_lives():  # H15
    game = Game({"hand": ["Injured Blademaster"]}, {"secrets": ["Mirror Entity"]})
    game.play("Injured Blademaster")
    assert game.board("foe") == ["Injured Blademaster 4/3"]


def test_the_knife_comes_after_the_battlecry():  # H16
    game = Game(
        {"board": ["Knife Juggler"], "hand": ["Elven Archer"]}, {"board": ["Wisp"], "health": 30}
    )
    game.play("Elven Archer", "e1")
    assert (game.board("foe"), game.foe["health"]) == ([], 29)


def test_a_pyromancer_killed_by_the_spell_does_not_burn():  # H17
    game = Game({"board": ["Wild Pyromancer"], "hand": ["Fireball"]}, {"board": ["Wisp"]})
    game.play("Fireball", "m1")
    assert game.board("foe") == ["Wisp 1/1"]


def test_both_heroes_falling_at_once_is_a_draw():  # H18
    game = Game({"hand": ["Hellfire"], "health": 1}, {"health": 1}).play("Hellfire")
    assert (game.state.phase, game.state.winner) == (3, 2)


def test_a_windfury_minion_frozen_by_its_target_is_frozen_through_its_next_turn():  # H19
    game = Game({"board": ["Windfury Harpy"]}, {"board": ["Water Elemental"]})
    game.attack("m1", "e1")
    assert game.can(ATTACK) == []
    game.end_turn().end_turn()
    assert game.can(ATTACK) == []


def test_faceless_copies_wounds_and_blessings():  # H20
    game = Game(
        {"hand": ["Blessing of Kings", "Faceless Manipulator"]},
        {"board": [{"name": "Chillwind Yeti", "damage": 2}]},
    )
    game.play("Blessing of Kings", "e1").play("Faceless Manipulator", "e1")
    assert game.board() == ["Chillwind Yeti 8/7"]


def test_mind_control_needs_room_and_sylvanas_destroys_without():  # H21
    full = Game({"hand": ["Mind Control"], "board": ["Wisp"] * 7}, {"board": ["Chillwind Yeti"]})
    assert full.can(PLAY) == []
    game = Game({"board": ["Sylvanas Windrunner"]}, {"board": ["Boulderfist Ogre"]})
    game.attack("m1", "e1")
    assert (game.board(), game.board("foe")) == (["Boulderfist Ogre 6/2"], [])


def test_doomsayer_takes_all_at_once():  # H22
    game = Game({"board": ["Doomsayer", "Wisp"]}, {"board": ["Chillwind Yeti"]})
    game.end_turn().end_turn()
    assert (game.board(), game.board("foe")) == ([], [])


@pytest.mark.parametrize(
    ("card", "health"), [("Arcane Missiles", 25), ("Consecration", 26), ("Holy Light", 30)]
)
def test_spell_damage_adds_to_spells_alone(card, health):  # H23
    game = Game({"hand": [card], "board": ["Kobold Geomancer"] * 2, "health": 20})
    game.play(card, "me" if card == "Holy Light" else "")
    assert game.foe["health"] == health
    assert game.power("foe").foe["health"] == health - 1


def test_a_stealthed_taunt_protects_nobody():  # H24
    game = Game({"hand": ["Conceal"], "board": ["Goldshire Footman"]}, {"board": ["Wisp"]})
    game.play("Conceal").end_turn()
    assert [one[3] for one in game.can(ATTACK)] == [2]


def test_execute_needs_a_wounded_enemy_and_battlecries_need_nothing():  # H25
    game = Game({"hand": ["Execute", "Houndmaster"]}, {"board": ["Wisp"]})
    assert [one[1] for one in game.can(PLAY)] == [1]
    assert game.play("Houndmaster").board() == ["Houndmaster 4/3"]


def test_costs_do_not_fall_below_nothing():  # H26
    game = Game({"board": ["Sorcerer's Apprentice"] * 2, "hand": ["Mirror Image", "Fireball"]})
    assert game.me["costs"] == [0, 2]


def test_jaraxxus_is_a_new_hero():  # H27
    game = Game({"hand": ["Lord Jaraxxus"], "health": 4, "armour": 10}).play("Lord Jaraxxus")
    me = game.me
    assert (me["health"], me["max_health"], me["armour"]) == (15, 15, 0)
    assert (me["weapon_attack"], me["durability"], me["board"]) == (3, 8, [])
    assert game.tables.card(me["power"]).name == "INFERNO!"


def test_equality_then_consecration():  # H28
    game = Game(
        {"hand": ["Equality", "Consecration"], "board": ["Chillwind Yeti"]},
        {"board": ["Boulderfist Ogre", "War Golem"]},
    )
    game.play("Equality").play("Consecration")
    assert (game.board(), game.board("foe")) == (["Chillwind Yeti 4/1"], [])


def test_a_minion_survives_the_loss_of_an_attack_aura():  # H29
    game = Game({"board": ["Dire Wolf Alpha", "Wisp"]}, {"hand": ["Assassinate"]})
    game.end_turn().play("Assassinate", "e1")
    assert game.board("foe") == ["Wisp 1/1"]


def test_the_turn_limit_ends_in_a_draw():  # H30
    game = Game(turn_limit=10)
    game.end_turn().end_turn()
    assert (game.state.phase, game.state.winner) == (3, 2)


def test_same_seed_same_game():  # H31
    world = Hearthstone(decks="random/random")
    lines = []
    for _ in range(2):
        model, rng = world.model, Rng(5)
        state = world.start(rng)
        lines.append(str(model.rollout(state, "uniform", 4000, rng).state))
    assert lines[0] == lines[1]


def test_the_other_hand_does_not_change_what_is_seen_or_legal():  # H32
    one, two = (
        Game({"hand": ["Fireball"]}, {"hand": [card], "deck": ["Wisp"]})
        for card in ("Pyroblast", "Wisp")
    )
    assert one.model.masked(one.state, 0) == two.model.masked(two.state, 0)
    assert one.model.flat_legal(one.state) == two.model.flat_legal(two.state)


def test_events_nest_before_what_caused_them_and_elders_speak_first():
    """The trace of the study's section 2.3: A1, A4 within A2, A3, and A5 after A3."""
    text = """
minion T_1 "First" neutral 1 mana 1/9
  when own spell played: damage 1 enemy hero
minion T_2 "Second" neutral 1 mana 1/9
  when own spell played: damage 1 self; armour 10
minion T_3 "Third" neutral 1 mana 1/9
  when own spell played: summon Wisp_T
minion T_4 "Fourth" neutral 1 mana 1/9
  when own minion damaged: add GAME_005
minion T_5 "Fifth" neutral 1 mana 1/9
  after other own minion summoned: add CS2_029
minion Wisp_T "Witness" neutral 0 mana 1/1 token
"""
    tables = profiles.with_text("classic", text)
    game = Game({"board": ["T_1", "T_2", "T_3", "T_4", "T_5"], "hand": ["Moonfire"]}, tables=tables)
    game.play("Moonfire", "foe")
    # A4 gave the coin within A2; A5 came after A3 and gave the fireball last.
    assert game.hand() == ["The Coin", "Fireball"]
    assert (game.foe["health"], game.me["armour"]) == (28, 10)


def test_cards_that_feed_each_other_for_ever_are_stopped():
    text = """
minion T_1 "Echo" neutral 1 mana 1/1
  after own minion summoned: destroy own minions; summon T_2
minion T_2 "Spark" neutral 0 mana 1/1 token
  deathrattle: summon 2 T_2
"""
    tables = profiles.with_text("classic", text)
    game = Game({"board": ["T_1"], "hand": ["Wisp"]}, tables=tables).play("Wisp")
    assert game.model.consistent(game.state) or game.state.phase == 3


def test_tracking_asks_and_keeps_one_card():
    game = Game({"hand": ["Tracking"], "deck": ["Wisp", "Fireball", "Frostbolt", "Moonfire"]})
    game.play("Tracking")
    assert game.state.phase == 2
    assert [game.tables.card(card).name for card in game.state.offered] == [
        "Frostbolt",
        "Fireball",
        "Wisp",
    ]
    game.choose(1)
    assert (game.hand(), len(game.me["deck"])) == (["Fireball"], 1)


def test_temporary_enchantments_vanish_at_the_end_of_the_turn():
    game = Game({"hand": ["Abusive Sergeant", "Claw"], "board": ["Wisp"]})
    game.play("Abusive Sergeant", "m1").play("Claw")
    assert (game.board()[0], game.me["total_attack"]) == ("Wisp 3/1", 2)
    game.end_turn()
    assert (game.board("foe")[0], game.foe["hero_attack"]) == ("Wisp 1/1", 0)


def test_wild_growth_at_ten_crystals_gives_a_card():
    assert Game({"hand": ["Wild Growth"]}).play("Wild Growth").hand() == ["Excess Mana"]


def test_a_weapon_loses_durability_and_breaks():
    game = Game({"hand": ["Fiery War Axe"]}, {"deck": ["Wisp"]})
    game.play("Fiery War Axe").attack("me", "foe")
    assert (game.foe["health"], game.me["durability"]) == (27, 1)
    game.end_turn().end_turn().attack("me", "foe")
    assert (game.foe["health"], game.me["weapon"]) == (24, 0)

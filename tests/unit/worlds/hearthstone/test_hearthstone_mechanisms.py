"""How rules of the game meet: auras, silence, control, copies, returns, weapons, secrets."""

from __future__ import annotations

from hearthstone_position import ATTACK, PLAY, Game

from ludex.worlds.hearthstone import profiles

YETI = "Chillwind Yeti"


# Auras and enrage


def test_auras_add_up_and_do_not_reach_their_own_source():
    game = Game({"board": ["Stormwind Champion", "Stormwind Champion", "Wisp"]})
    assert game.board() == ["Stormwind Champion 7/7", "Stormwind Champion 7/7", "Wisp 3/3"]


def test_an_adjacent_aura_follows_the_places():
    game = Game(
        {"board": ["Wisp", "Wisp", "Dire Wolf Alpha"], "hand": ["Assassinate", "Bloodfen Raptor"]}
    )
    assert game.board() == ["Wisp 1/1", "Wisp 2/1", "Dire Wolf Alpha 2/2"]
    game.play("Bloodfen Raptor", place=2)
    assert game.board()[1:3] == ["Wisp 1/1", "Bloodfen Raptor 4/2"]


def test_an_aura_changes_sides_with_its_source():
    game = Game(
        {"board": ["Wisp"], "hand": ["Mind Control"]},
        {"board": ["Stormwind Champion", "Stonetusk Boar"]},
    ).play("Mind Control", "e1")
    assert game.board() == ["Wisp 2/2", "Stormwind Champion 6/6"]
    assert game.board("foe") == ["Stonetusk Boar 1/1"]


def test_a_silenced_source_gives_no_aura():
    game = Game({"hand": ["Silence"]}, {"board": ["Raid Leader", "Wisp"]}).play("Silence", "e1")
    assert game.board("foe") == ["Raid Leader 2/2", "Wisp 1/1"]


def test_silence_does_not_heal_a_minion_under_an_outside_aura():
    # 4/5 under +1/+1 with three wounds: 3 of 6; silence takes nothing that it had printed.
    game = Game(
        {"hand": ["Silence"]},
        {"board": [{"name": YETI, "damage": 3}, "Stormwind Champion"]},
    )
    before = game.board("foe")[0]
    game.play("Silence", "e1")
    assert before == f"{YETI} 5/3"
    assert game.board("foe")[0] == before


def test_enrage_comes_and_goes_with_wounds():
    game = Game({"board": ["Amani Berserker"], "hand": ["Moonfire", "Holy Light"]})
    assert game.play("Moonfire", "m1").board() == ["Amani Berserker 5/2"]
    assert game.play("Holy Light", "m1").board() == ["Amani Berserker 2/3"]


def test_a_health_gain_is_no_healing_so_enrage_stays():
    game = Game({"board": ["Amani Berserker"], "hand": ["Moonfire", "Power Word: Shield"]})
    game.play("Moonfire", "m1").play("Power Word: Shield", "m1")
    assert game.board() == ["Amani Berserker 5/4"]


def test_tundra_rhino_lets_new_beasts_attack():
    game = Game({"board": ["Tundra Rhino"], "hand": ["Bloodfen Raptor", "Chillwind Yeti"]})
    game.play("Bloodfen Raptor").play("Chillwind Yeti")
    assert game.can(ATTACK, 1)
    assert not game.can(ATTACK, 2)


# Enchantments, silence


def test_what_is_added_after_a_fixed_value_counts():
    game = Game({"board": [YETI], "hand": ["Humility", "Blessing of Might"]})
    game.play("Humility", "m1").play("Blessing of Might", "m1")
    assert game.board() == [f"{YETI} 4/5"]


def test_a_doubled_health_is_kept_as_a_number():
    game = Game({"board": [{"name": YETI, "damage": 2}], "hand": ["Divine Spirit", "Inner Fire"]})
    game.play("Divine Spirit", "m1").play("Inner Fire", "m1")
    assert game.board() == [f"{YETI} 6/6"]


def test_a_minion_frozen_and_silenced_may_attack():
    game = Game({"board": [YETI], "hand": ["Frostbolt", "Ironbeak Owl"]})
    game.play("Frostbolt", "m1")
    assert not game.can(ATTACK, 0)
    assert game.play("Ironbeak Owl", "m1").can(ATTACK, 0)


def test_a_silenced_minion_can_be_blessed_again():
    game = Game({"board": ["Sen'jin Shieldmasta"], "hand": ["Ironbeak Owl", "Mark of the Wild"]})
    game.play("Ironbeak Owl", "m1").play("Mark of the Wild", "m1")
    assert game.board()[0] == "Sen'jin Shieldmasta 5/7"
    assert game.end_turn().can(ATTACK) == []


def test_charge_is_lost_with_the_text():
    game = Game({"hand": ["Stonetusk Boar", "Ironbeak Owl"]}).play("Stonetusk Boar")
    assert game.can(ATTACK, 0)
    assert not game.play("Ironbeak Owl", "m1").can(ATTACK, 0)


# Control, copies, returns


def test_a_stolen_minion_keeps_its_wounds_and_waits():
    game = Game({"hand": ["Mind Control"]}, {"board": [{"name": YETI, "damage": 2}]}).play(
        "Mind Control", "e1"
    )
    assert game.board() == [f"{YETI} 4/3"]
    assert not game.can(ATTACK, 0)


def test_shadow_madness_lends_a_minion_for_one_attack():
    game = Game({"hand": ["Shadow Madness"]}, {"board": ["Bloodfen Raptor", "Wisp"]})
    game.play("Shadow Madness", "e1").attack("m1", "e1")
    assert game.board() == ["Bloodfen Raptor 3/1"]
    game.end_turn()
    assert game.board() == ["Bloodfen Raptor 3/1"]  # of the other, whose turn it is


def test_a_lent_minion_that_dies_speaks_for_the_borrower():
    game = Game({"hand": ["Shadow Madness"], "deck": ["Wisp"]}, {"board": ["Loot Hoarder", YETI]})
    game.play("Shadow Madness", "e1").attack("m1", "e1")
    assert game.hand() == ["Wisp"]


def test_a_copy_has_the_blessings_and_not_the_auras():
    game = Game(
        {"hand": ["Faceless Manipulator"]},
        {"board": ["Stormwind Champion", YETI]},
    ).play("Faceless Manipulator", "e2")
    assert game.board() == [f"{YETI} 4/5"]


def test_a_copy_of_a_blessing_for_this_turn_ends_with_it():
    game = Game({"board": [YETI], "hand": ["Abusive Sergeant", "Faceless Manipulator"]})
    game.play("Abusive Sergeant", "m1").play("Faceless Manipulator", "m1")
    assert game.board()[-1] == f"{YETI} 6/5"
    assert game.end_turn().board("foe")[-1] == f"{YETI} 4/5"


def test_a_returned_minion_is_as_printed():
    game = Game(
        {"board": [{"name": YETI, "damage": 3}], "hand": ["Blessing of Kings", "Shadowstep"]}
    )
    game.play("Blessing of Kings", "m1").play("Shadowstep", "m1")
    assert game.hand() == [YETI]
    assert game.play(YETI).board() == [f"{YETI} 4/5"]


def test_a_minion_that_finds_the_hand_full_is_destroyed():
    game = Game(
        {"hand": ["Sap"]},
        {"board": ["Loot Hoarder"], "hand": ["Wisp"] * 10, "deck": ["Murloc Raider"]},
    ).play("Sap", "e1")
    assert game.board("foe") == []
    assert game.foe["deck"] == []  # its deathrattle drew, and the card was burned


def test_transforming_is_no_death():
    game = Game({"hand": ["Polymorph"]}, {"board": ["Loot Hoarder"], "deck": ["Wisp"]}).play(
        "Polymorph", "e1"
    )
    assert game.board("foe") == ["Sheep 1/1"]
    assert game.hand("foe") == []


# Weapons and heroes


def test_truesilver_heals_before_the_blow_even_when_the_defender_is_exchanged():
    game = Game(
        {"hero": "paladin", "weapon": "Truesilver Champion", "health": 20},
        {"secrets": ["Noble Sacrifice", "Ice Barrier"]},
    ).attack("me", "foe")
    # The Defender strikes back for 2; the champion heals once for 2.
    assert game.me["health"] == 20
    assert game.foe["armour"] == 0


def test_a_new_weapon_gives_no_second_attack():
    game = Game({"weapon": "Fiery War Axe", "hand": ["Arcanite Reaper"]}).attack("me", "foe")
    assert not game.play("Arcanite Reaper").can(ATTACK, 7)


def test_gorehowl_loses_attack_on_minions_and_durability_on_heroes():
    game = Game({"weapon": "Gorehowl"}, {"board": ["Wisp"]}).attack("me", "e1")
    assert (game.me["weapon_attack"], game.me["durability"]) == (6, 1)


def test_sword_of_justice_blesses_each_that_comes_while_it_lasts():
    used = 4  # of five
    game = Game({"weapon": "Sword of Justice", "durability": used, "hand": ["Murloc Tidehunter"]})
    game.play("Murloc Tidehunter")
    assert sorted(game.board()) == ["Murloc Scout 2/2", "Murloc Tidehunter 2/1"]
    assert game.me["weapon"] == 0


def test_a_hero_strikes_back_in_its_own_turn_alone():
    game = Game({"board": [YETI]}, {"weapon": "Arcanite Reaper"}).attack("m1", "foe")
    assert game.board() == [f"{YETI} 4/5"]


# Overload, mana, costs


def test_overloads_add_up():
    game = Game({"hand": ["Lightning Bolt", "Lava Burst"]})
    game.play("Lightning Bolt", "foe").play("Lava Burst", "foe")
    assert game.me["owed"] == 3
    game.end_turn().end_turn()
    assert (game.me["mana"], game.me["locked"], game.me["owed"]) == (7, 3, 0)


def test_temporary_mana_stops_at_ten():
    game = Game({"hand": ["The Coin", "Innervate"], "mana": 9}).play("The Coin").play("Innervate")
    assert game.me["mana"] == 10


def test_discounts_apply_before_the_floor():
    game = Game({"board": ["Mana Wraith", "Sorcerer's Apprentice"], "hand": ["Wisp", "Moonfire"]})
    assert game.me["costs"] == [1, 0]


# Choices


def test_a_choice_with_a_target_needs_one():
    game = Game({"hand": ["Starfall"]})
    assert {one[2] for one in game.can(PLAY)} == {1}
    game = Game({"hand": ["Starfall"]}, {"board": ["Wisp"]})
    assert {one[2] for one in game.can(PLAY)} == {1, 2}


def test_keeper_of_the_grove_may_silence():
    game = Game({"hand": ["Keeper of the Grove"]}, {"board": ["Goldshire Footman"]})
    game.play("Keeper of the Grove", "e1", option=2)
    assert game.foe["board"][0]["keywords"] == 0


# Damage


def test_spell_damage_does_not_grow_healing_or_powers_and_doubling_comes_last():
    game = Game({"board": ["Kobold Geomancer", "Prophet Velen"], "hand": ["Holy Smite"]})
    game.play("Holy Smite", "foe")
    assert game.foe["health"] == 30 - (2 + 1) * 2
    game.power("foe")
    assert game.foe["health"] == 30 - 6 - 2


def test_no_damage_breaks_no_shield():
    game = Game({"board": ["Argent Squire"]}, {"board": ["Mana Tide Totem"]}).attack("m1", "e1")
    assert game.me["board"][0]["keywords"] & 2


def test_a_poisoned_hero_lives():
    game = Game({"board": ["Emperor Cobra"]}).attack("m1", "foe")
    assert game.foe["health"] == 28


def test_an_immune_hero_takes_nothing_and_cannot_be_aimed_at():
    game = Game({"hand": ["Fireball", "Moonfire"]}, {"secrets": ["Ice Block"], "health": 5}).play(
        "Fireball", "foe"
    )
    assert game.foe["health"] == 5
    assert 2 not in {one[3] for one in game.can(PLAY)}


def test_armour_goes_first():
    game = Game({"hand": ["Fireball"]}, {"armour": 4}).play("Fireball", "foe")
    assert (game.foe["armour"], game.foe["health"]) == (0, 28)


def test_area_damage_is_dealt_before_anyone_reacts():
    # Both acolytes are hurt; the elder one draws first.
    game = Game(
        {"hand": ["Arcane Explosion"]},
        {"board": ["Acolyte of Pain", "Acolyte of Pain"], "deck": ["Wisp", YETI]},
    ).play("Arcane Explosion")
    assert game.hand("foe") == ["Wisp", YETI]


# Deaths


def test_those_that_die_together_do_not_see_each_other_die():
    game = Game(
        {"hand": ["Hellfire"]}, {"board": ["Cult Master", "Bloodfen Raptor"], "deck": ["Wisp"]}
    ).play("Hellfire")
    assert game.hand("foe") == []


def test_a_deathrattle_summons_where_its_minion_stood():
    game = Game(
        {"hand": ["Assassinate"]}, {"board": ["Wisp", "Harvest Golem", "Murloc Raider"]}
    ).play("Assassinate", "e2")
    assert [one.split()[0] for one in game.board("foe")] == ["Wisp", "Damaged", "Murloc"]


def test_a_granted_deathrattle_follows_the_printed_one():
    game = Game(
        {"hand": ["Soul of the Forest"], "board": ["Harvest Golem"]}, {"hand": ["Assassinate"]}
    )
    game.play("Soul of the Forest").end_turn().play("Assassinate", "e1")
    golem, treant = sorted(game.foe["board"], key=lambda minion: minion["order"])
    assert golem["card"] == game.number("Damaged Golem")
    assert treant["card"] == game.number("Treant")


def test_redemption_returns_the_first_that_dies_with_one_health():
    game = Game({"hand": ["Assassinate"]}, {"board": [YETI], "secrets": ["Redemption"]}).play(
        "Assassinate", "e1"
    )
    assert game.board("foe") == [f"{YETI} 4/1"]


def test_a_weapon_that_breaks_is_gone_before_the_next_action():
    game = Game({"weapon": "Fiery War Axe", "durability": 1}).attack("me", "foe")
    assert game.me["weapon"] == 0


# Secrets


def test_secrets_sleep_in_their_owners_turn():
    game = Game(
        {
            "board": [YETI],
            "secrets": ["Mirror Entity", "Counterspell"],
            "hand": ["Wisp", "Moonfire"],
        }
    )
    game.play("Wisp").play("Moonfire", "foe")
    assert len(game.me["secrets"]) == 2


def test_secrets_of_one_event_go_in_the_order_they_were_laid():
    game = Game({"hand": ["Bloodfen Raptor"]}, {"secrets": ["Repentance", "Mirror Entity"]}).play(
        "Bloodfen Raptor"
    )
    assert (game.board(), game.board("foe")) == (["Bloodfen Raptor 3/1"], ["Bloodfen Raptor 3/1"])
    game = Game({"hand": ["Bloodfen Raptor"]}, {"secrets": ["Mirror Entity", "Repentance"]}).play(
        "Bloodfen Raptor"
    )
    assert (game.board(), game.board("foe")) == (["Bloodfen Raptor 3/1"], ["Bloodfen Raptor 3/2"])


def test_a_full_board_keeps_mirror_entity():
    game = Game({"hand": ["Wisp"]}, {"board": ["Wisp"] * 7, "secrets": ["Mirror Entity"]}).play(
        "Wisp"
    )
    assert len(game.foe["secrets"]) == 1


def test_freezing_trap_returns_the_attacker_for_two_more():
    game = Game({"board": [YETI]}, {"secrets": ["Freezing Trap"]}).attack("m1", "foe")
    assert (game.hand(), game.foe["health"]) == ([YETI], 30)
    assert game.me["hand"][0][1] == 2


def test_misdirection_minds_attacks_on_the_hero_alone():
    game = Game({"board": [YETI]}, {"secrets": ["Misdirection"], "board": ["War Golem"]})
    assert len(game.attack("m1", "e1").foe["secrets"]) == 1
    game = Game({"board": [YETI]}, {"secrets": ["Misdirection"]}).attack("m1", "foe")
    assert (game.foe["health"], game.me["health"]) == (30, 26)


def test_spellbender_takes_the_spell():
    game = Game({"hand": ["Fireball"]}, {"board": [YETI], "secrets": ["Spellbender"]}).play(
        "Fireball", "e1"
    )
    assert game.board("foe") == [f"{YETI} 4/5"]


def test_eye_for_an_eye_returns_what_was_taken():
    game = Game({"board": [YETI]}, {"secrets": ["Eye for an Eye"]}).attack("m1", "foe")
    assert (game.me["health"], game.foe["health"]) == (26, 26)


# Enchantments that speak


def test_an_enchantment_speaks_in_the_order_it_came():
    # The minion is older than the secret, its blessing younger: the trap goes first, and a
    # minion that is gone draws nothing.
    game = Game(
        {"board": [YETI], "hand": ["Blessing of Wisdom"], "deck": ["Wisp"]},
        {"secrets": ["Freezing Trap"]},
    )
    game.play("Blessing of Wisdom", "m1").attack("m1", "foe")
    assert game.hand() == [YETI]


def test_power_overwhelming_ends_with_the_turn():
    game = Game({"board": ["Wisp"], "hand": ["Power Overwhelming"]})
    game.play("Power Overwhelming", "m1")
    assert game.board() == ["Wisp 5/5"]
    assert game.end_turn().board("foe") == []


TOGETHER = """
weapon T_1 "Old Axe" warrior rare 2 mana 3/1
  deathrattle: add CS2_231
minion T_2 "Messenger" neutral rare 1 mana 1/1
  deathrattle: add CS2_120 for enemy
"""


def test_a_weapon_and_a_minion_that_go_together_speak_in_order_of_play():
    tables = profiles.with_text("classic", TOGETHER)
    axe_first = Game({"weapon": "T_1"}, {"board": ["T_2"]}, tables=tables).attack("me", "e1")
    assert axe_first.hand() == ["Wisp", "River Crocolisk"]
    younger_axe = Game({"hand": ["T_1"]}, {"board": ["T_2"]}, tables=tables)
    younger_axe.play("T_1").attack("me", "e1")
    assert younger_axe.hand() == ["River Crocolisk", "Wisp"]


# Cards whose text reaches further than it seems


def test_a_hero_that_is_a_demon_can_be_sacrificed():
    game = Game({"hand": ["Lord Jaraxxus"]}, {"hand": ["Sacrificial Pact"]})
    game.play("Lord Jaraxxus").end_turn()
    assert {one[3] for one in game.can(PLAY)} == {2}
    game.play("Sacrificial Pact", "foe")
    assert game.state.winner == 1


def test_holy_wrath_counts_no_card_but_its_own():
    # The auctioneer draws the last card; the wrath finds none, and deals nothing.
    game = Game(
        {"board": ["Gadgetzan Auctioneer"], "hand": ["Holy Wrath"], "deck": ["Molten Giant"]}
    ).play("Holy Wrath", "foe")
    assert game.hand() == ["Molten Giant"]
    assert (game.foe["health"], game.me["health"]) == (30, 29)

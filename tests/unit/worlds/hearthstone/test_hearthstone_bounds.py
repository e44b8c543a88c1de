"""Cards at the bounds: what is refused when it is read, and what holds in play."""

from __future__ import annotations

import pickle

import pytest
from hearthstone_position import Game

from ludex.cli.app import main
from ludex.core import Rng
from ludex.core.errors import LudexError
from ludex.worlds.hearthstone import Hearthstone, decks, profiles
from ludex.worlds.hearthstone.model import EVENT_KINDS, HearthstoneModel
from ludex.worlds.hearthstone.world import FLAT_AT_END

MINION = 'minion T_1 "Thing" neutral common 1 mana 1/1\n  '
SPELL = 'spell T_1 "Thing" mage common 0 mana\n  '


def refused(text: str, profile: str = "classic") -> str:
    with pytest.raises(LudexError) as error:
        profiles.with_text(profile, text, "own.cards")
    message = str(error.value)
    assert "\n" not in message
    return message


def game(text: str, mine: dict | None = None, theirs: dict | None = None) -> Game:
    return Game(mine, theirs, tables=profiles.with_text("classic", text))


def read_back(position: Game) -> bool:
    """Whether a state is whole: it is written, read and pickled as it is."""
    state = position.state
    read = position.model.parse(str(state))
    return read == state and pickle.loads(pickle.dumps(state)) == state


# When a card is read


@pytest.mark.parametrize(
    ("text", "value", "bounds"),
    [
        ('minion T_1 "Thing" 100 mana 1/1', "100", "0 and 99"),
        ('minion T_1 "Thing" 1 mana 100/1', "100", "0 and 99"),
        ('minion T_1 "Thing" 1 mana 1/100', "100", "0 and 99"),
        ('minion T_1 "Thing" 1 mana -1/1', "-1", "0 and 99"),
        ('weapon T_1 "Thing" 1 mana 1/99999999999999999999', "9" * 20, "0 and 99"),
        ('minion T_1 "Thing" 1 mana 1/1 spell-damage -5', "-5", "0 and 99"),
        ('spell T_1 "Thing" mage 1 mana overload 256', "256", "0 and 99"),
        (SPELL + "cast: draw 1000", "1000", "0 and 999"),
        (SPELL + "cast: draw -1", "-1", "0 and 999"),
        (SPELL + "cast: draw 1 cost -100", "-100", "-99 and 99"),
        (SPELL + "cast: damage 65536 enemy hero", "65536", "0 and 999"),
        (SPELL + "cast: damage 1 to 1000 enemy hero", "1000", "0 and 999"),
        (SPELL + "cast: damage own hand * 100 enemy hero", "100", "-99 and 99"),
        (SPELL + "cast: damage own hand +1000 enemy hero", "+1000", "-999 and 999"),
        (SPELL + "cast: damage 1 random 300 enemy minions", "300", "1 and 16"),
        (SPELL + "cast: damage 1 random 0 enemy minions", "0", "1 and 16"),
        (SPELL + "cast: damage 1 any minion with attack <= 70000", "70000", "0 and 999"),
        (SPELL + "cast: buff +100/+1 any minions", "+100", "-99 and 99"),
        (SPELL + "cast: buff +1/-33000 any minions", "-33000", "-99 and 99"),
        (SPELL + "cast: hand +1/+100", "+100", "-99 and 99"),
        (SPELL + "cast: weapon +128/+0", "+128", "-99 and 99"),
        (SPELL + "cast: summon 100 CS2_231", "100", "1 and 99"),
        (SPELL + "cast: summon again health 100", "100", "1 and 99"),
        (SPELL + "cast: add 0 CS2_231", "0", "1 and 99"),
        (SPELL + "cast: return any minion cost 200", "200", "-99 and 99"),
        (SPELL + "cast: mark next spell cheaper 300", "300", "0 and 99"),
        (SPELL + "cast: armour 40000", "40000", "0 and 999"),
        (SPELL + "cast: overload 1000", "1000", "0 and 999"),
        (SPELL + "cast: repeat 1000 { draw 1 }", "1000", "0 and 999"),
        (SPELL + "cast: repeat missiles 100 { draw 1 }", "100", "0 and 99"),
        (SPELL + "cast: if own hand >= 1000 { draw 1 }", "1000", "-999 and 999"),
        (SPELL + "cast: set hero-health 1000 own hero", "1000", "0 and 999"),
        (MINION + "aura other own minions: +200/+1", "+200", "-99 and 99"),
        (MINION + "aura cost own spell -1 least 256", "256", "0 and 99"),
        (MINION + "aura weapon +100", "+100", "-99 and 99"),
        (MINION + "enrage: +100 attack", "+100", "-99 and 99"),
        ("pool few: collectible cost 100", "100", "0 and 99"),
    ],
)
def test_a_number_beyond_its_bounds_is_refused_with_them(text, value, bounds):
    line = text.count("\n") + 1
    assert refused(text) == f"own.cards:{line}: {value} is not between {bounds}"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("summon W_9", "T_1 summons 'W_9', but there is no card 'W_9'"),
        ("add W_9", "T_1 adds 'W_9', but there is no card 'W_9'"),
        ("shuffle W_9", "T_1 shuffles in 'W_9'"),
        ("equip W_9", "T_1 equips 'W_9'"),
        ("weapon +1/+1 or equip W_9", "T_1 equips 'W_9'"),
        ("transform any minions into W_9", "T_1 transforms into 'W_9'"),
        ("set power W_9", "T_1 sets the power 'W_9'"),
        ("become hero W_9", "T_1 becomes 'W_9'"),
        ("give any minions with W_9", "T_1 gives 'W_9'"),
        ("draw 1 beast or W_9", "T_1 draws 'W_9'"),
        ("summon from own deck or W_9", "T_1 summons 'W_9'"),
        ("discover nowhere", "T_1 discovers one of 'nowhere', but there is no pool 'nowhere'"),
        ("summon golem", "T_1 summons 'CFM_712_t01', but there is no such card in this profile"),
        ("summon CS2_029", "T_1 summons CS2_029, which is a spell, not a minion"),
        ("summon one of dreams", "T_1 summons one of dreams, which holds DREAM_02, which is a"),
        ("transform any minions into CS2_082", "CS2_082, which is a weapon, not a minion"),
        ("equip CS2_231", "T_1 equips CS2_231, which is a minion, not a weapon"),
        ("set power HERO_08", "T_1 sets the power HERO_08, which is a hero, not a power"),
        ("become hero CS2_231", "T_1 becomes CS2_231, which is a minion, not a hero"),
        ("add HERO_08bp", "HERO_08bp, which is a power, not a minion or a spell or a weapon"),
        ("shuffle EX1_158e", "EX1_158e, which is an enchantment, not a minion or a spell"),
        ("give any minions with CS2_231", "T_1 gives CS2_231, which is a minion, not a"),
        ("discover power totems", "T_1 discovers one of totems, which holds CS2_050"),
    ],
)
def test_a_card_that_needs_what_its_profile_lacks_is_refused_with_both_names(statement, named):
    message = refused(SPELL + "cast: " + statement)
    assert message.startswith("own.cards:2: ")
    assert named in message


def test_a_golem_is_summoned_where_the_profile_has_it():
    assert profiles.with_text("competition", SPELL + "cast: summon golem").number("T_1")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (SPELL + "cast: hand 100", "expected attack and health, as in +1/+1, found '100'"),
        (SPELL + "cast: hand", "found the end of the line"),
        (SPELL + "cast: if holding bards { draw 1 }", "there is no race 'bards'"),
        (SPELL + "cast: lose any minions", "expected a keyword that is lost"),
        (SPELL + "cast: give doubling any minions", "can be neither given nor taken"),
        (SPELL + "cast: repeat 2 { track }", "cannot be asked inside 'repeat'"),
        (
            SPELL + "cast: " + "repeat 2 { " * 5 + "draw 1" + " }" * 5,
            "at most 4 'repeat' stand inside each other",
        ),
        (SPELL + "discarded", "'discarded' is for a minion"),
        (MINION + "power HERO_08bp", "'power' is for a hero"),
        (MINION + "enrage: doubling", "can be neither given nor taken"),
        ('hero T_1 "Thing" mage', "a hero needs attack and health"),
        ('hero T_1 "Thing" mage 0/0', "needs health from 1 to 99, not 0"),
        ('hero T_1 "Thing" mage 0/30\n  power CS2_231', "T_1 has the power CS2_231, which is a"),
        ('enchantment T_1 "Thing"\n  deathrattle: mark back next turn', "does not come back"),
        ('changed spell CS2_231 "Wisp" mage 1 mana', "CS2_231 is a minion, and a changed card"),
        ('minion T_1 "" 1 mana 1/1', "'' is no name"),
        ('minion T_1 " Thing" 1 mana 1/1', "' Thing' is no name"),
        ('minion T_1 "a\x1bb" 1 mana 1/1', "is no name"),
        ('minion T_1 "a\ud800" 1 mana 1/1', "is no name"),
        (f'minion T_1 "{"x" * 61}" 1 mana 1/1', "a name of 61 characters has more than 60"),
        ('minion T_1 "two\nlines" 1 mana 1/1', "cannot read"),
        (MINION + f'\nminion {"K" * 41} "Thing" 1 mana 1/1', "expected the key of the card"),
        ('minion charge "Thing" 1 mana 1/1', "'charge' is a word of the language"),
        (2 * MINION.strip(" "), "there is a card T_1 already, at own.cards:1"),
        (MINION + "\n  ".join(["needs own room"] * 31), "T_1 has more than 30 lines"),
        ("pool few: CS2_231 CS2_231", "the pool 'few' names CS2_231 twice"),
        ("pool few:", "the pool 'few' holds no card"),
        ("pool totems: CS2_231", "there is a pool 'totems' already"),
        ("pool 7: CS2_231", "expected the name of the pool"),
    ],
)
def test_a_text_that_cannot_be_is_one_sentence(text, problem):
    assert problem in refused(text)


@pytest.mark.parametrize("name", ["Ölf, [b] (c); {d}: * # = %s", "日本", "it's", "a.b|c\\n"])
def test_odd_names_are_kept_and_their_games_can_be_written(name, tmp_path):
    file = tmp_path / "own.cards"
    own = "".join(f'minion T_{i} "{name}" mage common 0 mana 1/9\n' for i in range(15))
    file.write_text(own, encoding="utf-8")
    deck = tmp_path / "own.deck"
    deck.write_text("hero mage\n" + "".join(f"2 T_{i}\n" for i in range(15)), encoding="utf-8")
    world = Hearthstone(file=str(file), decks=f"{deck}/{deck}", turn_limit=6)
    rng = Rng(1)
    state = world.start(rng)
    while world.model.outcome(state) is None:
        assert world.parse(str(state)) == state
        assert world.draw(state, "svg")
        legal = world.model.legal(state, state.active)
        world.model.advance(state, (legal[-1],), rng)
    assert world.tables.card(world.tables.numbers["T_1"]).name == name


def test_an_enormous_file_is_refused_at_once():
    assert "at most 1000000 can be cards" in refused("# " * 600_000)


def test_more_than_the_native_tables_count_is_refused(monkeypatch):
    monkeypatch.setattr("ludex.worlds.hearthstone.language.compiler.MOST_ROWS", 500)
    assert "a card set has at most 500" in refused(MINION + "battlecry: draw 1")


# In play


def test_three_hundred_draws_from_an_empty_deck_are_a_fall_and_no_healing():
    drawn = game(SPELL + "cast: draw 300", {"hand": ["T_1"]}).play("T_1")
    assert drawn.state.player(0)["health"] == -9999
    assert (drawn.state.winner, read_back(drawn)) == (1, True)


def test_armour_goes_up_to_its_bound_and_never_below_nothing():
    text = SPELL + "cast: repeat 30 { armour 999 }"
    armed = game(text, {"hand": ["T_1"]}).play("T_1")
    assert armed.me["armour"] == 9999
    less = game(SPELL + "cast: armour own hand * -9 -9", {"hand": ["T_1"]}).play("T_1")
    assert (less.me["armour"], read_back(armed), read_back(less)) == (0, True, True)


@pytest.mark.parametrize("sign", ["+", "-"])
def test_repeated_buffs_stop_at_their_bound(sign):
    text = SPELL + f"cast: repeat 50 {{ buff {sign}99/+99 own minions }}"
    buffed = game(text, {"hand": ["T_1"], "board": ["Wisp"]}).play("T_1")
    attack = {"+": 121, "-": 0}[sign]
    assert buffed.board() == [f"Wisp {attack}/121"]
    assert read_back(buffed)


def test_many_kinds_of_buffs_make_room_without_wrapping_around():
    parts = "; ".join(f"buff +99/+99 own minions {how}" for how in ("this turn", "until own turn"))
    text = SPELL + f"cast: repeat 20 {{ {parts}; buff +99/+99 own minions with EX1_158e }}"
    buffed = game(text, {"hand": ["T_1"], "board": ["Wisp"]}).play("T_1")
    (minion,) = buffed.me["board"]
    assert minion["attack"] > 300
    assert minion["max_health"] > 300
    assert read_back(buffed)


def test_auras_stop_at_their_bound():
    text = MINION + "aura any minions: +99/+99\n  aura any minions: +99/+99"
    crowd = game(text, {"hand": ["T_1"], "board": ["Wisp"]}).play("T_1")
    assert crowd.board() == ["Wisp 121/121", "Thing 121/121"]
    assert read_back(crowd)


def test_a_copied_minion_does_not_keep_the_harm_of_an_aura():
    text = (
        'minion T_1 "Gloom" neutral common 1 mana 1/9\n  aura other any minions: +0/-2\n'
        'spell T_2 "Twin" mage common 0 mana\n  cast: summon copy of any minion with attack >= 6'
    )
    both = game(text, {"hand": ["T_2"], "board": ["T_1", "Boulderfist Ogre"]}).play("T_2")
    assert both.board() == ["Gloom 1/9", "Boulderfist Ogre 6/5", "Boulderfist Ogre 6/5"]


def test_costs_stop_at_their_bound():
    text = SPELL + "cast: return own minions cost 99; add T_1"
    sent = game(text, {"hand": ["T_1"], "board": ["Wisp"]}).play("T_1")
    assert sent.me["costs"] == [99, 0]
    text = MINION + "aura cost any card +99"
    dear = game(text, {"hand": ["T_1"] * 3 + ["Wisp"]}).play("T_1")
    assert dear.me["costs"] == [100, 100, 99]


def test_mana_never_exceeds_ten():
    text = SPELL + "cast: crystals 1 full"
    full = game(text, {"hand": ["T_1"], "mana": 10, "crystals": 9}).play("T_1")
    assert (full.me["mana"], full.me["crystals"], read_back(full)) == (10, 10, True)


def test_health_of_the_resummoned_is_at_most_full():
    text = SPELL + "cast: destroy own minions\n" + 'enchantment T_2 "Soul"\n'
    text = text + "  deathrattle: summon again health 50\n"
    text += 'spell T_3 "Gift" mage common 0 mana\n  cast: give own minions with T_2'
    back = game(text, {"hand": ["T_1", "T_3"], "board": ["Wisp"]}).play("T_3").play("T_1")
    assert (back.board(), read_back(back)) == (["Wisp 1/1"], True)


def test_heroes_cannot_be_absorbed():
    text = MINION + "battlecry: absorb any characters"
    alone = game(text, {"hand": ["T_1"]}, {"board": ["Wisp"]}).play("T_1")
    assert (alone.me["health"], alone.foe["health"], read_back(alone)) == (30, 30, True)


def test_a_card_without_an_event_gives_no_played_card():
    empty = game(SPELL + "cast: add played card", {"hand": ["T_1"]}).play("T_1")
    assert (empty.hand(), read_back(empty)) == ([], True)
    power = game(MINION + "when own power used: add played card", {"board": ["T_1"]})
    assert power.power("foe").hand() == []


def test_a_secret_that_finds_its_place_taken_is_lost():
    laid = ["Counterspell", "Mirror Entity", "Vaporize", "Ice Block"]
    text = MINION + "when own spell played: lay secret"
    full = game(
        text,
        {"board": ["T_1"], "hand": ["tt_010"], "deck": ["Ice Barrier"], "secrets": laid},
    ).play("tt_010")
    assert (len(full.me["secrets"]), read_back(full)) == (5, True)


def test_a_minion_that_finds_the_board_full_is_lost_and_the_turn_goes_on():
    text = (
        'minion T_1 "Thing" neutral common 1 mana 1/1\n  when own overload: summon 7 CS2_231\n'
        'minion T_2 "Debtor" shaman common 1 mana 5/5 overload 1\n  battlecry: draw 1'
    )
    crowded = game(text, {"board": ["T_1"], "hand": ["T_2"]}).play("T_2")
    assert crowded.board() == ["Thing 1/1", *["Wisp 1/1"] * 6]
    assert (crowded.state.phase, read_back(crowded)) == (0, True)
    assert read_back(crowded.end_turn())


def test_an_attacker_sent_home_by_its_own_blow_is_not_hit_back():
    text = (
        'minion T_1 "Leech" neutral common 1 mana 2/9 lifesteal charge\n'
        "  when own hero healed: return self"
    )
    home = game(text, {"board": ["T_1"], "health": 10}, {"board": ["Boulderfist Ogre"]})
    home.attack("m1", "e1")
    assert (home.hand(), home.board("foe"), read_back(home)) == (
        ["Leech"],
        ["Boulderfist Ogre 6/5"],
        True,
    )


def test_divine_favor_hurts_once_for_each_card_that_an_empty_deck_lacks():
    hands = {"hand": ["Divine Favor"]}, {"hand": ["Wisp"] * 3}
    assert Game(*hands).play("Divine Favor").me["health"] == 30 - 1 - 2 - 3


def test_a_game_runs_out_of_orders_of_play_as_a_draw():
    position = game(SPELL + "cast: summon 2 CS2_231", {"hand": ["T_1"]})
    text = str(position.state).replace("order=", "order=64999 was=", 1)
    words = [word for word in text.split(" ") if not word.startswith("was=")]
    words = words if "order=64999" in words else [words[0], words[1], "order=64999", *words[2:]]
    position.state = position.model.parse(" ".join(words))
    position.play("T_1")
    assert (position.state.phase, position.state.winner, read_back(position)) == (3, 2, True)


# Effects without end

LOOPS = {
    "wounds that heal": (
        "  when any minion healed: damage 1 self\n"
        "  when any minion damaged: heal 1 any minions; damage 1 any minions\n"
    ),
    "deaths that bring forth": "  deathrattle: summon T_1\n  aura any minions: +0/-30\n",
    "summons that summon": (
        "  after other own minion summoned: return subject; discard 9; summon CS2_231\n"
    ),
    "cards that come back": "  when own card discarded: add CS2_231; discard 1\n",
    "gifts of armour": "  when any armour: armour 1\n",
    "a long count": "  when own turn ends: repeat 999 { repeat 999 { armour 1 } }\n",
    "draws of the poor": "  when own draw: add CS2_231; discard 9; shuffle CS2_231; draw 1\n",
}
SPARKS = (
    'spell T_2 "Spark" mage common 0 mana\n'
    "  cast: damage 1 any minions; summon CS2_231; discard 1; armour 1; draw 1\n"
)


def endless_model(text: str) -> HearthstoneModel:
    tables = profiles.with_text("classic", text)
    hero = tables.numbers["HERO_08"]
    how = {"staged": 0, "turn_limit": 89}
    cards = profiles.native_cards(tables)
    return HearthstoneModel((cards, ([], []), (hero, hero), [], how), frozenset(), FLAT_AT_END, "")


@pytest.mark.parametrize("loop", LOOPS)
def test_effects_without_end_are_a_draw_and_the_step_is_whole(loop):
    text = f'minion T_1 "Echo" neutral common 2 mana 2/30\n{LOOPS[loop]}{SPARKS}'
    position = game(
        text,
        {"board": ["T_1", "T_1"], "hand": ["T_2", "Wisp", "Wisp"], "deck": ["Wisp"] * 3},
        {"board": ["T_1"], "deck": ["Wisp"]},
    )
    position.play("T_2")
    if position.state.phase != 3:
        position.end_turn()
    model = endless_model(text)
    state = model.parse(str(position.state))  # a state of that model's decks
    assert (state.phase, state.winner) == (3, 2)
    assert read_back(position)
    assert model.outcome(state).reason == "effects without end"
    assert all(minion["health"] > 0 for seat in (0, 1) for minion in state.player(seat)["board"])
    assert "cut" in [EVENT_KINDS[kind] for kind, _, _ in position.state.told_events]
    assert model.legal(state, 0) == model.legal(state, 1) == ()


def test_a_hero_that_fell_before_the_end_of_endless_effects_has_lost():
    text = 'minion T_1 "Echo" neutral common 2 mana 2/30\n'
    text += "  when any armour: damage 1 enemy hero; armour 1\n" + SPARKS
    position = game(text, {"board": ["T_1"], "hand": ["T_2"], "deck": ["Wisp"]}).play("T_2")
    assert (position.state.winner, read_back(position)) == (0, True)
    model = endless_model(text)
    assert model.outcome(model.parse(str(position.state))).reason == "the hero of seat 1 died"


def test_a_long_chain_that_ends_is_played_to_its_end():
    text = 'minion T_1 "Drum" neutral common 2 mana 0/99\n'
    text += "  when self damaged if health of self >= 1: damage 1 self\n"
    struck = game(text, {"board": ["T_1", "Wisp"], "hand": ["Moonfire"]}).play("Moonfire", "m1")
    assert (struck.board(), struck.state.phase) == (["Wisp 1/1"], 0)


def test_the_turn_limit_keeps_its_own_reason():
    world = Hearthstone(turn_limit=1)
    state = world.start(Rng(1))
    world.model.advance(state, (0,), Rng(2))
    assert world.model.outcome(state).reason == "the limit of 1 turns was reached"


# Files


def test_cards_that_cannot_be_are_named_by_the_checker(tmp_path, capsys):
    path = tmp_path / "own.cards"
    path.write_text(SPELL + "cast: hand 100\n")
    assert main(["hearthstone", "check", str(path)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert said == "error: own.cards:2: expected attack and health, as in +1/+1, found '100'"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("² Fireball", "expected a number and a card, found '² Fireball'"),
        ("9" * 5000 + " Fireball", "999999999... copies are more than a deck holds"),
        ("1 " + "x" * 5000, "there is no card 'xxx"),
        ("x" * 5000, "expected a number and a card, found 'xxx"),
    ],
)
def test_odd_lines_of_a_deck_are_one_short_sentence(line, problem):
    with pytest.raises(LudexError) as error:
        decks.read(f"hero mage\n{line}", "own.deck", profiles.load("classic"))
    assert problem in str(error.value)
    assert len(str(error.value)) < 160

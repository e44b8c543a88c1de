"""The card language: what it refuses, and that a card of one's own works at once."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hearthstone_position import Game

from ludex.cli.app import main
from ludex.core.errors import BadParameter, LudexError
from ludex.worlds.hearthstone import Hearthstone, decks, profiles
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.compiler import Compiler
from ludex.worlds.hearthstone.tools.rehearsal import endless

# Tags of the public card data, and the numbers it has for classes and rarities.
COST, ATTACK, HEALTH, NAME, CLASS, RARITY = "48", "47", "45", "185", "199", "203"
COLLECTIBLE = "321"
CLASS_NUMBERS = {name: place + 1 for place, name in enumerate(words.CLASSES)} | {"neutral": 12}
RARITY_NUMBERS = {"common": 1, "free": 2, "rare": 3, "epic": 4, "legendary": 5}
WISP = 'minion T_1 "Thing" neutral common 1 mana 1/1\n'


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('minon T_1 "Thing" 1 mana 1/1', 1, "did you mean 'minion'"),
        ('minion T_1 "Thing" 1 mana', 1, "needs attack and health"),
        ("minion T_1 Thing 1 mana 1/1", 1, "name of the card in quotes"),
        ('minion CS2_029 "Thing" 1 mana 1/1', 1, "there is a card CS2_029 already"),
        ('minion T_1 "Thing" 1 mana 1/1 tuant', 1, "did you mean 'taunt'"),
        (WISP + "  battlecry: damge 1 enemy hero", 2, "did you mean 'damage'"),
        (WISP + "  battlecry: damage enemy hero", 2, "expected a number"),
        (WISP + "  battlecry: damage 1 enemy", 2, "expected characters"),
        (WISP + "  battlecry: summon T_9", 2, "there is no card 'T_9'"),
        (WISP + "  battlecry: damage 1 enemy hero }", 2, "cannot read '}'"),
        (WISP + "  battlecry: if combo { draw 1", 2, "expected '}'"),
        (WISP + "  when own turn begins: draw 1", 2, "no event is called"),
        (WISP + "  deathrattle: track", 2, "only by a battlecry or a spell"),
        (WISP + "  cast: draw 1", 2, "'cast' is for a spell"),
        (WISP + "  battlecry: draw 1\n  battlecry: draw 2", 3, "already"),
        (WISP + "  battlecry: summon one of nothing", 2, "there is no pool 'nothing'"),
        ("  battlecry: draw 1", 1, "must follow the headline"),
        (WISP + "  battlecry: damage 3 to 1 enemy hero", 2, "is empty"),
        (WISP + "  battlecry: draw 9999", 2, "not between"),
        ('minion T_1 "Thing" 1 mana 1/1 §', 1, "cannot read"),
        ('changed minion T_1 "Thing" 1 mana 1/1', 1, "no card T_1 that could be changed"),
    ],
)
def test_mistakes_are_named_with_their_line(text, line, problem):
    with pytest.raises(LudexError) as error:
        profiles.with_text("classic", text, "own.cards")
    assert str(error.value).startswith(f"own.cards:{line}: ")
    assert problem in str(error.value)


def test_a_card_of_ones_own_is_played_without_a_rebuild(tmp_path):
    file = tmp_path / "own.cards"
    file.write_text(
        'spell T_1 "Storm of Wisps" mage rare 3 mana\n'
        "  cast on enemy minion: damage 2 target; if target is dead { summon 2 CS2_231 }\n"
    )
    tables = profiles.load("classic", (str(file),))
    game = Game({"hand": ["T_1"]}, {"board": ["Bloodfen Raptor"]}, tables=tables)
    game.play("T_1", "e1")
    assert (game.board(), game.board("foe")) == (["Wisp 1/1", "Wisp 1/1"], [])
    world = Hearthstone(file=str(file), decks="random/random")
    assert world.tables.number("T_1")


def test_a_changed_card_takes_the_place_of_the_earlier_one():
    text = (
        'changed spell CS2_029 "Fireball" mage free 3 mana\n  cast on enemy hero: damage 7 target'
    )
    tables = profiles.with_text("classic", text)
    classic = profiles.load("classic")
    assert tables.numbers["CS2_029"] == classic.numbers["CS2_029"]
    assert len(tables.cards) == len(classic.cards)
    game = Game({"hand": ["Fireball"], "mana": 3}, {"board": ["Wisp"]}, tables=tables)
    assert game.play("Fireball", "foe").foe["health"] == 23


def test_every_classic_card_is_there_with_its_class_and_cost():
    cards = [card for card in profiles.load("classic").cards if card.collectible]
    assert len(cards) == 382
    by_class = [sum(card.hero_class == number for card in cards) for number in range(10)]
    assert by_class == [157, *[25] * 9]
    costs = [sum(card.cost == cost for card in cards) for cost in (*range(11), 12, 20)]
    assert costs == [14, 66, 74, 78, 49, 36, 29, 14, 8, 8, 4, 1, 1]


def vanilla_cards(path: str) -> dict[str, dict[str, Any]]:
    """The numbers of the cards of 2014 by tag; only their part of the large file is read."""
    found: dict[str, dict[str, Any]] = {}
    tags: dict[str, Any] = {}
    wanted = False
    in_name = False
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            if "<Entity " in line:
                wanted = 'CardID="VAN_' in line
                if wanted:
                    tags = found.setdefault(line.partition('CardID="VAN_')[2].partition('"')[0], {})
            elif wanted and (tag := re.search(r'enumID="(\d+)".* value="(\d+)"', line)):
                tags[tag[1]] = int(tag[2])
            elif wanted and 'enumID="' in line:
                in_name = f'enumID="{NAME}"' in line
            elif wanted and in_name and "<enUS>" in line:
                tags[NAME] = unescape(line.strip().removeprefix("<enUS>").removesuffix("</enUS>"))
    return found


def test_card_facts_agree_with_the_public_card_data():
    data = pytest.importorskip("hearthstone_data")
    known = vanilla_cards(data.get_carddefs_path())
    tables = profiles.load("classic")
    ours = {card.key for card in tables.cards if card.collectible}
    assert ours == {key for key, tags in known.items() if tags.get(COLLECTIBLE)}
    for card in tables.cards:
        if card.collectible:
            tags = known[card.key]
            assert (card.name, card.cost) == (tags[NAME], tags.get(COST, 0)), card.key
            assert CLASS_NUMBERS[words.CLASSES[card.hero_class]] == tags[CLASS], card.key
            assert RARITY_NUMBERS[words.RARITIES[card.rarity]] == tags[RARITY], card.key
            if words.TYPES[card.type] in ("minion", "weapon"):
                assert (card.attack, card.health) == (tags.get(ATTACK, 0), tags[HEALTH]), card.key


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("hero mage\n30 Fireball", "30 copies of Fireball"),
        ("hero mage\n2 Fireball", "has 2 cards"),
        ("hero mage\n2 Fireballs", "there is no card 'Fireballs'"),
        ("hero wizard\n2 Fireball", "there is no class 'wizard'"),
        ("2 Fireball", "names no hero"),
        ("hero mage\nFireball", "expected a number and a card"),
        ("hero mage\n1 HERO_08", "which no deck holds"),
        ("hero mage\n1 The Coin", "is a token, which no deck holds"),
        ("hero mage\n1 GAME_005", "which no deck holds"),
        ("hero mage\n99 Fireball", "99 copies are more than a deck holds"),
    ],
)
def test_illegal_decks_are_refused_with_the_reason(lines, problem):
    tables = profiles.load("classic")
    filler = [card.name for card in tables.cards if card.collectible and not card.hero_class][:15]
    text = lines
    if "1 " in lines and "has 2" not in problem:
        text += "\n" + "\n".join(f"2 {name}" for name in filler)[: -len(filler[-1]) - 2]
        text += f"\n1 {filler[-1]}"
    with pytest.raises(BadParameter, match=problem):
        decks.read(text, "own.deck", tables)


def test_class_and_legendary_rules_of_decks():
    tables = profiles.load("classic")
    plain = [card.name for card in tables.cards if card.collectible and not card.hero_class]
    rows = [f"2 {name}" for name in plain[:14]]
    with pytest.raises(BadParameter, match="a legendary card is allowed once"):
        decks.read("\n".join(["hero mage", *rows, "2 Ysera"]), "own.deck", tables)
    with pytest.raises(BadParameter, match="is a priest card"):
        decks.read("\n".join(["hero mage", *rows, "2 Mind Control"]), "own.deck", tables)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"decks": "aaron"}, "names two"),
        ({"decks": "aaron/aron"}, "did you mean 'aaron'"),
        ({"decks": "random/random", "heroes": "mage/bard"}, "no class 'bard'"),
        ({"file": "nowhere.cards"}, "there is no card file"),
    ],
)
def test_bad_options_are_named(options, problem):
    with pytest.raises(LudexError, match=problem):
        Hearthstone(**options).model  # noqa: B018  # made when asked for


@pytest.mark.parametrize("decks_of", ["{own}/aaron", "aaron/{own}", "{own}/{own}"])
def test_decks_are_found_by_their_path(tmp_path, decks_of):
    own = tmp_path / "own.deck"
    own.write_text((decks.FOLDER / "aaron.deck").read_text())
    assert Hearthstone(decks=decks_of.format(own=own)).model.traits.seats == 2


def test_a_file_without_cards_is_a_mistake(tmp_path, capsys):
    path = tmp_path / "empty.cards"
    path.write_text("# nothing yet\n")
    assert main(["hearthstone", "check", str(path)]) == 1
    assert "empty.cards holds no card" in capsys.readouterr().out


def test_words_stand_in_the_order_of_the_native_lists():
    header = Path(profiles.__file__).parent / "native" / "cards.hpp"
    text = re.sub(r"//[^\n]*", "", header.read_text())
    for name, listed in (("Op", words.OPS), ("Amount", words.AMOUNTS), ("Event", words.EVENTS)):
        body = re.search(rf"enum class {name} : [\w:]+ \{{(.*?)\}}", text, re.S)
        assert tuple(re.findall(r"\w+", body[1])) == listed


def test_a_compiler_needs_no_profile():
    compiler = Compiler()
    compiler.add(WISP, "own.cards")
    assert [card.name for card in compiler.finish().cards] == ["Thing"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('minion X "A" neutral 1 mana 2 mana 1/1', "X has its cost twice"),
        ('minion X "A" mage neutral 1 mana 1/1', "X has its class twice"),
        ('spell X "A" mage 1 mana 2/3', "a spell has no attack and health"),
        ('spell X "A" mage 1 mana taunt', "'taunt' is not for a spell"),
        ('minion X "A" neutral 1 mana 1/1 secret', "'secret' is not for a minion"),
        ('spell X "A" mage 1 mana beast', "a spell is of no race"),
        ('spell X "A" mage 1 mana secret\n  cast: draw 1', "a secret has a 'when' or 'after'"),
        ('spell X "A" mage 1 mana\n  when own turn ends: draw 1', "unless it is a secret"),
        ('spell X "A" mage 1 mana\n  choose Y "B": draw 1', "two choices, not one"),
        ('spell X "A" mage 1 mana\n  deathrattle: draw 1', "a spell does not die"),
    ],
)
def test_contradictions_are_named(text, problem):
    with pytest.raises(LudexError, match=problem):
        profiles.with_text("classic", text)


ENDLESS = """minion OWN_1 "Echo" neutral common 2 mana 2/30
  when any minion healed: damage 1 self
  when any minion damaged: heal 1 any minions; damage 1 any minions
"""


def test_a_card_whose_effects_do_not_end_is_named(tmp_path, capsys):
    path = tmp_path / "own.cards"
    path.write_text(ENDLESS)
    assert main(["hearthstone", "check", str(path)]) == 1
    assert "OWN_1 'Echo' has effects that do not end" in " ".join(capsys.readouterr().out.split())


def test_cards_of_the_classic_game_come_to_an_end():
    tables = profiles.load("classic")
    tried = [card for card in tables.cards if card.triggers][:40]
    assert endless(tables, tried) is None


def test_a_token_in_a_deck_is_refused_as_a_token():
    tables = profiles.load("classic")
    rows = "\n".join(f"2 {card.name}" for card in tables.cards if card.collectible)
    text = f"hero mage\nmixed\n2 The Coin\n{rows}".splitlines()[:17]
    with pytest.raises(BadParameter, match="The Coin is a token"):
        decks.read("\n".join(text), "own.deck", tables)

"""Decks of the package and of users: what they hold, and all that is wrong with one at once."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from ludex.cli.app import main
from ludex.core.errors import BadParameter
from ludex.worlds.hearthstone import Hearthstone, decks, profiles
from ludex.worlds.hearthstone.deck_file import read_deck

MANY_MISTAKES = """# a deck of a newcomer
hero mage
2 Firebal
3 Frostbolt
1 Mind Control
2 Ysera
1 Fireball
2 Fireball
Arcane Missiles
1 The Coin
1 Jaina Proudmoore
99 Wisp
hero priest
"""
EXPECTED = [
    (3, "there is no card 'Firebal'; did you mean 'Fireball'?"),
    (4, "3 copies of Frostbolt, at most 2 are allowed"),
    (5, "Mind Control is a priest card, the hero is a mage"),
    (6, "2 copies of Ysera, a legendary card is allowed once"),
    (8, "3 copies of Fireball, at most 2 are allowed (lines 7 and 8)"),
    (9, "expected a number and a card, found 'Arcane Missiles'; write '1 Arcane Missiles'"),
    (10, "The Coin is a token, which no deck holds"),
    (11, "Jaina Proudmoore is a hero, which no deck holds"),
    (12, "99 copies are more than a deck holds"),
    (13, "the deck has a hero already, a mage"),
    (None, "the deck has 14 cards, it must have 30; add 16"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys, *words, status=1):
    assert main(["hearthstone", "check", *words, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_only_names_that_are_like_the_one_written_are_suggested(folder, capsys):
    (folder / "far.deck").write_text("hero mage\n1 Dr Boom\n1 Sylvanas\n1 Frotbolt\n")
    reasons = [one["reason"] for one in checked(capsys, "far.deck")["problems"]]
    assert reasons[:3] == [
        "there is no card 'Dr Boom'",
        "there is no card 'Sylvanas'; did you mean 'Sylvanas Windrunner'?",
        "there is no card 'Frotbolt'; did you mean 'Frostbolt'?",
    ]


# The decks that come with the world


@pytest.mark.parametrize("name", decks.names())
def test_a_deck_of_the_package_is_legal_and_can_be_played(name):
    profile = decks.about(name).profile or "classic"
    world = Hearthstone(decks=f"{name}/{name}", cards=profile)
    assert world.model.traits.seats == 2
    assert decks.about(name).about.endswith(".")  # where it is known from


def test_the_decks_of_the_competition_are_as_published():
    """Copies and keys of some cards, by hand from the published lists."""
    tables = profiles.load("competition")

    def copies(deck, card):
        return Counter(decks.load(deck, tables).cards)[decks.by_name(tables)[card.lower()]]

    assert copies("pirate_warrior", "Patches the Pirate") == 1
    assert copies("pirate_warrior", "Upgrade!") == 2
    assert copies("jade_shaman", "Lightning Storm") == 1
    assert copies("zoo_warlock", "Crazed Alchemist") == 1
    assert copies("miracle_rogue", "Counterfeit Coin") == 1
    assert copies("buff_paladin", "Don Han'Cho") == 1


def test_a_deck_of_other_cards_says_which_ones_it_needs():
    with pytest.raises(BadParameter, match="play it with cards=competition"):
        Hearthstone(decks="zoo_warlock/aaron").model  # noqa: B018  # made when asked for


def test_decks_are_listed_with_their_origin(capsys):
    assert main(["hearthstone", "decks", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["decks"]
    assert [one["name"] for one in listed] == decks.names()
    zoo = next(one for one in listed if one["name"] == "zoo_warlock")
    assert zoo["hero"] == "warlock"
    assert zoo["cards"] == "competition"
    assert "Competition" in zoo["about"]


def test_the_cards_of_a_deck_are_shown_with_their_texts(capsys):
    assert main(["hearthstone", "decks", "aaron", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["list"]
    assert sum(one["copies"] for one in listed) == 30
    fireball = next(one for one in listed if one["name"] == "Fireball")
    assert fireball == {
        "copies": 2,
        "name": "Fireball",
        "cost": 4,
        "stats": "spell",
        "text": "Deal 6 damage to a character.",
    }
    assert main(["hearthstone", "decks"]) == 0
    assert main(["hearthstone", "decks", "aron"]) == 2
    assert "did you mean 'aaron'" in capsys.readouterr().err


# Mistakes


def test_all_mistakes_of_a_deck_are_told_at_once(folder, capsys):
    (folder / "my.deck").write_text(MANY_MISTAKES)
    found = checked(capsys, "my.deck")
    assert [(one["line"], one["reason"]) for one in found["problems"]] == EXPECTED
    assert found["passed"] is False
    assert found["problem"] == f"my.deck:3: {EXPECTED[0][1]}"  # as it was before


def test_mistakes_are_told_one_a_line(folder, capsys):
    (folder / "my.deck").write_text(MANY_MISTAKES)
    assert main(["hearthstone", "check", "my.deck"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"error: my.deck:3: {EXPECTED[0][1]}"
    assert lines[-1] == "11 mistakes in my.deck"
    assert len(lines) == 12


def test_who_plays_a_bad_deck_is_told_how_to_see_all_mistakes(folder):
    (folder / "my.deck").write_text(MANY_MISTAKES)
    with pytest.raises(BadParameter, match=r"and 10 more: ludex hearthstone check my\.deck"):
        Hearthstone(decks="my.deck/aaron").model  # noqa: B018  # made when asked for


def test_a_deck_of_cards_of_ones_own_is_checked_with_them(folder, capsys):
    (folder / "own.cards").write_text('minion OWN_1 "Lamplighter" neutral common 2 mana 2/2\n')
    aaron = (decks.FOLDER / "aaron.deck").read_text()
    (folder / "my.deck").write_text(aaron.replace("2 Fireball", "2 Lamplighter"))
    assert "there is no card 'Lamplighter'" in checked(capsys, "my.deck")["problem"]
    found = checked(capsys, "my.deck", "--cards", "own.cards", status=0)
    assert found["found"] == "a mage deck of 30 cards"


def test_mistakes_of_cards_and_of_their_deck_are_told_together(folder, capsys):
    (folder / "own.cards").write_text('minion OWN_1 "Lamplighter" neutral comonn 2 mana 2/2\n')
    (folder / "my.deck").write_text("hero mage\n2 Lamplighter\n2 Lamplight\n")
    found = checked(capsys, "my.deck", "--cards", "own.cards", "--cards", "competition")
    assert [(one["file"], one["line"]) for one in found["problems"]] == [
        ("own.cards", 1),
        ("my.deck", 3),
        ("my.deck", None),
    ]


CARDS = """minion OWN_1 "Lamplighter" neutral comonn 2 mana 2/2
  battlecry on own minion: bufff +1/+1 target shield
spell OWN_2 "Landslide" shaman rare 4 mana overload 1
  cast: damge 2 to 4 enemy minions
minion OWN_3 "Ferryman" neutral rare 3 mana 2/4
  deathrattle: summon OWN_1
minion OWN_5 "Choirmaster" priest legendary 5 mana
  aura other own minions: +0/+2
@
"""


def test_all_mistakes_of_a_card_file_are_told_at_once(folder, capsys):
    """A card whose headline is wrong may be named by others, and its rules are read too."""
    (folder / "own.cards").write_text(CARDS)
    found = checked(capsys, "own.cards")
    assert [(one["line"], one["reason"].partition(";")[0]) for one in found["problems"]] == [
        (1, "unknown word 'comonn'"),
        (2, "unknown statement 'bufff'"),
        (4, "unknown statement 'damge'"),
        (7, 'a minion needs attack and health, as in "2/3"'),
        (9, "cannot read '@'"),
    ]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--cards", "classical"), "did you mean 'classic'"),
        (("--cards", "nowhere.cards"), "there is no card file 'nowhere.cards'"),
        (("--cards", "classic", "--cards", "nora2015"), "one profile of cards is read"),
    ],
)
def test_bad_choices_of_cards_are_named(folder, capsys, words, problem):
    (folder / "my.deck").write_text("hero mage\n")
    assert main(["hearthstone", "check", "my.deck", *words]) == 2
    assert problem in capsys.readouterr().err


def test_counts_classes_and_names_are_read_as_people_write_them():
    deck = read_deck("hero Mage\n2x fireball\n1 CS2_024 # by its key\n", profiles.load("classic"))
    assert deck.hero == "mage"
    assert len(deck.numbers()) == 3
    assert [mistake.reason for mistake in deck.mistakes] == [
        "the deck has 3 cards, it must have 30; add 27"
    ]

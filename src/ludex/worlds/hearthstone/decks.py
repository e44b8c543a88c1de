"""Decks: lists of cards by name, and what makes a list illegal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ludex.core.errors import BadParameter, did_you_mean
from ludex.core.text_file import Source, read_text
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables

FOLDER = Path(__file__).parent / "decks"
SIZE = 30
COPIES = 2
LEGENDARY = words.RARITIES.index("legendary")
CLASS_HEROES = {
    "warrior": "HERO_01",
    "shaman": "HERO_02",
    "rogue": "HERO_03",
    "paladin": "HERO_04",
    "hunter": "HERO_05",
    "druid": "HERO_06",
    "warlock": "HERO_07",
    "mage": "HERO_08",
    "priest": "HERO_09",
}


class Deck:
    """A hero and the cards of a deck, as card numbers."""

    def __init__(self, name: str, hero: str, cards: list[int], mixed: bool) -> None:
        self.name = name
        self.hero = hero
        self.cards = cards
        self.mixed = mixed
        """cards of other classes are allowed"""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.deck"))


@lru_cache(maxsize=32)
def by_name(tables: Tables) -> dict[str, int]:
    """Cards by their names in lower case; of several with one name, the collectible one."""
    found: dict[str, int] = {}
    for collectible in (True, False):
        for number, card in enumerate(tables.cards, 1):
            if card.collectible == collectible:
                found.setdefault(card.name.lower(), number)
    return found


def path_of(name: str) -> Path:
    """The path of a deck of the package, or of a user's deck file."""
    return Path(name) if name.endswith(".deck") else FOLDER / f"{name}.deck"


def load(name: str, tables: Tables, held: Mapping[Path, Source] | None = None) -> Deck:
    """Read a deck of ours by its name, or a deck file by its path.

    What was read from the file before is in `held`, where it was.
    """
    path = path_of(name)
    known = (held or {}).get(path)
    read_before = known is not None and known.data is not None
    if not read_before and not name.endswith(".deck") and name not in names():
        hint = did_you_mean(name, names()) or f"; known: {', '.join(names())}"
        raise BadParameter(f"no deck named {name!r}{hint}")
    return read(read_text(path, "deck", held=known), path.name, tables)


def read(text: str, file: str, tables: Tables) -> Deck:
    """Read a deck: `hero mage`, then lines such as `2 Fireball`; `mixed` allows all classes."""
    hero, mixed = "", False
    cards: list[int] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        word, _, rest = line.partition(" ")
        if word == "hero":
            hero = rest.strip()
            if hero not in CLASS_HEROES:
                hint = did_you_mean(hero, list(CLASS_HEROES))
                raise BadParameter(f"{file}:{number}: there is no class {hero!r}{hint}")
        elif line == "mixed":
            mixed = True
        elif re.fullmatch("[0-9]+", word) and rest:
            if len(word) > len(str(SIZE)) or int(word) > SIZE:
                word = word if len(word) < 12 else word[:9] + "..."
                raise BadParameter(f"{file}:{number}: {word} copies are more than a deck holds")
            cards += [find(rest.strip(), f"{file}:{number}", tables)] * int(word)
        else:
            line = line if len(line) < 60 else line[:57] + "..."
            raise BadParameter(f"{file}:{number}: expected a number and a card, found {line!r}")
    if not hero:
        raise BadParameter(f"{file} names no hero; begin with a line such as 'hero mage'")
    deck = Deck(file.removesuffix(".deck"), hero, cards, mixed)
    check(deck, tables)
    return deck


def find(name: str, where: str, tables: Tables) -> int:
    number = tables.number(name) or by_name(tables).get(name.lower(), 0)
    if not number:
        known = [card.name for card in tables.cards if card.collectible]
        name = name if len(name) < 60 else name[:57] + "..."
        raise BadParameter(f"{where}: there is no card {name!r}{did_you_mean(name, known)}")
    return number


def check(deck: Deck, tables: Tables) -> None:
    """Refuse a deck that cannot be played, with the first reason."""
    if len(deck.cards) != SIZE:
        raise BadParameter(f"deck {deck.name!r} has {len(deck.cards)} cards, it must have {SIZE}")
    own = words.CLASSES.index(deck.hero)
    for number, copies in Counter(deck.cards).items():
        card = tables.card(number)
        if problem := unfit(card, copies, own, deck.mixed):
            raise BadParameter(f"deck {deck.name!r}: {problem}")


def unfit(card: Card, copies: int, own: int, mixed: bool) -> str | None:
    """Why a card cannot be in a deck so often, or None."""
    kind = words.TYPES[card.type]
    if kind in ("hero", "power", "enchantment"):
        return f"{card.name} is a {kind}, which no deck holds"
    if not card.collectible:
        return f"{card.name} is a token, which no deck holds"
    if copies > COPIES:
        return f"{copies} copies of {card.name}, at most {COPIES} are allowed"
    if card.rarity == LEGENDARY and copies > 1 and not mixed:
        return f"{copies} copies of {card.name}, a legendary card is allowed once"
    if card.hero_class not in (0, own) and not mixed:
        theirs = words.CLASSES[card.hero_class]
        return f"{card.name} is a {theirs} card, the hero is a {words.CLASSES[own]}"
    return None

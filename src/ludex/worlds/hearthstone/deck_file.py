"""Deck files as users write them: reads a list of cards and finds all of its mistakes.

A file has a line `hero CLASS` and lines such as `2 Fireball`; `docs/worlds/hearthstone_decks.md`
is the reference of the format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from ludex.core.errors import VERY_LIKE, did_you_mean
from ludex.core.user_file import with_article
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables

SIZE = 30
COPIES = 2
LEGENDARY = words.RARITIES.index("legendary")
LONGEST_SHOWN = 60
COUNT = re.compile("([0-9]+)x?", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a deck, and in which line; 0 for the whole of it."""

    line: int
    reason: str


@dataclass(slots=True)
class DeckText:
    """A deck as it was read, with what is wrong with it."""

    hero: str = ""
    mixed: bool = False
    profile: str = ""
    """the cards it is made of, where the file names them"""
    about: str = ""
    """the first comment"""
    cards: list[tuple[int, int, int]] = field(default_factory=list)
    """the line, the copies and the card number of each entry"""
    mistakes: list[Mistake] = field(default_factory=list)

    def numbers(self) -> list[int]:
        return [card for _, copies, card in self.cards for _ in range(copies)]


@lru_cache(maxsize=32)
def by_name(tables: Tables) -> dict[str, int]:
    """Cards by their names in lower case; of several with one name, the collectible one."""
    found: dict[str, int] = {}
    for collectible in (True, False):
        for number, card in enumerate(tables.cards, 1):
            if card.collectible == collectible:
                found.setdefault(card.name.lower(), number)
    return found


def heading(text: str) -> DeckText:
    """What a deck says of itself, without its cards."""
    deck = DeckText()
    for raw in text.splitlines():
        line, _, comment = raw.partition("#")
        deck.about = deck.about or comment.strip()
        word, _, rest = line.strip().partition(" ")
        if word == "hero":
            deck.hero = rest.strip().lower()
        elif word == "cards":
            deck.profile = rest.strip()
    return deck


def read_deck(text: str, tables: Tables) -> DeckText:
    """Read a deck and all of its mistakes, in the order of their lines."""
    deck = heading(text)
    deck.hero = ""
    unread = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        word, _, rest = line.partition(" ")
        if not line or word == "cards":
            continue
        if word == "hero":
            read_hero(deck, number, rest.strip())
        elif line == "mixed":
            deck.mixed = True
        else:
            unread += read_entry(deck, number, line, tables)
    if not deck.hero and not any("class" in mistake.reason for mistake in deck.mistakes):
        missing = "the deck names no hero; begin with a line such as 'hero mage'"
        deck.mistakes.append(Mistake(0, missing))
    deck.mistakes += unfit_entries(deck, tables)
    deck.mistakes.sort(key=lambda mistake: mistake.line or len(text))
    count = sum(copies for _, copies, _ in deck.cards) + unread
    if count != SIZE:
        cards = "card" if count == 1 else "cards"
        change = f"add {SIZE - count}" if count < SIZE else f"take out {count - SIZE}"
        reason = f"the deck has {count} {cards}, it must have {SIZE}; {change}"
        deck.mistakes.append(Mistake(0, reason))
    return deck


def read_hero(deck: DeckText, line: int, name: str) -> None:
    if name.lower() not in CLASS_HEROES:
        hint = did_you_mean(name.lower(), list(CLASS_HEROES))
        hint = hint or f"; known: {', '.join(sorted(CLASS_HEROES))}"
        deck.mistakes.append(Mistake(line, f"there is no class {shown(name)}{hint}"))
    elif deck.hero:
        deck.mistakes.append(Mistake(line, f"the deck has a hero already, a {deck.hero}"))
    else:
        deck.hero = name.lower()


def read_entry(deck: DeckText, line: int, text: str, tables: Tables) -> int:
    """Read `2 Fireball`; returns how many cards an entry has that cannot be read."""
    word, _, rest = text.partition(" ")
    name = rest.strip()
    count = COUNT.fullmatch(word)
    if count is None or not name:
        hint = f"; write '1 {text}'" if find(text, tables) else ""
        reason = f"expected a number and a card, found {shown(text)}{hint}"
        deck.mistakes.append(Mistake(line, reason))
        return int(bool(hint))
    digits = count[1]
    if len(digits) > len(str(SIZE)) or int(digits) > SIZE:
        digits = digits if len(digits) < 12 else digits[:9] + "..."
        deck.mistakes.append(Mistake(line, f"{digits} copies are more than a deck holds"))
        return 0
    if number := find(name, tables):
        deck.cards.append((line, int(digits), number))
        return 0
    hint = near_card(name, (card.name for card in tables.cards if card.collectible))
    deck.mistakes.append(Mistake(line, f"there is no card {shown(name)}{hint}"))
    return int(digits)


def find(name: str, tables: Tables) -> int:
    """The number of a card by its key or name; 0 when there is none."""
    return tables.number(name) or by_name(tables).get(name.lower(), 0)


def near_card(name: str, known: Iterable[str]) -> str:
    """Suggest the card whose name has these words or almost these letters; else nothing.

    >>> near_card("Sylvanas", ["Sylvanas Windrunner", "Mad Bomber"])
    "; did you mean 'Sylvanas Windrunner'?"
    >>> near_card("Firebal", ["Fireball"]), near_card("Dr Boom", ["Mad Bomber"])
    ("; did you mean 'Fireball'?", '')
    """
    if len(name) > LONGEST_SHOWN:
        return ""
    names = list(known)
    typed = set(name.lower().split())
    same_words = [one for one in names if typed and typed <= set(one.lower().split())]
    if len(set(same_words)) == 1:
        return f"; did you mean {same_words[0]!r}?"
    return did_you_mean(name, names, like=VERY_LIKE)


def unfit_entries(deck: DeckText, tables: Tables) -> Iterator[Mistake]:
    """The cards that cannot be in this deck, or not so often, each told once."""
    own = words.CLASSES.index(deck.hero) if deck.hero else 0
    copies: Counter[int] = Counter()
    lines: dict[int, list[int]] = {}
    for line, count, number in deck.cards:
        copies[number] += count
        lines.setdefault(number, []).append(line)
    for number, count in copies.items():
        mixed = deck.mixed or not deck.hero
        if reason := unfit(tables.card(number), count, own, mixed):
            where = lines[number]
            if len(where) > 1:
                reason += f" (lines {', '.join(map(str, where[:-1]))} and {where[-1]})"
            yield Mistake(where[-1], reason)


def unfit(card: Card, copies: int, own: int, mixed: bool) -> str | None:
    """Why a card cannot be in a deck so often, or None."""
    kind = words.TYPES[card.type]
    if kind in ("hero", "power", "enchantment"):
        return f"{card.name} is {with_article(kind)}, which no deck holds"
    if not card.collectible:
        return f"{card.name} is a token, which no deck holds"
    if card.hero_class not in (0, own) and not mixed:
        theirs = words.CLASSES[card.hero_class]
        return f"{card.name} is a {theirs} card, the hero is a {words.CLASSES[own]}"
    if card.rarity == LEGENDARY and copies > 1 and not mixed:
        return f"{copies} copies of {card.name}, a legendary card is allowed once"
    if copies > COPIES:
        return f"{copies} copies of {card.name}, at most {COPIES} are allowed"
    return None


def shown(text: str) -> str:
    return repr(text if len(text) < LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "...")

"""Headlines of cards: `minion CS2_189 "Elven Archer" neutral free 1 mana 1/1`."""

from __future__ import annotations

import re

from ludex.core.errors import did_you_mean
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.lexer import (
    HIGHEST,
    KEY,
    NUMBER,
    PAIR,
    CardLine,
    Cursor,
    shown,
)
from ludex.worlds.hearthstone.language.names import read_new_key
from ludex.worlds.hearthstone.language.tables import Card, Tables

STATS = "attack and health"
STAND_IN = re.compile(rf'(?P<type>\w+)\s+(?P<key>{KEY.pattern})\s+"(?P<name>[^"]+)"')
FIELD_WORDS = [
    *(words.CLASSES + words.RARITIES + words.RACES),
    *words.KEYWORDS,
    *("token", "overload", "spell-damage"),
]


def read_headline(tables: Tables, line: CardLine) -> Card:
    """Read a card without its rules and put it into the tables."""
    cursor = Cursor(line)
    is_changed = cursor.skip("changed")
    kind = read_type(cursor)
    key = read_new_key(cursor)
    number = tables.number(key)
    check_key(tables, cursor, key, is_changed)
    card = Card(key, cursor.name("card"), words.TYPES.index(kind), line.number, line.file)
    if is_changed and card.type != tables.card(number).type:
        was = words.TYPES[tables.card(number).type]
        raise line.fail(f"{key} is a {was}, and a changed card keeps its type")
    given = read_fields(card, cursor)
    check_fields(card, kind, given, line)
    if kind in ("enchantment", "power", "hero"):
        card.collectible = False
    if is_changed:
        tables.cards[number - 1] = card
    else:
        tables.add(card)
    return card


def stand_in(tables: Tables, line: CardLine) -> Card | None:
    """Let other cards and decks refer to one whose headline has a mistake, which is told once."""
    found = STAND_IN.match(line.text)
    if not found or found["key"] in words.RESERVED or tables.number(found["key"]):
        return None
    kind = found["type"] if found["type"] in words.TYPES else "minion"
    card = Card(found["key"], found["name"], words.TYPES.index(kind), line.number, line.file)
    tables.add(card)
    return card if kind == found["type"] else None


def read_type(cursor: Cursor) -> str:
    kind = cursor.take()
    if kind not in words.TYPES[1:]:
        hint = did_you_mean(kind, words.TYPES[1:])
        raise cursor.fail(f"a card begins with its type, not {kind!r}{hint}")
    return kind


def check_key(tables: Tables, cursor: Cursor, key: str, is_changed: bool) -> None:
    """Refuse a new card whose key is taken, and a changed card that does not exist."""
    number = tables.number(key)
    if is_changed and not number:
        hint = did_you_mean(key, list(tables.numbers))
        raise cursor.fail(f"there is no card {key} that could be changed{hint}")
    if number and not is_changed:
        other = tables.card(number)
        where = f"{other.file}:{other.line}"
        raise cursor.fail(
            f"there is a card {key} already, at {where}; write 'changed' to replace it"
        )


def read_fields(card: Card, cursor: Cursor) -> set[str]:
    """Read the rest of a headline; returns the names of the fields that it gives."""
    given: set[str] = set()
    while cursor.next:
        name = read_field(card, cursor)
        if name in given:
            raise cursor.fail(f"{card.key} has its {name} twice")
        if name:
            given.add(name)
    return given


def read_field(card: Card, cursor: Cursor) -> str:
    """Read one field; returns its name if a card has it once at most, else ""."""
    word = cursor.next
    if PAIR.fullmatch(word):
        card.attack, card.health = cursor.pair(STATS, 0)
        return STATS
    cursor.take()
    if NUMBER.fullmatch(word) and cursor.skip("mana"):
        card.cost = cursor.within(word, 0, HIGHEST)
        return "cost"
    if word in words.CLASSES:
        card.hero_class = words.CLASSES.index(word)
        return "class"
    if word in words.RARITIES:
        card.rarity = words.RARITIES.index(word)
        return "rarity"
    if word == "overload":
        card.overload = cursor.number(0, HIGHEST)
        return "overload"
    if word == "spell-damage":
        card.spell_damage = cursor.number(0, HIGHEST)
        return "spell damage"
    if word in words.RACE_BITS:
        card.races |= words.RACE_BITS[word]
    elif word in words.KEYWORDS:
        card.keywords |= words.KEYWORDS[word]
    elif word == "token":
        card.collectible = False
    else:
        raise cursor.fail(f"unknown word {shown(word)}{did_you_mean(word, FIELD_WORDS)}")
    return ""


def check_fields(card: Card, kind: str, given: set[str], line: CardLine) -> None:
    """Refuse fields that do not go together."""
    fights = kind in ("minion", "weapon", "hero")
    if fights and STATS not in given:
        raise line.fail(f'a {kind} needs attack and health, as in "2/3"')
    if fights and card.health == 0:
        raise line.fail(f"a {kind} needs health from 1 to {HIGHEST}, not 0")
    if STATS in given and kind in ("spell", "power"):
        raise line.fail(f"a {kind} has no attack and health")
    if card.races and kind not in ("minion", "hero"):
        raise line.fail(f"a {kind} is of no race")
    for word, bit in words.KEYWORDS.items():
        if card.keywords & bit and (kind == "spell") != (word in words.SPELL_KEYWORDS):
            raise line.fail(f"{word!r} is not for a {kind}")

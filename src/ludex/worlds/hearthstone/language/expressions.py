"""Expressions of card texts: groups of characters, values, conditions."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.lexer import (
    HIGHEST,
    MOST,
    NUMBER,
    SIGNED,
    Cursor,
    shown,
)
from ludex.worlds.hearthstone.language.names import read_card, read_pool_name, read_race
from ludex.worlds.hearthstone.language.tables import Card, Row, Tables

MOST_PICKED = 16  # all characters there can be
EXCEPT = 0x8000  # flag beside a card number: all but this card
MINIONS, CHARACTERS = 1, 3
KINDS = {"minion": 1, "minions": 1, "hero": 2, "heroes": 2, "character": 3, "characters": 3}
SINGLE = ("target", "self", "subject", "object", "held")
"""words that mean one character"""
LATER_FILTERS = (
    "beside target",
    "beside self",
    "not target",
    "not subject",
    "not object",
    "not held",
)
NO_CONDITION: Row = (-1, 0, 0)
PLAYER_VALUES = {
    ("own", "hand"): ("hand", 0),
    ("enemy", "hand"): ("hand", 1),
    ("own", "secrets"): ("secrets", 0),
    ("enemy", "secrets"): ("secrets", 1),
    ("own", "deck"): ("deck", 0),
    ("enemy", "deck"): ("deck", 1),
    ("own", "room"): ("room", 0),
    ("enemy", "room"): ("room", 1),
    ("own", "weapon"): ("armed", 0),
    ("enemy", "weapon"): ("armed", 1),
    ("own", "wounds"): ("missing", 0),
    ("enemy", "wounds"): ("missing", 1),
    ("own", "crystals"): ("crystals", 0),
    ("own", "mana"): ("mana", 0),
    ("enemy", "durability"): ("durability", 1),
    ("enemy", "weapon-attack"): ("weapon_attack", 1),
}
"""values of one player, by the two words that name them"""
PLAIN_VALUES = {
    "played": "played",
    "combo": "played",
    "armour": "armour",
    "weapon-attack": "weapon_attack",
    "durability": "durability",
    "event-amount": "event",
    "hero-attack": "hero_attack",
    "hero-health": "hero_health",
    "last-cost": "last_cost",
    "spell-damage": "spell_damage",
    "unique-deck": "unique_deck",
    "own-turn": "my_turn",
    "golems": "golems",
    "totems-summoned": "totems",
    "result": "result",
    "same-card": "same_card",
}
STATS_OF = {"attack": "attack_of", "health": "health_of", "max-health": "max_health_of"}
PROPERTIES = STATS_OF | {
    "dead": "is_dead",
    "own": "is_own",
    "frozen": "is_frozen",
    "damaged": "is_damaged",
    "present": "is_present",
}
"""what can follow `target is`"""


# Groups


@dataclass(slots=True)
class CharacterGroup:
    """Characters that a text means, such as `random 2 enemy minions`."""

    base: int = 0
    sides: int = 3
    kinds: int = 0
    pick: int = 0
    filters: int = 0
    races: int = 0
    comparison: int = 0
    attack: int = 0
    card: int = 0

    def row(self) -> Row:
        return (
            *(self.base, self.sides, self.kinds, self.pick, self.filters, self.races),
            *(self.comparison, self.attack, self.card),
        )


def read_group(tables: Tables, cursor: Cursor, card: Card) -> int:
    """The index of a group of characters; `card` is named in errors."""
    group = CharacterGroup()
    start = cursor.at
    if cursor.next in SINGLE:
        group.base = words.BASES.index(cursor.take())
        group.kinds = CHARACTERS
    else:
        while read_area_word(tables, cursor, card, group):
            pass
    if not group.kinds:
        said = " ".join(cursor.tokens[start : cursor.at + 1])
        raise cursor.fail(f"expected characters, as in 'random enemy minion', found {said!r}")
    while read_restriction(tables, cursor, card, group):
        pass
    return tables.intern(tables.groups, group.row())


def read_area_word(tables: Tables, cursor: Cursor, card: Card, group: CharacterGroup) -> bool:
    """Read one word of `random 2 enemy damaged minions`; whether more may follow."""
    word = cursor.next
    if word in words.SIDES:
        group.sides = words.SIDES[cursor.take()]
    elif word == "all":
        cursor.take()
    elif word == "random":
        cursor.take()
        has_number = NUMBER.fullmatch(cursor.next)
        group.pick = cursor.number(1, MOST_PICKED) if has_number else 1
    elif word in words.FILTERS:
        group.filters |= words.FILTERS[cursor.take()]
    elif word in words.RACE_BITS or word in words.PLURALS:
        group.races |= read_race(cursor)
        group.kinds |= MINIONS
    elif word in KINDS:
        group.kinds = KINDS[cursor.take()]
        return False
    elif word in tables.numbers:
        group.card = read_card(tables, cursor, f"{card.key} means")
        group.kinds = MINIONS
        return False
    else:
        return False
    return True


def read_restriction(tables: Tables, cursor: Cursor, card: Card, group: CharacterGroup) -> bool:
    """Read what restricts a group further, such as `with attack <= 3`; whether there was one."""
    for phrase in LATER_FILTERS:
        if cursor.skip(*phrase.split()):
            group.filters |= words.FILTERS[phrase]
            return True
    if cursor.skip("with", "attack"):
        group.comparison = words.COMPARISONS[cursor.one_of(words.COMPARISONS)]
        group.attack = cursor.number(0, MOST)
    elif cursor.skip("except"):
        group.card = read_card(tables, cursor, f"{card.key} leaves out") | EXCEPT
    else:
        return False
    return True


# Values


def read_value(tables: Tables, cursor: Cursor, card: Card, least: int = -MOST) -> int:
    """The index of a number from `least` on, or of something to count."""
    kind, a, c = read_term(tables, cursor, card, least)
    times = cursor.number(-HIGHEST, HIGHEST) if cursor.skip("*") else 1
    plus = cursor.number() if SIGNED.fullmatch(cursor.next) and kind != "number" else 0
    return tables.intern(tables.values, (words.AMOUNT[kind], a, c, times, plus))


def read_term(tables: Tables, cursor: Cursor, card: Card, least: int) -> tuple[str, int, int]:
    """A value without factor and addend: its kind and two arguments."""
    word, second = cursor.next, cursor.peek(1)
    if NUMBER.fullmatch(word):
        return read_number(cursor, least)
    if (word, second) in PLAYER_VALUES:
        cursor.skip(word, second)
        return (*PLAYER_VALUES[word, second], 0)
    if word in STATS_OF and second == "of":
        cursor.skip(word, second)
        return STATS_OF[word], read_reference(cursor), 0
    if word in SINGLE:
        return read_property(cursor)
    cursor.take()
    if word in PLAIN_VALUES:
        return PLAIN_VALUES[word], 0, 0
    if word == "missiles":
        return "missiles", cursor.number(0, HIGHEST), 0
    if word == "holding":
        return "holding", read_race(cursor), 0
    if word == "count":
        return "count", read_group(tables, cursor, card), 0
    if word == "lacking":
        return "lacking", read_pool_name(tables, cursor, f"{card.key} lacks"), 0
    if word == "enough":
        number = cursor.number(0, HIGHEST)
        return "at_least", read_group(tables, cursor, card), number
    raise cursor.fail(f"expected a number or what to count, found {shown(word)}")


def read_number(cursor: Cursor, least: int) -> tuple[str, int, int]:
    """A number such as `3`, or a random one such as `1 to 3`."""
    low = cursor.number(least)
    if not cursor.skip("to"):
        return "number", low, 0
    high = cursor.number(least)
    if high < low:
        raise cursor.fail(f"a random number from {low} to {high} is empty")
    return "random", low, high


def read_property(cursor: Cursor) -> tuple[str, int, int]:
    """Whether a character has a property: `target is frozen`, `subject is beast`."""
    who = read_reference(cursor)
    cursor.expect("is")
    word = cursor.take()
    if word in words.RACE_BITS:
        return "is_race", who, words.RACE_BITS[word]
    if word not in PROPERTIES:
        raise cursor.fail(f"nothing can be {shown(word)}")
    return PROPERTIES[word], who, 0


def read_reference(cursor: Cursor) -> int:
    """The number of a single character: self, target, a hero, ..."""
    for phrase, number in words.REFERENCES.items():
        if cursor.skip(*phrase.split()):
            return number
    raise cursor.fail(
        f"expected self, target, subject, object or a hero, found {shown(cursor.next)}"
    )


# Conditions


def read_condition(tables: Tables, cursor: Cursor, card: Card) -> Row:
    """A value and how it compares; alone it means "at least one", after `no` "none"."""
    if cursor.skip("no"):
        return (read_value(tables, cursor, card), words.COMPARISONS["<="], 0)
    if cursor.skip("any"):
        return (read_count(tables, cursor, card), words.COMPARISONS[">="], 1)
    value = read_value(tables, cursor, card)
    if cursor.next in words.COMPARISONS:
        how = words.COMPARISONS[cursor.take()]
        return (value, how, cursor.number())
    return (value, words.COMPARISONS[">="], 1)


def read_count(tables: Tables, cursor: Cursor, card: Card) -> int:
    """The index of the value that counts a group."""
    group = read_group(tables, cursor, card)
    return tables.intern(tables.values, (words.AMOUNT["count"], group, 0, 1, 0))

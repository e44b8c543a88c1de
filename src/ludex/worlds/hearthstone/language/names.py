"""Names that card texts use: cards, pools, races, keywords."""

from __future__ import annotations

from collections.abc import Collection

from ludex.core.errors import did_you_mean
from ludex.core.user_file import with_article
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.lexer import KEY, Cursor, shown
from ludex.worlds.hearthstone.language.tables import Tables

HELD = ("minion", "spell", "weapon")  # what a hand or a deck holds


def read_new_key(cursor: Cursor) -> str:
    """The key of a card that is defined here."""
    key = cursor.take()
    if not KEY.fullmatch(key):
        raise cursor.fail(f"expected the key of the card, as in CS2_029, found {shown(key)}")
    if key in words.RESERVED:
        raise cursor.fail(f"{key!r} is a word of the language, and no key of a card")
    return key


def read_card(tables: Tables, cursor: Cursor, does: str, kinds: Collection[str] = ()) -> int:
    """The number of a card, read by its key.

    Args:
        tables: All cards.
        cursor: Where its key is read.
        does: Who does what with the card, for errors.
        kinds: Card types that are allowed; all if empty.
    """
    key = cursor.take()
    number = tables.number(key)
    if not number:
        hint = did_you_mean(key, list(tables.numbers))
        raise cursor.fail(f"{does} {shown(key)}, but there is no card {key!r}{hint}")
    check_kind(tables, cursor, number, does, kinds)
    return number


def check_special_card(
    tables: Tables, cursor: Cursor, key: str, does: str, kinds: Collection[str]
) -> None:
    """Refuse a statement that needs a card which this profile does not have."""
    number = tables.number(key)
    if not number:
        raise cursor.fail(f"{does} {key!r}, but there is no such card in this profile")
    check_kind(tables, cursor, number, does, kinds)


def check_kind(
    tables: Tables, cursor: Cursor, number: int, does: str, kinds: Collection[str]
) -> None:
    card = tables.card(number)
    kind = words.TYPES[card.type]
    if kinds and kind not in kinds:
        wanted = " or ".join(map(with_article, kinds))
        raise cursor.fail(f"{does} {card.key}, which is {with_article(kind)}, not {wanted}")


def read_pool_name(tables: Tables, cursor: Cursor, does: str, kinds: Collection[str] = ()) -> int:
    """The index of a pool, all of whose cards are of these types."""
    name = cursor.take()
    names = tables.pool_names
    if name not in names:
        hint = did_you_mean(name, list(names))
        raise cursor.fail(f"{does} one of {shown(name)}, but there is no pool {name!r}{hint}")
    for number in tables.pools[names[name]]:
        check_kind(tables, cursor, number, f"{does} one of {name}, which holds", kinds)
    return names[name]


def read_race(cursor: Cursor) -> int:
    """The bit of a race, in singular or plural."""
    word = cursor.take()
    race = words.PLURALS.get(word, word)
    if race not in words.RACE_BITS:
        hint = did_you_mean(word, words.RACES)
        raise cursor.fail(f"there is no race {shown(word)}{hint}")
    return words.RACE_BITS[race]


def read_granted_keyword(cursor: Cursor) -> int:
    """The bit of a keyword that minions can be given, and lose."""
    word = cursor.take()
    if word not in words.KEYWORDS:
        hint = did_you_mean(word, list(words.KEYWORDS))
        raise cursor.fail(f"unknown keyword {shown(word)}{hint}")
    if not words.KEYWORDS[word] & words.GRANTABLE:
        raise cursor.fail(f"{word!r} is a card's own: it can be neither given nor taken")
    return words.KEYWORDS[word]

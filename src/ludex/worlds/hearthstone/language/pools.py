"""Pools of cards: `pool totems: CS2_050 CS2_051`, `pool mage: collectible mage spells`."""

from __future__ import annotations

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.lexer import HIGHEST, KEY, CardLine, Cursor, shown
from ludex.worlds.hearthstone.language.names import read_card
from ludex.worlds.hearthstone.language.tables import Tables


def read_pool(tables: Tables, line: CardLine) -> None:
    """Read the line of a pool and put it into the tables."""
    cursor = Cursor(line, 1)
    name = cursor.take()
    if not KEY.fullmatch(name):
        raise line.fail(f"expected the name of the pool, as in totems, found {shown(name)}")
    if name in tables.pool_names:
        raise line.fail(f"there is a pool {name!r} already")
    cursor.expect(":")
    pool = filtered(tables, cursor) if cursor.skip("collectible") else []
    while cursor.next:
        number = read_card(tables, cursor, f"the pool {name!r} names")
        if number in pool:
            raise line.fail(f"the pool {name!r} names {tables.card(number).key} twice")
        pool.append(number)
    if not pool:
        raise line.fail(f"the pool {name!r} holds no card")
    tables.pool_names[name] = len(tables.pools)
    tables.pools.append(pool)


def filtered(tables: Tables, cursor: Cursor) -> list[int]:
    """Cards by class, type, race and cost: `collectible mage priest spells cost 1`."""
    cards = tables.cards
    found = [number for number, card in enumerate(cards, 1) if card.collectible]
    classes: set[int] = set()
    while cursor.next:
        said = cursor.take()
        word = said.removesuffix("s")
        if word in words.CLASSES:
            classes.add(words.CLASSES.index(word))
        elif said == "class":
            classes |= set(range(1, len(words.CLASSES)))
        elif word in words.TYPES:
            which = words.TYPES.index(word)
            found = [n for n in found if cards[n - 1].type == which]
        elif word in words.RACE_BITS:
            bit = words.RACE_BITS[word]
            found = [n for n in found if cards[n - 1].races & bit]
        elif word == "cost":
            cost = cursor.number(0, HIGHEST)
            found = [n for n in found if cards[n - 1].cost == cost]
        else:
            raise cursor.fail(f"a pool cannot be chosen by {said!r}")
    return [n for n in found if not classes or cards[n - 1].hero_class in classes]

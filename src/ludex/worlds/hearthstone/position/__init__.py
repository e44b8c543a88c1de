"""Positions in words: a state as one line with the names of cards, and back.

`hearthstone turn=5 p0 hero=Jaina-Proudmoore mana=3/3 hand=Fireball,Wisp ... p1 ...`

`str(state)` is the short form with card numbers, which keys, hashes and records use; both forms
hold the same facts. Facts that a card prints, or that follow from others, are left out here.
`docs/worlds/hearthstone.md` is the reference.
"""

from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.position.reading import Reader
from ludex.worlds.hearthstone.position.writing import Writer

__all__ = ["native_text", "position_text"]


def position_text(native: str, tables: Tables) -> str:
    """A state in words, from its native text."""
    return Writer(tables).write(native)


def native_text(position: str, tables: Tables) -> str:
    """The native text of a state in words; InvalidState says what cannot be read."""
    return Reader(tables).read(position)

"""Words for cards and for bits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ludex.core.errors import VERY_LIKE, InvalidState, did_you_mean
from ludex.worlds.hearthstone.deck_file import by_name
from ludex.worlds.hearthstone.language.tables import Tables

PHASES = ("play", "mulligan", "choice", "over")
CHOICES = ("none", "track", "discover", "power", "potion")
HERO_FLAGS = (
    *("frozen", "immune", "dying", "minions-survive", "spells-free", "spells-free-next"),
    "next-secret-free",
)
MINION_FLAGS = ("silenced", "frozen", "sick", "doomed", "aura", "unborn")
HAND_FLAGS = ("known", "foreign")
SETS = ("set-attack", "set-health")
UNTIL = ("forever", "this-turn", "own-turn", "returned")
UNKNOWN = "?"
CARDS = ("hero", "power", "weapon", "returning", "source_card")
"""numbers that are cards"""


def slug(name: str) -> str:
    """A name as one word.

    >>> slug("Shadow Word: Pain"), slug("Sen'jin Shieldmasta"), slug("Upgrade!")
    ('Shadow-Word-Pain', 'Senjin-Shieldmasta', 'Upgrade')
    """
    return re.sub(r"[\W_]+", "-", name.replace("'", "")).strip("-")


class CardNames:
    """Words for the cards of a profile: a name where it means one card, else the key."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.numbers: dict[str, int] = {}
        for name, number in by_name(tables).items():
            word = slug(name).lower()
            if word and not word.isdecimal() and word not in self.keys:
                self.numbers.setdefault(word, number)
        self.words = {number: slug(tables.card(number).name) for number in self.numbers.values()}

    @property
    def keys(self) -> Iterable[str]:
        return self.tables.numbers.keys()

    def word(self, number: int) -> str:
        if not number:
            return UNKNOWN
        return self.words.get(number) or self.tables.card(number).key

    def number(self, word: str) -> int:
        if word == UNKNOWN:
            return 0
        found = self.tables.number(word) or self.numbers.get(word.lower(), 0)
        if not found and word.isdecimal() and 0 < int(word[:9]) <= len(self.tables.cards):
            found = int(word)
        if not found:
            hint = did_you_mean(word, self.words.values(), like=VERY_LIKE) if len(word) < 80 else ""
            raise InvalidState(f"there is no card {word[:80]!r}{hint}")
        return found


@lru_cache(maxsize=32)
def names_of(tables: Tables) -> CardNames:
    return CardNames(tables)


def bits_text(bits: int, named: Mapping[str, int]) -> str:
    """Bits by their names, split by plus signs; "none" if there are none."""
    parts = [word for word, bit in named.items() if bits & bit]
    rest = bits & ~sum(named.values())
    return "+".join([*parts, *([str(rest)] if rest else [])]) or "none"


def bits_of(text: str, named: Mapping[str, int]) -> int:
    bits = 0
    for word in text.split("+"):
        if word in named:
            bits |= named[word]
        elif word.isdecimal():
            bits |= int(word)
        elif word != "none":
            raise InvalidState(f"unknown word {word!r}{did_you_mean(word, named)}")
    return bits


def flags_of(listed: Iterable[str]) -> dict[str, int]:
    return {word: 1 << index for index, word in enumerate(listed)}


HERO_BITS, MINION_BITS, HAND_BITS = map(flags_of, (HERO_FLAGS, MINION_FLAGS, HAND_FLAGS))

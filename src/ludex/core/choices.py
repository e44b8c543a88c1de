"""Legal actions as a person types them: their groups, their names, and beginnings of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MOST_LISTED = 8
"""candidates that an ambiguous text is answered with"""
SHORTEST_INSIDE = 3
"""letters of a word that is found within a name, where words before it are left out"""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action for a person at the prompt.

    >>> Choice(7, "settlement 12", group="build a settlement", label="12").texts
    ('settlement 12',)
    """

    action: Any
    text: str
    """as `world.action_text` writes it"""
    group: str
    """what it is listed under, as in "build a road"; the first word may be typed for it"""
    label: str = ""
    """what is listed below the group, as in "12 (wood 8, ore 3)"; the text if empty"""
    names: tuple[str, ...] = ()
    """other words that stand for it, as in "play The Coin" """
    spelling: str = ""
    """the one text that completion offers, where the names are many ways to say the same"""

    @property
    def texts(self) -> tuple[str, ...]:
        """What completion offers."""
        return (self.spelling,) if self.spelling else (self.text, *self.names)

    @property
    def accepted(self) -> tuple[str, ...]:
        """All that can be typed in full."""
        return (self.text, *self.names, *((self.spelling,) if self.spelling else ()))


def grouped(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """The choices by their groups, in the order in which these come up."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice.group, []).append(choice)
    return groups


def matching(text: str, choices: Sequence[Choice], by_group: bool = True) -> list[Choice]:
    """The choices that a text can mean: by all of it, else its beginning, its words, its group.

    The first of these that fits any choice decides. Numbers are typed in full. Groups are left
    out `by_group` where the text is all of an action that is not legal.

    >>> coin, end = Choice(1, "play 3", "play", names=("play The Coin",)), Choice(2, "end", "end")
    >>> [found.text for found in matching("the coin", [coin, end])]
    ['play 3']
    >>> [found.text for found in matching("p 3", [coin, end])]
    ['play 3']
    """
    typed = folded(text)
    if not typed:
        return []
    for fits in (is_whole, is_beginning, begins_each_word, is_within):
        found = [one for one in choices if any(fits(typed, folded(name)) for name in one.accepted)]
        if found:
            return found
    return [one for one in choices if by_group and is_beginning(typed, folded(one.group))]


def folded(text: str) -> str:
    """Text without regard to case and spaces."""
    return " ".join(text.lower().split())


def is_whole(typed: str, name: str) -> bool:
    return typed == name


def is_beginning(typed: str, name: str) -> bool:
    """Whether the name goes on where the text ends, but not within a number.

    >>> is_beginning("road 1", "road 1 north"), is_beginning("road 1", "road 12")
    (True, False)
    """
    if not name.startswith(typed):
        return False
    return not (typed[-1].isdigit() and name[len(typed) : len(typed) + 1].isdigit())


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\s,+;:()]+", text)


def begins(word: str, whole: str) -> bool:
    return word == whole if word.isdigit() or whole.isdigit() else whole.startswith(word)


def begins_each_word(typed: str, name: str) -> bool:
    """Whether the words of the text begin those of the name, from the first on.

    >>> begins_each_word("b s 12", "build settlement 12")
    True
    """
    mine, theirs = words_of(typed), words_of(name)
    return 0 < len(mine) <= len(theirs) and all(map(begins, mine, theirs))


def is_within(typed: str, name: str) -> bool:
    """Whether the words of the text begin words of the name, in this order.

    >>> is_within("fireball 2", "play Fireball at enemy 2"), is_within("2", "play 1 at 2")
    (False, False)
    >>> is_within("fireball 2", "play fireball at enemy 2")
    True
    """
    mine, theirs = words_of(typed), iter(words_of(name))
    if not any(len(word) >= SHORTEST_INSIDE for word in mine):
        return False
    return all(any(begins(word, whole) for whole in theirs) for word in mine)


def candidates_text(found: Sequence[Choice]) -> str:
    """Name some of the choices that a text can mean."""
    listed = ", ".join(choice.text for choice in found[:MOST_LISTED])
    more = len(found) - MOST_LISTED
    return f"{listed} and {more} more" if more > 0 else listed

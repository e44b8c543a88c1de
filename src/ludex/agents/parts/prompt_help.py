"""What `?` answers: the actions by their groups, then those of one group."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence

from ludex.core.choices import Choice, folded, grouped, is_within, matching, words_of

MOST_AT_ONCE = 12
"""actions that are all listed at once"""
MOST_LISTED = 30
"""actions of a group that are listed; of more, how they begin"""
FEWEST = 3
"""beginnings that are worth a list"""
WIDTH = 79


def overview(choices: Sequence[Choice], words: Mapping[str, str]) -> str:
    """The groups of actions with how many there are, or all actions where these are few."""
    groups = grouped(choices)
    if len(choices) <= (MOST_LISTED if len(groups) == 1 else MOST_AT_ONCE):
        lines = [group_text(name, held) for name, held in groups.items()]
    else:
        names = [
            alone(name, held[0]) if len(held) == 1 else f"{name} ({len(held)})"
            for name, held in groups.items()
        ]
        several = next((name for name, held in groups.items() if len(held) > 1), "")
        lines = [wrapped("You can: " + "   ".join(name.replace(" ", "\0") for name in names))]
        if several:
            which = "them" if len(groups) == 1 else "one of these groups"
            lines.append(f"'? {several.split()[-1]}' lists {which}.")
    lines += [f"{word}: {what}" for word, what in words.items()]
    return "\n".join(lines)


def group_text(name: str, held: Sequence[Choice]) -> str:
    """A group and what is in it.

    >>> group_text("take", [Choice(1, "take 1", "take", "1"), Choice(2, "take 2", "take", "2")])
    'take: 1, 2'
    """
    if len(held) == 1 and held[0].label in ("", held[0].text):
        return alone(name, held[0])
    if len(held) > MOST_LISTED and (begun := beginnings(name, held)):
        return begun
    labels = [(choice.label or choice.text).replace(" ", "\0") for choice in held]
    return wrapped(f"{name}: {', '.join(labels)}")


def beginnings(name: str, held: Sequence[Choice]) -> str:
    """What the many actions of a group begin with, and how many go on from there.

    Nothing where each begins in its own way: such a list is longer than that of the actions.
    """
    words = [re.split(r"(?<=[ ,])", choice.text) for choice in held]
    depth, counts = 0, Counter[str]()
    while len(counts) < FEWEST and depth < max(map(len, words)):
        depth += 1
        counts = Counter("".join(one[:depth]).rstrip(" ,") for one in words)
    if len(counts) == len(held):
        return ""
    parts = [f"{begun} ({count})".replace(" ", "\0") for begun, count in counts.items()]
    return (
        wrapped(f"{name}: {', '.join(parts)}") + f"\n'? {next(iter(counts))}' lists some of them."
    )


def alone(group: str, choice: Choice) -> str:
    """What to call the one action of a group: its text, with the name that the group adds.

    >>> alone("play 3 The Coin", Choice(7, "play 3", "play 3 The Coin"))
    'play 3 The Coin'
    """
    return group if folded(group).startswith(folded(choice.text)) else choice.text


def about(query: str, choices: Sequence[Choice]) -> str:
    """The actions of the groups that a word stands for, or those that it begins."""
    groups = grouped(choices)
    word = folded(query)
    named = {
        name: held
        for name, held in groups.items()
        if any(part.startswith(word) for part in folded(name).split())
        or folded(name).startswith(word)
    }
    if not named:
        named = grouped(matching(query, choices))
    if not named:
        named = grouped(one for one in choices if is_within(word, folded(one.label)))
    if not named:
        named = grouped(one for one in choices if word in words_of(folded(one.text)))
    if not named:
        return f"there is nothing like {query!r} to do now; ? lists what there is"
    return "\n".join(group_text(name, held) for name, held in named.items())


def wrapped(text: str) -> str:
    """Break lines, but not where a zero stands for a space."""
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")

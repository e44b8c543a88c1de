"""Discards as people type them: all cards at once and in any order."""

from __future__ import annotations

import re
from typing import Any

from ludex.core.choices import folded
from ludex.core.errors import AmbiguousAction, IllegalAction, InvalidAction
from ludex.worlds.catan.notation import counts_text
from ludex.worlds.catan.values import RESOURCES, Counts, make

WORD = "discard"
PARTS = re.compile(r"[a-z]+|\d{1,3}")
EXAMPLE = "as in discard 2 clay 1 ore"
FILLERS = ("and", "card", "cards")


def plan_hint(table: Any, seat: int) -> str:
    """How many cards to discard, and how to type it."""
    if not is_discarding(table, seat):
        return ""
    hand = counts_text(table.hand(seat))
    if table.quota == 1:
        return f"You must discard 1 card of {hand}: type discard and its kind."
    return (
        f"You must discard {table.quota} cards of {hand}: type all at once, in any order, as in "
        f"'discard {example(table.hand(seat), table.quota)}'."
    )


def example(hand: Counts, count: int) -> str:
    """Cards that could be discarded, of those that the hand has most of.

    >>> example((1, 0, 4, 0, 3), 4)
    '3 sheep 1 wood'
    """
    left, taken = list(hand), [0] * len(hand)
    for _ in range(min(count, sum(hand))):
        most = left.index(max(left))
        left[most] -= 1
        taken[most] += 1
    return " ".join(f"{n} {RESOURCES[kind]}" for kind, n in enumerate(taken) if n)


def read_plan(text: str, table: Any, seat: int) -> list[int] | None:
    """The single discards that a text stands for, in the order of the rules; None: none.

    The notation of one discard is left to the notation, so that it means what it always did.
    """
    word, _, rest = folded(text).partition(" ")
    if not is_discarding(table, seat) or not WORD.startswith(word) or not rest:
        return None
    if rest in RESOURCES:
        return None
    hand, laid = table.hand(seat), table.laid(seat)
    counts = read_counts(rest, hand)
    total = sum(counts)
    if total != table.quota:
        raise IllegalAction(
            f"you must discard {table.quota} and named {total}, so no card was discarded; name "
            f"all of them, as in discard {example(hand, table.quota)}"
        )
    for kind, count in enumerate(counts):
        if count > hand[kind]:
            raise IllegalAction(
                f"you cannot discard {count} {RESOURCES[kind]}: you hold {hand[kind] or 'none'}"
            )
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    first = max((kind for kind, count in enumerate(laid) if count), default=0)
    if kinds[0] < first:
        raise IllegalAction(
            f"you cannot discard {RESOURCES[kinds[0]]} any more: you have discarded "
            f"{RESOURCES[first]}, and single cards go in the order {', '.join(RESOURCES)}"
        )
    return [make(WORD, kind) for kind in kinds]


def is_discarding(table: Any, seat: int) -> bool:
    return bool(table.phase == WORD and table.acting == seat)


def read_counts(text: str, hand: Counts) -> Counts:
    """Cards with how many of each before it, in any order; a kind may be begun alone."""
    counts, number = [0] * len(RESOURCES), None
    for part in PARTS.findall(text):
        if part.isdigit() and number is None:
            number = int(part)
        elif part.isalpha() and part not in FILLERS:
            counts[kind_of(part, hand)] += 1 if number is None else number
            number = None
    if number is not None or not any(counts):
        raise InvalidAction(f"cannot read {text[:60]!r} as cards; type how many of what, {EXAMPLE}")
    return tuple(counts)


def kind_of(word: str, hand: Counts) -> int:
    """The kind that a word begins; of several, the only one in the hand."""
    found = [kind for kind, name in enumerate(RESOURCES) if name.startswith(word)]
    held = [kind for kind in found if hand[kind]]
    found = held if len(held) == 1 else found
    if not found:
        raise InvalidAction(f"there is no card {word[:20]!r}; cards are {', '.join(RESOURCES)}")
    if len(found) > 1:
        names = [RESOURCES[kind] for kind in found]
        raise AmbiguousAction(f"{' or '.join(names)}? {word!r} begins both; type more of it")
    return found[0]

"""The values of parley: goods, actions, phases, and the state."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ludex.core.event import Event
from ludex.core.state import PlainState

GOODS = ("grain", "iron", "salt", "timber", "wine")
LETTERS = "gistw"
SEATS = 3
PLAYS = 2
TALKS = 1
GOOD_RANGE = range(len(GOODS))

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each good: a hand, a row of pledges or the pile, without order."""


class Verb(IntEnum):
    """What can be done; the first legal one is always harmless."""

    ROLL = 0
    PLEDGE = 1
    OFFER = 2
    TREATY = 3
    REJECT = 4
    ACCEPT = 5
    DEMAND = 6
    GIVE = 7
    RETURN = 8


class Act(NamedTuple):
    """An action: `offer 2 grain for iron`, `pledge salt`, `roll`."""

    verb: Verb
    seat: int = -1
    """whom it is addressed to"""
    good: int = -1
    """the good that changes hands"""
    want: int = -1
    """the good asked for it"""

    def __str__(self) -> str:
        words = [self.verb.name.lower()]
        if self.seat >= 0:
            words.append(str(self.seat))
        if self.good >= 0:
            words.append(GOODS[self.good])
        if self.want >= 0:
            words += ["for", GOODS[self.want]]
        return " ".join(words)


class Phase(IntEnum):
    """What the game waits for."""

    MOVE = 0
    """the envoy whose turn it is moves"""
    ANSWER = 1
    """`other` answers an offer of goods"""
    CONSENT = 2
    """`other` answers a treaty"""
    DIE = 3
    """chance: the die"""
    DRAW = 4
    """chance: a card for the roller"""
    FIRST = 5
    """chance: the first of two cards"""
    SECOND = 6
    """chance: the second of two cards"""
    RETURN = 7
    """the roller chooses which card goes back"""
    DEMAND = 8
    """the roller chooses who must give"""
    GIVE = 9
    """`other` chooses what to give"""
    OVER = 10


class ParleyEvent(NamedTuple):
    """An event before it is masked: `secret` is known to the seats in `insiders` alone."""

    kind: str
    seat: int | None = None
    detail: tuple[int, ...] = ()
    secret: tuple[int, ...] = ()
    insiders: tuple[int, ...] = ()

    def seen_by(self, seat: int | None) -> Event:
        knows = seat is None or seat in self.insiders
        return Event(self.kind, self.seat, self.detail + self.secret if knows else self.detail)


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The complete state; the envoy whose turn it is sits at `turn % 3`."""

    hands: tuple[Counts, ...]
    pledged: tuple[Counts, ...]
    pile: Counts
    turn: int = 0
    plays: int = PLAYS
    """cards that may still be pledged, or treaties proposed, in this turn"""
    talks: int = TALKS
    """exchanges that may still be offered in this turn"""
    phase: Phase = Phase.MOVE
    other: int = -1
    """who must answer or give; after a treaty, the partner"""
    good: int = -1
    want: int = -1
    last_events: tuple[ParleyEvent, ...] = field(default=(), compare=False)
    """what the last step did"""

    def hold(self, seat: int, good: int, number: int) -> None:
        """Put cards of one good into a hand, or take them out, in place."""
        self.hands = replaced(self.hands, seat, moved(self.hands[seat], good, number))

    def pledge(self, seat: int, good: int, number: int) -> None:
        """Lay cards of one good before a seat, or take them away, in place."""
        self.pledged = replaced(self.pledged, seat, moved(self.pledged[seat], good, number))

    def stop(self, phase: Phase) -> None:
        """Go where nothing can be pledged or proposed; what was left no longer matters."""
        self.phase, self.plays, self.talks = phase, 0, 0

    def __str__(self) -> str:
        rows = [
            f"hands {'/'.join(letters(hand) for hand in self.hands)}",
            f"pledged {'/'.join(letters(row) for row in self.pledged)}",
            f"pile {letters(self.pile)}",
            f"turn {self.turn} plays {self.plays} talks {self.talks} {self.phase.name.lower()}",
        ]
        if self.other >= 0:
            rows.append(str(self.other))
        if self.good >= 0:
            rows.append(f"{LETTERS[self.good]}-{LETTERS[self.want]}")
        return " ".join(rows)


def letters(cards: Counts) -> str:
    """Write cards as letters, `-` for none.

    >>> letters((2, 0, 1, 0, 0))
    'ggs'
    """
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True)) or "-"


def moved(cards: Counts, good: int, number: int) -> Counts:
    """Add some cards of one good, or take them away."""
    return (*cards[:good], cards[good] + number, *cards[good + 1 :])


def replaced(rows: tuple[Counts, ...], seat: int, row: Counts) -> tuple[Counts, ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


def shown(*rows: Counts) -> int:
    """How many goods these pledges show together.

    >>> shown((1, 0, 0, 2, 0), (1, 1, 0, 0, 0))
    3
    """
    return sum(1 for numbers in zip(*rows, strict=True) if any(numbers))


def complete(*rows: Counts) -> bool:
    """Whether these pledges together show every good."""
    return all(any(numbers) for numbers in zip(*rows, strict=True))

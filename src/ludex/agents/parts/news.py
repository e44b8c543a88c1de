"""What happened since a person last decided, as long as the screen has room for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from os import terminal_size

from ludex.agents.parts.wrapping import cut_to, wrapped_to
from ludex.core.capabilities import SumsUpEvents
from ludex.core.event import Event
from ludex.core.world import World

FEWEST_ROWS = 5
"""rows that the news may take even where the board fills the screen"""
REPEATED = 2
"""of how many times that others moved `log` tells, with all since"""
MOST_KEPT = 200
"""decisions whose news is kept"""
INDENT = "  "
SUBJECT = re.compile(r"(?:seat \d+|you|foe) ")


class News:
    """The events that one seat was told, divided by its decisions."""

    def __init__(self, world: World, seat: int) -> None:
        self.world = world
        self.seat = seat
        self.summing = world if isinstance(world, SumsUpEvents) else None
        self.new: list[Event] = []
        self.past: list[list[Event]] = []
        self.heard = 0
        self.skipped = 0
        """new events that need not be told"""

    def hear(self, event: Event) -> None:
        self.new.append(event)
        self.heard += 1

    def skip_first(self, count: int) -> None:
        """Leave out those of the first events of the game that are still new."""
        self.skipped = max(0, count - (self.heard - len(self.new)))

    def skip_own(self) -> None:
        """Leave out what the last decision of this seat did: others at the prompt were told."""
        if self.past:
            seats = (event.seat for event in self.new)
            self.skipped = len(list(takewhile(lambda seat: seat in (None, self.seat), seats)))

    def told(self, size: terminal_size | None, taken: int) -> str:
        """What is new, shortened where the screen is small; it is then old.

        Args:
            size: Of the screen; None: there is no end to it.
            taken: Rows that something else needs.
        """
        self.past = [*self.past, self.new][-MOST_KEPT:]
        events = self.new[self.skipped :]
        self.new, self.skipped = [], 0
        lines = self.texts(events)
        if size is None:
            return "\n".join(lines)
        room = size.lines - taken
        whole = wrapped_to("\n".join(lines), size.columns)
        if not lines or whole.count("\n") < room:
            return whole
        return shortened(self.summed_up(events), size.columns, max(room, FEWEST_ROWS))

    def texts(self, events: Iterable[Event]) -> list[str]:
        """All that is told of events, one a line; the board may tell some better."""
        said = (self.world.event_text(event, self.seat) for event in events)
        return [f"{INDENT}{text}" for text in said if text]

    def summed_up(self, events: Sequence[Event]) -> list[str]:
        if self.summing is not None:
            return [f"{INDENT}{text}" for text in self.summing.sum_up(events, self.seat)]
        return joined(self.texts(events))

    def log(self) -> str:
        """All that was told since the last decisions."""
        recent: list[Event] = []
        times = 0
        for events in reversed(self.past):
            recent = [*events, *recent]
            times += any(event.seat not in (None, self.seat) for event in events)
            if times == REPEATED:
                break
        return "\n".join(joined(self.texts(recent))) or "nothing has happened yet"


def joined(lines: Sequence[str]) -> list[str]:
    """Lines about the same seat, one after the other, as one.

    >>> joined(["  seat 1 rolls", "  seat 1 rolls", "  seat 1 holds", "  you roll"])
    ['  seat 1 rolls (2 times), holds', '  you roll']
    """
    found: list[str] = []
    last = ""
    for line, alike in groupby(lines):
        times = len(list(alike))
        match = SUBJECT.match(line.strip())
        subject = match[0] if match else ""
        told = f"{line} ({times} times)" if times > 1 else line
        if subject and subject == last:
            found[-1] += f", {told.strip().removeprefix(subject)}"
        else:
            found.append(told)
        last = subject
    return found


def shortened(lines: Sequence[str], width: int, limit: int) -> str:
    """Lines in at most so many rows: whole, else cut, else the last of them."""
    whole = wrapped_to("\n".join(lines), width).split("\n")
    if len(whole) <= limit:
        return "\n".join(whole)
    cut = [cut_to(line, width) for line in lines]
    if len(cut) > limit:
        left_out = len(cut) - limit + 1
        cut = [f"{INDENT}... {left_out} more; log tells all", *cut[left_out:]]
    return "\n".join(cut)

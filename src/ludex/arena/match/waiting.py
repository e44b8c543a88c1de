"""Tells on standard error, while a match is played, of an agent that takes long.

A hung agent is ended only when its patience is over, one in the process of the match never; and
a slow one makes a match of minutes. A thread of its own looks at the clock meanwhile.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self

from ludex.core.budget import Budget
from ludex.core.printable import in_one_line

LOOK_S = 0.5
LONG_S = 5.0  # of one decision, after which somebody wants to know
SLOW_S = 1.0  # of an average decision
SOON_S = 8.0  # of a match, before which its decisions are not called slow
MOST_GAP_S = 60.0  # between two sentences about one agent

GAPS: dict[str, tuple[float, float]] = {}
"""by agent, when it may be spoken of again in this process, and the gap that follows"""
CALLED_SLOW: set[str] = set()


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent is asked right now."""

    seat: int
    agent: str
    doing: str
    budget: Budget
    ended_after_s: float | None
    """when its process is ended; None: it runs in the process of the match"""
    since: float = field(default_factory=time.monotonic)

    @property
    def allowed_s(self) -> float:
        return (self.budget.time_ms or 0.0) / 1000


class Waits:
    """Says when an answer takes long, or when all answers of an agent do.

    Args:
        advice: What changes the patience with a silent agent, as in "--patience S changes that".
    """

    def __init__(self, advice: str = "") -> None:
        self.advice = advice
        self.began = time.monotonic()
        self.current: Question | None = None
        self.spent: dict[int, tuple[float, int]] = {}
        """by seat, seconds and number of its decisions"""
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.thread.join()

    @contextmanager
    def asking(self, question: Question) -> Iterator[None]:
        self.current = question
        try:
            yield
        finally:
            self.current = None
            seconds, number = self.spent.get(question.seat, (0.0, 0))
            self.spent[question.seat] = (
                seconds + time.monotonic() - question.since,
                number + (question.doing == "thinking"),
            )

    def watch(self) -> None:
        while not self.ended.wait(LOOK_S):
            question = self.current  # it may be answered meanwhile
            if question is not None and (text := self.told(question, time.monotonic())):
                tell(text)

    def told(self, question: Question, now: float) -> str:
        """What to say of a question now; mostly nothing."""
        asked_s = now - question.since
        if asked_s >= max(LONG_S, 1.5 * question.allowed_s) and may_speak_of(question.agent, now):
            return self.long_answer(question, asked_s)
        seconds, number = self.spent.get(question.seat, (0.0, 0))
        is_slow = number > 1 and seconds / number >= max(SLOW_S, 2 * question.allowed_s)
        if is_slow and now - self.began >= SOON_S and question.agent not in CALLED_SLOW:
            CALLED_SLOW.add(question.agent)
            return (
                f"{name(question)} takes {seconds / number:.1f} s for a decision "
                f"(budget {question.budget})"
            )
        return ""

    def long_answer(self, question: Question, asked_s: float) -> str:
        began = f"{name(question)} has been {question.doing} for {asked_s:.0f} s"
        if question.ended_after_s is None:
            end = "it runs in the process of the match, and is waited for"
        else:
            end = f"it is ended after {question.ended_after_s:.3g} s"
        advice = f"; {self.advice}" if self.advice else ""
        return f"{began} (budget {question.budget}); {end}{advice}"


def name(question: Question) -> str:
    return f"seat {question.seat} {in_one_line(question.agent)}"


def may_speak_of(agent: str, now: float) -> bool:
    """Whether it is time to speak of an agent; each time it takes longer until the next."""
    due, gap = GAPS.get(agent, (0.0, LONG_S))
    if now < due:
        return False
    GAPS[agent] = (now + gap, min(2 * gap, MOST_GAP_S))
    return True


def tell(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no stream, or closed
        print(f"ludex: {text}", file=sys.stderr, flush=True)

"""How far a study is: a bar in a terminal, else a line now and then."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.cli.shared import screen
from ludex.cli.shared.options import counted

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from ludex.arena.study.run import Progress

SECONDS_BETWEEN_LINES = 15.0  # where there is no terminal to draw a bar in


class StudyProgress:
    """Tells how far a run is: by a bar in a terminal, else by a line now and then."""

    def __init__(self, bar: Bar, name: str, quiet: bool) -> None:
        self.bar = bar
        self.task = bar.add_task(name, total=None)
        self.name = name
        self.by_lines = not quiet and not screen.messages().is_terminal
        self.told = time.monotonic()
        self.last: Progress | None = None

    def tell(self, progress: Progress) -> None:
        self.last = progress
        self.bar.update(self.task, completed=progress.done, total=progress.total)
        if self.by_lines and time.monotonic() - self.told > SECONDS_BETWEEN_LINES:
            self.told = time.monotonic()
            screen.messages().print(f"{self.name}: {self.line(progress)}", soft_wrap=True)

    def line(self, progress: Progress) -> str:
        left = progress.seconds_left
        time_left = "" if left is None else f", about {in_words(left)} left"
        return f"{progress.done:,} of {progress.total:,} matches{time_left}"

    def interrupted(self, store: Path) -> None:
        if self.last is None:
            return
        how_far = f"{self.last.done:,} of {self.last.total:,} matches are in {store}"
        screen.show_interruption(f"{how_far}; the same command goes on")


def in_words(seconds: float) -> str:
    """Write a time to the precision that a guess deserves.

    >>> [in_words(seconds) for seconds in (0.4, 59, 61, 5000, 200_000)]
    ['1 s', '59 s', '1 min', '1 h 23 min', '2 days 7 h']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min"
    return f"{counted(hours // 24, 'day')} {hours % 24} h"

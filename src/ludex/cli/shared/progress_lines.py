"""Progress where no bar can be drawn: a line on standard error every few seconds."""

from __future__ import annotations

import threading
from typing import Any

from rich.console import Console
from rich.progress import Progress, Task, TaskID

from ludex.cli.shared.options import counted

FIRST_S = 10.0  # short work says nothing
LEAST_GAP_S, MOST_GAP_S = 5.0, 30.0
GAPS = 12  # lines so far, after which they become rarer


class ProgressLines(Progress):
    """A progress bar without the bar: says how far the latest task is while it takes long."""

    def __init__(self, console: Console) -> None:
        super().__init__(console=console, disable=True)
        self.ended = threading.Event()
        self.teller: threading.Thread | None = None
        self.reached: dict[TaskID, tuple[float, float]] = {}
        """by task, how much was done when it last moved on, and after how many seconds"""

    def start(self) -> None:
        if self.teller is None and not self.ended.is_set():
            self.teller = threading.Thread(target=self.tell, daemon=True)
            self.teller.start()

    def stop(self) -> None:
        self.ended.set()
        if self.teller is not None:
            self.teller.join()
            self.teller = None

    def tell(self) -> None:
        gap, waited = FIRST_S, 0.0
        while not self.ended.wait(gap):
            waited += gap
            gap = min(max(LEAST_GAP_S, waited / GAPS), MOST_GAP_S)
            if (text := self.text()) is not None:
                self.console.print(text, soft_wrap=True)

    def text(self) -> str | None:
        """How far the latest task is that is not finished."""
        under_way = [task for task in self.tasks if not task.finished]
        if not under_way:
            return None
        task = under_way[-1]
        parts = [how_far(task), in_words(task.elapsed or 0.0)]
        if left := self.seconds_left(task):
            parts.append(f"about {in_words(left)} left")
        return f"{task.description}: {', '.join(filter(None, parts))}"

    def seconds_left(self, task: Task) -> float | None:
        """At the pace at which the work got as far as it is; None before anything is done."""
        if task.total is None or not task.completed or not task.elapsed:
            return None
        done, seconds = self.reached.get(task.id, (0.0, 0.0))
        if done != task.completed:
            done, seconds = self.reached[task.id] = task.completed, task.elapsed
        left = seconds * task.total / done - task.elapsed
        return left if left > 0 else None


def how_far(task: Task) -> str:
    """What is done of a task, in its unit if it has one."""
    unit: Any = task.fields.get("unit", "")
    total = "" if task.total is None else f" of {task.total:,.0f}"
    if task.total is None and not task.completed and not unit:
        return ""
    return f"{task.completed:,.0f}{total} {unit}".rstrip()


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

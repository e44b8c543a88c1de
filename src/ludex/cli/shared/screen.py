"""What commands share when they speak: answers on standard output, the rest on standard error."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from ludex.cli.shared.progress_lines import ProgressLines, how_far
from ludex.terminal.console import CleanConsole, bar, colour, line

__all__ = [
    "INTERRUPTED",
    "answers",
    "bar",
    "colour",
    "counting",
    "in_one_line",
    "interval_bar",
    "keep_whole",
    "line",
    "messages",
    "percent",
    "print_json",
    "progress",
    "show_interruption",
    "table",
    "to_type",
]

INTERRUPTED = 130  # the exit status after Ctrl-C


def in_one_line(text: str) -> str:
    from ludex.core.printable import in_one_line

    return in_one_line(text)


def answers() -> Console:
    """The console of what was asked for."""
    return CleanConsole()


def messages() -> Console:
    """The console of progress and remarks."""
    return CleanConsole(stderr=True)


def print_json(document: Any) -> None:
    """Print one JSON document, and nothing else."""
    text = json.dumps(document, indent=2, allow_nan=False, default=str)
    print(text.replace("\x7f", "\\u007f"))  # the one control character that JSON leaves alone


def to_type(command: str) -> str:
    """Write a command so that it works where the environment of ludex is not on the path."""
    program, space, rest = command.partition(" ")
    beside = Path(sys.argv[0]).with_name(program)
    if shutil.which(program) or not beside.is_file():
        return command
    return f"{os.path.relpath(beside)}{space}{rest}"


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table in the house style; columns named in `right` hold numbers."""
    made = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="dim",
        border_style="dim",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in columns:
        is_number = column in right
        made.add_column(
            column, justify="right" if is_number else "left", overflow="fold", no_wrap=is_number
        )
    return made


def keep_whole(made: Table, *columns: str) -> None:
    """Never break the words of these columns; others give way on a narrow screen."""
    for column in made.columns:
        if column.header in columns:
            column.no_wrap = True


def interval_bar(share: float, low: float, high: float, width: int = 20) -> str:
    """Draw a share between the ends of its interval.

    >>> interval_bar(0.5, 0.25, 0.75, width=8)
    '··──●─··'
    """
    last = width - 1
    begin, place, end = (round(one * last) for one in (low, share, high))
    marks = ["─" if begin <= spot <= end else "·" for spot in range(width)]
    marks[place] = "●"
    return "".join(marks)


def show_interruption(how_far: str) -> None:
    """Say below the finished part of an answer that it is not the whole."""
    answers().print(line(("interrupted: ", "yellow"), how_far))


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def rounded(number: float, signed: bool = False) -> str:
    """A number as people read it: two digits behind the point at most, and no zero below zero.

    >>> rounded(-0.0310345), rounded(1.0, signed=True), rounded(-0.001)
    ('-0.03', '+1', '0')
    """
    return f"{round(number, 2) + 0.0:{'+' if signed else ''}g}"


def progress(console: Console, quiet: bool = False, silent: bool = False) -> Progress:
    """A progress bar with the time it still takes; it leaves no trace when it ends.

    Without a terminal, or where an answer is for scripts (`quiet`), long work says in a line now
    and then how far it is; `silent` work shows itself. A task may have a `unit`, as in "games".
    """
    if silent:
        return Progress(disable=True)
    if quiet or not console.is_terminal:
        return ProgressLines(console)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        HowFarColumn(),
        TimeElapsedColumn(),
        TimeLeftColumn(),
        console=console,
        transient=True,
    )


class HowFarColumn(ProgressColumn):
    """What is done of a task."""

    def render(self, task: Task) -> Text:
        return Text(how_far(task), style="progress.download")


class TimeLeftColumn(TimeRemainingColumn):
    """The time that a task still takes, where that can be said."""

    def render(self, task: Task) -> Text:
        return Text("") if task.total is None else Text.assemble("left ", super().render(task))


@contextlib.contextmanager
def counting(what: str, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for work that says how much of it is done, and of how much."""
    with progress(messages(), quiet) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)

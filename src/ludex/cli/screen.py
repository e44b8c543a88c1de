"""What commands share when they speak: answers on standard output, the rest on standard error."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

INTERRUPTED = 130  # the exit status after Ctrl-C
SEAT_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def printable(text: str) -> str:
    from ludex.core.printable import printable  # when something is shown: it loads the whole core

    return printable(text)


def in_one_line(text: str) -> str:
    from ludex.core.printable import in_one_line

    return in_one_line(text)


class CleanConsole(Console):
    """A console that shows text and never obeys it: agents, names and faults may hold anything."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)


def answers() -> Console:
    """The console of what was asked for."""
    return CleanConsole()


def messages() -> Console:
    """The console of progress and remarks."""
    return CleanConsole(stderr=True)


def line(*parts: str | tuple[str, str]) -> Text:
    """Put words and (words, style) together; names with brackets in them stay as they are."""
    return Text.assemble(
        *(
            printable(part) if isinstance(part, str) else (printable(part[0]), part[1])
            for part in parts
        )
    )


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


def colour(seat: int) -> str:
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def bar(share: float, width: int = 20) -> str:
    """Draw a share of 0 to 1 as a bar, to an eighth of a character.

    >>> bar(0.5, 8)
    '████    '
    """
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    partial = " ▏▎▍▌▋▊▉"[rest] if rest else ""
    return ("█" * full + partial).ljust(width)


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


def progress(console: Console, quiet: bool = False) -> Progress:
    """A progress bar with the time it still takes; it leaves no trace when it ends."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not console.is_terminal,
    )

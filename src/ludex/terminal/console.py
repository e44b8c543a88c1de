"""Coloured words and bars for a console that shows whatever text it is given, and obeys none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

SEAT_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def printable(text: str) -> str:
    from ludex.core.printable import printable  # when something is shown: it loads the whole core

    return printable(text)


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


def styled_lines(console: Console, shown: RenderableType, width: int) -> list[str]:
    """What a console would print, as lines with their colours."""
    with console.capture() as caught:
        console.print(shown, width=width)
    return caught.get().splitlines()


def line(*parts: str | tuple[str, str]) -> Text:
    """Put words and (words, style) together; names with brackets in them stay as they are."""
    return Text.assemble(
        *(
            printable(part) if isinstance(part, str) else (printable(part[0]), part[1])
            for part in parts
        )
    )


def colour(seat: int) -> str:
    """The colour of a seat, in every picture and table."""
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

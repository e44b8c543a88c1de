"""Colours in text for terminals, as the escape sequences that every terminal knows.

Worlds paint what they draw; whoever shows it keeps the colours at a terminal, and takes them off
for files, pipes and `NO_COLOR`. No other control character gets through either way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import IO

from ludex.core.printable import printable

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
END = "\x1b[0m"
STYLES = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def paint(text: str, ink: str = "", ground: str = "", *styles: str) -> str:
    r"""Text in a colour on another, each a name or `#rrggbb`.

    >>> paint("ore", "red"), paint("ore", "#ffffff", "#000000", "bold")
    ('\x1b[31more\x1b[0m', '\x1b[1;38;2;255;255;255;48;2;0;0;0more\x1b[0m')
    """
    codes = [STYLES[style] for style in styles]
    codes += [code_of(ink, 30)] if ink else []
    codes += [code_of(ground, 40)] if ground else []
    safe = printable(text)
    return f"\x1b[{';'.join(codes)}m{safe}{END}" if codes else safe


def code_of(colour: str, base: int) -> str:
    if not colour.startswith("#"):
        return str(base + NAMES.index(colour))
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"{base + 8};2;{red};{green};{blue}"


def paint_signs(line: str, looks: Mapping[str, tuple[str, ...]]) -> str:
    """Paint the signs of a row of a board, each in its look: ink, ground and styles.

    >>> plain(paint_signs("x.o", {"x": ("red",), "o": ("yellow", "", "bold")}))
    'x.o'
    """
    return "".join(paint(sign, *looks[sign]) if sign in looks else sign for sign in line)


def plain(text: str) -> str:
    """Text without its colours.

    >>> plain(paint("ore", "red"))
    'ore'
    """
    return COLOUR.sub("", text)


def width_of(text: str) -> int:
    """How many characters of a line are seen."""
    return len(plain(text))


def safe_in_colour(text: str) -> str:
    r"""Text with its colours and no other control characters.

    >>> safe_in_colour(paint("a", "red") + "\x1b[2Jb")
    '\x1b[31ma\x1b[0m?[2Jb'
    """
    colours = COLOUR.findall(text)
    parts = [printable(part) for part in COLOUR.split(text)]
    return "".join(part + colour for part, colour in zip(parts, [*colours, ""], strict=True))


def takes_colours(stream: IO[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream is a terminal whose user has not refused colours."""
    is_refused = bool(environment.get("NO_COLOR")) or environment.get("TERM") in ("dumb", None)
    return stream.isatty() and not is_refused

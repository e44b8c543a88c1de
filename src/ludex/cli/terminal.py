"""A terminal as a screen of half blocks and a keyboard.

Nothing but standard escapes is written, so it works over ssh.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import time
import tty
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

HALF = "▀"
ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"  # another screen, no cursor, empty
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
NAMES = {" ": "space", "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "back", "\x03": "ctrl-c"}
ESCAPE_WAIT = 0.03  # seconds within which the rest of an arrow key follows its escape
LEVELS = np.array([0, 95, 135, 175, 215, 255])  # of the colour cube of 256-colour terminals


class Terminal:
    """The whole terminal: shows pictures and lines of text, and reads keys as they are pressed.

    Use it as a context manager; whatever happens, the terminal is left as it was found.

    Args:
        keys: Where keys come from; standard input.
        out: Where pictures go; standard output.
        true_colour: Whether it knows all colours, not 256; asked of the environment.
        interruptible: Whether Ctrl-C interrupts at once, instead of being a key like others.
    """

    def __init__(
        self,
        keys: Any = None,
        out: Any = None,
        true_colour: bool | None = None,
        interruptible: bool = False,
    ) -> None:
        self.interruptible = interruptible
        self.keys_from = sys.stdin if keys is None else keys
        self.out = sys.stdout if out is None else out
        if true_colour is None:
            true_colour = os.environ.get("COLORTERM", "") in ("truecolor", "24bit")
        self.true_colour = true_colour
        self.before: Any = None
        self.shown: tuple[NDArray[np.uint8], list[str]] | None = None
        self.pending = ""

    def __enter__(self) -> Self:
        number = self.keys_from.fileno()
        self.before = termios.tcgetattr(number)
        tty.setraw(number, termios.TCSADRAIN)
        # Output goes on as usual: a line feed still begins a line.
        mode = termios.tcgetattr(number)
        mode[1] |= termios.OPOST
        if self.interruptible:
            mode[3] |= termios.ISIG
        termios.tcsetattr(number, termios.TCSADRAIN, mode)
        self.write(ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):  # the terminal may be gone
            self.write(LEAVE)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.keys_from.fileno(), termios.TCSADRAIN, self.before)

    def write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self.out.fileno())
        except OSError:
            return 80, 24
        return columns, rows

    # Keys

    def keys(self, seconds: float) -> list[str]:
        """The keys pressed within a time, by name; returns as soon as there is one."""
        if not select.select([self.keys_from], [], [], max(0.0, seconds))[0]:
            return []
        read = os.read(self.keys_from.fileno(), 1024)
        if not read:
            return ["ctrl-c"]  # whoever typed has gone
        text = self.pending + read.decode(errors="replace")
        if (
            text.endswith(("\x1b", "\x1b[", "\x1bO"))
            and (select.select([self.keys_from], [], [], ESCAPE_WAIT)[0])
        ):
            text += os.read(self.keys_from.fileno(), 1024).decode(errors="replace")
        return named_keys(text)

    def wait(self, until: float) -> list[str]:
        """All keys pressed until a moment of `time.monotonic`."""
        found: list[str] = []
        while (left := until - time.monotonic()) > 0:
            found += self.keys(left)
        return found or self.keys(0.0)

    # Pictures

    def show(self, pixels: NDArray[np.uint8], lines: list[str]) -> None:
        """Show a picture, two rows of it in each row of the terminal, and lines of text below."""
        columns, rows = self.size
        if len(pixels) % 2:
            pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
        pixels = pixels[: 2 * max(0, rows - len(lines)), :columns]
        lines = [line[:columns] for line in lines]
        old = self.shown
        if old is not None and old[0].shape == pixels.shape and len(old[1]) == len(lines):
            changed = (old[0] != pixels).any(axis=2)
            parts = list(self.changes(pixels, changed[::2] | changed[1::2]))
        else:
            old = None
            everything = np.ones((len(pixels) // 2, pixels.shape[1]), dtype=bool)
            parts = ["\x1b[0m\x1b[2J", *self.changes(pixels, everything)]
        top = len(pixels) // 2
        for place, line in enumerate(lines):
            if old is None or old[1][place] != line:
                parts.append(f"\x1b[{top + place + 1};1H\x1b[0m{line}\x1b[K")
        self.shown = (pixels.copy(), lines)
        if parts:
            self.write("".join(parts))

    def changes(self, pixels: NDArray[np.uint8], changed: NDArray[np.bool_]) -> list[str]:
        """The escapes that bring the changed places up to date."""
        parts: list[str] = []
        before: tuple[int, ...] | None = None
        colours = pixels.astype(int) if self.true_colour else cube(pixels)
        upper, lower = colours[::2], colours[1::2]
        for row in np.flatnonzero(changed.any(axis=1)).tolist():
            last = -2
            for column in np.flatnonzero(changed[row]).tolist():
                if column != last + 1:
                    parts.append(f"\x1b[{row + 1};{column + 1}H")
                last = column
                colour = (*upper[row, column], *lower[row, column])
                if colour != before:
                    parts.append(self.escape(colour))
                    before = colour
                parts.append(HALF)
        return parts

    def escape(self, colour: tuple[int, ...]) -> str:
        if self.true_colour:
            r, g, b, r2, g2, b2 = colour
            return f"\x1b[38;2;{r};{g};{b};48;2;{r2};{g2};{b2}m"
        front, back = colour
        return f"\x1b[38;5;{front};48;5;{back}m"

    def forget(self) -> None:
        """Draw everything anew next time, as after a change of size."""
        self.shown = None


def named_keys(text: str) -> list[str]:
    r"""Read what a terminal sends as names of keys.

    >>> named_keys("a\x1b[A \x1bOD\x03")
    ['a', 'up', 'space', 'left', 'ctrl-c']
    """
    found: list[str] = []
    place = 0
    while place < len(text):
        if text[place] == "\x1b" and text[place + 1 : place + 2] in ("[", "O"):
            end = place + 2
            while end < len(text) and not text[end].isalpha() and text[end] != "~":
                end += 1
            arrow = ARROWS.get(text[end : end + 1])
            if arrow:
                found.append(arrow)
            place = end + 1
            continue
        letter = text[place]
        found.append("escape" if letter == "\x1b" else NAMES.get(letter, letter))
        place += 1
    return found


def cube(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The nearest colours of a 256-colour terminal, one number for each pixel."""
    nearest = np.abs(pixels[..., None].astype(int) - LEVELS).argmin(axis=-1)
    numbers = 16 + nearest @ np.array([36, 6, 1])
    return np.asarray(numbers[..., None], dtype=np.int64)


def fitting_cell(width: int, height: int, columns: int, rows: int) -> int:
    """Pixels of a cell, so that a level of this size fills a terminal of that size.

    >>> fitting_cell(24, 12, columns=80, rows=20)
    3
    """
    return max(1, min(columns // width, 2 * rows // height))

"""A terminal as a screen of half blocks and a keyboard.

Nothing but standard escapes is written, so it works over ssh. Terminals with few colours get the
nearest, and those without any, letters.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import threading
import time
import tty
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.printable import printable
from ludex.terminal.blocks import HALF, escape, even, known_colours, nearest

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"  # another screen, no cursor, empty
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
NAMES = {" ": "space", "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "back", "\x03": "ctrl-c"}
ESCAPE_WAIT = 0.03  # seconds within which the rest of an arrow key follows its escape
NO_PIXELS: NDArray[np.uint8] = np.zeros((0, 0, 3), dtype=np.uint8)
LAST_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Terminal:
    """The whole terminal: shows pictures and lines of text, and reads keys as they are pressed.

    Use it as a context manager; whatever happens, the terminal is left as it was found.

    Args:
        keys: Where keys come from; standard input.
        out: Where pictures go; standard output.
        colours: How many it knows: all, 256, 16 or none; asked of the environment.
        interruptible: Whether Ctrl-C interrupts at once, instead of being a key like others.
    """

    def __init__(
        self,
        keys: Any = None,
        out: Any = None,
        colours: int | None = None,
        interruptible: bool = False,
    ) -> None:
        self.interruptible = interruptible
        self.keys_from = sys.stdin if keys is None else keys
        self.out = sys.stdout if out is None else out
        self.colours = known_colours(os.environ) if colours is None else colours
        self.before: Any = None
        self.handlers: dict[int, Any] = {}
        self.shown: tuple[NDArray[np.uint8], list[str], tuple[int, int], list[str]] | None = None
        self.styled: tuple[list[str], tuple[int, int]] | None = None
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
            # Only Ctrl-C: whoever is stopped or quits at once cannot tidy up.
            mode[6][termios.VSUSP] = mode[6][termios.VQUIT] = b"\0"
        termios.tcsetattr(number, termios.TCSADRAIN, mode)
        self.handlers = catch_last_signals()
        self.write(ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):  # the terminal may be gone
            self.write(LEAVE)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.keys_from.fileno(), termios.TCSADRAIN, self.before)
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        self.handlers = {}

    def write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()

    @property
    def shows_pixels(self) -> bool:
        """Whether it has colours, and letters that are half a block; else there are only lines."""
        try:
            HALF.encode(getattr(self.out, "encoding", None) or "utf-8")
        except UnicodeEncodeError:
            return False
        return self.colours > 0

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
        try:
            read = os.read(self.keys_from.fileno(), 1024)
        except OSError:  # the line is cut
            read = b""
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

    def show(self, pixels: NDArray[np.uint8], lines: list[str], aside: Sequence[str] = ()) -> None:
        """Show a picture, two rows of it in each row of the terminal, with lines of text below.

        Lines `aside` stand to its right, as far as there is room.
        """
        size = columns, rows = self.size
        pixels = even(pixels)[: 2 * max(0, rows - len(lines)), :columns]
        lines = [printable(line[:columns], "") for line in lines][:rows]
        left = pixels.shape[1] + 2
        room = max(0, columns - left) if len(pixels) else 0
        beside = [printable(line[:room], "").ljust(room) for line in aside][: len(pixels) // 2]
        beside += [" " * room] * (len(pixels) // 2 - len(beside))
        old = self.shown if self.styled is None else None
        if (
            old is not None
            and old[2] == size
            and old[0].shape == pixels.shape
            and len(old[1]) == len(lines)
        ):
            changed = (old[0] != pixels).any(axis=2)
            parts = list(self.changes(pixels, changed[::2] | changed[1::2]))
        else:
            old = None
            everything = np.ones((len(pixels) // 2, pixels.shape[1]), dtype=bool)
            parts = ["\x1b[0m\x1b[2J", *self.changes(pixels, everything)]
        top = len(pixels) // 2
        for index, line in enumerate(lines):
            if old is None or old[1][index] != line:
                parts.append(f"\x1b[{top + index + 1};1H\x1b[0m{line}\x1b[K")
        for index, line in enumerate(beside):
            if line.strip() if old is None else old[3][index] != line:
                parts.append(f"\x1b[{index + 1};{left + 1}H\x1b[0m{line}")
        self.shown, self.styled = (pixels.copy(), lines, size, beside), None
        if parts:
            self.write("".join(parts))

    def changes(self, pixels: NDArray[np.uint8], changed: NDArray[np.bool_]) -> list[str]:
        """The escapes that bring the changed places up to date."""
        parts: list[str] = []
        before: tuple[int, ...] | None = None
        colours = nearest(pixels, self.colours)
        upper, lower = colours[::2], colours[1::2]
        for row in np.flatnonzero(changed.any(axis=1)).tolist():
            last = -2
            for column in np.flatnonzero(changed[row]).tolist():
                if column != last + 1:
                    parts.append(f"\x1b[{row + 1};{column + 1}H")
                last = column
                colour = (*upper[row, column], *lower[row, column])
                if colour != before:
                    parts.append(escape(colour, self.colours))
                    before = colour
                parts.append(HALF)
        return parts

    def show_styled(self, lines: Sequence[str]) -> None:
        """Show lines of text that hold escapes of colours, and nothing else that could steer."""
        size = self.size
        lines = list(lines)[: size[1]]
        old = self.styled[0] if self.styled is not None and self.styled[1] == size else None
        parts = ["\x1b[0m\x1b[2J"] if old is None else []
        for row in range(max(len(lines), len(old or ()))):
            line = lines[row] if row < len(lines) else ""
            if old is None or row >= len(old) or old[row] != line:
                parts.append(f"\x1b[{row + 1};1H\x1b[0m\x1b[K{line}\x1b[0m")
        self.styled, self.shown = (lines, size), None
        if parts:
            self.write("".join(parts))

    def forget(self) -> None:
        """Draw everything anew next time, as after a change of size."""
        self.shown = self.styled = None


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


def catch_last_signals() -> dict[int, Any]:
    """Let signals that end the program end it in order; returns the handlers they had."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {one: signal.signal(one, leave_in_order) for one in LAST_SIGNALS}


ended_by: list[int] = []
"""signals that have asked the program to end"""


def leave_in_order(number: int, frame: FrameType | None) -> NoReturn:
    """End the program as after any error, so that the terminal is given back."""
    ended_by.append(number)
    raise SystemExit(128 + number)


def check_ended() -> None:
    """End the program when a signal asked for it where an exception is lost, as in a finalizer."""
    if ended_by:
        raise SystemExit(128 + ended_by[-1])

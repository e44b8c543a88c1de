"""Pictures as half blocks: each letter shows two pixels, one above the other, in two colours.

Terminals with few colours get the nearest, and those without any, letters.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

HALF = "▀"
RESET = "\x1b[0m"
LEVELS = np.array([0, 95, 135, 175, 215, 255])  # of the colour cube of 256-colour terminals
ALL_COLOURS, CUBE_COLOURS, FEW_COLOURS = 2**24, 256, 16
# The sixteen, as most terminals show them: dark ones first, then the same in bright.
SIXTEEN = np.array(
    [
        *[(0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0)],
        *[(0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)],
        *[(127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0)],
        *[(92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)],
    ]
)
STRENGTH = 2.0  # of colours before one of the sixteen is chosen
OLD_TERMINALS = (
    "linux",
    "xterm",
    "xterm-color",
    "screen",
    "tmux",
    "rxvt",
    "ansi",
    "cygwin",
    "putty",
)
NOT_A_SCREEN = ("", "dumb", "unknown")  # values of TERM


def half_blocks(pixels: NDArray[np.uint8], colours: int = ALL_COLOURS) -> str:
    """A picture as lines of text with escapes, two rows of pixels in each line.

    Args:
        pixels: Rows of red, green and blue.
        colours: How many the terminal knows: all, 256 or 16; see `known_colours`.
    """
    found = nearest(even(pixels), colours)
    lines: list[str] = []
    for upper, lower in zip(found[::2], found[1::2], strict=True):
        before: tuple[int, ...] | None = None
        parts: list[str] = []
        for pair in np.concatenate([upper, lower], axis=1).tolist():
            if (colour := tuple(pair)) != before:
                parts.append(escape(colour, colours))
                before = colour
            parts.append(HALF)
        lines.append("".join([*parts, RESET]))
    return "\n".join(lines)


def even(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture with a black row more where it has an odd number of them."""
    return np.concatenate([pixels, np.zeros_like(pixels[:1])]) if len(pixels) % 2 else pixels


def nearest(pixels: NDArray[np.uint8], colours: int) -> NDArray[np.int64]:
    """The colours a terminal knows that are nearest: by red, green and blue, or by number."""
    if colours >= ALL_COLOURS:
        return pixels.astype(np.int64)
    return cube(pixels) if colours >= CUBE_COLOURS else sixteen(pixels)


def escape(colour: tuple[int, ...], colours: int) -> str:
    """The escape for an upper and a lower pixel of these colours, as `nearest` found them."""
    if colours >= ALL_COLOURS:
        r, g, b, r2, g2, b2 = colour
        return f"\x1b[38;2;{r};{g};{b};48;2;{r2};{g2};{b2}m"
    front, back = colour
    if colours >= CUBE_COLOURS:
        return f"\x1b[38;5;{front};48;5;{back}m"
    front, back = (30 + one if one < 8 else 82 + one for one in (front, back))
    return f"\x1b[{front};{back + 10}m"


def cube(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The nearest colours of a 256-colour terminal, one number for each pixel."""
    nearest = np.abs(pixels[..., None].astype(int) - LEVELS).argmin(axis=-1)
    numbers = 16 + nearest @ np.array([36, 6, 1])
    return np.asarray(numbers[..., None], dtype=np.int64)


def sixteen(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The nearest of the sixteen old colours, one number for each pixel.

    They are strong, and pale pixels would all be grey among them; so those are made strong, too.
    """
    mean = pixels.mean(axis=-1, keepdims=True)
    strong = np.clip(mean + STRENGTH * (pixels - mean), 0, 255)
    apart = strong[..., None, :] - SIXTEEN
    return np.asarray((apart**2).sum(axis=-1).argmin(axis=-1)[..., None], dtype=np.int64)


def known_colours(environment: Mapping[str, str]) -> int:
    """How many colours the terminal of an environment knows.

    >>> known_colours({"TERM": "xterm-256color"}), known_colours({"NO_COLOR": "1"})
    (256, 0)
    """
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in NOT_A_SCREEN or term.startswith("vt"):
        return 0
    if environment.get("COLORTERM", "") in ("truecolor", "24bit"):
        return ALL_COLOURS
    return FEW_COLOURS if term in OLD_TERMINALS else CUBE_COLOURS


def is_screen(environment: Mapping[str, str]) -> bool:
    """Whether a terminal can write anywhere, and not only the next line."""
    return environment.get("TERM", "") not in NOT_A_SCREEN

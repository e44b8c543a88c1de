"""What a world shows until it has drawings and observations of its own, made from its notation."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from ludex.core.view import OpenView

OBSERVED_BYTES = 1024  # the length of an observation: the seat, then the text
CHARACTER = (8.4, 18)  # width and height of a monospaced one of 14 pixels
MARGIN = 10
ABOVE_GROUND = "<!--objects-->"
"""stands in an SVG drawing between the ground and what stands on it"""


def view_text(view: Any) -> str:
    """What a seat may see, in words: the state's notation where nothing is hidden.

    >>> view_text(OpenView(0, (1, 2), "3 4 5 turn=0"))
    '3 4 5 turn=0'
    """
    return str(view.state) if isinstance(view, OpenView) else str(view)


def text_as_svg(text: str) -> str:
    """Draw lines of text as they are."""
    lines = text.splitlines()
    wide, tall = CHARACTER
    width = round(2 * MARGIN + wide * max(map(len, lines), default=0))
    height = 2 * MARGIN + tall * len(lines)
    rows = (
        f'<text x="{MARGIN}" y="{MARGIN + tall * (row + 0.75)}" xml:space="preserve">'
        f"{escape(''.join(one if one.isprintable() else ' ' for one in line))}</text>"
        for row, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="monospace" font-size="14">'
        f'<rect width="{width}" height="{height}" fill="white"/>{"".join(rows)}</svg>'
    )


def observed_text(seat: int, text: str) -> NDArray[np.uint8]:
    """The number of the seat and the bytes of a text, cut or filled up with zeros.

    >>> observed_text(1, "ab")[:4].tolist()
    [1, 97, 98, 0]
    """
    data = bytes([seat]) + text.encode()
    return np.frombuffer(data[:OBSERVED_BYTES].ljust(OBSERVED_BYTES, b"\0"), np.uint8).copy()

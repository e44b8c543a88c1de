"""Text from strangers, made fit to be shown."""

from __future__ import annotations


def printable(text: object, longest: int = 1000, lines: bool = False) -> str:
    """Return text without control characters, of a bounded length.

    >>> printable(chr(27) + "[31m red" + chr(10) + "alert")
    '[31m red alert'
    """
    kept = " \n\t" if lines else " "
    shown = "".join(
        letter if letter.isprintable() or letter in kept else " " for letter in str(text)[:longest]
    )
    return shown if lines else shown.strip()

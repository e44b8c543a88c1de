"""Sanitizes untrusted text (names, faults, notes) before it is shown.

A terminal obeys control characters, and marks of direction make a line read otherwise than it is
written. Everything of ours that shows text passes it through here.
"""

from __future__ import annotations

import re
import unicodedata

UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""controls, formats such as marks of direction, surrogates, and separators of lines"""
MAY_BE_UNSEEN = re.compile(r"[^\x20-\x7e]")


def printable(text: str, kept: str = "\n\t") -> str:
    r"""The text with a question mark for each sign that is not seen, and may be obeyed.

    Ends of lines and tabs stay, unless others are `kept`.

    >>> printable("a\x1b[31mb"), printable("tab\tnewline\n"), printable("naïve ♥ \u202e")
    ('a?[31mb', 'tab\tnewline\n', 'naïve ♥ ?')
    """
    return MAY_BE_UNSEEN.sub(
        lambda found: (
            found[0] if found[0] in kept or unicodedata.category(found[0]) not in UNSEEN else "?"
        ),
        text,
    )


def in_one_line(text: str) -> str:
    r"""The same in one line, so that a text cannot pretend to be several.

    >>> in_one_line("lost\r\nverified  all")
    'lost verified all'
    """
    return printable(" ".join(text.split()))


def bounded(text: object, longest: int = 1000, lines: bool = False) -> str:
    r"""What a stranger said, of a bounded length, in one line or in several.

    >>> bounded("\x1b[31m red\nalert"), bounded(7), bounded("x" * 2000, 3)
    ('?[31m red alert', '7', 'xxx')
    """
    cut = str(text)[:longest]
    return printable(cut) if lines else in_one_line(cut)

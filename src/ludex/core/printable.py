"""Text from outside made fit to be shown: names, faults and notes may hold anything.

A terminal obeys control characters, and marks of direction make a line read otherwise than it is
written. Everything of ours that shows text passes it through here.
"""

from __future__ import annotations

import re
import unicodedata

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
KEPT = "\n\t"
PICTURES = 0x2400  # a picture for each control character, as ␛ for the escape
DELETE = "\x7f"
MAY_BE_CONTROLS = re.compile(r"[^\x20-\x7e]")


def printable(text: str) -> str:
    r"""The same text with a picture in the place of every character that is not to be seen.

    Ends of lines and tabs stay.

    >>> printable("a\x1b[31mb"), printable("tab\tnewline\n"), printable("naïve ♥ \u202e")
    ('a␛[31mb', 'tab\tnewline\n', 'naïve ♥ �')
    """
    return MAY_BE_CONTROLS.sub(lambda found: shown(found[0]), text)


def in_one_line(text: str) -> str:
    r"""The same in one line, so that a text cannot pretend to be several.

    >>> in_one_line("lost\r\nverified  all")
    'lost verified all'
    """
    return printable(" ".join(text.split()))


def shown(sign: str) -> str:
    """A character, or the picture that stands for it."""
    if sign in KEPT:
        return sign
    if sign < " ":
        return chr(PICTURES + ord(sign))
    if sign == DELETE:
        return chr(PICTURES + 0x21)
    # Controls, formats such as marks of direction, surrogates, and separators of lines.
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return UNKNOWN
    return sign

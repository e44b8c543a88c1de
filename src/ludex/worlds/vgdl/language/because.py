"""Reasons of ends that a game file names: `# because all raiders are gone`.

They stand in comments, which the Java framework drops without a message; an unknown `key=value`
would be logged there, and counted towards the number of messages that ends a game.
"""

from __future__ import annotations

import re

BECAUSE = re.compile(r"because\b:?\s*(.*)", re.IGNORECASE)
IN_A_FILE = re.compile(rb"[ \t]*#[ \t]*because\b[^\r\n]*", re.IGNORECASE)
LONGEST_REASON = 120
"""characters, so that a line of a table has room for it"""


def reason_in(comment: str) -> str | None:
    """The reason that a comment names; None where it names none, and empty where it is missing.

    >>> reason_in("because all are gone"), reason_in("two points each"), reason_in("because")
    ('all are gone', None, '')
    """
    found = BECAUSE.fullmatch(comment.strip())
    return None if found is None else " ".join(found[1].split())


def usable_reason(comment: str) -> str:
    """The same where it can be shown, else an empty text."""
    reason = reason_in(comment) or ""
    return reason if reason.isprintable() and len(reason) <= LONGEST_REASON else ""


def without_reasons(data: bytes) -> bytes:
    """The bytes of a game file without the reasons: other words do not make another game."""
    return IN_A_FILE.sub(b"", data)

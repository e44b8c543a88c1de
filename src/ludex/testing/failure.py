"""The error that a failed check raises."""

from __future__ import annotations

from typing import Any, NoReturn

LONGEST = 160


class CheckFailed(AssertionError):
    """A part of the contract is violated; the message is one sentence."""


def fail(message: str) -> NoReturn:
    raise CheckFailed(message)


def shown(value: Any) -> str:
    """Quote a state or view, shortened."""
    text = str(value)
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 3] + "...")

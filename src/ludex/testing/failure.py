"""How a check says that a promise does not hold."""

from __future__ import annotations

from typing import Any, NoReturn

LONGEST = 160


class CheckFailed(AssertionError):
    """A promise of the contract that does not hold; the message is one sentence."""


def fail(message: str) -> NoReturn:
    raise CheckFailed(message)


def shown(thing: Any) -> str:
    """Quote a state or view, shortened."""
    text = str(thing)
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 3] + "...")

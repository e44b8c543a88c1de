"""Recent history for models of higher Markov order."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

MOST_ORDERS = 8

Remembered = TypeVar("Remembered")
History = TypeVar("History", bound=tuple[Any, ...])


class Recalled(Generic[Remembered]):
    """The recalled history, shared by all metered copies of a model."""

    def __init__(self, value: Remembered) -> None:
        self.value = value


def latest(steps: History, most: int) -> History:
    """The last `most` steps.

    >>> latest((1, 2, 3), 2), latest((1, 2, 3), 0)
    ((2, 3), ())
    """
    return steps[max(0, len(steps) - most) :]  # type: ignore[return-value]  # a slice of a tuple

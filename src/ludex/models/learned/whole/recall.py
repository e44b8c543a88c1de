"""Looking back: models of a higher order foretell from several moments, not from the last alone."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

MOST_ORDERS = 8

Remembered = TypeVar("Remembered")
Steps = TypeVar("Steps", bound=tuple[Any, ...])


class Recalled(Generic[Remembered]):
    """What a mind reminded its model of; all metered copies of a model share it."""

    def __init__(self, value: Remembered) -> None:
        self.value = value


def latest(steps: Steps, most: int) -> Steps:
    """The last of some steps.

    >>> latest((1, 2, 3), 2), latest((1, 2, 3), 0)
    ((2, 3), ())
    """
    return steps[max(0, len(steps) - most) :]  # type: ignore[return-value]  # a slice of a tuple

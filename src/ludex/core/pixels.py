"""A seat's view as a picture, the input of learners that are told of no objects.

Views of worlds that support it have `as_pixels`. The result is independent of the world.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.capabilities import ShowsPixels, able
from ludex.core.other_seats import OtherSeat
from ludex.core.outcome import Outcome


@dataclass(frozen=True, slots=True)
class PixelView:
    """An observation for learners: a picture, legal actions, score and outcome."""

    seat: int
    legal: tuple[Hashable, ...]
    frame: bytes
    """red, green and blue of every pixel, row after row"""
    size: tuple[int, int, int]
    """width and height in cells, and pixels of a cell in the picture"""
    score: float
    outcome: Outcome | None
    others: tuple[OtherSeat, ...] = ()
    """other seats that act at the same time; none, for a picture does not tell what they may do"""

    @property
    def array(self) -> NDArray[np.uint8]:
        """The picture, [y, x, colour]; read-only."""
        width, height, cell = self.size
        return np.frombuffer(self.frame, np.uint8).reshape(height * cell, width * cell, 3)

    def as_pixels(self) -> Self:
        return self


def pixels_of(view: Any) -> PixelView | None:
    """The view as a picture; None if its world does not support it."""
    able_view = able(view, ShowsPixels)
    return None if able_view is None else able_view.as_pixels()

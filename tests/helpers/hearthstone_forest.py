"""Forests of Hearthstone players made by hand."""

from __future__ import annotations

import numpy as np

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.forests import Arrays


def one_test(feature: int, cut: int, low: float, high: float) -> _native.Forest:
    """A tree that asks whether a number of the row is at most `cut`."""
    return Arrays(
        np.array([feature, -1, -1], np.int16),
        np.array([cut, 0, 0], np.int16),
        np.array([2, 0, 1], np.int32),
        np.array([low, high], np.float32),
        np.array([0], np.int32),
    ).native()

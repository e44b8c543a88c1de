"""The end-to-end forward model: one classifier foretells the whole next grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import Fitted
from ludex.models.learned.classifiers.parameters import Guessing
from ludex.models.learned.whole.learner import WholeLearner
from ludex.models.learned.whole.model import Foretold


@dataclass(frozen=True, kw_only=True)
class EndToEnd(Guessing, WholeLearner):
    """One classifier from a whole grid and what is done to the grid that follows, as one of those
    that were seen.

    After `fit`: `steps_` has every step that was seen, `grids_` the grids that can follow,
    `classifier_` tells which of them, `novelty_` is how often its guesses about what it had not
    seen were right.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **WholeLearner.LIMITS,
        **Guessing.LIMITS,
        "most": Between(1, 10_000),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *WholeLearner.OF_THE_FILE,
        *("classifier", "neighbours", "most"),
    )

    steps: int = 500
    """random moves played before the first decision, where learning is constant"""
    most: int = 500
    """unlike steps that the classifier is fitted to, the newest; every grid is a class to it"""

    def _fit(self) -> None:
        steps = self.table()
        rows, times = steps.rows[-self.most :], steps.times[-self.most :]
        grids, numbers = np.unique(steps.after[-self.most :], axis=0, return_inverse=True)
        followed = numbers.ravel().astype(np.uint16)
        self._learn(
            grids_=grids,
            classifier_=classifiers.fit(self.recipe, rows, followed, times),
            novelty_=classifiers.how_often_right(self.recipe, rows, followed),
        )

    def _pack(self) -> dict[str, Any]:
        return {**super()._pack(), "grids": self.grids_, **self.classifier_.pack()}

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        grids = np.ascontiguousarray(arrays["grids"], np.uint16)
        if grids.shape[1] != self.shape_[0] * self.shape_[1]:
            raise ValueError("the grids that follow are of another size")
        if grids.max() >= len(self.vocabulary_):
            raise ValueError("a grid holds a tile that has no content")
        fitted = Fitted.unpack(arrays)
        if fitted is None:
            self._fit()
            return
        if fitted.classes.max() >= len(grids):
            raise ValueError("the classifier foretells a grid that is not there")
        fitted.native(self.order * (grids.shape[1] + 1))  # refuses trees that cannot be walked
        self._learn(grids_=grids, classifier_=fitted)

    def forecaster(self, novelty: float) -> WholeGrids:
        return WholeGrids(
            self.steps_, self.grids_, self.classifier_, novelty, self.shape_, remembers=self.memo
        )


@dataclass(frozen=True)
class WholeGrids:
    """Foretells a grid as one that was seen to follow: the same step, else the likeliest."""

    seen: Mapping[bytes, Counter[bytes]]
    grids: NDArray[np.uint16]
    classifier: Fitted
    novelty: float
    shape: tuple[int, int]
    remembers: bool = True

    def foretell(
        self, row: NDArray[np.uint16], tiles: NDArray[np.uint16], rng: Rng | None
    ) -> Foretold:
        known = self.seen.get(row.tobytes())
        if known and self.remembers:
            shares = np.array(list(known.values()), np.float64)
            place, sure = chosen(shares / shares.sum(), rng)
            after = np.frombuffer(list(known)[place], np.uint16)
            return Foretold(after.reshape(self.shape), sure, 0)
        place, sure = chosen(self.classifier.shares(row[None])[0], rng)
        after = self.grids[self.classifier.classes[place]].reshape(self.shape)
        if known:
            return Foretold(after, sure, 0)
        return Foretold(after, sure * self.novelty, tiles.size)


def chosen(shares: NDArray[np.float64], rng: Rng | None) -> tuple[int, float]:
    """One of several outcomes and how sure that is: drawn, or the likeliest."""
    best = int(shares.argmax())
    if rng is None:
        return best, float(shares[best])
    return (rng.weighted(shares.tolist()) if shares[best] < 1.0 else best), float(shares[best])

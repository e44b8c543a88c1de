"""The end-to-end forward model: one classifier predicts the whole next grid."""

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
from ludex.models.learned.classifiers.fitting import FittedClassifier
from ludex.models.learned.classifiers.parameters import ClassifierParameters
from ludex.models.learned.whole.learner import WholeLearner
from ludex.models.learned.whole.model import PredictedGrid


@dataclass(frozen=True, kw_only=True)
class EndToEnd(ClassifierParameters, WholeLearner):
    """One classifier from a whole grid and an action to the next grid, one of those seen.

    After `fit`: `steps_` has every step seen, `grids_` the possible next grids, `classifier_`
    predicts which of them, `novelty_` is its accuracy on held-out rows.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **WholeLearner.LIMITS,
        **ClassifierParameters.LIMITS,
        "most": Between(1, 10_000),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *WholeLearner.OF_THE_FILE,
        *("classifier", "neighbours", "most"),
    )

    steps: int = 500
    """random moves played before the first decision, where learning is constant"""
    most: int = 500
    """the most distinct steps that the classifier is fitted to, the newest; each grid is a class"""

    def _fit(self) -> None:
        steps = self.table()
        rows, times = steps.rows[-self.most :], steps.times[-self.most :]
        grids, numbers = np.unique(steps.after[-self.most :], axis=0, return_inverse=True)
        followed = numbers.ravel().astype(np.uint16)
        self._learn(
            grids_=grids,
            classifier_=classifiers.fit(self.classifier_settings, rows, followed, times),
            novelty_=classifiers.held_out_accuracy(self.classifier_settings, rows, followed),
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
        fitted = FittedClassifier.unpack(arrays)
        if fitted is None:
            self._fit()
            return
        if fitted.classes.max() >= len(grids):
            raise ValueError("the classifier predicts a grid that does not exist")
        fitted.native(self.order * (grids.shape[1] + 1))  # raises for invalid trees
        self._learn(grids_=grids, classifier_=fitted)

    def predictor(self, novelty: float) -> WholeGridPredictor:
        return WholeGridPredictor(
            self.steps_, self.grids_, self.classifier_, novelty, self.shape_, remembers=self.memo
        )


@dataclass(frozen=True)
class WholeGridPredictor:
    """Predicts the next grid: looked up if the step was seen, else classified."""

    seen: Mapping[bytes, Counter[bytes]]
    grids: NDArray[np.uint16]
    classifier: FittedClassifier
    novelty: float
    shape: tuple[int, int]
    remembers: bool = True

    def predict(
        self, row: NDArray[np.uint16], tiles: NDArray[np.uint16], rng: Rng | None
    ) -> PredictedGrid:
        known = self.seen.get(row.tobytes())
        if known and self.remembers:
            shares = np.array(list(known.values()), np.float64)
            index, sure = chosen(shares / shares.sum(), rng)
            after = np.frombuffer(list(known)[index], np.uint16)
            return PredictedGrid(after.reshape(self.shape), sure, 0)
        index, sure = chosen(self.classifier.shares(row[None])[0], rng)
        after = self.grids[self.classifier.classes[index]].reshape(self.shape)
        if known:
            return PredictedGrid(after, sure, 0)
        return PredictedGrid(after, sure * self.novelty, tiles.size)


def chosen(shares: NDArray[np.float64], rng: Rng | None) -> tuple[int, float]:
    """Choose an outcome, sampled or the likeliest, with the probability of the likeliest."""
    best = int(shares.argmax())
    if rng is None:
        return best, float(shares[best])
    return (rng.weighted(shares.tolist()) if shares[best] < 1.0 else best), float(shares[best])

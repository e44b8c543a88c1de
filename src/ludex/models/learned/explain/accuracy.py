"""Prediction accuracy and calibration of a learned tile model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.tiles.learner import TileLearner

ANY = Traits(seats=1, max_legal=1024)
AHEAD = 5  # steps of the longer prediction
BINS = 10  # of confidence


class CheckedPrediction(Protocol):
    """A prediction compared with what happened, of tiles or of objects."""

    @property
    def confidence(self) -> float: ...

    @property
    def is_right(self) -> bool: ...

    @property
    def gain_error(self) -> float:
        """The absolute error of the predicted gain in score."""

    @property
    def changes(self) -> int:
        """How many cells or objects change, or are predicted to."""

    @property
    def errors(self) -> int:
        """How many cells or objects are predicted wrongly."""


@dataclass(frozen=True, slots=True)
class CheckedTiles:
    """A predicted grid compared with what happened, as tile indices."""

    was: NDArray[np.uint16]
    came: NDArray[np.uint16]
    said: NDArray[np.uint16]
    confidence: float
    unseen: int
    """cells whose neighbourhood was new in the last step"""
    gain_error: float

    @property
    def hits(self) -> NDArray[np.bool_]:
        return np.equal(self.said, self.came)

    @property
    def moved(self) -> NDArray[np.bool_]:
        """Cells that change, or are predicted to change."""
        return np.not_equal(self.was, self.came) | np.not_equal(self.was, self.said)

    @property
    def is_right(self) -> bool:
        return bool(self.hits.all())

    @property
    def changes(self) -> int:
        return int(self.moved.sum())

    @property
    def errors(self) -> int:
        return int((~self.hits).sum())


def checked_tiles(
    model: Any, transitions: Sequence[Transition], steps: int = 1
) -> Iterator[CheckedTiles]:
    """Compare the model with every run of so many transitions of one game."""
    for before, said, came in predicted_runs(model, transitions, steps):
        yield CheckedTiles(
            before.tiles,
            came.tiles,
            said.tiles,
            min(1.0, said.confidence),
            said.unseen,
            abs(said.score - came.score),
        )


def predicted_runs(
    model: Any, transitions: Sequence[Transition], steps: int
) -> Iterator[tuple[Any, Any, Any]]:
    """For every run: the state before, the predicted state, and the one that came."""
    for run in runs(transitions, steps):
        before = said = model.imagine(run[0].before.view, Rng(0))
        for one in run:
            said = model.step(said, one.actions, Rng(0))
        yield before, said, model.imagine(run[-1].after.view, Rng(0))


def runs(transitions: Sequence[Transition], steps: int) -> Iterator[Sequence[Transition]]:
    """All runs of consecutive transitions of this length."""
    begun = 0
    for index, one in enumerate(transitions):
        if index and transitions[index - 1].after != one.before:
            begun = index
        if index + 1 - begun >= steps:
            yield transitions[index + 1 - steps : index + 1]


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about equal confidence."""

    confidence: float
    """the mean confidence"""
    right: float
    """the share that was right"""
    count: int


def calibration(predictions: Iterable[CheckedPrediction]) -> list[Bin]:
    """Calibration curve: how often whole states were predicted correctly, by confidence."""
    kept: dict[int, list[CheckedPrediction]] = {}
    for one in predictions:
        kept.setdefault(min(BINS - 1, int(one.confidence * BINS)), []).append(one)
    return [
        Bin(
            sum(one.confidence for one in found) / len(found),
            sum(one.is_right for one in found) / len(found),
            len(found),
        )
        for _, found in sorted(kept.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Expected calibration error: mean difference of confidence and accuracy."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.confidence - one.right) for one in bins) / max(1, total)


def tile_accuracy(learner: TileLearner, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare the predictions of a tile model with what happened.

    `cells`: the share of cells predicted correctly, dominated by static ones. `changed_cells`: the
    same of cells that change or are predicted to. `grids`: the share of transitions without a wrong
    cell. `seen`: the share of neighbourhoods seen in training. `gains`: the share of transitions
    whose gain is right to 0.05. `changed_cells_5`, `grids_5`: the same after five predicted steps
    in a row. `calibration_error`: expected calibration error of whole grids. Shares of nothing
    are 1.
    """
    model = learner.model(ANY)
    near = list(checked_tiles(model, transitions))
    far = list(checked_tiles(model, transitions, AHEAD))
    cells = sum(one.was.size for one in near)
    return {
        "cells": share(sum(int(one.hits.sum()) for one in near), cells),
        "changed_cells": share_of_changes(near),
        "grids": share_right(near),
        "seen": share(cells - sum(one.unseen for one in near), cells),
        "gains": share_of_gains(near),
        f"changed_cells_{AHEAD}": share_of_changes(far),
        f"grids_{AHEAD}": share_right(far),
        "calibration_error": calibration_error(calibration(near)),
    }


def share(right: int, total: int) -> float:
    return right / total if total else 1.0


def share_right(predictions: Sequence[CheckedPrediction]) -> float:
    """The share of predictions without an error."""
    return share(sum(one.is_right for one in predictions), len(predictions))


def share_of_gains(predictions: Sequence[CheckedPrediction]) -> float:
    """The share of predictions whose gain is right to 0.05."""
    return share(sum(one.gain_error <= 0.05 for one in predictions), len(predictions))


def share_of_changes(predictions: Sequence[CheckedTiles]) -> float:
    """The accuracy on cells that change or are predicted to."""
    right = sum(int((one.hits & one.moved).sum()) for one in predictions)
    return share(right, sum(int(one.moved.sum()) for one in predictions))

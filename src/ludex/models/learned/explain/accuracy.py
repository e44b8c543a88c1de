"""How much a learned model foretells."""

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
AHEAD = 5  # steps of the longer forecast
BINS = 10  # of confidence


class Forecast(Protocol):
    """What was foretold beside what happened, whatever it is made of."""

    @property
    def confidence(self) -> float: ...

    @property
    def is_right(self) -> bool: ...

    @property
    def gain_error(self) -> float:
        """How far the gain that was foretold is from the one that came."""

    @property
    def changes(self) -> int:
        """How much changes, or is foretold to."""

    @property
    def errors(self) -> int:
        """How much is wrong."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A forecast beside what happened, as numbers of tiles."""

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
        """Cells that change, or are foretold to."""
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


def forecasts(model: Any, transitions: Sequence[Transition], steps: int = 1) -> Iterator[Compared]:
    """What the model foretells for every run of so many transitions of one game."""
    for before, said, came in foretold(model, transitions, steps):
        yield Compared(
            before.tiles,
            came.tiles,
            said.tiles,
            min(1.0, said.confidence),
            said.unseen,
            abs(said.score - came.score),
        )


def foretold(
    model: Any, transitions: Sequence[Transition], steps: int
) -> Iterator[tuple[Any, Any, Any]]:
    """Of every run: the state before, the one that the model comes to, and the one that came."""
    for run in runs(transitions, steps):
        before = said = model.imagine(run[0].before.view, Rng(0))
        for one in run:
            said = model.step(said, one.actions, Rng(0))
        yield before, said, model.imagine(run[-1].after.view, Rng(0))


def runs(transitions: Sequence[Transition], steps: int) -> Iterator[Sequence[Transition]]:
    """All runs of transitions each of which begins where the last one ended."""
    begun = 0
    for place, one in enumerate(transitions):
        if place and transitions[place - 1].after != one.before:
            begun = place
        if place + 1 - begun >= steps:
            yield transitions[place + 1 - steps : place + 1]


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts that the model was about equally sure of."""

    confidence: float
    """their mean"""
    right: float
    """the share of them that came true"""
    count: int


def calibration(forecast: Iterable[Forecast]) -> list[Bin]:
    """How often forecasts of whole states came true, by how sure the model was of them."""
    kept: dict[int, list[Forecast]] = {}
    for one in forecast:
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
    """How far confidence and truth lie apart, as a mean over all forecasts."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.confidence - one.right) for one in bins) / max(1, total)


def accuracy_of(learner: TileLearner, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare predictions with what happened.

    `cells`: the share of cells that are right, which static ones dominate. `changed_cells`: of
    cells that change or are foretold to, the share that is right. `grids`: of transitions, those
    with no cell wrong. `seen`: of neighbourhoods, those that were known. `gains`: of transitions,
    those whose gain is right to 0.05. `changed_cells_5`, `grids_5`: the same after five steps in
    a row that were all imagined. `calibration_error`: how far the confidence in a grid lies from
    the share of such grids that come true. Of nothing, all is right.
    """
    model = learner.model(ANY)
    near = list(forecasts(model, transitions))
    far = list(forecasts(model, transitions, AHEAD))
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


def share_right(forecast: Sequence[Forecast]) -> float:
    """The share of forecasts with nothing wrong."""
    return share(sum(one.is_right for one in forecast), len(forecast))


def share_of_gains(forecast: Sequence[Forecast]) -> float:
    """The share of forecasts whose gain is right to 0.05."""
    return share(sum(one.gain_error <= 0.05 for one in forecast), len(forecast))


def share_of_changes(forecast: Sequence[Compared]) -> float:
    """Of cells that change or are foretold to, the share that is right."""
    right = sum(int((one.hits & one.moved).sum()) for one in forecast)
    return share(right, sum(int(one.moved.sum()) for one in forecast))

"""Base class of learners that read the whole grid: training data, order, decay."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.tiles import TileView
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned._native import TOUCHED, State
from ludex.models.learned.classifiers.parameters import TreeParameters
from ludex.models.learned.tiles.learner import TileLearner, shown_or_refused
from ludex.models.learned.training.fading import DecayingCounts
from ludex.models.learned.training.transitions import Transition
from ludex.models.learned.whole.model import (
    GridPredictor,
    WholeModel,
    frame_of,
    other_size,
    row_of,
)
from ludex.models.learned.whole.recall import MOST_ORDERS


@dataclass(frozen=True)
class StepTable:
    """All distinct steps as arrays, one line for each row and what followed it."""

    rows: NDArray[np.uint16]
    """frames of cells and a verb, the newest first"""
    after: NDArray[np.uint16]
    """the cells that followed"""
    times: NDArray[np.float64]
    """decayed counts"""


@dataclass(frozen=True, kw_only=True)
class WholeLearner(TreeParameters, TileLearner):
    """A learner of one grid size, for which every cell can be an input.

    After `fit`: `steps_` counts which grid followed each row of frames, `shape_` is the size of
    the grid.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **TileLearner.LIMITS,
        **TreeParameters.LIMITS,
        "order": Between(1, MOST_ORDERS),
        "decay": Between(0.5, 1),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *TileLearner.OF_THE_FILE,
        *TreeParameters.OF_THE_FILE,
        *("order", "decay"),
    )

    order: int = 1
    """the order of the Markov chain: frames and actions used to predict the next"""
    decay: float = 1.0
    """decay of the weight of old steps, per step"""

    @property
    def margin(self) -> int:
        return 0

    # Data

    def add(self, transition: Transition) -> None:
        for moment in (transition.before, transition.after):
            self.check_size(shown_or_refused(moment.view))
        super().add(transition)

    def check_size(self, shown: TileView) -> None:
        """Raise Unsupported for a grid of another size than those seen so far."""
        size = shown.tiles.height, shown.tiles.width
        if "shape_" in vars(self) and self.shape_ not in (None, size):
            raise other_size(self.shape_, shown)

    def _prepare(self) -> None:
        super()._prepare()
        self._learn(steps_=DecayingCounts(self.decay), shape_=None, past_=(), last_=None)

    def _watch(self, before: State, verb: int, touched: int, after: State) -> None:
        tiles = before.tiles
        self._learn(shape_=tiles.shape)
        past = self.past_ if before == self.last_ else ()
        frames = (frame_of(tiles, verb, touched).tobytes(), *past)
        self.steps_.age()
        row = row_of(frames, self.order, tiles.size + 1)
        self.steps_.add(row.tobytes(), after.tiles.tobytes())
        self._learn(past_=frames[: self.order - 1], last_=after)

    def table(self) -> StepTable:
        """The steps as arrays."""
        found = [
            (row, after, times / self.steps_.weight)
            for row, afters in self.steps_.items()
            for after, times in afters.items()
        ]
        rows, after = (
            np.frombuffer(b"".join(line[part] for line in found), np.uint16) for part in range(2)
        )
        lines = len(found)
        times = np.array([line[2] for line in found])
        return StepTable(rows.reshape(lines, -1), after.reshape(lines, -1), times)

    # Files

    def _pack(self) -> dict[str, Any]:
        steps = self.table()
        return {
            **super()._pack(),
            "steps.rows": steps.rows,
            "steps.after": steps.after,
            "steps.times": steps.times,
            "steps.shape": np.array(self.shape_),
            "novelty": np.array([self.novelty_]),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        height, width = arrays["steps.shape"].tolist()
        rows, after = (
            np.ascontiguousarray(arrays[name], np.uint16) for name in ("steps.rows", "steps.after")
        )
        times = arrays["steps.times"].astype(np.float64)
        cells, tiles = height * width, len(self.vocabulary_)
        if rows.shape != (len(times), self.order * (cells + 1)) or after.shape != (
            len(times),
            cells,
        ):
            raise ValueError("the steps are those of another grid")
        frames = rows.reshape(len(rows), self.order, cells + 1)[:, :, :-1] & ~np.uint16(TOUCHED)
        if not len(rows) or max(int(frames.max()), int(after.max())) >= tiles:
            raise ValueError("a grid holds a tile that has no content")
        if not np.isfinite(times).all() or times.min() <= 0:
            raise ValueError("the count of a step is not positive")
        for row, then, count in zip(rows, after, times.tolist(), strict=True):
            self.steps_.setdefault(row.tobytes(), Counter())[then.tobytes()] = count
        self._learn(shape_=(height, width), novelty_=float(arrays["novelty"][0]))

    # As a part of an agent

    def beginner(self, model: Model, view: View, rng: Rng) -> Self:
        begun = super().beginner(model, view, rng)
        begun.check_size(shown_or_refused(view))
        return begun

    @abstractmethod
    def predictor(self, novelty: float) -> GridPredictor:
        """The predictor of the next grid, with this confidence factor for unseen inputs."""

    def model(self, traits: Traits) -> WholeModel:
        rewards = self.reward_model_  # first: raises NotFitted if nothing was learned
        settings = self.model_settings
        predictor = self.predictor(settings.pop("novelty"))
        return WholeModel(
            self.encoder(),
            traits,
            predictor,
            rewards.native(),
            rewards.returns,
            shape=self.shape_,
            order=self.order,
            **settings,
        )

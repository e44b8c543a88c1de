"""The decomposed forward model: a classifier for each cell, with inputs of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.models.learned._native import TOUCHED, Memory
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import Fitted, Recipe
from ludex.models.learned.classifiers.trees import Trees, chosen_by
from ludex.models.learned.structure.learn import inputs_of_last
from ludex.models.learned.structure.problem import Settings
from ludex.models.learned.structure.table import Table
from ludex.models.learned.whole.learner import Steps, WholeLearner
from ludex.models.learned.whole.model import Foretold

NOT_USED = -1  # where a cell has fewer inputs than another
NO_CLASS = np.zeros(1, np.uint16)
NO_TREES = Trees(
    np.array([-1], np.int16),
    np.zeros(1, np.int16),
    np.zeros(1, np.int32),
    np.zeros(1, np.int32),
    np.ones((1, 1)),
)
"""for a level in which nothing was ever seen to change"""


@dataclass(frozen=True, kw_only=True)
class Decomposed(WholeLearner):
    """One classifier for each cell that changes, from all cells or from those it depends on.

    After `fit`: `cells_` are the cells that were seen to change, `inputs_` the numbers in a row
    that each of them is foretold from, `classifier_` foretells them all, `novelty_` is how often
    its guesses about what it had not seen were right, `work_` counts scores and tests.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **WholeLearner.LIMITS,
        "span": Between(0, 7),
        "significance": Between(0, 1),
        "conditioning": Between(0, 5),
        "memory": Between(1, 1000),
        "most_inputs": Between(1, 100),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *WholeLearner.OF_THE_FILE,
        *("inputs", "span", "significance", "conditioning", "memory", "most_inputs", "classifier"),
    )

    inputs: Literal[
        "all",
        "near",
        "hill_climbing",
        "tabu",
        "grow_shrink",
        "mmpc",
        "hiton_pc",
        "rsmax2",
        "mmhc",
    ] = "all"
    """what a cell is foretold from: all cells, those near, or what structure learning finds"""
    span: int = 1
    """how far near is"""
    significance: float = 0.05
    """of tests of independence"""
    conditioning: int = 3
    """the most variables that are known in such a test"""
    memory: int = 10
    """networks that tabu search does not go back to"""
    most_inputs: int = 8
    """that structure learning by score gives to a cell"""
    classifier: Literal["tree", "forest"] = "tree"
    """what foretells a cell"""

    @property
    def recipe(self) -> Recipe:
        return Recipe(self.classifier, self.depth, self.split, self.members)

    @property
    def settings(self) -> Settings:
        return Settings(self.significance, self.conditioning, self.memory, self.most_inputs)

    # Fitting

    def _fit(self) -> None:
        steps = self.table()
        count = steps.after.shape[1]
        before = steps.rows[:, :count] & ~np.uint16(TOUCHED)
        cells = np.flatnonzero((before != steps.after).any(axis=0))
        found = self._inputs(steps, cells)
        width = max((len(one) for one in found), default=0)
        inputs = np.full((len(cells), width), NOT_USED, np.int32)
        for place, one in enumerate(found):
            inputs[place, : len(one)] = one
        self._learn(cells_=cells.astype(np.int32), inputs_=inputs)
        self._learn(classifier_=self._classifier(steps), novelty_=self._novelty(steps))

    def _inputs(self, steps: Steps, cells: NDArray[np.intp]) -> list[list[int]]:
        """What each cell is foretold from, as places in a row."""
        varied = np.flatnonzero((steps.rows != steps.rows[0]).any(axis=0))
        self._learn(work_=0)
        if self.inputs == "all":
            return [varied.tolist()] * len(cells)
        if self.inputs == "near":
            return [self._near(int(cell), varied) for cell in cells]
        algorithm = self.inputs
        table = Table.numbered(steps.rows[:, varied], steps.times)
        found = []
        for cell in cells:
            whole = table.followed_by(steps.after[:, cell])
            places, work = inputs_of_last(whole, algorithm, self.settings)
            self._learn(work_=self.work_ + work)
            found.append(varied[list(places)].tolist())
        return found

    def _near(self, cell: int, varied: NDArray[np.intp]) -> list[int]:
        """Cells of all frames that are near, and all verbs."""
        height, width = self.shape_
        place = varied % (height * width + 1)
        is_near = (abs(place // width - cell // width) <= self.span) & (
            abs(place % width - cell % width) <= self.span
        )
        found: list[int] = varied[is_near | (place == height * width)].tolist()
        return found

    def _classifier(self, steps: Steps) -> Fitted:
        """One classifier for all: it looks at the number of the cell first."""
        fitted: list[Fitted] = []
        for place, cell in enumerate(self.cells_.tolist()):
            rows = asked_rows(steps.rows, self.cells_, self.inputs_, place)
            fitted.append(classifiers.fit(self.recipe, rows, steps.after[:, cell], steps.times))
        return joined(fitted, self.cells_.tolist())

    def _novelty(self, steps: Steps) -> float:
        """How often guesses about what a cell had not seen were right, on average over cells."""
        found = []
        for place, cell in enumerate(self.cells_.tolist()):
            rows = asked_rows(steps.rows, self.cells_, self.inputs_, place)
            pairs = np.unique(np.column_stack([rows, steps.after[:, cell]]), axis=0)
            pairs = np.random.default_rng(cell).permutation(pairs)
            found.append(
                classifiers.how_often_right(
                    self.recipe, np.ascontiguousarray(pairs[:, :-1]), pairs[:, -1]
                )
            )
        return float(np.mean(found)) if found else 0.5

    # Files

    def _pack(self) -> dict[str, Any]:
        return {
            **super()._pack(),
            "cells": self.cells_,
            "inputs": self.inputs_,
            "work": np.array([self.work_]),
            **self.classifier_.pack(),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        cells, inputs = arrays["cells"].astype(np.int32), arrays["inputs"].astype(np.int32)
        count = self.shape_[0] * self.shape_[1]
        if inputs.ndim != 2 or len(inputs) != len(cells) or len(set(cells.tolist())) != len(cells):
            raise ValueError("not every cell has its inputs")
        if len(cells) and (
            not 0 <= cells.min() <= cells.max() < count
            or not NOT_USED <= inputs.min() <= inputs.max() < self.order * (count + 1)
        ):
            raise ValueError("a cell or an input is not there")
        fitted = Fitted.unpack(arrays)
        if fitted is None or fitted.classes.max() >= len(self.vocabulary_):
            raise ValueError("the classifier is missing, or foretells a tile that has no content")
        fitted.native(inputs.shape[1] + 1)  # refuses trees that cannot be walked
        self._learn(cells_=cells, inputs_=inputs, classifier_=fitted, work_=int(arrays["work"][0]))

    def forecaster(self, novelty: float) -> CellByCell:
        return CellByCell(self, novelty)


class CellByCell:
    """Foretells every cell that was seen to change on its own; others stay as they are."""

    def __init__(self, learner: Decomposed, novelty: float) -> None:
        self.cells, self.inputs = learner.cells_, learner.inputs_
        self.classifier: Fitted = learner.classifier_
        self.novelty = novelty
        width = self.inputs.shape[1] + 1
        self.voters = self.classifier.native(width)
        self.known = Memory(width)
        steps, tiles = learner.table(), len(learner.vocabulary_)
        once = np.ones(len(steps.rows), np.uint32)
        for place, cell in enumerate(self.cells.tolist()):
            rows = asked_rows(steps.rows, self.cells, self.inputs, place)
            self.known.add(rows, np.ascontiguousarray(steps.after[:, cell]), once)
        count = steps.after.shape[1]
        self.familiar = np.zeros((count, tiles), bool)
        """[cell, tile]: whether the cell was seen with it"""
        for grids in (steps.after, steps.rows[:, :count] & ~np.uint16(TOUCHED)):
            self.familiar[np.arange(count), grids] = True

    def foretell(
        self, row: NDArray[np.uint16], tiles: NDArray[np.uint16], rng: Rng | None
    ) -> Foretold:
        asked = np.column_stack([self.cells, np.append(row, 0)[self.inputs]]).astype(np.uint16)
        found, shares = self.voters.ask(asked)
        if rng is not None:
            found = self.drawn(asked, rng)
        after = tiles.ravel().copy()
        is_known = after < self.familiar.shape[1]
        is_known[is_known] = self.familiar[is_known, after[is_known]]
        is_known[self.cells] &= self.known.knows(asked).astype(bool)
        after[self.cells] = found
        unseen = int((~is_known).sum())
        confidence = float(shares.prod()) * self.novelty**unseen
        return Foretold(after.reshape(tiles.shape), confidence, unseen)

    def drawn(self, asked: NDArray[np.uint16], rng: Rng) -> NDArray[np.uint16]:
        """Draw each cell for itself, one after the other."""
        shares = self.classifier.shares(asked)
        places = shares.argmax(axis=1)
        for one in np.flatnonzero(shares.max(axis=1) < 1.0).tolist():
            places[one] = rng.weighted(shares[one].tolist())
        found: NDArray[np.uint16] = self.classifier.classes[places]
        return found


def asked_rows(
    rows: NDArray[np.uint16], cells: NDArray[np.int32], inputs: NDArray[np.int32], place: int
) -> NDArray[np.uint16]:
    """What one cell is foretold from: its number, then its inputs, then nothing."""
    padded = np.column_stack([rows, np.zeros(len(rows), np.uint16)])
    number = np.full((len(rows), 1), cells[place], np.uint16)
    return np.ascontiguousarray(np.hstack([number, padded[:, inputs[place]]]))


def joined(fitted: list[Fitted], cells: list[int]) -> Fitted:
    """Several classifiers made of trees as one that is asked by the number of a cell."""
    classes = np.unique(np.concatenate([one.classes for one in fitted])) if fitted else NO_CLASS
    widened = []
    for one in fitted:
        assert one.trees is not None  # trees and forests are
        leaves = np.zeros((len(one.trees.leaves), len(classes)))
        leaves[:, np.searchsorted(classes, one.classes)] = one.trees.leaves
        widened.append(type(one.trees)(*one.trees.walk, leaves))
    return Fitted(classes, chosen_by(0, cells, widened) if widened else NO_TREES)

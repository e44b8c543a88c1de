"""The decomposed forward model: a classifier for each cell, with inputs of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.models.learned._native import TOUCHED, TileMemory
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import ClassifierSettings, FittedClassifier
from ludex.models.learned.classifiers.trees import Trees, chosen_by
from ludex.models.learned.structure.learn import inputs_of_last
from ludex.models.learned.structure.problem import StructureSettings
from ludex.models.learned.structure.table import CountTable
from ludex.models.learned.whole.learner import StepTable, WholeLearner
from ludex.models.learned.whole.model import PredictedGrid

NOT_USED = -1  # fills rows of cells with fewer inputs
NO_CLASS = np.zeros(1, np.uint16)
NO_TREES = Trees(
    np.array([-1], np.int16),
    np.zeros(1, np.int16),
    np.zeros(1, np.int32),
    np.zeros(1, np.int32),
    np.ones((1, 1)),
)
"""the classifier of a level in which nothing ever changed"""


@dataclass(frozen=True, kw_only=True)
class Decomposed(WholeLearner):
    """One classifier per changing cell, from all cells or from those it depends on.

    After `fit`: `cells_` are the cells that changed in training, `inputs_` the features that each
    is predicted from, `classifier_` predicts them all, `novelty_` is the accuracy on held-out rows,
    `work_` counts scores and tests of structure learning.
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
    """the inputs of a cell: all cells, cells nearby, or those that structure learning finds"""
    span: int = 1
    """the distance that counts as near"""
    significance: float = 0.05
    """the significance level of independence tests"""
    conditioning: int = 3
    """the largest conditioning set of an independence test"""
    memory: int = 10
    """the length of the tabu list, in networks"""
    most_inputs: int = 8
    """the most inputs of a cell in score-based structure learning"""
    classifier: Literal["tree", "forest"] = "tree"
    """the classifier of each cell"""

    @property
    def classifier_settings(self) -> ClassifierSettings:
        return ClassifierSettings(self.classifier, self.depth, self.split, self.members)

    @property
    def settings(self) -> StructureSettings:
        return StructureSettings(
            self.significance, self.conditioning, self.memory, self.most_inputs
        )

    # Fitting

    def _fit(self) -> None:
        steps = self.table()
        count = steps.after.shape[1]
        before = steps.rows[:, :count] & ~np.uint16(TOUCHED)
        cells = np.flatnonzero((before != steps.after).any(axis=0))
        found = self._inputs(steps, cells)
        width = max((len(one) for one in found), default=0)
        inputs = np.full((len(cells), width), NOT_USED, np.int32)
        for index, one in enumerate(found):
            inputs[index, : len(one)] = one
        self._learn(cells_=cells.astype(np.int32), inputs_=inputs)
        self._learn(classifier_=self._classifier(steps), novelty_=self._novelty(steps))

    def _inputs(self, steps: StepTable, cells: NDArray[np.intp]) -> list[list[int]]:
        """The inputs of each cell, as feature indices."""
        varied = np.flatnonzero((steps.rows != steps.rows[0]).any(axis=0))
        self._learn(work_=0)
        if self.inputs == "all":
            return [varied.tolist()] * len(cells)
        if self.inputs == "near":
            return [self._near(int(cell), varied) for cell in cells]
        algorithm = self.inputs
        table = CountTable.numbered(steps.rows[:, varied], steps.times)
        found = []
        for cell in cells:
            whole = table.followed_by(steps.after[:, cell])
            indices, work = inputs_of_last(whole, algorithm, self.settings)
            self._learn(work_=self.work_ + work)
            found.append(varied[list(indices)].tolist())
        return found

    def _near(self, cell: int, varied: NDArray[np.intp]) -> list[int]:
        """Nearby cells of all frames, and all verbs."""
        height, width = self.shape_
        index = varied % (height * width + 1)
        is_near = (abs(index // width - cell // width) <= self.span) & (
            abs(index % width - cell % width) <= self.span
        )
        found: list[int] = varied[is_near | (index == height * width)].tolist()
        return found

    def _classifier(self, steps: StepTable) -> FittedClassifier:
        """One joined classifier for all cells, which branches on the cell first."""
        fitted: list[FittedClassifier] = []
        for index, cell in enumerate(self.cells_.tolist()):
            rows = asked_rows(steps.rows, self.cells_, self.inputs_, index)
            fitted.append(
                classifiers.fit(self.classifier_settings, rows, steps.after[:, cell], steps.times)
            )
        return joined(fitted, self.cells_.tolist())

    def _novelty(self, steps: StepTable) -> float:
        """Accuracy on held-out rows, averaged over cells."""
        found = []
        for index, cell in enumerate(self.cells_.tolist()):
            rows = asked_rows(steps.rows, self.cells_, self.inputs_, index)
            pairs = np.unique(np.column_stack([rows, steps.after[:, cell]]), axis=0)
            pairs = np.random.default_rng(cell).permutation(pairs)
            found.append(
                classifiers.held_out_accuracy(
                    self.classifier_settings, np.ascontiguousarray(pairs[:, :-1]), pairs[:, -1]
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
            raise ValueError("the number of cells and of input lists differ")
        if len(cells) and (
            not 0 <= cells.min() <= cells.max() < count
            or not NOT_USED <= inputs.min() <= inputs.max() < self.order * (count + 1)
        ):
            raise ValueError("a cell or an input is out of range")
        fitted = FittedClassifier.unpack(arrays)
        if fitted is None or fitted.classes.max() >= len(self.vocabulary_):
            raise ValueError("the classifier is missing, or predicts a tile that has no content")
        fitted.native(inputs.shape[1] + 1)  # raises for invalid trees
        self._learn(cells_=cells, inputs_=inputs, classifier_=fitted, work_=int(arrays["work"][0]))

    def predictor(self, novelty: float) -> CellwisePredictor:
        return CellwisePredictor(self, novelty)


class CellwisePredictor:
    """Predicts each changing cell on its own; the other cells stay as they are."""

    def __init__(self, learner: Decomposed, novelty: float) -> None:
        self.cells, self.inputs = learner.cells_, learner.inputs_
        self.classifier: FittedClassifier = learner.classifier_
        self.novelty = novelty
        width = self.inputs.shape[1] + 1
        self.voters = self.classifier.native(width)
        self.known = TileMemory(width)
        steps, tiles = learner.table(), len(learner.vocabulary_)
        once = np.ones(len(steps.rows), np.uint32)
        for index, cell in enumerate(self.cells.tolist()):
            rows = asked_rows(steps.rows, self.cells, self.inputs, index)
            self.known.add(rows, np.ascontiguousarray(steps.after[:, cell]), once)
        count = steps.after.shape[1]
        self.familiar = np.zeros((count, tiles), bool)
        """[cell, tile]: whether the cell had this tile in training"""
        for grids in (steps.after, steps.rows[:, :count] & ~np.uint16(TOUCHED)):
            self.familiar[np.arange(count), grids] = True

    def predict(
        self, row: NDArray[np.uint16], tiles: NDArray[np.uint16], rng: Rng | None
    ) -> PredictedGrid:
        asked = np.column_stack([self.cells, np.append(row, 0)[self.inputs]]).astype(np.uint16)
        found, shares = self.voters.classify(asked)
        if rng is not None:
            found = self.drawn(asked, rng)
        after = tiles.ravel().copy()
        is_known = after < self.familiar.shape[1]
        is_known[is_known] = self.familiar[is_known, after[is_known]]
        is_known[self.cells] &= self.known.knows(asked).astype(bool)
        after[self.cells] = found
        unseen = int((~is_known).sum())
        confidence = float(shares.prod()) * self.novelty**unseen
        return PredictedGrid(after.reshape(tiles.shape), confidence, unseen)

    def drawn(self, asked: NDArray[np.uint16], rng: Rng) -> NDArray[np.uint16]:
        """Sample each cell independently."""
        shares = self.classifier.shares(asked)
        indices = shares.argmax(axis=1)
        for one in np.flatnonzero(shares.max(axis=1) < 1.0).tolist():
            indices[one] = rng.weighted(shares[one].tolist())
        found: NDArray[np.uint16] = self.classifier.classes[indices]
        return found


def asked_rows(
    rows: NDArray[np.uint16], cells: NDArray[np.int32], inputs: NDArray[np.int32], index: int
) -> NDArray[np.uint16]:
    """The classifier's rows for one cell: its index, its inputs, padding."""
    padded = np.column_stack([rows, np.zeros(len(rows), np.uint16)])
    number = np.full((len(rows), 1), cells[index], np.uint16)
    return np.ascontiguousarray(np.hstack([number, padded[:, inputs[index]]]))


def joined(fitted: list[FittedClassifier], cells: list[int]) -> FittedClassifier:
    """Join tree classifiers of several cells into one that branches on the cell."""
    classes = np.unique(np.concatenate([one.classes for one in fitted])) if fitted else NO_CLASS
    widened = []
    for one in fitted:
        assert one.trees is not None  # trees and forests always have them
        leaves = np.zeros((len(one.trees.leaves), len(classes)))
        leaves[:, np.searchsorted(classes, one.classes)] = one.trees.leaves
        widened.append(type(one.trees)(*one.trees.walk, leaves))
    return FittedClassifier(classes, chosen_by(0, cells, widened) if widened else NO_TREES)

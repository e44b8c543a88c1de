"""Local forward model: the next tile of a cell is predicted from its neighbourhood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ludex.core.parameters import Between
from ludex.core.traits import Traits
from ludex.models.learned._native import TOUCHED, Neighbourhood, State, TileMemory
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import FittedClassifier
from ludex.models.learned.classifiers.parameters import ClassifierParameters
from ludex.models.learned.explain.rules import Chapter, TileWords, tree_rules
from ludex.models.learned.tiles.learner import TileLearner
from ludex.models.learned.tiles.model import TileModel
from ludex.models.learned.tiles.neighbourhood import Shape, neighbourhood, offsets
from ludex.models.learned.two_seats.joint import PairedRows


@dataclass(frozen=True, kw_only=True)
class Local(ClassifierParameters, TileLearner):
    """One classifier for all cells: neighbourhood and action predict the next tile.

    After `fit`: `memory_` has every neighbourhood seen with what followed, `classifier_` and
    `reward_model_` are fitted to the data, `novelty_` is the accuracy on held-out neighbourhoods,
    `vocabulary_` numbers the contents of cells.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **TileLearner.LIMITS,
        **ClassifierParameters.LIMITS,
        "span": Between(0, 7),
        "power": Between(0.1, 1000),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *TileLearner.OF_THE_FILE,
        *ClassifierParameters.OF_THE_FILE,
        *("shape", "span", "power"),
    )

    MOST_SEATS: ClassVar[int] = 2

    shape: Shape = "square"
    """the shape of the neighbourhood"""
    span: int = 3
    """the radius of the neighbourhood, in cells"""
    power: float = 2.0
    """the order of the Minkowski distance, for shape=round"""
    cache: bool = True
    """cache predictions, and update only neighbourhoods with a changed cell"""

    @property
    def margin(self) -> int:
        return self.span

    @property
    def around(self) -> Neighbourhood:
        return neighbourhood(self.shape, self.span, self.power)

    @property
    def width(self) -> int:
        """The inputs of the classifier: the cells around one, and a verb for each seat."""
        return int(self.around_.cells) + (2 if self.is_of_two else 1)

    def _prepare(self) -> None:
        super()._prepare()
        around = self.around
        self._learn(around_=around, memory_=TileMemory(around.cells + 1))

    def _watch(self, before: State, verb: int, touched: int, after: State) -> None:
        self.memory_.watch(self.around_, before, verb, touched, after)

    def _fit(self) -> None:
        rows, after, _ = self.memory_.table()
        if self.is_of_two:
            rows = PairedRows(self.verbs_)(rows)
        self._learn(
            classifier_=classifiers.fit(self.classifier_settings, rows, after),
            novelty_=classifiers.held_out_accuracy(self.classifier_settings, rows, after),
        )

    def _pack(self) -> dict[str, Any]:
        names = ("memory.rows", "memory.after", "memory.times")
        memory = dict(zip(names, self.memory_.table(), strict=True))
        novelty = {"novelty": np.array([self.novelty_])}
        return {**super()._pack(), **memory, **novelty, **self.classifier_.pack()}

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        rows, after = arrays["memory.rows"], arrays["memory.after"]
        tiles = len(self.vocabulary_)
        if (rows[:, :-1] & ~np.uint16(TOUCHED)).max() >= tiles or after.max() >= tiles:
            raise ValueError("a neighbourhood holds a tile that has no content")
        self.memory_.add(rows, after, arrays["memory.times"])
        fitted = FittedClassifier.unpack(arrays)
        if fitted is None:
            paired = PairedRows(self.verbs_)(rows) if self.is_of_two else rows
            fitted = classifiers.fit(self.classifier_settings, paired, after)
        if fitted.classes.max() >= tiles:
            raise ValueError("the classifier predicts a tile that has no content")
        fitted.native(self.width)  # raises for invalid trees
        self._learn(classifier_=fitted, novelty_=float(arrays["novelty"][0]))

    def chapters(self, words: TileWords) -> list[Chapter]:
        cells, trees = offsets(self.shape, self.span, self.power), self.classifier_.trees
        title = "What becomes of a cell"
        if trees is None or self.is_of_two:
            kind = "of two seats" if self.is_of_two else f"of this kind ({self.classifier})"
            note = f"A classifier {kind} has no rules to read."
            return [Chapter(title, note, ()), *super().chapters(words)]
        of_a_forest = f", the first of {len(trees.roots)} trees" if len(trees.roots) > 1 else ""
        note = f"Paths of the tree{of_a_forest} to leaves in which a cell changes."
        rules = tree_rules(trees, self.classifier_.classes, self.memory_.table(), cells, words)
        return [Chapter(title, note, rules), *super().chapters(words)]

    def model(self, traits: Traits) -> TileModel:
        classifier = self.classifier_.native(self.width)
        if self.is_of_two:
            classifier = PairedRows(self.verbs_).classifier(classifier)
        return TileModel(
            self.encoder(),
            traits,
            self.around_,
            len(self.verbs_),
            self.memory_,
            classifier,
            self.reward_model_.native(),
            remembers=self.memo,
            caches=self.cache,
            **self.model_settings,
        )

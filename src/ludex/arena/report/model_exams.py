"""Evaluation of a learned model for its report page, of tiles or of objects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.object_list import objects_of
from ludex.core.tiles import tiles_of
from ludex.core.world import World
from ludex.models.learned.explain.accuracy import ANY, CheckedPrediction, checked_tiles
from ludex.models.learned.explain.diagnosis import confusion, errors, movers
from ludex.models.learned.explain.object_accuracy import checked_objects
from ludex.models.learned.explain.object_diagnosis import Contents, compare
from ludex.models.learned.explain.rules import Chapter
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.tiles.learner import TileLearner
from ludex.models.learned.training.transitions import Transition
from ludex.models.learned.two_seats.joint import both_actions

PATTERNS = 24  # error patterns that are drawn
WIDEST = 2  # cells around an error


class Exam(ABC):
    """A fitted learner evaluated on play that it has not seen."""

    noun: str
    """what is counted as right or wrong"""
    model: Any
    predictions: Sequence[CheckedPrediction]
    """one step ahead, for every transition"""

    @abstractmethod
    def confusions(self) -> list[dict[str, Any]]:
        """Confusion tables: a title, and triples of (what came, what was predicted, count)."""

    @abstractmethod
    def errors(self) -> list[dict[str, Any]]:
        """The most frequent errors with their surroundings."""

    @property
    @abstractmethod
    def wrong(self) -> int:
        """The number of errors."""

    @abstractmethod
    def look(self, state: Any) -> NDArray[np.uint16]:
        """A state as a grid of content indices, for drawing."""

    @abstractmethod
    def chapters(self) -> list[Chapter]:
        """The learned rules in words."""

    @abstractmethod
    def tiles(self) -> dict[str, Any]:
        """The contents by index, all kinds, and those that move."""


class TileExam(Exam):
    """Evaluation of a tile-based learner, by cells."""

    noun = "cell"

    def __init__(self, learner: TileLearner, world: World, fresh: Sequence[Transition]) -> None:
        self.learner = learner
        self.model = learner.model(ANY)
        self.compared = list(checked_tiles(self.model, fresh))
        self.predictions = self.compared
        self.said = verbs_of(world, fresh)
        self.words = learner.words(self.said)
        self.met = errors(fresh, self.compared, min(WIDEST, max(1, learner.margin)))

    def confusions(self) -> list[dict[str, Any]]:
        met = confusion(self.compared).most_common()
        pairs = [[*map(self.words.tile, pair), times] for pair, times in met]
        return [{"title": "tiles", "pairs": pairs}]

    def errors(self) -> list[dict[str, Any]]:
        return [
            {**asdict(one), "verb": self.said.get(one.verb, str(one.verb)), "times": times}
            for one, times in self.met.most_common(PATTERNS)
        ]

    @property
    def wrong(self) -> int:
        return self.met.total()

    def look(self, state: Any) -> NDArray[np.uint16]:
        tiles: NDArray[np.uint16] = state.tiles
        return tiles

    def chapters(self) -> list[Chapter]:
        return self.learner.chapters(self.words)

    def tiles(self) -> dict[str, Any]:
        kinds = self.learner.vocabulary_.kinds
        drawn = [
            {"name": self.words.tile(number), "kinds": [kinds.index(kind) for kind in own]}
            for number, own in enumerate(self.words.kinds)
        ]
        moving = movers(self.learner.vocabulary_, self.compared)
        return {"tiles": drawn, "kinds": kinds, "movers": sorted(moving)}


def action_words(world: World, action: Any) -> str:
    """An action in words; in a game of two seats what both do."""
    if world.traits.seats == 1:
        return world.action_text(action)
    return " and ".join(world.action_text(one) for one in both_actions(action))


def verbs_of(world: World, transitions: Sequence[Transition]) -> dict[int, str]:
    """Names of verbs; for actions on cells, without the cell."""
    texts: dict[int, set[str]] = {}
    for moment in transitions[:1]:
        shown = tiles_of(moment.before.view)
        assert shown is not None
        for action, act in zip(shown.legal, shown.acts, strict=True):
            texts.setdefault(act.verb, set()).add(action_words(world, action))
    return {
        verb: found.copy().pop() if len(found) == 1 else min(found).split()[0]
        for verb, found in texts.items()
    }


class ObjectExam(Exam):
    """Evaluation of an object-based learner, by objects."""

    noun = "thing"

    def __init__(self, learner: ObjectBased, world: World, fresh: Sequence[Transition]) -> None:
        self.learner = learner
        self.model = learner.model(ANY)
        fresh = learner.read(fresh)
        self.predictions = list(checked_objects(self.model, fresh))
        shown = objects_of(fresh[0].before.view)
        assert shown is not None
        self.said = {action: action_words(world, action) for action in shown.legal}
        self.words = learner.words(self.said)
        self.contents = Contents()
        span = min(WIDEST, learner.reach)
        self.met = compare(learner, self.model, fresh, self.contents, self.words, span)

    def confusions(self) -> list[dict[str, Any]]:
        """By kind, those with most errors first."""
        found = [
            (
                sum(times for (came, said), times in pairs.items() if came != said),
                {
                    "title": self.words.kind(kind),
                    "pairs": [[*pair, times] for pair, times in pairs.most_common()],
                },
            )
            for kind, pairs in self.met.confusion.items()
        ]
        return [one for _, one in sorted(found, key=lambda both: -both[0])]

    def errors(self) -> list[dict[str, Any]]:
        return [
            {
                "around": one.around,
                "verb": self.said.get(one.action, str(one.action)),
                "thing": self.words.kind(one.kind),
                "said": one.said,
                "came": one.came,
                "times": times,
            }
            for one, times in self.met.errors.most_common(PATTERNS)
        ]

    @property
    def wrong(self) -> int:
        return self.met.errors.total()

    def look(self, state: Any) -> NDArray[np.uint16]:
        return self.contents.grid(state)

    def chapters(self) -> list[Chapter]:
        return self.learner.chapters(self.words)

    def tiles(self) -> dict[str, Any]:
        kinds = self.words.kinds
        moving = [kinds[kind] for kind, one in self.learner.models_.items() if not one.is_still]
        return {
            "tiles": self.contents.drawn(kinds),
            "kinds": kinds,
            "movers": sorted(moving),
        }

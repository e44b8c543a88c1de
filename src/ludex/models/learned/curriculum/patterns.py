"""Local patterns, a cell's neighbourhood and the action, that levels and play show.

A local model predicts a cell from its pattern, so a pattern that no training level shows is one
that the model has to guess. Patterns of all levels are numbered alike by one `PatternSpace`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.tiles import NOWHERE, TileView
from ludex.models.learned._native import TOUCHED, Choices, Neighbourhood, State, TileMemory
from ludex.models.learned.rewards.reward_model import RUNNING
from ludex.models.learned.tiles.learner import shown_or_refused
from ludex.models.learned.tiles.neighbourhood import Shape, neighbourhood, offsets
from ludex.models.learned.tiles.vocabulary import Encoding, Vocabulary
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.local import Local

NO_CHOICES = Choices([], [], [])
Patterns: TypeAlias = Counter[bytes]
"""how often each pattern occurs; a pattern is the tiles around a cell and the verb, as numbers"""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of some patterns is among others."""

    patterns: int
    """distinct ones that are asked about"""
    covered: int
    """those of them that are among the others"""
    occurrences: int
    """the same, with every pattern counted as often as it occurs"""
    covered_occurrences: int

    @property
    def share(self) -> float:
        """The share of distinct patterns that is covered; of nothing it is 1."""
        return self.covered / self.patterns if self.patterns else 1.0

    @property
    def share_of_occurrences(self) -> float:
        return self.covered_occurrences / self.occurrences if self.occurrences else 1.0


def coverage(asked: Patterns, known: Patterns) -> Coverage:
    """How much of the patterns asked about is among the known ones."""
    common = [pattern for pattern in asked if pattern in known]
    return Coverage(
        len(asked), len(common), asked.total(), sum(asked[pattern] for pattern in common)
    )


class PatternSpace:
    """Numbers the contents of cells and the verbs, and lists the patterns of views and of play.

    Args:
        shape: The shape of the neighbourhood, as of a local model.
        span: Its radius, in cells.
        power: The order of the Minkowski distance, for shape=round.
        encoding: What a cell shows: all kinds in it, or the topmost alone.
    """

    def __init__(
        self,
        shape: Shape = "square",
        span: int = 1,
        power: float = 2.0,
        encoding: Encoding = "stack",
    ) -> None:
        self.cells = offsets(shape, span, power)
        self.around: Neighbourhood = neighbourhood(shape, span, power)
        self.span = span
        self.vocabulary = Vocabulary(encoding=encoding)
        self.verbs: list[int] = []

    @classmethod
    def of(cls, learner: Local) -> Self:
        """The space of a local model: its neighbourhood, and its numbers if it is fitted."""
        space = cls(learner.shape, learner.span, learner.power, learner.encoding)
        if learner.is_fitted:
            known = learner.vocabulary_
            space.vocabulary = Vocabulary(known.kinds, known.contents, known.encoding)
            space.verbs = list(learner.verbs_)
        return space

    def learned(self, learner: Local) -> Patterns:
        """The patterns that a fitted learner has seen; this is its space, made by `of`."""
        rows, _, times = learner.memory_.table()
        return counted(rows, times)

    def offered(self, view: Any) -> Patterns:
        """The patterns of a view under each of its legal actions."""
        shown = shown_or_refused(view)
        memory = self.memory()
        for act in shown.acts:
            self.watch(memory, shown, act.verb, act.cell)
        return self.counts(memory)

    def visited(self, transitions: Iterable[Transition]) -> Patterns:
        """The patterns that play has shown, each with the action that was taken."""
        memory = self.memory()
        for one in transitions:
            shown = shown_or_refused(one.before.view)
            act = shown.acts[shown.legal.index(one.actions[shown.seat])]
            self.watch(memory, shown, act.verb, act.cell)
        return self.counts(memory)

    def memory(self) -> TileMemory:
        return TileMemory(len(self.cells) + 1)

    def watch(self, memory: TileMemory, shown: TileView, verb: int, cell: int = NOWHERE) -> None:
        if verb not in self.verbs:
            self.verbs.append(verb)
        numbers = self.vocabulary.encode(shown.tiles)
        state = State(numbers, self.span, NO_CHOICES, 0.0, RUNNING)
        memory.watch(self.around, state, self.verbs.index(verb), cell, state)

    def counts(self, memory: TileMemory) -> Patterns:
        rows, _, times = memory.table()
        return counted(rows, times)

    def content(self, pattern: bytes) -> tuple[str, ...]:
        """The kinds in the middle cell of a pattern."""
        middle = np.frombuffer(pattern, np.uint16)[self.cells.index((0, 0))]
        return self.vocabulary.content(int(middle) & ~TOUCHED)

    def missing(self, asked: Patterns, known: Patterns) -> list[MissingContent]:
        """The patterns asked about that are not known, by the content of their middle cell.

        The content with the largest number of missing patterns comes first.
        """
        all_of: Counter[tuple[str, ...]] = Counter(map(self.content, asked))
        lacking = Counter(self.content(pattern) for pattern in asked if pattern not in known)
        return [
            MissingContent(content, missing, all_of[content])
            for content, missing in sorted(lacking.items(), key=lambda one: (-one[1], one[0]))
        ]


@dataclass(frozen=True, slots=True)
class MissingContent:
    """Patterns around cells of one content, some of which are missing."""

    content: tuple[str, ...]
    """the kinds in the middle cell"""
    missing: int
    patterns: int


def counted(rows: NDArray[np.uint16], times: NDArray[np.uint32]) -> Patterns:
    """Rows with counts as patterns; a row may occur with several next tiles."""
    found: Patterns = Counter()
    for row, count in zip(np.ascontiguousarray(rows), times.tolist(), strict=True):
        found[row.tobytes()] += count
    return found


def together(parts: Sequence[Patterns]) -> Patterns:
    """All patterns of several collections."""
    found: Patterns = Counter()
    for one in parts:
        found.update(one)
    return found

"""Schedules of training levels: which level a learner plays next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.models.learned.curriculum.patterns import Patterns

ScheduleName: TypeAlias = Literal["fixed", "uniform", "novelty", "gradual", "success"]


@dataclass
class Progress:
    """What is known of a learner and its levels when the next one is chosen."""

    offered: Sequence[Patterns]
    """the patterns that each level offers"""
    known: Patterns = field(default_factory=Patterns)
    """the patterns in the data collected so far"""
    rounds: list[int] = field(default_factory=list)
    """the levels played so far, in their order"""
    success: dict[int, float] = field(default_factory=dict)
    """of the last round on each level that was played, from 0 to 1"""
    mastered: float = 0.9
    """the success from which a level needs no further rounds"""
    patience: int = 3
    """the most rounds in a row on a level that is not mastered"""

    def __post_init__(self) -> None:
        if not self.offered:
            raise BadParameter("a schedule needs at least one level, got none")

    @property
    def levels(self) -> range:
        return range(len(self.offered))

    def new(self, level: int) -> int:
        """How many patterns that a level offers are not in the data."""
        return sum(pattern not in self.known for pattern in self.offered[level])

    def note(self, level: int, patterns: Patterns, success: float = 0.0) -> None:
        """Add a round on a level: the patterns that it has shown, and its success."""
        self.rounds.append(level)
        self.known.update(patterns)
        self.success[level] = success


def fixed(progress: Progress, rng: Rng) -> int:
    """The levels in their order, again and again."""
    return len(progress.rounds) % len(progress.levels)


def uniform(progress: Progress, rng: Rng) -> int:
    """Any level, all equally likely."""
    return rng.below(len(progress.levels))


def novelty(progress: Progress, rng: Rng) -> int:
    """The level that offers the most patterns not in the data: a greedy cover."""
    return max(progress.levels, key=lambda level: (progress.new(level), -level))


def gradual(progress: Progress, rng: Rng) -> int:
    """Of the levels played least, the one that offers the fewest patterns not in the data."""
    return min(
        progress.levels,
        key=lambda level: (progress.rounds.count(level), progress.new(level), level),
    )


def success(progress: Progress, rng: Rng) -> int:
    """The first level in the order given that is not mastered; the least successful if all are.

    A level that is not mastered within `patience` rounds in a row gives way to the next one that is
    not mastered, if there is one.
    """
    open_levels = [
        level for level in progress.levels if progress.success.get(level, 0.0) < progress.mastered
    ]
    if not open_levels:
        return min(progress.levels, key=lambda level: (progress.success[level], level))
    last = progress.rounds[-1] if progress.rounds else open_levels[0]
    if last not in open_levels:
        return open_levels[0]
    if rounds_in_a_row(progress.rounds) < progress.patience:
        return last
    return open_levels[(open_levels.index(last) + 1) % len(open_levels)]


def rounds_in_a_row(rounds: Sequence[int]) -> int:
    """How often the last level was played without another in between."""
    count = 0
    for level in reversed(rounds):
        if level != rounds[-1]:
            break
        count += 1
    return count


SCHEDULES: Mapping[ScheduleName, Callable[[Progress, Rng], int]] = {
    "fixed": fixed,
    "uniform": uniform,
    "novelty": novelty,
    "gradual": gradual,
    "success": success,
}

"""Reports of what levels offer to a learner of local patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World
from ludex.models.learned.curriculum.patterns import (
    Coverage,
    Patterns,
    PatternSpace,
    coverage,
    together,
)
from ludex.models.learned.training.transitions import Transition, random_play

LONGEST = 300  # moves of a random game, as learners have them


@dataclass(frozen=True)
class TrainingLevel:
    """A level to learn from: its name, its rules to play with, and its first view."""

    name: str
    model: Model
    view: View

    @classmethod
    def of(cls, world: World, rng: Rng) -> Self:
        return cls(str(world), world.model, world.model.view(world.start(rng), 0))

    def play(self, steps: int, rng: Rng, restart: int = LONGEST) -> list[Transition]:
        """So many steps of random play."""
        return list(random_play(self.model, self.view, steps, rng, restart))


@dataclass(frozen=True, slots=True)
class LevelReport:
    """The patterns of a training level."""

    name: str
    offered: int
    """distinct patterns of its first view, under each legal action"""
    new: int
    """those of them that no earlier level of the list offers"""
    elsewhere: Coverage
    """how much of what it offers the other levels of the list offer"""
    visited: int
    """distinct patterns that random play has shown"""
    target_offered: Coverage | None = None
    """how much of what the target offers the levels up to this one offer"""
    target_visited: Coverage | None = None
    """how much of what play of the target shows play of the levels up to this one has shown"""

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "level": self.name,
            "offered": self.offered,
            "new": self.new,
            "elsewhere": round(self.elsewhere.share, 4),
            "visited": self.visited,
        }
        if self.target_offered is not None:
            document["target_offered"] = round(self.target_offered.share, 4)
        if self.target_visited is not None:
            document["target_visited"] = round(self.target_visited.share, 4)
            document["target_cells_seen"] = round(self.target_visited.share_of_occurrences, 4)
        return document


@dataclass(frozen=True)
class PatternReport:
    """The patterns of training levels, and how they cover a target."""

    space: PatternSpace
    levels: list[LevelReport]
    offered: Patterns
    """by all training levels"""
    visited: Patterns
    """in random play of all training levels, and in the data collected before"""
    target: Patterns
    """offered by the target levels; empty if there is none"""
    target_visited: Patterns


def pattern_report(
    space: PatternSpace,
    levels: Sequence[TrainingLevel],
    target: Sequence[TrainingLevel],
    steps: int,
    rng: Rng,
    known: Patterns | None = None,
) -> PatternReport:
    """Report what levels offer, what random play of them visits, and how that covers a target.

    Args:
        space: Which patterns count.
        levels: Training levels, in their order.
        target: Levels to be covered; may be empty.
        steps: Random moves on each level; 0 for none.
        rng: The chance of random play, a stream of its own for each level.
        known: Patterns of data collected before, which count as visited from the start.
    """
    offered = [space.offered(one.view) for one in levels]
    visited = [play_of(space, one, steps, rng) for one in levels]
    wanted = together([space.offered(one.view) for one in target])
    shown = together([play_of(space, one, steps, rng) for one in target])
    has_play = bool(target) and steps > 0
    reports: list[LevelReport] = []
    before: Patterns = Patterns()
    seen: Patterns = Patterns(known or {})
    for index, level in enumerate(levels):
        others = together([*offered[:index], *offered[index + 1 :]])
        new = sum(pattern not in before for pattern in offered[index])
        before.update(offered[index])
        seen.update(visited[index])
        reports.append(
            LevelReport(
                level.name,
                len(offered[index]),
                new,
                coverage(offered[index], others),
                len(visited[index]),
                coverage(wanted, before) if target else None,
                coverage(shown, seen) if has_play else None,
            )
        )
    return PatternReport(space, reports, before, seen, wanted, shown)


def play_of(space: PatternSpace, level: TrainingLevel, steps: int, rng: Rng) -> Patterns:
    """The patterns of random play on a level."""
    return space.visited(level.play(steps, rng.fork("coverage", level.name)) if steps else ())

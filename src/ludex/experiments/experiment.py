"""Published experiments: arms that play the same games, printed figures, and claims to test.

An experiment is a class with an `id` and a `plan` for each scale: which agents play which games how
often, what was printed about them, and what the source claims about the outcome. `run` plays a plan
and `judge` tests its claims; neither knows any experiment.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

from ludex.arena.match.rules import MatchRules
from ludex.arena.statistics.results import Row
from ludex.arena.study.study import Entrant, Game, Study
from ludex.experiments.by_game import GameTable, PairwiseWins
from ludex.experiments.collection import Collection
from ludex.experiments.scale import Scale

Relation: TypeAlias = Literal["more", "same", "no less"]
Measure: TypeAlias = Literal["wins", "score", "rank"]
"""What is compared: games won, who has the higher score, or the share of arms one is ahead of."""
GAME = "{game}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed win rate in per cent, with its standard error if there is one."""

    percent: float
    error: float | None = None

    def __str__(self) -> str:
        return f"{self.percent:.2f}" if self.error is None else f"{self.percent:.2f} ({self.error})"


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm of an experiment: an agent with a budget, and its printed result."""

    label: str
    agent: str
    """`{game}` in it is replaced by the game: for agents with a file for each game"""
    budget: str
    printed: Figure | None = None


Group: TypeAlias = tuple[str, ...]
"""Arms that count by their mean."""


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """A claim about an order: some arms win or score more than others, or as much."""

    text: str
    """in the words of the source, shortened"""
    better: Group
    worse: Group
    relation: Relation = "more"
    games: tuple[str, ...] = ()
    """the games that it is about; empty: all"""
    by: Measure = "wins"
    margin: float = 0.0
    """the least difference that is claimed"""
    unit: ClassVar[str] = "%"

    @property
    def pairs(self) -> tuple[tuple[Group, Group], ...]:
        """The comparisons that it is made of, each a better and a worse group."""
        return ((self.better, self.worse),)


@dataclass(frozen=True, slots=True)
class EachClaim:
    """A claim such as "best", "first", "most" or "last": each of some is ahead of each of others.

    It holds only if the worst comparison of two holds; being ahead of the mean of the others is
    not enough.
    """

    text: str
    better: tuple[Group, ...]
    worse: tuple[Group, ...]
    games: tuple[str, ...] = ()
    """the games that it is about; empty: all"""
    by: Measure = "wins"
    relation: ClassVar[Relation] = "more"
    margin: ClassVar[float] = 0.0
    unit: ClassVar[str] = "%"

    @property
    def pairs(self) -> tuple[tuple[Group, Group], ...]:
        """The comparisons that it is made of, each a better and a worse group."""
        return tuple((better, worse) for better in self.better for worse in self.worse)


def alone(arms: Sequence[str]) -> tuple[Group, ...]:
    """Each of these arms as a group of its own.

    >>> alone(["a", "b"])
    (('a',), ('b',))
    """
    return tuple((arm,) for arm in arms)


@dataclass(frozen=True, slots=True)
class LevelClaim:
    """A claim about a win rate of some arms together, in per cent."""

    text: str
    arms: tuple[str, ...]
    percent: float
    tolerance: float
    unit: ClassVar[str] = "%"


Claim: TypeAlias = OrderClaim | EachClaim | LevelClaim


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A further table of an experiment's results; all cells are texts."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_markdown(self) -> list[str]:
        return [
            f"{self.title}:",
            "",
            f"| {' | '.join(self.heads)} |",
            f"|---{'|--:' * (len(self.heads) - 1)}|",
            *(f"| {' | '.join(row)} |" for row in self.rows),
        ]


@dataclass(frozen=True)
class ExperimentPlan:
    """An experiment at one scale: arms, games, repetitions and claims."""

    arms: tuple[Arm, ...]
    games: tuple[Game, ...]
    repetitions: int
    claims: tuple[Claim, ...]
    deviations: tuple[str, ...]
    """everything that differs from the source: games, repetitions, budget, interpretations"""
    pairwise: tuple[PairwiseWins, ...] = ()
    """printed tables of significance game by game"""
    by_game: tuple[GameTable, ...] = ()
    """printed tables of games won, game by game"""
    ranked: bool = False
    """whether the source gives average ranks with a critical difference"""
    max_ticks: int | None = None
    """the longest match in ticks; None: the default of the arena"""

    @property
    def matches(self) -> int:
        levels = sum(len(game.levels) or 1 for game in self.games)
        return len(self.arms) * levels * self.repetitions

    def studies(self, name: str) -> dict[str, Study]:
        """One study per budget, by name, and per game if agents differ by game."""
        rules = MatchRules() if self.max_ticks is None else MatchRules(max_ticks=self.max_ticks)
        by_game = any(GAME in arm.agent for arm in self.arms)
        groups = [(game,) for game in self.games] if by_game else [self.games]
        made: dict[str, Study] = {}
        for budget in dict.fromkeys(arm.budget for arm in self.arms):
            for games in groups:
                study = Study(
                    name=" ".join([name, *(game.label for game in games if by_game), budget]),
                    agents=tuple(
                        Entrant(arm.label, arm.agent.replace(GAME, games[0].label))
                        for arm in self.of(budget)
                    ),
                    games=games,
                    budgets=(budget,),
                    repetitions=self.repetitions,
                    rules=rules,
                )
                made[study.name] = study
        return made

    def of(self, budget: str) -> tuple[Arm, ...]:
        return tuple(arm for arm in self.arms if arm.budget == budget)


class Experiment(ABC):
    """A published experiment that can be repeated."""

    id: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]

    folder: Path = Path("studies")
    """the folder for files that its agents need; set by `reproduce`"""

    @abstractmethod
    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        """The plan at a scale, with the games that a collection has."""

    def most_levels(self, collection: Collection, plan: ExperimentPlan) -> int:
        """How many levels of its games can be played; those that are learned from are fixed."""
        return max(collection.levels_of(game.label) for game in plan.games)

    def prepare(self, plan: ExperimentPlan, tell: Callable[[str, int, int], None]) -> None:  # noqa: B027  # most need nothing
        """Make the files that agents need, if they are missing.

        `tell` is called with what is made, its index, and the total.
        """

    def tables(self, plan: ExperimentPlan, rows: Sequence[Row]) -> list[ResultTable]:
        """Further tables beside wins and claims."""
        return []


def file_name(text: str) -> str:
    """A name that is valid on every file system.

    >>> file_name("EXP-3 small 480calls")
    'EXP-3-small-480calls'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)

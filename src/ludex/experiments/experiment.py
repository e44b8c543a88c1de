"""What an experiment is: arms that play the same games, printed figures, and claims to judge.

A published experiment is a class with an `id`, and a `plan` for each scale: which agents play
which games how often, what was printed about them, and what the source claims of the outcome.
`run` plays a plan and `judge` weighs its claims; neither knows any experiment.
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
from ludex.experiments.by_game import Duels, GameTable
from ludex.experiments.collection import Collection
from ludex.experiments.scale import Scale

Relation: TypeAlias = Literal["more", "same", "no less"]
Measure: TypeAlias = Literal["wins", "score", "rank"]
"""What is compared: games won, points, or the share of all other arms that an arm is ahead of."""
GAME = "{game}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed share of games won, in per cent, with its standard error where it has one."""

    percent: float
    error: float | None = None

    def __str__(self) -> str:
        return f"{self.percent:.2f}" if self.error is None else f"{self.percent:.2f} ({self.error})"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to play, with what was printed about it."""

    label: str
    agent: str
    """`{game}` in it stands for the game that is played: for agents that know each by a file"""
    budget: str
    printed: Figure | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """A claim that some arms win more games than others, or as many; or have more points."""

    text: str
    """in the words of the source, shortened"""
    better: tuple[str, ...]
    worse: tuple[str, ...]
    relation: Relation = "more"
    games: tuple[str, ...] = ()
    """those that it is about; none: all"""
    by: Measure = "wins"
    margin: float = 0.0
    """by how much it is claimed to be more"""

    @property
    def unit(self) -> str:
        return "points" if self.by == "score" else "%"


@dataclass(frozen=True, slots=True)
class Level:
    """A claim that arms together win about so many games of a hundred."""

    text: str
    arms: tuple[str, ...]
    percent: float
    tolerance: float
    unit: ClassVar[str] = "%"


Claim: TypeAlias = Order | Level


@dataclass(frozen=True, slots=True)
class Table:
    """Something that an experiment tells beside wins and claims; all cells are texts."""

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
class Plan:
    """An experiment at one scale: what is played, and what is to be learned from it."""

    arms: tuple[Arm, ...]
    games: tuple[Game, ...]
    repetitions: int
    claims: tuple[Claim, ...]
    deviations: tuple[str, ...]
    """everything that differs from the source: games, repetitions, budget, readings"""
    duels: tuple[Duels, ...] = ()
    """printed tables of significance game by game"""
    by_game: tuple[GameTable, ...] = ()
    """printed tables of games won, game by game"""
    ranked: bool = False
    """whether the source gives average ranks with a critical difference"""
    max_ticks: int | None = None
    """after which a match is stopped; None: as the arena does"""

    @property
    def matches(self) -> int:
        levels = sum(len(game.levels) or 1 for game in self.games)
        return len(self.arms) * levels * self.repetitions

    def studies(self, name: str) -> dict[str, Study]:
        """One study for each budget, by its name; and for each game, where agents differ by it."""
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
    """where an experiment may keep what its agents need; `reproduce` sets it"""

    @abstractmethod
    def plan(self, scale: Scale, collection: Collection) -> Plan:
        """What is played at a scale, of the games that a collection has."""

    def prepare(self, plan: Plan, tell: Callable[[str, int, int], None]) -> None:  # noqa: B027  # most need nothing
        """Make what agents need before the first match, where it is not there yet.

        `tell` is called with what is made, its number from 0, and how many there are.
        """

    def tables(self, plan: Plan, rows: Sequence[Row]) -> list[Table]:
        """What there is to tell beside wins and claims."""
        return []


def file_name(text: str) -> str:
    """A name that every file system takes.

    >>> file_name("EXP-3 small 480calls")
    'EXP-3-small-480calls'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)

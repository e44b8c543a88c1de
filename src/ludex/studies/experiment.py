"""What an experiment is: arms that play the same games, printed figures, and claims to judge.

A published experiment is a class with an `id`, and a `plan` for each scale: which agents play
which games how often, what was printed about them, and what the source claims of the outcome.
`run` plays a plan and `judge` weighs its claims; neither knows any experiment.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from ludex.arena.study import Entrant, Game, Study
from ludex.studies.by_game import Duels, GameTable
from ludex.studies.collection import Collection
from ludex.studies.scale import Scale

Relation: TypeAlias = Literal["more", "same", "no less"]
Measure: TypeAlias = Literal["wins", "score", "rank"]
"""What is compared: games won, points, or the share of all other arms that an arm is ahead of."""


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

    @property
    def matches(self) -> int:
        levels = sum(len(game.levels) or 1 for game in self.games)
        return len(self.arms) * levels * self.repetitions

    def studies(self, name: str) -> dict[str, Study]:
        """One study for each budget, by the name of the file that keeps it."""
        made: dict[str, Study] = {}
        for budget in dict.fromkeys(arm.budget for arm in self.arms):
            made[budget] = Study(
                name=f"{name} {budget}",
                agents=tuple(Entrant(arm.label, arm.agent) for arm in self.of(budget)),
                games=self.games,
                budgets=(budget,),
                repetitions=self.repetitions,
            )
        return made

    def of(self, budget: str) -> tuple[Arm, ...]:
        return tuple(arm for arm in self.arms if arm.budget == budget)


class Experiment(ABC):
    """A published experiment that can be repeated."""

    id: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]

    @abstractmethod
    def plan(self, scale: Scale, collection: Collection) -> Plan:
        """What is played at a scale, of the games that a collection has."""


def file_name(text: str) -> str:
    """A name that every file system takes.

    >>> file_name("EXP-3 small 480calls")
    'EXP-3-small-480calls'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)

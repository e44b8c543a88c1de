"""A study: which agents play which games, how often, and with what budget.

A study is a value made of texts: it can be written in Python, read from a file (`study_file`),
kept in a store (`store`) and played (`run_study`). Making one checks everything that can be
known before the first match, and lists all that is wrong at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any, Literal, Self, TypeAlias

from ludex.arena.match.rules import MatchRules
from ludex.arena.study.problems import BadStudy, problems_of
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.capabilities import HasLevels
from ludex.core.world import World

Pairing: TypeAlias = Literal["round_robin", "against", "glicko"]
Isolate: TypeAlias = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent under the name that tables show."""

    label: str
    agent: str
    """as in `mcts(exploration=1.4)` or `file.py:Class`"""


@dataclass(frozen=True, slots=True)
class Game:
    """A world with the levels that are played of it; rankings count by game."""

    label: str
    world: str
    levels: tuple[int, ...] = ()
    """none: the world has no levels, or its text names the one that is played"""

    def stages(self) -> list[tuple[int | None, World]]:
        """Each level with its world; raises LudexError when a world cannot be made."""
        world = registry.world(self.world)
        if not self.levels:
            return [(world.level if isinstance(world, HasLevels) else None, world)]
        changed: list[tuple[int | None, World]] = []
        for level in self.levels:
            at: dict[str, Any] = {"level": level}
            changed.append((level, registry.world(str(world.clone(**at)))))
        return changed


@dataclass(frozen=True, kw_only=True)
class Study:
    """Agents x games x levels x budgets x repetitions.

    Worlds with one seat are played by each agent alone. In others, `pairing` says who meets
    whom: `round_robin` seats every combination of agents, in every rotation of the seats;
    `against` seats each agent among the `opponents`; `glicko` chooses pairs round by round,
    as their ratings ask for. The seed of a match depends on the study's seed, the game, the
    level and the repetition, so that all agents meet the same chances.

    Raises:
        BadStudy: With every problem that can be known before the first match.
    """

    name: str
    agents: tuple[Entrant, ...]
    games: tuple[Game, ...]
    about: str = ""
    """the question that the study answers, for the report"""
    budgets: tuple[str, ...] = ("40ms",)
    repetitions: int = 1
    """matches of each kind"""
    seed: int = 0
    seeds: tuple[int, ...] = ()
    """the seeds of the repetitions themselves, instead of ones derived from `seed`"""
    pairing: Pairing = "round_robin"
    opponents: tuple[Entrant, ...] = ()
    """who fills the other seats under `against`"""
    rounds: int = 0
    """how often `glicko` chooses pairs"""
    isolate: Isolate = "auto"
    """whether agents get processes of their own; auto: those in files do"""
    rules: MatchRules = field(default_factory=MatchRules)

    @classmethod
    def of(
        cls,
        name: str,
        agents: Iterable[str | tuple[str, str] | Entrant],
        worlds: Iterable[str | tuple[str, str] | Game],
        levels: Iterable[int] = (),
        *,
        opponents: Iterable[str | tuple[str, str] | Entrant] = (),
        **rest: Any,
    ) -> Self:
        """Make a study of texts, or of pairs of a label and a text.

        >>> study = Study.of("small", ["uniform", ("search", "mcts")], ["nim"], budgets=("9calls",))
        >>> study.agents[1], study.games[0].label, study.size
        (Entrant(label='search', agent='mcts'), 'nim', 2)
        """
        chosen = tuple(levels)
        return cls(
            name=name,
            agents=tuple(entrant_of(one) for one in agents),
            games=tuple(game_of(one, chosen) for one in worlds),
            opponents=tuple(entrant_of(one) for one in opponents),
            **rest,
        )

    def __post_init__(self) -> None:
        if problems := problems_of(self):
            raise BadStudy.of(self.name, problems)

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody who plays: the agents, then the opponents; matches number them so."""
        return self.agents + self.opponents

    @property
    def repeats(self) -> int:
        """How many matches of each kind are played."""
        return len(self.seeds) or self.repetitions

    @cached_property
    def stages(self) -> list[tuple[Game, int | None, World]]:
        """Every level of every game, with its world."""
        return [(game, level, world) for game in self.games for level, world in game.stages()]

    @property
    def size(self) -> int:
        """How many matches the study has; of `glicko`, at most."""
        from ludex.arena.study.schedule import size_of

        return size_of(self)

    @property
    def repeatable(self) -> bool:
        return all(Budget.parse(text).repeatable for text in self.budgets)

    def document(self) -> dict[str, Any]:
        """The study as plain values, which `from_document` reads back."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        values = dict(document)
        for name in ("agents", "opponents"):
            values[name] = tuple(Entrant(**one) for one in values[name])
        values["games"] = tuple(
            Game(**{**one, "levels": tuple(one["levels"])}) for one in values["games"]
        )
        for name in ("budgets", "seeds"):
            values[name] = tuple(values[name])
        values["rules"] = MatchRules(**values["rules"])
        return cls(**values)


def entrant_of(given: str | tuple[str, str] | Entrant) -> Entrant:
    if isinstance(given, Entrant):
        return given
    return Entrant(given, given) if isinstance(given, str) else Entrant(*given)


def game_of(given: str | tuple[str, str] | Game, levels: tuple[int, ...] = ()) -> Game:
    """Name a game; one in a file is called as the file is.

    >>> game_of("games/aliens.txt", (0, 1)).label
    'aliens'
    """
    if isinstance(given, Game):
        return given
    if isinstance(given, str):
        return Game(PurePath(given).stem if given.endswith(".txt") else given, given, levels)
    return Game(*given, levels)

"""A study: which agents play which games, how often, and with what budget.

A study is a value made of texts: it can be written in Python, read from a file (`study_file`),
kept in a store (`store`) and played (`run_study`). Making one checks everything that can be
known before the first match, and lists all that is wrong at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import PurePath
from typing import Any, Literal, Self, TypeAlias, get_args

from ludex.agents.compose import make_agent
from ludex.agents.files import in_a_line
from ludex.arena.rules import MatchRules
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import LudexError
from ludex.core.planner import Agent, Planner
from ludex.core.rng import MAX_SEED
from ludex.core.world import World

Pairing: TypeAlias = Literal["round_robin", "against", "glicko"]
Isolate: TypeAlias = Literal["auto", "always", "never"]
MOST_MATCHES = 10_000_000
MOST_LEVELS = 10_000


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a study, and where: a path such as ("agents", 2)."""

    where: tuple[str | int, ...]
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}" if self.where else self.message

    @property
    def key(self) -> str:
        """The place as a reader of the file counts: entries of a list from 1.

        >>> Problem(("agents", 1, "name"), "").key
        'agents, entry 2, name'
        """
        return ", ".join(
            part if isinstance(part, str) else f"entry {part + 1}" for part in self.where
        )


class BadStudy(LudexError):
    """A study that cannot be played; `problems` lists all that is wrong with it."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, name: str, problems: Sequence[Problem]) -> Self:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        return cls(f"the study {name!r} cannot be played: {problems[0]}{more}", problems)


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
            return [(getattr(world, "level", None), world)]
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
        from ludex.arena.schedule import size_of

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


# What is wrong with a study


def problems_of(study: Study) -> list[Problem]:
    """All that can be known to be wrong before the first match, in the order of the fields."""
    problems: list[Problem] = []
    agents = made_agents("agents", study.agents, problems)
    opponents = made_agents("opponents", study.opponents, problems)
    worlds = made_worlds(study.games, problems)
    check_labels(study, problems)
    check_budgets(study.budgets, problems)
    check_numbers(study, problems)
    check_pairing(study, worlds, problems)
    refuse_unfit(study, agents, opponents, worlds, problems)
    if not problems and study.size > MOST_MATCHES:
        problems.append(
            Problem((), f"it has {study.size:,} matches; at most {MOST_MATCHES:,} are played")
        )
    return problems


def made_agents(key: str, entrants: Sequence[Entrant], problems: list[Problem]) -> dict[int, Agent]:
    """The agents that can be made, by place."""
    made: dict[int, Agent] = {}
    if key == "agents" and not entrants:
        problems.append(Problem((key,), "at least one agent is needed"))
    for place, entrant in enumerate(entrants):
        try:
            agent = make_agent(entrant.agent)
            if getattr(agent, "untimed", False):
                raise LudexError(f"{entrant.agent!r} plays at the terminal, not in a study")
            made[place] = agent
        except LudexError as error:
            problems.append(Problem((key, place), str(error)))
    return made


def made_worlds(games: Sequence[Game], problems: list[Problem]) -> dict[int, World]:
    """The first world of each game that can be made with all its levels, by place."""
    made: dict[int, World] = {}
    if not games:
        problems.append(Problem(("worlds",), "at least one world is needed"))
    for place, game in enumerate(games):
        try:
            world = registry.world(game.world)
            if game.levels and "level" not in {item.name for item in fields(world)}:
                problems.append(
                    Problem(("worlds", place), f"{game.world} has no levels; leave them out")
                )
                continue
            for _, stage in game.stages():
                _ = stage.model  # reads the files of the level
            made[place] = game.stages()[0][1]
        except LudexError as error:
            problems.append(Problem(("worlds", place), str(error)))
        except Exception as error:  # a world that cannot be imported or read
            problems.append(
                Problem(("worlds", place), f"{game.world!r} is broken: {in_a_line(error)}")
            )
    return made


def check_labels(study: Study, problems: list[Problem]) -> None:
    """Names stand for one thing each, and can be read in tables and files."""
    entrants = [entrant.label for entrant in study.agents]
    for key, labels, others in (
        ("agents", entrants, []),
        ("opponents", [entrant.label for entrant in study.opponents], entrants),
        ("worlds", [game.label for game in study.games], []),
    ):
        times = Counter(labels)
        for place, label in enumerate(labels):
            if not label.strip() or "\n" in label:
                problems.append(Problem((key, place), f"a name is one line of text, got {label!r}"))
            elif labels.index(label) < place:
                problems.append(
                    Problem(
                        (key, place),
                        f"{label!r} is there {times[label]} times; give each a name of its own",
                    )
                )
            elif label in others:
                problems.append(
                    Problem((key, place), f"an agent is named {label!r}, too; name it otherwise")
                )


def check_budgets(budgets: Sequence[str], problems: list[Problem]) -> None:
    if not budgets:
        problems.append(Problem(("budgets",), "at least one budget is needed, such as 900calls"))
    for place, text in enumerate(budgets):
        try:
            if str(Budget.parse(text)) in [str(Budget.parse(one)) for one in budgets[:place]]:
                problems.append(Problem(("budgets", place), f"{text!r} is there twice"))
        except LudexError as error:
            problems.append(Problem(("budgets", place), str(error)))


def check_numbers(study: Study, problems: list[Problem]) -> None:
    if study.repetitions < 1:
        problems.append(
            Problem(("repetitions",), f"it is a whole number from 1, got {study.repetitions}")
        )
    for place, seed in [(None, study.seed), *enumerate(study.seeds)]:
        if not 0 <= seed <= MAX_SEED:
            where = ("seed",) if place is None else ("seeds", place)
            problems.append(
                Problem(where, f"a seed is a whole number from 0 to {MAX_SEED}, got {seed}")
            )
    if len(set(study.seeds)) < len(study.seeds):
        problems.append(Problem(("seeds",), "the same seed twice gives the same match twice"))
    if study.seeds and study.repetitions not in (1, len(study.seeds)):
        problems.append(
            Problem(
                ("repetitions",),
                f"{study.repetitions} contradicts the {len(study.seeds)} seeds; give one of both",
            )
        )
    if study.isolate not in get_args(Isolate):
        problems.append(
            Problem(
                ("isolate",), f"it is one of {', '.join(get_args(Isolate))}, got {study.isolate!r}"
            )
        )


def check_pairing(study: Study, worlds: dict[int, World], problems: list[Problem]) -> None:
    """Whether the agents can be seated as the study says."""
    pairing = study.pairing
    if pairing not in get_args(Pairing):
        known = ", ".join(get_args(Pairing))
        problems.append(Problem(("pairing",), f"it is one of {known}, got {pairing!r}"))
        return
    if pairing == "against" and not study.opponents:
        problems.append(Problem(("opponents",), 'pairing = "against" needs at least one'))
    if pairing != "against" and study.opponents:
        problems.append(
            Problem(("opponents",), f"pairing = {pairing!r} has none; use pairing = 'against'")
        )
    if (study.rounds != 0) != (pairing == "glicko") or study.rounds < 0:
        problems.append(
            Problem(
                ("rounds",),
                f"pairing = 'glicko' needs a number from 1, and others have "
                f"none; got {study.rounds} with {pairing!r}",
            )
        )
    for place, world in worlds.items():
        seats = world.traits.seats
        here = ("worlds", place)
        if pairing == "round_robin" and seats > len(study.agents):
            problems.append(
                Problem(
                    here,
                    f"{world} has {seats} seats, and the study {len(study.agents)} agents; "
                    "add some, or use pairing = 'against' with opponents",
                )
            )
        if pairing == "glicko" and (seats != 2 or len(study.agents) < 2):
            problems.append(
                Problem(
                    here,
                    f"pairing = 'glicko' needs two agents or more and worlds with two "
                    f"seats; {world} has {seats}",
                )
            )


def refuse_unfit(
    study: Study,
    agents: dict[int, Agent],
    opponents: dict[int, Agent],
    worlds: dict[int, World],
    problems: list[Problem],
) -> None:
    """Name planners that refuse a world, before hours of play end there."""
    for key, made, entrants in (
        ("agents", agents, study.agents),
        ("opponents", opponents, study.opponents),
    ):
        for place, agent in made.items():
            for game, world in worlds.items():
                if key == "opponents" and world.traits.seats == 1:
                    continue
                reason = agent.refusal(world.traits) if isinstance(agent, Planner) else None
                if reason:
                    label, where = entrants[place].label, study.games[game].label
                    problems.append(
                        Problem((key, place), f"{label!r} cannot play {where!r}: it {reason}")
                    )

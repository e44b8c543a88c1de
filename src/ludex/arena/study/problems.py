"""Validation of a study before its first match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

from ludex.agents.compose import make_agent
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.capabilities import is_human
from ludex.core.errors import BadParameter, LudexError, in_a_line
from ludex.core.planner import Agent, Planner
from ludex.core.printable import printable
from ludex.core.rng import MAX_SEED
from ludex.core.world import World

if TYPE_CHECKING:
    from ludex.arena.study.study import Entrant, Game, Study

MOST_MATCHES = 10_000_000
PAIRINGS = ("round_robin", "against", "glicko")
ISOLATIONS = ("auto", "always", "never")


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


class BadStudy(BadParameter):
    """A study that cannot be played; `problems` lists all that is wrong with it."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, name: str, problems: Sequence[Problem]) -> Self:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        return cls(f"the study {name!r} cannot be played: {problems[0]}{more}", problems)


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
    for index, entrant in enumerate(entrants):
        try:
            agent = make_agent(entrant.agent, broken_too=False)
            if is_human(agent):
                raise LudexError(f"{entrant.agent!r} plays at the terminal, not in a study")
            made[index] = agent
        except LudexError as error:
            problems.append(Problem((key, index), str(error)))
    return made


def made_worlds(games: Sequence[Game], problems: list[Problem]) -> dict[int, World]:
    """The first world of each game that can be made with all its levels, by place."""
    made: dict[int, World] = {}
    if not games:
        problems.append(Problem(("worlds",), "at least one world is needed"))
    for index, game in enumerate(games):
        try:
            world = registry.world(game.world)
            if game.levels and "level" not in {item.name for item in fields(world)}:
                problems.append(
                    Problem(("worlds", index), f"{game.world} has no levels; leave them out")
                )
                continue
            for _, stage in game.stages():
                _ = stage.model  # reads the files of the level
            made[index] = game.stages()[0][1]
        except LudexError as error:
            problems.append(Problem(("worlds", index), str(error)))
        except Exception as error:  # a world that cannot be imported or read
            problems.append(
                Problem(("worlds", index), f"{game.world!r} is broken: {in_a_line(error)}")
            )
    return made


def unfit_name(text: str) -> str:
    """Why a text cannot be a name in tables, or an empty text."""
    if not text.strip() or "\n" in text:
        return f"a name is one line of text, got {text!r}"
    if printable(text) != text or "\t" in text:
        return f"a name is one line of text without control characters, got {text!r}"
    return ""


def check_labels(study: Study, problems: list[Problem]) -> None:
    """Names stand for one thing each, and can be read in tables and files."""
    if reason := unfit_name(study.name):
        problems.append(Problem(("name",), reason))
    entrants = [entrant.label for entrant in study.agents]
    for key, labels, others in (
        ("agents", entrants, []),
        ("opponents", [entrant.label for entrant in study.opponents], entrants),
        ("worlds", [game.label for game in study.games], []),
    ):
        times = Counter(labels)
        for index, label in enumerate(labels):
            if reason := unfit_name(label):
                problems.append(Problem((key, index), reason))
            elif labels.index(label) < index:
                problems.append(
                    Problem(
                        (key, index),
                        f"{label!r} is there {times[label]} times; give each a name of its own",
                    )
                )
            elif label in others:
                problems.append(
                    Problem((key, index), f"an agent is named {label!r}, too; name it otherwise")
                )


def check_budgets(budgets: Sequence[str], problems: list[Problem]) -> None:
    if not budgets:
        problems.append(Problem(("budgets",), "at least one budget is needed, such as 900calls"))
    for index, text in enumerate(budgets):
        try:
            if str(Budget.parse(text)) in [str(Budget.parse(one)) for one in budgets[:index]]:
                problems.append(Problem(("budgets", index), f"{text!r} is there twice"))
        except LudexError as error:
            problems.append(Problem(("budgets", index), str(error)))


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
    if study.isolate not in ISOLATIONS:
        problems.append(
            Problem(("isolate",), f"it is one of {', '.join(ISOLATIONS)}, got {study.isolate!r}")
        )


def check_pairing(study: Study, worlds: dict[int, World], problems: list[Problem]) -> None:
    """Whether the agents can be seated as the study says."""
    pairing = study.pairing
    if pairing not in PAIRINGS:
        known = ", ".join(PAIRINGS)
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
        if pairing == "round_robin" and seats > len(study.agents) > 0:
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

"""How hard levels are: what doing nothing, random play and agents reach on each of them.

Figures are kept in a file and added to. A game that has been played is not played again, as long
as neither its rules nor its level have changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, takewhile
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ludex.agents.compose import make_agent
from ludex.arena.study.tournament import play_many
from ludex.core.budget import Budget
from ludex.core.capabilities import is_human
from ludex.core.errors import BadAgent, BadParameter
from ludex.core.policy import Weighted
from ludex.core.rng import Rng
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.language.because import without_reasons
from ludex.worlds.vgdl.tools.parallel import in_processes
from ludex.worlds.vgdl.world import Vgdl
from ludex.worlds.vgdl.world import games as our_games

IDLE, RANDOM = "do_nothing", "uniform"
TRIALS = 50  # games of those two on each level
MOST_RANDOM_WINS = 10  # of them, one in five; more is too easy
LONGEST = 2001  # ticks; no game is longer
TOGETHER = ("fire_brigade", "two_thieves")
"""games whose players win together; in the others the second player is uniform"""


class LevelGame(NamedTuple):
    """One game, as its first player sees it."""

    won: bool
    score: float
    ticks: int


@dataclass(frozen=True, slots=True)
class LevelTask:
    """Games `first` to `games` - 1 of an agent on a level."""

    world: Vgdl
    agent: str
    games: int
    budget: str = ""
    first: int = 0

    @property
    def key(self) -> str:
        """What the games are filed under: whatever changes them, but for how many there are."""
        rules, level = (path.read_bytes() for path in self.world.paths)
        played = without_reasons(rules) + b"\0" + level
        text = hashlib.blake2b(played, digest_size=6).hexdigest()
        return " ".join([str(self.world), text, self.agent, self.budget]).strip()


@dataclass(frozen=True, slots=True)
class LevelReport:
    """How hard one level is."""

    world: Vgdl
    games: dict[str, list[LevelGame]]
    """what was played, by agent; doing nothing and random play come first"""

    @property
    def fault(self) -> str:
        """Why it is too easy; nothing where it is not."""
        return fault(self.world, self.games[IDLE], self.games[RANDOM])

    def as_json(self) -> dict[str, Any]:
        players = {
            agent: {
                "games": len(games),
                "wins": sum(one.won for one in games),
                "scores": [one.score for one in games],
                "ticks": [one.ticks for one in games],
            }
            for agent, games in self.games.items()
        }
        return {
            "game": self.world.game,
            "level": self.world.level,
            "players": players,
            "fault": self.fault or None,
        }


def bench_levels(
    games: Sequence[str] = (),
    agents: Sequence[str] = (),
    *,
    number: int = 2,
    budget: str = "900calls",
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[LevelReport]:
    """Play every level of VGDL games by doing nothing, at random and with agents.

    Args:
        games: Names or files; all games of our own if none is given.
        agents: Who plays beside them.
        number: Games of each agent on each level.
        budget: For each decision of an agent.
        workers: Processes that play.
        progress: Called with how many tasks are done, of how many.
    """
    Budget.parse(budget)
    check_players(agents)
    worlds = [world for game in chosen_games(games) for world in levels_of(game)]
    wanted = {world: tasks(world, agents, number, budget) for world in worlds}
    figures = LevelFigures()
    play_missing(figures, [task for each in wanted.values() for task in each], workers, progress)
    return [
        LevelReport(world, {task.agent: figures.of(task) for task in each})
        for world, each in wanted.items()
    ]


def chosen_games(names: Sequence[str]) -> list[str]:
    """The games asked for: paths, or names with or without the world before them."""
    if not names:
        return [name for name, _ in our_games()]
    found = [name.removeprefix("vgdl/") for name in names]
    for name in found:
        if not levels_of(name):
            raise BadParameter(f"{name} has no level: there is no file of its level 0")
    return found


def check_players(agents: Sequence[str]) -> None:
    """Raise unless each of the agents exists and needs no human."""
    for text in agents:
        if is_human(make_agent(text)):
            raise BadAgent(f"{text} cannot play hundreds of games by itself; name a planner")


def tasks(world: Vgdl, agents: Sequence[str], games: int, budget: str) -> list[LevelTask]:
    """All that is to be played on a level."""
    idle = LevelTask(world, IDLE, TRIALS)
    return [
        idle,
        LevelTask(world, RANDOM, TRIALS),
        *(LevelTask(world, agent, games, budget) for agent in agents),
    ]


def played(task: LevelTask) -> list[LevelGame]:
    """Play the games of a task, always with the same seeds."""
    if task.agent in (IDLE, RANDOM):
        return list(trials(task))
    world = task.world
    rival = task.agent if Path(world.game).stem in TOGETHER else RANDOM
    seated = [task.agent, *([rival] * (world.traits.seats - 1))]
    results = play_many(
        world,
        seated,
        games=task.games,
        seed=world.level,
        budget=task.budget,
        first=task.first,
    )
    return [LevelGame(0 in one.winners, one.scores[0], one.ticks) for one in results]


def trials(task: LevelTask) -> Iterator[LevelGame]:
    """Games without any thought, which native code plays to their end."""
    model = task.world.model
    policy = Weighted({int(Action.NIL): 1.0}) if task.agent == IDLE else "uniform"
    for number in range(task.first, task.games):
        rng = Rng(number).fork(task.agent)
        end = model.rollout(task.world.start(rng.fork("start")), policy, LONGEST, rng)
        outcome = model.outcome(end.state)
        won = outcome is not None and 0 in outcome.winners
        yield LevelGame(won, end.state.scores[0], end.ticks)


class LevelFigures:
    """What has been played so far, in a file that is written after every task.

    Args:
        file: Where figures are kept; None keeps them while the program runs.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.games: dict[str, list[LevelGame]] = {}
        if file is not None and file.is_file():
            kept = json.loads(file.read_text(encoding="utf-8"))
            self.games = {key: [LevelGame(*one) for one in games] for key, games in kept.items()}

    def missing(self, wanted: Sequence[LevelTask]) -> list[LevelTask]:
        """What is still to be played, as tasks that go on where the last ones ended."""
        found: list[LevelTask] = []
        for task in wanted:
            first = len(self.games.get(task.key, ()))
            if first < task.games:
                found.append(LevelTask(task.world, task.agent, task.games, task.budget, first))
        return found

    def add(self, task: LevelTask, games: list[LevelGame]) -> None:
        self.games.setdefault(task.key, []).extend(games)
        self.save()

    def of(self, task: LevelTask) -> list[LevelGame]:
        """The games of a task, no more than it asks for."""
        return self.games.get(task.key, [])[: task.games]

    def keep_only(self, wanted: Sequence[LevelTask]) -> None:
        """Forget games that nobody asks for any more, such as those of levels as they were."""
        keys = {task.key for task in wanted}
        self.games = {key: games for key, games in sorted(self.games.items()) if key in keys}
        self.save()

    def save(self) -> None:
        if self.file is None:
            return
        rows = [
            f"{json.dumps(key)}: {json.dumps([(int(won), *rest) for won, *rest in games])}"
            for key, games in self.games.items()
            if not key.endswith((IDLE, RANDOM))  # played again in no time
        ]
        new = self.file.with_suffix(".new")
        new.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        new.replace(self.file)


def play_missing(
    figures: LevelFigures,
    wanted: Sequence[LevelTask],
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Play what is not known yet; an interruption keeps what has been played.

    Args:
        figures: What is known, which grows.
        wanted: All that is to be known.
        workers: Processes that play.
        progress: Called with how many tasks are done, of how many that were missing.
    """
    missing = figures.missing(wanted)
    progress(0, len(missing))
    results = in_processes(played, missing, workers)
    for done, (task, games) in enumerate(zip(missing, results, strict=True), start=1):
        figures.add(task, games)
        progress(done, len(missing))


def share(games: Sequence[LevelGame]) -> str:
    """How many were won, of how many."""
    return f"{sum(one.won for one in games)}/{len(games)}"


def summary(games: Sequence[LevelGame]) -> str:
    """Wins and the mean score.

    >>> summary([LevelGame(True, 3.0, 20), LevelGame(False, 0.0, 50)])
    '1/2, 1.5'
    """
    if not games:
        return "-"
    mean = round(fmean(one.score for one in games), 1) + 0.0  # never a negative zero
    return f"{share(games)}, {mean:.1f}"


@cache
def levels_of(game: str) -> tuple[Vgdl, ...]:
    """A game on each of its levels, counted from 0."""
    every = (Vgdl(game=game, level=number) for number in count())
    return tuple(takewhile(lambda world: world.paths[1].is_file(), every))


def fault(world: Vgdl, idle: Sequence[LevelGame], random: Sequence[LevelGame]) -> str:
    """Why a level is too easy; nothing where it is not.

    Somebody wins a duel, however badly both play, so it is judged by doing nothing alone.
    """
    if any(one.won for one in idle):
        return "won by doing nothing"
    is_duel = world.traits.seats > 1 and Path(world.game).stem not in TOGETHER
    if not is_duel and sum(one.won for one in random) * TRIALS > MOST_RANDOM_WINS * len(random):
        return "won at random"
    return ""

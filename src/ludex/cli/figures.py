"""How hard levels are: what doing nothing, random play and agents reach on each of them.

Figures are kept in a file and added to. A game that has been played is not played again, as long
as neither its rules nor its level have changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ludex.worlds.vgdl.world import Vgdl

IDLE, RANDOM = "do_nothing", "uniform"
TRIALS = 50  # games of those two on each level
MOST_RANDOM_WINS = 10  # of them, one in five; more is too easy
LONGEST = 2001  # ticks; no game is longer
TOGETHER = ("fire_brigade", "two_thieves")
"""games whose players win together; in the others the second player is uniform"""


class Played(NamedTuple):
    """One game, as its first player sees it."""

    won: bool
    score: float
    ticks: int


@dataclass(frozen=True, slots=True)
class Task:
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
        text = hashlib.blake2b(rules + b"\0" + level, digest_size=6).hexdigest()
        return " ".join([str(self.world), text, self.agent, self.budget]).strip()


def read_players(texts: str) -> list[str]:
    """The agents of a comma-separated list, each of which must exist and need no human."""
    from ludex.agents.compose import make_agent
    from ludex.core.errors import BadAgent
    from ludex.core.names import split_outside

    players = [text for text in split_outside(texts, ",") if text]
    for text in players:
        if getattr(make_agent(text), "untimed", False):
            raise BadAgent(f"{text} cannot play hundreds of games by itself; name a planner")
    return players


def tasks(world: Vgdl, agents: Sequence[str], games: int, budget: str) -> list[Task]:
    """All that is to be played on a level."""
    idle = Task(world, IDLE, TRIALS)
    return [
        idle,
        Task(world, RANDOM, TRIALS),
        *(Task(world, agent, games, budget) for agent in agents),
    ]


def played(task: Task) -> list[Played]:
    """Play the games of a task, always with the same seeds."""
    from ludex.arena.study.tournament import play_many

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
    return [Played(0 in one.winners, one.scores[0], one.ticks) for one in results]


def trials(task: Task) -> Iterator[Played]:
    """Games without any thought, which native code plays to their end."""
    from ludex.core.policy import Weighted
    from ludex.core.rng import Rng
    from ludex.worlds.vgdl.action import Action

    model = task.world.model
    policy = Weighted({int(Action.NIL): 1.0}) if task.agent == IDLE else "uniform"
    for number in range(task.first, task.games):
        rng = Rng(number).fork(task.agent)
        end = model.rollout(task.world.start(rng.fork("start")), policy, LONGEST, rng)
        outcome = model.outcome(end.state)
        won = outcome is not None and 0 in outcome.winners
        yield Played(won, end.state.scores[0], end.ticks)


class Figures:
    """What has been played so far, in a file that is written after every task.

    Args:
        file: Where figures are kept; None keeps them while the program runs.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.games: dict[str, list[Played]] = {}
        if file is not None and file.is_file():
            kept = json.loads(file.read_text(encoding="utf-8"))
            self.games = {key: [Played(*one) for one in games] for key, games in kept.items()}

    def missing(self, wanted: Sequence[Task]) -> list[Task]:
        """What is still to be played, as tasks that go on where the last ones ended."""
        found: list[Task] = []
        for task in wanted:
            first = len(self.games.get(task.key, ()))
            if first < task.games:
                found.append(Task(task.world, task.agent, task.games, task.budget, first))
        return found

    def add(self, task: Task, games: list[Played]) -> None:
        self.games.setdefault(task.key, []).extend(games)
        self.save()

    def of(self, task: Task) -> list[Played]:
        """The games of a task, no more than it asks for."""
        return self.games.get(task.key, [])[: task.games]

    def keep_only(self, wanted: Sequence[Task]) -> None:
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


def play_missing(figures: Figures, wanted: Sequence[Task], workers: int, quiet: bool) -> None:
    """Play what is not known yet; an interruption keeps what has been played."""
    from ludex.cli import screen
    from ludex.worlds.vgdl.tools.parallel import in_processes

    missing = figures.missing(wanted)
    with screen.progress(screen.messages(), quiet) as progress:
        bar = progress.add_task("playing", total=len(missing))
        results = in_processes(played, missing, workers)
        for task, games in zip(missing, results, strict=True):
            figures.add(task, games)
            progress.advance(bar)


def share(games: Sequence[Played]) -> str:
    """How many were won, of how many."""
    return f"{sum(one.won for one in games)}/{len(games)}"


def summary(games: Sequence[Played]) -> str:
    """Wins and the mean score.

    >>> summary([Played(True, 3.0, 20), Played(False, 0.0, 50)])
    '1/2, 1.5'
    """
    if not games:
        return "-"
    mean = round(fmean(one.score for one in games), 1) + 0.0  # never a negative zero
    return f"{share(games)}, {mean:.1f}"


@cache
def levels_of(game: str) -> tuple[Vgdl, ...]:
    """A game on each of its levels, counted from 0."""
    from itertools import count, takewhile

    from ludex.worlds.vgdl.world import Vgdl

    every = (Vgdl(game=game, level=number) for number in count())
    return tuple(takewhile(lambda world: world.paths[1].is_file(), every))


def fault(world: Vgdl, idle: Sequence[Played], random: Sequence[Played]) -> str:
    """Why a level is too easy; nothing where it is not.

    Somebody wins a duel, however badly both play, so it is judged by doing nothing alone.
    """
    if any(one.won for one in idle):
        return "won by doing nothing"
    is_duel = world.traits.seats > 1 and Path(world.game).stem not in TOGETHER
    if not is_duel and sum(one.won for one in random) * TRIALS > MOST_RANDOM_WINS * len(random):
        return "won at random"
    return ""

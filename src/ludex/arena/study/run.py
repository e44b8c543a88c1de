"""Runs studies in parallel, resumable, and robust against failing agents and workers.

Only the process of the run writes to the store; workers play matches and send back results.
A worker that dies is replaced. Its match is played again, from the second death on with its
agents in processes of their own, so that the fault is put down to the seat that caused it.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ludex.arena.match.runner import MatchResult, run_match
from ludex.arena.match.setup import MatchSetup
from ludex.arena.match.streams import draw_secret
from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.arena.processes.pool import Death, Pool
from ludex.arena.statistics.results import Results, read_store
from ludex.arena.store.store import Store
from ludex.arena.study.schedule import Job, Rounds, first_round, glicko_round
from ludex.arena.study.study import Study
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, LudexError
from ludex.core.names import read_agent
from ludex.core.own_part import python_files_in
from ludex.core.user_file import is_file_name
from ludex.core.world import World

MOST_DEATHS = 5  # of workers in one match, before it is given up
PAUSE_S = 20.0  # more than any decision's patience that a busy machine may need
MOST_POINTS = 60  # of a course of scores
CAREFUL_AFTER = 1
"""deaths of workers after which the agents of a match get processes of their own"""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    done: int
    """matches in the store"""
    total: int
    """matches of the study, as far as they are known"""
    played: int
    """by this run"""
    seconds: float
    """since this run began"""
    abandoned: int = 0

    @property
    def seconds_left(self) -> float | None:
        """At the pace of this run so far; None before its first match."""
        if not self.played:
            return None
        return (self.total - self.done) * self.seconds / self.played


def run_study(
    study: Study,
    store: Path | str | None = None,
    *,
    workers: int = 1,
    progress: Callable[[Progress], None] | None = None,
    mixed: bool = False,
    tells_waits: str | None = None,
) -> Results:
    """Play all matches of a study that its store does not have yet, and return all results.

    The same study gives the same rows for any number of workers, and whether it is played at
    once or in pieces, under budgets of calls or iterations. Ctrl-C, a kill or a full disk lose
    nothing but the matches under way.

    Args:
        study: What is played.
        store: The file that keeps it; None keeps it in memory.
        workers: Processes that play; 0 plays in this one, without protection from agents.
        progress: Called after the start and after each match.
        mixed: Go on although agents, worlds or ludex changed since the store was begun; the
            rows of such matches say what was different.
        tells_waits: As in `MatchSetup`: say when an agent takes long.

    Raises:
        BadStore, StoreBusy, CannotWrite: The store cannot be used; nothing in it is lost.
    """
    if workers < 0:
        raise BadParameter(f"workers are a number from 0, got {workers!r}")
    with Store.create(Path(store) if store is not None else None) as opened:
        opened.begin(study, workers, mixed)
        Run(study, opened, workers, progress or (lambda _: None), tells_waits).play()
        opened.end()
        return read_store(opened)


@dataclass
class Run:
    """A study being played."""

    study: Study
    store: Store
    workers: int
    progress: Callable[[Progress], None]
    tells_waits: str | None = None
    played: int = 0
    done: int = 0
    total: int = 0
    abandoned: dict[int, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def play(self) -> None:
        if self.workers == 0:
            for jobs in self.rounds():
                for number, job in jobs:
                    self.keep(number, play_job(self.task(job, 0)))
            return
        with Pool(self.workers) as pool:
            for jobs in self.rounds():
                self.play_round(pool, jobs)

    def rounds(self) -> Iterator[list[tuple[int, Job]]]:
        """What is left to play; later rounds may depend on the results of earlier ones."""
        if self.study.pairing != "glicko":
            yield self.scheduled(first_round(self.study))
            return
        earlier: Rounds = []
        for number in range(1, self.study.rounds + 1):
            yield self.scheduled(glicko_round(self.study, number, earlier))
            if self.abandoned:
                raise LudexError(
                    f"round {number} cannot end, so no pairs can be chosen for the next: "
                    f"{next(iter(self.abandoned.values()))}"
                )
            earlier.append(self.store.round_results(self.study, number))

    def scheduled(self, jobs: Sequence[Job]) -> list[tuple[int, Job]]:
        left = self.store.schedule(self.study, jobs)
        self.done, self.total = self.store.counts()
        self.tell()
        return left

    def play_round(self, pool: Pool, jobs: Sequence[tuple[int, Job]]) -> None:
        waiting = list(reversed(jobs))
        deaths: dict[int, int] = {}
        while waiting or pool.is_busy:
            while pool.has_room and waiting:
                number, job = task = waiting.pop()
                pool.give(task, play_job, setup=self.task(job, deaths.get(number, 0)))
            for task, answer in pool.take():
                number = task[0]
                if not isinstance(answer, Death):
                    self.keep(number, answer, deaths.get(number, 0))
                    continue
                deaths[number] = deaths.get(number, 0) + 1
                if deaths[number] < MOST_DEATHS:
                    waiting.append(task)
                else:
                    self.give_up(number, f"{deaths[number]} workers died of it: {answer.how}")

    def task(self, job: Job, deaths: int) -> MatchSetup:
        agents = [self.study.entrants[one].agent for one in job.agents]
        isolate = self.study.isolate == "always" or (
            self.study.isolate == "auto"
            and (deaths > CAREFUL_AFTER or any(is_file_agent(agent) for agent in agents))
        )
        return MatchSetup(
            world=job.world,
            agents=agents,
            seed=job.seed,
            budget=Budget.parse(job.budget),
            rules=self.study.rules,
            isolate=isolate,
            tells_waits=self.tells_waits,
            refusals_lose=True,
        )

    def keep(self, number: int, answer: Played | Refused, deaths: int = 0) -> None:
        if isinstance(answer, Refused):
            self.give_up(number, answer.reason)
            return
        repeats = deaths + answer.result.replays
        self.store.add(number, answer.result, answer.courses, repeats)
        self.played += 1
        self.done += 1
        self.tell()

    def give_up(self, number: int, reason: str) -> None:
        self.store.abandon(number, reason)
        self.abandoned[number] = reason
        self.tell()

    def tell(self) -> None:
        total = self.total
        if self.study.pairing == "glicko":
            total = max(total, self.study.size)
        seconds = time.monotonic() - self.began
        self.progress(Progress(self.done, total, self.played, seconds, len(self.abandoned)))


def is_file_agent(text: str) -> bool:
    """Whether an agent runs code of a file that its text names, of itself or of a part."""
    return is_file_name(read_agent(text)[0].name) or bool(python_files_in(text))


# What workers do


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played, and the scores of each seat over time."""

    result: MatchResult
    courses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A match that could not begin."""

    reason: str


def play_job(setup: MatchSetup) -> Played | Refused:
    """Play one match; this runs in a worker."""
    watcher = Course(None if setup.isolate else patience_s(setup))
    try:
        watcher.feel_pulse()
        if setup.needs_secret:
            # Not that of this worker: equal seeds must not mean equal dice, which an agent could
            # have seen in another match.
            setup = replace(setup, secret=draw_secret())
        result = run_match(setup, [watcher])
    except LudexError as error:
        return Refused(str(error))
    finally:
        watcher.stop()
    return Played(result, watcher.texts())


def patience_s(setup: MatchSetup) -> float:
    """After how long without a step a match in a worker is taken for hung."""
    rules, budget, seats = setup.rules, setup.budget, len(setup.agents)
    return PAUSE_S + seats * max(rules.hang_ms(budget), rules.setup_hang_ms(budget)) / 1000


class Course(Watcher):
    """Keeps the scores over time, and ends the worker when no step comes.

    An agent that hangs in the worker itself can only be ended with it: the alarm kills the
    process, native code or not, and the match is played again with isolated agents.
    """

    def __init__(self, pulse_s: float | None) -> None:
        self.pulse_s = pulse_s
        self.tick = 0
        self.world: World | None = None
        self.points: list[list[tuple[int, float]]] = []

    def feel_pulse(self) -> None:
        if self.pulse_s is not None:
            signal.setitimer(signal.ITIMER_REAL, self.pulse_s)

    def stop(self) -> None:
        if self.pulse_s is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        self.feel_pulse()
        self.tick = 0  # a match may be begun again
        self.world = world
        self.points = [[] for _ in agents]
        self.look(state)

    def after_step(self, step: Step) -> None:
        self.feel_pulse()
        self.tick += 1
        self.look(step.after)

    def after_chance(self, draw: Draw) -> None:
        self.look(draw.after)

    def look(self, state: Any) -> None:
        assert self.world is not None
        for seat, points in enumerate(self.points):
            score = float(self.world.referee.score(state, seat))
            if points and points[-1][0] == self.tick:
                points.pop()  # of several in one tick, the last one counts
            if not points or points[-1][1] != score:
                points.append((self.tick, score))

    def texts(self) -> tuple[str, ...]:
        return tuple(json.dumps(thinned(points), separators=(",", ":")) for points in self.points)


def thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Of many changes, those at evenly spread times, the first and the last among them.

    >>> len(thinned([(tick, tick / 2) for tick in range(500)]))
    60
    """
    if len(points) <= MOST_POINTS:
        return points
    last = len(points) - 1
    places = {round(step * last / (MOST_POINTS - 1)) for step in range(MOST_POINTS)}
    return [points[place] for place in sorted(places)]

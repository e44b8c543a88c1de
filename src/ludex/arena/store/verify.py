"""Verifies a store: plays matches again from their records, and compares all that is stored.

Agents are not asked again: a record holds their decisions. What their decisions cost (calls,
iterations, depth, times) is in no record and is covered by the checksums alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ludex.agents.compose import named_agent
from ludex.arena.match.replay import NotRun, class_of, named_world, replay
from ludex.arena.match.watcher import Step
from ludex.arena.processes.pool import Death, Pool
from ludex.arena.store import versions as versions
from ludex.arena.store.errors import explained
from ludex.arena.store.records import unpack_record
from ludex.arena.store.rows import read_table
from ludex.arena.store.schema import tables
from ludex.arena.store.store import AGENTS, TICKS, WORLD, Store
from ludex.arena.study.run import Course
from ludex.arena.study.schedule import seed_of
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, LudexError, in_a_line
from ludex.core.names import read_agent
from ludex.core.outcome import Outcome
from ludex.core.record import Record
from ludex.core.rng import Rng
from ludex.core.user_file import is_file_name

MOST_PROBLEMS = 100  # that SQLite is asked to list
TIMED = ("hang", "late", "doubtful", "killed")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as it was written, or not as a replay finds it."""

    match: int | None
    """None: of the whole file"""
    what: str
    stored: Any = None
    found: Any = None

    def __str__(self) -> str:
        where = "" if self.match is None else f"match {self.match}: "
        both = "" if self.stored is self.found is None else f" is {self.stored!r} in the store, "
        return f"{where}{self.what}{both}{f'and {self.found!r} in the replay' if both else ''}"


@dataclass
class Verification:
    """What was verified of a store, and all that is wrong with it."""

    store: Path
    has_checksums: bool = True
    """no: of an earlier ludex; a run that goes on with it adds them"""
    matches: int = 0
    """that are played"""
    replayed: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.differences

    def document(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "store": str(self.store),
            "verified": self.is_good,
            "checksums": self.has_checksums,
            "matches": self.matches,
            "replayed": self.replayed,
            "differences": [
                {"match": one.match, "what": one.what, "stored": one.stored, "found": one.found}
                for one in self.differences
            ],
        }


def verify(
    store: Path | str,
    share: float = 1.0,
    *,
    workers: int = 0,
    seed: int = 0,
    worlds: Sequence[str] = (),
    progress: Progress | None = None,
    found: Verification | None = None,
) -> Verification:
    """Verify a store.

    Args:
        store: The file.
        share: Of the played matches, how many are played again: from 0 to 1.
        workers: Processes that play; 0 plays in this one.
        seed: Chooses the matches, where not all are played again.
        worlds: Worlds in Python files that may be run, as in `my.py:World`.
        progress: Told how many matches are played again, and of how many.
        found: Filled while it goes on, for those who may interrupt it.

    Raises:
        BadStore: When the file is so damaged that nothing in it can be read.
    """
    if not 0 <= share <= 1:
        raise BadParameter(f"a share is from 0 to 1, got {share!r}")
    answer = found or Verification(Path(store))
    with Store.open(Path(store)) as opened, opened.one_moment():
        answer.has_checksums = opened.has_checksums
        Check(opened, answer, worlds, progress or (lambda done, total: None)).run(
            share, seed, workers
        )
    return answer


class Check:
    """A store being verified."""

    def __init__(
        self, store: Store, answer: Verification, worlds: Sequence[str], progress: Progress
    ) -> None:
        self.store = store
        self.answer = answer
        self.given = {class_of(text): text for text in worlds}
        self.progress = progress
        self.tables: dict[str, list[tuple[Any, ...]]] = {}
        self.refused: set[str] = set()
        self.study: Any = None

    def run(self, share: float, seed: int, workers: int) -> None:
        self.check_file()
        self.read_tables()
        played = [row for row in self.tables["matches"] if row[TICKS] is not None]
        self.answer.matches = len(played)
        self.check_counts(played)
        chosen = list(played)
        if share < 1:
            Rng(seed).fork("verify").shuffle(chosen)
        chosen = sorted(chosen[: ceil(share * len(played))], key=lambda row: row[0])
        numbers = {row[0] for row in chosen}
        self.check_records([row for row in played if row[0] not in numbers])
        self.progress(0, len(chosen))
        for done, (row, again) in enumerate(self.replays(chosen, workers), start=1):
            self.compare(row, again)
            self.progress(done, len(chosen))

    def note(self, what: str, match: int | None = None, *both: Any) -> None:
        self.answer.differences.append(Difference(match, what, *both))

    # The file

    def check_file(self) -> None:
        """What SQLite finds wrong with its pages, indexes and references."""
        try:
            with explained(self.store.path, reading=True):
                connection = self.store.connection
                found = connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})").fetchall()
                lost = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST_PROBLEMS)
        except LudexError as error:
            self.note(str(error))
            return
        for (line,) in found:
            if line != "ok":
                self.note(f"the file is damaged: {' '.join(str(line).split())}")
        for name, _, other, _ in lost:
            self.note(f"a row of {name} refers to a row of {other} that is not there")

    def read_tables(self) -> None:
        """Read all rows that are as they were written, and name the others."""
        for name in tables():
            noted: list[str] = []
            try:
                with explained(self.store.path, reading=True):
                    self.tables[name] = read_table(
                        self.store.connection,
                        name,
                        self.store.path,
                        self.store.has_checksums,
                        noted,
                    )
            except LudexError as error:
                self.tables[name] = []
                noted.append(str(error))
            for line in noted:
                self.note(line)
        self.agents = {row[0]: row for row in self.tables["agents"]}
        self.worlds = {row[0]: row for row in self.tables["worlds"]}
        self.seats = {row[:2]: row for row in self.tables["seats"]}
        self.faults: dict[int, list[tuple[Any, ...]]] = {}
        for row in self.tables["faults"]:
            self.faults.setdefault(row[0], []).append(row)
        try:
            self.study = SimpleNamespace(**self.store.document)
        except LudexError as error:
            self.note(str(error))

    def check_counts(self, played: Sequence[tuple[Any, ...]]) -> None:
        """Whether every match has its rows, and the runs have played them all."""
        seats = Counter(row[0] for row in self.tables["seats"])
        times = Counter(row[0] for row in self.tables["times"])
        for row in self.tables["matches"]:
            expected = 0 if row[TICKS] is None else len(self.agents_of(row))
            for name, counts in (("seats", seats), ("times", times)):
                if counts[row[0]] != expected:
                    self.note(f"{name} has {counts[row[0]]} rows of it, not {expected}", row[0])
        by_runs = sum(run[-1] for run in self.tables["runs"])
        if by_runs != len(played):
            self.note(f"{len(played)} matches are there, and {by_runs} were played by all runs")

    def agents_of(self, row: tuple[Any, ...]) -> list[int]:
        try:
            found = json.loads(row[AGENTS])
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list) or not all(type(one) is int for one in found):
            self.note("its agents cannot be read", row[0])
            return []
        return found

    def check_records(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Compare records that are not played again with their digests."""
        for row in rows:
            try:
                if self.store.packed(row) is None:
                    self.note("its record is not there", row[0])
            except LudexError as error:
                self.note(str(error), row[0])

    # Replays

    def replays(
        self, rows: Sequence[tuple[Any, ...]], workers: int
    ) -> Iterator[tuple[tuple[Any, ...], Replayed | str]]:
        """Play matches again, here or by workers; a text says why one could not be."""
        if not workers:
            for row in rows:
                task = self.task(row)
                yield row, task if isinstance(task, str) else play_again(**task)
            return
        waiting = list(reversed(rows))
        with Pool(workers) as pool:
            while waiting or pool.is_busy:
                while pool.has_room and waiting:
                    row = waiting.pop()
                    task = self.task(row)
                    if isinstance(task, str):
                        yield row, task
                    else:
                        pool.give(row, play_again, **task)
                if pool.is_busy:
                    for row, answer in pool.take():
                        yield row, f"{answer.how}" if isinstance(answer, Death) else answer

    def task(self, row: tuple[Any, ...]) -> dict[str, Any] | str:
        try:
            content = self.store.packed(row)
        except LudexError as error:
            return str(error)
        if content is None:
            return "its record is not there"
        world = self.worlds.get(row[WORLD])
        own = self.given.get(class_of(world[3])) if world is not None else None
        return {"content": content, "name": f"{self.store.path}#{row[0]}", "world": own}

    def compare(self, row: tuple[Any, ...], again: Replayed | str) -> None:
        """Name all that is not as the replay has it."""
        if isinstance(again, str):
            if again not in self.refused:  # said once of each world that may not be run
                self.note(again, row[0])
            self.refused.add(again)
            return
        self.answer.replayed += 1
        for what, stored, found in self.pairs(row, again):
            if stored != found:
                self.note(what, row[0], stored, found)

    def pairs(self, row: tuple[Any, ...], again: Replayed) -> Iterator[tuple[str, Any, Any]]:
        """What the store has of a match, and what its record and its replay have instead."""
        number, _, turn, world, budget, repetition, seed, _, ticks, reason, *rest = row
        truncated, repeatable, mixed, _ = rest
        record, outcome = again.record, again.outcome
        yield "its seed", seed, record.seed
        yield "its budget", str(Budget.parse(budget)), record.budget
        yield "its ticks", ticks, record.steps
        yield "its reason", reason, outcome.reason
        yield "whether it was cut off", bool(truncated), outcome.truncated
        if repeatable:
            timed = any(fault.get("kind") in TIMED for fault in record.faults)
            yield "whether it is repeatable", True, Budget.parse(budget).repeatable and not timed
        if (place := self.worlds.get(world)) is not None:
            yield "its world", place[3], record.world
            yield "the seats of its world", place[5], len(record.agents)
            if self.study is not None:
                game, level = place[1], place[2]
                known = seed_of(self.study, game, level, repetition, turn)
                yield "the seed that the study gives it", known, record.seed
        yield "what was mixed", mixed or "", self.mixed(row, record)
        yield "its faults", [fault[2:6] for fault in self.faults.get(number, [])], faults_in(record)
        for seat, agent in enumerate(self.agents_of(row)):
            yield from self.seat_pairs(number, seat, agent, again)

    def seat_pairs(
        self, number: int, seat: int, agent: int, again: Replayed
    ) -> Iterator[tuple[str, Any, Any]]:
        outcome, record = again.outcome, again.record
        kept = self.seats.get((number, seat))
        if kept is None or seat >= len(record.agents):
            return  # named already
        _, _, who, won, tied, gain, score, decisions, *_, course = kept
        whose = f"of seat {seat}"
        yield f"the agent {whose}", who, agent
        if (known := self.agents.get(agent)) is not None:
            yield f"the agent {whose}", text_of(known[2]), record.agents[seat]
        nobody = len(record.agents) > 1 and not outcome.winners
        yield f"the win {whose}", bool(won), seat in outcome.winners
        yield f"the tie {whose}", bool(tied), nobody
        yield f"the return {whose}", gain, outcome.returns[seat]
        yield f"the score {whose}", score, again.scores[seat]
        yield f"the course of scores {whose}", course, again.courses[seat]
        if not record.faults:
            yield f"the number of decisions {whose}", decisions, again.acts[seat]

    def mixed(self, row: tuple[Any, ...], record: Record) -> str:
        """What a match was played with that is not what the store was begun with."""
        package = dict(self.tables["facts"]).get("package", "")
        try:
            agents = [self.agents[agent] for agent in self.agents_of(row)]
            world = self.worlds[row[WORLD]]
            parts = [versions.agent_part(one[1], one[3], one[5]) for one in agents]
            place = versions.world_part(world[3], world[4], world[6])
        except (LookupError, ValueError):
            return row[-2] or ""  # named already
        return versions.listed(list(versions.match_changes(record, package, place, parts)))


# What workers do


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match that was played again."""

    record: Record
    outcome: Outcome
    scores: tuple[float, ...]
    courses: tuple[str, ...]
    acts: tuple[int, ...]
    """by seat, how often it acted"""


class Accounts(Course):
    """Keeps the scores over time, and how often each seat acts."""

    def __init__(self) -> None:
        super().__init__(None)
        self.acts: Counter[int] = Counter()
        self.last: Any = None

    def after_step(self, step: Step) -> None:
        assert self.world is not None
        self.acts.update(self.world.referee.to_act(step.before))
        super().after_step(step)

    def after_match(self, state: Any, outcome: Outcome) -> None:
        self.last = state


def play_again(content: bytes, name: str, world: str | None) -> Replayed | str:
    """Play a match again from its packed record; a text says why it cannot be."""
    try:
        record = unpack_record(content, name)
        watcher = Accounts()
        own = named_world(world, record.world) if world else None
        outcome = replay(record, [watcher], own)
        assert watcher.world is not None
        score = watcher.world.referee.score
        seats = range(len(record.agents))
        return Replayed(
            record=record,
            outcome=outcome,
            scores=tuple(float(score(watcher.last, seat)) for seat in seats),
            courses=watcher.texts(),
            acts=tuple(watcher.acts[seat] for seat in seats),
        )
    except NotRun as error:
        return f"it and all others of its world are not played again: {error}"
    except LudexError as error:
        return str(error)
    except Exception as error:  # a record from outside must not show a traceback
        return f"it cannot be played again: {in_a_line(error)}"


def faults_in(record: Record) -> list[tuple[Any, ...]]:
    names = ("seat", "kind", "tick", "message")
    return [tuple(fault.get(name) for name in names) for fault in record.faults]


def text_of(agent: str) -> str:
    """The text that a record has of an agent; those in files keep theirs."""
    try:
        return agent if is_file_name(read_agent(agent)[0].name) else str(named_agent(agent))
    except LudexError:
        return agent

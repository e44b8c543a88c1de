"""The store of a study: one SQLite file with every match, from which each can be replayed.

One run writes at a time, and any number of readers may look on: the file has a write-ahead log,
and every match is a transaction of its own, so that a run can be killed at any moment.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from ludex.agents.compose import named_agent
from ludex.arena.match import MatchResult, package_version
from ludex.arena.schedule import Job
from ludex.arena.store_errors import BadStore, CannotWrite, NewerStore, explained
from ludex.arena.store_lock import Lock
from ludex.arena.store_records import pack_record, unpack_record
from ludex.arena.store_schema import APPLICATION, SCHEMA, TABLES
from ludex.arena.study import Study
from ludex.arena.study_changes import check_same
from ludex.core.errors import UnknownName
from ludex.core.record import Record

BUSY_S = 10.0  # how long to wait for another program that writes for a moment


class Store:
    """An open store. Use it as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Lock | None) -> None:
        self.path = path
        self.connection = connection
        self.lock = lock
        self.run = 0
        self.agents: dict[str, int] = {}
        """their numbers in this store, by label"""
        self.worlds: dict[tuple[str, int | None], int] = {}
        """the same by game and level"""

    # Opening and closing

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store to read it, also while a run writes it."""
        if not path.exists():
            raise BadStore(f"there is no store {str(path)!r}; ludex arena run makes one")
        quoted = path.resolve().as_uri()
        with explained(path):
            try:
                connection = connect(f"{quoted}?mode=ro")
                connection.execute("SELECT name FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:  # a folder in which no log can be made
                connection = connect(f"{quoted}?immutable=1")
        store = cls(path, connection, None)
        store.check()
        return store

    @classmethod
    def create(cls, path: Path | None) -> Self:
        """Open a store to write it, and make it if there is none; None keeps it in memory."""
        if path is None:
            store = cls(Path(":memory:"), connect(":memory:"), None)
            store.connection.executescript(TABLES)
            store.connection.execute(f"PRAGMA user_version = {SCHEMA}")
            return store
        if not path.parent.is_dir():
            raise CannotWrite(
                f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}"
            )
        lock = Lock(path)
        try:
            with explained(path):
                is_new = not path.exists() or path.stat().st_size == 0
                connection = connect(path.resolve().as_uri())
            store = cls(path, connection, lock)
            if is_new:
                store.make()
            store.check()
            with explained(path):
                connection.execute("PRAGMA journal_mode = WAL")
                # After a kill nothing is lost; after a power failure, at most the last matches.
                connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            lock.release()
            raise
        return store

    def make(self) -> None:
        """Make all tables at once, so that no half store is left behind."""
        with explained(self.path):
            self.connection.executescript(
                f"PRAGMA application_id = {APPLICATION}; BEGIN; {TABLES} "
                f"PRAGMA user_version = {SCHEMA}; COMMIT"
            )

    def check(self) -> None:
        """Raise BadStore when this is not a store that can be read here."""
        if self.path == Path(":memory:"):
            return
        with explained(self.path):
            (application,) = self.connection.execute("PRAGMA application_id").fetchone()
            (schema,) = self.connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise BadStore(f"{str(self.path)!r} is not a store of a ludex study")
        if schema > SCHEMA:
            raise NewerStore(
                f"{str(self.path)!r} has store format {schema}, newer than {SCHEMA}; "
                "update ludex to read it"
            )
        if schema < 1:
            raise BadStore(f"{str(self.path)!r} was never finished; delete it and begin again")

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            if self.lock is not None:  # so that readers later leave no files beside the store
                self.connection.execute("PRAGMA journal_mode = DELETE")
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; a full disk leaves the store as it was."""
        with explained(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with explained(self.path):
            return self.connection.execute(query, values).fetchall()

    # The study

    @property
    def study(self) -> Study:
        """The study as it was last run; BadStudy when this machine lacks a part of it."""
        return Study.from_document(self.document)

    @property
    def document(self) -> dict[str, Any]:
        """The study as plain values."""
        found = self.rows("SELECT value FROM facts WHERE name = 'study'")
        if not found:
            raise BadStore(f"{str(self.path)!r} is empty: its run ended before it began")
        document: dict[str, Any] = json.loads(found[0][0])
        return document

    def begin(self, study: Study, workers: int, mixed: bool = False) -> None:
        """Write the study down, or compare it with the one that the store was made for."""
        if self.rows("SELECT value FROM facts WHERE name = 'study'"):
            check_same(self.path, self.document, study.document())
            if not mixed:
                self.check_versions(study)
        with self.transaction() as write:
            document = json.dumps(study.document())
            write.execute("INSERT OR REPLACE INTO facts VALUES ('study', ?)", [document])
            write.execute("INSERT OR IGNORE INTO facts VALUES ('package', ?)", [package_version()])
            write.executemany(
                "INSERT OR IGNORE INTO agents (number, label, agent, version, is_opponent) "
                "VALUES ((SELECT ifnull(max(number) + 1, 0) FROM agents), ?, ?, ?, ?)",
                [
                    (one.label, one.agent, version_of(one.agent), one in study.opponents)
                    for one in study.entrants
                ],
            )
            self.agents = dict(write.execute("SELECT label, number FROM agents"))
            known = write.execute("SELECT game, level, number FROM worlds")
            self.worlds = {(game, level): number for game, level, number in known}
            for game, level, world in study.stages:
                if (game.label, level) not in self.worlds:
                    number = self.worlds[game.label, level] = len(self.worlds)
                    write.execute(
                        "INSERT INTO worlds VALUES (?, ?, ?, ?, ?, ?)",
                        [
                            number,
                            game.label,
                            level,
                            str(world),
                            world.version,
                            world.traits.seats,
                        ],
                    )
            self.run = 1 + (write.execute("SELECT max(number) FROM runs").fetchone()[0] or 0)
            machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
            write.execute(
                "INSERT INTO runs VALUES (?, ?, NULL, ?, ?, ?, ?, 0)",
                [self.run, now(), workers, package_version(), platform.python_version(), machine],
            )

    def check_versions(self, study: Study) -> None:
        """Refuse to go on with agents, worlds or a package that are not those that began."""
        ((package,),) = self.rows("SELECT value FROM facts WHERE name = 'package'")
        changed: list[tuple[str, Any, Any]] = [("ludex", package, package_version())]
        texts = {one.label: one.agent for one in study.entrants}
        for label, version in self.rows("SELECT label, version FROM agents"):
            if label in texts:
                changed.append((f"the agent {label!r}", version, version_of(texts[label])))
        here = {str(world): world.version for _, _, world in study.stages}
        for text, version in self.rows("SELECT world, version FROM worlds"):
            if text in here:
                changed.append((f"the world {text!r}", version, here[text]))
        for what, before, after in changed:
            if str(before) != str(after):
                raise BadStore(
                    f"{what} has changed since {str(self.path)!r} was begun, from {before} to "
                    f"{after}; begin another store with --store, or mix them with --mixed"
                )

    def schedule(self, study: Study, jobs: Sequence[Job]) -> list[tuple[int, Job]]:
        """Enter matches that are not there yet; return those not played, with their numbers."""
        keys = [job.key(study) for job in jobs]
        with self.transaction() as write:
            known = {key for (key,) in write.execute("SELECT key FROM matches")}
            (last,) = write.execute("SELECT ifnull(max(number), 0) FROM matches").fetchone()
            new = [pair for pair in zip(keys, jobs, strict=True) if pair[0] not in known]
            write.executemany(
                "INSERT INTO matches "
                "(number, key, round, world, budget, repetition, seed, agents) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        number,
                        key,
                        job.round,
                        self.worlds[job.game, job.level],
                        job.budget,
                        job.repetition,
                        job.seed,
                        json.dumps([self.number_of(study, one) for one in job.agents]),
                    )
                    for number, (key, job) in enumerate(new, start=last + 1)
                ),
            )
        waiting = dict(self.rows("SELECT key, number FROM matches WHERE ticks IS NULL"))
        found = [(waiting[key], job) for key, job in zip(keys, jobs, strict=True) if key in waiting]
        return sorted(found, key=lambda pair: pair[0])

    def number_of(self, study: Study, entrant: int) -> int:
        return self.agents[study.entrants[entrant].label]

    def end(self) -> None:
        """Note that this run ended in order."""
        with self.transaction() as write:
            write.execute("UPDATE runs SET ended = ? WHERE number = ?", [now(), self.run])

    # Matches

    def add(self, number: int, result: MatchResult, courses: Sequence[str]) -> None:
        """Keep a match, in one transaction."""
        outcome, seats = result.outcome, range(len(result.agents))
        ((agents,),) = self.rows("SELECT agents FROM matches WHERE number = ?", number)
        agent_of = json.loads(agents)
        with self.transaction() as write:
            write.execute(
                "UPDATE matches SET ticks = ?, reason = ?, truncated = ?, repeatable = ?, "
                "record = ? WHERE number = ?",
                [
                    result.ticks,
                    outcome.reason,
                    outcome.truncated,
                    result.repeatable,
                    pack_record(result.record),
                    number,
                ],
            )
            for seat in seats:
                made = result.decisions[seat]
                counts = [len(made)]
                for name in ("model_calls", "iterations"):
                    spent = [getattr(one, name) for one in made]
                    counts += [sum(spent), max(spent, default=0)]
                depth = sum(one.depth for one in made) / len(made) if made else 0.0
                write.execute(
                    f"INSERT OR REPLACE INTO seats VALUES ({', '.join('?' * 14)})",
                    [
                        number,
                        seat,
                        agent_of[seat],
                        seat in outcome.winners,
                        len(seats) > 1 and not outcome.winners,
                        outcome.returns[seat],
                        result.scores[seat],
                        *counts,
                        depth,
                        courses[seat],
                    ],
                )
                times: list[float] = []
                for name in ("cpu_ms", "wall_ms"):
                    taken = [getattr(one, name) for one in made]
                    times += [sum(taken), max(taken, default=0.0)]
                write.execute(
                    "INSERT OR REPLACE INTO times VALUES (?, ?, ?, ?, ?, ?)", [number, seat, *times]
                )
            write.execute("DELETE FROM faults WHERE match = ?", [number])
            write.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (number, place, one.seat, one.kind, one.tick, one.message, one.trace)
                    for place, one in enumerate(result.faults)
                ],
            )
            write.execute("DELETE FROM abandoned WHERE match = ?", [number])
            write.execute("UPDATE runs SET played = played + 1 WHERE number = ?", [self.run])

    def abandon(self, number: int, reason: str) -> None:
        """Note that a match could not be played; the next run tries it again."""
        with self.transaction() as write:
            write.execute("INSERT OR REPLACE INTO abandoned VALUES (?, ?)", [number, reason])

    def record(self, number: int) -> Record:
        """The record of a played match, to be replayed."""
        found = self.rows("SELECT record FROM matches WHERE number = ?", number)
        if not found:
            ((last,),) = self.rows("SELECT ifnull(max(number), 0) FROM matches")
            raise UnknownName(f"{self.path} has no match {number}; it has 1 to {last}")
        if found[0][0] is None:
            raise BadStore(f"match {number} of {self.path} has not been played yet")
        return unpack_record(found[0][0], f"{self.path}#{number}")

    def round_results(self, study: Study, number: int) -> dict[tuple[int, int], list[float]]:
        """By pair of entrants, what the first of them got in each match of a round: 1, 0.5, 0."""
        places = {self.number_of(study, place): place for place in range(len(study.entrants))}
        results: dict[tuple[int, int], list[float]] = {}
        for first, second, won, tied in self.rows(
            "SELECT a.agent, b.agent, a.won, a.tied FROM matches JOIN seats a, seats b "
            "ON a.match = matches.number AND b.match = matches.number AND a.seat = 0 "
            "AND b.seat = 1 WHERE round = ? ORDER BY matches.number",
            number,
        ):
            pair, result = (places[first], places[second]), 0.5 if tied else float(won)
            if pair[0] > pair[1]:
                pair, result = (pair[1], pair[0]), 1 - result
            results.setdefault(pair, []).append(result)
        return results

    def counts(self) -> tuple[int, int]:
        """How many matches are played, and how many are scheduled."""
        ((played, total),) = self.rows("SELECT count(ticks), count(*) FROM matches")
        return played, total


def is_store(path: Path) -> bool:
    """Whether a file begins like a store."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, timeout=BUSY_S, isolation_level=None, uri=address[0] != ":")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def version_of(agent: str) -> str:
    return getattr(named_agent(agent), "version", None) or package_version()

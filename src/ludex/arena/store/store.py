"""The store of a study: one SQLite file with every match, from which each can be replayed.

One run writes at a time, and any number of readers may look on: the file has a write-ahead log,
and every match is a transaction of its own, so that a run can be killed at any moment. All rows
carry checksums, which every reader compares.
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

from ludex.arena.match.runner import MatchResult
from ludex.arena.store import format_1 as store_old
from ludex.arena.store import versions as versions
from ludex.arena.store.document import read_document, refuse_python
from ludex.arena.store.errors import BadStore, CannotWrite, NewerStore, damaged, explained
from ludex.arena.store.lock import Lock, check_log
from ludex.arena.store.records import pack_record, rows_of, unpack_record
from ludex.arena.store.rows import Ledger, digest_of, read_row, read_table
from ludex.arena.store.schema import APPLICATION, SCHEMA, TABLES, shape, shape_of, tables
from ludex.arena.study.changes import check_same
from ludex.arena.study.schedule import Job
from ludex.arena.study.study import Study
from ludex.core.bounded_file import check_plain
from ludex.core.errors import UnknownName
from ludex.core.printable import in_one_line
from ludex.core.record import Record
from ludex.core.version import package_version

BUSY_S = 10.0  # how long to wait for another program that writes for a moment
LARGEST_VALUE = 2**27  # bytes of one text or record
LARGEST_NUMBER = 2**63 - 1


class Store:
    """An open store. Use it as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Lock | None) -> None:
        self.path = path
        self.connection = connection
        self.lock = lock
        self.schema = SCHEMA
        self.run: list[Any] = []
        """the row of the run that writes"""
        self.mixed = False
        """whether matches may be played with other parts than the store was begun with"""
        self.ledger = Ledger(connection)
        self.package = ""
        self.agents: dict[str, int] = {}
        """their numbers in this store, by label"""
        self.worlds: dict[tuple[str, int | None], int] = {}
        """the same by game and level"""
        self.agent_parts: dict[int, versions.Part] = {}
        self.world_parts: dict[int, versions.Part] = {}
        self.known: dict[str, int] = {}
        """the numbers of all scheduled matches, by key"""
        self.waiting: dict[int, tuple[Any, ...]] = {}
        """by number, the rows of matches that are scheduled and not played"""

    # Opening and closing

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a store to read it, also while a run writes it."""
        if not path.exists():
            raise BadStore(f"there is no store {str(path)!r}; ludex arena run makes one")
        check_plain(path, BadStore, "store")
        check_links(path)
        quoted = path.resolve().as_uri()
        with explained(path, reading=True):
            try:
                connection = connect(f"{quoted}?mode=ro")
                connection.execute("SELECT name FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:  # a folder in which no log can be made
                connection = connect(f"{quoted}?immutable=1")
        store = cls(path, connection, None)
        try:
            store.check()
        except BaseException:
            connection.close()
            raise
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
        connection = None
        try:
            with explained(path):
                is_new = path.stat().st_size == 0
                connection = connect(path.resolve().as_uri())
            store = cls(path, connection, lock)
            if is_new:
                store.make()
            store.check()
            store.check_whole()
            with explained(path):
                connection.execute("PRAGMA journal_mode = WAL")
                # After a kill nothing is lost; after a power failure, at most the last matches.
                connection.execute("PRAGMA synchronous = NORMAL")
            if store.schema < SCHEMA:
                store.bring_up_to_date()
        except BaseException:
            if connection is not None:
                connection.close()
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
        with explained(self.path, reading=True):
            (application,) = self.connection.execute("PRAGMA application_id").fetchone()
            (self.schema,) = self.connection.execute("PRAGMA user_version").fetchone()
            here = shape_of(self.connection)
        if application != APPLICATION:
            raise BadStore(f"{str(self.path)!r} is not a store of a ludex study")
        if self.schema > SCHEMA:
            raise NewerStore(
                f"{str(self.path)!r} has store format {self.schema}, newer than {SCHEMA}; "
                "update ludex to read it"
            )
        if self.schema < 1:
            raise BadStore(f"{str(self.path)!r} was never finished; delete it and begin again")
        if here != EXPECTED[self.schema]():
            raise damaged(self.path, "its tables are not those of its format")

    def check_whole(self) -> None:
        """Raise BadStore before anything is written into a damaged file."""
        with explained(self.path, reading=True):
            ((found,),) = self.connection.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise damaged(self.path, in_one_line(str(found)))

    def bring_up_to_date(self) -> None:
        """Give a store of an earlier ludex the tables of this one."""
        with explained(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                store_old.bring_up_to_date(self.connection, self.path)
                self.connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise
        self.schema = SCHEMA

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
    def transaction(self) -> Iterator[Ledger]:
        """All or nothing; a full disk leaves the store as it was."""
        with explained(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.ledger
                self.ledger.save()
                self.connection.execute("COMMIT")
            except BaseException:
                self.ledger.done(kept=False)
                with contextlib.suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
                raise
            self.ledger.done(kept=True)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with explained(self.path, reading=self.lock is None):
            return self.connection.execute(query, values).fetchall()

    def table(self, name: str) -> list[tuple[Any, ...]]:
        """All rows of a table, compared with their checksums where the store has them."""
        with explained(self.path, reading=self.lock is None):
            return read_table(self.connection, name, self.path, self.has_checksums)

    @property
    def has_checksums(self) -> bool:
        return self.schema >= 2

    @contextlib.contextmanager
    def one_moment(self) -> Iterator[None]:
        """Within this, all tables are as they were at one moment, whatever a run writes."""
        with explained(self.path, reading=self.lock is None):
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    # The study

    @property
    def study(self) -> Study:
        """The study as it was last run; BadStudy when this machine lacks a part of it.

        Agents and worlds in Python files are not imported because a store names them: such a
        study is refused.
        """
        document = self.document
        refuse_python(document, self.path)
        return Study.from_document(document)

    @property
    def document(self) -> dict[str, Any]:
        """The study as plain values."""
        found = dict(self.table("facts")).get("study")
        if found is None:
            raise BadStore(f"{str(self.path)!r} is empty: its run ended before it began")
        return read_document(found, self.path)

    def begin(self, study: Study, workers: int, mixed: bool = False) -> None:
        """Write the study down, or compare it with the one that the store was made for."""
        self.mixed = mixed
        facts = dict(self.table("facts"))
        for name in tables():  # nothing is added to a store that is damaged anywhere
            self.table(name)
        self.read_parts()
        if "study" in facts:
            check_same(self.path, self.document, study.document())
            if not mixed:
                self.check_versions(study, facts.get("package", ""))
        self.package = facts.get("package", package_version())
        matches = self.table("matches")
        self.known = {row[1]: row[0] for row in matches}
        self.waiting = {row[0]: row for row in matches if row[TICKS] is None}
        runs = self.table("runs")
        machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
        self.run = [
            *(1 + max((run[0] for run in runs), default=0), now(), None, workers),
            *(package_version(), platform.python_version(), machine, 0),
        ]
        with explained(self.path):
            self.ledger.load()
        with self.transaction() as write:
            write.replace("facts", ("study", json.dumps(study.document())))
            write.replace("facts", ("package", self.package))
            self.enter_agents(write, study)
            self.enter_worlds(write, study)
            write.insert("runs", [self.run])

    def read_parts(self) -> None:
        """Take over the agents and worlds that the store has."""
        for number, label, _, version, _, contents in self.table("agents"):
            self.agents[label] = number
            self.agent_parts[number] = self.part(versions.agent_part, label, version, contents)
        for number, game, level, text, version, _, contents in self.table("worlds"):
            self.worlds[game, level] = number
            self.world_parts[number] = self.part(versions.world_part, text, version, contents)

    def part(self, make: Any, name: str, version: Any, contents: str | None) -> versions.Part:
        try:
            found: versions.Part = make(name, version, contents)
        except (ValueError, RecursionError):
            raise damaged(self.path, f"the contents of {name!r} cannot be read") from None
        return found

    def enter_agents(self, write: Ledger, study: Study) -> None:
        """Add the agents of a study; those of an earlier ludex get their contents now."""
        for one in study.entrants:
            number = self.agents.get(one.label)
            if number is not None and self.agent_parts[number].contents is not None:
                continue
            version, contents = versions.version_of(one.agent), versions.agent_contents(one.agent)
            if number is None:
                number = self.agents[one.label] = 1 + max(self.agents.values(), default=-1)
            else:
                version = self.agent_parts[number].version
            row = (number, one.label, one.agent, version, one in study.opponents, contents)
            write.replace("agents", row)
            self.agent_parts[number] = versions.agent_part(one.label, version, contents)

    def enter_worlds(self, write: Ledger, study: Study) -> None:
        for game, level, world in study.stages:
            number = self.worlds.get((game.label, level))
            if number is not None and self.world_parts[number].contents is not None:
                continue
            version, contents = world.version, versions.contents_text(world.contents)
            if number is None:
                number = self.worlds[game.label, level] = 1 + max(self.worlds.values(), default=-1)
            else:
                version = int(self.world_parts[number].version)
            seats = world.traits.seats
            row = (number, game.label, level, str(world), version, seats, contents)
            write.replace("worlds", row)
            self.world_parts[number] = versions.world_part(str(world), version, contents)

    def check_versions(self, study: Study, package: str) -> None:
        """Refuse to go on with agents, worlds or a package that are not those that began."""
        found = list(versions.package_changes(package))
        for one in study.entrants:
            if (number := self.agents.get(one.label)) is not None:
                found += versions.changes_here(self.agent_parts[number], one.agent, package)
        for game, level, world in study.stages:
            if (number := self.worlds.get((game.label, level))) is not None:
                found += self.world_parts[number].changes(str(world.version), world.contents)
        if found:
            raise self.changed(list(dict.fromkeys(found)))

    def changed(self, found: Sequence[versions.Change]) -> BadStore:
        parts = list(dict.fromkeys(change.what for change in found))
        how = [change.how for change in found] if len(parts) == 1 else found
        return BadStore(
            f"{versions.listed(parts, ', ')} {'has' if len(parts) == 1 else 'have'} changed since "
            f"{str(self.path)!r} was begun ({versions.listed(how)}); begin another store with "
            "--store, or mix them with --mixed, which marks the new matches"
        )

    def schedule(self, study: Study, jobs: Sequence[Job]) -> list[tuple[int, Job]]:
        """Enter matches that are not there yet; return those not played, with their numbers."""
        keys = [job.key(study) for job in jobs]
        last = max(self.known.values(), default=0)
        new = [pair for pair in zip(keys, jobs, strict=True) if pair[0] not in self.known]
        rows: list[tuple[Any, ...]] = [
            (
                *(number, key, job.round, self.worlds[job.game, job.level], job.budget),
                *(job.repetition, job.seed),
                json.dumps([self.number_of(study, one) for one in job.agents]),
                *([None] * 6),
            )
            for number, (key, job) in enumerate(new, start=last + 1)
        ]
        with self.transaction() as write:
            write.insert("matches", rows)
        self.known |= {row[1]: row[0] for row in rows}
        self.waiting |= {row[0]: row for row in rows}
        waiting = {row[1]: number for number, row in self.waiting.items()}
        found = [(waiting[key], job) for key, job in zip(keys, jobs, strict=True) if key in waiting]
        return sorted(found, key=lambda pair: pair[0])

    def number_of(self, study: Study, entrant: int) -> int:
        return self.agents[study.entrants[entrant].label]

    def end(self) -> None:
        """Note that this run ended in order."""
        self.run[2] = now()
        with self.transaction() as write:
            write.replace("runs", self.run)

    # Matches

    def add(
        self, number: int, result: MatchResult, courses: Sequence[str], repeats: int = 0
    ) -> None:
        """Keep a match, in one transaction.

        Args:
            number: Of a match that is scheduled.
            result: How it went.
            courses: By seat, the scores over time.
            repeats: How often it was begun before, and a worker or an agent's process was killed.

        Raises:
            BadStore: When it was played with other parts than the store was begun with, and the
                run does not mix them: somebody has changed a file meanwhile.
        """
        row = self.waiting[number]
        agents = json.loads(row[AGENTS])
        parts = [self.agent_parts[agent] for agent in agents]
        world = self.world_parts[row[WORLD]]
        found = list(versions.match_changes(result.record, self.package, world, parts))
        if found and not self.mixed:
            raise self.changed(found)
        packed = pack_record(result.record)
        outcome = result.outcome
        played = (result.ticks, outcome.reason, outcome.truncated, result.repeatable)
        mixed = versions.listed(found) or None
        with self.transaction() as write:
            write.replace("matches", (*row[:TICKS], *played, mixed, digest_of(packed)), packed)
            for table, rows in rows_of(number, agents, result, courses).items():
                write.delete(table, "match", number)
                write.insert(table, rows)
            write.delete("abandoned", "match", number)
            if repeats:
                write.replace("repeats", (number, repeats))
            self.run[-1] += 1
            write.replace("runs", self.run)
        del self.waiting[number]

    def abandon(self, number: int, reason: str) -> None:
        """Note that a match could not be played; the next run tries it again."""
        with self.transaction() as write:
            write.replace("abandoned", (number, reason))

    def record(self, number: int) -> Record:
        """The record of a played match, to be replayed."""
        if number > LARGEST_NUMBER:
            raise UnknownName(f"{self.path} has no match {number}")
        with self.one_moment():
            with explained(self.path, reading=self.lock is None):
                row = read_row(self.connection, "matches", number, self.path, self.has_checksums)
            if row is None:
                last = max((one[0] for one in self.table("matches")), default=0)
                raise UnknownName(f"{self.path} has no match {number}; it has 1 to {last}")
            content = self.packed(row)
        if content is None:
            raise BadStore(f"match {number} of {self.path} has not been played yet")
        return unpack_record(content, f"{self.path}#{number}")

    def packed(self, row: tuple[Any, ...]) -> bytes | None:
        """The record of a match as the store keeps it, compared with its digest."""
        found = self.rows("SELECT record FROM matches NOT INDEXED WHERE number = ?", row[0])
        content = found[0][0] if found else None
        is_as_written = not self.has_checksums or row[DIGEST] == (
            digest_of(content) if isinstance(content, bytes) else None
        )
        if not is_as_written or not isinstance(content, bytes | None):
            raise damaged(self.path, f"the record of match {row[0]} is not what was written")
        return content

    def round_results(self, study: Study, number: int) -> dict[tuple[int, int], list[float]]:
        """By pair of entrants, what the first of them got in each match of a round: 1, 0.5, 0."""
        places = {self.number_of(study, index): index for index in range(len(study.entrants))}
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


EXPECTED = {1: store_old.shape, 2: shape}
"""the tables that a file of each format has"""
WORLD, AGENTS, TICKS, DIGEST = 3, 7, 8, 13
"""places of columns in the rows of matches"""


def is_store(path: Path) -> bool:
    """Whether a file begins like a store."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def check_links(path: Path) -> None:
    """Refuse a file whose log lies beside another name of it."""
    try:
        if path.stat().st_nlink > 1:
            with path.open("rb") as file:
                check_log(Path(os.path.realpath(path)), file.fileno())
    except OSError as error:
        raise BadStore(f"cannot read {str(path)!r}: {error.strerror}") from None


def connect(address: str) -> sqlite3.Connection:
    found = sqlite3.connect(address, timeout=BUSY_S, isolation_level=None, uri=address[0] != ":")
    found.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    found.execute("PRAGMA trusted_schema = OFF")  # what it holds may come from anybody
    return found


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

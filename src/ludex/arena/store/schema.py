"""The tables of a store. A change of them moves SCHEMA, and `store` learns to read the old ones.

What was measured by a clock lies in tables of its own (`times`, `runs`): all others are the same
whenever, wherever and in how many pieces a study with call or iteration budgets is played.
Every row ends in a checksum of the rest of it, and `checks` has the number of rows of each table
and the sum of their checksums, so that rows that change, vanish or come twice are noticed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

APPLICATION = 0x4C754478  # "LuDx", in the header of the file
SCHEMA = 2  # 1 had no checksums and no contents; `store_old` reads it and brings it up to date

TABLES = """
CREATE TABLE facts (            -- the study, and what made the store
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE agents (
    number INTEGER PRIMARY KEY, -- the place among all entrants of the study
    label TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,        -- the text that makes it
    version TEXT NOT NULL,      -- of the package, or a hash of its file
    is_opponent INTEGER NOT NULL,
    contents TEXT,              -- hashes of the files it names, as JSON; empty: not known
    checksum INTEGER NOT NULL
);
CREATE TABLE worlds (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    level INTEGER,
    world TEXT NOT NULL,        -- the text that makes it
    version INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    contents TEXT,              -- hashes of the files it is made of, as JSON; empty: not known
    checksum INTEGER NOT NULL
);
CREATE TABLE matches (          -- all that are scheduled; the last columns are empty until played
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,
    world INTEGER NOT NULL REFERENCES worlds,
    budget TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    agents TEXT NOT NULL,       -- numbers of agents by seat, as JSON
    ticks INTEGER,
    reason TEXT,                -- how it ended
    truncated INTEGER,          -- by a limit or a fault, not by the rules
    repeatable INTEGER,
    mixed TEXT,                 -- what was not as the store was begun with; empty: nothing
    digest TEXT,                -- of the packed record
    checksum INTEGER NOT NULL,  -- of all but the record itself, which its digest stands for
    record BLOB                 -- packed; `Store.record` reads it
);
CREATE TABLE seats (            -- what each seat of each played match got
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    won INTEGER NOT NULL,
    tied INTEGER NOT NULL,      -- in a game of several seats that nobody won
    gain REAL NOT NULL,         -- the return of the world
    score REAL NOT NULL,
    decisions INTEGER NOT NULL,
    calls INTEGER NOT NULL,     -- of the model, in all decisions
    most_calls INTEGER NOT NULL,
    iterations INTEGER NOT NULL,
    most_iterations INTEGER NOT NULL,
    depth REAL NOT NULL,        -- mean of all decisions
    course TEXT NOT NULL,       -- scores over time: [[tick, score], ...] as JSON
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE faults (
    match INTEGER NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    tick INTEGER NOT NULL,
    message TEXT NOT NULL,
    trace TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE times (            -- measured: differs from run to run
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    cpu_ms REAL NOT NULL,       -- in all decisions
    most_cpu_ms REAL NOT NULL,
    wall_ms REAL NOT NULL,
    most_wall_ms REAL NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE abandoned (        -- matches whose workers died again and again; a resume tries again
    match INTEGER PRIMARY KEY REFERENCES matches,
    reason TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE repeats (          -- matches that were begun before, until a process was killed
    match INTEGER PRIMARY KEY REFERENCES matches,
    times INTEGER NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    began TEXT NOT NULL,
    ended TEXT,
    workers INTEGER NOT NULL,
    package TEXT NOT NULL,
    python TEXT NOT NULL,
    machine TEXT NOT NULL,
    played INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL
);
CREATE TABLE checks (
    name TEXT PRIMARY KEY,      -- of a table
    number INTEGER NOT NULL,    -- of its rows
    total INTEGER NOT NULL      -- the sum of their checksums, in 64 bits
) WITHOUT ROWID;
CREATE INDEX matches_by_round ON matches (round);
"""

MEASURED = ("times", "runs", "abandoned", "repeats", "checks")
"""the tables in which two runs of the same study differ"""
CHECKS = "checks"
RECORD, CHECKSUM = "record", "checksum"


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a table but for `record` and `checksum`, and of what kind they are."""

    name: str
    columns: tuple[str, ...]
    kinds: tuple[type, ...]
    may_lack: tuple[bool, ...]
    """which columns may be empty"""
    key: tuple[int, ...]
    """the places of the columns that name a row"""


Shape: TypeAlias = frozenset[tuple[Any, ...]]


def shape_of(connection: sqlite3.Connection) -> Shape:
    """The tables, indexes and columns of a file; a foreign one may have views and triggers."""
    found: set[tuple[Any, ...]] = set()
    listed = connection.execute("SELECT type, name, tbl_name FROM sqlite_master").fetchall()
    for kind, name, of_table in listed:
        found.add((kind, name, of_table))
        if kind == "table":
            quoted = str(name).replace('"', '""')
            for column in connection.execute(f'PRAGMA table_xinfo("{quoted}")'):
                found.add((name, *column[:4], *column[5:]))
    return frozenset(found)


def shape_made_by(commands: str) -> Shape:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(commands)
        return shape_of(connection)
    finally:
        connection.close()


@cache
def shape() -> Shape:
    return shape_made_by(TABLES)


KINDS: dict[str, type] = {"INTEGER": int, "REAL": float, "TEXT": str}


@cache
def tables() -> dict[str, Table]:
    """All tables with checksums, as `TABLES` declares them."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(TABLES)
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: described(connection, name) for (name,) in names if name != CHECKS}
    finally:
        connection.close()


def described(connection: sqlite3.Connection, name: str) -> Table:
    found = [
        row
        for row in connection.execute(f"PRAGMA table_info({name})")
        if row[1] not in (RECORD, CHECKSUM)
    ]
    return Table(
        name=name,
        columns=tuple(row[1] for row in found),
        kinds=tuple(KINDS[row[2]] for row in found),
        may_lack=tuple(not row[3] and not row[5] for row in found),
        key=tuple(index for index, row in enumerate(found) if row[5]),
    )

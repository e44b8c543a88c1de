"""Stores of format 1, without checksums: read as they are, and converted when a run goes on."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from pathlib import Path

from ludex.arena.store.rows import Ledger, digest_of, read_table
from ludex.arena.store.schema import SCHEMA, TABLES, Shape, shape_made_by, tables

OLD = "old_"
TABLES_1 = """
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE agents (
    number INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    version TEXT NOT NULL,
    is_opponent INTEGER NOT NULL
);
CREATE TABLE worlds (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    level INTEGER,
    world TEXT NOT NULL,
    version INTEGER NOT NULL,
    seats INTEGER NOT NULL
);
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,
    world INTEGER NOT NULL REFERENCES worlds,
    budget TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    agents TEXT NOT NULL,
    ticks INTEGER,
    reason TEXT,
    truncated INTEGER,
    repeatable INTEGER,
    record BLOB
);
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    won INTEGER NOT NULL,
    tied INTEGER NOT NULL,
    gain REAL NOT NULL,
    score REAL NOT NULL,
    decisions INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    most_calls INTEGER NOT NULL,
    iterations INTEGER NOT NULL,
    most_iterations INTEGER NOT NULL,
    depth REAL NOT NULL,
    course TEXT NOT NULL,
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
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE times (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    cpu_ms REAL NOT NULL,
    most_cpu_ms REAL NOT NULL,
    wall_ms REAL NOT NULL,
    most_wall_ms REAL NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE TABLE abandoned (
    match INTEGER PRIMARY KEY REFERENCES matches,
    reason TEXT NOT NULL
);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    began TEXT NOT NULL,
    ended TEXT,
    workers INTEGER NOT NULL,
    package TEXT NOT NULL,
    python TEXT NOT NULL,
    machine TEXT NOT NULL,
    played INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX matches_by_round ON matches (round);
"""


@cache
def shape() -> Shape:
    return shape_made_by(TABLES_1)


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Copy all rows into new tables with checksums, in the transaction that is open."""
    known = {name: read_table(connection, name, path, is_checked=False) for name in tables()}
    connection.execute("DROP INDEX IF EXISTS matches_by_round")
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in found:
        connection.execute(f"ALTER TABLE {name} RENAME TO {OLD}{name}")
    for command in re.sub("--.*", "", TABLES).split(";"):
        if command.strip():
            connection.execute(command)
    ledger = Ledger(connection)
    for name, rows in known.items():
        if name != "matches":
            ledger.insert(name, rows)
            continue
        index = tables()[name].columns.index("digest")
        for row in rows:
            (record,) = connection.execute(
                f"SELECT record FROM {OLD}matches WHERE number = ?", [row[0]]
            ).fetchone()
            digest = None if record is None else digest_of(record)
            ledger.replace(name, (*row[:index], digest, *row[index + 1 :]), record)
    ledger.save()
    # What refers to others goes first.
    for name in [*reversed([name for (name,) in found])]:
        connection.execute(f"DROP TABLE {OLD}{name}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")

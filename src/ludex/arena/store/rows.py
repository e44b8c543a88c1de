"""Rows with checksums: writes them, and verifies tables when they are read.

A checksum tells of bits that a disk or a copy has flipped; whoever changes a store on purpose can
make new ones. `ludex arena verify` plays the matches again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from ludex.arena.store.errors import damaged
from ludex.arena.store.schema import CHECKS, CHECKSUM, RECORD, Table, tables

WRAP = 2**64


def checksum(table: str, values: Sequence[Any]) -> int:
    """A number of 64 bits with a sign, as SQLite has them; the same on every machine."""
    content = json.dumps([table, *values], separators=(",", ":")).encode()
    digest = hashlib.blake2b(content, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def digest_of(content: bytes) -> str:
    """What stands for a packed record in the checksum of its row."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def plain(value: Any, kind: type) -> Any:
    """A value as a column of this kind gives it back."""
    if value is None:
        return None
    if kind is str:
        return str(value).encode("utf-8", "replace").decode()
    # SQLite has no zero below zero.
    return kind(value) + 0.0 if kind is float else kind(value)


class Ledger:
    """Writes rows with their checksums, within a transaction, and keeps the sums of tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.sums: dict[str, tuple[int, int]] = {}
        """by table, the number of its rows and the sum of their checksums"""
        self.saved: dict[str, tuple[int, int]] = {}

    def load(self) -> None:
        """Take over the sums that the store has."""
        found = self.connection.execute(f"SELECT name, number, total FROM {CHECKS}")
        self.sums = self.saved = {name: (number, total) for name, number, total in found}

    def save(self) -> None:
        """Write the sums that have changed, as the last thing in a transaction."""
        changed = [
            (name, *sums) for name, sums in self.sums.items() if self.saved.get(name) != sums
        ]
        self.connection.executemany(f"INSERT OR REPLACE INTO {CHECKS} VALUES (?, ?, ?)", changed)

    def done(self, kept: bool) -> None:
        """After a transaction that was kept, or rolled back."""
        if kept:
            self.saved = dict(self.sums)
        else:
            self.sums = dict(self.saved)

    def insert(self, name: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows that are not there yet."""
        self.write(name, rows, "INSERT")

    def replace(self, name: str, row: Sequence[Any], record: bytes | None = None) -> None:
        """Write a row, instead of the one with the same key if there is one."""
        table = tables()[name]
        self.forget(
            name, [table.columns[place] for place in table.key], [row[p] for p in table.key]
        )
        self.write(name, [row], "INSERT OR REPLACE", record)

    def delete(self, name: str, column: str, value: Any) -> None:
        """Remove all rows with a value."""
        self.forget(name, [column], [value])
        self.connection.execute(f"DELETE FROM {name} WHERE {column} = ?", [value])

    def write(
        self, name: str, rows: Iterable[Sequence[Any]], how: str, record: bytes | None = None
    ) -> None:
        table = tables()[name]
        number, total = self.sums.get(name, (0, 0))
        written: list[tuple[Any, ...]] = []
        for row in rows:
            values = tuple(plain(one, kind) for one, kind in zip(row, table.kinds, strict=True))
            own = checksum(name, values)
            number, total = number + 1, wrapped(total + own)
            written.append((*values, own) if record is None else (*values, own, record))
        columns = [*table.columns, CHECKSUM, *([RECORD] if record is not None else [])]
        self.connection.executemany(
            f"{how} INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            written,
        )
        self.sums = {**self.sums, name: (number, total)}

    def forget(self, name: str, columns: Sequence[str], values: Sequence[Any]) -> None:
        """Take rows out of the sums."""
        where = " AND ".join(f"{column} = ?" for column in columns)
        number, total = self.sums.get(name, (0, 0))
        for (own,) in self.connection.execute(
            f"SELECT {CHECKSUM} FROM {name} WHERE {where}", values
        ):
            number, total = number - 1, wrapped(total - own)
        self.sums = {**self.sums, name: (number, total)}


def wrapped(total: int) -> int:
    """A sum in 64 bits with a sign.

    >>> wrapped(2**63), wrapped(-5)
    (-9223372036854775808, -5)
    """
    return (total + WRAP // 2) % WRAP - WRAP // 2


def read_table(
    connection: sqlite3.Connection,
    name: str,
    path: Path,
    is_checked: bool,
    noted: list[str] | None = None,
) -> list[tuple[Any, ...]]:
    """All rows of a table without checksums and records, by key; BadStore when any is damaged.

    With a list for what is wrong, that is noted there, and all rows that are as they were written
    come back.
    """
    table = tables()[name]
    rows: list[tuple[Any, ...]] = []
    total = 0
    for values, own in scanned(connection, table, is_checked):
        reason = unusable(table, values, own if is_checked else None)
        if reason and noted is None:
            raise damaged(path, f"a row of {name} {reason}")
        if reason and noted is not None:
            noted.append(f"the row {named(table, values)} of {name} {reason}")
            continue
        total = wrapped(total + own)
        rows.append(typed(table, values))
    if is_checked:
        kept = connection.execute(
            f"SELECT number, total FROM {CHECKS} NOT INDEXED WHERE name = ?", [name]
        ).fetchone() or (0, 0)
        if kept != (len(rows), total):
            reason = f"{name} has {len(rows)} rows, and not the {kept[0]} that were written"
            if noted is None:
                raise damaged(path, reason)
            noted.append(reason)
    rows.sort(key=lambda row: tuple(row[place] for place in table.key))
    return rows


def read_row(
    connection: sqlite3.Connection, name: str, key: Any, path: Path, is_checked: bool
) -> tuple[Any, ...] | None:
    """The row with a key of one column, or None; BadStore when it is damaged."""
    table = tables()[name]
    where = f"WHERE {table.columns[table.key[0]]} = ?"
    for values, own in scanned(connection, table, is_checked, where, [key]):
        if reason := unusable(table, values, own if is_checked else None):
            raise damaged(path, f"a row of {name} {reason}")
        return typed(table, values)
    return None


def named(table: Table, values: Sequence[Any]) -> str:
    """The key of a row that may be damaged."""
    return ", ".join(repr(values[place])[:60] for place in table.key)


def scanned(
    connection: sqlite3.Connection,
    table: Table,
    is_checked: bool,
    where: str = "",
    keys: Sequence[Any] = (),
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Rows with their checksums, by a walk over the whole table: an index may be damaged, too."""
    columns = list(table.columns)
    if not is_checked:  # of a store that has fewer columns
        here = {row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")}
        if not here:
            return
        columns = [name if name in here else f"NULL AS {name}" for name in columns]
    last = CHECKSUM if is_checked else "0"
    for *values, own in connection.execute(
        f"SELECT {', '.join(columns)}, {last} FROM {table.name} NOT INDEXED {where}", keys
    ):
        yield tuple(values), own


def unusable(table: Table, values: Sequence[Any], own: int | None) -> str:
    """Why a row cannot be as it was written, or an empty text."""
    for value, kind, name, may_lack in zip(
        values, table.kinds, table.columns, table.may_lack, strict=True
    ):
        if value is None:
            fits = may_lack
        else:
            is_of_kind = type(value) is kind or (kind is float and type(value) is int)
            fits = is_of_kind and (not isinstance(value, float) or isfinite(value))
        if not fits:
            return f"has no usable {name}"
    if own is not None and own != checksum(table.name, typed(table, values)):
        return "does not agree with its checksum"
    return ""


def typed(table: Table, values: Sequence[Any]) -> tuple[Any, ...]:
    """The values as they were written: SQLite may keep a whole number instead of another one."""
    return tuple(
        float(value) if kind is float and value is not None else value
        for value, kind in zip(values, table.kinds, strict=True)
    )

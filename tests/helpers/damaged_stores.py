"""Stores with rows that were changed behind their back."""

from __future__ import annotations

import sqlite3

from ludex.arena.store.rows import checksum
from ludex.arena.store.schema import tables


def change(path, *commands):
    connection = sqlite3.connect(path)
    for command in commands:
        connection.execute(*command if isinstance(command, tuple) else (command,))
    connection.commit()
    connection.close()


def forge(path, name, column, value):
    """Change all rows of a table, and make checksums for them as a run would."""
    connection = sqlite3.connect(path)
    table = tables()[name]
    columns = ", ".join(table.columns)
    place = table.columns.index(column)
    total, number = 0, 0
    for row in connection.execute(f"SELECT {columns} FROM {name}").fetchall():
        changed = (*row[:place], value, *row[place + 1 :])
        own = checksum(name, changed)
        total, number = total + own, number + 1
        key = " AND ".join(f"{table.columns[one]} = ?" for one in table.key)
        connection.execute(
            f"UPDATE {name} SET {column} = ?, checksum = ? WHERE {key}",
            [value, own, *(row[one] for one in table.key)],
        )
    total = (total + 2**63) % 2**64 - 2**63
    connection.execute("UPDATE checks SET total = ? WHERE name = ?", [total, name])
    connection.commit()
    connection.close()

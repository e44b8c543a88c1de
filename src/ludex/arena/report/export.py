"""Tables of a study as files for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import astuple
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from ludex.arena.statistics.results import COLUMNS, FaultRow, Results
from ludex.core.errors import BadParameter
from ludex.core.extra import require_extra
from ludex.core.printable import printable
from ludex.core.whole_file import write_whole

Table: TypeAlias = Literal["seats", "faults", "courses"]
TABLES: tuple[Table, ...] = get_args(Table)
FORMATS = (".csv", ".parquet")
FORMULA_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # also wide ones
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def export(results: Results, path: Path, table: Table = "seats") -> int:
    """Write a table; the suffix of the file chooses the format. Returns the number of rows.

    `seats` has a row for each seat of each match, `faults` one for each fault, `courses` one
    for each change of a score.
    """
    check_format(path)
    columns, rows = table_of(results, table)
    content = as_csv(columns, rows) if path.suffix == ".csv" else as_parquet(columns, rows)
    write_whole(path, content)
    return len(rows)


def check_format(path: Path) -> None:
    """Raise before any work is done when the suffix names no format that can be written."""
    if path.suffix not in FORMATS:
        raise BadParameter(f"tables are written as {' or '.join(FORMATS)}, got {str(path)!r}")
    if path.suffix == ".parquet":
        require_extra("pyarrow", "Parquet files", "tables")


def table_of(results: Results, table: Table) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    if table == "faults":
        names = tuple(item.name for item in fields_of(FaultRow) if item.name != "trace")
        return names, [astuple(fault)[: len(names)] for fault in results.faults]
    if table == "courses":
        return ("match", "seat", "agent", "tick", "score"), [
            (row.match, row.seat, row.agent, tick, score)
            for row in results.rows
            for tick, score in results.courses[row.match, row.seat]
        ]
    return COLUMNS, [astuple(row) for row in results.rows]


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def harmless(cell: Any) -> Any:
    """A cell that no program takes for a formula, and no terminal for a command.

    Numbers stay numbers; a text that begins like a formula gets an apostrophe in front.

    >>> harmless(-1.5), harmless("=1+2"), harmless("-3"), harmless("-3+cmd"), harmless("a-b")
    (-1.5, "'=1+2", '-3', "'-3+cmd", 'a-b')
    """
    if not isinstance(cell, str):
        return cell
    shown = printable(cell)
    begins_like_one = shown[:1] in ("\t", "\n") or shown.lstrip()[:1] in FORMULA_SIGNS
    return f"'{shown}" if begins_like_one and not NUMBER.fullmatch(shown) else shown


def as_parquet(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    by_column = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    table = pyarrow.table(dict(zip(columns, by_column, strict=True)))
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()

"""What a benchmark found: rows of results, notes for the reader, and costs of calls from Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""one figure: its `metric`, what it was measured in, and `per_cpu_s` or `value`"""


@dataclass(slots=True)
class BenchResult:
    """Results, notes and overheads, as far as they are measured."""

    results: list[Row] = field(default_factory=list)
    notes: list[Row] = field(default_factory=list)
    """sentences about a world, which are no figures: `{"world", "note"}`"""
    overheads: list[Row] = field(default_factory=list)
    """what a call from Python costs above the native work: `{"world", "call", "ns"}`"""
    finished: int = 0
    """targets that were measured to their end"""

    def add(self, rows: Iterable[Row]) -> None:
        """Put figures among the results, and what they say in words among the notes."""
        for row in rows:
            figures = {key: value for key, value in row.items() if key != "note"}
            if "note" in row:
                self.notes.append({"world": row["world"], "note": row["note"]})
            if "metric" in figures:
                self.results.append(figures)

    def finish(self, first: int) -> None:
        """Compare the rates of a target whose results begin at index `first`."""
        self.overheads += overheads_of(self.results[first:])
        self.finished += 1

    def as_json(self) -> Row:
        return {"results": self.results, "notes": self.notes, "overheads": self.overheads}


def overheads_of(rows: list[Row]) -> list[Row]:
    """What a call from Python costs above the native work, in native worlds."""
    rates = {row["metric"]: row["per_cpu_s"] for row in rows if "per_cpu_s" in row}
    if "copy_py" not in rates:
        return []
    world = rows[0]["world"]
    return [
        {"world": world, "call": call, "ns": round(1e9 / rates[called] - 1e9 / rates[inside], 1)}
        for call, called, inside in (("advance", "tick_py", "tick"), ("copy", "copy_py", "copy"))
    ]

"""Notes of agents for viewers and records: named values of a few plain types.

A note is words, a number (or yes and no), `Cells` of the board with weights, a `Line` of moves, or
a `Table`. Whoever watches can draw each kind without knowing the agent. `sound` brings whatever an
agent hands over to these kinds and to a bounded size; `pack` and `unpack` write and read them as
JSON, for records and between processes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Any, TypeAlias

from ludex.core.printable import printable

Cell: TypeAlias = tuple[int, int]
Plain: TypeAlias = str | int | float | bool
"""What stands in one place of a table."""

MOST_NOTES = 24
LONGEST_NAME = 32
LONGEST_WORDS = 200
MOST_CELLS = 4096
LONGEST_LINE = 100
MOST_ROWS, MOST_COLUMNS = 20, 8
LARGEST_PLACE = 10_000  # of a column or row of a board


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of the board as (column, row), each with a weight of at least 0.

    What counts is how weights compare: the largest is drawn full, and 0 not at all.
    """

    weights: Mapping[Cell, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A sequence of moves: a plan, or the principal variation."""

    moves: tuple[Hashable, ...]
    """actions; as texts once `sound` has seen them"""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of words and numbers with column headings."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Plain, ...], ...]


Note: TypeAlias = Plain | Cells | Line | Table
Notes: TypeAlias = Mapping[str, Note]


def sound(notes: Mapping[Any, Any], write: Callable[[Any], str]) -> dict[str, Note]:
    """Bring notes to kinds and sizes that everybody can rely on; `write` writes an action.

    What is too long is cut, cells of the least weight first. What is of no known kind, or breaks
    when it is looked at, becomes words: notes never stop a match.
    """
    made: dict[str, Note] = {}
    try:
        for name, value in islice(notes.items(), MOST_NOTES):
            made[words(name, LONGEST_NAME)] = sound_note(value, write)
    except Exception as error:  # the mapping is an agent's object, and runs its code
        made["broken"] = words(error)
    return made


def sound_note(value: Any, write: Callable[[Any], str]) -> Note:
    try:
        if isinstance(value, Cells):
            return bounded(value)
        if isinstance(value, Line):
            return Line(tuple(words(write(one), 60) for one in value.moves[:LONGEST_LINE]))
        if isinstance(value, Table):
            heads = tuple(words(head, LONGEST_NAME) for head in value.heads[:MOST_COLUMNS])
            rows = (row[: len(heads)] for row in value.rows[:MOST_ROWS])
            return Table(heads, tuple(tuple(plain(one) for one in row) for row in rows))
    except Exception as error:  # looking at an agent's value runs its code
        return words(error)
    return plain(value)


def bounded(cells: Cells) -> Cells:
    """Keep places on a board and finite weights above 0; of too many the heaviest.

    Weights are rounded here, so that whoever watches sees what a replay shows.
    """
    kept = {
        (int(x), int(y)): short(weight)
        for (x, y), weight in cells.weights.items()
        if 0 <= x < LARGEST_PLACE and 0 <= y < LARGEST_PLACE and isfinite(weight) and weight > 0
    }
    if len(kept) > MOST_CELLS:
        kept = dict(sorted(kept.items(), key=lambda one: -one[1])[:MOST_CELLS])
    return Cells(kept)


def plain(value: Any) -> Plain:
    """Numbers, words, yes and no stay; anything else is left as its text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and type(value) in (int, float):
        # JSON has neither infinity nor room for endless digits.
        fits = isfinite(value) if isinstance(value, float) else abs(value) < 2**63
        return value if fits else words(value)
    item = getattr(value, "item", None)  # numbers of numpy
    if callable(item):
        try:
            found = item()
        except Exception:  # anything may have an attribute of that name
            return words(value)
        if isinstance(found, bool | int | float):
            return plain(found)
    return words(value)


def words(value: Any, longest: int = LONGEST_WORDS) -> str:
    r"""Anything as a short text in one line, without signs that would steer a terminal.

    >>> words("red\n\x1b[2J")
    'red ?[2J'
    """
    try:
        text = " ".join((value if type(value) is str else str(value)).split())
    except Exception:  # not everything has a text
        text = f"a {type(value).__name__}"
    text = printable(text[: longest + 1], "")
    return text if len(text) <= longest else text[: longest - 3] + "..."


def pack(notes: Notes) -> dict[str, Any]:
    """Sound notes as plain JSON: words and numbers as they are, other kinds by their name."""
    return {name: pack_note(note) for name, note in notes.items()}


def pack_note(note: Note) -> Any:
    if isinstance(note, Cells):
        return {"cells": [[x, y, weight] for (x, y), weight in note.weights.items()]}
    if isinstance(note, Line):
        return {"line": list(note.moves)}
    if isinstance(note, Table):
        return {"heads": list(note.heads), "rows": [list(row) for row in note.rows]}
    return note


def short(weight: float) -> float:
    """A weight with as many digits as can be seen."""
    return float(f"{weight:.3g}")


def unpack(packed: Mapping[str, Any]) -> dict[str, Note]:
    """Read what `pack` wrote. Kinds of a later version, and nonsense, become words."""
    return sound({name: unpack_note(value) for name, value in packed.items()}, str)


def unpack_note(value: Any) -> Any:
    if isinstance(value, dict):
        try:
            if "cells" in value:
                return Cells({(x, y): weight for x, y, weight in value["cells"]})
            if "line" in value:
                return Line(tuple(texts(value["line"])))
            if "heads" in value:
                rows = tuple(tuple(row) for row in value["rows"])
                return Table(tuple(texts(value["heads"])), rows)
        except (KeyError, TypeError, ValueError):
            pass
    return value


def texts(values: Iterable[Any]) -> list[str]:
    return [words(value) for value in values]

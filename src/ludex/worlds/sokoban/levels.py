"""Levels of Sokoban: name, a line `width,height`, and rows, with blank lines between levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludex.core.errors import InvalidState
from ludex.worlds.sokoban.rules import LETTERS, State

FILE = Path(__file__).with_name("levels.txt")


@dataclass(frozen=True, slots=True)
class SokobanLevel:
    """A level with its name."""

    name: str
    start: State


@cache
def levels() -> tuple[SokobanLevel, ...]:
    return read_levels(FILE.read_text())


def read_levels(text: str) -> tuple[SokobanLevel, ...]:
    """Read the levels of a file; a problem names the level it is in."""
    return tuple(read_level(block) for block in text.strip().split("\n\n"))


def read_level(block: str) -> SokobanLevel:
    lines = block.strip().splitlines()
    name, size, rows = lines[0], lines[1] if len(lines) > 1 else "", lines[2:]
    if size != (f"{len(rows[0])},{len(rows)}" if rows else ""):
        raise InvalidState(
            f"level {name!r} has {len(rows)} rows; its second line must say so as width,height, "
            f"got {size!r}"
        )
    if problem := problem_of(rows):
        raise InvalidState(f"level {name!r} cannot be played: {problem}")
    return SokobanLevel(name, State("".join(rows), len(rows[0])))


def problem_of(rows: list[str]) -> str | None:
    """Say what is wrong with the rows of a level or state, or None."""
    cells = "".join(rows)
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return "its rows are not of one length"
    if strange := sorted(set(cells) - set(LETTERS)):
        return f"{strange[0]!r} is none of its letters {LETTERS}"
    if cells.count("A") + cells.count("u") != 1:
        return f"it needs one avatar, got {cells.count('A') + cells.count('u')}"
    edge = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
    if set(edge) != {"w"}:
        return "walls must close its edge"
    boxes, goals = cells.count("*") + cells.count("+"), sum(cells.count(one) for one in "o+u")
    if boxes != goals:
        return f"it needs as many goals as boxes, got {goals} and {boxes}"
    return None if boxes else "it has no box"

"""The record of a match: all that is needed to play it again, and to notice a difference.

A file of JSON lines: a header, one line per decision or resolved outcome, a state hash every
50 steps, and an end. A file without its end line was cut short, and reading it says so.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludex.core.errors import BrokenRecord, NewerRecord
from ludex.core.outcome import Outcome

FORMAT = 1
HASH_EVERY = 50


@dataclass(frozen=True, slots=True)
class Moment:
    """One line between header and end: a joint decision, an outcome of chance, or a hash."""

    actions: tuple[str, ...] | None = None
    """the actions of the seats to act, as text"""
    key: str | None = None
    """the stream that sampled chance was drawn from in this step"""
    chance: str | None = None
    """a listed outcome, as text"""
    hash: str | None = None
    """the fingerprint of the state reached"""
    notes: Mapping[str, Any] | None = None
    """anything worth keeping of the decisions; not needed to replay"""


@dataclass(slots=True)
class Record:
    """A match as it was played."""

    world: str
    world_version: int
    package_version: str
    agents: list[str]
    seed: int
    budget: str
    start: str
    """the first state, as text"""
    moments: list[Moment] = field(default_factory=list)
    outcome: Outcome | None = None
    steps: int = 0

    def lines(self) -> Iterable[str]:
        header = {name: getattr(self, name) for name in HEADER}
        yield json.dumps({"ludex_record": FORMAT, **header})
        for moment in self.moments:
            named = {name: getattr(moment, name) for name in Moment.__slots__}
            yield json.dumps({name: value for name, value in named.items() if value is not None})
        outcome = self.outcome
        end = {name: getattr(outcome, name) for name in Outcome.__slots__} if outcome else None
        yield json.dumps({"end": {"steps": self.steps, "outcome": end}})

    def write(self, path: Path) -> None:
        """Write the whole file at once, so that no half record is left behind."""
        content = "".join(line + "\n" for line in self.lines()).encode()
        if path.suffix == ".gz":
            content = gzip.compress(content, mtime=0)
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)


HEADER = ("world", "world_version", "package_version", "agents", "seed", "budget", "start")


def read_record(path: Path) -> Record:
    """Read a record; BrokenRecord or NewerRecord says what is wrong with the file."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
    except FileNotFoundError:
        raise BrokenRecord(f"there is no file {str(path)!r}") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BrokenRecord(f"cannot read {str(path)!r} as a record: {error}") from None
    return parse_record(text, str(path))


def parse_record(text: str, path: str) -> Record:
    rows: list[dict[str, Any]] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            if number == 1:
                raise BrokenRecord(f"{path!r} is not a record of a ludex match")
            if number == len(lines):
                raise BrokenRecord(f"{path!r} is cut short in line {number}")
            raise BrokenRecord(f"{path}:{number}: this line is damaged")
        rows.append(row)
    if not rows or "ludex_record" not in rows[0]:
        raise BrokenRecord(f"{path!r} is not a record of a ludex match")
    form = rows[0]["ludex_record"]
    if not isinstance(form, int) or form > FORMAT:
        raise NewerRecord(
            f"{path!r} has record format {form!r}, newer than {FORMAT}; update ludex to read it"
        )
    if "end" not in rows[-1]:
        raise BrokenRecord(f"{path!r} is cut short: it has no end line after {len(rows)} lines")
    try:
        record = Record(**{name: rows[0][name] for name in HEADER})
        record.moments = [read_moment(row) for row in rows[1:-1]]
        record.steps = int(rows[-1]["end"]["steps"])
        end = rows[-1]["end"]["outcome"]
        if end is not None:
            record.outcome = Outcome(
                tuple(end["winners"]), tuple(end["returns"]), end["reason"], end["truncated"]
            )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenRecord(f"{path!r} is damaged: {error!r} is missing or wrong") from None
    return record


def read_moment(row: dict[str, Any]) -> Moment:
    actions = row.pop("actions", None)
    return Moment(actions=tuple(actions) if actions is not None else None, **row)

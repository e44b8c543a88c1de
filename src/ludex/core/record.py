"""The record of a match: all that a replay needs, with hashes that reveal differences.

A file of JSON lines: a header, one line per decision or resolved outcome, a state hash every
50 steps, and an end. A file without its end line was cut short, and reading it says so.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ludex.core import bounded_file
from ludex.core.errors import BrokenRecord, NewerRecord
from ludex.core.outcome import Outcome
from ludex.core.whole_file import write_whole

FORMAT = 1
HASH_EVERY = 50
SECRET = re.compile("[0-9a-f]{32}")
LARGEST_NUMBER = 2**63  # of whole ones: no seed is larger, and no match longer
LARGEST_FILE = 2**27  # bytes after unpacking; a packed file could otherwise fill the memory


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
    agent_versions: list[str]
    """of the package for its own agents, of the file for agents in files"""
    seed: int
    budget: str
    start: str
    """the first state, as text"""
    secret: str | None = None
    """what the streams of chance were made with besides the seed, in hexadecimal digits"""
    moments: list[Moment] = field(default_factory=list)
    outcome: Outcome | None = None
    faults: list[dict[str, Any]] = field(default_factory=list)
    """what agents did wrong: seat, kind, tick and message of each"""
    steps: int = 0
    contents: dict[str, dict[str, str]] | None = None
    """hashes of the files that the world and each seat's agent depend on, under `world` and the
    numbers of seats; None in records of an earlier ludex"""

    def lines(self) -> Iterable[str]:
        header = {name: getattr(self, name) for name in HEADER}
        known = {name: value for name, value in header.items() if value is not None}
        yield json.dumps({"ludex_record": FORMAT, **known})
        for moment in self.moments:
            named = {name: getattr(moment, name) for name in Moment.__slots__}
            yield json.dumps({name: value for name, value in named.items() if value is not None})
        outcome = self.outcome
        end = {name: getattr(outcome, name) for name in Outcome.__slots__} if outcome else None
        yield json.dumps({"end": {"steps": self.steps, "outcome": end, "faults": self.faults}})

    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines())

    def write(self, path: Path) -> None:
        """Write the whole file at once, so that no half record is left behind."""
        content = self.text().encode()
        if path.suffix == ".gz":
            content = gzip.compress(content, mtime=0)
        write_whole(path, content, "the record")


NOT_HEADER = ("moments", "outcome", "faults", "steps")
HEADER = tuple(item.name for item in fields(Record) if item.name not in NOT_HEADER)


def read_record(path: Path) -> Record:
    """Read a record; BrokenRecord or NewerRecord says what is wrong with the file."""
    text = bounded_file.read_text(path, LARGEST_FILE, BrokenRecord, "record")
    return parse_record(text, str(path))


def parse_record(text: str, path: str = "the record") -> Record:
    """Read the text of a record; `path` names it in errors."""
    record: Record | None = None
    place = 0
    end: Any = None
    try:
        for place, row in rows_of(text, path):  # noqa: B007  # an error names the place
            if end is not None:
                raise Damaged("a line comes after the end")
            if record is None:
                check_format(row, path)
                record = read_header(row)
            elif "end" in row:
                end = row["end"]
                read_end(record, end)
            else:
                record.moments.append(read_moment(row))
    except Damaged as damage:
        raise BrokenRecord(f"{path}:{place}: {damage}") from None
    if record is None or end is None:
        raise BrokenRecord(f"{path!r} is cut short: it has no end line after {place} lines")
    return record


def rows_of(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines with their numbers, one after the other."""
    try:
        for number, row, is_last in bounded_file.json_lines(text):
            if not isinstance(row, dict):
                if number == 1:
                    raise BrokenRecord(f"{path!r} is not a record of a ludex match")
                if is_last:
                    raise BrokenRecord(f"{path!r} is cut short in line {number}")
                raise BrokenRecord(f"{path}:{number}: this line is damaged")
            yield number, row
    except bounded_file.TooLarge:
        raise BrokenRecord(f"{path!r} is larger than any record of a match") from None


def check_format(row: Mapping[str, Any], path: str) -> None:
    form = row.get("ludex_record")
    if type(form) is not int or form < 1:
        raise BrokenRecord(f"{path!r} is not a record of a ludex match")
    if form > FORMAT:
        raise NewerRecord(
            f"{path!r} has record format {form!r}, newer than {FORMAT}; update ludex to read it"
        )


class Damaged(Exception):
    """Something in a line that is missing or of the wrong kind."""


def read_header(row: Mapping[str, Any]) -> Record:
    record = Record(
        world=take(row, "world", str),
        world_version=take(row, "world_version", int),
        package_version=take(row, "package_version", str),
        agents=take_list(row, "agents", str),
        agent_versions=take_list(row, "agent_versions", str),
        seed=take(row, "seed", int),
        budget=take(row, "budget", str),
        start=take(row, "start", str),
        contents=read_contents(row),
        secret=take(row, "secret", str) if "secret" in row else None,
    )
    if len(record.agents) != len(record.agent_versions):
        raise Damaged("'agent_versions' must have one entry for each of 'agents'")
    if record.secret is not None and not SECRET.fullmatch(record.secret):
        raise Damaged(f"'secret' has the impossible value {shown(record.secret)}")
    return record


def read_contents(row: Mapping[str, Any]) -> dict[str, dict[str, str]] | None:
    if row.get("contents") is None:
        return None
    found = take(row, "contents", dict)
    for part in found:
        for name in take(found, part, dict):
            take(found[part], name, str)
    return {part: dict(of_part) for part, of_part in found.items()}


def read_moment(row: Mapping[str, Any]) -> Moment:
    """Read one line; it is one of a decision, an outcome of chance, and a hash."""
    unknown = [name for name in row if name not in Moment.__slots__]
    if unknown:
        raise Damaged(f"{unknown[0]!r} does not belong here")
    if sum(name in row for name in ("actions", "chance", "hash")) != 1:
        raise Damaged("one of 'actions', 'chance' and 'hash' is expected")
    return Moment(
        actions=tuple(take_list(row, "actions", str)) if "actions" in row else None,
        key=take(row, "key", str) if "key" in row else None,
        chance=take(row, "chance", str) if "chance" in row else None,
        hash=take(row, "hash", str) if "hash" in row else None,
        notes=take(row, "notes", dict) if "notes" in row else None,
    )


def read_end(record: Record, end: Any) -> None:
    record.steps = take(end, "steps", int)
    record.faults = take_list(end, "faults", dict)
    outcome = end.get("outcome")
    if outcome is not None:
        record.outcome = Outcome(
            winners=tuple(take_list(outcome, "winners", int)),
            returns=tuple(float(one) for one in take_list(outcome, "returns", int | float)),
            reason=take(outcome, "reason", str),
            truncated=take(outcome, "truncated", bool),
        )


def take(row: Any, name: str, kind: Any) -> Any:
    """Return `row[name]` when it is there and of this kind."""
    if not isinstance(row, dict) or name not in row:
        raise Damaged(f"{name!r} is missing")
    value = row[name]
    if not is_of(value, kind):
        raise Damaged(f"{name!r} has the impossible value {shown(value)}")
    return value


def take_list(row: Any, name: str, kind: Any) -> list[Any]:
    values = take(row, name, list)
    for value in values:
        if not is_of(value, kind):
            raise Damaged(f"{name!r} holds the impossible value {shown(value)}")
    return list(values)


def is_of(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind and can be written; yes and no are no numbers."""
    if isinstance(value, bool):
        return kind is bool
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return False
    if isinstance(value, str):
        return kind is str and not any("\ud800" <= sign <= "\udfff" for sign in value)
    return isinstance(value, kind)


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

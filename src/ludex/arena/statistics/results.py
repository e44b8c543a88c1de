"""The results of a study as tables: one row for each seat of each match."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, Self

from ludex.arena.match.rules import Fault
from ludex.arena.statistics.intervals import Tally
from ludex.arena.store.errors import damaged
from ludex.arena.store.store import TICKS, Store
from ludex.arena.store.versions import read_contents


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one seat in one match."""

    match: int
    """the number in the store: `ludex replay STORE#NUMBER` shows it"""
    round: int
    game: str
    level: int | None
    world: str
    budget: str
    repetition: int
    seed: int
    seat: int
    agent: str
    """the label in the study"""
    is_opponent: bool
    won: bool
    tied: bool
    """in a game of several seats that nobody won"""
    gain: float
    """the return of the world"""
    score: float
    ticks: int
    reason: str
    truncated: bool
    repeatable: bool
    faults: int
    """that disqualified: crashes, hangs, overruns; late answers are not among them"""
    late: int
    """answers that came late, so that the default action was played"""
    decisions: int
    calls: int
    """of the model, in all decisions"""
    most_calls: int
    iterations: int
    most_iterations: int
    depth: float
    """mean of all decisions"""
    cpu_ms: float
    most_cpu_ms: float
    wall_ms: float
    most_wall_ms: float
    replays: int = 0
    """how often the match was begun before, and a worker or an agent's process was killed"""
    mixed: str = ""
    """what was not as the store was begun with, in words; empty: nothing"""

    @property
    def result(self) -> float:
        """1 for a win, 0.5 for a game that nobody won among several, 0 for a loss."""
        return 0.5 if self.tied else float(self.won)


COLUMNS = tuple(item.name for item in fields(Row))


@dataclass(frozen=True, slots=True)
class FaultRow:
    """What an agent did wrong in a match."""

    match: int
    agent: str
    game: str
    budget: str
    kind: str
    tick: int
    message: str
    trace: str = ""
    """the traceback and the end of what the agent printed, where there are any"""


@dataclass(frozen=True)
class Results:
    """All finished matches of a study, with what is needed to read them."""

    document: dict[str, Any]
    """the study, as plain values"""
    rows: tuple[Row, ...]
    faults: tuple[FaultRow, ...] = ()
    courses: dict[tuple[int, int], list[tuple[int, float]]] = field(default_factory=dict)
    """scores over time by match and seat: ticks at which the score changed, and the scores"""
    played: int = 0
    scheduled: int = 0
    abandoned: dict[int, str] = field(default_factory=dict)
    """matches that could not be played, and why"""
    versions: dict[str, str] = field(default_factory=dict)
    """of ludex, worlds and agents"""
    runs: tuple[dict[str, Any], ...] = ()
    has_checksums: bool = True
    """no: the store is of an earlier ludex, and nobody can tell whether it is damaged"""

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def agents(self) -> list[str]:
        """The labels of the agents under study, in its order; opponents are not among them."""
        return [one["label"] for one in self.document["agents"]]

    @property
    def games(self) -> list[str]:
        return [one["label"] for one in self.document["games"]]

    @property
    def budgets(self) -> list[str]:
        return list(self.document["budgets"])

    @property
    def is_complete(self) -> bool:
        return self.played == self.scheduled

    @property
    def repeatable(self) -> bool:
        return all(row.repeatable for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, **wanted: Any) -> Self:
        """The rows with these values, as in `results.where(game="nim", won=True)`."""
        kept = [
            row
            for row in self.rows
            if all(getattr(row, name) == value for name, value in wanted.items())
        ]
        return self.with_rows(kept)

    def with_rows(self, rows: Iterable[Row]) -> Self:
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return type(self)(**{**values, "rows": tuple(rows)})

    def by(self, *names: str) -> dict[tuple[Any, ...], list[Row]]:
        """Rows in groups: `results.by("agent", "game")["mcts", "nim"]`."""
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in self.rows:
            groups.setdefault(tuple(getattr(row, name) for name in names), []).append(row)
        return groups

    def tally(self, agent: str) -> Tally:
        """Wins, ties, returns and faults of one agent in these rows, with intervals."""
        return tally_of(agent, [row for row in self.rows if row.agent == agent])

    def table(
        self, value: Callable[[Sequence[Row]], float], *names: str
    ) -> dict[tuple[Any, ...], float]:
        """One number for each group, as in `table(win_rate, "agent", "game")`."""
        return {key: value(rows) for key, rows in self.by(*names).items()}


def tally_of(agent: str, rows: Sequence[Row]) -> Tally:
    return Tally(
        agent=agent,
        games=len(rows),
        wins=sum(row.won for row in rows),
        ties=sum(row.tied for row in rows),
        returns=tuple(row.gain for row in rows),
        faults=sum(row.faults for row in rows),
    )


def win_rate(rows: Sequence[Row]) -> float:
    return sum(row.won for row in rows) / len(rows)


def mean_score(rows: Sequence[Row]) -> float:
    return sum(row.score for row in rows) / len(rows)


def read_results(path: Path | str) -> Results:
    """Read a store, also while a run is writing it."""
    with Store.open(Path(path)) as store:
        return read_store(store)


def read_store(store: Store) -> Results:
    """Read an open store, all tables at one moment."""
    with store.one_moment():
        tables = Tables(store.path, {name: store.table(name) for name in NEEDED})
        document = store.document
    return replace(tables.results(document), has_checksums=store.has_checksums)


NEEDED = (
    *("facts", "agents", "worlds", "matches", "seats", "times", "faults", "abandoned"),
    *("repeats", "runs"),
)
RUN = ("number", "began", "ended", "workers", "package", "python", "machine", "played")
LONGEST_COURSE = 2**16  # characters; a course has a few dozen points


class Tables:
    """The tables of a store, put together here: an index in a damaged file may lead anywhere."""

    def __init__(self, path: Path, tables: dict[str, list[tuple[Any, ...]]]) -> None:
        self.path = path
        self.tables = tables
        self.agents = {row[0]: row for row in tables["agents"]}
        self.worlds = {row[0]: row for row in tables["worlds"]}
        self.matches = {row[0]: row for row in tables["matches"]}
        self.times = {row[:2]: row[2:] for row in tables["times"]}
        self.repeats = dict(tables["repeats"])
        self.late: Counter[tuple[int, int]] = Counter()
        self.faulty: Counter[tuple[int, int]] = Counter()
        for match, _, seat, kind, *_ in tables["faults"]:
            self.late[match, seat] += kind == "late"
            self.faulty[match, seat] += Fault(seat, kind, 0, "").ends_the_game

    def results(self, document: dict[str, Any]) -> Results:
        try:
            rows = tuple(self.row(seat) for seat in self.tables["seats"])
            faults = tuple(self.fault(fault) for fault in self.tables["faults"])
            courses = {row[:2]: read_course(row[-1]) for row in self.tables["seats"]}
        except (LookupError, ValueError, TypeError, RecursionError):
            raise damaged(self.path, "its tables do not fit together") from None
        check_names(self.path, document, rows)
        played = sum(row[TICKS] is not None for row in self.matches.values())
        return Results(
            document=document,
            rows=rows,
            faults=faults,
            courses=courses,
            played=played,
            scheduled=len(self.matches),
            abandoned=dict(self.tables["abandoned"]),
            versions=self.versions(),
            runs=tuple(dict(zip(RUN, run, strict=True)) for run in self.tables["runs"]),
        )

    def row(self, seat: tuple[Any, ...]) -> Row:
        match, place, agent, won, tied, gain, score, *spent, _ = seat
        number, _, turn, world, budget, repetition, seed, _, *how = self.matches[match]
        ticks, reason, truncated, repeatable, mixed, _ = how
        _, game, level, text, *_ = self.worlds[world]
        _, label, _, _, is_opponent, _ = self.agents[agent]
        if ticks is None or reason is None or truncated is None or repeatable is None:
            raise ValueError("a match that was not played has results")
        values: list[Any] = [
            *(number, turn, game, level, text, budget, repetition, seed, place, label),
            *(bool(is_opponent), bool(won), bool(tied), gain, score, ticks, reason),
            *(bool(truncated), bool(repeatable)),
            *(self.faulty[match, place], self.late[match, place], *spent),
            *self.times[match, place],
            *(self.repeats.get(match, 0), mixed or ""),
        ]
        return Row(*values)

    def fault(self, fault: tuple[Any, ...]) -> FaultRow:
        match, _, seat, kind, tick, message, trace = fault
        _, _, _, world, budget, _, _, agents, *_ = self.matches[match]
        label = self.agents[json.loads(agents)[seat]][1]
        game = self.worlds[world][1]
        return FaultRow(match, label, game, budget, kind, tick, message, trace)

    def versions(self) -> dict[str, str]:
        """Of ludex, the agents and the worlds, with what of them lies in files."""
        found = {"ludex": str(dict(self.tables["facts"]).get("package", ""))}
        for _, label, _, version, _, contents in self.tables["agents"]:
            found[f"agent {label}"] = with_contents(version, contents)
        for _, _, _, text, version, _, contents in self.tables["worlds"]:
            found[f"world {text}"] = with_contents(str(version), contents)
        return found


def with_contents(version: str, contents: str | None) -> str:
    """A version with the hashes of files.

    >>> with_contents("1", '{"level a.txt": "00ff"}'), with_contents("1", "{}")
    ('1, level a.txt 00ff', '1')
    """
    try:
        known = read_contents(contents) or {}
    except (ValueError, RecursionError):
        known = {"contents": "damaged"}
    return ", ".join([version, *(f"{name} {digest}" for name, digest in known.items())])


def read_course(text: str) -> list[tuple[int, float]]:
    if len(text) > LONGEST_COURSE:
        raise ValueError("a course is too long")
    course = [(int(tick), float(score)) for tick, score in json.loads(text)]
    if not course or not all(isfinite(score) for _, score in course):
        raise ValueError("a course has no points")
    return course


def check_names(path: Path, document: dict[str, Any], rows: Sequence[Row]) -> None:
    """Raise where matches are of agents, games or budgets that the study does not have."""
    known = {
        "agent": {one["label"] for one in document["agents"] + document["opponents"]},
        "game": {one["label"] for one in document["games"]},
        "budget": set(document["budgets"]),
    }
    for what, names in known.items():
        if not {getattr(row, what) for row in rows} <= names:
            raise damaged(path, f"a match is of another {what} than the study has")

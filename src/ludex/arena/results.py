"""The results of a study as tables: one row for each seat of each match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from ludex.arena.statistics import Tally
from ludex.arena.store import Store


@dataclass(frozen=True, slots=True)
class Row:
    """What one seat of one match got."""

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

    @property
    def result(self) -> float:
        """1 for a win, 0.5 for a game that nobody won among several, 0 for a loss."""
        return 0.5 if self.tied else float(self.won)


COLUMNS = tuple(item.name for item in fields(Row))
BOOLEAN = ("is_opponent", "won", "tied", "truncated", "repeatable")
QUERY = """
SELECT matches.number, round, game, level, worlds.world, budget, repetition, seed,
    seats.seat, label, is_opponent, won, tied, gain, score, ticks, reason, truncated, repeatable,
    (SELECT count(*) FROM faults
        WHERE match = matches.number AND faults.seat = seats.seat AND kind != 'late'),
    (SELECT count(*) FROM faults
        WHERE match = matches.number AND faults.seat = seats.seat AND kind = 'late'),
    decisions, calls, most_calls, iterations, most_iterations, depth,
    cpu_ms, most_cpu_ms, wall_ms, most_wall_ms
FROM matches
JOIN seats ON seats.match = matches.number
JOIN times ON times.match = matches.number AND times.seat = seats.seat
JOIN agents ON agents.number = seats.agent
JOIN worlds ON worlds.number = matches.world
ORDER BY matches.number, seats.seat
"""


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
    store.connection.execute("BEGIN")
    try:
        rows = [row_of(values) for values in store.rows(QUERY)]
        faults = store.rows(
            "SELECT faults.match, label, game, budget, kind, tick, message FROM faults "
            "JOIN matches ON matches.number = faults.match "
            "JOIN seats ON seats.match = faults.match AND seats.seat = faults.seat "
            "JOIN agents ON agents.number = seats.agent "
            "JOIN worlds ON worlds.number = matches.world ORDER BY faults.match, faults.number"
        )
        courses = store.rows("SELECT match, seat, course FROM seats")
        played, scheduled = store.counts()
        versions = {
            f"agent {label}": str(version)
            for label, version in store.rows("SELECT label, version FROM agents ORDER BY number")
        }
        versions |= {
            f"world {world}": str(version)
            for world, version in store.rows("SELECT world, version FROM worlds ORDER BY number")
        }
        ((package,),) = store.rows("SELECT value FROM facts WHERE name = 'package'") or (("",),)
        return Results(
            document=store.document,
            rows=tuple(rows),
            faults=tuple(FaultRow(*one) for one in faults),
            courses={
                (match, seat): [(int(tick), float(score)) for tick, score in json.loads(course)]
                for match, seat, course in courses
            },
            played=played,
            scheduled=scheduled,
            abandoned=dict(store.rows("SELECT match, reason FROM abandoned ORDER BY match")),
            versions={"ludex": package, **versions},
            runs=tuple(
                dict(zip(RUN, run, strict=True))
                for run in store.rows(f"SELECT {', '.join(RUN)} FROM runs ORDER BY number")
            ),
        )
    finally:
        store.connection.execute("ROLLBACK")


RUN = ("number", "began", "ended", "workers", "package", "python", "machine", "played")


def row_of(values: Sequence[Any]) -> Row:
    named = dict(zip(COLUMNS, values, strict=True))
    for name in BOOLEAN:
        named[name] = bool(named[name])
    return Row(**named)

"""Rankings over games: places in each game, Formula-1 points, and the order over all games.

Two rules are known. `gvgai` is that of the GVGAI competition: more wins, then a higher score,
then a better time. `prediction` is that of the studies of prediction-based search: values
rounded to two decimals, with the ticks of won and of lost games one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Any, Literal, TypeAlias

from ludex.arena.statistics.results import Row

POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""of the first ten places, as in Formula 1; later ones get none"""
DISQUALIFIED = -1000.0  # the score of a run that broke the rules, as in the reference framework

Rule: TypeAlias = Literal["gvgai", "prediction"]


@dataclass(frozen=True, slots=True)
class Line:
    """Mean results of one agent in one game."""

    win_rate: float
    score: float
    time: float = 0.0
    """the mean time indicator: ticks of a win, and ticks missing from the limit of a loss"""
    ticks_won: float | None = None
    """mean ticks of won games; None where there are none"""
    ticks_lost: float | None = None


def time_indicator(won: bool, ticks: int, limit: int) -> int:
    """What the ranking minimises after wins and scores: win fast, lose late.

    >>> time_indicator(True, 150, 2000), time_indicator(False, 1999, 2000)
    (150, 1)
    """
    return ticks if won else limit - ticks


def line_of(rows: Sequence[Row], limit: int) -> Line:
    """Average the matches of one agent in one game; a disqualified one is a loss."""
    won = [row.won and not row.faults for row in rows]
    lengths = [row.ticks for row in rows]
    return Line(
        win_rate=fmean(won),
        score=fmean(DISQUALIFIED if row.faults else row.score for row in rows),
        time=fmean(
            time_indicator(win, ticks, limit) for win, ticks in zip(won, lengths, strict=True)
        ),
        ticks_won=mean_where(lengths, won, True),
        ticks_lost=mean_where(lengths, won, False),
    )


def mean_where(values: Sequence[int], won: Sequence[bool], wanted: bool) -> float | None:
    chosen = [value for value, win in zip(values, won, strict=True) if win == wanted]
    return fmean(chosen) if chosen else None


def gvgai_key(line: Line) -> tuple[float, ...]:
    """Smaller is better: wins, then score, then time."""
    return -line.win_rate, -line.score, line.time


def prediction_key(line: Line) -> tuple[float, ...]:
    """Smaller is better; no wins compare as the slowest, no losses as the longest."""
    won = inf if line.ticks_won is None else round(line.ticks_won, 2)
    lost = inf if line.ticks_lost is None else round(line.ticks_lost, 2)
    return -round(line.win_rate, 2), -round(line.score, 2), won, -lost


KEYS: Mapping[Rule, Callable[[Line], tuple[float, ...]]] = {
    "gvgai": gvgai_key,
    "prediction": prediction_key,
}


def places(lines: Sequence[Line], rule: Rule = "gvgai") -> list[int]:
    """The place of each line; equal ones share the better place, and the next is skipped.

    >>> places([Line(0.5, 3), Line(0.5, 3), Line(0.9, 1), Line(0.1, 7)])
    [2, 2, 1, 4]
    """
    return shared_places([KEYS[rule](line) for line in lines])


def shared_places(keys: Sequence[Any]) -> list[int]:
    return [1 + sum(other < key for other in keys) for key in keys]


def points_of(place: int) -> int:
    return POINTS[place - 1] if place <= len(POINTS) else 0


@dataclass(frozen=True, slots=True)
class Standing:
    """The rank of an agent over all games."""

    agent: str
    place: int
    """over all games; shared when points and all numbers of places are equal"""
    points: int
    places: Mapping[str, int | None]
    """in each game; None where it was outside of those that are known"""

    def count(self, place: int) -> int:
        """How many games it ended in this place."""
        return sum(one == place for one in self.places.values())


def standings(by_game: Mapping[str, Mapping[str, int | None]]) -> list[Standing]:
    """Add up the points of all games; ties go to more first places, then second, and so on.

    Args:
        by_game: In each game, the place of each agent; None earns nothing.

    Returns:
        Everybody, best first.
    """
    agents = list(dict.fromkeys(agent for one in by_game.values() for agent in one))
    last = max((p for one in by_game.values() for p in one.values() if p), default=0)
    taken = {agent: {game: found.get(agent) for game, found in by_game.items()} for agent in agents}
    points = {
        agent: sum(points_of(index) for index in taken[agent].values() if index) for agent in agents
    }

    def key(agent: str) -> tuple[int, ...]:
        mine = list(taken[agent].values())
        return -points[agent], *(-mine.count(index) for index in range(1, last + 1))

    order = shared_places([key(agent) for agent in agents])
    found = [
        Standing(agent, index, points[agent], taken[agent])
        for agent, index in zip(agents, order, strict=True)
    ]
    return sorted(found, key=lambda one: one.place)


def lines_by_game(
    groups: Mapping[tuple[str, str], Sequence[Row]], limit: int
) -> dict[str, dict[str, Line]]:
    """The lines of each agent in each game, from rows by agent and game."""
    table: dict[str, dict[str, Line]] = {}
    for (agent, game), rows in groups.items():
        table.setdefault(game, {})[agent] = line_of(rows, limit)
    return table


def rank(table: Mapping[str, Mapping[str, Line]], rule: Rule = "gvgai") -> list[Standing]:
    """Rank agents over games by their lines in each."""
    by_game: dict[str, dict[str, int | None]] = {}
    for game, lines in table.items():
        found = places(list(lines.values()), rule)
        by_game[game] = dict(zip(lines, found, strict=True))
    return standings(by_game)

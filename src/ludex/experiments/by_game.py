"""Pairwise significance tests game by game, and wins by game, beside printed tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeAlias

from ludex.arena.statistics.comparisons import corrected, mann_whitney
from ludex.arena.statistics.results import Row

ALPHA = 0.05
Counts: TypeAlias = tuple[tuple[int | None, ...], ...]
"""A row for each arm: games in which it is better than each other arm, None for itself."""


@dataclass(frozen=True, slots=True)
class PairwiseWins:
    """A printed table: games in which one arm is significantly better than another."""

    text: str
    arms: tuple[str, ...]
    printed: Counts


@dataclass(frozen=True, slots=True)
class GameTable:
    """A printed table of games won, in per cent: a row for each game, a column for each arm."""

    text: str
    arms: tuple[str, ...]
    printed: Mapping[str, tuple[float, ...]]
    """by game"""


@dataclass(frozen=True, slots=True)
class MeasuredGameTable:
    """A table of wins by game with the measured wins."""

    table: GameTable
    measured: dict[str, tuple[float, ...]]

    def lines(self) -> list[list[str]]:
        """A row for each game: its name, then printed/measured for each arm."""
        return [
            [
                game,
                *(
                    f"{printed:g}/{found:.0f}"
                    for printed, found in zip(self.table.printed[game], measured, strict=True)
                ),
            ]
            for game, measured in self.measured.items()
        ]


def measure_game_table(table: GameTable, rows: Sequence[Row]) -> MeasuredGameTable:
    """Count the wins of each arm in each game of a printed table."""
    won: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        won.setdefault((row.game, row.agent), []).append(row.won)
    played = [game for game in table.printed if (game, table.arms[0]) in won]
    return MeasuredGameTable(
        table,
        {
            game: tuple(100 * sum(won[game, arm]) / len(won[game, arm]) for arm in table.arms)
            for game in played
        },
    )


@dataclass(frozen=True, slots=True)
class PairwiseResult:
    """A table of pairwise wins with the measured counts, or the reason why there are none."""

    pairwise: PairwiseWins
    counts: Counts = ()
    reason: str = ""

    def cell(self, row: int, column: int) -> str:
        """The printed number, then the measured one."""
        return (
            "-"
            if row == column
            else f"{self.pairwise.printed[row][column]}/{self.counts[row][column]}"
        )


def compare_pairs(pairwise: PairwiseWins, rows: Sequence[Row]) -> PairwiseResult:
    """Test every pair of arms in every game.

    Matches of a game are ordered by win, then score, and compared by the test of Mann and
    Whitney; Holm's correction is over the games of a pair.
    """
    results = results_by_game([row for row in rows if row.agent in pairwise.arms])
    games = sorted({game for _, game in results})
    fewest = min((len(found) for found in results.values()), default=0)
    least = 2 / comb(2 * fewest, fewest)
    if least * len(games) > ALPHA:
        return PairwiseResult(
            pairwise,
            reason=f"{fewest} matches of each game are too few for a test game by game: even "
            f"winning them all has p = {least:.2g}, and {len(games)} games at once ask for "
            f"{ALPHA / max(1, len(games)):.2g}",
        )
    counts: dict[tuple[str, str], int] = {}
    for one, other in combinations(pairwise.arms, 2):
        tests = [mann_whitney(results[one, game], results[other, game]) for game in games]
        decided = [p < ALPHA for p in corrected([test.p for test in tests])]
        ahead = [test.effect > 0.5 for test in tests]
        pairs = list(zip(decided, ahead, strict=True))
        counts[one, other] = sum(is_told and first for is_told, first in pairs)
        counts[other, one] = sum(is_told and not first for is_told, first in pairs)
    return PairwiseResult(
        pairwise,
        tuple(
            tuple(counts.get((row, column)) for column in pairwise.arms) for row in pairwise.arms
        ),
    )


def results_by_game(rows: Sequence[Row]) -> dict[tuple[str, str], list[float]]:
    """The matches of each arm in each game, as ranks among that game's results."""
    keys: dict[str, set[tuple[bool, float]]] = {}
    for row in rows:
        keys.setdefault(row.game, set()).add((row.won, row.score))
    places = {
        game: {key: float(index) for index, key in enumerate(sorted(found))}
        for game, found in keys.items()
    }
    results: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        results.setdefault((row.agent, row.game), []).append(places[row.game][row.won, row.score])
    return results


def read_counts(text: str) -> Counts:
    r"""Read a printed table: a line for each arm, with - for itself.

    >>> read_counts("- 3\n0 -")
    ((None, 3), (0, None))
    """
    return tuple(
        tuple(None if word == "-" else int(word) for word in line.split())
        for line in text.strip().splitlines()
    )

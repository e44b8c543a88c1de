"""Plays every game of a collection at random and reports whether it runs.

Facts only: names, counts and statuses, never the text of a game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ludex.core.errors import BadParameter, LudexError
from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.definition import TICK_LIMIT
from ludex.worlds.vgdl.reasons import ENGINE_REASONS
from ludex.worlds.vgdl.tools.parallel import in_processes
from ludex.worlds.vgdl.world import Vgdl

STUBS = ("_ggame", "_glvl", "aliensRules")  # texts for generators, no games
LEVEL = re.compile(r"_lvl([0-9]{1,4})$")
LONGEST_GAME = TICK_LIMIT + 2


@dataclass(frozen=True, slots=True)
class Survey:
    """The result of one game."""

    folder: str
    game: str
    levels: int = 0
    ticks: int = 0
    """random ticks it survived, over all levels"""
    games: int = 0
    """games that ended within these ticks"""
    warnings: int = 0
    """problems that the compatible reading of the game and its levels tolerated"""
    players: int = 1
    is_random: bool = False
    status: str = "plays"

    @property
    def plays(self) -> bool:
        return self.status.startswith("plays")

    def as_json(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "game": self.game,
            "loads": self.levels > 0,
            "levels": self.levels,
            "ticks": self.ticks,
            "games": self.games,
            "warnings": self.warnings,
            "players": self.players,
            "stochastic": self.is_random,
            "plays": self.plays,
            "status": self.status,
        }


def descriptions(folder: Path) -> list[Path]:
    """The descriptions of games below a folder, without levels and stubs of generators."""
    if not folder.is_dir():
        raise BadParameter(f"there is no folder {str(folder)!r}")
    found = [
        path
        for path in sorted(folder.rglob("*.txt"))
        if not LEVEL.search(path.stem) and not any(stub in path.stem for stub in STUBS)
    ]
    if not found:
        raise BadParameter(f"there are no games (*.txt) below {str(folder)!r}")
    return found


def levels_of(path: Path) -> list[int]:
    """The numbers of the levels beside a description."""
    found = (LEVEL.search(file.stem) for file in path.parent.glob(f"{path.stem}_lvl*.txt"))
    return sorted(int(match.group(1)) for match in found if match)


def survey_game(path: Path, root: Path, ticks: int = TICK_LIMIT, seed: int = 0) -> Survey:
    """Load every level of a game and play this many random ticks on each.

    A game that ends starts anew, so that all ticks are played.
    """
    folder = str(path.parent.relative_to(root))
    numbers = levels_of(path)
    if not numbers:
        return Survey(folder, path.stem, status="has no levels")
    survived = ended = warnings = 0
    ends: Counter[int] = Counter()
    for number in numbers:
        try:
            world = Vgdl(game=str(path), level=number)
            model = world.model
        except LudexError as error:
            return Survey(folder, path.stem, status=f"level {number} does not load: {error}")
        warnings += len(world.level_definition.problems)
        rng = Rng(seed).fork(path.stem, number)
        left = ticks
        while left > 0:
            played = model.rollout(world.start(rng), "uniform", min(left, LONGEST_GAME), rng)
            left -= max(1, played.ticks)
            ended += played.state.over
            ends[played.state.ended_by] += played.state.over
        survived += ticks
    definition = world.definition
    odd = [ENGINE_REASONS[reason] for reason in sorted(ends) if reason < -2 and ends[reason]]
    return Survey(
        folder,
        path.stem,
        len(numbers),
        survived,
        ended,
        warnings + len(definition.problems),
        definition.players,
        model.traits.chance != "none",
        "plays" + "".join(f"; some games end early: {reason}" for reason in odd),
    )


def survey(
    paths: Sequence[Path], root: Path, ticks: int = TICK_LIMIT, workers: int = 1
) -> Iterator[Survey]:
    """Survey many games in order, in this many processes."""
    work = partial(survey_game, root=root, ticks=ticks)
    return in_processes(work, paths, workers)


def as_markdown(rows: Sequence[Survey]) -> str:
    """The table of a survey, for the docs."""
    lines = [
        "| folder | game | players | chance | levels | ticks survived | warnings | status |",
        "|---|---|--:|---|--:|--:|--:|---|",
    ]
    lines += [
        f"| {row.folder} | {row.game} | {row.players} | {'yes' if row.is_random else 'no'} | "
        f"{row.levels} | {row.ticks:,} | {row.warnings} | {row.status} |"
        for row in rows
    ]
    return "\n".join(lines)


def summary(rows: Sequence[Survey]) -> str:
    """One sentence about all games."""
    good = [row for row in rows if row.plays]
    return (
        f"{len(good)} of {len(rows)} games play on all of their "
        f"{sum(row.levels for row in rows)} levels; {sum(row.is_random for row in good)} of them "
        f"have chance, {sum(row.players > 1 for row in good)} have several players; "
        f"{sum(row.ticks for row in rows):,} random ticks survived"
    )

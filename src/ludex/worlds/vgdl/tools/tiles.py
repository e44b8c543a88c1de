"""Which games of a collection are games of tiles: every sprite fills exactly one cell.

Only of such games a grid tells everything, and a learner can ask what becomes of each cell. A game
is tried as the study of prediction-based search tried its games: some random ticks on its first
levels, all sprites in place on the grid, and not too many sorts of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.core.tiles import MOST_KINDS
from ludex.worlds.vgdl.tools.parallel import in_processes
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.view import VgdlView
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

TICKS = 200  # on each level that is tried
TRIED = 3  # levels
MOST_CONTENTS = 25
LEAST_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game and where its levels are."""

    folder: str
    game: str
    path: str
    """what the world calls it"""
    levels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TileReport:
    """Whether a game is one of tiles, and if not, why."""

    folder: str
    game: str
    levels: int
    kinds: int = 0
    """types that can be seen"""
    contents: int = 0
    """unlike cells that came up"""
    chance: bool = False
    reason: str = ""
    """why it is not; empty where it is"""

    @property
    def qualifies(self) -> bool:
        return not self.reason

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "qualifies": self.qualifies}


def candidates(folder: Path | None = None) -> list[Candidate]:
    """The games below a folder; our own where none is given."""
    if folder is not None:
        return [
            Candidate(
                str(path.parent.relative_to(folder)), path.stem, str(path), tuple(levels_of(path))
            )
            for path in descriptions(folder)
        ]
    found: list[Candidate] = []
    for name, _ in games():
        count = len(list((GAMES / name).glob("level*.txt")))
        found.append(Candidate("vgdl", name, name, tuple(range(count))))
    return found


def report_on(game: Candidate, ticks: int = TICKS, seed: int = 0) -> TileReport:
    """Try one game."""
    plain = TileReport(game.folder, game.game, len(game.levels))
    contents: set[int] = set()
    try:
        for number in game.levels[:TRIED]:
            world = Vgdl(game=game.path, level=number)
            if world.traits.seats > 1:
                return remark(plain, world, contents, "it has several players")
            if len(world.model.scene.kinds) > MOST_KINDS:
                return remark(plain, world, contents, f"it has more than {MOST_KINDS} types")
            for view in views_of_random_play(world, ticks, Rng(seed).fork(game.game, number)):
                if misplaced := sprite_out_of_place(view):
                    return remark(plain, world, contents, misplaced)
                sprites = (1 << len(world.model.scene.kinds)) - 1  # without what avatars hold
                contents.update(
                    {mask & sprites for mask in view.as_tiles().tiles.array.ravel().tolist()}
                )
    except LudexError as error:
        return remark(plain, None, contents, f"it does not load: {error}")
    if len(game.levels) < LEAST_LEVELS:
        return remark(plain, None, contents, f"it has {len(game.levels)} levels")
    reason = f"it has {len(contents)} sorts of cells" if len(contents) > MOST_CONTENTS else ""
    return remark(plain, world, contents, reason)


def remark(plain: TileReport, world: Vgdl | None, contents: set[int], reason: str) -> TileReport:
    return TileReport(
        plain.folder,
        plain.game,
        plain.levels,
        len(world.model.scene.kinds) if world else 0,
        len(contents),
        world.traits.chance != "none" if world else False,
        reason,
    )


def views_of_random_play(world: Vgdl, ticks: int, rng: Rng) -> Iterator[VgdlView]:
    """Every moment of random play; a game that ends starts again."""
    model = world.model
    state = world.start(rng)
    for _ in range(ticks):
        if model.over(state):
            state = world.start(rng)
        model.advance(state, (rng.choice(model.legal(state, 0)),), rng)
        yield model.view(state, 0)


def sprite_out_of_place(view: VgdlView) -> str:
    """Name the first sprite that does not fill one cell; empty when all do."""
    rows, block = view.rows, view.block
    wrong = (rows["x"] % block != 0) | (rows["y"] % block != 0)
    wrong |= (rows["width"] != block) | (rows["height"] != block)
    wrong |= (rows["x"] < 0) | (rows["x"] >= view.width * block)
    wrong |= (rows["y"] < 0) | (rows["y"] >= view.height * block)
    if not wrong.any():
        return ""
    first = rows[int(np.argmax(wrong))]
    name = view._scene.names[first["type"]]
    if first["width"] != block or first["height"] != block:
        return f"a {name} is {first['width'] / block:g} x {first['height'] / block:g} cells large"
    place = f"{first['x'] / block:g},{first['y'] / block:g}"
    return f"a {name} is at {place} of the grid"


def reports(
    games: Sequence[Candidate], ticks: int = TICKS, workers: int = 1
) -> Iterator[TileReport]:
    """Try many games in order, in this many processes."""
    return in_processes(partial(report_on, ticks=ticks), games, workers)


def summary(rows: Sequence[TileReport]) -> str:
    """One sentence about all games."""
    good = [row for row in rows if row.qualifies]
    return (
        f"{len(good)} of {len(rows)} games are games of tiles; "
        f"{sum(row.chance for row in good)} of them have chance"
    )


def as_markdown(rows: Sequence[TileReport]) -> str:
    """The table of a report, for the docs."""
    lines = ["| folder | game | levels | types | sorts of cells | chance | tiles |"]
    lines.append("|---|---|--:|--:|--:|---|---|")
    lines += [
        f"| {row.folder} | {row.game} | {row.levels} | {row.kinds} | {row.contents} | "
        f"{'yes' if row.chance else 'no'} | {row.reason or 'yes'} |"
        for row in rows
    ]
    return "\n".join(lines)

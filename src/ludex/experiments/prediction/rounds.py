"""Base class of experiments with learning agents: games, and points over all games."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from ludex.arena.statistics.ranking import Line, places, points_of
from ludex.core.extra import require_extra
from ludex.core.rng import Rng
from ludex.core.world import World
from ludex.experiments.collection import Collection
from ludex.experiments.prediction.arms import Played, line_of
from ludex.experiments.prediction.printed import PRINTED_ARMS, read_lines
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

FIRST = ("labyrinth", "hungrybirds", "escape", "iceandfire")
"""games whose results say the most; others follow in the order of the source"""
MISSING = (
    "of its thirty games the public release lacks six: bait, decepticoins, fireman, labyrinthdual, "
    "shipwreck and whackamole; of the fifteen of this study, bait, decepticoins and labyrinthdual"
)
BUDGET_NOTE = (
    "wins, scores and ticks are those of our engine, whose dice differ from the reference's; a "
    "game that is cut off counts as lost, and its ticks are those it was played for"
)


class Rounds(Survey):
    """An experiment in which the same players play the same games, one part per game.

    A smaller scale plays fewer of the games of a larger one, and these no shorter and with no less
    to learn from: what it says of a game must not depend on the scale.
    """

    takes_games = True
    printed: ClassVar[str]
    """the table of the source"""

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        require_extra("sklearn.tree", "learned models", "learning")
        self.scale: Scale = scale
        self.lines: dict[str, dict[str, Line]] = {}
        table = read_lines(self.printed)
        wanted = [*FIRST, *(game for game in table if game not in FIRST)]
        here, _ = self.games.choose(wanted, self.most_games(scale))
        made: dict[str, Part] = {game: partial(self.part, game, table[game]) for game in here}
        if len(here) == 1:
            return made
        return {**made, "points": partial(self.points, here)}

    @property
    def games(self) -> Collection:
        assert self.collection is not None  # set by whoever measures
        return self.collection

    def most_games(self, scale: Scale) -> int:
        return {"tiny": 1, "small": 6, "full": 15}[scale]

    def level(self, game: str, level: int) -> World:
        return self.games.world(game).clone(level=level)

    def dice(self, *names: str | int) -> Rng:
        return Rng(0).fork(self.id, *names)

    def part(self, game: str, printed: Mapping[str, Line]) -> list[Reading]:
        """Play one game with every arm."""
        raise NotImplementedError

    def note_line(self, game: str, arm: str, games: list[Played]) -> None:
        self.lines.setdefault(game, {})[arm] = line_of(games)

    def points(self, games: list[str]) -> list[Reading]:
        """Formula-1 points of the printed arms over these games, printed beside measured."""
        table = read_lines(self.printed)
        played = [game for game in games if game in self.lines]
        if len(played) < len(games):
            note = "parts that were played by an earlier command are not in it"
        else:
            note = f"over {', '.join(games)}"
        printed, measured = (points_over(one, played) for one in (table, self.lines))
        return [
            Reading(
                "points",
                arm,
                float(printed[arm]),
                float(measured[arm]),
                note,
                compared=self.scale == "full",
            )
            for arm in PRINTED_ARMS
        ]


def points_over(table: Mapping[str, Mapping[str, Line]], games: list[str]) -> dict[str, int]:
    """The points of each printed arm: places by wins, score, and ticks of won and lost games."""
    points = dict.fromkeys(PRINTED_ARMS, 0)
    for game in games:
        lines = [table[game][arm] for arm in PRINTED_ARMS]
        for arm, place in zip(PRINTED_ARMS, places(lines, "prediction"), strict=True):
            points[arm] += points_of(place)
    return points

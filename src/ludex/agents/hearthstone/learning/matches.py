"""Matches between two native players, and their win counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.threads import in_order
from ludex.worlds.hearthstone.model import HearthstoneModel

PART = 50  # games between two reports
WON, DRAWN = 1, 2


@dataclass(frozen=True, slots=True)
class MatchTally:
    """Wins and draws of the first player."""

    games: int
    won: int
    drawn: int

    @property
    def rate(self) -> float:
        return self.won / self.games


def play_matches(
    model: HearthstoneModel,
    one: _native.Chooser,
    two: _native.Chooser,
    games: int,
    seed: int = 1,
    workers: int = 1,
    told: Callable[[int], None] | None = None,
) -> MatchTally:
    """Play games natively, the beginner drawn by lot; game i depends on the seed and i alone."""

    def part(first: int) -> list[int]:
        return _native.matches(model, one, two, seed, first, min(PART, games - first))

    outcomes: list[int] = []
    for found in in_order(part, range(0, games, PART), workers):
        outcomes += found
        if told:
            told(len(outcomes))
    return MatchTally(games, outcomes.count(WON), outcomes.count(DRAWN))

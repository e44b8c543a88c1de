"""The first set of GVGAI games, on which the agents of the book were compared."""

from __future__ import annotations

from ludex.arena.study.study import Game
from ludex.experiments.collection import Collection

FIRST_SET = (
    *("aliens", "boulderdash", "butterflies", "chase", "frogs"),
    *("missilecommand", "portals", "sokoban", "survivezombies", "zelda"),
)
SHORT = ("aliens", "chase", "missilecommand", "sokoban", "zelda")
"""those that are played for a first look"""


def first_set(
    collection: Collection, wanted: tuple[str, ...], levels: int
) -> tuple[tuple[Game, ...], list[str]]:
    """The available games of the set, and notes about it."""
    here, missing = collection.choose(wanted, len(wanted))
    notes = [f"{len(here)} of 10 games with {levels} of their 5 levels, of {collection.short_name}"]
    if missing:
        notes.append(f"games that are not there: {', '.join(missing)}")
    return collection.games(here, levels), notes

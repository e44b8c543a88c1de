"""Learns where another action would have been better than the scripted one.

In a game of a player against itself one decision is tried twice: with what it chooses and with
another action, both played on by the same player. Where the outcomes differ, a forest learns from
the state and the two actions which of them won more often.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning import forest_file
from ludex.agents.hearthstone.learning.forests import Arrays, curves, grow
from ludex.agents.hearthstone.learning.nora import MATCH_WORLD, Tell
from ludex.agents.hearthstone.learning.samples import numbers_of, world_model
from ludex.agents.hearthstone.learning.threads import in_order
from ludex.core.errors import BadParameter
from ludex.worlds.hearthstone.model import HearthstoneModel

CHUNK = 2_000  # decisions between two reports
LEAST = 15  # rows in the smallest leaf
SHARE = 0.3  # features looked at in each split
TEST_SHARE = 0.1


def try_decisions(
    pairs: int, seed: int, tell: Tell | None = None, workers: int = 1
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Rows of the decisions of the scripted player that made a difference, and which was better."""
    model, numbers = world_model(MATCH_WORLD), numbers_of(MATCH_WORLD)
    script = _native.Chooser.scripted()

    def part(first: int) -> tuple[Any, Any]:
        return _native.trials(model, script, numbers, seed, first, min(CHUNK, pairs - first))

    found = []
    for tried in in_order(part, range(0, pairs, CHUNK), workers):
        found.append(tried)
        if tell:
            done = min(pairs, CHUNK * len(found))
            tell(f"{done} decisions tried", done / pairs)
    rows, better = (np.concatenate([part[column] for part in found]) for column in (0, 1))
    return rows, better.astype(bool)


def learn(
    pairs: int, trees: int, seed: int, tell: Tell | None = None, workers: int = 1
) -> tuple[Arrays, dict[str, Any]]:
    """Try decisions and fit the forest; a tenth of the rows is held out for evaluation."""
    rows, better = try_decisions(pairs, seed, tell, workers)
    cut = max(2, int(len(better) * (1 - TEST_SHARE)))
    if len(set(better[:cut])) < 2 or cut >= len(better):
        raise BadParameter(f"{pairs} decisions are too few to learn from; try 1000 or more")
    if tell:
        tell("growing the forest", 1.0)
    forest = grow(rows[:cut], better[:cut], trees, seed, LEAST, SHARE, workers)
    judged = curves(better[cut:], forest.native().predict(rows[cut:])).areas()
    return forest, {"rows": len(better), **judged}


def chooser(
    model: HearthstoneModel, numbers: list[int], forest: Arrays, threshold: float
) -> _native.Chooser:
    """The scripted player with these corrections."""
    script = _native.Chooser.scripted()
    return _native.Chooser.corrected(model, script, forest.native(), numbers, threshold)


def save(path: Path, forest: Arrays, judged: dict[str, Any]) -> None:
    forest_file.write(path, "apprentice", {"better": forest}, {"judged": judged})

"""Backup rules of tree search, by name.

A path holds (bandit, place) pairs from the root down. Every bandit keeps the returns of its own
seat alone, which makes the search max^n for any number of seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from ludex.core.rollout import record_path
from ludex.planners.parts.bandit import Bandit

Path: TypeAlias = Sequence[tuple[Bandit, int]]
Backup: TypeAlias = Callable[[Path, Sequence[float]], None]
BackupName: TypeAlias = Literal["mean", "max"]


mean: Backup = record_path
"""Average the result into every action on the path (UCT)."""


def best(path: Path, returns: Sequence[float]) -> None:
    """Average in the result at the end of the path, and above it the best reply below.

    What an action learns of the node it leads to is the mean of that node's best action, not
    of the one that was tried this time, so exploring bad replies does not blur the value.
    """
    for bandit, place in reversed(path):
        bandit.record(place, returns[bandit.seat])
        vectors = bandit.vectors
        if place == len(vectors):
            vectors.append([0.0] * len(returns))
        vector = vectors[place]
        count = bandit.visits[place]
        for seat, value in enumerate(returns):
            vector[seat] += (value - vector[seat]) / count
        means = bandit.means
        returns = vectors[means.index(max(means))]


BACKUPS: dict[BackupName, Backup] = {"mean": mean, "max": best}

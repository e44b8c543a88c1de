"""Average ranks of the arms of an experiment, with the critical difference of Nemenyi's test."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.arena.statistics.comparisons import Friedman, friedman
from ludex.arena.statistics.ranking import shared_places
from ludex.arena.statistics.results import Row, mean_score, win_rate
from ludex.core.errors import BadParameter
from ludex.experiments.experiment import Arm


@dataclass(frozen=True, slots=True)
class Ranks:
    """Average ranks of arms over blocks, which are games or levels."""

    blocks: str
    """what the blocks are"""
    arms: tuple[str, ...]
    found: Friedman | None = None
    reason: str = ""
    """why there are no ranks"""

    def order(self) -> list[tuple[str, float]]:
        """Arms with their average rank, best first."""
        assert self.found is not None
        pairs = zip(self.arms, self.found.mean_ranks, strict=True)
        return sorted(pairs, key=lambda pair: pair[1])

    def document(self) -> dict[str, Any]:
        """The ranks as plain values."""
        if self.found is None:
            return {"blocks": self.blocks, "reason": self.reason}
        return {
            "blocks": self.blocks,
            "count": self.found.blocks,
            "critical_difference": self.found.critical_difference,
            "p": self.found.p,
            "ranks": dict(self.order()),
        }


def average_ranks(arms: Sequence[Arm], rows: Sequence[Row]) -> Iterator[Ranks]:
    """Rank the arms over games, then over levels: the source does not say which it means."""
    labels = tuple(arm.label for arm in arms)
    blocks: dict[str, Callable[[Row], Hashable]] = {
        "games": lambda row: row.game,
        "levels": lambda row: (row.game, row.level),
    }
    for name, block_of in blocks.items():
        try:
            yield Ranks(name, labels, friedman(ranks_by_block(labels, rows, block_of)))
        except BadParameter as error:
            yield Ranks(name, labels, reason=str(error))


def ranks_by_block(
    labels: Sequence[str], rows: Sequence[Row], block_of: Callable[[Row], Hashable]
) -> list[list[int]]:
    """The rank of each arm in each block: by games won, then by mean score."""
    blocks: dict[Hashable, dict[str, list[Row]]] = {}
    for row in rows:
        blocks.setdefault(block_of(row), {}).setdefault(row.agent, []).append(row)
    return [
        shared_places([(-win_rate(found[label]), -mean_score(found[label])) for label in labels])
        for found in blocks.values()
    ]

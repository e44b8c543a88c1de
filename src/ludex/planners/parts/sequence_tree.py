"""The statistical tree of rolling-horizon evolution: statistics of all evaluated sequences."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ludex.planners.parts.sequences import Gene


class SequenceTree:
    """A sequence of actions, with the visits and the total value of all that began like it."""

    __slots__ = ("children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[Gene, SequenceTree] = {}

    def insert(self, genome: Iterable[Gene], value: float) -> None:
        """Back a value up along the path of a sequence."""
        node = self
        node.visits += 1
        node.total += value
        for gene in genome:
            if gene is None:
                return  # play ended before it was drawn
            child = node.children.get(gene)
            if child is None:
                child = node.children[gene] = SequenceTree()
            node = child
            node.visits += 1
            node.total += value

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else -inf

"""The statistical tree of rolling-horizon evolution: statistics of all evaluated sequences."""

from __future__ import annotations

from collections.abc import Iterable

from ludex.core.model import Action
from ludex.planners.parts.sequences import Gene

MOST_NODES = 250_000  # beyond these, statistics go on in those that exist


class SequenceTree:
    """Sequences of actions, with the visits and the total value of all that began like them."""

    def __init__(self, root: SequenceStatistics | None = None) -> None:
        self.root = root or SequenceStatistics()
        self.size = self.root.count()

    def insert(self, genome: Iterable[Gene], value: float) -> None:
        """Back a value up along the path of a sequence, as far as its genes are drawn."""
        node = self.root
        node.record(value)
        for gene in genome:
            child = node.children.get(gene)
            if child is None:
                if gene is None or self.size >= MOST_NODES:
                    return
                child = node.children[gene] = SequenceStatistics()
                self.size += 1
            node = child
            node.record(value)

    def firsts(self) -> dict[Action, tuple[int, float]]:
        """The visits and the mean value of each first action."""
        return {
            action: (child.visits, child.total / child.visits)
            for action, child in self.root.children.items()
        }

    def after(self, action: Action) -> SequenceTree | None:
        """The tree of what follows an action."""
        child = self.root.children.get(action)
        return None if child is None else SequenceTree(child)


class SequenceStatistics:
    """A node: one sequence of actions."""

    __slots__ = ("children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.children: dict[Action, SequenceStatistics] = {}

    def record(self, value: float) -> None:
        self.visits += 1
        self.total += value

    def count(self) -> int:
        """Nodes from here on."""
        listed = [self]
        for node in listed:  # grows on the way
            listed += node.children.values()
        return len(listed)

"""The base of tree searches: counters of a growing tree, and the decision made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol

from ludex.core.decision import Decision
from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.core.twin import NativeTree
from ludex.core.view import View
from ludex.planners.parts.recommendation import RecommendationName, Values, Visits, decide


class Growth:
    """The base of trees: their size, their iterations, and the range of returns seen."""

    def __init__(self) -> None:
        self.size = 1
        self.refused = 0  # nodes not added for want of room
        self.iterations = 0
        self.depth = 0
        self.low, self.high = inf, -inf
        self.span = 1.0
        """by which bonuses are scaled; 1 while all returns are equal, so that they still count"""

    def take_counters(self, tree: NativeTree) -> None:
        """Take over what a native search has counted."""
        self.size, self.refused = tree.size, tree.refused
        self.iterations, self.depth = tree.iterations, tree.depth
        self.low, self.high, self.span = tree.low, tree.high, tree.span

    def note(self, returns: Sequence[float], depth: int) -> None:
        """Count an iteration that came to these returns."""
        for value in returns:
            if not self.low <= value <= self.high:
                self.low, self.high = min(self.low, value), max(self.high, value)
                self.span = self.high - self.low or 1.0
        if depth > self.depth:
            self.depth = depth
        self.iterations += 1

    def has_room(self, most: int) -> bool:
        """Whether another node may be added; counts those that may not."""
        if self.size < most:
            self.size += 1
            return True
        self.refused += 1
        return False

    def answer(
        self,
        final: RecommendationName,
        view: View,
        visits: Visits,
        values: Values,
        rng: Rng,
        **more: Any,
    ) -> Decision:
        """Choose by the rule among the tried actions, with the evidence of the tree."""
        notes = {"tree_size": self.size} | ({"refused": self.refused} if self.refused else {})
        action = decide(final, view.legal, visits, values, rng)
        return answered(self, action, visits, values, notes | more)


class Counted(Protocol):
    """A search that counts its iterations and how deep they went."""

    iterations: int
    depth: int


def answered(
    search: Counted, action: Action, visits: Visits, values: Values, notes: Mapping[str, Any]
) -> Decision:
    """The decision of a search, with its evidence."""
    return Decision(
        action=action,
        visits=visits,
        values=values,
        iterations=search.iterations,
        depth=search.depth,
        notes=notes,
    )


def forced(view: View) -> Decision | None:
    """The decision where there is nothing to decide."""
    if len(view.legal) > 1:
        return None
    action: Action = view.legal[0]
    return Decision(action=action, notes={"forced": True})

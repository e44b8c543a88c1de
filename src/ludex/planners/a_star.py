"""A* search: the shortest path to a win, guided by a heuristic."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, ClassVar

from ludex.core.parameters import AtLeast
from ludex.planners.parts.forward import ForwardNode, ForwardSearch, GuidedPlanner


@dataclass(frozen=True, kw_only=True)
class AStar(GuidedPlanner):
    """A*: expands the state with the least path cost plus heuristic estimate of what is left.

    The heuristic is `model.distance`, or a function of one's own. Where it is admissible, the
    first win taken from the queue is a nearest one. Without a win in reach, the state of highest
    gain is chosen and, among equals, the one with the lowest estimate.
    """

    twin: ClassVar[str | None] = "a_star"
    LIMITS: ClassVar[Mapping[str, Any]] = {**GuidedPlanner.LIMITS, "weight": AtLeast(0)}

    weight: float = 1.0
    """weight of the heuristic; 0: uniform-cost search, above 1: weighted A*"""

    def explore(self, search: ForwardSearch) -> None:
        pushed = 0
        heap: list[tuple[float, float, int, ForwardNode]] = [(0.0, 0.0, 0, search.root)]
        reached: dict[Hashable, int] = {search.root.key: 0}
        while heap:
            node = heappop(heap)[-1]
            if node.is_won:
                return
            if reached[node.key] < node.depth:
                continue  # a shorter way to it was found since
            for child in search.expand(node):
                if reached.get(child.key, child.depth + 1) <= child.depth:
                    continue
                reached[child.key] = child.depth
                search.keep(child)
                pushed += 1
                cost = child.depth + self.weight * child.hint
                heappush(heap, (cost, child.hint, pushed, child))

"""Greedy best-first search through states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heappop, heappush

from ludex.planners.parts.forward import ForwardNode, ForwardPlanner, ForwardSearch


@dataclass(frozen=True, kw_only=True)
class BestFirst(ForwardPlanner):
    """Greedy best-first search: expands the state of highest gain, then the nearest to a win."""

    def explore(self, search: ForwardSearch) -> None:
        pushed = 0
        heap: list[tuple[float, float, int, ForwardNode]] = [(0.0, 0.0, 0, search.root)]
        seen: set[Hashable] = {search.root.key}
        search.hold(heap, seen)
        while heap:
            node = heappop(heap)[-1]
            for child in search.expand_unseen([node], seen):
                if child.is_won:
                    return
                pushed += 1
                heappush(heap, (-child.gain, child.hint, pushed, child))

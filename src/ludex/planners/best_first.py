"""Greedy best-first search through states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import ClassVar

from ludex.planners.parts.forward import ForwardNode, ForwardSearch, GuidedPlanner


@dataclass(frozen=True, kw_only=True)
class BestFirst(GuidedPlanner):
    """Greedy best-first search: expands the state of highest gain, then the nearest to a win."""

    twin: ClassVar[str | None] = "best_first"

    def explore(self, search: ForwardSearch) -> None:
        pushed = 0
        heap: list[tuple[float, float, int, ForwardNode]] = [(0.0, 0.0, 0, search.root)]
        seen: set[Hashable] = {search.root.key}
        while heap:
            for child in search.expand(heappop(heap)[-1]):
                if child.key in seen:
                    continue
                seen.add(child.key)
                search.keep(child)
                if child.is_won:
                    return
                pushed += 1
                heappush(heap, (-child.gain, child.hint, pushed, child))

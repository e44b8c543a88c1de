"""Greedy best-first search through states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import ClassVar

from ludex.core.model import Model
from ludex.core.state import State
from ludex.planners.parts.forward import ForwardNode, ForwardPlanner, ForwardSearch


@dataclass(frozen=True, kw_only=True)
class BestFirst(ForwardPlanner):
    """Greedy best-first search: expands the state of highest gain, then the nearest to a win."""

    twin: ClassVar[str | None] = "best_first"

    def guess(self, model: Model, state: State, seat: int) -> float:
        return model.distance(state, seat)

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

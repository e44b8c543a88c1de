"""Breadth-first search through states, with duplicate detection."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from ludex.planners.parts.forward import ForwardPlanner, ForwardSearch


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(ForwardPlanner):
    """Breadth-first search through states, layer by layer, without duplicates.

    A state that was reached before with as high a gain is not looked at again, which in a maze
    prunes every step against a wall.
    """

    twin: ClassVar[str | None] = "breadth_first"

    prune: bool = True
    """drop states that were reached before with as high a gain"""

    def explore(self, search: ForwardSearch) -> None:
        queue = deque([search.root])
        seen: dict[Hashable, int] = {search.root.key: 0}
        while queue:
            for child in search.expand(queue.popleft()):
                gain = search.rounded(child)
                if self.prune and seen.get(child.key, gain - 1) >= gain:
                    continue
                seen[child.key] = gain
                search.keep(child)
                queue.append(child)
                if child.is_won:  # as near as any: layers come in order
                    return

"""Breadth-first search through states, without looking at the same one twice."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from ludex.planners.parts.forward import ForwardPlanner, Search


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(ForwardPlanner):
    """Looks at all states one action away, then two, and so on, and drops duplicates.

    A state that was reached before with the same gain is not looked at again, which in a maze
    prunes every step against a wall.
    """

    prune: bool = True
    """drop states that were reached before with the same gain"""

    def explore(self, search: Search) -> None:
        queue = deque([search.root])
        seen = {search.same(search.root)}
        search.hold(queue, seen)
        while queue:
            for child in search.expand(queue.popleft()):
                same = search.same(child)
                if self.prune and same in seen:
                    continue
                seen.add(same)
                search.keep(child)
                queue.append(child)
                if child.is_won:  # as near as any: layers come in order
                    return

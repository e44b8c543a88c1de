"""Iterated width: breadth-first search that only goes on where something is new."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core.parameters import Between
from ludex.planners.parts.forward import ForwardPlanner, Node, Search


@dataclass(frozen=True, kw_only=True)
class IteratedWidth(ForwardPlanner):
    """IW(1), then IW(2): drops every state in which no fact, or pair of facts, is new.

    The facts are `model.features`. IW(1) looks at no more states than there are facts, so it
    goes deep at once; IW(2) looks at no more than there are pairs of them.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ForwardPlanner.LIMITS,
        "least_width": Between(1, 2),
        "width": Between(1, 2),
    }

    least_width: int = 1
    """the width of the first search"""
    width: int = 2
    """the width of the last search; the next one begins where the one before found no win"""

    def explore(self, search: Search) -> None:
        for width in range(self.least_width, self.width + 1):
            if self.search_with(width, search):
                return

    def search_with(self, width: int, search: Search) -> bool:
        """Run IW(width); True when a win was found."""
        facts: dict[Node, frozenset[Hashable]] = {search.root: self.facts(search, search.root)}
        seen: set[Hashable] = set()
        is_novel(facts[search.root], facts[search.root], seen, width)
        queue = deque([search.root])
        search.hold(queue, seen, facts)
        while queue:
            node = queue.popleft()
            before = facts.pop(node)
            for child in search.expand(node):
                now = self.facts(search, child)
                # What held before the action was seen before, and so were its pairs.
                if child.is_won or is_novel(now, now - before, seen, width):
                    search.keep(child)
                    if child.is_won:
                        return True
                    queue.append(child)
                    facts[child] = now
        return False

    def facts(self, search: Search, node: Node) -> frozenset[Hashable]:
        return frozenset(search.model.features(node.state))


def is_novel(
    facts: frozenset[Hashable], fresh: Iterable[Hashable], seen: set[Hashable], width: int
) -> bool:
    """Whether some fact, or with width 2 some pair with a fresh fact, is seen for the first time.

    >>> seen = set()
    >>> [is_novel(frozenset(facts), facts, seen, 1) for facts in ("ab", "ba", "bc", "ac")]
    [True, False, True, False]
    >>> seen = set()
    >>> [is_novel(frozenset(facts), facts, seen, 2) for facts in ("ab", "ba", "bc", "ac")]
    [True, False, True, True]
    """
    before = len(seen)
    if width == 1:
        seen.update(fresh)
    else:
        for one in fresh:
            seen.update(frozenset((one, other)) for other in facts)
    return len(seen) > before

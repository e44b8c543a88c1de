"""Beam search: breadth-first search that keeps the best states of each layer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core.parameters import AtLeast
from ludex.planners.parts.forward import ForwardNode, ForwardSearch, GuidedPlanner


@dataclass(frozen=True, kw_only=True)
class Beam(GuidedPlanner):
    """Beam search: expands the best `width` states of each layer and prunes the others.

    When the depth is reached and budget is left, it begins again with twice the width.
    """

    twin: ClassVar[str | None] = "beam"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        **GuidedPlanner.LIMITS,
        "width": AtLeast(1),
        "max_depth": AtLeast(1),
    }

    width: int = 16
    """states kept of each layer"""
    max_depth: int = 30
    """layers looked at"""
    widen: bool = True
    """begin again with twice the width when the last layer was reached"""

    def explore(self, search: ForwardSearch) -> None:
        width = self.width
        while not self.search_with(width, search) and self.widen:
            width *= 2

    def search_with(self, width: int, search: ForwardSearch) -> bool:
        """Go through the layers; True when a win was found or no state was left out."""
        layer = [search.root]
        seen: set[Hashable] = {search.root.key}
        is_whole = True
        for _ in range(self.max_depth):
            children: list[ForwardNode] = []
            for node in layer:
                for child in search.expand(node):
                    if child.key in seen:
                        continue
                    seen.add(child.key)
                    search.keep(child)
                    if child.is_won:
                        return True
                    children.append(child)
            if not children:
                break
            children.sort(key=search.order, reverse=True)  # equals stay in the order of tries
            is_whole = is_whole and len(children) <= width
            layer = children[:width]
        return is_whole

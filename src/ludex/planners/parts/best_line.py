"""The principal variation of a tree search, for viewers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from ludex.core.model import Action
from ludex.core.notes import LONGEST_LINE, Line

Way: TypeAlias = tuple[Action, float, Any]
"""An action at a node, how often it was tried, and the node that it leads to (or None)."""


def best_line(root: Any, ways: Callable[[Any], Iterable[Way]], first: Action | None = None) -> Line:
    """The action that is played, then always the one tried most, as far as the tree goes.

    Without a first action, that one is the one tried most, too.
    """
    moves: list[Action] = []
    node = root
    if first is not None:
        moves.append(first)
        node = next((after for action, _, after in ways(root) if action == first), None)
    while node is not None and len(moves) < LONGEST_LINE:
        tried = [way for way in ways(node) if way[1] > 0]
        if not tried:
            break
        action, _, node = max(tried, key=lambda way: way[1])
        moves.append(action)
    return Line(tuple(moves))

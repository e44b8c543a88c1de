"""The decision of a planner: an action with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An action with its evidence: visits, values, costs; reports and viewers read it."""

    action: Hashable
    visits: Mapping[Hashable, int] | None = None
    """how often each action of the root was tried"""
    values: Mapping[Hashable, float] | None = None
    """the estimated return of each action of the root, for the deciding seat"""
    iterations: int = 0
    model_calls: int = 0
    depth: int = 0
    """the deepest decision looked at, counted from the root"""
    elapsed_ms: float = 0.0
    """wall time"""
    cpu_ms: float = 0.0
    predicted: Any = None
    """the state the planner expects next"""
    confidence: float | None = None
    """how sure the model is of `predicted`, 0 to 1"""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """anything else worth showing, by name, that costs next to nothing"""
    thoughts: Callable[[], Mapping[str, Any]] | None = field(
        default=None, compare=False, repr=False
    )
    """more notes, of the kinds in `core.notes`, worked out for those who watch: after the time of
    this decision and before the next. It must change nothing that a decision depends on."""

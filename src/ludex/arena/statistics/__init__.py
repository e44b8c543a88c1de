"""Statistics of matches: intervals, tests, ratings and rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.arena.statistics.comparisons import corrected, mann_whitney, z_test
    from ludex.arena.statistics.results import mean_score, read_results, win_rate

__all__ = ["corrected", "mann_whitney", "mean_score", "read_results", "win_rate", "z_test"]

MODULES = {
    "corrected": "ludex.arena.statistics.comparisons",
    "mann_whitney": "ludex.arena.statistics.comparisons",
    "mean_score": "ludex.arena.statistics.results",
    "read_results": "ludex.arena.statistics.results",
    "win_rate": "ludex.arena.statistics.results",
    "z_test": "ludex.arena.statistics.comparisons",
}
__getattr__ = lazy(__name__, MODULES)

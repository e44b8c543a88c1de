"""One match: its driver, seats, streams of chance, rules and replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.arena.match.runner import MatchResult, play_match
    from ludex.arena.match.session import Session

__all__ = ["MatchResult", "Session", "play_match"]

MODULES = {
    "MatchResult": "ludex.arena.match.runner",
    "Session": "ludex.arena.match.session",
    "play_match": "ludex.arena.match.runner",
}
__getattr__ = lazy(__name__, MODULES)

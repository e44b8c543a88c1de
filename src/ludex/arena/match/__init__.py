"""One match: the game and its drivers, seats, streams of chance, rules and replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.arena.match.game import Game
    from ludex.arena.match.runner import MatchResult, play_match, run_match
    from ludex.arena.match.session import Session
    from ludex.arena.match.setup import MatchSetup

__all__ = ["Game", "MatchResult", "MatchSetup", "Session", "play_match", "run_match"]

MODULES = {
    "Game": "ludex.arena.match.game",
    "MatchResult": "ludex.arena.match.runner",
    "MatchSetup": "ludex.arena.match.setup",
    "Session": "ludex.arena.match.session",
    "play_match": "ludex.arena.match.runner",
    "run_match": "ludex.arena.match.runner",
}
__getattr__ = lazy(__name__, MODULES)

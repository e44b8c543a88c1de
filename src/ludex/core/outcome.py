"""The outcome of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: who won, what each seat got, and why.

    >>> Outcome(winners=(1,), returns=(-1.0, 1.0), reason="took the last match")
    Outcome(winners=(1,), returns=(-1.0, 1.0), reason='took the last match', truncated=False)
    """

    winners: tuple[int, ...]
    """seats, ascending; several in a cooperative game, none when all lost or drew"""
    returns: tuple[float, ...]
    """one number per seat"""
    reason: str
    truncated: bool = False
    """stopped by a limit of ours, not by the rules"""

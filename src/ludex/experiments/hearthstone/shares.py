"""Win and draw rates in per cent, with Wilson intervals."""

from __future__ import annotations

from ludex.agents.hearthstone.learning.matches import MatchTally
from ludex.arena.statistics.intervals import wilson
from ludex.experiments.survey import Reading


def share(
    experiment: str, what: str, printed: float | None, hits: int, cases: int, note: str = ""
) -> Reading:
    """A share in per cent, with the 95 % Wilson interval."""
    low, high = (100 * bound for bound in wilson(hits, cases))
    percent = 100 * hits / cases
    return Reading(experiment, what, printed, percent, note, interval=(low, high), cases=cases)


def won(
    experiment: str, what: str, printed: float | None, tally: MatchTally, note: str = ""
) -> Reading:
    return share(experiment, f"{what}, % won", printed, tally.won, tally.games, note)


def drawn(experiment: str, what: str, printed: float | None, tally: MatchTally) -> Reading:
    return share(experiment, f"{what}, % drawn", printed, tally.drawn, tally.games)

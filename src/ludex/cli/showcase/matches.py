"""The matches of the show: played by one pool of workers, and counted into rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ludex.cli.showcase.programme import Act, seated

if TYPE_CHECKING:
    from ludex.arena.match.runner import MatchResult
    from ludex.arena.statistics.intervals import Tally
    from ludex.arena.study.tournament import SeriesSetup
    from ludex.core.world import World

SEED = 1
Interval = tuple[float, float]


def play_all(acts: Sequence[tuple[World, Act]], workers: int) -> Iterator[MatchResult]:
    """Play the matches of all acts, line by line; the workers start only once."""
    from ludex.arena.processes.pool import Call, in_order
    from ludex.arena.study.tournament import packed, play_packed

    series = [one for world, act in acts for one in series_of(world, act)]
    tasks = [(number, index) for number, one in enumerate(series) for index in range(one.games)]
    if workers == 1:
        return (series[number].play(index) for number, index in tasks)
    parcels = [packed(one) for one in series]

    def call(task: int, has_killed: bool) -> Call:
        number, index = tasks[task]
        return play_packed, {**parcels[number], "index": index, "isolate": has_killed}

    return in_order(call, range(len(tasks)), workers)


def series_of(world: World, act: Act) -> Iterator[SeriesSetup]:
    """The matches of each line, with the seats in turn."""
    from dataclasses import replace

    from ludex.arena.match.setup import MatchSetup, as_budget
    from ludex.arena.study.tournament import SeriesSetup

    for line in act.lines:
        setup = MatchSetup(
            world=world, agents=seated(world, line), seed=SEED, budget=as_budget(act.budget)
        )
        series = SeriesSetup(setup, act.games, rotate=True)
        yield replace(series, match=series.match.made()).with_secret()


def rows_of(
    world: World, act: Act, results: Sequence[Sequence[MatchResult]]
) -> list[dict[str, Any]]:
    """How the first agent of each line fared against the others, or alone beside the others."""
    from ludex.arena.statistics.intervals import tally

    tallies = [tally(found) for found in results]
    if world.traits.seats == 1:
        verdicts = verdicts_alone([interval(one[0], act.by) for one in tallies])
    else:
        verdicts = [verdict([interval(one, act.by) for one in found]) for found in tallies]
    return [
        row_of(world, act, found, counted, word)
        for found, counted, word in zip(results, tallies, verdicts, strict=True)
    ]


def row_of(
    world: World, act: Act, results: Sequence[MatchResult], tallies: Sequence[Tally], word: str
) -> dict[str, Any]:
    first = tallies[0]
    seats = [result.entrants.index(0) for result in results]
    scores = [result.scores[seat] for result, seat in zip(results, seats, strict=True)]
    return {
        "world": str(world),
        "agents": [one.agent for one in tallies],
        "budget": act.budget,
        "games": first.games,
        "wins": [one.wins for one in tallies],
        "ties": first.ties,
        "intervals": [list(one.win_interval) for one in tallies],
        "mean_return": first.mean_return,
        "return_interval": list(first.return_interval) if first.games > 1 else None,
        "mean_score": sum(scores) / len(scores),
        "by": act.by,
        "verdict": word,
        "ticks": sum(result.ticks for result in results) / len(results),
        "faults": sum(one.faults for one in tallies),
    }


def interval(one: Tally, by: str) -> Interval:
    """The 95 % range of what decides."""
    return one.return_interval if by == "return" else one.win_interval


def verdict(intervals: Sequence[Interval]) -> str:
    """Whether the first agent does better or worse than all others; unclear if ranges overlap.

    >>> verdict([(0.6, 0.9), (0.1, 0.4)]), verdict([(0.4, 0.7), (0.3, 0.6)])
    ('ahead', 'unclear')
    """
    (low, high), *rivals = intervals
    if not rivals:
        return "alone"
    if low > max(most for _, most in rivals):
        return "ahead"
    return "behind" if high < max(least for least, _ in rivals) else "unclear"


def verdicts_alone(intervals: Sequence[Interval]) -> list[str]:
    """The same for agents that each play alone: the first beside all others, others beside it.

    >>> verdicts_alone([(0.7, 1.0), (0.0, 0.3), (0.5, 0.8)])
    ['unclear', 'behind', 'unclear']
    """
    first = intervals[0]
    return [verdict(intervals), *(verdict([one, first]) for one in intervals[1:])]

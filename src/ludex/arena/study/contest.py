"""A contest of two agents in pairs of matches, stopped by a sequential test (SPRT).

A pair gives both the same chances. In a world of two seats they play each other twice, with
sides swapped and the same seed; the result is the mean of what the first agent got. In other
worlds each plays the same match in the same seat, with the other one in all other seats; the
result says who did better: by winning, then by return, then by score.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from ludex.agents.compose import make_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MatchResult
from ludex.arena.match.setup import MatchSetup, as_world
from ludex.arena.processes.pool import Call, in_order
from ludex.arena.statistics.sprt import Sprt
from ludex.arena.study.run import Played, Refused, is_file_agent, play_job
from ludex.arena.study.tournament import match_seed, seating
from ludex.core.budget import Budget
from ludex.core.capabilities import is_human
from ludex.core.errors import BadParameter, LudexError
from ludex.core.planner import Planner


@dataclass(frozen=True)
class Contest:
    """What is played; the result of each pair follows from it and the number of the pair."""

    first: str
    second: str
    world: str
    budget: str = "40ms"
    seed: int = 0
    rules: MatchRules = field(default_factory=MatchRules)

    def __post_init__(self) -> None:
        Budget.parse(self.budget)
        traits = as_world(self.world).traits  # by name: workers must find it, too
        for text in (self.first, self.second):
            agent = make_agent(text, broken_too=False)
            if is_human(agent):
                raise BadParameter(f"{text!r} plays at the terminal, not in a test")
            if isinstance(agent, Planner):
                agent.check(traits)

    @property
    def seats(self) -> int:
        return as_world(self.world).traits.seats

    def play(self, first: int, pairs: int, workers: int) -> Iterator[float]:
        """The results of pairs `first` to `pairs` - 1, in order."""
        games = in_order(self.call, range(2 * first, 2 * pairs), workers)
        for pair in range(first, pairs):
            one, other = checked(next(games)), checked(next(games))
            yield self.result(one, other, self.places(pair).index(0))

    def call(self, number: int, has_killed: bool) -> Call:
        """One match of a pair: the even ones are the first agent's."""
        pair, is_second = divmod(number, 2)
        mine, rival = (self.second, self.first) if is_second else (self.first, self.second)
        seated = [mine if place == 0 else rival for place in self.places(pair)]
        setup = MatchSetup(
            world=self.world,
            agents=seated,
            seed=match_seed(self.seed, pair),
            budget=Budget.parse(self.budget),
            rules=self.rules,
            isolate=has_killed or any(is_file_agent(text) for text in seated),
            refusals_lose=True,
        )
        return play_job, {"setup": setup}

    def places(self, pair: int) -> tuple[int, ...]:
        """Who sits where in a pair; 0 is the agent whose match it is."""
        return seating(self.seats, pair, rotate=True)

    def result(self, one: MatchResult, other: MatchResult, seat: int) -> float:
        """What the first agent got of a pair; `seat` is where each sat in its own match."""
        if self.seats == 2:
            return (result_at(one, seat) + result_at(other, 1 - seat)) / 2
        mine, theirs = merit(one, seat), merit(other, seat)
        return 0.5 if mine == theirs else float(mine > theirs)


def checked(answer: Played | Refused) -> MatchResult:
    if isinstance(answer, Refused):
        raise LudexError(answer.reason)
    return answer.result


def result_at(match: MatchResult, seat: int) -> float:
    """1 for a win, 0.5 where nobody won, 0 for a loss."""
    return float(seat in match.winners) if match.winners else 0.5


def merit(match: MatchResult, seat: int) -> tuple[bool, float, float]:
    """What makes a match better than another: to win it, then its return, then its score."""
    return seat in match.winners, match.returns[seat], match.scores[seat]


def hold(
    contest: Contest, test: Sprt, most_pairs: int, workers: int, notes: Path | None = None
) -> Iterator[Sprt]:
    """Play pairs until the test has a verdict, and yield it after each.

    Results are kept in the file of notes, if there is one, and a later test with the same
    agents, world, budget and seed begins with them.
    """
    kept = Notes(notes, contest) if notes is not None else None
    known = kept.results[:most_pairs] if kept else []
    for number, result in enumerate(chain(known, contest.play(len(known), most_pairs, workers))):
        test.add(result)
        if kept and number >= len(known):
            kept.add(result)
        yield test
        if test.is_decided:
            return


def with_usual_rules(head: str) -> Any:
    """The first line of notes; rules that ludex did not have when it was written are as usual."""
    try:
        told = json.loads(head)
        return {**told, "rules": {**asdict(MatchRules()), **told["rules"]}}
    except (ValueError, TypeError, KeyError):
        return None


class Notes:
    """A file of results: a line that says of what, then a line for each pair."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        head = json.dumps(asdict(contest))
        known = json.loads(head)
        self.results: list[float] = []
        try:
            if not path.exists():
                path.write_text(head + "\n")
            # A line that a kill cut short has no end; it is played again.
            first, *lines = path.read_text().split("\n")[:-1]
            self.results = [float(line) for line in lines]
        except OSError as error:
            raise LudexError(f"cannot use {str(path)!r}: {error.strerror}") from None
        except ValueError:
            raise BadParameter(f"{str(path)!r} does not hold notes of a test") from None
        if with_usual_rules(first) != known:
            raise BadParameter(
                f"{str(path)!r} holds notes of another test; give another file, or delete it"
            )
        path.write_text("\n".join([head, *map(str, self.results)]) + "\n")

    def add(self, result: float) -> None:
        try:
            with self.path.open("a") as file:
                file.write(f"{result}\n")
        except OSError as error:
            raise LudexError(f"cannot write {str(self.path)!r}: {error.strerror}") from None

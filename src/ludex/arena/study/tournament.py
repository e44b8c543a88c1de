"""Many matches, in parallel, with the same results whatever the number of workers."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ludex.agents.compose import as_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MatchResult, run_match
from ludex.arena.match.setup import MatchSetup, as_budget, as_world
from ludex.arena.match.streams import process_secret, secret_of_match
from ludex.arena.match.watcher import Watcher
from ludex.arena.processes.child import pack_world, unpack_world
from ludex.arena.processes.pool import Call, in_order
from ludex.arena.processes.process import pack_agent
from ludex.arena.statistics.intervals import Tally, tally
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.capabilities import is_human
from ludex.core.errors import BadParameter
from ludex.core.planner import Agent
from ludex.core.rng import Rng
from ludex.core.world import World


@dataclass(frozen=True)
class Series:
    """Finished matches of one series, in order."""

    matches: tuple[MatchResult, ...]

    @cached_property
    def tallies(self) -> list[Tally]:
        """Each agent's wins, ties and returns, in the order in which the agents were given."""
        return tally(self.matches)

    @property
    def wins(self) -> tuple[int, ...]:
        return tuple(one.wins for one in self.tallies)

    @property
    def repeatable(self) -> bool:
        return all(match.repeatable for match in self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __iter__(self) -> Iterator[MatchResult]:
        return iter(self.matches)


def match_seed(seed: int, index: int) -> int:
    """The seed of one match of a series; `play_match` with it repeats that match alone."""
    return Rng(seed).fork("match", index).bits() >> 1


def seating(seats: int, index: int, rotate: bool) -> tuple[int, ...]:
    """Which agent sits where in one match.

    >>> [seating(3, index, rotate=True) for index in range(3)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    shift = index if rotate else 0
    return tuple((seat + shift) % seats for seat in range(seats))


def play_many(
    world: World | str,
    agents: Sequence[Agent | str],
    *,
    games: int,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    workers: int = 1,
    isolate: bool | None = None,
    rotate: bool = False,
    state: Any = None,
    rules: MatchRules | None = None,
    first: int = 0,
    keep_thoughts: bool = False,
    secret: str | None = None,
) -> Iterator[MatchResult]:
    """Play matches `first` to `games` - 1 and yield their results in order.

    Each match has a seed of its own, derived from `seed` and its number alone. A worker that
    dies is replaced and its match repeated with isolated agents, so that the fault is put
    down to the seat that caused it. Closing the iterator ends all workers.

    Args:
        world: A world or its text.
        agents: One agent or its text for each seat.
        games: How many matches the series has.
        seed: All that is random follows from it.
        budget: What each decision may cost.
        workers: Processes to play in; 1 plays in this one.
        isolate: Give each agent a process of its own; None: only agents in files.
        rotate: Move every agent one seat on from match to match.
        state: Where to start; None for the world's own start.
        rules: Limits, and what happens to a seat that breaks them.
        first: The first match to play, to go on with a series.
        keep_thoughts: Write into the records what agents show of their thinking.
        secret: The secrets of the matches follow from it; None: it is drawn where isolated agents
            from outside the package play, and none is needed elsewhere.
    """
    setup = MatchSetup(
        world=world,
        agents=agents,
        seed=seed,
        budget=as_budget(budget),
        start=state,
        rules=rules or MatchRules(),
        isolate=isolate,
        secret=secret,
        keep_thoughts=keep_thoughts,
    )
    return run_series(SeriesSetup(setup, games, rotate), workers, first)


@dataclass(frozen=True)
class SeriesSetup:
    """Matches that have everything in common but seeds, secrets and, with `rotate`, the seats."""

    match: MatchSetup
    """its seed, and its secret if there is one, are those that the seeds and secrets of all
    matches follow from"""
    games: int
    rotate: bool = False

    def with_secret(self) -> SeriesSetup:
        """The same with a secret where one is needed."""
        if not self.match.needs_secret:
            return self
        return replace(self, match=replace(self.match, secret=process_secret()))

    def entrants(self, index: int) -> tuple[int, ...]:
        """Which agent sits where in one match."""
        return seating(len(self.match.agents), index, self.rotate)

    def setup_of(self, index: int) -> MatchSetup:
        """The setup of one match."""
        common = self.match
        seed = match_seed(common.seed, index)
        return replace(
            common,
            agents=[common.agents[entrant] for entrant in self.entrants(index)],
            seed=seed,
            secret=None if common.secret is None else secret_of_match(common.secret, seed),
        )

    def play(self, index: int, watchers: Sequence[Watcher] = ()) -> MatchResult:
        result = run_match(self.setup_of(index), watchers)
        return replace(result, index=index, entrants=self.entrants(index))


def run_series(series: SeriesSetup, workers: int = 1, first: int = 0) -> Iterator[MatchResult]:
    """Play the matches of a series from `first` on, as `play_many` does."""
    games = series.games
    if games < 1 or not 0 <= first <= games:
        raise BadParameter(f"a series has at least 1 game, got {games!r} (from {first!r})")
    if workers < 1:
        raise BadParameter(f"workers must be at least 1, got {workers!r}")
    series = replace(series, match=series.match.made()).with_secret()
    # A function of its own, so that mistakes are raised now and not at the first match.
    at_terminal = any(map(is_human, series.match.agents))
    if workers == 1 or games - first == 1 or at_terminal:
        return (series.play(index) for index in range(first, games))
    return in_parallel(series, range(first, games), min(workers, games - first))


def packed(series: SeriesSetup) -> dict[str, Any]:
    """A series for another process, which makes the world and the agents by itself."""
    match = series.match
    return {
        "series": replace(series, match=replace(match, world="", agents=())),
        "world": pack_world(as_world(match.world)),
        "agents": [pack_agent(as_agent(agent)) for agent in match.agents],
    }


def play_packed(
    series: SeriesSetup, world: Any, agents: Sequence[bytes], index: int, isolate: bool
) -> MatchResult:
    """Play one match of a packed series; this runs in a worker."""
    made = replace(
        series.match,
        world=unpack_world(world),
        agents=[pickle.loads(agent) for agent in agents],
        isolate=isolate or series.match.isolate,
    )
    return replace(series, match=made).play(index)


def in_parallel(series: SeriesSetup, indices: range, workers: int) -> Iterator[MatchResult]:
    """Hand out matches to workers, and yield results in order."""
    common = packed(series)

    def call(index: int, has_killed: bool) -> Call:
        return play_packed, {**common, "index": index, "isolate": has_killed}

    return in_order(call, indices, workers)

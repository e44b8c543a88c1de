"""Many matches, in parallel, with the same results whatever the number of workers."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ludex.agents.compose import as_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MatchResult, as_budget, as_world, play_match
from ludex.arena.match.streams import needs_secret, process_secret, read_secret, secret_of_match
from ludex.arena.processes.child import pack_world, unpack_world
from ludex.arena.processes.pool import Call, in_order
from ludex.arena.processes.process import pack_agent
from ludex.arena.statistics.intervals import Tally, tally
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter, wrong_seats
from ludex.core.planner import Agent
from ludex.core.rng import Rng, read_seed
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
    if games < 1 or not 0 <= first <= games:
        raise BadParameter(f"a series has at least 1 game, got {games!r} (from {first!r})")
    if workers < 1:
        raise BadParameter(f"workers must be at least 1, got {workers!r}")
    made = as_world(world)
    players = [as_agent(agent) for agent in agents]
    if len(players) != made.traits.seats:
        raise wrong_seats(made, made.traits.seats, len(players))
    if secret is None and needs_secret(players, isolate):
        secret = process_secret()
    series = Plan(
        world=made,
        agents=players,
        seed=read_seed(seed),
        budget=as_budget(budget),
        isolate=isolate,
        rotate=rotate,
        state=state,
        rules=rules or MatchRules(),
        keep_thoughts=keep_thoughts,
        secret=None if secret is None else read_secret(secret),
    )
    # A function of its own, so that mistakes are raised now and not at the first match.
    at_terminal = any(getattr(agent, "untimed", False) for agent in players)
    if workers == 1 or games - first == 1 or at_terminal:
        return (series.play(index) for index in range(first, games))
    return in_parallel(series, range(first, games), min(workers, games - first))


@dataclass
class Plan:
    """All that the matches of a series have in common."""

    world: World
    agents: list[Agent]
    seed: int
    budget: Budget
    isolate: bool | None
    rotate: bool
    state: Any
    rules: MatchRules
    keep_thoughts: bool = False
    secret: str | None = None

    def play(self, index: int) -> MatchResult:
        entrants = seating(len(self.agents), index, self.rotate)
        seed = match_seed(self.seed, index)
        result = play_match(
            self.world,
            [self.agents[entrant] for entrant in entrants],
            seed=seed,
            budget=self.budget,
            state=self.state,
            rules=self.rules,
            isolate=self.isolate,
            keep_thoughts=self.keep_thoughts,
            secret=None if self.secret is None else secret_of_match(self.secret, seed),
        )
        return replace(result, index=index, entrants=entrants)

    def packed(self) -> dict[str, Any]:
        """The plan, for another process."""
        parts = {name: getattr(self, name) for name in PLAIN}
        agents = [pack_agent(agent) for agent in self.agents]
        return {**parts, "world": pack_world(self.world), "agents": agents}


PLAIN = ("seed", "budget", "isolate", "rotate", "state", "rules", "keep_thoughts", "secret")


def play_packed(plan: dict[str, Any], index: int, isolate: bool) -> MatchResult:
    """Play one match of a packed plan; this runs in a worker."""
    agents = [pickle.loads(agent) for agent in plan["agents"]]
    made = Plan(**{**plan, "world": unpack_world(plan["world"]), "agents": agents})
    made.isolate = True if isolate else made.isolate
    return made.play(index)


def in_parallel(plan: Plan, indices: range, workers: int) -> Iterator[MatchResult]:
    """Hand out matches to workers, and yield results in order."""
    packed = plan.packed()

    def call(index: int, has_killed: bool) -> Call:
        return play_packed, {"plan": packed, "index": index, "isolate": has_killed}

    return in_order(call, indices, workers)

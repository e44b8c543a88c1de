"""`ludex.play`: play matches from texts or objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MatchResult, run_match
from ludex.arena.match.setup import MatchSetup, as_budget
from ludex.arena.match.watcher import Watcher
from ludex.arena.study.tournament import Series, SeriesSetup, run_series
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter
from ludex.core.world import World


@overload
def play(
    world: World | str,
    agents: Sequence[Any],
    *,
    seed: int = ...,
    budget: Budget | str = ...,
    games: None = None,
    workers: int = ...,
    isolate: bool | None = ...,
    rotate: bool = ...,
    state: Any = ...,
    rules: MatchRules | None = ...,
    watchers: Sequence[Watcher] = ...,
) -> MatchResult: ...


@overload
def play(
    world: World | str,
    agents: Sequence[Any],
    *,
    seed: int = ...,
    budget: Budget | str = ...,
    games: int,
    workers: int = ...,
    isolate: bool | None = ...,
    rotate: bool = ...,
    state: Any = ...,
    rules: MatchRules | None = ...,
    watchers: Sequence[Watcher] = ...,
) -> Series: ...


def play(
    world: World | str,
    agents: Sequence[Any],
    *,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    games: int | None = None,
    workers: int = 1,
    isolate: bool | None = None,
    rotate: bool = False,
    state: Any = None,
    rules: MatchRules | None = None,
    watchers: Sequence[Watcher] = (),
) -> MatchResult | Series:
    """Play one match, or a series of `games` matches.

    >>> class First:
    ...     def decide(self, model, view, budget, rng):
    ...         return view.legal[0]
    >>> play("nim[heaps=1-2]", [First(), First()], seed=1).winners
    (0,)
    """
    setup = MatchSetup(
        world=world,
        agents=agents,
        seed=seed,
        budget=as_budget(budget),
        start=state,
        rules=rules or MatchRules(),
        isolate=isolate,
    )
    if games is None:
        return run_match(setup, watchers)
    if watchers:
        raise BadParameter("watchers watch one match; leave games away, or call play for each")
    return Series(tuple(run_series(SeriesSetup(setup, games, rotate), workers)))

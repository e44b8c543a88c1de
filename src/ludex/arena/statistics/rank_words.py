"""Friedman's and Nemenyi's tests over games in words: which pairs differ, and how many are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_NAMED = 6


def rank_words(found: dict[str, Any], name: Callable[[str], str] = str) -> str:
    """What the mean ranks over games say.

    Args:
        found: The `differences` of a summary that were tested.
        name: How an agent is written.
    """
    order = sorted(zip(found["mean_ranks"], found["agents"], strict=True))
    ranks = ", ".join(f"{name(agent)} {mean:.2f}" for mean, agent in order)
    ahead: dict[str, list[str]] = {}
    for place, (mean, agent) in enumerate(order):
        far = [one for rank, one in order[place:] if rank - mean > found["critical_difference"]]
        if far:
            ahead[agent] = far
    decided = sum(len(far) for far in ahead.values())
    pairs = len(order) * (len(order) - 1) // 2
    return (
        f"Mean ranks over {found['games']} games: {ranks}. Friedman's test gives p = "
        f"{found['p']:.2g}; by Nemenyi's, ranks further apart than "
        f"{found['critical_difference']:.2f} differ: {who_is_ahead(ahead, name)}"
        f"{rest(pairs - decided, pairs)}."
    )


def who_is_ahead(ahead: dict[str, list[str]], name: Callable[[str], str]) -> str:
    """Write the pairs that differ.

    >>> who_is_ahead({"a": ["b", "c"], "b": ["c"]}, str), who_is_ahead({}, str)
    ('a is ahead of b, c; b is ahead of c', 'none do')
    """
    if not ahead:
        return "none do"
    parts = [f"{name(agent)} is ahead of {listed(far, name)}" for agent, far in ahead.items()]
    more = f"; and so on for {len(parts) - MOST_NAMED} more" if len(parts) > MOST_NAMED else ""
    return "; ".join(parts[:MOST_NAMED]) + more


def listed(agents: list[str], name: Callable[[str], str]) -> str:
    if len(agents) > MOST_NAMED:
        return f"{len(agents)} others"
    return ", ".join(name(agent) for agent in agents)


def rest(undecided: int, pairs: int) -> str:
    if not undecided:
        return ", so that all pairs differ"
    which = f"All {pairs} pairs" if undecided == pairs else f"{undecided} of {pairs} pairs"
    verb = "is" if undecided == 1 else "are"
    return f". {which} {verb} undecided by ranks over games, which count no single match"

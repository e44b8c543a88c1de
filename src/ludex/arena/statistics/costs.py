"""What decisions cost, and scores over time, in the summary of a study."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from ludex.arena.statistics.results import Results, Row
from ludex.core.budget import Budget

COURSE_POINTS = 48


def use_summary(agent: str, budget: str, rows: Sequence[Row]) -> dict[str, Any]:
    """What decisions cost, by match: quartiles of the means, and the largest of all."""
    mine = [row for row in rows if row.agent == agent and row.decisions]
    given = Budget.parse(budget)
    document: dict[str, Any] = {
        "agent": agent,
        "limits": {
            "calls": given.model_calls,
            "iterations": given.iterations,
            "cpu_ms": given.time_ms,
        },
    }
    for name in ("calls", "iterations", "cpu_ms", "depth"):
        means = [
            getattr(row, name) / (1 if name == "depth" else row.decisions) for row in mine
        ] or [0.0]
        quartiles = [float(one) for one in np.quantile(means, [0, 0.25, 0.5, 0.75, 1])]
        document[name] = {"quartiles": quartiles, "mean": fmean(means)}
        if name != "depth":
            document[name]["most"] = max((getattr(row, f"most_{name}") for row in mine), default=0)
    return document


def course_summary(
    results: Results, rows: Sequence[Row], games: Sequence[str], agents: Sequence[str]
) -> list[dict[str, Any]]:
    """Mean scores over time, with quartiles; a match that has ended keeps its last score."""
    found: list[dict[str, Any]] = []
    for game in games:
        here = [row for row in rows if row.game == game]
        last = max(row.ticks for row in here)
        step = max(1, -(-last // COURSE_POINTS))
        ticks = list(range(0, last + step, step))
        groups = {one: [row for row in here if row.agent == one] for one in agents}
        lines = [course_line(results, agent, mine, ticks) for agent, mine in groups.items() if mine]
        if any(len(set(line["mean"])) > 1 for line in lines):
            found.append({"game": game, "ticks": ticks, "lines": lines})
    return found


def course_line(
    results: Results, agent: str, rows: Sequence[Row], ticks: Sequence[int]
) -> dict[str, Any]:
    """The scores of one agent in one game over time."""
    values = np.array([score_at(results.courses[row.match, row.seat], ticks) for row in rows])
    low, high = np.quantile(values, [0.25, 0.75], axis=0)
    return {
        "agent": agent,
        "mean": rounded(values.mean(axis=0)),
        "low": rounded(low),
        "high": rounded(high),
    }


def score_at(course: Sequence[tuple[int, float]], ticks: Sequence[int]) -> list[float]:
    """The score at each of these ticks.

    >>> score_at([(0, 0.0), (3, 2.0)], [0, 2, 3, 9])
    [0.0, 0.0, 2.0, 2.0]
    """
    changes = np.searchsorted([tick for tick, _ in course], ticks, side="right") - 1
    return [course[max(0, change)][1] for change in changes]


def rounded(values: Any) -> list[float]:
    return [float(f"{value:.5g}") for value in values]

"""The summary of a study: the numbers that `arena show`, the report and scripts read.

Everything is by budget: agents with different budgets are not compared. The document is
made of plain values; NaN and infinity do not occur in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from statistics import fmean
from typing import Any

from ludex.arena.statistics.comparisons import ALPHA, friedman
from ludex.arena.statistics.costs import course_summary, use_summary
from ludex.arena.statistics.intervals import bootstrap_interval
from ludex.arena.statistics.pairs import pair_summary, rating_summary
from ludex.arena.statistics.ranking import (
    Line,
    Standing,
    lines_by_game,
    places,
    rank,
    shared_places,
)
from ludex.arena.statistics.ranking import gvgai_key as key_of_line
from ludex.arena.statistics.results import Results, Row, tally_of


def summarise(results: Results, traces: bool = False) -> dict[str, Any]:
    """All numbers of a study, and with `traces` the tracebacks of its faults."""
    study = results.document
    return {
        "study": results.name,
        "about": study["about"],
        "played": results.played,
        "scheduled": results.scheduled,
        "repeatable": results.repeatable,
        "checksums": results.has_checksums,
        "mixed": mixed_summary(results),
        "replays": sum(row.replays for row in results.rows if row.seat == 0),
        "agents": [
            {
                "name": one["label"],
                "agent": one["agent"],
                "version": results.versions.get(f"agent {one['label']}", ""),
            }
            for one in study["agents"]
        ],
        "opponents": [one["label"] for one in study["opponents"]],
        "games": [
            {"name": one["label"], "world": one["world"], "levels": one["levels"]}
            for one in study["games"]
        ],
        "pairing": study["pairing"],
        "rules": study["rules"],
        "versions": results.versions,
        "runs": list(results.runs),
        "budgets": [
            budget_summary(results, budget)
            for budget in results.budgets
            if any(row.budget == budget for row in results.rows)
        ],
        "faults": fault_summary(results, traces),
        "abandoned": [
            {"match": number, "reason": why} for number, why in results.abandoned.items()
        ],
    }


def mixed_summary(results: Results) -> list[dict[str, Any]]:
    """What differed in matches played after the setup of the store changed, and in how many."""
    found: dict[str, set[int]] = {}
    for row in results.rows:
        if row.mixed:
            found.setdefault(row.mixed, set()).add(row.match)
    return [
        {"what": what, "matches": len(numbers), "first": min(numbers)}
        for what, numbers in found.items()
    ]


def budget_summary(results: Results, budget: str) -> dict[str, Any]:
    """The numbers of all matches with one budget."""
    rows = [row for row in results.rows if row.budget == budget and not row.is_opponent]
    limit = int(results.document["rules"]["max_ticks"])
    part = results.with_rows(rows)
    groups = {(agent, game): found for (agent, game), found in part.by("agent", "game").items()}
    agents = [one for one in results.agents if any(row.agent == one for row in rows)]
    games = [one for one in results.games if any(row.game == one for row in rows)]
    table = lines_by_game(
        {(a, g): groups[a, g] for g in games for a in agents if (a, g) in groups}, limit
    )
    standing = rank(table)
    second = {one.agent: one for one in rank(table, "prediction")}
    ratings = rating_summary(results, budget, agents)
    if results.document["pairing"] == "glicko" and ratings:
        standing = by_rating(standing, ratings)
    return {
        "budget": budget,
        "agents": [
            agent_summary(one, second[one.agent], [row for row in rows if row.agent == one.agent])
            for one in standing
        ],
        "games": [game_summary(game, table[game], groups) for game in games],
        "differences": difference_summary(table, agents, games),
        "pairs": pair_summary(results.where(budget=budget), agents),
        "ratings": ratings,
        "use": [use_summary(agent, budget, rows) for agent in agents],
        "courses": course_summary(results, rows, games, agents),
    }


def by_rating(standing: Sequence[Standing], ratings: Mapping[str, Any]) -> list[Standing]:
    """Rank by rating where ratings choose the pairings: agents have not met equally often."""
    rated = {one["agent"]: one["glicko"] for one in ratings["agents"]}
    order = shared_places([-rated.get(one.agent, -inf) for one in standing])
    placed = [replace(one, place=place) for one, place in zip(standing, order, strict=True)]
    return sorted(placed, key=lambda one: one.place)


def agent_summary(standing: Standing, second: Standing, rows: Sequence[Row]) -> dict[str, Any]:
    tally = tally_of(standing.agent, rows)
    scores = [row.score for row in rows]
    return {
        "agent": standing.agent,
        "place": standing.place,
        "points": standing.points,
        "places": dict(standing.places),
        "prediction_place": second.place,
        "prediction_points": second.points,
        "matches": tally.games,
        "wins": tally.wins,
        "ties": tally.ties,
        "win_rate": tally.win_rate,
        "interval": list(tally.win_interval),
        "score": fmean(scores),
        "score_interval": list(bootstrap_interval(scores)),
        "ticks": fmean(row.ticks for row in rows),
        "faults": tally.faults,
        "late": sum(row.late for row in rows),
    }


def game_summary(
    game: str, lines: Mapping[str, Line], groups: Mapping[tuple[str, str], Sequence[Row]]
) -> dict[str, Any]:
    """One line of the heat map: every agent in one game."""
    found = places(list(lines.values()))
    cells: dict[str, Any] = {}
    for (agent, line), place in zip(lines.items(), found, strict=True):
        rows = groups[agent, game]
        tally = tally_of(agent, rows)
        cells[agent] = {
            "matches": tally.games,
            "wins": tally.wins,
            "ties": tally.ties,
            "win_rate": tally.win_rate,
            "interval": list(tally.win_interval),
            "score": fmean(row.score for row in rows),
            "ticks": fmean(row.ticks for row in rows),
            "time": line.time,
            "place": place,
            "faults": tally.faults,
        }
    return {"game": game, "agents": cells}


def difference_summary(
    table: Mapping[str, Mapping[str, Line]], agents: Sequence[str], games: Sequence[str]
) -> dict[str, Any]:
    """Friedman's test over games, on the order that the GVGAI rule gives in each."""
    shared = [game for game in games if all(agent in table[game] for agent in agents)]
    if len(agents) < 3 or len(shared) < 2:
        return {"reason": "it needs three agents or more that all played two games or more"}
    ranks = [
        shared_places([key_of_line(table[game][agent]) for agent in agents]) for game in shared
    ]
    found = friedman(ranks, ALPHA)
    return {
        "agents": list(agents),
        "games": found.blocks,
        "statistic": found.statistic,
        "p": found.p,
        "mean_ranks": list(found.mean_ranks),
        "critical_difference": found.critical_difference,
        "nemenyi": [list(row) for row in found.nemenyi],
        "cliques": [[agents[one] for one in clique] for clique in found.cliques],
        "alpha": ALPHA,
    }


def fault_summary(results: Results, traces: bool = False) -> list[dict[str, Any]]:
    """Each kind of fault of each agent, how often it occurred, and the first of them."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for fault in results.faults:
        groups.setdefault((fault.agent, fault.budget, fault.kind), []).append(fault)
    return [
        {
            "agent": agent,
            "budget": budget,
            "kind": kind,
            "times": len(found),
            "match": found[0].match,
            "game": found[0].game,
            "tick": found[0].tick,
            "message": found[0].message,
            **({"trace": found[0].trace} if traces and found[0].trace else {}),
        }
        for (agent, budget, kind), found in groups.items()
    ]


def as_json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, allow_nan=False, separators=(",", ":"))

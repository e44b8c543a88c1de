"""The summary of a study: the numbers that `arena show`, the report and scripts read.

Everything is by budget: agents with different budgets are not compared. The document is
made of plain values; NaN and infinity do not occur in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from statistics import fmean
from typing import Any

import numpy as np

from ludex.arena.statistics.comparisons import (
    Comparison,
    corrected,
    friedman,
    mcnemar,
    sign_test,
    wilcoxon,
)
from ludex.arena.statistics.intervals import bootstrap_interval
from ludex.arena.statistics.ranking import (
    Line,
    Standing,
    lines_by_game,
    places,
    rank,
    shared_places,
)
from ludex.arena.statistics.ranking import gvgai_key as key_of_line
from ludex.arena.statistics.ratings import bradley_terry
from ludex.arena.statistics.results import Results, Row, tally_of, win_rate
from ludex.arena.study.schedule import Rounds, glicko_after
from ludex.core.budget import Budget

ALPHA = 0.05
COURSE_POINTS = 48
FEWEST_GAMES = 6  # for a signed-rank test over games: fewer cannot reach p = 0.05


def summarise(results: Results) -> dict[str, Any]:
    """All numbers of a study."""
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
        "faults": fault_summary(results),
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


# Pairs


def pair_summary(results: Results, agents: Sequence[str]) -> list[dict[str, Any]]:
    """Every pair of agents: in the same matches, and against each other; Holm corrected."""
    matched, direct = matched_rows(results), meetings(results)
    rates = results.table(win_rate, "agent", "game")
    found: list[dict[str, Any]] = []
    for one, other in combinations(agents, 2):
        mine, theirs = matched.get(one, {}), matched.get(other, {})
        if shared := [key for key in mine if key in theirs]:
            test = mcnemar([mine[k].won for k in shared], [theirs[k].won for k in shared])
            found.append(pair_document(one, other, "the same matches", len(shared), test))
        if outcomes := direct.get((one, other)):
            test = sign_test(outcomes.count(1.0), outcomes.count(0.0))
            found.append(pair_document(one, other, "each other", len(outcomes), test))
        games = [g for g in results.games if (one, g) in rates and (other, g) in rates]
        if len(games) >= FEWEST_GAMES:
            test = wilcoxon([rates[one, g] for g in games], [rates[other, g] for g in games])
            found.append(pair_document(one, other, "win rates by game", len(games), test))
    for over in dict.fromkeys(entry["over"] for entry in found):
        alike = [entry for entry in found if entry["over"] == over]
        for entry, p in zip(alike, corrected([entry["p"] for entry in alike]), strict=True):
            entry["p_holm"] = p
            ahead = entry["agents"][0 if entry["effect"] > 0 else 1]
            entry["ahead"] = ahead if p < ALPHA and entry["effect"] else None
    return found


def pair_document(one: str, other: str, over: str, number: int, test: Comparison) -> dict[str, Any]:
    return {
        "agents": [one, other],
        "over": over,
        "number": number,
        "test": test.test,
        "p": test.p,
        "effect": test.effect,
        "effect_name": test.effect_name,
    }


def matched_rows(results: Results) -> dict[str, dict[tuple[Any, ...], Row]]:
    """By agent, the matches that can be compared: played alone, or with the same opponents."""
    is_direct = results.document["pairing"] != "against"
    found: dict[str, dict[tuple[Any, ...], Row]] = {}
    for rows in results.by("match").values():
        if len(rows) > 1 and is_direct:
            continue
        for row in rows:
            rivals = tuple(other.agent for other in rows if other is not row)
            key = (row.game, row.level, row.repetition, row.seat, rivals)
            found.setdefault(row.agent, {})[key] = row
    return found


def meetings(results: Results) -> dict[tuple[str, str], list[float]]:
    """By pair of agents, the result of the first in each match against the second: 1, 0.5 or 0.

    In matches of more than two seats, who got more.
    """
    order = {agent: place for place, agent in enumerate(results.agents)}
    met: dict[tuple[str, str], list[float]] = {}
    for rows in results.by("match").values():
        for one, other in combinations(rows, 2):
            if one.agent == other.agent:
                continue
            first, second = sorted((one, other), key=lambda row: order.get(row.agent, 99))
            outcome = 0.5 if first.gain == second.gain else float(first.gain > second.gain)
            met.setdefault((first.agent, second.agent), []).append(outcome)
    return met


def rating_summary(results: Results, budget: str, agents: Sequence[str]) -> dict[str, Any] | None:
    """Glicko-2 and Bradley-Terry ratings of those who played against each other."""
    rows = [row for row in results.rows if row.budget == budget]
    met = meetings(results.with_rows(rows))
    everybody = [*agents, *[o["label"] for o in results.document["opponents"]]]
    who = [agent for agent in everybody if any(agent in pair for pair in met)]
    if len(who) < 2:
        return None
    wins = np.zeros((len(who), len(who)))
    for (one, other), outcomes in met.items():
        wins[who.index(one), who.index(other)] += sum(outcomes)
        wins[who.index(other), who.index(one)] += len(outcomes) - sum(outcomes)
    strengths = bradley_terry(wins.tolist())
    # One rating period for each round, or repetition where there are no rounds.
    period = "round" if results.document["pairing"] == "glicko" else "repetition"
    periods: Rounds = []
    for _, part in sorted(results.with_rows(rows).by(period).items()):
        games = meetings(results.with_rows(part))
        periods.append({(who.index(a), who.index(b)): out for (a, b), out in games.items()})
    glicko, _ = glicko_after(len(who), periods)
    return {
        "is_bounded": strengths.is_bounded,
        "agents": [
            {
                "agent": agent,
                "elo": strength.elo,
                "elo_interval": [strength.low, strength.high],
                "glicko": rating.rating,
                "deviation": rating.deviation,
                "volatility": rating.volatility,
                "glicko_interval": list(rating.interval),
            }
            for agent, strength, rating in zip(who, strengths.strengths, glicko, strict=True)
        ],
        "wins": wins.tolist(),
    }


# Cost and course


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
        lines = []
        for agent in agents:
            mine = [row for row in here if row.agent == agent]
            if not mine:
                continue
            values = np.array(
                [score_at(results.courses[row.match, row.seat], ticks) for row in mine]
            )
            low, high = np.quantile(values, [0.25, 0.75], axis=0)
            lines.append(
                {
                    "agent": agent,
                    "mean": rounded(values.mean(axis=0)),
                    "low": rounded(low),
                    "high": rounded(high),
                }
            )
        if any(len(set(line["mean"])) > 1 for line in lines):
            found.append({"game": game, "ticks": ticks, "lines": lines})
    return found


def score_at(course: Sequence[tuple[int, float]], ticks: Sequence[int]) -> list[float]:
    """The score at each of these ticks.

    >>> score_at([(0, 0.0), (3, 2.0)], [0, 2, 3, 9])
    [0.0, 0.0, 2.0, 2.0]
    """
    changes = np.searchsorted([tick for tick, _ in course], ticks, side="right") - 1
    return [course[max(0, change)][1] for change in changes]


def rounded(values: Any) -> list[float]:
    return [float(f"{value:.5g}") for value in values]


def fault_summary(results: Results) -> list[dict[str, Any]]:
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
        }
        for (agent, budget, kind), found in groups.items()
    ]


def as_json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, allow_nan=False, separators=(",", ":"))

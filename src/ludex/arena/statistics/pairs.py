"""Pairs of agents in the summary of a study: significance tests and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ludex.arena.statistics.comparisons import (
    ALPHA,
    Comparison,
    corrected,
    mcnemar,
    sign_test,
    wilcoxon,
)
from ludex.arena.statistics.ratings import bradley_terry
from ludex.arena.statistics.results import Results, Row, win_rate
from ludex.arena.study.schedule import Rounds, glicko_after

FEWEST_GAMES = 6  # for a signed-rank test over games: fewer cannot reach p = 0.05


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
    order = {agent: index for index, agent in enumerate(results.agents)}
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
    wins = win_table(met, who)
    strengths = bradley_terry(wins.tolist())
    glicko, _ = glicko_after(len(who), rating_periods(results.with_rows(rows), who))
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


def win_table(met: Mapping[tuple[str, str], Sequence[float]], who: Sequence[str]) -> Any:
    """How often each agent won against each other one; ties count half."""
    wins = np.zeros((len(who), len(who)))
    for (one, other), outcomes in met.items():
        wins[who.index(one), who.index(other)] += sum(outcomes)
        wins[who.index(other), who.index(one)] += len(outcomes) - sum(outcomes)
    return wins


def rating_periods(results: Results, who: Sequence[str]) -> Rounds:
    """One rating period for each round, or repetition where there are no rounds."""
    period = "round" if results.document["pairing"] == "glicko" else "repetition"
    periods: Rounds = []
    for _, part in sorted(results.by(period).items()):
        games = meetings(results.with_rows(part))
        periods.append({(who.index(a), who.index(b)): out for (a, b), out in games.items()})
    return periods

"""Simulated results of arms whose win rates are known, to measure how often the judge errs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.arena.statistics.results import Row
from ludex.experiments.experiment import Claim, EachClaim, OrderClaim, alone
from ludex.experiments.judge import Verdict, judge

Rates: TypeAlias = NDArray[np.float64]
Dice: TypeAlias = np.random.Generator
FIRST, SECOND, THIRD = "first", "second", "third"
AHEAD = OrderClaim("the first wins more", (FIRST,), (SECOND,))
ALIKE = OrderClaim("both win as much", (FIRST,), (SECOND,), "same")
NO_LESS = OrderClaim("the first does not win less", (FIRST,), (SECOND,), "no less")
BEST = EachClaim("the first is the best", ((FIRST,),), alone((SECOND, THIRD)))
CLAIMS: Mapping[str, Claim] = {
    "more": AHEAD,
    "best of three": BEST,
    "same": ALIKE,
    "no less": NO_LESS,
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """Win rates of two arms, level by level; a third has those of the second."""

    text: str
    difference: float
    """by which the first arm is ahead of the second on average, in percentage points"""
    rates: Callable[[Dice, int], tuple[Rates, Rates]]
    copies: bool = False
    """whether the matches of a level are copies of each other"""


def equal(rate: float) -> Callable[[Dice, int], tuple[Rates, Rates]]:
    return constant(rate, rate)


def constant(one: float, other: float) -> Callable[[Dice, int], tuple[Rates, Rates]]:
    """The same rates on every level."""
    return lambda dice, levels: (np.full(levels, one), np.full(levels, other))


def easy_and_hard(dice: Dice, levels: int) -> tuple[Rates, Rates]:
    """Levels that both arms nearly always win, and others that they nearly always lose."""
    rates = dice.beta(0.3, 0.3, levels)
    return rates, rates


def own_strengths(dice: Dice, levels: int) -> tuple[Rates, Rates]:
    """Each arm has levels that suit it."""
    return dice.beta(0.5, 0.5, levels), dice.beta(0.5, 0.5, levels)


def few_levels(dice: Dice, levels: int) -> tuple[Rates, Rates]:
    """The first arm always wins some 15 of 100 levels more, and all others are lost."""
    return (dice.random(levels) < 0.15).astype(float), np.zeros(levels)


NOTHING = (
    Scenario("both win half", 0.0, equal(0.5)),
    Scenario("both win one in twenty", 0.0, equal(0.05)),
    Scenario("levels are easy or hard", 0.0, easy_and_hard),
    Scenario("each has levels that suit it", 0.0, own_strengths),
    Scenario("the same, and matches are copies", 0.0, own_strengths, copies=True),
)
"""without a difference"""
FIFTEEN = (
    Scenario("65 and 50 %", 15.0, constant(0.65, 0.5)),
    Scenario("20 and 5 %", 15.0, constant(0.2, 0.05)),
    Scenario("only 15 % of the levels differ", 15.0, few_levels),
    Scenario("the same, and matches are copies", 15.0, few_levels, copies=True),
)
"""with a difference of 15 points"""
PLAIN = Row(
    match=0, round=0, game="g", level=0, world="w", budget="9calls", repetition=0, seed=0, seat=0,
    agent=FIRST, is_opponent=False, won=False, tied=False, gain=0.0, score=0.0, ticks=1, reason="",
    truncated=False, repeatable=True, faults=0, late=0, decisions=1, calls=1, most_calls=1,
    iterations=1, most_iterations=1, depth=1.0, cpu_ms=1.0, most_cpu_ms=1.0, wall_ms=1.0,
    most_wall_ms=1.0,
)  # fmt: skip


def verdicts(
    claim: Claim, scenario: Scenario, levels: int, matches: int, trials: int, seed: int = 0
) -> Counter[Verdict]:
    """How often the judge gives each verdict.

    Args:
        claim: About the arms `FIRST`, `SECOND` and `THIRD`.
        scenario: What is true.
        levels: The number of levels.
        matches: Of each arm on each level.
        trials: How often all matches are played.
        seed: Of all of it.
    """
    dice = np.random.default_rng(seed)
    return Counter(
        judge(claim, results(scenario, levels, matches, dice)).verdict for _ in range(trials)
    )


def results(scenario: Scenario, levels: int, matches: int, dice: Dice) -> list[Row]:
    """Matches of all three arms, drawn anew."""
    first, second = scenario.rates(dice, levels)
    rows: list[Row] = []
    for arm, rates in ((FIRST, first), (SECOND, second), (THIRD, second)):
        drawn = dice.random((levels, 1 if scenario.copies else matches)) < rates[:, None]
        won = np.broadcast_to(drawn, (levels, matches))
        rows += [
            replace(PLAIN, agent=arm, level=level, repetition=match, won=bool(won[level, match]))
            for level in range(levels)
            for match in range(matches)
        ]
    return rows

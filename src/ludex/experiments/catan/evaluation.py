"""One agent against three of another kind: win rate with a z-test, and behaviour statistics.

The protocol of Dobre's thesis (2018): the agent moves one seat on from game to game, boards differ
from game to game, and parity is one win in as many as there are seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any

from ludex.arena.match.runner import run_match
from ludex.arena.match.setup import MatchSetup, as_world
from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.arena.statistics.intervals import wilson
from ludex.arena.study.tournament import match_seed, seating
from ludex.core.budget import Budget
from ludex.core.errors import BadParameter
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.worlds.catan.values import type_of

AMPLE = Budget(model_calls=10_000)
"""the budget of a decision, in calls, so that results do not depend on the machine"""
COUNTED = ("road", "settlement", "city", "card")
"""the actions of the published behaviour statistics"""
PLAYED = ("knight", "plenty", "monopoly", "roads")


@dataclass(slots=True)
class SeatBehaviour:
    """What one seat did in the games that were watched."""

    games: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    armies: int = 0
    """times that the largest army was gained"""
    roads: int = 0
    """times that the longest road was gained"""
    income: int = 0
    """cards from the dice"""
    offers: int = 0
    accepted: int = 0
    points: list[int] = field(default_factory=list)
    """at the end of each game"""

    def row(self) -> dict[str, float]:
        """The published statistics: means per game, and shares of the four counted actions."""
        games, total = max(1, self.games), max(1, sum(self.actions.values()))
        shares = {f"{kind} %": 100 * self.actions[kind] / total for kind in COUNTED}
        return {
            "actions": total / games,
            **shares,
            "largest army": self.armies / games,
            "longest road": self.roads / games,
            "cards from dice": self.income / games,
            "offers": self.offers / games,
            "accepted": self.accepted / games,
            "points": sum(self.points) / games,
        }


class BehaviourWatcher(Watcher):
    """Counts what one seat does in one match, and the length of the match."""

    def __init__(self, seat: int, behaviour: SeatBehaviour) -> None:
        self.seat = seat
        self.behaviour = behaviour
        self.depth = 0
        """decisions; an exchange and a discard of several cards are one, a refused offer is none"""
        self.offers = 0

    def after_chance(self, draw: Draw) -> None:
        for event in draw.events:
            if event.kind == "gain" and event.seat == self.seat and isinstance(event.detail, tuple):
                self.behaviour.income += sum(event.detail)

    def after_step(self, step: Step) -> None:
        before, after = step.before, step.after
        kind = type_of(step.actions[0])
        self.offers += kind == "offer"
        again = kind == "discard" and before.laid_size(before.acting)
        self.depth += kind not in ("offer", "reject") and not again
        if before.current != self.seat or before.phase.startswith("setup"):
            return
        mine = self.behaviour
        if before.acting == self.seat:
            mine.actions["card" if kind in PLAYED else kind] += kind in PLAYED or kind in COUNTED
            mine.offers += kind == "offer"
        mine.accepted += kind == "accept"
        mine.armies += after.army_holder == self.seat != before.army_holder
        mine.roads += after.road_holder == self.seat != before.road_holder

    def after_match(self, state: Any, outcome: Outcome) -> None:
        self.behaviour.games += 1
        self.behaviour.points.append(state.points(self.seat))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of one agent against others."""

    games: int
    wins: int
    seats: int
    behaviour: SeatBehaviour
    depth: float
    """mean decisions of a game"""
    offers: float
    """of all seats, per game"""
    by_seat: tuple[int, ...]
    """wins of each place at the table, whoever sat there"""

    @property
    def rate(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def z(self) -> float:
        """Standard errors away from parity."""
        return z_score(self.wins, self.games, 1 / self.seats)

    @property
    def p(self) -> float:
        """The two-sided p-value of parity."""
        return 2 * NormalDist().cdf(-abs(self.z))


def z_score(wins: int, games: int, parity: float = 0.25) -> float:
    """How many standard errors a win rate lies from parity.

    >>> round(z_score(550, 2000), 2)  # the printed limit of 27.5 % for p < 0.01
    2.58
    """
    return (wins / games - parity) / sqrt(parity * (1 - parity) / games)


def one_against_three(
    agent: Agent | str,
    others: Agent | str,
    *,
    games: int,
    world: str = "catan",
    seed: int = 0,
    budget: Budget = AMPLE,
    watchers: Sequence[Watcher] = (),
) -> Evaluation:
    """Play one agent against the same other in all remaining seats, moving on a seat each game.

    `watchers` see every game, beside the one that counts what the agent does.
    """
    if games < 1:
        raise BadParameter(f"an evaluation has at least 1 game, got {games!r}")
    made = as_world(world)
    seats = made.traits.seats
    behaviour = SeatBehaviour()
    wins, depth, offers = 0, 0, 0
    by_seat = [0] * seats
    for index in range(games):
        entrants: Sequence[int] = seating(seats, index, rotate=True)
        seat = entrants.index(0)
        watcher = BehaviourWatcher(seat, behaviour)
        setup = MatchSetup(
            world=made,
            agents=[agent if entrant == 0 else others for entrant in entrants],
            seed=match_seed(seed, index),
            budget=budget,
        )
        result = run_match(setup, [watcher, *watchers])
        wins += seat in result.winners
        for winner in result.winners:
            by_seat[winner] += 1
        depth += watcher.depth
        offers += watcher.offers
    return Evaluation(games, wins, seats, behaviour, depth / games, offers / games, tuple(by_seat))

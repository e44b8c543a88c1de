"""Greedy one-step look-ahead with a heuristic evaluation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.robbing import best_robbery
from ludex.agents.catan.parts.speed import minus
from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import COSTS, KNIGHT, type_of

POINT, CARD, KNIGHT_PLAYED = 100.0, 12.0, 14.0
VARIETY, PIP, SITE, ROAD = 6.0, 3.0, 1.5, 1.0
HAND, NEARNESS, RISK = 0.4, 4.0, 1.0


@dataclass(frozen=True, kw_only=True)
class Greedy(Expert):
    """One-step look-ahead that evaluates points, production, sites, cards and the hand.

    Each legal action costs one model call. The robber is placed as by the scripted settlers.
    """

    knows: ClassVar[type] = CatanModel

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        if len(view.legal) == 1:
            return Decision(action=view.legal[0])
        rules = self.rules(model)
        state = model.imagine(view, rng)
        kinds = {type_of(action) for action in view.legal}
        if kinds <= {"robber"}:
            target = rules.options.points
            return Decision(action=best_robbery(Land(state), view.seat, view.legal, target))
        values: dict[Hashable, float] = {}
        try:
            for action in view.legal:
                if type_of(action) != "offer":  # it makes no offers
                    after = model.step(state, (action,), rng)
                    values[action] = value_of(after, view.seat, action)
        except BudgetSpent:
            pass
        best = max(values, key=lambda action: values[action], default=view.legal[0])
        return Decision(action=best, values=values)


def value_of(state: Any, seat: int, action: int) -> float:
    """The heuristic value of a position for a seat, in hundredths of a point."""
    land = Land(state)
    pips = land.pips[seat]
    value: float = POINT * state.points(seat) + PIP * sum(pips) + VARIETY * sum(map(bool, pips))
    sites = [node for node, path in land.paths(seat, 1).items() if node in land.free_nodes]
    value += SITE * max((sum(land.yields[node]) for node in sites), default=0)
    value += ROAD * state.longest(seat) + KNIGHT_PLAYED * state.played(seat)[KNIGHT]
    value += CARD * (state.held_size(seat) + state.fresh_size(seat))
    hand = tuple(state.hand(seat))
    value += HAND * sum(hand) - RISK * max(0, sum(hand) - 7)
    for piece in ("city", "settlement"):
        value += NEARNESS * (sum(COSTS[piece]) - sum(minus(COSTS[piece], hand)))
    kind = type_of(action)
    if kind == "buy":
        value += CARD
    if kind in ("knight", "plenty", "monopoly", "roads"):
        value += CARD  # compensates for the card that is no longer held
    return value

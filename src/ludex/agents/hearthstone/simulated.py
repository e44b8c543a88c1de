"""Flat Monte Carlo search: simulated games for each decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.parts.flat import FlatExpert
from ludex.core.decision import Decision
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.model import HearthstoneModel


@dataclass(frozen=True, kw_only=True)
class Simulated(FlatExpert):
    """Evaluates actions by simulated games, more often those that do well.

    Hidden cards are dealt anew for each. The number of games is its budget, as D. Taralla (Liege
    2015, section 6.2.3) proposed it: a pool of copies of the game, each used up by one simulation.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {"simulations": Between(1, 100_000)}

    simulations: int = 100
    """simulated games for each decision"""
    by: Literal["scripted", "random"] = "scripted"
    """the rollout policy"""

    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        base = _native.Chooser.scripted() if self.by == "scripted" else _native.Chooser.random()
        player = _native.Chooser.simulated(base, self.simulations)
        # Any state that agrees with the view: what it does not show is dealt anew anyway.
        return Decision(action=_native.chosen(rules, rules.imagine(view, rng), player, rng))

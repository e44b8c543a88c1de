"""Random agent of the Nora study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.parts.flat import FlatExpert
from ludex.core.decision import Decision
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.model import HearthstoneModel


@dataclass(frozen=True, kw_only=True)
class RandomPlayer(FlatExpert):
    """Draws a card, an attacker or the power, then a target; ends its turn when none is left."""

    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        return Decision(action=_native.random_move(rules, seen, rng))

    def chooser(self) -> _native.Chooser:
        return _native.Chooser.random()

"""Scripted agent of the Nora study."""

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
class Scripted(FlatExpert):
    """Plays the card that scores best until none is left, then makes the attacks that pay.

    A minion is worth its attack and health, a spell the sum of what it does at its best target;
    an attack is worth what it takes less what it costs. D. Taralla, Liege 2015.
    """

    heal_sign_bug: bool = False
    """heal the enemy that needs it most, as the released program did"""
    group_mask_ignored: bool = True
    """value area spells as if they met heroes, too, as the released program did"""

    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        action = _native.scripted_move(rules, seen, self.heal_sign_bug, self.group_mask_ignored)
        return Decision(action=action)

    def chooser(self) -> _native.Chooser:
        return _native.Chooser.scripted(0.0, self.heal_sign_bug, self.group_mask_ignored)

"""Nora: learned agent with random forests (Taralla 2015)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.forest_player import SURE, ForestPlayer
from ludex.core.decision import Decision
from ludex.core.rng import Rng
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.model import HearthstoneModel

FAULTS = ("target_state_bug", "power_id_is_hero_id")


@dataclass(frozen=True, kw_only=True)
class Nora(ForestPlayer):
    """Takes the action that three random forests expect to improve its board control.

    One forest judges playing a card, one attacks, one the targets of effects. They are learned
    from random games with `ludex hearthstone learn FILE`. D. Taralla, Liege 2015.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = SURE
    kind: ClassVar[str] = "nora"

    threshold: float = 0.0
    """the least confidence in an action that is taken"""
    target_state_bug: bool = False
    """judge targets with one number of the state all over, as the released program did"""
    power_id_is_hero_id: bool = False
    """judge the power as if it were the hero's card, as the released program did"""

    @property
    def sure(self) -> float:
        return self.threshold

    @property
    def faults(self) -> frozenset[str]:
        return frozenset(name for name in FAULTS if getattr(self, name))

    def choose(self, rules: HearthstoneModel, seen: State, view: Any, rng: Rng) -> Decision:
        nora = self.learned(rules).nora
        assert nora is not None
        action, thoughts = _native.nora_move(rules, seen, nora, rng)
        # Of an action with a target, the confidence in the target is the later word.
        values: dict[Hashable, float] = {one: sure for one, sure, _ in thoughts}
        return Decision(action=action, values=values)

"""Nora, the learned player."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ludex.agents.hearthstone.parts import learning
from ludex.agents.hearthstone.parts.flat import FlatExpert
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.model import HearthstoneModel


@lru_cache(maxsize=4)
def prepared(world: str, path: str, threshold: float) -> _native.Nora:
    """The forests of a file for one world; they are large, so they are kept."""
    played: Any = registry.world(world)
    return learning.prepared(played.model, played.tables, Path(path), threshold)


@dataclass(frozen=True, kw_only=True)
class Nora(FlatExpert):
    """Does what three forests of trees expect to better its hold on the board.

    One forest judges playing a card, one attacks, one the targets of effects. They are learned
    from random games with `ludex hearthstone learn FILE`. D. Taralla, Liege 2015.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {"threshold": Between(0.0, 1.0)}

    file: str = ""
    """what `ludex hearthstone learn` has written"""
    threshold: float = 0.0
    """the least confidence in an action that is done"""

    def rules(self, model: Model) -> HearthstoneModel:
        if not self.file:
            raise Unsupported(
                "nora has learned nothing yet: run 'ludex hearthstone learn nora.npz', then "
                "play hearthstone/nora(file=nora.npz)"
            )
        rules = super().rules(model)
        prepared(rules.world, self.file, self.threshold)  # a bad file is refused at the start
        return rules

    def choose(self, rules: HearthstoneModel, seen: _native.State, view: Any, rng: Rng) -> Decision:
        nora = prepared(rules.world, self.file, self.threshold)
        action, thoughts = rules.nora_move(seen, nora, rng)
        # Of an action with a target, the confidence in the target is the later word.
        values: dict[Hashable, float] = {one: sure for one, sure, _ in thoughts}
        return Decision(action=action, values=values)

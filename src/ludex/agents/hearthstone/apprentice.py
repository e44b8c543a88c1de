"""A learned player that knows better than the script where it can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ludex.agents.hearthstone.parts import improving
from ludex.agents.hearthstone.parts.flat import FlatExpert
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.model import HearthstoneModel


@lru_cache(maxsize=4)
def prepared(world: str, path: str) -> tuple[_native.Forest, improving.Describer]:
    """The forest of a file for one world."""
    return improving.load(Path(path)).native(), improving.describer(world)


@dataclass(frozen=True, kw_only=True)
class Apprentice(FlatExpert):
    """Does what the scripted player does, unless it has learned that something else wins more.

    It does not look ahead: a forest compares each action with the script's, from trials in
    games of the script against itself. Learned with `ludex hearthstone improve FILE`.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {"threshold": Between(0.0, 1.0)}

    file: str = ""
    """what `ludex hearthstone improve` has written"""
    threshold: float = 0.6
    """how sure it must be that another action is better"""

    def rules(self, model: Model) -> HearthstoneModel:
        if not self.file:
            raise Unsupported(
                "the apprentice has learned nothing yet: run 'ludex hearthstone improve "
                "apprentice.npz', then play hearthstone/apprentice(file=apprentice.npz)"
            )
        rules = super().rules(model)
        prepared(rules.world, self.file)  # a bad file is refused at the start
        return rules

    def choose(self, rules: HearthstoneModel, seen: _native.State, view: Any, rng: Rng) -> Decision:
        scripted = rules.scripted_move(seen)
        others = [action for action in view.legal if action != scripted]
        if rules.action_type(scripted) in ("choose", "mulligan"):
            return Decision(action=scripted)
        forest, describe = prepared(rules.world, self.file)
        sure = forest.predict(describe.rows(rules, seen, scripted, others, rng))
        best = int(sure.argmax())
        action = others[best] if sure[best] > self.threshold else scripted
        return Decision(action=action, confidence=float(sure[best]))

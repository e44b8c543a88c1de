"""A control for parley: what pledging alone is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.worlds.parley.model import ParleyModel
from ludex.worlds.parley.values import Phase, Verb


@dataclass(frozen=True, kw_only=True)
class Pledger(Expert):
    """Pledges any card while it may, then rolls; it proposes nothing and answers at random."""

    knows: ClassVar[type] = ParleyModel

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        choices = view.legal
        if view.phase is Phase.MOVE:
            pledges = [act for act in view.legal if act.verb is Verb.PLEDGE]
            choices = pledges or [act for act in view.legal if act.verb is Verb.ROLL]
        return Decision(action=rng.choice(choices))

"""A plain strategy for parley, without looking ahead."""

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
class Statesman(Expert):
    """Proposes and accepts every treaty, pledges goods it does not show, offers nothing."""

    knows: ClassVar[type] = ParleyModel

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        choices = view.legal
        if view.phase is Phase.CONSENT:
            choices = [act for act in view.legal if act.verb is Verb.ACCEPT]
        elif view.phase is Phase.MOVE:
            mine = view.pledged[view.seat]
            choices = (
                [act for act in view.legal if act.verb is Verb.TREATY]
                or [act for act in view.legal if act.verb is Verb.PLEDGE and not mine[act.good]]
                or [act for act in view.legal if act.verb is Verb.ROLL]
            )
        return Decision(action=rng.choice(choices))

"""The random baseline: plays any legal action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludex.core import Budget, Decision, Model, Planner, Rng, View


@dataclass(frozen=True, kw_only=True)
class Uniform(Planner):
    """Random baseline: draws one of the legal actions, each as likely."""

    handles_hidden: ClassVar[bool] = True

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        forced = {"forced": True} if len(view.legal) == 1 else {"complete": True}
        return Decision(action=view.legal[rng.below(len(view.legal))], notes=forced)

"""Perfect play in nim, by Bouton's theorem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.rng import Rng
from ludex.worlds.nim.rules import NimModel, winning_takes


@dataclass(frozen=True, kw_only=True)
class Perfect(Expert):
    """Plays nim perfectly, and spins out lost games."""

    knows: ClassVar[type] = NimModel

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        winning = set(winning_takes(view.state.heaps, self.rules(model).misere))
        values = {take: 1.0 if take in winning else -1.0 for take in view.legal}
        # In a lost position every move loses; single matches make the other seat work longest.
        best = [take for take in view.legal if take in winning]
        best = best or [take for take in view.legal if take.matches == 1]
        return Decision(action=rng.choice(best), values=values)

"""Base class and mind of the scripted agents for Catan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.catan.parts.settler import Style, Thinking
from ludex.agents.catan.parts.tracker import HandTracker
from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.outcome import Outcome
from ludex.core.planner import Mind
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import type_of
from ludex.worlds.catan.view import table_of


@dataclass(frozen=True, kw_only=True)
class SettlerAgent(Expert, ABC):
    """A scripted agent of some style; it remembers seen cards and its own offers."""

    knows: ClassVar[type] = CatanModel

    @property
    @abstractmethod
    def style(self) -> Style: ...

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        super().start(model, view, budget, rng)
        return SettlerMind(self, model)

    def plan(self, model: Model, view: Any, budget: Budget, rng: Rng) -> Decision:
        """Decide without memory: unknown cards are taken to be evenly distributed."""
        return Decision(action=self.think(model, view, HandTracker(model.traits.seats), set()))

    def think(self, model: Model, view: Any, tracker: HandTracker, offered: set[int]) -> int:
        if len(view.legal) == 1:
            return int(view.legal[0])
        target = self.rules(model).options.points
        table = table_of(view)
        return Thinking(self.style, table, view.seat, view.legal, tracker, target).decide(offered)


class SettlerMind:
    """The mind of a scripted agent in one game."""

    def __init__(self, agent: SettlerAgent, model: Model) -> None:
        self.agent = agent
        self.model = model
        self.tracker = HandTracker(model.traits.seats)
        self.offered: set[int] = set()

    def observe(self, event: Event) -> None:
        self.tracker.observe(event)
        if event.kind == "end":
            self.offered.clear()

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        budget.arm(self.model.meter)
        action = self.agent.think(self.model, view, self.tracker, self.offered)
        if type_of(action) == "offer":
            self.offered.add(action)
        meter = self.model.meter
        return Decision(action=action, elapsed_ms=meter.wall_ms, cpu_ms=meter.cpu_ms)

    def finish(self, view: View, outcome: Outcome) -> None:
        pass

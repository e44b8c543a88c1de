"""Search with two objectives: the score, and being where the avatar has not been lately.

From D. Perez, S. Mostaghim and S. Lucas, "Multi-objective Tree Search Approaches for General Video
Game Playing", 2016. The second objective is 1 less the pheromone in the avatar's cell at the end
of a simulation.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.core._native import Rollout
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.lone_search import LonePlanner, LoneSearch
from ludex.planners.parts.pareto import Vector
from ludex.planners.parts.pheromones import Pheromones
from ludex.planners.parts.rollout import END_BONUS


@dataclass(frozen=True, kw_only=True)
class ExploringPlanner(LonePlanner):
    """The base of planners that leave a trail and look for what is off it."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **LonePlanner.LIMITS,
        "diffusion": Between(0, 1),
        "decay": Between(0, 1),
        "score_weight": AtLeast(0),
        "novelty_weight": AtLeast(0),
    }

    diffusion: float = 0.4
    """the part of a cell's trail that comes from its neighbours in each tick"""
    decay: float = 0.99
    """the part of its own trail that stays"""

    def fresh_memory(self) -> Memory:
        return Memory()

    def search(self, memory: Memory, model: Model, view: View, rng: Rng) -> ExploringSearch:
        search = self.exploring(model, view, rng)
        search.take_trail(memory)
        return search

    @abstractmethod
    def exploring(self, model: Model, view: View, rng: Rng) -> ExploringSearch:
        """Make the search of this planner."""


class Memory:
    """The trail; made at the first decision, when the size of the level is known."""

    trail: Pheromones | None = None


class ExploringSearch(LoneSearch):
    """One decision."""

    planner: Any
    trail: Pheromones

    def take_trail(self, memory: Memory) -> None:
        """Bring the trail up to date with the real game: one tick for each decision."""
        if memory.trail is None:
            columns, rows = self.model.grid()
            planner = self.planner
            memory.trail = Pheromones(columns, rows, planner.diffusion, planner.decay)
        memory.trail.step(*self.model.avatars(self.start)[self.seat])
        self.trail = memory.trail

    def thoughts(self, played: Action) -> dict[str, Any]:
        return {**super().thoughts(played), "pheromones": self.trail.as_cells()}

    def objectives(self, result: Rollout) -> Vector:
        """The worth of the score, and of where the avatar is; each with a bonus for the end."""
        score = self.worth(result, result.scores[self.seat] - self.base)
        novelty = 1.0 - self.trail.at(*self.model.avatars(result.state)[self.seat])
        if result.returns is not None:
            bonus = END_BONUS if self.planner.value == "score" else 1.0
            outcome = self.model.outcome(result.state)
            novelty += bonus if self.seat in outcome.winners else -bonus
        return score, novelty

"""Search with two objectives: the score, and being where the avatar has not been lately.

From D. Perez, S. Mostaghim and S. Lucas, "Multi-objective Tree Search Approaches for General Video
Game Playing", 2016. The second objective is 1 less the pheromone in the avatar's cell at the end
of a simulation.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.lone_search import LonePlanner, LoneSearch
from ludex.planners.parts.pareto import Vector
from ludex.planners.parts.pheromones import Pheromones
from ludex.planners.parts.rollout import ValueName

O1_BONUS = 1e6  # of the source for a win; ten times less than that of the sample controllers
Cell: TypeAlias = tuple[int, int]


def no_weight(score_weight: float, novelty_weight: float) -> str | None:
    """What is wrong with weights of the two objectives, if anything is."""
    if score_weight == novelty_weight == 0.0:
        return "score_weight=0 and novelty_weight=0 leave no objective; raise one of them"
    return None


@dataclass(frozen=True, kw_only=True)
class ExploringPlanner(LonePlanner):
    """The base of planners that leave a trail and look for what is off it."""

    needs_avatars: ClassVar[bool] = True

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **LonePlanner.LIMITS,
        "diffusion": Between(0, 1),
        "decay": Between(0, 1),
        "score_weight": AtLeast(0),
        "novelty_weight": AtLeast(0),
    }

    value: ValueName = "returns"
    """what counts: the return, or a squashed gain while unfinished; or the gain and a huge bonus"""
    diffusion: float = 0.4
    """the part of a cell's trail that comes from its neighbours in each tick"""
    decay: float = 0.99
    """the part of its own trail that stays"""
    imagined_trail: bool = False
    """simulations lay down pheromone, too, on a copy of the trail that ends with them"""

    def fresh_memory(self) -> TrailMemory:
        return TrailMemory()

    def search(self, memory: TrailMemory, model: Model, view: View, rng: Rng) -> ExploringSearch:
        search = self.exploring(model, view, rng)
        search.take_trail(memory)
        return search

    @abstractmethod
    def exploring(self, model: Model, view: View, rng: Rng) -> ExploringSearch:
        """Make the search of this planner."""


class TrailMemory:
    """The trail; made at the first decision, when the size of the level is known."""

    trail: Pheromones | None = None


class ExploringSearch(LoneSearch):
    """One decision."""

    planner: Any
    trail: Pheromones
    end_bonus = O1_BONUS

    def __init__(self, planner: Any, model: Model, view: View, rng: Rng) -> None:
        super().__init__(planner, model, view, rng)
        self.traces = planner.imagined_trail
        self.way: list[Cell] = []  # of the avatar in this simulation, where it leaves a trail

    def take_trail(self, memory: TrailMemory) -> None:
        """Bring the trail up to date with the real game: one tick for each decision."""
        if memory.trail is None:
            columns, rows = self.model.grid()
            planner = self.planner
            memory.trail = Pheromones(columns, rows, planner.diffusion, planner.decay)
        memory.trail.step(*self.model.avatars(self.start)[self.seat])
        self.trail = memory.trail

    def began(self) -> None:
        self.way = []

    def ticked(self, state: State) -> None:
        if self.traces:
            self.way.append(self.model.avatars(state)[self.seat])

    def thoughts(self, played: Action) -> dict[str, Any]:
        return {**super().thoughts(played), "pheromones": self.trail.as_cells()}

    def objectives(self, result: Rollout) -> Vector:
        """The worth of the score, and of where the avatar is; each with a bonus for the end."""
        score = self.evaluator(result, self.gain(result))
        trail = self.trail_after(result) if self.traces else self.trail
        novelty = 1.0 - trail.at(*self.model.avatars(result.state)[self.seat])
        if result.returns is not None:
            bonus = self.end_bonus if self.planner.value == "score" else 1.0
            outcome = self.model.outcome(result.state)
            novelty += bonus if self.seat in outcome.winners else -bonus
        return score, novelty

    def trail_after(self, result: Rollout) -> Pheromones:
        """The trail as the avatar finds it where a simulation ends, with what it laid on its way.

        The real avatar laid down where it stands before the decision, so this begins after it.
        """
        way = self.way + [cells[self.seat] for cells in result.trace.avatars]
        trail = self.trail.copy()
        for cell in way[:-1]:
            trail.step(*cell)
        return trail

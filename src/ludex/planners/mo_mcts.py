"""Multi-objective MCTS: every node keeps the Pareto front of what was found below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Any, ClassVar

from ludex.core.decision import Decision
from ludex.core.model import Action, Model
from ludex.core.notes import Table
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.view import View
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.objectives import ExploringPlanner, ExploringSearch, no_weight
from ludex.planners.parts.pareto import Front, Scale, Vector, best_by_weights, weighted
from ludex.planners.parts.recommendation import RecommendationName, best_of
from ludex.planners.parts.sequence_node import SequenceNode


@dataclass(frozen=True, kw_only=True)
class MoMcts(ExploringPlanner):
    """Multi-objective MCTS: UCB over the hypervolume of Pareto fronts of score and novelty.

    The action played is one that led to the point of the root's front with the largest weighted
    sum, among those that do not fall below a floor.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ExploringPlanner.LIMITS,
        "score_floor": Between(0, 1),
        "novelty_floor": Between(0, 1),
        "archive": AtLeast(1),
    }

    final: RecommendationName = "visits"
    """the action played where there is no front yet"""
    score_weight: float = 0.5
    """what the score counts when a point of the front is chosen"""
    novelty_weight: float = 0.5
    """what counts there of being where the avatar has not been lately"""
    score_floor: float = 0.0
    """points with less of the range of scores are left out of that choice"""
    novelty_floor: float = 0.0
    """points with less of the range of novelty are left out, too"""
    archive: int = 100
    """points kept in a front; beyond that the one goes that the volume misses least"""

    def contradiction(self) -> str | None:
        return no_weight(self.score_weight, self.novelty_weight)

    def exploring(self, model: Model, view: View, rng: Rng) -> ParetoSearch:
        return ParetoSearch(self, model, view, rng)


class FrontNode(SequenceNode):
    """A node that keeps for each of its actions the front of all that was found after it."""

    __slots__ = ("fronts", "room")

    def __init__(self, seat: int, legal: Sequence[Action], room: int) -> None:
        self.room = room
        self.fronts: list[Front] = []
        super().__init__(seat, legal)

    def add(self, action: Action) -> int:
        self.fronts.append(Front(self.room))
        return super().add(action)

    def narrowed(self, places: Sequence[int]) -> FrontNode:
        part = super().narrowed(places)
        # What a bandit of some arms is asked for is their fronts, visits and spreads.
        narrow = FrontNode(self.seat, (), self.room)
        narrow.total = part.total
        narrow.fill(part.visits, part.means, part.squares, part.spreads)
        narrow.fronts = [self.fronts[place] for place in places]
        return narrow


class ParetoSearch(ExploringSearch):
    """One decision."""

    planner: MoMcts

    def __init__(self, planner: MoMcts, model: Model, view: View, rng: Rng) -> None:
        super().__init__(planner, model, view, rng)
        self.weights = (planner.score_weight, planner.novelty_weight)
        self.floors = (planner.score_floor, planner.novelty_floor)
        self.scale = Scale()
        self.front = Front(planner.archive)  # of the root
        self.led_by: dict[Vector, set[Action]] = {}  # root actions by the points they led to
        self.vector: Vector = ()  # of the last simulation

    def make_node(self, legal: Sequence[Action]) -> FrontNode:
        return FrontNode(self.seat, legal, self.planner.archive)

    def choose(self, node: SequenceNode, legal: Sequence[Action]) -> int:
        return node.choose(
            legal, self.largest_volume, self.planner.exploration, self.span, self.rng
        )

    def largest_volume(self, bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
        """The place of the highest hypervolume + exploration * sqrt(ln total / visits)."""
        fronts: list[Front] = bandit.fronts  # type: ignore[attr-defined]  # ours all have them
        width = exploration * sqrt(log(bandit.total))
        bounds = [
            front.hypervolume(self.scale) + width * spread
            for front, spread in zip(fronts, bandit.spreads, strict=True)
        ]
        return bounds.index(max(bounds))

    def finished(self, result: Rollout) -> float:
        self.vector = self.objectives(result)
        return weighted(self.vector, self.weights)

    def back_up(self, path: Sequence[tuple[SequenceNode, int]], value: float) -> None:
        super().back_up(path, value)
        vector = self.vector
        self.scale.widen(vector)
        for node, place in reversed(path):
            assert isinstance(node, FrontNode)
            if not node.fronts[place].add(vector, self.scale):
                return  # no front further up can gain from it either
        if self.front.add(vector, self.scale):
            root, place = path[0]
            self.led_by.setdefault(vector, set()).add(root.actions[place])

    def decision(self) -> Decision:
        decision = super().decision()
        if not self.front.points:
            return decision
        point = best_by_weights(self.front.points, self.weights, self.floors, self.scale)
        visits = decision.visits or {}
        able = {action: 0.0 for action in self.view.legal if action in self.led_by[point]}
        action = best_of(able, lambda one: visits[one], self.rng)
        return replace(decision, action=action, thoughts=lambda: self.thoughts(action))

    def thoughts(self, played: Action) -> dict[str, Any]:
        front = Table(("score", "novelty"), tuple(sorted(self.front.points, reverse=True)))
        return {**super().thoughts(played), "front": front}

    def notes(self) -> dict[str, Any]:
        return {
            "front": sorted(self.front.points),
            "hypervolume": self.front.hypervolume(self.scale),
        }

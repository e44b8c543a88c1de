"""YOLOBOT without a forward model: greedy steps towards a target object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.yolobot.habits import Habits
from ludex.planners.yolobot.knowledge import Knowledge, Watcher
from ludex.planners.yolobot.prediction import predict, worth_trying
from ludex.planners.yolobot.sight import Sight
from ludex.planners.yolobot.targets import Chooser, Target, aim, clock, shown_aim


@dataclass(frozen=True, kw_only=True)
class YolobotGreedy(Habits, StatefulPlanner):
    """Greedy YOLOBOT without a forward model: learns from real steps and moves to its target.

    The knowledge base, the paths and the targets are those of `yolobot`; nothing is simulated.
    """

    handles_seats: ClassVar[tuple[int, int]] = (1, 1)
    why_alone: ClassVar[str] = "its knowledge base puts all that changes down to its own avatar"
    needs_objects: ClassVar[bool] = True

    LIMITS: ClassVar[Mapping[str, Any]] = {**Habits.LIMITS, "epsilon": Between(0, 1)}

    epsilon: float = 0.1
    """probability of a random action, so that something new is seen"""

    def fresh_memory(self) -> GreedyMemory:
        return GreedyMemory(self)

    def plan_on(
        self, memory: GreedyMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        action = memory.choose(self, model, view, budget, rng)
        memory.watcher.last = memory.sight, action
        return Decision(action=action, notes={"mode": memory.mode}, thoughts=memory.thoughts)


class GreedyMemory:
    """What was learned, and what was last seen and played."""

    sight: Sight
    mode: Literal["random", "greedy", "aimless"]
    """how the last action was chosen"""

    def __init__(self, planner: YolobotGreedy) -> None:
        self.target: Target | None = None
        self.knowledge = Knowledge(0, planner)
        self.chooser = Chooser(planner)
        self.watcher = Watcher(self.knowledge)

    def choose(
        self, planner: YolobotGreedy, model: Any, view: Any, budget: Budget, rng: Rng
    ) -> Any:
        """Take in the last step, then take the next one."""
        self.sight = sight = self.watcher.look(model, view)
        self.target = None
        if rng.uniform() < planner.epsilon:
            self.mode = "random"
            return view.legal[rng.below(len(view.legal))]
        spent = clock(model.meter, budget)
        target = self.target = aim(self.knowledge, self.chooser, sight, model, spent)
        self.mode = "aimless" if target is None else "greedy"
        nothing = view.legal[0]
        actions = worth_trying(self.knowledge, sight, view.legal, model.heading, nothing)
        if target is None:
            return actions[rng.below(len(actions))]
        left = {
            action: target.distances.get(
                predict(self.knowledge, sight, action, model.heading(action)).cell, inf
            )
            for action in actions
        }
        nearest = min(left.values())
        best = [action for action in actions if left[action] == nearest]
        return best[rng.below(len(best))]

    def thoughts(self) -> dict[str, Any]:
        """What is on its mind, for those who watch."""
        return {
            **shown_aim(self.knowledge, self.sight, self.target),
            "rules learned": self.knowledge.as_table(self.sight),
        }

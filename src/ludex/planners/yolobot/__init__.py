"""YOLOBOT: search where a game stands still, informed simulation where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import Mind, StatefulMind, StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.growth import forced
from ludex.planners.yolobot.best_first import Repeats, WinTest
from ludex.planners.yolobot.habits import Habits
from ludex.planners.yolobot.mind import YolobotMemory
from ludex.planners.yolobot.sight import Keys
from ludex.planners.yolobot.tree import Cut, FirstPlay, Weights


@dataclass(frozen=True, kw_only=True)
class Yolobot(Habits, StatefulPlanner):
    """YOLOBOT: a hybrid of best-first search and open-loop MCTS over one knowledge base.

    While nothing changes by itself it waits and searches for a way to win, which it then plays
    back. As soon as the game proves to move, it simulates, led by what it knows of the game.
    """

    handles_seats: ClassVar[tuple[int, int]] = (1, 1)
    why_alone: ClassVar[str] = "its knowledge base puts all that changes down to its own avatar"
    needs_objects: ClassVar[bool] = True

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **Habits.LIMITS,
        "settling": AtLeast(0),
        "look_ahead": AtLeast(0),
        "pre_run_ms": AtLeast(1),
        "pre_run_calls": AtLeast(1),
        "max_states": AtLeast(1),
        "near": AtLeast(0),
        "backtracks": AtLeast(0),
        "hope": AtLeast(0),
        "pull": AtLeast(0),
        "aim_share": Between(0, 1),
        "game_ticks": AtLeast(1),
        "search_share": Between(0, 1),
        "search_score_weight": AtLeast(0),
        "max_nodes": AtLeast(1),
        "exploration": AtLeast(0),
        "rollout_depth": AtLeast(1),
        "epsilon": Between(0, 1),
        "score_weight": AtLeast(0),
        "distance_weight": AtLeast(0),
        "steps_weight": AtLeast(0),
        "learn_every": AtLeast(1),
        "learn_share": Between(0, 1),
    }

    pre_run: bool = True
    """search in the second before the game, to learn"""
    search: bool = True
    """search while the game stands still; no: simulate from the first tick"""
    simulate: bool = True
    """simulate where the game moves; no: search only, and wait"""
    three_tick_rule: bool = True
    """believe in movement only after three ticks"""
    knowledge_pruning: bool = True
    """drop actions that are expected to do nothing or to lose"""
    equal_pruning: bool = True
    """drop states that were seen before, when searching"""
    score_heuristic: bool = True
    """points count at the end of simulations"""
    win_heuristic: bool = True
    """winning and losing count there"""
    steps_heuristic: bool = True
    """fewer steps count there"""
    target_heuristic: bool = True
    """nearness to the target counts there; no: fewer steps do not count either"""
    node_init: bool = True
    """actions never tried are worth what is expected of them; no: they are all tried first"""
    informed_rollouts: bool = True
    """rollouts walk to the target; no: they walk anywhere"""
    target_chooser: bool = True
    """there are targets; no: neither ends, walks nor expectations know of one"""

    settling: int = 3
    """ticks in which a game may still set itself up, so that change proves nothing"""
    pre_run_ms: float = 600.0
    """of the second before the game, under a budget of time; the rest is for a slower machine"""
    pre_run_calls: int = 5000
    """the most model calls in it, under other budgets"""
    look_ahead: int = 3
    """ticks by which the line of doing nothing grows with each decision"""
    game_ticks: int = 2000
    """how long a game lasts, as long as nothing else is known"""
    search_share: float = 0.75
    """the part of it after which the search gives up"""
    search_score_weight: float = 10.0
    """steps that a point is worth in the search; 0: breadth first"""
    max_nodes: int = 500_000
    """states found by the search after which it ends"""
    max_states: int = 50_000
    """open ones that are kept whole; the others are played again when their turn comes"""
    keys: Keys = "hashed"
    """what tells states apart: 64 bits, all that goes into them, or all but numbers of objects"""
    repeats: Repeats = "dropped"
    """states seen before are dropped, or kept if they have more points and no more steps"""
    win_test: WinTest = "made"
    """whether wins are noticed when they are made, or when it is their turn"""
    on_change: Literal["wait", "restart"] = "wait"
    """without simulation: whether the search begins anew when the game moves"""
    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for values from 0 to 1"""
    rollout_depth: int = 10
    """ticks of a simulation, counted from the root"""
    epsilon: float = 0.2
    """probability of a random step in informed rollouts; the first of a decision has none"""
    score_weight: float = 10.0
    """what a point counts at the end of a simulation ..."""
    distance_weight: float = 1.0
    """... a step missing to the target ..."""
    steps_weight: float = 0.1
    """... and a step taken"""
    near: float = 3.0
    """steps from the target from which on its present place counts, not the map of the tick"""
    backtracks: int = 4
    """other last moves that are tried before a loss is believed"""
    cut: Cut = "depth"
    """whether rollouts end at their depth alone, or also where the target is reached"""
    hope: float = 1.0
    """what an action that was never tried is worth beside its bonus ..."""
    pull: float = 0.5
    """... and what is added when it leads towards the target"""
    first_play: FirstPlay = "hope"
    """whether that is it, or the mean of the siblings that were tried takes the place of hope"""
    idle_by: Literal["knowledge", "model"] = "knowledge"
    """who tells at the root which actions do nothing"""
    aim_share: float = 0.15
    """under a budget of time: where looking and aiming take more, a target is kept for two ticks"""
    learn_every: int = 10
    """every so many rollouts one is watched tick by tick, to learn"""
    learn_share: float = 0.05
    """under a budget of time: the part of it that learning from simulations may take"""

    def contradiction(self) -> str | None:
        if not self.search and not self.simulate:
            return "search=no and simulate=no leave nothing to plan with; turn one of them on"
        return None

    def fresh_memory(self) -> YolobotMemory:
        return YolobotMemory(self)

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.check_model(model)
        mind = StatefulMind(self, model)
        if self.pre_run and self.search:
            mind.memory.prepare(model, view, budget)
        return mind

    def decide(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        return self.start(model, view, budget, rng).decide(view, budget, rng)

    def plan_on(
        self, memory: YolobotMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        memory.wake(model, view)
        if decision := forced(view):
            return memory.answer(decision)
        expanded = memory.keep_searching(budget, rng)
        return memory.answer(memory.planned() or memory.unplanned(budget, rng, expanded))

    def let_go(self, memory: YolobotMemory) -> bool:
        return memory.let_go()

    def weights(self) -> Weights:
        nearness = self.target_heuristic
        return Weights(
            score=self.score_weight if self.score_heuristic else 0.0,
            distance=self.distance_weight if nearness else 0.0,
            steps=self.steps_weight if nearness and self.steps_heuristic else 0.0,
        )

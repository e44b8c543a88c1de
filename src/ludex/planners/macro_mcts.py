"""Open-loop MCTS over macro-actions: each action is repeated for several ticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Action, Model
from ludex.core.notes import Line
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.growth import forced
from ludex.planners.parts.lone_search import LonePlanner, LoneSearch
from ludex.planners.parts.opponents import AgainstRandom
from ludex.planners.parts.sequence_node import SequenceNode, ways_after


@dataclass(frozen=True, kw_only=True)
class MacroMcts(LonePlanner):
    """MCTS over macro-actions: each action is repeated for several ticks while the next is planned.

    A macro-action is one action, repeated. Simulations play what is left of the one in progress
    and go on from there, so the tree of the next has grown for as many decisions as it lasts.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {**LonePlanner.LIMITS, "repeat": AtLeast(1)}

    repeat: int = 3
    """ticks that an action is played; 1: each decision stands for itself"""
    rollout_depth: int = 8
    """macro-actions of a simulation, counted from the root"""

    def refusal(self, traits: Traits) -> str | None:
        if traits.seats > 1 and not traits.simultaneous:
            return (
                "repeats an action tick after tick, which says nothing where seats take turns; use "
                f"open_loop_mcts, or let it search {self.name}@single_player"
            )
        return super().refusal(traits)

    def fresh_memory(self) -> MacroMemory:
        return MacroMemory()

    def search(self, memory: MacroMemory, model: Model, view: View, rng: Rng) -> MacroSearch:
        return MacroSearch(self, memory, model, view, rng)

    def plan_on(
        self, memory: MacroMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if memory.left and memory.left[0] not in view.legal:
            memory.forget()  # the game took another turn
        if not memory.left and (decision := forced(view)):
            memory.forget()
            return decision
        action = memory.left.pop(0) if memory.left else None
        search = self.search(memory, model, view, rng)
        search.ahead = [] if action is None else [action, *memory.left]
        search.run(budget)
        memory.root, memory.size, memory.base = search.root, search.size, search.base
        if action is not None:
            return Decision(
                action=action,
                iterations=search.iterations,
                depth=search.depth,
                notes={"repeats_left": len(memory.left), "tree_size": search.size},
                thoughts=search.thoughts_on_the_way,
            )
        decision = search.decision()
        memory.forget()
        memory.left = [decision.action] * (self.repeat - 1)
        return replace(decision, notes={**decision.notes, "repeats_left": len(memory.left)})


class MacroMemory:
    """The rest of the macro-action in progress, and the tree of the one after it."""

    def __init__(self) -> None:
        self.left: list[Action] = []
        self.root: SequenceNode | None = None
        self.size = 1
        self.base = 0.0
        """the score that the gains in its tree are counted from"""

    def forget(self) -> None:
        self.left, self.root, self.size = [], None, 1


class MacroSearch(LoneSearch):
    """One decision: more simulations for the tree of the next macro-action."""

    planner: MacroMcts

    def __init__(
        self, planner: MacroMcts, memory: MacroMemory, model: Model, view: View, rng: Rng
    ) -> None:
        super().__init__(planner, model, view, rng)
        self.ahead: Sequence[Action] = ()
        if memory.root is not None:
            self.root, self.size, self.base = memory.root, memory.size, memory.base

    def thoughts_on_the_way(self) -> dict[str, Any]:
        """What is being played, and the line that is best after it, for those who watch."""
        return {"plan": Line(tuple(self.ahead)), "best line": best_line(self.root, ways_after)}

    def descend(self, state: State) -> list[tuple[SequenceNode, int]]:
        for action in self.ahead:
            if not self.model.over(state):
                super().move(state, action)
        return super().descend(state)

    def move(self, state: State, action: Action) -> None:
        for _ in range(self.planner.repeat):
            if not self.model.over(state):
                super().move(state, action)

    def play_on(self, state: State, moves: int) -> Rollout:
        """Play macro-actions drawn at random; one that has become illegal is played as nothing."""
        sequence: list[tuple[Action]] = []
        legal = self.view.legal
        for _ in range(moves):
            sequence += [(legal[self.rng.below(len(legal))],)] * self.planner.repeat
        if not self.is_alone:
            left = iter([action for (action,) in sequence])
            policy = AgainstRandom(self.seat, lambda *_: next(left))
            return self.model.rollout(state, policy, len(sequence), self.rng)  # type: ignore[no-any-return]  # of any model
        results = self.model.play(state, [sequence], self.rng.fork("macro", self.iterations))
        return results[0]  # type: ignore[no-any-return]  # of any model

"""Open-loop MCTS over macro-actions: actions repeated, sequences of one's own, and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BrokenAgent, in_short
from ludex.core.fallback import finish
from ludex.core.model import Action, Model
from ludex.core.notes import Line, Table
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import Mind, StatefulMind
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.courses import (
    NONE,
    Choice,
    Course,
    Macro,
    OptionsFunction,
    can_begin,
    checked_options,
    macro_problem,
    read_macros,
)
from ludex.planners.parts.growth import forced
from ludex.planners.parts.lone_search import LonePlanner, LoneSearch
from ludex.planners.parts.opponents import AgainstRandom
from ludex.planners.parts.recommendation import decide, evidence
from ludex.planners.parts.sequence_node import SequenceNode, ways_after


@dataclass(frozen=True, kw_only=True)
class MacroMcts(LonePlanner):
    """MCTS over macro-actions: each action is repeated for several ticks while the next is planned.

    A macro-action is one action, repeated; with `macros` also a sequence of actions, and with
    `options` a policy that is followed until it ends. Simulations play what is left of the one in
    progress and go on from there, so the tree of the next has grown for as many decisions as it
    lasts.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **LonePlanner.LIMITS,
        "repeat": AtLeast(1),
        "option_limit": AtLeast(1),
        "discount": Between(0, 1),
    }

    repeat: int = 3
    """ticks that an action is played; 1: each decision stands for itself"""
    macros: str = NONE
    """sequences of actions that can be chosen, too, as in up-up-up;left-left;use"""
    options: OptionsFunction | None = None
    """a function that lists options, which can be chosen, too; none: there are none"""
    singles: bool = True
    """with macros or options: the single actions, repeated, can be chosen, too"""
    option_limit: int = 50
    """ticks after which an option ends in any case"""
    discount: float = 1.0
    """with macros or options: what a result one tick later counts, of one now"""
    rollout_depth: int = 8
    """macro-actions of a simulation, counted from the root"""

    def refusal(self, traits: Traits) -> str | None:
        if traits.seats > 1 and not traits.simultaneous:
            return (
                "repeats an action tick after tick, which says nothing where seats take turns; use "
                f"open_loop_mcts, or let it search {self.name}@single_player"
            )
        return super().refusal(traits)

    def contradiction(self) -> str | None:
        return macro_problem(self.macros)

    @property
    def has_own_choices(self) -> bool:
        """Whether there is more to choose than single actions."""
        return self.macros != NONE or self.options is not None

    def fresh_memory(self) -> MacroMemory:
        return MacroMemory()

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.check_model(model)
        mind = StatefulMind(self, model)
        if view.legal:  # a word that names nothing is told before the first move
            mind.memory.macros = read_macros(self.macros, model, view.legal)
        return mind

    def search(self, memory: MacroMemory, model: Model, view: View, rng: Rng) -> MacroSearch:
        return MacroSearch(self, memory, model, view, rng)

    def plan_on(
        self, memory: MacroMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if self.has_own_choices:
            return self.follow(memory, model, view, budget, rng)
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

    def follow(
        self, memory: MacroMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        """Play on what is in progress while the next is planned, or choose."""
        course, action = memory.course, None
        if course is not None:
            action = course.next_action(model, model.imagine(view, rng), view.seat, rng)
            if action is None:
                memory.course = None  # it has ended; the tree of what follows is kept
            elif action not in view.legal:
                action = None
                memory.forget()  # the game took another turn
        if action is None and (decision := forced(view)):
            memory.forget()
            return decision
        search = ChoiceSearch(self, memory, model, view, rng)
        if action is None or course is None:
            search.run(budget)
            return search.begin(memory)
        search.played, search.course = action, course
        search.run(budget)
        course.ticks += 1
        memory.root, memory.size, memory.base = search.root, search.size, search.base
        return Decision(
            action=action,
            iterations=search.iterations,
            depth=search.depth,
            notes={"choice": str(course.choice), "ticks": course.ticks, "tree_size": search.size},
        )


class MacroMemory:
    """The rest of the macro-action in progress, and the tree of the one after it."""

    def __init__(self) -> None:
        self.left: list[Action] = []
        self.root: SequenceNode | None = None
        self.size = 1
        self.base = 0.0
        """the score that the gains in its tree are counted from"""
        self.macros: list[Macro] | None = None
        """those of the planner, once they are read"""
        self.course: Course | None = None
        """what is in progress, where there is more to choose than single actions"""

    def forget(self) -> None:
        self.left, self.root, self.size, self.course = [], None, 1, None


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


class ChoiceSearch(LoneSearch):
    """One decision, where macro-actions of one's own and options can be chosen.

    A choice lasts for as many ticks as it takes, so the process is semi-Markov: the depth of a
    simulation counts choices, and its result is discounted by its ticks.
    """

    planner: MacroMcts

    def __init__(
        self, planner: MacroMcts, memory: MacroMemory, model: Model, view: View, rng: Rng
    ) -> None:
        self.memory = memory
        self.singles: dict[Action, Macro] = {}
        self.own: list[Choice] = []
        super().__init__(planner, model, view, rng)
        self.played: Action = None  # in this decision, of what is in progress
        self.course: Course | None = None
        self.ticks = 0  # of this simulation
        if memory.root is not None:
            self.root, self.size, self.base = memory.root, memory.size, memory.base

    # What can be chosen

    def first_choices(self) -> Sequence[Choice]:
        planner, memory = self.planner, self.memory
        if memory.macros is None:  # what is legal now has the words for them
            memory.macros = read_macros(planner.macros, self.model, self.view.legal)
        self.own = [*memory.macros]
        if planner.options is not None:
            found = planner.options(self.model, self.start, self.seat)
            self.own += checked_options(planner.options, found)
        return self.choices(self.start)

    def choices(self, state: State) -> Sequence[Choice]:
        model, seat = self.model, self.seat
        legal = model.legal(state, seat)
        if not legal:
            return ()
        own = [one for one in self.own if can_begin(one, model, state, seat, legal)]
        if own and not self.planner.singles:
            return own
        return [*own, *(self.single(action) for action in legal)]

    def single(self, action: Action) -> Macro:
        """An action, repeated."""
        made = self.singles.get(action)
        if made is None:
            repeated = (action,) * self.planner.repeat
            made = self.singles[action] = Macro(f"{action}x{self.planner.repeat}", repeated)
        return made

    # Simulations

    def began(self) -> None:
        self.ticks = 0

    def descend(self, state: State) -> list[tuple[SequenceNode, int]]:
        if self.course is not None:
            super().move(state, self.played)
            self.ticks += 1
            self.go_on(state, replace(self.course, ticks=self.course.ticks + 1))
        return super().descend(state)

    def move(self, state: State, action: Choice) -> None:
        self.go_on(state, Course(action, self.planner.option_limit))

    def go_on(self, state: State, course: Course) -> None:
        """Play something in place until it ends."""
        while not self.model.over(state):
            action = course.next_action(self.model, state, self.seat, self.rng)
            if action is None:
                break
            super().move(state, action)
            course.ticks += 1
            self.ticks += 1

    def play_on(self, state: State, moves: int) -> Rollout:
        """Choose at random below the tree."""
        before = self.ticks
        for _ in range(moves):
            choices = self.choices(state)
            if not choices:
                break
            self.move(state, choices[self.rng.below(len(choices))])
        return finish(self.model, state, self.ticks - before, cut=False)

    def finished(self, result: Rollout) -> float:
        return super().finished(result) * float(self.planner.discount**self.ticks)

    # The answer

    def begin(self, memory: MacroMemory) -> Decision:
        """Choose what is played now, and begin it."""
        choices = tuple(self.choices(self.start))
        visits, values = evidence(choices, [self.root])
        choice = decide(self.planner.final, choices, visits, values, self.rng)
        memory.forget()
        course = Course(choice, self.planner.option_limit)
        action = course.next_action(self.model, self.start, self.seat, self.rng)
        if action not in self.view.legal:
            raise BrokenAgent(
                f"option {choice!s} begins with {in_short(action)}, which is not legal: take one "
                "of model.legal(state, seat)"
            )
        course.ticks = 1
        memory.course = course
        table = tuple(
            (str(one), visits[one], round(values[one], 3)) for one in choices if one in values
        )
        return Decision(
            action=action,
            iterations=self.iterations,
            depth=self.depth,
            notes={"choice": str(choice), "ticks": 1, "tree_size": self.size},
            thoughts=lambda: {"choices": Table(("choice", "visits", "value"), table)},
        )

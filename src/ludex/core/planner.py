"""Agents, the minds they start, and the base of planners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.names import write_named
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.rng import Rng
from ludex.core.traits import Chance, Traits
from ludex.core.view import View


class Mind(Protocol):
    """An agent in one seat of one game; all memory lives here."""

    def observe(self, event: Event) -> None:
        """Take in what this seat may see between its decisions."""
        ...

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision: ...

    def finish(self, view: View, outcome: Outcome) -> None: ...


class Agent(Protocol):
    """Parameters that can start minds."""

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        """Begin a game. `model` has a meter of this mind's own; raises Unsupported early."""
        ...


@dataclass(frozen=True, kw_only=True)
class Planner(Parameters, ABC):
    """A planner: documented parameters, the traits it handles, and `plan`.

    The base arms the meter, refuses models that do not fit, and fills in what a decision cost.
    A planner that remembers something between decisions is a `StatefulPlanner`.
    """

    handles_hidden: ClassVar[bool] = False
    handles_simultaneous: ClassVar[bool] = True
    handles_chance: ClassVar[frozenset[Chance]] = frozenset({"none", "listed", "sampled", "mixed"})
    handles_seats: ClassVar[tuple[int, int]] = (1, 99)
    needs_zero_sum: ClassVar[bool] = False
    needs_objects: ClassVar[bool] = False
    """views must list objects, and events must say what avatars met"""
    needs_avatars: ClassVar[bool] = False
    """the model must say where avatars are and how far objects are from them"""
    why_alone: ClassVar[str] = ""
    """for a planner of one seat: why its idea allows no others"""

    @abstractmethod
    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        """Choose one of `view.legal` within what the model's meter allows."""

    def decide(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        """Make one decision: the short form of starting a mind and asking it once."""
        return self.measured(model, budget, lambda: self.plan(model, view, budget, rng))

    def measured(self, model: Model, budget: Budget, think: Callable[[], Decision]) -> Decision:
        """Arm the meter, let the planner think, and fill in what its decision cost."""
        self.check_model(model)
        meter = model.meter
        self.arm(budget, model)
        decision: Any = think()  # of a user's own, anything
        if not isinstance(decision, Decision):
            found = "nothing" if decision is None else f"a {type(decision).__name__}"
            raise TypeError(f"plan must return a Decision, and returned {found}")
        return replace(
            decision, model_calls=meter.calls, elapsed_ms=meter.wall_ms, cpu_ms=meter.cpu_ms
        )

    def arm(self, budget: Budget, model: Model) -> None:
        """Start the clock and the counts of a decision."""
        budget.arm(model.meter)

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.check_model(model)
        return StatelessMind(self, model)

    def check_model(self, model: Model) -> None:
        """Raise Unsupported, before the first move, when this planner cannot use a model."""
        self.check(model.traits)
        for part in self.own_parts():
            part.load()  # what is wrong with it is told before the first move, too

    @property
    def version(self) -> str | None:
        """A hash of the files that own parts are in; None where all parts are the package's."""
        parts = self.own_parts()
        return f"file-{'-'.join(part.version for part in parts)}" if parts else None

    def check(self, traits: Traits) -> None:
        """Raise Unsupported, with what would help, when the model does not fit."""
        if reason := self.refusal(traits):
            raise Unsupported(f"{self.name} {reason}")

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a process imports for its own parts before any clock runs."""
        return tuple(dict.fromkeys(one for part in self.own_parts() for one in part.libraries))

    def refusal(self, traits: Traits) -> str | None:
        """Say why a model with these traits cannot be used, or None when it can."""
        # No model helps against a wrong number of seats, so it comes first.
        least, most = self.handles_seats
        if not least <= traits.seats <= most:
            number = f"{least}" if least == most else f"{least} to {most}"
            seats = "one seat" if most == 1 else f"{number} seats"
            other = "ismcts" if traits.hidden else "mcts"
            if most == 1:
                why = (
                    f"plays with one seat, because {self.why_alone}"
                    if self.why_alone
                    else ("plays with one seat")
                )
                other = f"{self.name}@single_player or {other}"
                return f"{why}, and this world has {traits.seats}; use {other}"
            return f"plays with {seats}, and this world has {traits.seats}; use {other}"
        if traits.hidden and not self.handles_hidden:
            return (
                "needs full information, and this world hides some; "
                f"use ismcts, or let it search a belief: {self.name}@believed"
            )
        if traits.simultaneous and not self.handles_simultaneous:
            return "needs one seat to move at a time, and here several do; use open_loop_mcts"
        if traits.chance not in self.handles_chance:
            return f"cannot handle {traits.chance} chance; use mcts or open_loop_mcts"
        if self.needs_zero_sum and not traits.zero_sum:
            return "needs a zero-sum game; use mcts"
        if self.needs_avatars and not traits.avatars:
            return (
                "needs a model that says where avatars and objects are, as the true model of a "
                "VGDL game and object_based do; use open_loop_mcts"
            )
        if self.needs_objects and not (traits.objects and traits.events):
            return (
                "needs views that list objects and events that tell of meetings, as the true "
                "model of a VGDL game has them; use open_loop_mcts"
            )
        return None

    @property
    def name(self) -> str:
        """The name in the registry: the file's, behind its world's for an expert of one."""
        module = type(self).__module__
        return module.partition("ludex.agents.")[2].replace(".", "/") or module.rpartition(".")[2]

    def __str__(self) -> str:
        return write_named(self.name, self.changed(), "()")


@dataclass(frozen=True, kw_only=True)
class StatefulPlanner(Planner):
    """A planner with memory that lasts from one decision to the next."""

    @abstractmethod
    def fresh_memory(self) -> Any:
        """What a mind knows before its first decision."""

    @abstractmethod
    def plan_on(self, memory: Any, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        """`plan`, with what was remembered; leave in `memory` what the next decision may use."""

    def let_go(self, memory: Any) -> bool:
        """Free a part of a memory that nobody needs any more; returns whether much is left.

        Millions of small things take longer to free than a decision may last, so whoever drops
        a memory in the midst of a game calls this once in each decision, as long as it is true.
        """
        return False

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        return self.plan_on(self.fresh_memory(), model, view, budget, rng)

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.check_model(model)
        return StatefulMind(self, model)


class StatelessMind:
    """The mind of a planner without memory."""

    def __init__(self, planner: Planner, model: Model) -> None:
        self.planner = planner
        self.model = model

    def observe(self, event: Event) -> None:
        pass

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        return self.planner.decide(self.model, view, budget, rng)

    def finish(self, view: View, outcome: Outcome) -> None:
        pass


class StatefulMind(StatelessMind):
    """The mind of a planner with memory."""

    def __init__(self, planner: StatefulPlanner, model: Model) -> None:
        super().__init__(planner, model)
        self.memory = planner.fresh_memory()
        self.plan_on = planner.plan_on

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        return self.planner.measured(
            self.model,
            budget,
            lambda: self.plan_on(self.memory, self.model, view, budget, rng),
        )

"""Agents from text: `planner(k=v)@model(k=v)`, `pig/optimal`, `file.py:Class`, `human`.

The names of GVGAI's controllers stand for agents, too: see `aliases`.
"""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from typing import Any

from ludex.agents.aliases import resolved, unknown_agent
from ludex.agents.files import FileAgent, SimpleAgent, foreign_files
from ludex.agents.recent_views import Recent
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.capabilities import (
    BeginsLearners,
    FinishesGames,
    LoadsLibraries,
    ObservesEvents,
    RenumbersSeats,
    able,
    libraries_of,
    runs_threads,
    version_of,
)
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.names import Named, read_agent, write_named
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.planner import Agent, Mind
from ludex.core.rng import Rng
from ludex.core.user_file import is_file_name
from ludex.core.view import View

TRUE = "true"  # the rules as they are: no part stands between planner and world


def make_agent(text: str, *, broken_too: bool = True) -> Agent:
    """Make the agent that a text names; a LudexError says in one sentence why it cannot be.

    `str(agent)` gives the text back, without parameters that equal their defaults. An agent in
    a file, or with parts in one, is tried in a process of its own, and stays a text here.

    Args:
        text: Its name, as in `mcts(exploration=1.4)` or `file.py:Class`.
        broken_too: Also refuse a file whose own code fails. Matches do not: there it is a fault.
    """
    agent = read_text(text)
    inner = agent.planner if isinstance(agent, Composed) else agent
    if foreign_files(inner):
        # The arena is a layer above this one, so it is asked by its name.
        try_out = importlib.import_module("ludex.arena.processes.trial").try_out
        try:
            if isinstance(inner, FileAgent):
                inner.check_class()
        except BadAgent:  # what running the file says is more to the point
            try_out(inner, broken_too=True)
            raise
        try_out(inner, broken_too)
    return agent


def named_agent(text: str) -> Agent:
    """Make the agent that a text names; of one in a file, only what can be read is checked."""
    agent = read_text(text)
    inner = agent.planner if isinstance(agent, Composed) else agent
    if isinstance(inner, FileAgent):
        inner.check_class()
    return agent


def read_text(text: str) -> Agent:
    if not isinstance(text, str):
        raise BadAgent(f"an agent is named by a text such as 'mcts', got {text!r}")
    planner_name, model_name = read_agent(text)
    agent = make_planner(planner_name)
    return agent if model_name is None else Composed(agent, model_name, make_part(model_name))


def make_planner(named: Named) -> Agent:
    if is_file_name(named.name):
        return FileAgent(write_named(named.name, named.arguments, "()"))
    for group in ("planners", "agents"):
        if named.name in registry.names(group):
            part: Agent = registry.load(group, named.name).from_texts(named.arguments)
            return part
    if (alias := resolved(named)) is not None:
        return make_planner(alias)
    raise unknown_agent(named.name, registry.names("planners") + registry.names("agents"))


def make_part(named: Named) -> Any:
    """Make the part that turns the true model into the one the planner gets."""
    if named.name == TRUE and not named.arguments:
        return None
    part = registry.load("models", named.name).from_texts(named.arguments)
    if isinstance(part, LoadsLibraries):
        part.load_libraries()  # before a game begins: its clock counts what happens in it
    return part


@dataclass(frozen=True)
class Composed:
    """A planner put together with a model."""

    planner: Agent
    model_name: Named
    part: Any
    """None stands for the true model"""

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        if self.part is None:
            return self.planner.start(model, view, budget, rng)
        if able(self.part, BeginsLearners) is not None:
            from ludex.agents.learning_mind import LearningMind

            return LearningMind(self.planner, self.part, model, view, budget, rng)
        made = self.part.make(model, view, budget, rng.fork("model"))
        if made.meter is not model.meter:
            made = made.metered(model.meter)  # the runner compares this mind's one meter
        if (renumbering := able(made, RenumbersSeats)) is not None:
            view = renumbering.own_view(view)
        return ComposedMind(self.planner.start(made, view, budget, rng.fork("planner")), made)

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a process imports for this agent before any clock runs."""
        return libraries_of(self.planner, self.part)

    @property
    def version(self) -> str | None:
        return version_of(self.planner)

    def runs_threads(self) -> bool:
        return runs_threads(self.planner)

    def __str__(self) -> str:
        name, arguments = self.model_name.name, self.model_name.arguments
        if isinstance(self.part, Parameters):
            arguments = self.part.changed()
        return f"{self.planner}@{write_named(name, arguments, '()')}"

    def __reduce__(self) -> tuple[Any, ...]:
        return read_text, (str(self),)


class ComposedMind:
    """A mind whose model takes in what it observes, too: beliefs and learners live on it."""

    def __init__(self, mind: Mind, model: Any) -> None:
        self.mind = mind
        self.model = model
        self.observing = able(model, ObservesEvents)
        self.finishing = able(model, FinishesGames)
        self.renumbering = able(model, RenumbersSeats)
        self.recent = Recent()

    def observe(self, event: Event) -> None:
        if self.observing is not None:
            self.observing.observe(event)
        if self.renumbering is not None:
            event = self.renumbering.own_event(event)
        self.mind.observe(event)

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        self.recent.remind(self.model)
        own = view if self.renumbering is None else self.renumbering.own_view(view)
        decision = self.mind.decide(own, budget, rng)
        self.recent.add(view, decision.action)
        return decision

    def finish(self, view: View, outcome: Outcome) -> None:
        if self.finishing is not None:
            self.finishing.finish(view, outcome)
        if self.renumbering is not None:
            view, outcome = self.renumbering.own_view(view), self.renumbering.own_outcome(outcome)
        self.mind.finish(view, outcome)


def as_agent(given: Any) -> Agent:
    """Return the agent that a text, an agent, or an object with `decide` stands for."""
    if isinstance(given, str):
        return named_agent(given)
    if inspect.isclass(given):
        raise BadAgent(f"{given.__name__} is a class; give an agent made of it: {given.__name__}()")
    if callable(getattr(given, "start", None)):
        agent: Agent = given
        return agent
    return SimpleAgent(given)

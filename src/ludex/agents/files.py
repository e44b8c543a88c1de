"""Agents in a file of the user's own: `file.py:Class(k=v)`, one class with `decide`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ludex.agents.sources import read_source
from ludex.core.budget import Budget
from ludex.core.capabilities import FinishesGames, ObservesEvents
from ludex.core.crash_site import crash_site
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, BrokenAgent, LudexError, in_a_line
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.module_files import hash_of_modules
from ludex.core.names import read_named
from ludex.core.outcome import Outcome
from ludex.core.own_part import OwnPart
from ludex.core.parameters import Parameters
from ludex.core.planner import Agent, Mind
from ludex.core.rng import Rng
from ludex.core.user_file import load_class
from ludex.core.view import View


class FileAgent:
    """An agent in a file, which is read here and run only where the agent plays.

    Matches run it in a process of the agent's own. `start` runs it in this process, for callers
    who play it themselves. Either runs the file as it was when the agent was made.
    """

    def __init__(self, text: str, content: bytes | None = None) -> None:
        self.text = text
        self.named = read_named(text, "()", "an agent")
        self.source = read_source(self.named.name, content)

    @property
    def path(self) -> Path:
        return self.source.path

    @property
    def content(self) -> bytes:
        """What the file held when the agent was made."""
        return self.source.content

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a process imports for this agent before any clock runs."""
        return self.source.libraries

    @cached_property
    def version(self) -> str:
        """A hash of the file and of the modules beside it that it imports."""
        return f"file-{hash_of_modules(self.path, self.source.content)}"

    @cached_property
    def agent(self) -> Agent:
        """The agent itself: this runs the file here."""
        cls = load_class(self.named.name, "agent", BadAgent, BrokenAgent, self.source.content)
        return make_from(cls, self.named.arguments, self.named.name)

    def check_class(self) -> None:
        """Raise BadAgent when the text of the file shows that it has no such class."""
        self.source.check_class()

    def load(self) -> None:
        """Run the file in this process."""
        _ = self.agent

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of the agent, where its class declares them; runs the file here."""
        inner = self.agent.chooser if isinstance(self.agent, SimpleAgent) else self.agent
        if not is_dataclass(inner) or isinstance(inner, type):
            return {}
        return {item.name: getattr(inner, item.name) for item in fields(inner)}

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        return self.agent.start(model, view, budget, rng)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"FileAgent({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileAgent) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes run the file themselves, and just what was read here.
        return FileAgent, (self.text, self.source.content)


def foreign_files(agent: Any) -> tuple[FileAgent | OwnPart, ...]:
    """What of a planner or agent is in files of the user's own: all of it, or parts of it."""
    if isinstance(agent, FileAgent):
        return (agent,)
    return agent.own_parts() if isinstance(agent, Parameters) else ()


def make_from(cls: type, arguments: Mapping[str, str], name: str) -> Agent:
    """Make an agent of a class with arguments given as text."""
    if not callable(getattr(cls, "start", None)) and not callable(getattr(cls, "decide", None)):
        raise BadAgent(
            f"{name} is not an agent: it has neither decide(model, view, budget, rng) nor start"
        )
    values = {key: read_plain(text) for key, text in arguments.items()}
    if not issubclass(cls, Parameters):
        refuse_unknown(cls, values, name)
    try:
        made: Any = cls.from_texts(arguments) if issubclass(cls, Parameters) else cls(**values)
    except LudexError as error:
        raise BadAgent(f"{name}: {error}") from None
    except (Exception, SystemExit) as error:
        where = crash_site(error)
        told = f"{Path(name).name} cannot be made: {in_a_line(error)}"  # folders are not told
        raise BrokenAgent(told if where is None else f"{told}, at {where}") from error
    if callable(getattr(made, "start", None)):
        agent: Agent = made
        return agent
    return SimpleAgent(made, name)


def refuse_unknown(cls: type, values: Mapping[str, Any], name: str) -> None:
    """Raise BadAgent when the constructor cannot be called with these arguments."""
    try:
        signature = inspect.signature(cls)
    except ValueError:
        return
    try:
        signature.bind(**values)
    except TypeError as error:
        if missing := required(signature, values):
            example = ", ".join(f"{one}=..." for one in missing)
            raise BadAgent(
                f"{name} cannot be made without {', '.join(missing)}: give a default in __init__, "
                f"or write {name}({example})"
            ) from None
        known = ", ".join(signature.parameters) or "nothing"
        raise BadAgent(f"{name} cannot be made: {error}; it takes {known}") from None


def required(signature: inspect.Signature, given: Mapping[str, Any]) -> list[str]:
    """The arguments that must be given and are not."""
    any_number = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        one.name
        for one in signature.parameters.values()
        if one.default is one.empty and one.kind not in any_number and one.name not in given
    ]


def read_plain(text: str) -> Any:
    """Read a value for a class that does not say what it wants.

    >>> [read_plain(text) for text in ("3", "0.5", "true", "none", "ucb")]
    [3, 0.5, True, None, 'ucb']
    """
    words = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class SimpleAgent:
    """An object that only has `decide(model, view, budget, rng)`, seated as an agent."""

    def __init__(self, chooser: Any, name: str | None = None) -> None:
        self.chooser = chooser
        self.name = name or type(chooser).__name__
        decide = getattr(chooser, "decide", None)
        if not callable(decide):
            raise BadAgent(
                f"{self.name} is not an agent: it has neither decide(model, view, budget, rng) "
                "nor start"
            )
        try:
            inspect.signature(decide).bind(None, None, None, None)
        except (TypeError, ValueError):
            raise BadAgent(
                f"{self.name} is not an agent: its decide must take (model, view, budget, rng)"
            ) from None

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        return SimpleMind(self.chooser, model)

    def __str__(self) -> str:
        return self.name


class SimpleMind:
    """The mind of a simple agent; a bare action becomes a Decision."""

    def __init__(self, chooser: Any, model: Model) -> None:
        self.chooser = chooser
        self.model = model
        self.observing = chooser if isinstance(chooser, ObservesEvents) else None
        self.finishing = chooser if isinstance(chooser, FinishesGames) else None

    def observe(self, event: Event) -> None:
        if self.observing is not None:
            self.observing.observe(event)

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        budget.arm(self.model.meter)
        answer = self.chooser.decide(self.model, view, budget, rng)
        return answer if isinstance(answer, Decision) else Decision(action=answer)

    def finish(self, view: View, outcome: Outcome) -> None:
        if self.finishing is not None:
            self.finishing.finish(view, outcome)

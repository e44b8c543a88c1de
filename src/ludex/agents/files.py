"""Agents in a file of the user's own: `file.py:Class(k=v)`, one class with `decide`."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, LudexError, did_you_mean
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.names import read_named
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.planner import Agent, Mind
from ludex.core.rng import Rng
from ludex.core.view import View

MODULES: dict[tuple[str, str], ModuleType] = {}
"""Files already run, by place and content, so that a match does not run them again."""


def is_file_name(name: str) -> bool:
    """Whether a name stands for a file.

    >>> [is_file_name(name) for name in ("mcts", "bots/mine.py:Mine", "mine.py", "pig/optimal")]
    [False, True, True, False]
    """
    return ":" in name or name.endswith(".py")


class FileAgent:
    """An agent in a file; equal to others of the same text."""

    def __init__(self, text: str) -> None:
        self.text = text
        named = read_named(text, "()", "an agent")
        path, _, class_name = named.name.rpartition(":")
        if not path or not class_name:
            path, class_name = named.name.removesuffix(":"), ""
        module = load_file(Path(path))
        self.agent = make_from(find_class(module, class_name, path), named.arguments, path)

    @cached_property
    def version(self) -> str:
        """A hash of the file, so that a record tells which one played."""
        path = Path(self.text.partition("(")[0].rpartition(":")[0])
        return "file-" + hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest()

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
        return FileAgent, (self.text,)  # other processes run the file themselves


def load_file(path: Path) -> ModuleType:
    """Run a file as a module of its own name; BadAgent when it cannot be."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadAgent(f"there is no file {str(path)!r} to take an agent from") from None
    except (OSError, ValueError) as error:
        raise BadAgent(f"cannot read {str(path)!r}: {error}") from None
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    place = (str(path.resolve()), digest)
    if place in MODULES:
        return MODULES[place]
    name = f"ludex_file_{hashlib.blake2b(repr(place).encode(), digest_size=8).hexdigest()}"
    module = ModuleType(name)
    module.__file__ = str(path)
    folder = str(path.resolve().parent)
    sys.modules[name] = module  # dataclasses look their own module up
    sys.path.insert(0, folder)  # a file may import its neighbours
    try:
        exec(compile(content, str(path), "exec"), module.__dict__)
    except SyntaxError as error:
        where = f"{error.filename or path}:{error.lineno or 1}"
        raise BadAgent(f"{where}: this is not Python: {error.msg}") from None
    except (Exception, SystemExit) as error:
        line = line_in(error, str(path))
        raise BadAgent(f"{path}:{line}: running the file fails: {in_a_line(error)}") from error
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
        if sys.exc_info()[0] is not None:
            sys.modules.pop(name, None)
    MODULES[place] = module
    return module


def find_class(module: ModuleType, class_name: str, path: str) -> type:
    own = [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    listed = f"; it has {', '.join(own)}" if own else "; it has no classes"
    if not class_name:
        raise BadAgent(f"name the class of the agent, as in {path}:{own[0] if own else 'MyAgent'}")
    found = getattr(module, class_name, None)
    if found is None:
        raise BadAgent(
            f"{path!r} has no class {class_name!r}{did_you_mean(class_name, own) or listed}"
        )
    if not inspect.isclass(found):
        raise BadAgent(f"{class_name!r} in {path!r} is not a class{listed}")
    return found


def make_from(cls: type, arguments: Mapping[str, str], path: str) -> Agent:
    """Make an agent of a class with arguments given as text."""
    name = f"{path}:{cls.__name__}"
    if not callable(getattr(cls, "start", None)) and not callable(getattr(cls, "decide", None)):
        raise BadAgent(
            f"{name} is not an agent: it has neither decide(model, view, budget, rng) nor start"
        )
    try:
        if issubclass(cls, Parameters):
            made: Any = cls.from_texts(arguments)
        else:
            values = {key: read_plain(text) for key, text in arguments.items()}
            refuse_unknown(cls, values, name)
            made = cls(**values)
    except LudexError as error:
        raise BadAgent(f"{name}: {error}") from None
    except (Exception, SystemExit) as error:
        raise BadAgent(f"{name} cannot be made: {in_a_line(error)}") from error
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
        known = ", ".join(signature.parameters) or "nothing"
        raise BadAgent(f"{name} cannot be made: {error}; it takes {known}") from None


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

    def observe(self, event: Event) -> None:
        if hasattr(self.chooser, "observe"):
            self.chooser.observe(event)

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        budget.arm(self.model.meter)
        answer = self.chooser.decide(self.model, view, budget, rng)
        return answer if isinstance(answer, Decision) else Decision(action=answer)

    def finish(self, view: View, outcome: Outcome) -> None:
        if hasattr(self.chooser, "finish"):
            self.chooser.finish(view, outcome)


def in_a_line(error: BaseException) -> str:
    """Write an exception in one line.

    >>> in_a_line(ValueError("no"))
    'ValueError: no'
    """
    try:
        text = " ".join(str(error).split())
    except Exception:  # an agent's exception may not even have a text
        text = ""
    text = text if len(text) <= 300 else text[:297] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def line_in(error: BaseException, path: str) -> int:
    """The last line of this file that the exception passed through."""
    line = 1
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line

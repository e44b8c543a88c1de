"""Parts of a planner in files of the user's own, named in its text: `mcts(value=mine.py:value)`.

A parameter takes one where its type is a Protocol that has nothing but `__call__`. The Protocol
documents what the function is called with, and the names in its signature are those that errors
tell. In text the parameter is the file and the name of the function; in Python it may be the
function itself.

A part is read when the planner is made and run where the planner plays. Its version is a hash of
the file and of the modules beside it that it imports.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cached_property
from math import isfinite, nan
from pathlib import Path
from typing import Any

from ludex.core.crash_site import crash_site
from ludex.core.errors import (
    BadParameter,
    BrokenAgent,
    BudgetSpent,
    Unsupported,
    did_you_mean,
    in_a_line,
    in_short,
)
from ludex.core.module_files import hash_of_modules, large_libraries
from ludex.core.user_file import file_and_class, load_file, parsed, read_content, with_article

SEPARATORS = re.compile(r"[()\[\],;=@]")


def is_part_name(text: str) -> bool:
    """Whether a text names something in a Python file.

    >>> [is_part_name(text) for text in ("mine.py:value", "mine.py", "score", "catan/x(a=b.py:c)")]
    [True, True, False, False]
    """
    return not SEPARATORS.search(text) and file_and_class(text)[0].endswith(".py")


def python_files_in(text: str) -> list[str]:
    """The Python files that the text of an agent names, as agents or as parts of them.

    >>> python_files_in("mcts(value=a/mine.py:value,rollout=none)@local(span=3)")
    ['a/mine.py:value']
    """
    words = (word.strip() for word in SEPARATORS.split(text))
    return [word for word in words if is_part_name(word)]


def is_function_kind(kind: Any) -> bool:
    """Whether a type of parameter is a Protocol of functions: one with `__call__`."""
    return (
        isinstance(kind, type) and getattr(kind, "_is_protocol", False) and "__call__" in vars(kind)
    )


def arguments_of(kind: type) -> tuple[str, ...]:
    """The names of what a function of this kind is called with."""
    return tuple(inspect.signature(kind.__call__).parameters)[1:]


class OwnPart:
    """A function in a file of the user's own, which stands where a function is asked for.

    It can be called like the function. The file is read now and run at the first call, or when
    `load` is called.
    """

    def __init__(self, text: str, takes: tuple[str, ...], content: bytes | None = None) -> None:
        self.text = text
        self.takes = takes
        file, self.name = file_and_class(text)
        self.path = Path(file)
        if content is None:
            content = read_content(self.path, "function", BadParameter)
        self.content = content
        self.check_text()

    def check_text(self) -> None:
        """Raise BadParameter when the text of the file shows that it has no such function."""
        tree = parsed(self.path, self.content, BadParameter)
        own = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        listed = f"it has {', '.join(dict.fromkeys(own))}" if own else "it has no functions"
        if not self.name:
            example = f"{self.path}:{own[0] if own else 'function'}"
            raise BadParameter(f"name the function in {str(self.path)!r}, as in {example}")
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {alias.asname or alias.name for alias in imported_names(tree)}
        classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        if self.name in own or self.name in words or self.name in classes or "*" in words:
            return
        hint = did_you_mean(self.name, own) or f"; {listed}"
        raise BadParameter(f"{str(self.path)!r} has no function {self.name!r}{hint}")

    @property
    def version(self) -> str:
        """A hash of the file and of the modules beside it that it imports."""
        return hash_of_modules(self.path, self.content)

    @property
    def libraries(self) -> tuple[str, ...]:
        """Large ones that the file imports."""
        return large_libraries(parsed(self.path, self.content, BadParameter))

    @cached_property
    def function(self) -> Any:
        """The function itself: this runs the file."""
        module = load_file(self.path, "function", BadParameter, BrokenAgent, self.content)
        found = getattr(module, self.name, None)
        if found is None:
            raise BadParameter(f"{str(self.path)!r} has no function {self.name!r}")
        form = f"{self.name}({', '.join(self.takes)})"
        if inspect.isclass(found) or not callable(found):
            kind = "a class" if inspect.isclass(found) else with_article(type(found).__name__)
            raise BadParameter(
                f"{self.name!r} in {str(self.path)!r} is {kind}; it must be a function {form}"
            )
        self.check_signature(found, form)
        return found

    def check_signature(self, function: Any, form: str) -> None:
        """Raise BadParameter when the function cannot be called with what it is given."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return  # of a library that does not tell
        try:
            signature.bind(*self.takes)
        except TypeError:
            place = place_of(function, self.path)
            raise BadParameter(
                f"{place}: {self.name}{signature} must be callable as {form}"
            ) from None

    def load(self) -> None:
        """Run the file in this process, and look whether the function fits."""
        _ = self.function

    def __call__(self, *arguments: Any) -> Any:
        return guarded(self.name, self.function, *arguments)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"OwnPart({self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OwnPart):
            return False
        return (other.text, other.content) == (self.text, self.content)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes run the file themselves, and just what was read here.
        return OwnPart, (self.text, self.takes, self.content)


def imported_names(tree: ast.Module) -> list[ast.alias]:
    """All names that a file imports, the star included."""
    kinds = (ast.Import, ast.ImportFrom)
    return [name for node in ast.walk(tree) if isinstance(node, kinds) for name in node.names]


def guarded(name: str, function: Any, *arguments: Any) -> Any:
    """Call a user's function; what goes wrong in it is BrokenAgent, with the file and the line."""
    try:
        return function(*arguments)
    except (BudgetSpent, BadParameter, BrokenAgent, Unsupported):
        raise  # told by the model, or already
    except (Exception, SystemExit) as error:  # whatever the function does
        where = crash_site(error)
        place = "" if where is None else f"{where.file}:{where.line}: "
        quoted = f" in `{where.code}`" if where is not None and where.code else ""
        raise BrokenAgent(f"{place}{name} fails: {in_a_line(error)}{quoted}") from error


def place_of(function: Any, path: Path) -> str:
    """The file and, where it is known, the line that a function begins in."""
    line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
    return f"{path}:{line}" if line else str(path)


def called_by(function: Any) -> str:
    """What a function is called by in an error: its name, with the place of one in a file."""
    if isinstance(function, OwnPart):
        return f"{place_of(function.function, function.path)}: {function.name}"
    return getattr(function, "__name__", type(function).__name__)


def checked_number(function: Any, value: Any) -> float:
    """What a function returned, if that is a finite number; else BrokenAgent says what it was."""
    try:
        number = nan if isinstance(value, str) else float(value)  # of numpy and torch, too
    except (TypeError, ValueError):
        number = nan
    if not isfinite(number):
        told = f"must return a finite number, got {in_short(value)}"
        raise BrokenAgent(f"{called_by(function)} {told}")
    return number

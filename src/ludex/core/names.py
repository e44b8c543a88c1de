"""The strings that name worlds and agents, the same in scripts, study files and records.

`WORLD = name[key=value,...]`, `AGENT = planner(key=value,...)@model(key=value,...)`; lists are
split at commas outside brackets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludex.core.errors import UnknownName

OPENING = {"(": ")", "[": "]"}
LONGEST = 10_000
WORD = re.compile(r"[^\s()\[\]@,=]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A name with its arguments, all as text."""

    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)


def split_outside(text: str, separator: str) -> list[str]:
    """Split at a character where no bracket is open.

    >>> split_outside("mcts(exploration=1,depth=2),uniform", ",")
    ['mcts(exploration=1,depth=2)', 'uniform']
    """
    parts = [""]
    open_brackets: list[str] = []
    for character in text:
        if character in OPENING:
            open_brackets.append(OPENING[character])
        elif open_brackets and character == open_brackets[-1]:
            open_brackets.pop()
        if character == separator and not open_brackets:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def unclosed(text: str) -> str:
    """Return the first bracket that is never closed, or an empty text.

    >>> unclosed("mcts(,uniform"), unclosed("mcts(depth=2),uniform")
    ('(', '')
    """
    waiting: list[tuple[str, str]] = []
    for character in text:
        if character in OPENING:
            waiting.append((character, OPENING[character]))
        elif waiting and character == waiting[-1][1]:
            waiting.pop()
    return waiting[0][0] if waiting else ""


def read_named(text: str, brackets: str, what: str) -> Named:
    """Read `name` or `name(key=value,...)` with the given pair of brackets."""
    shown = text if len(text) <= 80 else text[:77] + "..."
    form = f"{what} is written NAME or NAME{brackets[0]}key=value,...{brackets[1]}"
    head, bracket, rest = text.strip().partition(brackets[0])
    if len(text) > LONGEST or not WORD.fullmatch(head):
        raise UnknownName(f"cannot read {shown!r}; {form}")
    if not bracket:
        return Named(head)
    if not rest.endswith(brackets[1]):
        raise UnknownName(f"cannot read {shown!r}: the bracket is not closed; {form}")
    arguments: dict[str, str] = {}
    inside = rest[:-1].strip()
    for part in split_outside(inside, ",") if inside else []:
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UnknownName(f"cannot read {part!r} in {shown!r}; {form}")
        if key.strip() in arguments:
            raise UnknownName(f"{key.strip()!r} is given twice in {shown!r}")
        arguments[key.strip()] = value.strip()
    return Named(head, arguments)


def read_world(text: str) -> Named:
    return read_named(text, "[]", "a world")


def read_agent(text: str) -> tuple[Named, Named | None]:
    """Read `planner(...)@model(...)`; the model is None when there is no @."""
    parts = split_outside(text, "@")
    if len(parts) > 2:
        raise UnknownName(f"cannot read {text!r}; an agent is written PLANNER or PLANNER@MODEL")
    planner = read_named(parts[0], "()", "an agent")
    return planner, read_named(parts[1], "()", "a model") if len(parts) == 2 else None


def write_named(name: str, arguments: Mapping[str, str], brackets: str) -> str:
    if not arguments:
        return name
    inside = ",".join(f"{key}={value}" for key, value in arguments.items())
    return f"{name}{brackets[0]}{inside}{brackets[1]}"

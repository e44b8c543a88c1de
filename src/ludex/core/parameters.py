"""Parameters of worlds, planners and models: frozen dataclasses with limits, also as text."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self

from ludex.core.errors import BadParameter, did_you_mean
from ludex.core.own_part import OwnPart, arguments_of, is_function_kind, is_part_name


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A limit: the least value allowed."""

    least: float

    def allows(self, value: Any) -> bool:
        return bool(value >= self.least)

    def __str__(self) -> str:
        return f">= {self.least:g}"


@dataclass(frozen=True, slots=True)
class Between:
    """A limit: the least and the largest value allowed."""

    least: float
    largest: float

    def allows(self, value: Any) -> bool:
        return bool(self.least <= value <= self.largest)

    def __str__(self) -> str:
        return f"from {self.least:g} to {self.largest:g}"


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The base of worlds, planners and models: explicit keywords, checked when made."""

    LIMITS: ClassVar[Mapping[str, AtLeast | Between]] = {}

    def __post_init__(self) -> None:
        hints = hints_of(type(self))
        for item in fields(self):
            value = getattr(self, item.name)
            kind = hints[item.name]
            if kind is float and type(value) is int:
                value = float(value)
                object.__setattr__(self, item.name, value)
            if isinstance(value, str) and (part := part_named(value, kind)) is not None:
                value = part
                object.__setattr__(self, item.name, value)
            if not fits(value, kind):
                raise BadParameter(
                    f"{type(self).__name__}.{item.name} must be {in_words(kind)}, got {value!r}"
                )
            limit = self.LIMITS.get(item.name)
            each = value if isinstance(value, tuple) else (value,)
            if limit and not all(limit.allows(one) for one in each if one is not None):
                raise BadParameter(
                    f"{type(self).__name__}.{item.name} must be {in_words(kind)} {limit}, "
                    f"got {value!r}"
                )
        if problem := self.contradiction():
            raise BadParameter(f"{type(self).__name__}: {problem}")

    def contradiction(self) -> str | None:
        """Say which parameters exclude each other, and what to change; None when all fit."""
        return None

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Build from `key=value` texts, as they stand in names of worlds and agents."""
        hints = hints_of(cls)
        known = [item.name for item in fields(cls)]
        values: dict[str, Any] = {}
        for name, text in texts.items():
            if name not in known:
                listed = f"it has {', '.join(known)}" if known else "it has none"
                raise BadParameter(
                    f"{cls.__name__} has no parameter {name!r}"
                    f"{did_you_mean(name, known) or '; ' + listed}"
                )
            try:
                values[name] = read_value(text, hints[name])
            except ValueError:
                raise BadParameter(
                    f"{cls.__name__}.{name} must be {in_words(hints[name])}, got {text!r}"
                ) from None
        return cls(**values)

    def own_parts(self) -> tuple[OwnPart, ...]:
        """The parameters that are functions in files of the user's own."""
        values = (getattr(self, item.name) for item in fields(self))
        return tuple(value for value in values if isinstance(value, OwnPart))

    def changed(self) -> dict[str, str]:
        """The parameters that differ from their defaults, as text."""
        texts: dict[str, str] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.default is MISSING or value != item.default:
                texts[item.name] = write_value(value)
        return texts

    def clone(self, **changes: Any) -> Self:
        """Make the same thing with other parameters, with nothing learned."""
        return replace(self, **changes)

    @classmethod
    def switches(cls) -> tuple[str, ...]:
        """The names of the yes/no parameters, for ablations."""
        hints = hints_of(cls)
        return tuple(item.name for item in fields(cls) if hints[item.name] is bool)


def in_reading_order(cls: Any) -> list[Field[Any]]:
    """The parameters of a part: its own first, then those that the core declares for many."""
    return sorted(fields(cls), key=lambda item: is_of_core(cls, item.name))


def is_of_core(cls: Any, name: str) -> bool:
    declaring = next(one for one in cls.__mro__ if name in vars(one).get("__annotations__", {}))
    return str(declaring.__module__).startswith("ludex.core.")


HINTS: dict[Any, dict[str, Any]] = {}


def hints_of(cls: Any) -> dict[str, Any]:
    """The resolved annotations of a class, looked up once."""
    if cls not in HINTS:
        HINTS[cls] = typing.get_type_hints(cls)
    return HINTS[cls]


def choices_of(kind: Any) -> tuple[Any, ...]:
    """The members of `A | None`, or the kind alone."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return typing.get_args(kind)
    return (kind,)


def fits(value: Any, kind: Any) -> bool:
    for one in choices_of(kind):
        origin = typing.get_origin(one)
        if one is Any or (one is type(None) and value is None):
            return True
        if origin is Literal and value in typing.get_args(one):
            return True
        if (origin is Callable or is_function_kind(one)) and callable(value):
            return True
        if origin is tuple and isinstance(value, tuple):
            return all(fits(item, typing.get_args(one)[0]) for item in value)
        if one is float and isinstance(value, float | int) and not isinstance(value, bool):
            return math.isfinite(value)
        if one is int and isinstance(value, int) and not isinstance(value, bool):
            return True
        is_class = isinstance(one, type) and one not in (int, float) and not is_function_kind(one)
        if is_class and isinstance(value, one):
            return True
    return False


def read_value(text: str, kind: Any) -> Any:
    """Read a value of this kind; tuples are joined by dashes, as in `3-4-5`."""
    if (part := part_named(text, kind)) is not None:
        return part
    for one in choices_of(kind):
        origin = typing.get_origin(one)
        if one is type(None):
            if text == "none":
                return None
        elif one is bool:
            if text in ("true", "yes", "on", "false", "no", "off"):
                return text in ("true", "yes", "on")
        elif origin is Literal:
            for choice in typing.get_args(one):
                if str(choice) == text:
                    return choice
        elif origin is tuple:
            return tuple(read_value(part, typing.get_args(one)[0]) for part in text.split("-"))
        elif one is str:
            return text
        elif one in (int, float):
            try:
                return one(text)
            except ValueError:
                continue
    raise ValueError(text)


def part_named(text: str, kind: Any) -> OwnPart | None:
    """The function in a file that a text names, where this kind of parameter takes one."""
    if not is_part_name(text):
        return None
    kinds = [one for one in choices_of(kind) if is_function_kind(one)]
    return OwnPart(text, arguments_of(kinds[0])) if kinds else None


def write_value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, tuple):
        return "-".join(write_value(item) for item in value)
    return str(value)


def in_words(kind: Any) -> str:
    """Name a kind as a user would."""
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    parts: list[str] = []
    for one in choices_of(kind):
        origin = typing.get_origin(one)
        if one is type(None):
            parts.append("none")
        elif origin is Literal:
            parts.append("one of " + ", ".join(str(choice) for choice in typing.get_args(one)))
        elif is_function_kind(one):
            parts.append(f"a function ({', '.join(arguments_of(one))}), as in mine.py:function")
        elif origin is Callable:
            parts.append("a function")
        elif origin is tuple:
            parts.append(f"{in_words(typing.get_args(one)[0])} or several joined by dashes")
        else:
            parts.append(words.get(one, getattr(one, "__name__", str(one))))
    return " or ".join(parts)

"""From the text of a value to a typed value, as the reference converts it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ludex.worlds.vgdl.language.ontology import COLOURS, CONSTANTS

MAX_RANGE = 10_000
WHOLE = re.compile(r"[+-]?[0-9]{1,10}")
REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?[dDfF]?")
LARGEST_INT = 2**31 - 1
LARGEST_REAL = 1e9  # beyond this a game can only leave its screen; the reference wraps around


def interpret(key: str, text: str) -> Any:
    """Guess what a value is, in the reference's order: constant, whole, real, truth, text."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text in COLOURS:
        return Colour(text)
    if key in ("scoreChange", "scoreChangeIfKilled"):
        return text
    if WHOLE.fullmatch(text) and abs(int(text)) <= LARGEST_INT:
        return int(text)
    if REAL.fullmatch(text):
        return float(text.rstrip("dDfF"))
    if key not in ("win", "hidden", "invisible") and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return text


@dataclass(frozen=True, slots=True)
class Colour:
    """A named colour; only parameters of drawing take it."""

    name: str


class Mismatch(Exception):
    """A value that cannot be stored in the parameter's type."""


def fit(kind: str, value: Any) -> Any:
    """Convert a guessed value to the kind of a parameter; Mismatch if it does not fit."""
    if kind == "looks":
        return value
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if kind == "int" and is_whole:
        return value
    if kind == "real" and (is_whole or isinstance(value, float)) and abs(value) <= LARGEST_REAL:
        return float(value)
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind == "direction" and isinstance(value, tuple):
        return value
    if kind in ("sprite", "sprites", "numbers", "flags", "effect") and isinstance(value, str):
        return value
    raise Mismatch


def widened(kind: str, value: Any, text: str) -> Any:
    """Keep text, and read whole reals as integers, where the reference drops them."""
    if kind in ("sprite", "sprites", "numbers", "flags", "effect"):
        return text
    if kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def read_numbers(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(WHOLE.fullmatch(part) and abs(int(part)) <= LARGEST_INT for part in parts):
        raise ValueError(text)
    return tuple(int(part) for part in parts)


def read_flags(text: str) -> tuple[bool, ...]:
    return tuple(part.strip().lower() == "true" for part in text.split(","))


def read_range(text: str) -> tuple[Any, ...]:
    """Read `min:step:max` or `True:False`."""
    parts = text.split(":")
    if len(parts) == 2 and all(part.lower() in ("true", "false") for part in parts):
        return (False, True)
    if len(parts) != 3 or not all(REAL.fullmatch(part) for part in parts):
        raise ValueError(text)
    if any("." in part for part in parts):
        low, step, high = (float(part) for part in parts)
        if not step > 0 or (high - low) / step > MAX_RANGE:
            raise ValueError(text)
        count = int((high - low) / step + 1e-9)
        return tuple(round(low + index * step, 9) for index in range(count + 1))
    first, by, last = (int(part) for part in parts)
    if by <= 0 or last < first or (last - first) / by > MAX_RANGE:
        raise ValueError(text)
    return tuple(range(first, last + 1, by))

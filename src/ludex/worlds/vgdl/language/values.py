"""Whether the text of one value is what its parameter takes, in strict mode."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ludex.worlds.vgdl.language.conversion import LARGEST_INT, LARGEST_REAL, REAL, WHOLE
from ludex.worlds.vgdl.language.definition import Range
from ludex.worlds.vgdl.language.ontology import COLOURS, CONSTANTS, DIRECTIONS, EFFECTS, Parameter

TRUTHS = ("true", "false")
PROBABILITIES = frozenset(("prob", "spreadprob", "epsilon", "probability"))
DIRECTION_WORDS = (*DIRECTIONS, *(f"D{name}" for name in DIRECTIONS))
PHYSICS = ("GRID", "CONT")
TEXT_LISTS = frozenset(("counter", "counterElse", "limits"))
"""lists that the reference drops when they hold one number, which it reads as a number"""
RESERVED = frozenset(("EOS", "TIME"))


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a value does not fit, and which word of it."""

    word: str
    reason: str
    known: Collection[str] = ()
    """the valid words, to suggest one"""
    offset: int = 0
    """where the word begins in the value"""


def is_whole(text: str) -> bool:
    return bool(WHOLE.fullmatch(text)) and abs(int(text)) <= LARGEST_INT


def is_real(text: str) -> bool:
    plain = REAL.fullmatch(text) and text[-1] not in "dDfF"
    return bool(plain) and abs(float(text)) <= LARGEST_REAL


def is_name(text: str) -> bool:
    """Whether a sprite of this name can be named in values and rules."""
    return (
        text not in CONSTANTS
        and text not in COLOURS
        and text.upper() not in RESERVED
        and text.lower() not in TRUTHS
        and not REAL.fullmatch(text)
        and not set(text) & set("=,>:")
    )


def elements(text: str) -> Iterator[tuple[str, int]]:
    """The parts of a list joined by commas, each with its offset."""
    offset = 0
    for part in text.split(","):
        yield part, offset
        offset += len(part) + 1


def value_fault(
    parameter: Parameter, text: str, names: Collection[str], players: int = 1
) -> Fault | None:
    """Say what is wrong with a value; None when it fits."""
    key, kind = parameter.name, parameter.kind
    if key == "physicstype":
        if text in (*PHYSICS, "0", "1"):
            return None
        return Fault(text, f"{key} is GRID or CONT, not {text!r}", PHYSICS)
    if kind == "int":
        return None if is_whole(text) else Fault(text, f"{key} is a whole number, not {text!r}")
    if kind == "real":
        if not is_real(text):
            return Fault(text, f"{key} is a number of at most {LARGEST_REAL:g}, not {text!r}")
        if key in PROBABILITIES and not 0 <= float(text) <= 1:
            return Fault(text, f"{key} is a probability from 0 to 1, not {text}")
        return None
    if kind == "bool":
        if text.lower() in TRUTHS:
            return None
        return Fault(text, f"{key} is True or False, not {text!r}", ("True", "False"))
    if kind == "direction":
        if text in DIRECTION_WORDS:
            return None
        return Fault(text, f"{key} is a direction, not {text!r}", tuple(DIRECTIONS))
    if kind == "effect":
        if text in EFFECTS:
            return None
        return Fault(text, f"no effect {text!r}", tuple(EFFECTS))
    if kind == "looks":
        if key != "color" or text in COLOURS:
            return None
        return Fault(text, f"no colour {text!r}", COLOURS)
    if kind == "sprite":
        return None if text in names else Fault(text, f"no sprite {text!r}", names)
    return list_fault(key, kind, text, names, players)


def list_fault(
    key: str, kind: str, text: str, names: Collection[str], players: int
) -> Fault | None:
    parts = list(elements(text))
    for part, offset in parts:
        if kind == "sprites" and part not in names:
            return Fault(part, f"no sprite {part!r}", names, offset)
        if kind == "numbers" and not is_whole(part):
            return Fault(part, f"{key} is a list of whole numbers, not {text!r}", (), offset)
        if kind == "flags" and part.lower() not in TRUTHS:
            return Fault(part, f"{key} is True or False, not {part!r}", ("True", "False"), offset)
    if kind == "numbers" and key in TEXT_LISTS and len(parts) == 1 and text != "0":
        return Fault(text, f"{key} is a list of two numbers or more; write {key}={text},0")
    per_player = kind == "flags" or key in ("scoreChange", "scoreChangeIfKilled")
    if per_player and len(parts) not in (1, players):
        expected = "one value" if players == 1 else f"one value or {players}"
        return Fault(text, f"{key} has {expected} (one per player), not {len(parts)}")
    return None


def variants(text: str, space: Mapping[str, Range]) -> tuple[str, ...]:
    """The text with the smallest and with the largest values of a game space."""
    parts = text.split(",")
    if not any(part in space for part in parts):
        return (text,)
    found: dict[str, None] = {}
    for pick in ("low", "high", "default"):
        chosen = [str(end(space[part], pick)) if part in space else part for part in parts]
        found[",".join(chosen)] = None
    return tuple(found)


def end(one: Range, pick: str) -> object:
    return {"low": one.choices[0], "high": one.choices[-1], "default": one.default}[pick]

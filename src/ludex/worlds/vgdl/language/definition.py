"""The definition of a game that the parser returns: immutable, every name resolved to a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ludex.core.errors import LudexError

TICK_LIMIT = 2000
SPRITE_LIMIT = 10_000
MESSAGE_LIMIT = 25


class BadGame(LudexError):
    """A game description or level that cannot be read."""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A mistake in a file, or something that the reference tolerates."""

    line: int
    column: int
    word: str
    reason: str
    suggestion: str = ""
    severity: Literal["error", "warning"] = "warning"
    file: str = ""

    def __str__(self) -> str:
        place = f"{self.file or 'game'}:{self.line}:{self.column}"
        return f"{place}: {self.reason}{self.suggestion}"


@dataclass(frozen=True, slots=True)
class SpriteType:
    """A type of sprites, leaf or group."""

    name: str
    class_name: str | None
    """None: a group whose children have classes of their own"""
    values: Mapping[str, Any] = field(hash=False)
    """every parameter of the class, with types as numbers and directions as pairs"""
    ancestors: tuple[int, ...]
    """from the root down, with itself"""
    subtypes: tuple[int, ...]
    """the types of "sprites of this type", in the order of enumeration"""
    is_leaf: bool
    singleton: bool = False
    unknown_keys: int = 0
    """keys the class does not know; the reference logs each when it builds the first sprite"""
    line: int = 0


@dataclass(frozen=True, slots=True)
class EffectRule:
    """One effect with its parameters."""

    effect: str
    values: Mapping[str, Any] = field(hash=False)
    inner: EffectRule | None = None
    """what `addTimer` runs later"""
    line: int = 0


@dataclass(frozen=True, slots=True)
class RulePair:
    """Two types that have rules, which run together in this order."""

    first: int
    second: int
    rules: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Timed:
    """A timed rule, for all sprites of a type."""

    sprite: int
    rule: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A condition that ends the game."""

    condition: str
    values: Mapping[str, Any] = field(hash=False)
    line: int = 0
    reason: str = ""
    """why the game is over then, in the words of its author; empty: made from the condition"""


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a parameter of a game space can take."""

    name: str
    choices: tuple[Any, ...]
    fixed: Any = None
    label: str = ""

    @property
    def default(self) -> Any:
        return self.choices[0] if self.fixed is None else self.fixed


@dataclass(frozen=True, slots=True)
class Game:
    """A game without its levels."""

    types: tuple[SpriteType, ...]
    order: tuple[int, ...]
    """drawn first to last, updated last to first"""
    rules: tuple[EffectRule, ...]
    pairs: tuple[RulePair, ...]
    edges: tuple[int, ...]
    """types with rules at the edge, once for every rule, as the reference keeps them"""
    edge_rules: Mapping[int, tuple[int, ...]] = field(hash=False)
    timed: tuple[Timed, ...]
    endings: tuple[Ending, ...]
    mapping: Mapping[str, tuple[str, ...]] = field(hash=False)
    """level character -> names, which a level resolves"""
    square_size: int = -1
    players: int = 1
    counters: int = 0
    obstacles: tuple[int, ...] | None = None
    """types that paths go around; None: no path finding"""
    space: tuple[Range, ...] = ()
    messages: int = 0
    """what the reference would have logged so far"""
    problems: tuple[GameProblem, ...] = ()

    def type_named(self, name: str) -> int:
        """The number of a type; -1 when there is none."""
        for number, sprite in enumerate(self.types):
            if sprite.name == name:
                return number
        return -1


@dataclass(frozen=True, slots=True)
class Level:
    """The sprites a level file puts on the screen, in the order they are created."""

    width: int
    height: int
    sprites: tuple[tuple[int, int, int], ...]
    """(type, column, row)"""
    messages: int = 0
    problems: tuple[GameProblem, ...] = ()

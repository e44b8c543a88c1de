"""Game spaces: descriptions with open parameters; each choice of values is a game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.core.errors import BadParameter
from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.definition import BadGame, Game, Range
from ludex.worlds.vgdl.language.reading import Mode, read_game


@dataclass(frozen=True, slots=True)
class GameSpace:
    """A description whose `ParameterSet` leaves values open."""

    text: str
    file: str
    mode: Mode
    ranges: tuple[Range, ...]
    """one for each parameter, in the order of their lines"""

    @property
    def size(self) -> int:
        """How many games there are in it."""
        return math.prod(len(self.choices(one)) for one in self.ranges)

    @staticmethod
    def choices(one: Range) -> tuple[Any, ...]:
        """The values a parameter can take; one alone where the description fixes it."""
        return one.choices if one.fixed is None else (one.fixed,)

    def at(self, values: Mapping[str, Any] | Sequence[int] = ()) -> Game:
        """Choose a point of the space: values by name, or an index for each parameter.

        Parameters that are not named keep the value their line fixes, or their first.
        """
        point = dict(values) if isinstance(values, Mapping) else self.point(values)
        for one in self.ranges:
            if one.fixed is not None and point.get(one.name, one.fixed) == one.fixed:
                point.pop(one.name, None)  # may lie outside its own range
        return read_game(self.text, self.file, self.mode, point)

    def point(self, indices: Sequence[int]) -> dict[str, Any]:
        """The values at these indices, as tuning programs number them."""
        if indices and len(indices) != len(self.ranges):
            raise BadParameter(
                f"a point of this game space has {len(self.ranges)} indices, got {len(indices)}"
            )
        point: dict[str, Any] = {}
        for one, index in zip(self.ranges, indices, strict=False):
            choices = self.choices(one)
            if not isinstance(index, int) or not 0 <= index < len(choices):
                raise BadParameter(
                    f"the index of {one.name} is from 0 to {len(choices) - 1}, got {index!r}"
                )
            point[one.name] = choices[index]
        return point

    def sample(self, rng: Rng) -> dict[str, Any]:
        """Draw a point uniformly; the same stream gives the same point."""
        return {
            one.name: self.choices(one)[rng.below(len(self.choices(one)))] for one in self.ranges
        }


def read_space(text: str, file: str = "", mode: Mode = "strict") -> GameSpace:
    """Read the description of a game space.

    >>> space = read_space(TINY)
    >>> space.size, [len(one.choices) for one in space.ranges]
    (20, [10, 2])
    >>> space.at({"PACE": 0.3, "ALONE": True}).types[2].values["speed"]
    0.3
    >>> space.at([2, 1]) == space.at({"PACE": 0.3, "ALONE": True})
    True
    """
    game = read_game(text, file, mode)
    if not game.space:
        raise BadGame(f"{file or 'the game'} is one game, not a GameSpace with a ParameterSet")
    return GameSpace(text, file, mode, game.space)


TINY = """
GameSpace
    SpriteSet
        ball > Missile speed=PACE singleton=ALONE orientation=LEFT
    LevelMapping
        b > ball
    InteractionSet
        ball EOS > killSprite
    TerminationSet
        SpriteCounter stype=ball win=True
    ParameterSet
        PACE > values=0.1:0.1:1.0 string=Speed
        ALONE > values=True:False string=One_ball
"""

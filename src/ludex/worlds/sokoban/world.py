"""The world of Sokoban."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.codec import FixedCodec
from ludex.core.errors import BadParameter, InvalidState
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.world import ArraySpec, World
from ludex.worlds.sokoban.draw import LEGEND, draw_svg, draw_text, in_colour
from ludex.worlds.sokoban.levels import levels, problem_of
from ludex.worlds.sokoban.rules import KINDS, MOVES, Move, SokobanModel, State

LINE = re.compile(r"(\S{1,10000})(?: tick=(\d{1,7}))?")


@dataclass(frozen=True, kw_only=True)
class Sokoban(World[State]):
    """One player pushes boxes onto goals, on levels with a letter for all that a cell holds."""

    name: ClassVar[str] = "sokoban"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (1, 1)
    LIMITS: ClassVar[Mapping[str, Any]] = {"limit": Between(1, 1_000_000)}

    level: int = 0
    """which of the levels, the easiest first"""
    limit: int = 200
    """moves in a game"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.level < len(levels()):
            raise BadParameter(
                f"Sokoban.level must be from 0 to {len(levels()) - 1}, got {self.level}"
            )

    @cached_property
    def model(self) -> SokobanModel:
        return SokobanModel(self.limit)

    def start(self, rng: Rng) -> State:
        return levels()[self.level].start.copy()

    def parse(self, text: str) -> State:
        """Read a level in letters; it may be another one than those of our own."""
        line = LINE.fullmatch(text.strip())
        if line is None:
            raise InvalidState(
                f"cannot read {text[:60]!r} as sokoban; write rows split by slashes and the moves "
                f"made, as in '{levels()[0].start}'"
            )
        rows, tick = line[1].split("/"), int(line[2] or 0)
        if problem := problem_of(rows):
            raise InvalidState(f"cannot read {text[:60]!r} as sokoban: {problem}")
        if tick > self.limit:
            raise InvalidState(f"move {tick} of {text[:60]!r} is beyond the limit of {self.limit}")
        return State("".join(rows), len(rows[0]), tick)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return (draw_text if form == "text" else draw_svg)(state, self.limit)

    def draw_in_colour(self, state: State, seat: int | None = None) -> str:
        return in_colour(draw_text(state, self.limit))

    def show_board(self, view: Any) -> str:
        return self.draw_in_colour(view.state)

    def show_hand(self, view: Any) -> str:
        return LEGEND

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(MOVES)

    def action_text(self, action: Any) -> str:
        return Move(action).name

    @property
    def observation_spec(self) -> ArraySpec:
        start = levels()[self.level].start
        shape = (len(KINDS), len(start.rows), start.width)
        return ArraySpec(shape=shape, low=0.0, high=1.0, dtype="uint8")

    def observation(self, view: Any) -> NDArray[np.generic]:
        """One plane per kind of thing: 1 in every cell that holds one."""
        masks = view.as_tiles().tiles.array
        bits = np.arange(len(KINDS), dtype=np.uint64)[:, None, None]
        return (masks >> bits & np.uint64(1)).astype(np.uint8)  # type: ignore[no-any-return]  # numpy

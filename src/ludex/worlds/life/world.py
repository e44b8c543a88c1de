"""The world of the interactive Game of Life."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import folded
from ludex.core.codec import FixedCodec
from ludex.core.errors import InvalidAction, InvalidState
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.world import ArraySpec, World
from ludex.worlds.life.draw import board_text, draw_svg, draw_text
from ludex.worlds.life.rules import PASS, LifeModel, State

LINE = re.compile(r"([.#/]{1,2000})(?: tick=(\d{1,6}) total=(\d{1,12}))?")


@dataclass(frozen=True, kw_only=True)
class Life(World[State]):
    """Conway's Game of Life; each tick the player may switch one cell, to keep it alive."""

    name: ClassVar[str] = "life"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (1, 1)
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "width": Between(3, 30),
        "height": Between(3, 30),
        "density": Between(0, 1),
        "ticks": Between(1, 10_000),
    }

    width: int = 10
    """cells in a row"""
    height: int = 10
    """rows"""
    density: float = 0.5
    """the chance of each cell to live at the start"""
    border: Literal["dead", "torus"] = "dead"
    """dead: nothing lives beyond the edge; torus: opposite edges touch"""
    ticks: int = 100
    """how long a game lasts"""

    @cached_property
    def model(self) -> LifeModel:
        return LifeModel(self.width, self.height, self.border, self.ticks)

    def start(self, rng: Rng) -> State:
        size = self.width * self.height
        cells = sum(1 << cell for cell in range(size) if rng.uniform() < self.density)
        return State(cells, self.width, self.height)

    def parse(self, text: str) -> State:
        line = LINE.fullmatch(text.strip())
        rows = line[1].split("/") if line else []
        if line is None or [len(row) for row in rows] != [self.width] * self.height:
            empty = "/".join(["." * self.width] * min(2, self.height))
            raise InvalidState(
                f"cannot read {text[:60]!r} as {self}; write {self.height} rows of {self.width} "
                f"cells, # for life, as in '{empty}/...'"
            )
        bits = "".join(rows)[::-1].replace(".", "0").replace("#", "1")
        tick, total = int(line[2] or 0), int(line[3] or 0)
        if tick > self.ticks or total > tick * self.width * self.height:
            raise InvalidState(
                f"{text[:60]!r} is no state of {self}: tick {tick} of {self.ticks}, "
                f"{total} alive in all"
            )
        return State(int(bits, 2), self.width, self.height, tick, total)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return (draw_text if form == "text" else draw_svg)(state, self.ticks)

    def show_board(self, view: Any) -> str:
        return board_text(view.state, self.ticks)

    def show_hand(self, view: Any) -> str:
        return "switch ROW,COLUMN turns a cell on or off before the next tick; pass leaves them"

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(self.model.actions)

    def read_action(self, text: str, view: Any) -> int | None:
        if folded(text) == "pass":
            return PASS
        line = re.fullmatch(r"switch (\d{1,3})[ ,]+(\d{1,3})", folded(text))
        if line is None:
            return None
        row, column = int(line[1]), int(line[2])
        if row >= self.height or column >= self.width:
            raise InvalidAction(
                f"there is no cell {row},{column}: rows are 0 to {self.height - 1} and columns 0 "
                f"to {self.width - 1}"
            )
        return self.switch(row, column)

    def action_text(self, action: Any) -> str:
        if action == PASS:
            return "pass"
        row, column = divmod(int(action) - 1, self.width)
        return f"switch {row},{column}"

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(self.height, self.width), low=0.0, high=1.0, dtype="uint8")

    def observation(self, view: Any) -> NDArray[np.generic]:
        """The board, 1 where a cell lives."""
        return view.as_tiles().tiles.array.astype(np.uint8)  # type: ignore[no-any-return]  # numpy

    def switch(self, row: int, column: int) -> int:
        """Make an action by name."""
        return 1 + row * self.width + column

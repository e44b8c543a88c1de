"""The rules of the interactive Game of Life.

A board is one number: bit `row * width + column` is set where a cell lives. A generation adds up
the eight neighbours of all cells at once, bit by bit, as a machine adds columns of digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.tiles import Act, Tiles, TileView
from ludex.core.traits import Traits
from ludex.core.view import OpenView

Border: TypeAlias = Literal["dead", "torus"]
PASS = 0  # the action that switches nothing; action 1 + c switches cell c
WAIT, SWITCH = 0, 1  # verbs


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The living cells, the number of ticks, and the sum of living cells over them."""

    cells: int
    width: int
    height: int
    tick: int = 0
    total: int = 0

    @property
    def living(self) -> int:
        return self.cells.bit_count()

    @property
    def rows(self) -> list[str]:
        text = f"{self.cells:0{self.width * self.height}b}"[::-1]
        text = text.replace("0", ".").replace("1", "#")
        return [text[row * self.width : (row + 1) * self.width] for row in range(self.height)]

    def __str__(self) -> str:
        return f"{'/'.join(self.rows)} tick={self.tick} total={self.total}"


@dataclass(frozen=True, slots=True)
class LifeView(OpenView):
    """A seat sees the whole board, also as a grid."""

    tiles: TileView

    def as_tiles(self) -> TileView:
        return self.tiles


class LifeModel(PythonModel[State]):
    """A tick: the chosen cell is switched, then the next generation follows."""

    state_type = State
    view_type = LifeView

    def __init__(self, width: int, height: int, border: Border, ticks: int) -> None:
        super().__init__()
        self.board = Board(width, height, border)
        self.ticks = ticks
        self.actions = tuple(range(width * height + 1))
        self.acts = (Act(WAIT), *(Act(SWITCH, cell) for cell in range(width * height)))
        self.traits = Traits(seats=1, max_legal=len(self.actions))

    def fault(self, state: State) -> str | None:
        width, height = self.board.width, self.board.height
        if (state.width, state.height) != (width, height):
            return (
                f"it is {state.width} cells wide and {state.height} high, not {width} and {height}"
            )
        return None

    def to_act(self, state: State) -> tuple[int, ...]:
        return (0,) if state.tick < self.ticks else ()

    def legal(self, state: State, seat: int) -> tuple[int, ...]:
        return self.actions if seat == 0 and state.tick < self.ticks else ()

    def action_type(self, action: int) -> str:
        return "pass" if action == PASS else "switch"

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        (action,) = actions
        cells = state.cells if action == PASS else state.cells ^ 1 << (action - 1)
        state.cells = self.board.next_generation(cells)
        state.tick += 1
        state.total += state.living

    def outcome(self, state: State) -> Outcome | None:
        if state.tick < self.ticks:
            return None
        share = state.total / (self.ticks * state.width * state.height)
        if state.cells:
            return Outcome((0,), (share,), f"cells live after {self.ticks} ticks")
        return Outcome((), (share,), "all cells are dead")

    def score(self, state: State, seat: int) -> float:
        return float(state.total)

    def view(self, state: State, seat: int) -> LifeView:
        legal = self.legal(state, seat)
        bits = np.array([*map(int, f"{state.cells:0{self.board.size}b}")][::-1], np.uint64)
        shown = TileView(
            seat,
            legal,
            Tiles.of(("alive",), bits.reshape(state.height, state.width)),
            self.score(state, seat),
            self.outcome(state),
            self.acts if legal else (),
        )
        return LifeView(seat, legal, state.copy(), shown)


@dataclass(frozen=True)
class Board:
    """Counts neighbours on a board of a given size and border."""

    width: int
    height: int
    border: Border

    @cached_property
    def size(self) -> int:
        return self.width * self.height

    @cached_property
    def all(self) -> int:
        return (1 << self.size) - 1

    @cached_property
    def left(self) -> int:
        """The first column."""
        return sum(1 << row * self.width for row in range(self.height))

    @cached_property
    def right(self) -> int:
        """The last column."""
        return self.left << (self.width - 1)

    def next_generation(self, cells: int) -> int:
        """Born with three living neighbours, survives with two or three."""
        one, two, four = 0, 0, 0  # the bits of each cell's number of neighbours, but for eight
        for beside in self.neighbours(cells):
            carry = one & beside
            one ^= beside
            four ^= two & carry  # of eight neighbours all three bits are 0 again, as of none
            two ^= carry
        return two & ~four & (one | cells)

    def neighbours(self, cells: int) -> tuple[int, ...]:
        """The board moved by one cell in each of the eight directions."""
        west, east = self.moved_left(cells), self.moved_right(cells)
        rows = (cells, west, east)
        return (west, east, *map(self.moved_up, rows), *map(self.moved_down, rows))

    def moved_left(self, cells: int) -> int:
        moved = (cells & ~self.left) >> 1
        return moved | (cells & self.left) << (self.width - 1) if self.wraps else moved

    def moved_right(self, cells: int) -> int:
        moved = (cells & ~self.right) << 1
        return moved | (cells & self.right) >> (self.width - 1) if self.wraps else moved

    def moved_up(self, cells: int) -> int:
        moved = cells >> self.width
        first = cells & (1 << self.width) - 1
        return moved | first << (self.size - self.width) if self.wraps else moved

    def moved_down(self, cells: int) -> int:
        moved = cells << self.width & self.all
        return moved | cells >> (self.size - self.width) if self.wraps else moved

    @property
    def wraps(self) -> bool:
        return self.border == "torus"

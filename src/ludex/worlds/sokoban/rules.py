"""The rules of Sokoban.

A cell is one letter that tells all it holds, so that nothing is hidden below a box or the avatar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.tiles import Tiles, TileView, acts_of
from ludex.core.traits import Traits
from ludex.core.view import OpenView

LETTERS = ".wo*+Au"
KINDS = ("wall", "goal", "box", "avatar")
MASKS = dict(zip(LETTERS, (0b0000, 0b0001, 0b0010, 0b0100, 0b0110, 0b1000, 0b1010), strict=True))
AS_MASKS = bytes(MASKS.get(chr(code), 0) for code in range(256))
ENTERED = {".": "A", "o": "u", "*": "A", "+": "u"}  # what a cell becomes when the avatar comes
LEFT_BEHIND = {"A": ".", "u": "o"}
FILLED = {".": "*", "o": "+"}  # what a cell becomes when a box comes


class Move(IntEnum):
    """The four directions."""

    UP = 0
    LEFT = 1
    DOWN = 2
    RIGHT = 3


MOVES = tuple(Move)


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The letters of all cells, row after row, and the moves made."""

    cells: str
    width: int
    tick: int = 0

    @property
    def rows(self) -> list[str]:
        return [
            self.cells[begin : begin + self.width]
            for begin in range(0, len(self.cells), self.width)
        ]

    @property
    def avatar(self) -> int:
        """The cell of the avatar."""
        return max(self.cells.find("A"), self.cells.find("u"))

    @property
    def open_boxes(self) -> int:
        """Boxes that are on no goal."""
        return self.cells.count("*")

    @property
    def is_solved(self) -> bool:
        return "*" not in self.cells

    def __str__(self) -> str:
        return f"{'/'.join(self.rows)} tick={self.tick}"


@dataclass(frozen=True, slots=True)
class SokobanView(OpenView):
    """A seat sees the whole level, also as a grid."""

    tiles: TileView

    def as_tiles(self) -> TileView:
        return self.tiles


class SokobanModel(PythonModel[State]):
    """The avatar walks, and pushes a box that has nothing behind it; nothing is ever pulled."""

    state_type = State
    view_type = SokobanView

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.traits = Traits(seats=1, max_legal=len(MOVES))

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        return MOVES if seat == 0 and not self.over(state) else ()

    def action_type(self, action: Move) -> str:
        return "move"

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        state.tick += 1
        step = (-state.width, -1, state.width, 1)[actions[0]]
        here = state.avatar
        there, behind = here + step, here + 2 * step
        cells = list(state.cells)
        if cells[there] in "*+":
            if cells[behind] not in FILLED:
                return
            cells[behind] = FILLED[cells[behind]]
        elif cells[there] not in ENTERED:
            return
        cells[there] = ENTERED[cells[there]]
        cells[here] = LEFT_BEHIND[cells[here]]
        state.cells = "".join(cells)

    def over(self, state: State) -> bool:
        return state.is_solved or state.tick >= self.limit

    def outcome(self, state: State) -> Outcome | None:
        if state.is_solved:
            return Outcome((0,), (1.0,), "every box is on a goal")
        if state.tick >= self.limit:
            return Outcome((), (-1.0,), f"the limit of {self.limit} moves was reached")
        return None

    def score(self, state: State, seat: int) -> float:
        """Boxes on goals."""
        return float(state.cells.count("+"))

    def distance(self, state: State, seat: int) -> float:
        return float(state.open_boxes)

    def avatars(self, state: State) -> tuple[tuple[int, int], ...]:
        row, column = divmod(state.avatar, state.width)
        return ((column, row),)

    def view(self, state: State, seat: int) -> SokobanView:
        legal = self.legal(state, seat)
        masks = np.frombuffer(state.cells.encode().translate(AS_MASKS), np.uint8)
        shown = TileView(
            seat,
            tuple(map(int, legal)),  # numbers, for learners that do not know this world
            Tiles.of(KINDS, masks.reshape(-1, state.width)),
            self.score(state, seat),
            self.outcome(state),
            acts_of(legal),
        )
        return SokobanView(seat, legal, state.copy(), shown)
